from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np\nfrom sklearn.linear_model import LogisticRegression\nfrom sklearn.preprocessing import StandardScaler\nfrom sklearn.ensemble import RandomForestClassifier\nfrom sklearn.cluster import KMeans\nfrom sklearn.decomposition import PCA\nX = np.arange(12.).reshape(6, 2)\ny = np.array([0, 1, 0, 1, 0, 1])\n"


class NotFitted(Rule):
    """An estimator is used before it has been fitted.

    ``predict``, ``transform`` and their like need what ``fit`` learns. The cell that fits has not run, or it fitted another object.

    Example: ``model = LogisticRegression()`` and then ``model.predict(X)``.

    Fix: call ``fit`` first, or run the cell that does.
    """

    code = "sklearn.not-fitted"
    library = "sklearn"
    exceptions = ("NotFittedError", "AttributeError")
    requires = ("sklearn",)
    order = 20
    CRASHES = [
        (_SETUP, "LogisticRegression().predict(X)", "NotFittedError"),
        (_SETUP + "m = LogisticRegression()", "m.predict_proba(X)", "NotFittedError"),
        (_SETUP, "StandardScaler().transform(X)", "NotFittedError"),
        (_SETUP + "r = RandomForestClassifier(n_estimators=2)", "r.predict(X)", "NotFittedError"),
        (_SETUP, "KMeans(2).predict(X)", "NotFittedError"),
        (_SETUP, "p = PCA(1)\np.transform(X)", "NotFittedError"),
        (_SETUP + "m = LogisticRegression().fit(X, y)", "m = LogisticRegression()\nm.score(X, y)", "NotFittedError"),
    ]
    RUNS = [
        (_SETUP, "m = LogisticRegression()\nm.fit(X, y)\nm.predict(X)"),
        (_SETUP, "StandardScaler().fit(X).transform(X)"),
        (_SETUP, "StandardScaler().fit_transform(X)"),
        (_SETUP + "m = LogisticRegression().fit(X, y)", "m.predict(X)"),
        (_SETUP, "def train(model):\n    model.fit(X, y)\nm = LogisticRegression()\ntrain(m)\nm.predict(X)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return type(error).__name__ == "NotFittedError"

    def explain(self, event: Any, error: BaseException) -> str:
        name = str(error).split(" instance", 1)[0].rpartition(" ")[2]
        return f"The {name or 'estimator'} has not been fitted when this line runs."
