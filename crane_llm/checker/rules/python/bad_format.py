from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import kind_of, operand


class BadFormat(Rule):
    """A format does not suit the value.

    Example: ``f"{name:.2f}"`` with text in ``name``; ``"%d" % "a"``; too few values for the places in a format.

    Fix: convert the value, or use the format for its type.
    """

    code = "python.bad-format"
    library = "python"
    exceptions = ("ValueError", "TypeError")
    order = 42
    CRASHES = [
        ("s = 'a'", "f'{s:.2f}'", "ValueError"),
        ("", "'%d' % 'a'", "TypeError"),
        ("", "'%s %s' % ('a',)", "TypeError"),
        ("v = [1]", "f'{v:d}'", "TypeError"),
        ("x = None", "f'{x:>10}'", "TypeError"),
        ("", "'{:d}'.format(1.5)", "ValueError"),
        ("", "'%s' % (1, 2)", "TypeError"),
        ("", "format('a', '.2f')", "ValueError"),
    ]
    RUNS = [
        ("x = 1.234", "f'{x:.2f}'"),
        ("", "'%s' % 5"),
        ("x = None", "f'{x!r:>10}'"),
        ("class F:\n    def __format__(self, spec):\n        return spec\nf = F()", "f'{f:anything}'"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        if event.op == "format" or (event.key or "").endswith((".format", "builtins.format")):
            return True
        return event.op == "binary" and event.name == "Mod" and ("format" in text or "argument" in text)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The format does not suit {kind_of(operand(event))}: {error}."
