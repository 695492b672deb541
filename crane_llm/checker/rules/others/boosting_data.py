from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = """import numpy as np, pandas as pd
X = np.arange(40.).reshape(20, 2)
y = np.array([0, 1] * 10)
df = pd.DataFrame({"a": np.arange(20.), "b": np.arange(20.) ** 2, "t": ["x", "y"] * 10})
"""
_XGB = "import xgboost as xgb\nfrom xgboost import XGBClassifier, XGBRegressor\n" + _SETUP


class BoostingData(Rule):
    """A model of xgboost or lightgbm gets data that it does not take.

    Classes are numbered from 0 without gaps; text columns must be encoded or be of the type ``category``; ``predict`` needs the columns
    of ``fit``.

    Example: ``XGBClassifier().fit(X, y)`` with classes 1, 2 and 3.

    Fix: ``LabelEncoder().fit_transform(y)`` for classes; ``get_dummies`` or ``astype("category")`` for text columns.
    """

    code = "others.boosting-data"
    library = "others"
    exceptions = ("ValueError", "TypeError", "XGBoostError", "LightGBMError")
    requires = ("xgboost", "pandas")
    order = 15
    CRASHES = [
        (_XGB, "XGBClassifier(n_estimators=2).fit(X, y + 1)", "ValueError"),
        (_XGB, "XGBClassifier(n_estimators=2).fit(X, df['t'])", "ValueError"),
        (_XGB, "XGBRegressor(n_estimators=2).fit(df, y)", "ValueError"),
        (_XGB + "m = XGBClassifier(n_estimators=2).fit(X, y)", "m.predict(X[:, :1])", "ValueError"),
        (_XGB + "m = XGBClassifier(n_estimators=2).fit(df[['a', 'b']], y)", "m.predict(df[['b', 'a']])", "ValueError"),
        (_XGB, "xgb.DMatrix(df, label=y)", "ValueError"),
    ]
    RUNS = [
        (_XGB, "XGBClassifier(n_estimators=2).fit(X, y).predict(X)"),
        (_XGB, "XGBRegressor(n_estimators=2).fit(df[['a', 'b']], y)"),
        (_XGB + "m = XGBClassifier(n_estimators=2).fit(df[['a', 'b']], y)", "m.predict(df[['a', 'b']])"),
        (_XGB, "xgb.DMatrix(df[['a', 'b']], label=y)"),
        (_XGB, "XGBClassifier(n_estimators=2).fit(X, (df['t'] == 'x').astype(int))"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if not (event.key or "").startswith(("xgboost.", "lightgbm.")):
            return False
        text = str(error)
        return type(error).__name__ in ("XGBoostError", "LightGBMError") or any(
            part in text
            for part in (
                "Invalid classes",
                "dtypes",
                "shape mismatch",
                "feature_names mismatch",
                "reshape",
                "must have",
                "Bad input",
                "Unknown",
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        what = " ".join(str(error).split())[:200]
        if "Invalid classes" in what:
            return f"The classes are not numbered from 0 without gaps: {what}"
        if "dtypes" in what:
            return f"A column of another type than numbers is left: {what}"
        if "mismatch" in what:
            return f"The columns are not those of fit: {what}"
        return f"The data is not taken: {what}"
