from __future__ import annotations

import sys
from typing import Any

from ..base import Rule
from ..words import nearest
from .words import SETUP


class MissingStyle(Rule):
    """A plot style is asked for by a name that this Matplotlib does not have.

    Example: ``plt.style.use("seaborn-whitegrid")``: since Matplotlib 3.8 the styles that imitate seaborn are called
    ``seaborn-v0_8-whitegrid`` and the like.

    Fix: use a name of ``plt.style.available``.
    """

    code = "plotting.missing-style"
    library = "plotting"
    exceptions = ("OSError",)
    requires = ("matplotlib",)
    order = 20
    CRASHES = [
        (SETUP, "plt.style.use('seaborne-darkgrid')", "OSError"),
        (SETUP, "plt.style.use('gg plot')", "OSError"),
        (SETUP, "plt.style.use(['ggplot', 'no-such-style'])", "OSError"),
        (SETUP, "import matplotlib.style as st\nst.use('Solarize')", "OSError"),
        (SETUP, "theme = 'dark' + '_bg'\nplt.style.use(theme)\nplt.plot(x, x)", "OSError"),
    ]
    RUNS = [
        (SETUP, "plt.style.use('ggplot')\nplt.style.use('default')"),
        (SETUP, "plt.style.use(['ggplot', 'fast'])\nplt.style.use('default')"),
        (SETUP, "plt.style.use({'lines.linewidth': 3})\nplt.style.use('default')"),
        (
            SETUP,
            "open('mine.mplstyle', 'w').write('lines.linewidth: 3')\nplt.style.use('mine.mplstyle')\nplt.style.use('default')",
        ),
        (SETUP, "open('mine', 'w').write('lines.linewidth: 3')\nplt.style.use('mine')\nplt.style.use('default')"),
        (SETUP, "plt.style.library['own'] = {'lines.linewidth': 3}\nplt.style.use('own')\nplt.style.use('default')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return str(getattr(event, "key", "") or "").startswith("matplotlib.style")

    def explain(self, event: Any, error: BaseException) -> str:
        name = _asked(event, error)
        close = _nearest(name)
        hint = f"; the nearest is {close!r}." if close else ", see plt.style.available."
        return f"Matplotlib {_version()} has no style {name!r}{hint}"


def _asked(event: Any, error: BaseException) -> str:
    words = str(error)
    return words[1 : words.index("'", 1)] if words.startswith("'") and "'" in words[1:] else "of that name"


def _nearest(name: str) -> str | None:
    style = sys.modules.get("matplotlib.style")
    names = list(getattr(style, "available", ()))
    prefix, _, rest = name.partition("-")
    renamed = f"seaborn-v0_8-{rest}" if rest else "seaborn-v0_8"
    if prefix == "seaborn" and renamed in names:
        return renamed
    found = nearest(name, names)
    return found if isinstance(found, str) else None


def _version() -> str:
    return str(getattr(sys.modules.get("matplotlib"), "__version__", ""))
