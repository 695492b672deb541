from __future__ import annotations

import inspect
from typing import Any

from ..base import Rule

_BINDING = (
    "positional argument", "keyword argument", "takes no", "takes from", "takes at", "takes exactly", "multiple values for",
    "missing a required", "required argument", "expected at least", "expected at most", "expected exactly",
)  # fmt: skip


class WrongArguments(Rule):
    """A function is called with arguments that it does not take.

    An argument is missing, there is one too many, a keyword is unknown, or an argument is given twice.

    Example: ``def area(w, h): …`` called as ``area(3)``.

    Fix: call it as its signature says; for a keyword that a library has renamed, use the new name.
    """

    code = "python.wrong-arguments"
    library = "python"
    exceptions = ("TypeError",)
    order = 40
    CRASHES = [
        ("def area(w, h):\n    return w * h", "area(3)", "TypeError"),
        ("def area(w, h):\n    return w * h", "area(1, 2, 3)", "TypeError"),
        ("def area(w, h):\n    return w * h", "area(1, height=2)", "TypeError"),
        ("def area(w, h):\n    return w * h", "area(1, w=2)", "TypeError"),
        ("", "f = lambda x: x\nf()", "TypeError"),
        ("class A:\n    def __init__(self, n):\n        self.n = n", "A()", "TypeError"),
        ("class A:\n    def m(self):\n        pass\na = A()", "a.m(1)", "TypeError"),
        ("def g(a, *, b):\n    return a", "g(1, 2)", "TypeError"),
        ("def g(a, /):\n    return a", "g(a=1)", "TypeError"),
        ("", "print('x', separator=' ')", "TypeError"),
        ("import json, inspect", "inspect.signature()", "TypeError"),
        ("class E:\n    pass", "E(1)", "TypeError"),
    ]
    RUNS = [
        ("def f(*a, **k):\n    return a", "f(1, 2, x=3)"),
        ("def f(a, b=2):\n    return a", "f(1)"),
        ("args = (1, 2)\ndef f(a, b):\n    return a", "f(*args)"),
        ("opts = {'b': 2}\ndef f(a, b):\n    return a", "f(1, **opts)"),
        ("class A:\n    def __init__(self, n=1):\n        self.n = n", "A()"),
        ("class S:\n    @staticmethod\n    def m(x):\n        return x", "S().m(1)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return event.op == "call" and any(part in text for part in _BINDING)

    def explain(self, event: Any, error: BaseException) -> str:
        signature = self._signature(event)
        given = f"{len(event.args)} positional" + (
            f" and the keywords {', '.join(event.kwargs)}" if event.kwargs else ""
        )
        name = (event.key or "the callable").rpartition(".")[2]
        return (
            f"The call gives {given}; {name} takes {signature}."
            if signature
            else f"The call gives {given}, which {name} does not take."
        )

    def suggest(self, event: Any, error: BaseException) -> str | None:
        return None

    @staticmethod
    def _signature(event: Any) -> str:
        import ast

        from ...functions import InterpretedFunction

        node = event.node
        if not isinstance(node, ast.Call) or event.interpreter is None:
            return ""
        name = node.func.id if isinstance(node.func, ast.Name) else None
        value = event.interpreter.module_scope.get(name) if name else None
        func = getattr(value, "obj", None)
        if isinstance(func, InterpretedFunction) or inspect.isfunction(func):
            text = str(inspect.signature(func))
            return text if len(text) <= 120 else ""
        return ""
