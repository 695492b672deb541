from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import object_of


class NoneAttribute(Rule):
    """An attribute or method of ``None`` is used.

    The variable holds ``None``. Most often an earlier cell kept the result of a call that changes its object in place and gives nothing
    back: ``x = items.sort()``, ``df = df.drop(columns="a", inplace=True)``, or of a function without ``return``.

    Example: ``df = df.dropna(inplace=True)`` in one cell, ``df.head()`` in the next.

    Fix: do not assign the result of an in-place call; run the cell that makes the variable again.
    """

    code = "python.none-attribute"
    library = "python"
    exceptions = ("AttributeError",)
    order = 30
    CRASHES = [
        ("items = [2, 1].sort()", "items.append(3)", "AttributeError"),
        ("r = print('x')", "r.upper()", "AttributeError"),
        ("def f():\n    pass\nv = f()", "v.shape", "AttributeError"),
        ("import re", "re.match('a', 'b').group(0)", "AttributeError"),
        ("d = {'a': 1}", "d.get('b').real", "AttributeError"),
        ("x = None", "x.y = 1", "AttributeError"),
    ]
    RUNS = [
        ("x = None", "x.__class__"),
        ("x = None", "getattr(x, 'shape', 0)"),
        ("x = None", "if x is not None:\n    x.shape"),
        ("x = None", "try:\n    x.shape\nexcept AttributeError:\n    x = 1"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            event.op in ("attribute", "store", "delete")
            and event.operands
            and event.operands[0].exact
            and object_of(event) is None
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The object whose .{event.name} is used is None; a call that works in place, or a function without return, gives None."
