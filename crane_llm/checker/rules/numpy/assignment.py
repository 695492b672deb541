from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, from_numpy, is_array, shapes_of


class Assignment(Rule):
    """Values are put into an array that do not fit the place: another shape, a list for one element, or text in a numeric array.

    Example: ``x[0] = [1, 2]`` for a one-dimensional ``x``; ``batch[i] = image`` when the image has another size.

    Fix: make the target of the right shape, resize the value, or use ``dtype=object`` for mixed content.
    """

    code = "numpy.assignment"
    library = "numpy"
    exceptions = ("ValueError", "TypeError")
    requires = ("numpy",)
    order = 16
    CRASHES = [
        (SETUP, "a[0] = [1, 2]", "ValueError"),
        (SETUP, "v[0] = [1, 2]", "ValueError"),
        (SETUP, "a[:, 1] = v[:2]", "ValueError"),
        (SETUP, "v[0] = 'x'", "ValueError"),
        (SETUP, "batch = np.zeros((2, 4))\nfor i in range(2):\n    batch[i] = np.ones(3)", "ValueError"),
        (SETUP, "a[a > 5] = [1, 2]", "ValueError"),
        (SETUP, "images = np.empty((2, 8, 8))\nimages[0] = np.zeros((8, 8, 3))", "ValueError"),
        (SETUP, "v[:2] = v", "ValueError"),
        (SETUP, "a[1, :2] = np.ones((2, 2))", "ValueError"),
        (SETUP, "a[...] = b", "ValueError"),
    ]
    RUNS = [
        (SETUP, "a[0] = [1, 2, 3, 4]\na[0] = 7"),
        (SETUP, "v[0] = '5'"),
        (SETUP, "a[:, 1] = v"),
        (SETUP, "a[a > 5] = 0"),
        (SETUP, "o = np.empty(2, dtype=object)\no[0] = [1, 2]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        owner = event.operands[0] if event.operands else None
        if owner is None or owner.unknown or not is_array(owner.obj) or "operands could not" in str(error):
            return False
        return (event.op == "store" or event.op == "binary" and event.mechanism == "augmented") and from_numpy(event)

    def explain(self, event: Any, error: BaseException) -> str:
        return (
            f"The place in the array of shape {shapes_of(event) or '?'} and the value do not fit: {str(error)[:110]}."
        )
