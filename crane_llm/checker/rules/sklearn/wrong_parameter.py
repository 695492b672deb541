from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np\nfrom sklearn.linear_model import LogisticRegression, Ridge\nfrom sklearn.svm import SVC\nfrom sklearn.ensemble import RandomForestClassifier\nfrom sklearn.cluster import KMeans\nfrom sklearn.decomposition import PCA\nfrom sklearn.model_selection import train_test_split\nX = np.arange(12.).reshape(6, 2)\ny = np.array([0, 1, 0, 1, 0, 1])\n"


class WrongParameter(Rule):
    """A parameter of an estimator or function has a value that it does not accept.

    Estimators check their parameters when they are fitted, not when they are made.

    Example: ``LogisticRegression(penalty="elasticnet", solver="liblinear")``, ``train_test_split(X, test_size=1.5)``.

    Fix: use one of the values that the message names.
    """

    code = "sklearn.wrong-parameter"
    library = "sklearn"
    exceptions = ("ValueError", "InvalidParameterError", "TypeError")
    requires = ("sklearn",)
    order = 30
    CRASHES = [
        (_SETUP, "LogisticRegression(penalty='elasticnet', solver='liblinear').fit(X, y)", "ValueError"),
        (_SETUP, "SVC(kernel='gauss').fit(X, y)", "InvalidParameterError"),
        (_SETUP, "RandomForestClassifier(n_estimators=0).fit(X, y)", "InvalidParameterError"),
        (_SETUP, "train_test_split(X, y, test_size=1.5)", "InvalidParameterError"),
        (_SETUP, "PCA(n_components=-1).fit(X)", "InvalidParameterError"),
        (_SETUP + "m = Ridge()", "m.set_params(alfa=1)", "ValueError"),
    ]
    RUNS = [
        (_SETUP, "LogisticRegression(C=0.5).fit(X, y)"),
        (_SETUP, "SVC(kernel='gauss')"),
        (_SETUP, "train_test_split(X, y, test_size=2, random_state=1)"),
        (_SETUP + "m = Ridge()", "m.set_params(alpha=2).fit(X, y)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if not (event.key or "").startswith(("sklearn.", "imblearn.")):
            return False
        text = str(error)
        return type(error).__name__ == "InvalidParameterError" or any(
            part in text
            for part in (
                "parameter",
                "must be",
                "supports",
                "should be",
                "Invalid",
                "n_clusters",
                "test_size",
                "solver",
                "n_components",
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"A parameter's value is not accepted: {str(error).splitlines()[0][:200]}"
