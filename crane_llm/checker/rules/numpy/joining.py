from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, shapes_of


class Joining(Rule):
    """Arrays are joined that do not line up.

    ``concatenate`` needs equal shapes but for the axis joined, ``stack`` needs equal shapes, and neither takes numbers or an empty list.

    Example: ``np.concatenate([np.zeros((3, 4)), np.zeros(3)])``; ``np.vstack([])``.

    Fix: ``reshape`` to the same number of dimensions, another ``axis``, or pad or cut to one size.
    """

    code = "numpy.joining"
    library = "numpy"
    exceptions = ("ValueError", "TypeError", "AxisError")
    requires = ("numpy",)
    order = 11
    CRASHES = [
        (SETUP, "np.concatenate([a, v])", "ValueError"),
        (SETUP, "np.stack([v, np.ones(4)])", "ValueError"),
        (SETUP, "np.vstack([a, b])", "ValueError"),
        (SETUP, "np.hstack([a, b])", "ValueError"),
        (SETUP, "np.concatenate([])", "ValueError"),
        (SETUP, "np.concatenate([1, 2])", "ValueError"),
        (SETUP, "np.column_stack([a, np.ones(4)])", "ValueError"),
        (SETUP, "np.append(a, v.reshape(1, 3), axis=0)", "ValueError"),
        (SETUP, "parts = []\nfor row in a:\n    parts.append(row[: row[0] % 3])\nnp.stack(parts)", "ValueError"),
        (SETUP, "np.concatenate(a, v)", "TypeError"),
        (SETUP, "np.concatenate([v, v], axis=1)", "AxisError"),
    ]
    RUNS = [
        (SETUP, "np.concatenate([a, a.T.reshape(3, 4)])\nnp.hstack([a, v.reshape(3, 1)])"),
        (SETUP, "np.append(a, v)"),
        (SETUP, "np.vstack([v, v])\nnp.stack([v, v], axis=1)"),
        (SETUP, "np.column_stack([a, v])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            event.op == "call"
            and str(event.key or "").startswith("numpy.")
            and str(event.key).rpartition(".")[2] in _NAMES
        )

    def explain(self, event: Any, error: BaseException) -> str:
        shapes = shapes_of(event)
        return f"Arrays of shapes {shapes} cannot be joined here." if shapes else f"There is nothing to join: {error}."


_NAMES = (
    "concatenate",
    "stack",
    "vstack",
    "hstack",
    "dstack",
    "column_stack",
    "row_stack",
    "append",
    "block",
    "concat",
)
