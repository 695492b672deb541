from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy, shapes_of


class Reshape(Rule):
    """An array is given a shape that holds another number of elements.

    The product of the new sizes must be the old number of elements; one size may be -1 and is worked out.

    Example: ``np.arange(12).reshape(5, 2)``; ``images.reshape(-1, 28, 28)`` when a size does not divide.

    Fix: a shape with the same product, or -1 for the size that follows.
    """

    code = "numpy.reshape"
    library = "numpy"
    exceptions = ("ValueError",)
    requires = ("numpy",)
    order = 19
    CRASHES = [
        (SETUP, "a.reshape(5, 2)", "ValueError"),
        (SETUP, "np.reshape(v, (2, 2))", "ValueError"),
        (SETUP, "a.reshape(-1, 5)", "ValueError"),
        (SETUP, "v.reshape(-1, -1)", "ValueError"),
        (SETUP, "a.reshape((2, 3, 3))", "ValueError"),
        (SETUP, "images = np.zeros((10, 27))\nimages.reshape(-1, 28, 28)", "ValueError"),
        (SETUP, "a[:2].reshape(3, 4)", "ValueError"),
        (SETUP, "a.transpose(0, 1, 2)", "ValueError"),
        (SETUP, "a.squeeze(axis=0)", "ValueError"),
    ]
    RUNS = [
        (SETUP, "a.reshape(2, 6)\na.reshape(-1)"),
        (SETUP, "v.reshape(-1, 1)"),
        (SETUP, "np.resize(v, (2, 2))"),
        (SETUP, "a = np.append(a, [1, 2, 3])\na.reshape(5, 3)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            event.op == "call"
            and str(event.key or "").rpartition(".")[2]
            in ("reshape", "transpose", "squeeze", "swapaxes", "resize", "ravel")
            and from_numpy(event)
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The array has shape {shapes_of(event) or '?'}; the new shape does not hold the same number of elements or axes."
