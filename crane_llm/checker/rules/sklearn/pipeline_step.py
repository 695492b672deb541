from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = "import numpy as np, pandas as pd\nfrom sklearn.pipeline import Pipeline, make_pipeline\nfrom sklearn.compose import ColumnTransformer\nfrom sklearn.preprocessing import StandardScaler, OneHotEncoder\nfrom sklearn.impute import SimpleImputer\nfrom sklearn.linear_model import LogisticRegression\ndf = pd.DataFrame({'a': [1., 2, 3, 4], 'b': ['x', 'y', 'x', 'y'], 'c': [0, 1, 0, 1]})\n"


class PipelineStep(Rule):
    """A step of a pipeline or a column transformer fails.

    Each step gets what the one before it gives; a column transformer selects columns by name.

    Example: ``ColumnTransformer([("num", StandardScaler(), ["age"])])`` on a frame without ``age``.

    Fix: correct the step that the message names.
    """

    code = "sklearn.pipeline-step"
    library = "sklearn"
    exceptions = ("ValueError", "TypeError", "KeyError", "AttributeError")
    requires = ("sklearn", "pandas")
    order = 18
    CRASHES = [
        (_SETUP + "p = make_pipeline(StandardScaler(), LogisticRegression())", "p.named_steps['scaler']", "KeyError"),
        (_SETUP + "ct = ColumnTransformer([('n', StandardScaler(), ['age'])])", "ct.fit(df)", "ValueError"),
        (_SETUP, "Pipeline([('s', StandardScaler), ('m', LogisticRegression())]).fit(df[['a']], df['c'])", "TypeError"),
        (_SETUP, "make_pipeline(LogisticRegression(), StandardScaler()).fit(df[['a']], df['c'])", "TypeError"),
        (
            _SETUP + "ct = ColumnTransformer([('n', StandardScaler(), ['a', 'z'])])",
            "ct.fit_transform(df)",
            "ValueError",
        ),
    ]
    RUNS = [
        (
            _SETUP + "ct = ColumnTransformer([('n', StandardScaler(), ['a']), ('c', OneHotEncoder(), ['b'])])",
            "ct.fit_transform(df)",
        ),
        (_SETUP, "make_pipeline(StandardScaler(), LogisticRegression()).fit(df[['a']], df['c']).predict(df[['a']])"),
        (_SETUP, "Pipeline([('i', SimpleImputer()), ('m', LogisticRegression())]).fit(df[['a']], df['c'])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        from ..words import object_of

        if event.op == "item":
            return type(object_of(event)).__module__.startswith("sklearn.")
        return (event.key or "").startswith(("sklearn.pipeline.", "sklearn.compose."))

    def explain(self, event: Any, error: BaseException) -> str:
        return f"A step cannot do its part: {str(error).splitlines()[0][:200] if str(error) else type(error).__name__}"
