from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import names_in_scope, nearest


class UndefinedName(Rule):
    """A name is used that is not defined.

    The kernel holds no variable, function or import of this name when the cell runs. The cell that would define it has not run, it
    failed before it got there, the name was deleted, or it is misspelt.

    Example: ``model.fit(X_trian, y)`` where only ``X_train`` exists.

    Fix: run the cell that defines the name, or correct the spelling.
    """

    code = "python.undefined-name"
    library = "python"
    exceptions = ("NameError",)
    CRASHES = [
        ("", "total + 1", "NameError"),
        ("x = 1\ndel x", "print(x)", "NameError"),
        ("rows = [1, 2]", "for r in rows:\n    seen.append(r)", "NameError"),
        ("def area(w):\n    return w * hight", "area(3)", "NameError"),
        ("items = [3]", "[unit * i for i in items]", "NameError"),
        ("", "def f(n=missing_default):\n    return n", "NameError"),
        ("", "class A:\n    size = width\n", "NameError"),
        ("x = 1", "del x\nx", "NameError"),
        ("", "try:\n    1 / 0\nexcept ZeroDivisonError:\n    pass", "NameError"),
    ]
    RUNS = [
        ("", "if False:\n    nowhere"),
        ("", "try:\n    nowhere\nexcept NameError:\n    pass"),
        ("", "def later():\n    return not_yet\n"),
        ("", "exec('fresh = 2')\nfresh + 1"),
        ("", "[q for q in range(3)]\nlen('x')"),
        ("", "globals()['made'] = 1\nmade"),
        ("", "%time made_by_magic = 3\nmade_by_magic + 1"),
        ("", "def outer():\n    def inner():\n        return late\n    late = 2\n    return inner()\nouter()"),
        ("", "from math import *\nsqrt(pi)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "name" and event.mechanism != "local"

    def explain(self, event: Any, error: BaseException) -> str:
        close = nearest(event.name, names_in_scope(event))
        hint = f"; did you mean {close}?" if close else "."
        return f"{event.name} is not defined in the kernel when this line runs{hint}"

    def suggest(self, event: Any, error: BaseException) -> str | None:
        return nearest(event.name, names_in_scope(event), 0.75)
