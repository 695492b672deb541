from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import kind_of, operand


class ItemAssignment(Rule):
    """An item of something that cannot change is set or deleted.

    Tuples, text, numbers and ``None`` have no items that could be replaced.

    Example: ``point = (1, 2)`` and ``point[0] = 5``.

    Fix: make a list of it, or build a new value.
    """

    code = "python.item-assignment"
    library = "python"
    exceptions = ("TypeError",)
    order = 40
    CRASHES = [
        ("point = (1, 2)", "point[0] = 5", "TypeError"),
        ("s = 'abc'", "s[0] = 'x'", "TypeError"),
        ("v = None", "v['a'] = 1", "TypeError"),
        ("n = 3", "n[0] = 1", "TypeError"),
        ("t = (1, 2)", "del t[0]", "TypeError"),
        ("r = range(3)", "r[0] = 9", "TypeError"),
        ("s = {1, 2}", "s[0] = 1", "TypeError"),
        ("t = ([1], 2)", "t[0] += [2]", "TypeError"),
    ]
    RUNS = [
        ("v = [1, 2]", "v[0] = 5"),
        ("d = {}", "d['a'] = 1"),
        ("t = ([1], 2)", "t[0][0] = 9"),
        ("class S:\n    def __setitem__(self, k, v):\n        pass\ns = S()", "s[0] = 1"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "item assignment" in str(error) or "item deletion" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"Items of {kind_of(operand(event))} cannot be replaced."
