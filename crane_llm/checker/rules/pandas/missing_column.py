from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import (
    FRAME_CALLS,
    PEOPLE,
    columns_of,
    frame_of,
    is_frame,
    is_pandas,
    listing,
    missing_of,
    nearest,
    object_of,
    replaced,
)


class MissingColumn(Rule):
    """A column is selected, dropped, grouped by, sorted by or joined on that the DataFrame does not have.

    The label is misspelt, has other case or blanks, or an earlier cell renamed or dropped the column (also by running twice).

    Example: ``df["Age"]`` where the column is called ``age``; ``df.drop(columns="id")`` run a second time.

    Fix: use a label out of ``df.columns``; ``errors="ignore"`` makes ``drop`` forgiving.
    """

    code = "pandas.missing-column"
    library = "pandas"
    exceptions = ("KeyError", "UndefinedVariableError")
    requires = ("pandas",)
    order = 20
    CRASHES = [
        (PEOPLE, "df['Age']", "KeyError"),
        (PEOPLE, "df[['name', 'salary']]", "KeyError"),
        (PEOPLE, "df.drop(columns=['town'])", "KeyError"),
        (PEOPLE, "df.drop('town', axis=1)", "KeyError"),
        (PEOPLE, "df.groupby('town')['age'].mean()", "KeyError"),
        (PEOPLE, "df.groupby('city')['salary'].mean()", "KeyError"),
        (PEOPLE, "df.sort_values(by='years')", "KeyError"),
        (PEOPLE, "df.set_index('id')", "KeyError"),
        (PEOPLE, "df.merge(df, on='id')", "KeyError"),
        (PEOPLE, "df.loc[:, 'years']", "KeyError"),
        (PEOPLE, "df.drop(columns='age', inplace=True)\ndf['age']", "KeyError"),
        (PEOPLE, "df = df.rename(columns={'age': 'years'})\ndf[df['age'] > 30]", "KeyError"),
        (PEOPLE, "for column in ['age', 'wage']:\n    df[column].max()", "KeyError"),
        (PEOPLE, "df.pivot(index='name', columns='month', values='pay')", "KeyError"),
        (PEOPLE, "df.astype({'years': float})", "KeyError"),
        (PEOPLE, "df.dropna(subset=['wage'])", "KeyError"),
        (PEOPLE, "df.query('years > 30')", "UndefinedVariableError"),
        (PEOPLE, "del df['wage']", "KeyError"),
        (PEOPLE, "df.pop('wage')", "KeyError"),
        (PEOPLE, "df['wage'] += 1", "KeyError"),
        (PEOPLE + "def oldest(frame):\n    return frame['years'].max()\n", "oldest(df)", "KeyError"),
    ]
    RUNS = [
        (PEOPLE, "df['Age'] = 1\ndf['Age']"),
        (PEOPLE, "df.drop(columns=['town'], errors='ignore')"),
        (PEOPLE, "df.get('town')"),
        (PEOPLE, "df.columns = [c.title() for c in df.columns]\ndf['Age']"),
        (PEOPLE, "df.rename(columns={'town': 'place'})"),
        (PEOPLE, "df.reset_index(inplace=True)\ndf['index']"),
        (PEOPLE, "df.insert(0, 'id', range(3))\ndf['id']"),
        (PEOPLE, "df.index.name = 'key'\ndf.groupby('key')['age'].mean()"),
        (PEOPLE, "df.assign(years=df['age'])['years']"),
        (PEOPLE, "other = df\nother['wage'] = 1\ndf['wage']"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        first = event.operands[0] if event.operands else None
        standin = first.obj if first is not None and getattr(first.domain, "name", "") == "pandas" else None
        key = event.key or (f"pandas.core.frame.DataFrame.{event.name}" if is_frame(standin) else "")
        if type(error).__name__ == "UndefinedVariableError":
            return True
        if event.op == "item" or event.op == "delete":
            obj = object_of(event) if standin is None else standin
            return (
                is_pandas(obj)
                and frame_of(event) is not None
                and (type(obj).__name__ in ("DataFrame", "DataFrameGroupBy") or bool(self._in_loc(event, error)))
            )
        if event.op == "call" and key.rpartition(".")[2] == "drop" and not self._drops_columns(event):
            return False
        return event.op == "call" and key.startswith(FRAME_CALLS) and not key.endswith(("get_group", "xs", ".at"))

    @staticmethod
    def _drops_columns(event: Any) -> bool:
        axis = event.kwargs.get("axis") or (event.args[1] if len(event.args) > 1 else None)
        return "columns" in event.kwargs or (axis is not None and axis.exact and axis.obj in (1, "columns"))

    @staticmethod
    def _in_loc(event: Any, error: BaseException) -> bool:
        index = object_of(event, 1)
        return (
            isinstance(index, tuple)
            and len(index) == 2
            and str(index[1]) in str(error)
            and index[1] not in columns_of(event)
        )

    def explain(self, event: Any, error: BaseException) -> str:
        columns = columns_of(event)
        missing = missing_of(event, error, columns)
        if type(error).__name__ == "UndefinedVariableError":
            missing = str(error).split("'")[1:2]
        label = repr(missing[0]) if missing else str(error)
        close = nearest(missing[0], columns) if missing else None
        if not columns:
            return f"There is no column {label}."
        hint = f"the nearest is {close!r}" if close else f"it has {listing(columns)}"
        return f"The DataFrame has no column {label}; {hint}."

    def suggest(self, event: Any, error: BaseException) -> str | None:
        columns = columns_of(event)
        missing = missing_of(event, error, columns)
        close = nearest(missing[0], columns) if len(missing) == 1 else None
        return replaced(event, missing[0], close) if close else None
