from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np, pandas as pd, matplotlib.pyplot as plt\nfrom sklearn.linear_model import LinearRegression\nfrom sklearn.preprocessing import StandardScaler, LabelEncoder\nfrom sklearn.neighbors import KNeighborsClassifier\nfrom sklearn.metrics import ConfusionMatrixDisplay\nfrom sklearn.model_selection import train_test_split\ndf = pd.DataFrame({'a': [1., 2, 3, 4], 'c': [0, 1, 0, 1]})\nX = np.arange(12.).reshape(6, 2)\ny = np.array([0, 1, 0, 1, 0, 1])\n"


class WrongShape(Rule):
    """Data has the wrong number of dimensions, rows or classes for the call.

    Features come as a table (rows × columns), a target as a column; a split or a neighbour search needs enough rows.

    Example: ``LinearRegression().fit(df["a"], y)`` where ``df[["a"]]`` is needed.

    Fix: use double brackets or ``reshape(-1, 1)``; check that rows are left.
    """

    code = "sklearn.wrong-shape"
    library = "sklearn"
    exceptions = ("ValueError",)
    requires = ("sklearn", "pandas")
    order = 28
    CRASHES = [
        (_SETUP, "LinearRegression().fit(df['a'], df['c'])", "ValueError"),
        (_SETUP, "StandardScaler().fit_transform(df['a'])", "ValueError"),
        (_SETUP, "LinearRegression().fit(X.reshape(2, 3, 2), y[:2])", "ValueError"),
        (_SETUP + "from sklearn.cluster import KMeans", "KMeans(n_clusters=20).fit(X)", "ValueError"),
        (_SETUP + "from sklearn.decomposition import PCA", "PCA(n_components=5).fit(X)", "ValueError"),
        (_SETUP, "LabelEncoder().fit_transform(X)", "ValueError"),
        (_SETUP, "train_test_split(X[:0], y[:0])", "ValueError"),
        (_SETUP, "KNeighborsClassifier(n_neighbors=9).fit(X, y).predict(X)", "ValueError"),
        (_SETUP, "ConfusionMatrixDisplay(np.eye(3), display_labels=['a', 'b']).plot()", "ValueError"),
        (_SETUP + "m = LinearRegression().fit(X, y)", "m.predict(X[0])", "ValueError"),
    ]
    RUNS = [
        (_SETUP, "LinearRegression().fit(df[['a']], df['c'])"),
        (_SETUP, "StandardScaler().fit_transform(df['a'].values.reshape(-1, 1))"),
        (_SETUP + "m = LinearRegression().fit(X, y)", "m.predict(X[:1])"),
        (_SETUP, "ConfusionMatrixDisplay(np.eye(2), display_labels=['a', 'b'])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if (
            not (event.key or "").startswith(("sklearn.", "imblearn."))
            or type(error).__name__ == "InvalidParameterError"
        ):
            return False
        text = str(error)
        return any(
            part in text
            for part in (
                "Expected 2D",
                "2-dimensional container",
                "n_clusters",
                "n_components",
                "Found array with",
                "1d array",
                "n_samples",
                "n_neighbors",
                "FixedLocator",
                "Expected n_neighbors",
                "y should be",
                "Found input",
                "dim ",
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The data does not have the shape that the call needs: {str(error).splitlines()[0][:200]}"
