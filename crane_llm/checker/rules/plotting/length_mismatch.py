from __future__ import annotations

from typing import Any

from ..base import Rule
from .words import SETUP, is_plotting


class LengthMismatch(Rule):
    """The parts of a plot have different lengths.

    ``x`` and ``y``, bars and heights, wedges and labels, ticks and labels belong together one by one.

    Example: ``plt.plot(epochs, losses)`` with one loss fewer than epochs.

    Fix: make both the same length.
    """

    code = "plotting.length-mismatch"
    library = "plotting"
    exceptions = ("ValueError",)
    requires = ("matplotlib", "pandas")
    order = 20
    CRASHES = [
        (SETUP, "plt.plot(x, y)", "ValueError"),
        (SETUP, "plt.figure()\nplt.scatter(x, y)", "ValueError"),
        (SETUP, "plt.bar(x, y)", "ValueError"),
        (SETUP, "plt.pie([1, 2], labels=['a'])", "ValueError"),
        (SETUP, "plt.xticks([1, 2, 3], ['a', 'b'])", "ValueError"),
        (SETUP + "fig, ax = plt.subplots()", "ax.plot(x, y)", "ValueError"),
        (SETUP, "fig, ax = plt.subplots(1, 2)\nax[0].fill_between(x, y)", "ValueError"),
        (SETUP, "plt.errorbar(x, x, yerr=[1, 2])", "ValueError"),
    ]
    RUNS = [
        (SETUP, "plt.plot(x, x)\nplt.close('all')"),
        (SETUP, "plt.bar(['a', 'b'], [1, 2])\nplt.close('all')"),
        (SETUP, "plt.plot(y)\nplt.scatter(1, 2)\nplt.close('all')"),
        (SETUP, "plt.fill_between(x, 0, x)\nplt.close('all')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return (
            is_plotting(event)
            and not (event.key or "").startswith("sklearn.")
            and any(
                part in text
                for part in (
                    "same first dimension",
                    "same size",
                    "shape mismatch",
                    "must be of length",
                    "number of FixedLocator",
                    "same length",
                    "incompatible with the",
                    "size of",
                    "broadcast",
                    "whose shape matches",
                )
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The lengths do not go together: {str(error)[:200]}"
