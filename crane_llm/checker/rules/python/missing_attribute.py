from __future__ import annotations

import types
from typing import Any

from ...attributes import instance_dict
from ..base import Rule
from ..words import kind_of, nearest, object_of, operand, sentence


class MissingAttribute(Rule):
    """An attribute or method is used that the object does not have.

    The name is misspelt, the object is of another kind than expected, or the library's version has removed it.

    Example: ``"a b".splits()``, ``[1].add(2)``, ``numpy.float``.

    Fix: use the name that the object has; for removed functions, the successor that the library's message names.
    """

    code = "python.missing-attribute"
    library = "python"
    exceptions = ("AttributeError",)
    order = 60
    CRASHES = [
        ("s = 'a b'", "s.splits()", "AttributeError"),
        ("v = [1]", "v.add(2)", "AttributeError"),
        ("import math", "math.squareroot(4)", "AttributeError"),
        ("class P:\n    def __init__(self):\n        self.x = 1\np = P()", "p.y", "AttributeError"),
        ("t = (1, 2)", "t.append(3)", "AttributeError"),
        ("n = 3", "n.items()", "AttributeError"),
        ("d = {'a': 1}", "d.a", "AttributeError"),
        ("", "class Q:\n    pass\nQ().run()", "AttributeError"),
        ("v = [1]", "v.size = 2", "AttributeError"),
        ("from types import SimpleNamespace\nc = SimpleNamespace(rate=1)", "c.rates", "AttributeError"),
    ]
    RUNS = [
        ("class L:\n    def __getattr__(self, name):\n        return name\nl = L()", "l.anything"),
        ("class P:\n    pass\np = P()", "p.y = 1\np.y"),
        ("class P:\n    pass\np = P()", "setattr(p, 'z', 2)\np.z"),
        ("class P:\n    @property\n    def y(self):\n        return 1\np = P()", "p.y"),
        ("import os", "os.path.join('a', 'b')"),
        ("v = [1]", "hasattr(v, 'nothing')"),
        (
            "class B:\n    def hi(self):\n        return 1\nclass C(B):\n    def hi(self):\n        return super().hi()\nc = C()",
            "c.hi()",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op in ("attribute", "store", "delete", "call")

    def explain(self, event: Any, error: BaseException) -> str:
        close = self._close(event)
        hint = f"; the nearest name is {close}." if close else "."
        return f"{sentence(kind_of(operand(event)))} has no attribute {event.name}{hint}"

    def suggest(self, event: Any, error: BaseException) -> str | None:
        return self._close(event) if event.op == "attribute" else None

    @staticmethod
    def _close(event: Any) -> str | None:
        obj = object_of(event)
        kind = operand(event).known_type if operand(event) is not None else None
        if kind is None or not isinstance(event.name, str):
            return None
        names = [name for base in kind.__mro__ for name in vars(base)]
        if isinstance(obj, types.ModuleType):
            names = list(vars(obj))
        elif obj is not None and kind.__module__ != "builtins":
            names += list(instance_dict(obj) or ())
        return nearest(event.name, [n for n in names if isinstance(n, str) and not n.startswith("_")], 0.7)
