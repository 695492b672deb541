from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import object_of, short


class AbsentValue(Rule):
    """A value is removed from, or looked up in, a sequence that does not hold it.

    Example: ``columns.remove("id")`` run a second time; ``"abc".index("x")``.

    Fix: test with ``in`` first, or do not run the removing cell twice.
    """

    code = "python.absent-value"
    library = "python"
    exceptions = ("ValueError",)
    order = 45
    CRASHES = [
        ("cols = ['a']", "cols.remove('id')", "ValueError"),
        ("cols = ['a', 'id']\ncols.remove('id')", "cols.remove('id')", "ValueError"),
        ("", "'abc'.index('x')", "ValueError"),
        ("v = [1, 2]", "v.index(9)", "ValueError"),
        ("t = (1, 2)", "t.index(3)", "ValueError"),
        ("v = [1]", "v.remove(1)\nv.remove(1)", "ValueError"),
    ]
    RUNS = [
        ("v = [1]", "v.append(9)\nv.remove(9)"),
        ("v = [1]", "if 9 in v:\n    v.remove(9)"),
        ("v = [1.0]", "v.remove(1)"),
        ("", "'abc'.find('x')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "call" and (event.key or "").rpartition(".")[2] in ("remove", "index", "rindex")

    def explain(self, event: Any, error: BaseException) -> str:
        return (
            f"{short(object_of(event, 1))} is not in the sequence, which holds {len(object_of(event) or ())} elements."
        )
