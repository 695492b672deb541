from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import kind_of, operand


class Unhashable(Rule):
    """A value that can change is used as a dict key or set element.

    Lists, dicts and sets have no hash.

    Example: ``{[1, 2]: "a"}`` or ``set([[1], [2]])``.

    Fix: use a tuple or a frozenset.
    """

    code = "python.unhashable"
    library = "python"
    exceptions = ("TypeError",)
    order = 40
    CRASHES = [
        ("k = [1]", "{k: 1}", "TypeError"),
        ("d = {}", "d[[1, 2]] = 3", "TypeError"),
        ("", "set([[1], [2]])", "TypeError"),
        ("d = {'a': 1}", "d[{'x': 1}]", "TypeError"),
        ("rows = [[1], [2]]", "{r for r in rows}", "TypeError"),
        ("", "hash([])", "TypeError"),
        ("rows = [[1]]", "{r: 0 for r in rows}", "TypeError"),
        ("s = set()", "s.add([1])", "TypeError"),
        ("from collections import Counter", "Counter([[1], [2]])", "TypeError"),
        ("", "{(1, [2])}", "TypeError"),
    ]
    RUNS = [
        ("", "{(1, 2): 3}"),
        ("", "{frozenset([1])}"),
        ("class K:\n    pass\nk = K()", "{k: 1}"),
        (
            "class H:\n    def __hash__(self):\n        return 1\n    def __eq__(self, o):\n        return True\nh = H()",
            "{h: 2}",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "unhashable type" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"A key or element of a set must not change; this one is {kind_of(operand(event, -1 if event.op == 'item' else 0))}: {error}."
