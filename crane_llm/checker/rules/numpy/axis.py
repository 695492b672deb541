from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy, shapes_of


class Axis(Rule):
    """An axis is named that the array does not have, or the same axis twice.

    An array of ``n`` dimensions has the axes 0 to n - 1 (and -1 to -n).

    Example: ``np.zeros(3).sum(axis=1)``; ``np.mean(x, axis=2)`` of a matrix.

    Fix: an axis below ``x.ndim``.
    """

    code = "numpy.axis"
    library = "numpy"
    exceptions = ("AxisError", "ValueError")
    requires = ("numpy",)
    order = 12
    CRASHES = [
        (SETUP, "a.sum(axis=2)", "AxisError"),
        (SETUP, "np.mean(v, axis=1)", "AxisError"),
        (SETUP, "v.max(1)", "AxisError"),
        (SETUP, "np.sort(a, axis=3)", "AxisError"),
        (SETUP, "np.expand_dims(v, axis=5)", "AxisError"),
        (SETUP, "a.argmax(axis=-3)", "AxisError"),
        (SETUP, "np.swapaxes(a, 0, 2)", "AxisError"),
        (SETUP, "np.cumsum(v, axis=1)", "AxisError"),
        (SETUP, "np.unique(v, axis=1)", "AxisError"),
        (SETUP, "a.sum(axis=(0, 0))", "ValueError"),
    ]
    RUNS = [
        (SETUP, "a.sum(axis=1)\na.sum(axis=-2)"),
        (SETUP, "np.expand_dims(v, axis=1)"),
        (SETUP, "a.reshape(3, 2, 2).sum(axis=2)"),
        (SETUP, "np.mean(v, axis=0)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (type(error).__name__ == "AxisError" or "duplicate value in" in str(error)) and from_numpy(event)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The array has shape {shapes_of(event) or '?'}: {error}."
