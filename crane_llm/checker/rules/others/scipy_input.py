from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = """import numpy as np
from scipy import interpolate, linalg, optimize, signal, spatial, stats
x = np.arange(10.)
y = x ** 2
gaps = np.where(x == 2, np.nan, y)
def line(t, a, b):
    return a * t + b
"""


class ScipyInput(Rule):
    """A function of SciPy gets samples, matrices or settings that it does not take.

    Samples that belong together have one length; matrices to invert are square; many functions refuse NaN; frequencies lie below half
    the sampling rate; interpolation stays inside the range of the data.

    Example: ``stats.pearsonr(df["a"].dropna(), df["b"])``, ``optimize.curve_fit(f, x, y)`` with NaN in ``y``.

    Fix: drop missing values from both samples together; give ``fs=`` to the filter; ``fill_value="extrapolate"``.
    """

    code = "others.scipy-input"
    library = "others"
    exceptions = ("ValueError", "TypeError", "LinAlgError", "RuntimeError")
    requires = ("scipy",)
    order = 45
    CRASHES = [
        (_SETUP, "stats.pearsonr(x, y[:4])", "ValueError"),
        (_SETUP, "stats.ttest_rel(x, y[:4])", "ValueError"),
        (_SETUP, "optimize.curve_fit(line, x, gaps)", "ValueError"),
        (_SETUP, "linalg.inv(np.ones((2, 3)))", "ValueError"),
        (_SETUP, "interpolate.interp1d(x, y[:3])", "ValueError"),
        (_SETUP, "f = interpolate.interp1d(x, y)\nf(99)", "ValueError"),
        (_SETUP, "signal.butter(4, 1.5)", "ValueError"),
        (_SETUP, "stats.boxcox(-x)", "ValueError"),
        (_SETUP, "spatial.distance.cdist(x, y)", "ValueError"),
    ]
    RUNS = [
        (_SETUP, "stats.pearsonr(x, y).statistic"),
        (_SETUP, "optimize.curve_fit(line, x, y)"),
        (_SETUP, "optimize.curve_fit(line, x, gaps, check_finite=False, nan_policy='omit')"),
        (_SETUP, "interpolate.interp1d(x, y, fill_value='extrapolate')(99)"),
        (_SETUP, "b, a = signal.butter(2, 0.3)\nsignal.filtfilt(b, a, np.arange(30.))"),
        (_SETUP, "linalg.inv(np.eye(3))\nstats.ttest_ind(x, y[:4])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        binding = type(error) is TypeError and "argument" in text
        return (event.key or "").startswith("scipy.") and not binding

    def explain(self, event: Any, error: BaseException) -> str:
        name = (event.key or "").replace(".__call__", "").rpartition(".")[2]
        shapes = [tuple(v.obj.shape) for v in event.args if v.exact and type(getattr(v.obj, "shape", None)) is tuple]
        given = f" (given shapes {', '.join(map(str, shapes[:3]))})" if shapes else ""
        return f"{name} does not take this data{given}: {' '.join(str(error).split())[:180]}"
