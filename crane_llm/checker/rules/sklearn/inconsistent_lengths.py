from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np\nfrom sklearn.linear_model import LinearRegression, LogisticRegression\nfrom sklearn.metrics import accuracy_score, mean_squared_error, confusion_matrix\nfrom sklearn.model_selection import train_test_split\nX = np.arange(12.).reshape(6, 2)\ny = np.array([0, 1, 0, 1, 0, 1])\n"


class InconsistentLengths(Rule):
    """Arrays that belong together have different numbers of rows.

    Example: ``model.fit(X_train, y)`` with the full ``y``; ``accuracy_score(y_test, model.predict(X_train))``.

    Fix: use the parts of the same split.
    """

    code = "sklearn.inconsistent-lengths"
    library = "sklearn"
    exceptions = ("ValueError",)
    requires = ("sklearn",)
    order = 20
    CRASHES = [
        (_SETUP, "LinearRegression().fit(X[:4], y)", "ValueError"),
        (_SETUP, "accuracy_score(y, y[:3])", "ValueError"),
        (_SETUP, "mean_squared_error(y[:2], y)", "ValueError"),
        (_SETUP, "train_test_split(X, y[:5])", "ValueError"),
        (_SETUP + "m = LogisticRegression().fit(X, y)", "m.score(X, y[1:])", "ValueError"),
        (_SETUP, "confusion_matrix(y, [0, 1])", "ValueError"),
    ]
    RUNS = [
        (_SETUP, "LinearRegression().fit(X, y)"),
        (_SETUP, "a, b, c, d = train_test_split(X, y, random_state=0)\nLinearRegression().fit(a, c)"),
        (_SETUP, "accuracy_score(list(y), y)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "inconsistent numbers of samples" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        return "The numbers of rows differ: " + str(error)[:200]
