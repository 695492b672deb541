from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import sentence
from .shared import SETUP, from_numpy, shapes_of


class OutOfBounds(Rule):
    """An array is read or written at a position behind its end, or with more indices than it has axes.

    Example: ``x[16]`` of 16 elements; ``x[0, 1]`` of a one-dimensional array.

    Fix: positions run from 0 to size - 1; check ``x.shape``.
    """

    code = "numpy.out-of-bounds"
    library = "numpy"
    exceptions = ("IndexError",)
    requires = ("numpy",)
    order = 20
    CRASHES = [
        (SETUP, "v[3]", "IndexError"),
        (SETUP, "a[3, 0]", "IndexError"),
        (SETUP, "a[:, 4]", "IndexError"),
        (SETUP, "v[0, 0]", "IndexError"),
        (SETUP, "a[[0, 7]]", "IndexError"),
        (SETUP, "v[5] = 1.0", "IndexError"),
        (SETUP, "for i in range(5):\n    v[i] * 2", "IndexError"),
        (SETUP, "a[0][9]", "IndexError"),
        (SETUP, "out = np.zeros(2)\nfor i, x in enumerate(v):\n    out[i] = x", "IndexError"),
        (SETUP, "np.take(v, 5)", "IndexError"),
        (SETUP, "np.array([])[0]", "IndexError"),
        (SETUP, "a.T[3, 3]", "IndexError"),
    ]
    RUNS = [
        (SETUP, "v[2]\nv[-3]"),
        (SETUP, "a[1:9]"),
        (SETUP, "out = np.zeros(3)\nfor i, x in enumerate(v):\n    out[i] = x"),
        (SETUP, "v = np.append(v, 4)\nv[3]"),
        (SETUP, "np.take(v, 5, mode='clip')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return ("out of bounds" in str(error) or "too many indices" in str(error)) and from_numpy(event)

    def explain(self, event: Any, error: BaseException) -> str:
        if "too many" in str(error):
            return f"More indices are given than the array of shape {shapes_of(event) or '?'} has axes."
        return f"The array has shape {shapes_of(event) or '?'}: positions run from 0 to the size less one. {sentence(str(error))}."
