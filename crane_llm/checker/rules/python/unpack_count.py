from __future__ import annotations

from typing import Any

from ..base import Rule


class UnpackCount(Rule):
    """As many names as elements are needed to unpack, and the numbers differ.

    Example: ``a, b = (1, 2, 3)``, or ``for name, age in rows`` where each row has three fields.

    Fix: name every element, or gather the rest with ``*rest``.
    """

    code = "python.unpack-count"
    library = "python"
    exceptions = ("ValueError",)
    order = 40
    CRASHES = [
        ("t = (1, 2, 3)", "a, b = t", "ValueError"),
        ("rows = [(1, 2, 3)]", "for a, b in rows:\n    pass", "ValueError"),
        ("", "a, b, c = 'xy'", "ValueError"),
        ("def f():\n    return 1, 2", "a, b, c = f()", "ValueError"),
        ("d = {'k': (1, 2)}", "[x for x, (y, z, w) in d.items()]", "ValueError"),
        ("", "a, *b, c = [1]", "ValueError"),
        ("pairs = ['ab', 'c']", "for a, b in pairs:\n    pass", "ValueError"),
        ("d = {'key': 1}", "for a, b in d:\n    pass", "ValueError"),
        ("v = [1, 2, 3]", "for i, (a, b) in enumerate([v]):\n    pass", "ValueError"),
        ("", "dict([(1, 2, 3)])", "ValueError"),
    ]
    RUNS = [
        ("t = (1, 2, 3)", "a, *b = t"),
        ("d = {'ab': 1}", "for a, b in d:\n    pass"),
        ("d = {'a': 1}", "for k, v in d.items():\n    pass"),
        ("", "a, b = 'xy'"),
        ("", "(a, b), c = [1, 2], 3"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "values to unpack" in str(error) or "update sequence element" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        wanted = f"{event.name} names" if event.op == "unpack" and event.name else "the names on the left"
        return f"The value has another number of elements than {wanted}: {error}."
