from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy, is_array, shapes_of


class AmbiguousTruth(Rule):
    """A whole array is used as a condition, or turned into one number.

    Example: ``if x > 3:``; ``(x > 1) and (x < 5)``; ``int(x)`` with several elements; ``x in [a, b]`` with arrays.

    Fix: ``&``, ``|``, ``~`` with brackets, ``.any()`` or ``.all()``; ``.item()`` or an index for one element.
    """

    code = "numpy.ambiguous-truth"
    library = "numpy"
    exceptions = ("ValueError", "TypeError")
    requires = ("numpy",)
    order = 14
    CRASHES = [
        (SETUP, "if v > 1:\n    pass", "ValueError"),
        (SETUP, "(v > 1) and (v < 3)", "ValueError"),
        (SETUP, "not v", "ValueError"),
        (SETUP, "bool(a)", "ValueError"),
        (SETUP, "int(v)", "TypeError"),
        (SETUP, "float(a)", "TypeError"),
        (SETUP, "0 < v < 2", "ValueError"),
        (SETUP, "max(a, v.reshape(3, 1))", "ValueError"),
        (SETUP, "v in [v + 1, v + 2]", "ValueError"),
        (SETUP, "[x for x in a if x]", "ValueError"),
        (SETUP, "sorted([v, v])", "ValueError"),
        (SETUP, "import math\nmath.sqrt(v)", "TypeError"),
    ]
    RUNS = [
        (SETUP, "(v > 1) & (v < 3)"),
        (SETUP, "if (v > 1).any():\n    pass"),
        (SETUP, "int(v[0])\nfloat(np.array(2))"),
        (SETUP, "if v is not None and len(v):\n    pass"),
        (SETUP, "2.0 in v\nbool(np.array([1]))"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            "truth value of an array" in str(error)
            or ("length-1 array" in str(error) or "0-dimensional arrays" in str(error))
            and from_numpy(event)
            or any(_is(v) for v in event.operands)
            and str(event.key or "").startswith(("builtins.", "math."))
        )

    def explain(self, event: Any, error: BaseException) -> str:
        shapes = shapes_of(event)
        return f"One value is needed, and the array{f' of shape {shapes}' if shapes else ''} has several elements."


def _is(value: Any) -> bool:
    return not value.unknown and is_array(value.obj) and value.obj.size > 1
