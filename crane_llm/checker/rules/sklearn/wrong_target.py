from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np\nfrom sklearn.linear_model import LogisticRegression, LinearRegression\nfrom sklearn.tree import DecisionTreeClassifier\nfrom sklearn.metrics import accuracy_score, f1_score, confusion_matrix, roc_auc_score, precision_score, classification_report\nfrom sklearn.neighbors import KNeighborsClassifier\nX = np.arange(12.).reshape(6, 2)\nc = np.array([0.1, 1.7, 0.3, 1.2, 0.5, 1.9])\ny = np.array([0, 1, 2, 1, 0, 2])\nm = LinearRegression().fit(X, y)\n"


class WrongTarget(Rule):
    """The target does not suit the estimator or the metric.

    A classifier needs classes, not measurements; metrics for classes need classes on both sides; some averages exist for two classes only.

    Example: ``accuracy_score(y, model.predict(X))`` with a regressor; ``f1_score(y, p)`` with three classes.

    Fix: use a regressor or a metric for numbers, round or binarise, or give ``average="macro"``.
    """

    code = "sklearn.wrong-target"
    library = "sklearn"
    exceptions = ("ValueError", "TypeError")
    requires = ("sklearn",)
    order = 22
    CRASHES = [
        (_SETUP, "LogisticRegression().fit(X, c)", "ValueError"),
        (_SETUP, "accuracy_score(y, c)", "ValueError"),
        (_SETUP, "DecisionTreeClassifier().fit(X, c)", "ValueError"),
        (_SETUP, "f1_score(y, y)", "ValueError"),
        (_SETUP, "confusion_matrix(y, m.predict(X))", "ValueError"),
        (_SETUP, "precision_score(y, y[::-1])", "ValueError"),
        (_SETUP, "LogisticRegression().fit(X, np.zeros(6))", "ValueError"),
        (_SETUP, "classification_report(y, m.predict(X))", "ValueError"),
    ]
    RUNS = [
        (_SETUP, "LogisticRegression().fit(X, y)"),
        (_SETUP, "f1_score(y, y, average='macro')"),
        (_SETUP, "accuracy_score(y, c.round())"),
        (_SETUP, "LinearRegression().fit(X, c)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return any(
            part in text
            for part in (
                "continuous",
                "Unknown label type",
                "Target is multiclass",
                "average",
                "samples of at least 2 classes",
                "mix of",
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The target does not suit: {str(error).splitlines()[0][:200]}"
