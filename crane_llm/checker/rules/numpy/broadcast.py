from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy, shapes_of


class Broadcast(Rule):
    """Two arrays are combined element by element whose shapes do not fit.

    Shapes are compared from the right: each pair of sizes must be equal, or one of them 1.

    Example: ``np.zeros(68) - np.zeros(272)``; ``np.ones((3, 4)) + np.ones(3)``.

    Fix: select the same rows on both sides, ``reshape(-1, 1)``, or ``keepdims=True`` in the reduction before.
    """

    code = "numpy.broadcast"
    library = "numpy"
    exceptions = ("ValueError",)
    requires = ("numpy",)
    order = 15
    CRASHES = [
        (SETUP, "a + v", "ValueError"),
        (SETUP, "a * b", "ValueError"),
        (SETUP, "v - np.arange(4)", "ValueError"),
        (SETUP, "a > np.zeros(3)", "ValueError"),
        (SETUP, "np.add(a, v)", "ValueError"),
        (SETUP, "np.maximum(v, [1, 2])", "ValueError"),
        (SETUP, "a - a.mean(axis=1)", "ValueError"),
        (SETUP, "np.where(a > 5, v, 0)", "ValueError"),
        (SETUP, "v += np.ones(4)", "ValueError"),
        (SETUP, "def error(y, p):\n    return ((y - p) ** 2).mean()\nerror(v, np.zeros(5))", "ValueError"),
        (SETUP + "import pandas as pd\ns = pd.Series([1, 2])", "v + s.to_numpy()", "ValueError"),
    ]
    RUNS = [
        (SETUP, "a + np.ones(4)"),
        (SETUP, "a - a.mean(axis=1, keepdims=True)"),
        (SETUP, "a + v.reshape(3, 1)"),
        (SETUP, "v = v[:2]\nv + np.ones(2)"),
        (SETUP, "a == v.reshape(-1, 1)"),
        (SETUP, "np.add.outer(v, np.arange(4))"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            type(error) is ValueError
            and "broadcast" in str(error)
            and "input array" not in str(error)
            and from_numpy(event)
        )

    def explain(self, event: Any, error: BaseException) -> str:
        shapes = shapes_of(event)
        if " and " not in shapes and "," not in shapes.replace(",)", ")"):
            return f"The shapes do not fit: {error}."
        return f"The shapes {shapes} do not fit: from the right, sizes must be equal or 1."
