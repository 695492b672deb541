from __future__ import annotations

from typing import Any

from ..base import Rule
from .words import SEABORN, SETUP, is_plotting


class BadOption(Rule):
    """A plotting function is given a style, keyword or place that does not exist.

    Example: ``plt.plot(x, colour="r")``, ``plt.subplot(2, 2, 5)``, ``line=45`` where ``"45"`` is meant.

    Fix: use an option that the message names.
    """

    code = "plotting.bad-option"
    library = "plotting"
    exceptions = ("AttributeError", "ValueError", "TypeError", "RuntimeError", "OSError")
    requires = ("matplotlib", "seaborn", "pandas")
    order = 30
    CRASHES = [
        (SETUP, "plt.plot(x, x, colour='r')", "AttributeError"),
        (SETUP, "plt.plot(x, x, 'zz--')", "ValueError"),
        (SETUP, "plt.subplot(2, 2, 5)", "ValueError"),
        (SETUP, "plt.hist(x, bins='foo')", "ValueError"),
        (SETUP, "plt.scatter(x, x, c=['r', 'g'])", "ValueError"),
        (SETUP, "plt.imshow(np.zeros((2, 2)), cmap='nomap')", "ValueError"),
        (SETUP, "fig, ax = plt.subplots()\nax.set(titel='x')", "AttributeError"),
        (SEABORN, "sns.lineplot(data=df, x='a', y='c', markersise=3)", "AttributeError"),
        (SETUP, "plt.figure(figsize=(2, 2))\nplt.colorbar()", "RuntimeError"),
        (SETUP, "df.plot(kind='pies', x='b', y='a')", "ValueError"),
    ]
    RUNS = [
        (SETUP, "plt.plot(x, x, color='r', linestyle='--')\nplt.close('all')"),
        (SETUP, "plt.subplot(2, 2, 4)\nplt.close('all')"),
        (SETUP, "plt.scatter(x, x, c=['r'] * 5)\nplt.close('all')"),
        (SETUP, "plt.imshow(np.zeros((2, 2)))\nplt.colorbar()\nplt.close('all')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return is_plotting(event) and not isinstance(error, OSError)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The plot cannot be made with these options: {str(error).splitlines()[0][:200] if str(error) else type(error).__name__}"
