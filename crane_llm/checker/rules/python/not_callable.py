from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import source_of


class NotCallable(Rule):
    """Something is called that cannot be called.

    The name before the parentheses holds a value, not a function: often a variable has taken the name of a function (``list``, ``sum``),
    or an attribute that is data is called as if it were a method.

    Example: ``list = [1, 2]`` in one cell, ``list("ab")`` in another.

    Fix: leave out the parentheses, or give the variable another name and ``del`` it.
    """

    code = "python.not-callable"
    library = "python"
    exceptions = ("TypeError",)
    order = 35
    CRASHES = [
        ("list = [1, 2]", "list('ab')", "TypeError"),
        ("x = 3", "x(2)", "TypeError"),
        ("name = 'a'", "name()", "TypeError"),
        ("d = {'f': 1}", "d['f']()", "TypeError"),
        ("import math", "math()", "TypeError"),
        ("class A:\n    pass\na = A()", "a()", "TypeError"),
        ("", "None()", "TypeError"),
    ]
    RUNS = [
        ("class A:\n    def __call__(self):\n        return 1\na = A()", "a()"),
        ("f = len", "f('ab')"),
        ("x = 3", "callable(x) and x()"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "call" and str(error).endswith("object is not callable")

    def explain(self, event: Any, error: BaseException) -> str:
        import ast

        called = ast.unparse(event.node.func) if isinstance(event.node, ast.Call) else source_of(event)
        return f"{called} is no function: {error!s}."
