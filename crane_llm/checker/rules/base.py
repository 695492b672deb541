"""What a rule is."""

from __future__ import annotations

from typing import Any


class Rule:
    """One kind of crash.

    The subclass's docstring is its page: what crashes, why, an example, the fix. ``code`` names it, ``exceptions`` are the classes it
    raises. ``CRASHES`` are (setup, cell, exception name) and ``RUNS`` (setup, cell) cases that the tests run for real and through the
    checker; ``requires`` are the modules they import. ``order``: rules with a smaller number are asked first.
    """

    code = ""
    library = ""
    exceptions: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    order = 50
    CRASHES: list[tuple[str, str, str]] = []
    RUNS: list[tuple[str, str]] = []

    def check(self, interpreter: Any, event: Any) -> BaseException | None:
        """The error that the operation is certain to raise, before it is done; None otherwise. Only for ops in ``checks``."""
        return None

    def claims(self, event: Any, error: BaseException) -> bool:
        """Whether this rule explains ``error``, raised by the operation ``event``."""
        return False

    def explain(self, event: Any, error: BaseException) -> str:
        """One sentence on the cause, with the facts that clash."""
        return ""

    def suggest(self, event: Any, error: BaseException) -> str | None:
        """The text that should stand in the failing expression's place, where it is known."""
        return None
