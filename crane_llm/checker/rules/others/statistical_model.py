from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = """import numpy as np, pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.tsa.stattools import adfuller
from statsmodels.tsa.seasonal import seasonal_decompose
df = pd.DataFrame({"a": [1., 3, 2, 5, 4, 6] * 3, "b": [2., 1, 4, 3, 6, 5] * 3, "t": ["x", "y"] * 9, "z": [0, 1, 1, 0, 1, 0] * 3})
df["n"] = df["a"].where(df.index > 2)
X = sm.add_constant(df[["a"]])
fitted = sm.OLS(df["b"], X).fit()
"""


class StatisticalModel(Rule):
    """A model or test of statsmodels gets data that it does not take.

    Text among the columns, missing values, indices that differ, a formula with a name that is no column, other columns for ``predict``
    than for ``fit`` (most often the constant is missing), a series that is too short for its period.

    Example: ``sm.OLS(y, X)`` with NaN in ``X``; ``model.predict(test)`` where ``fit`` had ``sm.add_constant(train)``.

    Fix: drop missing values, encode text, reset both indices, add the constant to both.
    """

    code = "others.statistical-model"
    library = "others"
    exceptions = ("MissingDataError", "ValueError", "PatsyError", "LinAlgError", "PerfectSeparationError", "TypeError")
    requires = ("statsmodels", "pandas")
    order = 15
    CRASHES = [
        (_SETUP, "sm.OLS(df['b'], df[['a', 'n']]).fit()", "MissingDataError"),
        (_SETUP, "sm.OLS(df['b'], df[['a', 't']]).fit()", "ValueError"),
        (_SETUP, "sm.OLS(df['b'][:5], X)", "ValueError"),
        (_SETUP, "sm.OLS(df['b'].values[:5], X.values)", "ValueError"),
        (_SETUP, "sm.Logit(df['a'], X)", "ValueError"),
        (_SETUP, "fitted.predict(df[['a']])", "ValueError"),
        (_SETUP, "m = sm.OLS(df['b'], X).fit()\nm.predict(df[['a']])", "ValueError"),
        (_SETUP, "smf.ols('b ~ wage', data=df)", "PatsyError"),
        (_SETUP, "adfuller(df['n'])", "MissingDataError"),
        (_SETUP, "seasonal_decompose(df['a'], period=12)", "ValueError"),
    ]
    RUNS = [
        (_SETUP, "m = sm.OLS(df['b'], X).fit()\nm.predict(X)\nm.summary()"),
        (_SETUP, "sm.OLS(df['b'], df[['a', 'n']], missing='drop').fit()"),
        (_SETUP, "smf.ols('b ~ np.log(a) + C(t)', data=df).fit()"),
        (_SETUP + "def double(v):\n    return 2 * v", "smf.ols('b ~ double(a)', data=df).fit()"),
        (_SETUP, "def fit():\n    wage = df['a']\n    return smf.ols('b ~ wage', data=df).fit()\nfit()"),
        (_SETUP, "sm.Logit(df['z'], X).fit(disp=0)"),
        (_SETUP, "adfuller(df['n'].dropna())\nseasonal_decompose(df['a'], period=6)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        binding = type(error) is TypeError and "argument" in text
        return (event.key or "").startswith("statsmodels.") and not binding

    def explain(self, event: Any, error: BaseException) -> str:
        name = (event.key or "").rpartition(".")[2]
        what = " ".join(str(error).split())[:200]
        if type(error).__name__ == "PatsyError" and "is not defined" in what:
            return f"The formula uses a name that is neither a column of the data nor a variable: {what}"
        if name == "predict":
            return f"The data to predict from does not have the columns of the fit: {what}"
        return f"{name} does not take this data: {what}"
