from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy


class Ragged(Rule):
    """An array is made from rows of different lengths.

    Every row must have the same number of elements, or the array must be told to hold objects.

    Example: ``np.array([[1, 2], [3]])``.

    Fix: pad or cut the rows, or ``dtype=object``.
    """

    code = "numpy.ragged"
    library = "numpy"
    exceptions = ("ValueError", "TypeError")
    requires = ("numpy",)
    order = 15
    CRASHES = [
        (SETUP, "np.array([[1, 2], [3]])", "ValueError"),
        (SETUP, "np.array([1, [2, 3]])", "ValueError"),
        (SETUP, "np.asarray([v, v[:2]])", "ValueError"),
        (SETUP, "rows = [[0] * n for n in range(3)]\nnp.array(rows)", "ValueError"),
        (SETUP, "np.array([[1, 2], [3, 'x', 4]])", "ValueError"),
        (SETUP, "np.mean([[1, 2], [3]])", "ValueError"),
        (SETUP, "np.array([[1], [2, 3]], dtype=float)", "ValueError"),
        (SETUP, "np.array([a, v])", "ValueError"),
    ]
    RUNS = [
        (SETUP, "np.array([[1, 2], [3]], dtype=object)"),
        (SETUP, "np.array([[1, 2], [3, 4]])"),
        (SETUP, "rows = [[0] * 3 for n in range(3)]\nnp.array(rows)"),
        (SETUP, "np.concatenate([[1, 2], [3]])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            "inhomogeneous" in str(error) or "element with a sequence" in str(error) and event.op == "call"
        ) and from_numpy(event)

    def explain(self, event: Any, error: BaseException) -> str:
        return "The rows have different lengths, and an array needs the same number of elements in each."
