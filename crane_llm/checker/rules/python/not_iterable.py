from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import kind_of, operand, sentence, source_of


class NotIterable(Rule):
    """Something is iterated, measured or indexed that has no elements.

    ``for``, unpacking, ``len()``, ``list()`` and square brackets need a container. A number, ``None`` or a function has no elements.

    Example: ``for i in len(items):`` where ``range(len(items))`` was meant.

    Fix: give the container itself, or ``range(n)`` for a number.
    """

    code = "python.not-iterable"
    library = "python"
    exceptions = ("TypeError",)
    order = 40
    CRASHES = [
        ("n = 3", "for i in n:\n    pass", "TypeError"),
        ("items = [1]", "for i in len(items):\n    pass", "TypeError"),
        ("n = 3", "a, b = n", "TypeError"),
        ("n = 3", "len(n)", "TypeError"),
        ("v = None", "v[0]", "TypeError"),
        ("def f():\n    return [1]", "f[0]", "TypeError"),
        ("n = 3", "list(n)", "TypeError"),
        ("n = 3", "print(*n)", "TypeError"),
        ("", "[x for x in 5]", "TypeError"),
        ("v = 3", "dict(**v)", "TypeError"),
        ("n = 2.5", "2 in n", "TypeError"),
        ("class A:\n    pass\na = A()", "for x in a:\n    pass", "TypeError"),
        ("s = {1, 2}", "s[0]", "TypeError"),
        ("items = [1, 2]", "next(items)", "TypeError"),
        ("d = {'a': 1}", "d.keys()[0]", "TypeError"),
    ]
    RUNS = [
        (
            "class A:\n    def __getitem__(self, i):\n        if i > 2:\n            raise IndexError\n        return i\na = A()",
            "[x for x in a]",
        ),
        ("class A:\n    def __iter__(self):\n        return iter([1])\na = A()", "for x in a:\n    pass"),
        ("class A:\n    def __len__(self):\n        return 4\na = A()", "len(a)"),
        ("", "for c in 'text':\n    pass"),
        ("", "list[int]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        parts = (
            "not iterable",
            "has no len()",
            "not subscriptable",
            "is not a mapping",
            "not an iterator",
            "must be an iterable",
            "cannot unpack",
            "must be a mapping",
        )
        return any(part in text for part in parts) and event.op != "name"

    def explain(self, event: Any, error: BaseException) -> str:
        what = kind_of(operand(event))
        return f"{sentence(what)} stands where a container is needed: {source_of(event)}."
