from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP


class BadArgument(Rule):
    """A NumPy function is given a value that it cannot work with: a negative size, no elements, bins out of order, other lengths.

    Example: ``np.zeros(-1)``, ``np.max([])``, ``np.random.choice(3, 5, replace=False)``, ``np.histogram(x, bins=[2, 1])``.

    Fix: check that the data is not empty and the sizes are what they should be.
    """

    code = "numpy.bad-argument"
    library = "numpy"
    exceptions = ("ValueError", "TypeError", "IndexError")
    requires = ("numpy",)
    order = 39
    CRASHES = [
        (SETUP, "np.zeros(-1)", "ValueError"),
        (SETUP, "np.max([])", "ValueError"),
        (SETUP, "v[v > 9].min()", "ValueError"),
        (SETUP, "np.random.choice(3, 5, replace=False)", "ValueError"),
        (SETUP, "np.histogram(v, bins=[2, 1])", "ValueError"),
        (SETUP, "np.argmax(np.array([]))", "ValueError"),
        (SETUP, "np.split(v, 2)", "ValueError"),
        (SETUP, "np.histogram([1.0, np.nan])", "ValueError"),
        (SETUP, "np.random.choice([])", "ValueError"),
        (SETUP, "np.polyfit(v, v[:2], 1)", "TypeError"),
        (SETUP, "np.interp(1.5, v, v[:2])", "ValueError"),
        (SETUP, "np.random.randint(5, 2)", "ValueError"),
        (SETUP, "np.linspace(0, 1, 2.5)", "TypeError"),
    ]
    RUNS = [
        (SETUP, "np.zeros(0)\nnp.sum([])"),
        (SETUP, "np.random.choice(3, 5)"),
        (SETUP, "np.array_split(v, 2)"),
        (SETUP, "np.max([1], initial=0)"),
        (SETUP, "np.histogram(v, bins=[1, 2])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            event.op == "call"
            and str(event.key or "").startswith("numpy")
            and "positional argument" not in str(error)
            and "unexpected keyword" not in str(error)
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"{str(event.key).rpartition('.')[2]} cannot work with these values: {str(error)[:130]}."
