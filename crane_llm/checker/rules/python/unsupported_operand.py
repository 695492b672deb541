from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import kind_of, operand

_SIGNS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "Pow": "**",
    "Lt": "<",
    "Gt": ">",
    "LtE": "<=",
    "GtE": ">=",
    "MatMult": "@",
}


class UnsupportedOperand(Rule):
    """An operator is used between values that do not support it.

    Text and numbers do not mix, ``None`` takes part in nothing, and values of different kinds have no order.

    Example: ``"rows: " + len(rows)``, or sorting a list that holds numbers and text.

    Fix: convert one side (``str(...)``, ``float(...)``), or find out why a value is ``None``.
    """

    code = "python.unsupported-operand"
    library = "python"
    exceptions = ("TypeError",)
    order = 45
    CRASHES = [
        ("n = 3", "'rows: ' + n", "TypeError"),
        ("a, b = '1', 2", "a - b", "TypeError"),
        ("x = None", "x + 1", "TypeError"),
        ("", "sorted([1, 'a'])", "TypeError"),
        ("", "[1, 2] + (3,)", "TypeError"),
        ("x = None", "x > 3", "TypeError"),
        ("s = 'a'", "-s", "TypeError"),
        ("", "max([1, None])", "TypeError"),
        ("total = 'a'", "total += 1", "TypeError"),
        ("class M:\n    pass\nm = M()", "m + 1", "TypeError"),
        ("class M:\n    pass\nm, n = M(), M()", "m < n", "TypeError"),
        ("prices = {'a': '3'}", "sum(prices.values())", "TypeError"),
        ("d, e = {'a': 1}, {'b': 2}", "d + e", "TypeError"),
        ("v = [3, 'b', 1]", "v.sort()", "TypeError"),
    ]
    RUNS = [
        ("", "'ab' * 3"),
        ("class V:\n    def __add__(self, other):\n        return 1\nv = V()", "v + 'x'"),
        ("class V:\n    def __radd__(self, other):\n        return 1\nv = V()", "3 + v"),
        ("", "[1] == 'a'"),
        ("", "{1} | {2}"),
        ("", "'%s' % None"),
        ("class V:\n    def __lt__(self, other):\n        return True\na, b = V(), V()", "sorted([a, b])\na > b"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return (
            "unsupported operand" in text
            or "not supported between" in text
            or "can only concatenate" in text
            or "bad operand type" in text
            or "can't multiply sequence" in text
        )

    def explain(self, event: Any, error: BaseException) -> str:
        sign = _SIGNS.get(event.name or "")
        if event.op in ("binary", "compare") and sign and len(event.operands) == 2:
            return f"{sign} stands between {kind_of(operand(event))} and {kind_of(operand(event, 1))}, which do not go together."
        return f"Values that do not go together meet here: {error}."
