from __future__ import annotations

from typing import Any

from ..base import Rule
from .words import SETUP


class AxesGrid(Rule):
    """A grid of axes is used as if it had another shape.

    ``plt.subplots(2, 3)`` gives an array of 2 × 3 axes, ``plt.subplots(3)`` an array of three, ``plt.subplots()`` a single axes, no array.

    Example: ``fig, ax = plt.subplots(2, 2)`` and ``ax[0].plot(x)``.

    Fix: index with both positions, or ``ax.ravel()[i]``.
    """

    code = "plotting.axes-grid"
    library = "plotting"
    exceptions = ("AttributeError", "IndexError", "TypeError", "ValueError")
    requires = ("matplotlib", "pandas")
    order = 15
    CRASHES = [
        (SETUP, "fig, ax = plt.subplots(2, 2)\nax[0].plot(x)", "AttributeError"),
        (SETUP, "fig, ax = plt.subplots(2, 2)\nax[2, 0].plot(x)", "IndexError"),
        (SETUP, "fig, ax = plt.subplots()\nax[0].plot(x)", "TypeError"),
        (SETUP, "fig, ax = plt.subplots(3)\nax[0, 1].plot(x)", "IndexError"),
        (SETUP, "fig, ax = plt.subplots(1, 3)\nfor i in range(4):\n    ax[i].plot(x)", "IndexError"),
        (SETUP + "fig, axs = plt.subplots(2, 2)", "axs.plot(x)", "AttributeError"),
    ]
    RUNS = [
        (SETUP, "fig, ax = plt.subplots(2, 2)\nax[1, 1].plot(x)\nplt.close('all')"),
        (
            SETUP,
            "fig, ax = plt.subplots(1, 3)\nfor i in range(4):\n    if i >= len(ax):\n        break\n    ax[i].plot(x)\nplt.close('all')",
        ),
        (SETUP, "fig, ax = plt.subplots()\nax.plot(x)\nplt.close('all')"),
        (SETUP, "fig, ax = plt.subplots(2, 2)\nfor a in ax.ravel():\n    a.plot(x)\nplt.close('all')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        value = event.operands[0] if event.operands else None
        if value is None or not value.exact or event.op not in ("attribute", "item"):
            return False
        obj = value.obj
        if type(obj).__name__ == "ndarray" and obj.dtype == object and obj.size:
            return type(obj.flat[0]).__module__.startswith(("matplotlib.", "mpl_toolkits."))
        return event.op == "item" and type(obj).__module__.startswith("matplotlib.axes")

    def explain(self, event: Any, error: BaseException) -> str:
        obj = event.operands[0].obj
        shape = getattr(obj, "shape", None)
        return (
            f"The axes stand in an array of shape {shape}."
            if shape is not None
            else "There is a single axes, which has no elements."
        )
