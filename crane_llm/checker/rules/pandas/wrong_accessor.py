from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, SETUP, object_of


class WrongAccessor(Rule):
    """``.str``, ``.dt`` or ``.cat`` is used on a column of another kind.

    ``.str`` needs text, ``.dt`` dates or durations, ``.cat`` a categorical; a column read from a file holds dates as text until it is
    converted.

    Example: ``df["when"].dt.year`` where the dates are text; ``df["age"].str.strip()`` on numbers.

    Fix: ``pd.to_datetime(...)``, ``.astype(str)`` or ``.astype("category")`` first.
    """

    code = "pandas.wrong-accessor"
    library = "pandas"
    exceptions = ("AttributeError",)
    requires = ("pandas",)
    order = 20
    CRASHES = [
        (PEOPLE, "df['age'].str.upper()", "AttributeError"),
        (PEOPLE, "df['name'].dt.year", "AttributeError"),
        (PEOPLE, "df['city'].cat.codes", "AttributeError"),
        (PEOPLE, "df['pay'].str.len()", "AttributeError"),
        (
            SETUP + "df = pd.DataFrame({'when': ['2020-01-01', '2021-05-06']})",
            "df['year'] = df['when'].dt.year",
            "AttributeError",
        ),
        (
            PEOPLE,
            "df['age'] = df['age'].astype('category')\ndf['age'] = df['age'].cat.codes\ndf['age'].cat",
            "AttributeError",
        ),
        (PEOPLE, "for column in df:\n    df[column].str.strip()", "AttributeError"),
        (PEOPLE, "df.str", "AttributeError"),
        (SETUP + "d = pd.Series(pd.to_datetime(['2020-01-01']))", "d.str.slice(0, 4)", "AttributeError"),
    ]
    RUNS = [
        (PEOPLE, "df['age'].astype(str).str.zfill(4)"),
        (
            SETUP + "df = pd.DataFrame({'when': ['2020-01-01', '2021-05-06']})",
            "df['when'] = pd.to_datetime(df['when'])\ndf['when'].dt.year",
        ),
        (PEOPLE, "df['city'].astype('category').cat.codes"),
        (PEOPLE, "df.columns.str.upper()"),
        (SETUP + "df = pd.DataFrame({'str': [1]})", "df.str"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        obj = object_of(event)
        return (
            event.op == "attribute"
            and event.name in ("str", "dt", "cat")
            and str(type(obj).__module__).startswith("pandas")
        )

    def explain(self, event: Any, error: BaseException) -> str:
        obj = object_of(event)
        needs = {"str": "text", "dt": "dates", "cat": "a categorical"}[event.name or "str"]
        dtype = getattr(obj, "dtype", None)
        return f".{event.name} needs {needs}, the {type(obj).__name__}" + (
            f" is of dtype {dtype}." if dtype is not None else " has no such accessor."
        )
