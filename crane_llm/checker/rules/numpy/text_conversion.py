from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy


class TextConversion(Rule):
    """Text is turned into numbers, or calculated with, and is none.

    Example: ``np.array(["1", "x"]).astype(float)``; ``np.sqrt("4")``; ``np.mean(["a"])``.

    Fix: convert and clean the text first; check the array's dtype.
    """

    code = "numpy.text-conversion"
    library = "numpy"
    exceptions = (
        "ValueError",
        "TypeError",
        "UFuncTypeError",
        "UFuncNoLoopError",
        "_UFuncNoLoopError",
        "_UFuncBinaryResolutionError",
    )
    requires = ("numpy",)
    order = 30
    CRASHES = [
        (SETUP, "np.array(['1', 'x']).astype(float)", "ValueError"),
        (SETUP, "np.array(['a', 'b'], dtype=float)", "ValueError"),
        (SETUP, "np.sqrt('4')", "TypeError"),
        (SETUP, "np.asarray(['3', ''], dtype=int)", "ValueError"),
        (SETUP, "np.log(np.array([1, None]))", "TypeError"),
        (SETUP, "np.exp(['a'])", "TypeError"),
        (SETUP, "np.isnan(np.array(['a']))", "TypeError"),
        (SETUP, "np.array([1, 'x'], dtype=object).sum()", "TypeError"),
        (SETUP, "np.round('a')", "TypeError"),
        (SETUP, "float(np.array(['x'])[0])", "ValueError"),
        (SETUP, "np.array(['1', '2']).astype(float) + np.array(['x']).astype(float)", "ValueError"),
    ]
    RUNS = [
        (SETUP, "np.array(['1', '2']).astype(float)"),
        (SETUP, "np.sqrt(4)"),
        (SETUP, "np.array(['a', 'b']).tolist()"),
        (SETUP, "np.array([1, None], dtype=object)"),
        (SETUP, "np.asarray(['3', '4'], dtype=int)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if (
            event.op == "call"
            and str(event.key or "") in ("builtins.float", "builtins.int")
            and "convert string" in str(error)
        ):
            return any(type(v.obj).__module__ == "numpy" for v in event.operands if v.exact)
        return (
            event.op == "call"
            and from_numpy(event)
            and any(
                word in str(error)
                for word in (
                    "convert",
                    "invalid literal",
                    "not supported",
                    "ufunc",
                    "unsupported operand",
                    "has no callable",
                    "loop of ufunc",
                    "rint",
                    "must be real",
                )
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The values are text or objects, where numbers are needed: {str(error)[:120]}."
