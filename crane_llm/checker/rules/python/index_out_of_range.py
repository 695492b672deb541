from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import object_of


class IndexOutOfRange(Rule):
    """A position is used that the sequence does not have.

    Positions run from 0 to the length minus one.

    Example: ``items[len(items)]``, ``"a,b".split(";")[1]``, ``[].pop()``.

    Fix: stay below the length; check that the sequence is not empty.
    """

    code = "python.index-out-of-range"
    library = "python"
    exceptions = ("IndexError",)
    order = 60
    CRASHES = [
        ("items = [1, 2]", "items[2]", "IndexError"),
        ("items = [1, 2]", "items[len(items)]", "IndexError"),
        ("", "'a,b'.split(';')[1]", "IndexError"),
        ("v = []", "v.pop()", "IndexError"),
        ("t = ()", "t[0]", "IndexError"),
        ("v = [1]", "for i in range(3):\n    v[i]", "IndexError"),
        ("v = [1, 2]", "v[-3]", "IndexError"),
        ("v = [1]", "v[1] = 2", "IndexError"),
        ("v = [1]", "del v[4]", "IndexError"),
        ("v = [1, 2]", "v.pop()\nv.pop()\nv[0]", "IndexError"),
        ("", "'{} {}'.format(1)", "IndexError"),
        ("v = [[1], []]", "[r[0] for r in v]", "IndexError"),
    ]
    RUNS = [
        ("v = [1]", "v.append(2)\nv[1]"),
        ("v = [1]", "v[5:9]"),
        ("v = []", "v and v[0]"),
        ("v = [1, 2]", "v[-2]"),
        ("v = [1]", "for i in range(3):\n    if i >= len(v):\n        break\n    v[i]"),
        ("v = [1]\nw = v", "w.append(5)\nv[1]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        owner = object_of(event)
        return owner is None or type(owner).__module__ == "builtins"

    def explain(self, event: Any, error: BaseException) -> str:
        owner, index = object_of(event), object_of(event, 1)
        if isinstance(owner, (list, tuple, str)) and isinstance(index, int):
            return f"Position {index} is asked for, and there are {len(owner)} elements."
        if isinstance(owner, (list, tuple)) and not owner:
            return "The sequence is empty."
        return "The position is beyond the end."
