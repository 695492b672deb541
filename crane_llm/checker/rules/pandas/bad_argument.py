from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, SETUP


class BadArgument(Rule):
    """A pandas function is given a value that it does not know: an axis, a method, bins, a sample size, a format.

    Example: ``df.mean(axis=2)``, ``df.sample(10)`` of three rows, ``pd.cut(s, bins=[3, 1])``.

    Fix: a value that the function's documentation names; sizes no larger than the data.
    """

    code = "pandas.bad-argument"
    library = "pandas"
    exceptions = ("ValueError", "TypeError", "NotImplementedError")
    requires = ("pandas",)
    order = 38
    CRASHES = [
        (PEOPLE, "df.sort_index(axis=2)", "ValueError"),
        (PEOPLE, "df.sample(10)", "ValueError"),
        (PEOPLE, "pd.cut(df['age'], bins=[50, 20])", "ValueError"),
        (PEOPLE, "df.sort_values(['age', 'pay'], ascending=[True])", "ValueError"),
        (PEOPLE, "pd.cut(df['age'], bins=[0, 30, 60], labels=['a'])", "ValueError"),
        (PEOPLE, "df.drop_duplicates(keep='none')", "ValueError"),
        (PEOPLE, "pd.cut(df['age'], bins=0)", "ValueError"),
        (PEOPLE, "df.rolling(-1)", "ValueError"),
        (PEOPLE, "df.sort_values('age', na_position='middle')", "ValueError"),
        (PEOPLE, "df.drop()", "ValueError"),
        (PEOPLE, "pd.qcut(df['age'] * 0, 4)", "ValueError"),
    ]
    RUNS = [
        (PEOPLE, "df.sample(10, replace=True)"),
        (PEOPLE, "pd.cut(df['age'], bins=[0, 30, 60], labels=['a', 'b'])"),
        (PEOPLE, "df.sort_values(['city', 'age'], ascending=[True, False])"),
        (SETUP + "s = pd.Series([1, 1, 1, 1])", "pd.qcut(s, 2, duplicates='drop')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return (
            event.op == "call"
            and (event.key or "").startswith("pandas.")
            and "argument" not in str(error).split("(")[0][-1:]
            and not _signature(error)
        )

    def explain(self, event: Any, error: BaseException) -> str:
        name = (event.key or "").rpartition(".")[2]
        return f"{name} cannot work with these arguments and this data: {str(error)[:140]}."


def _signature(error: BaseException) -> bool:
    text = str(error)
    return isinstance(error, TypeError) and (
        "positional argument" in text or "unexpected keyword" in text or "multiple values for" in text
    )
