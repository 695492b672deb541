from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np, pandas as pd\nfrom sklearn.linear_model import LinearRegression\nfrom sklearn.preprocessing import StandardScaler\nfrom sklearn.tree import DecisionTreeClassifier\ndf = pd.DataFrame({'a': [1., 2, 3, 4], 'b': [2., 1, 4, 3], 'c': [0, 1, 0, 1]})\nX = df[['a', 'b']]\ny = df['c']\n"


class FeatureMismatch(Rule):
    """An estimator is given other features than it was fitted with.

    Columns were added, dropped, renamed or reordered between ``fit`` and this call, or the target is still among the features.

    Example: ``scaler.fit(train)`` and then ``scaler.transform(test)`` where ``test`` lacks a column.

    Fix: select the same columns, in the same order, for both.
    """

    code = "sklearn.feature-mismatch"
    library = "sklearn"
    exceptions = ("ValueError",)
    requires = ("sklearn", "pandas")
    order = 20
    CRASHES = [
        (_SETUP + "m = LinearRegression().fit(X, y)", "m.predict(df)", "ValueError"),
        (_SETUP + "m = LinearRegression().fit(X, y)", "m.predict(df[['b', 'a']])", "ValueError"),
        (_SETUP + "s = StandardScaler().fit(df)", "s.transform(X)", "ValueError"),
        (_SETUP + "m = LinearRegression().fit(X.values, y)", "m.predict(np.zeros((2, 3)))", "ValueError"),
        (_SETUP, "t = DecisionTreeClassifier().fit(X, y)\nt.predict(X[['a']])", "ValueError"),
        (_SETUP + "m = LinearRegression().fit(X, y)", "m.score(X.rename(columns={'a': 'z'}), y)", "ValueError"),
    ]
    RUNS = [
        (_SETUP + "m = LinearRegression().fit(X, y)", "m.predict(df[['a', 'b']].head(1))"),
        (_SETUP + "m = LinearRegression().fit(X.values, y)", "m.predict(np.zeros((5, 2)))"),
        (_SETUP + "s = StandardScaler().fit(df)", "s.fit(X)\ns.transform(X)"),
        (_SETUP + "m = LinearRegression().fit(X, y)", "m.predict(X.values)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return "feature names" in text.lower() or (
            "features" in text and ("expecting" in text or "was expecting" in text or "expected" in text)
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return "The features differ from those of fit: " + " ".join(str(error).split())[:240]
