from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import source_of


class FailingAssert(Rule):
    """An assertion is false.

    Example: ``assert df.shape[0] > 0`` on an empty frame.

    Fix: look at the values that the assertion is about.
    """

    code = "python.failing-assert"
    library = "python"
    exceptions = ("AssertionError",)
    CRASHES = [
        ("n = 0", "assert n > 0", "AssertionError"),
        ("v = [1]", "assert len(v) == 2, 'two are needed'", "AssertionError"),
        ("def check(x):\n    assert isinstance(x, int), type(x)", "check('a')", "AssertionError"),
        ("", "assert False", "AssertionError"),
        ("d = {}", "assert d", "AssertionError"),
        ("n = 3", "assert 'a' in 'bcd', f'n is {n}'", "AssertionError"),
    ]
    RUNS = [
        ("n = 1", "assert n > 0"),
        ("", "assert (False, 'always true')"),
        ("v = [1]", "v.append(2)\nassert len(v) == 2"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "assert"

    def explain(self, event: Any, error: BaseException) -> str:
        import ast

        test = ast.unparse(event.node.test) if isinstance(event.node, ast.Assert) else source_of(event)
        return f"{test} is false with the values that are in the kernel now."
