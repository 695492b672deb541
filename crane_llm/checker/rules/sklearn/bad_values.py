from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np, pandas as pd\nfrom sklearn.linear_model import LinearRegression, LogisticRegression\nfrom sklearn.preprocessing import StandardScaler\nfrom sklearn.ensemble import RandomForestClassifier\nfrom sklearn.metrics import mean_squared_error\nfrom sklearn.neighbors import KNeighborsClassifier\ndf = pd.DataFrame({'a': [1., None, 3, 4], 'b': ['x', 'y', 'x', 'y'], 'c': [0, 1, 0, 1], 'd': [1., 2, 3, 4]})\n"


class BadValues(Rule):
    """Data holds text, missing values or infinity where numbers are needed.

    Example: ``LinearRegression().fit(df, y)`` with a column of text, or with NaN left in it.

    Fix: encode text columns (``get_dummies``, ``OneHotEncoder``), fill or drop missing values first.
    """

    code = "sklearn.bad-values"
    library = "sklearn"
    exceptions = ("ValueError", "TypeError")
    requires = ("sklearn", "pandas")
    order = 25
    CRASHES = [
        (_SETUP, "LinearRegression().fit(df[['a']], df['c'])", "ValueError"),
        (_SETUP, "LogisticRegression().fit(df[['b', 'd']], df['c'])", "ValueError"),
        (_SETUP, "StandardScaler().fit_transform(df)", "ValueError"),
        (_SETUP, "RandomForestClassifier(n_estimators=2).fit(df[['b']], df['c'])", "ValueError"),
        (_SETUP, "LinearRegression().fit(df[['d']], df['a'])", "ValueError"),
        (_SETUP, "LinearRegression().fit(np.array([[1., np.inf]]), [1])", "ValueError"),
        (_SETUP, "mean_squared_error(df['d'], df['a'])", "ValueError"),
        (
            _SETUP + "m = LinearRegression().fit(df[['d']], df['c'])",
            "m.predict(df[['a']].rename(columns={'a': 'd'}))",
            "ValueError",
        ),
    ]
    RUNS = [
        (_SETUP, "LinearRegression().fit(df[['a']].fillna(0), df['c'])"),
        (_SETUP, "LogisticRegression().fit(pd.get_dummies(df[['b', 'd']]), df['c'])"),
        (_SETUP, "LogisticRegression().fit(df[['d']], df['b'])"),
        (_SETUP, "StandardScaler().fit_transform(df[['a']])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if not (event.key or "").startswith(("sklearn.", "xgboost.", "lightgbm.", "imblearn.")):
            return False
        text = str(error)
        return any(
            part in text
            for part in ("NaN", "infinity", "could not convert", "Unable to convert", "Unknown label type: unknown")
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The data cannot be used as numbers: {str(error).splitlines()[0][:160]}"
