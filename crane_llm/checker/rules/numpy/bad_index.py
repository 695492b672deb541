from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import sentence
from .shared import SETUP, arrays_of, from_numpy, object_of, shapes_of, short


class BadIndex(Rule):
    """An array is indexed with something that is no index: a text, a float, a mask of another length.

    Arrays have no column names; positions are whole numbers; a boolean mask needs the shape of the axis it filters.

    Example: ``data["price"]`` after ``data = df.values``; ``x[len(x) / 2]``; ``x[y > 0]`` with another length.

    Fix: ``//`` for whole numbers; keep the DataFrame for names; make the mask from the array itself.
    """

    code = "numpy.bad-index"
    library = "numpy"
    exceptions = ("IndexError", "TypeError")
    requires = ("numpy",)
    order = 13
    CRASHES = [
        (SETUP, "v['a']", "IndexError"),
        (SETUP, "v[1.0]", "IndexError"),
        (SETUP, "v[len(v) / 2]", "IndexError"),
        (SETUP, "v[np.array([True, False])]", "IndexError"),
        (SETUP, "a[a[0] > 1]", "IndexError"),
        (SETUP, "a['x', 0]", "IndexError"),
        (SETUP, "v[np.array([0.0, 1.0])]", "IndexError"),
        (SETUP, "v[[True, False]]", "IndexError"),
        (SETUP, "v['a'] = 1", "IndexError"),
        (SETUP, "v[np.ones(5, bool)] = 0", "IndexError"),
        (SETUP, "[10, 20, 30][v]", "TypeError"),
    ]
    RUNS = [
        (SETUP, "v[len(v) // 2]"),
        (SETUP, "v[v > 1]\na[a > 5]"),
        (SETUP, "v[[True, False, True]]"),
        (SETUP, "a[:, a[0] > 1]"),
        (SETUP, "r = np.array([(1, 2.0)], dtype=[('x', int), ('y', float)])\nr['x']"),
        (SETUP, "[10, 20, 30][v.astype(int)[0]]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        if isinstance(error, IndexError):
            return from_numpy(event) and (
                "only integers" in text or "boolean" in text or "arrays used as indices" in text
            )
        return "integer scalar arrays" in text or ("indices must be integers" in text and from_numpy(event))

    def explain(self, event: Any, error: BaseException) -> str:
        index = object_of(event, 1)
        if "boolean index" in str(error) or "Boolean array" in str(error):
            return f"The mask of shape {getattr(index, 'shape', None) or (len(index) if hasattr(index, '__len__') else '?')} does not fit the array of shape {arrays_of(event)[0].shape if arrays_of(event) else '?'}."
        return f"{sentence(short(index))} is no index of an array of shape {shapes_of(event) or '?'}: positions are whole numbers."
