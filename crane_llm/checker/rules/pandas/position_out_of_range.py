from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, SETUP, is_pandas, object_of


class PositionOutOfRange(Rule):
    """A position is asked for that lies behind the last row, column or entry.

    Positions count from 0: a frame of three rows has 0, 1 and 2. An empty result of a filter has none.

    Example: ``df[df.city == "Paris"].iloc[0]`` where no row matches.

    Fix: check ``len(...)`` first, or take a position that exists.
    """

    code = "pandas.position-out-of-range"
    library = "pandas"
    exceptions = ("IndexError",)
    requires = ("pandas",)
    order = 20
    CRASHES = [
        (PEOPLE, "df.iloc[3]", "IndexError"),
        (PEOPLE, "df[df['city'] == 'Paris'].iloc[0]", "IndexError"),
        (PEOPLE, "df.iloc[:, 4]", "IndexError"),
        (PEOPLE, "df.iloc[[0, 5]]", "IndexError"),
        (PEOPLE, "df['age'].iloc[-4]", "IndexError"),
        (PEOPLE, "df.iat[0, 9]", "IndexError"),
        (PEOPLE, "df.columns[4]", "IndexError"),
        (PEOPLE, "df.index[3]", "IndexError"),
        (PEOPLE, "for i in range(len(df) + 1):\n    df.iloc[i]", "IndexError"),
        (SETUP + "s = pd.Series([1, 2])", "s.iloc[2] = 5", "IndexError"),
    ]
    RUNS = [
        (PEOPLE, "df.iloc[2]\ndf.iloc[-3]"),
        (PEOPLE, "df.iloc[1:99]"),
        (PEOPLE, "df.loc[3] = ['Di', 50, 'Rome', 1.0]\ndf.iloc[3]"),
        (PEOPLE, "df['new'] = 1\ndf.iloc[:, 4]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op in ("item", "store", "delete") and is_pandas(object_of(event))

    def explain(self, event: Any, error: BaseException) -> str:
        obj = object_of(event)
        inner = getattr(obj, "obj", obj)
        shape = getattr(inner, "shape", None)
        index = object_of(event, 1)
        return (
            f"Position {index!r} does not exist: the {type(inner).__name__} has shape {shape}, positions count from 0."
        )
