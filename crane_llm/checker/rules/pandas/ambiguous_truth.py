from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, is_pandas


class AmbiguousTruth(Rule):
    """A whole Series or DataFrame is used as a condition.

    ``if``, ``and``, ``or``, ``not`` and ``while`` need one truth value, a column has many.

    Example: ``if df["age"] > 30:``; ``df[(df.age > 30) and (df.pay < 2)]``.

    Fix: ``&``, ``|`` and ``~`` with brackets for element-wise logic; ``.any()``, ``.all()`` or ``.empty`` for one answer.
    """

    code = "pandas.ambiguous-truth"
    library = "pandas"
    exceptions = ("ValueError",)
    requires = ("pandas",)
    order = 10
    CRASHES = [
        (PEOPLE, "if df['age'] > 30:\n    print('old')", "ValueError"),
        (PEOPLE, "df[(df['age'] > 30) and (df['pay'] < 2)]", "ValueError"),
        (PEOPLE, "if df:\n    pass", "ValueError"),
        (PEOPLE, "not df['age']", "ValueError"),
        (PEOPLE, "bool(df)", "ValueError"),
        (PEOPLE, "1 < df['age'] < 40", "ValueError"),
        (PEOPLE, "def grade(row):\n    return 'a' if row > 1 else 'b'\ngrade(df['pay'])", "ValueError"),
        (PEOPLE, "df['age'] in [1, 2]", "ValueError"),
        (PEOPLE, "[frame for frame in [df] if frame]", "ValueError"),
    ]
    RUNS = [
        (PEOPLE, "df[(df['age'] > 30) & (df['pay'] < 2)]"),
        (PEOPLE, "if df.empty:\n    pass\nif (df['age'] > 30).any():\n    pass"),
        (PEOPLE, "if df is not None and len(df):\n    pass"),
        (PEOPLE, "df['grade'] = df['pay'].apply(lambda v: 'a' if v > 1 else 'b')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            "ambiguous" in str(error)
            and "truth" in str(error)
            and (
                any(is_pandas(v.obj) for v in event.operands if v.exact)
                or "DataFrame" in str(error)
                or "Series" in str(error)
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        for value in event.operands:
            if value.exact and is_pandas(value.obj):
                return f"One truth value is needed, and the {type(value.obj).__name__} of shape {getattr(value.obj, 'shape', '?')} has many."
        return "One truth value is needed, and a Series or DataFrame has many."
