from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import short
from .shared import PEOPLE, SETUP, is_pandas, is_series, listing, nearest, object_of, replaced


class MissingLabel(Rule):
    """A row, an entry or a group is asked for under a label that is not in the index.

    After filtering, sorting or dropping rows the labels keep their old numbers: they have gaps. ``series[3]`` on an integer index means
    the label 3, not the fourth entry.

    Example: ``df[df.age > 30].loc[0]`` where row 0 was filtered out.

    Fix: ``.iloc`` for positions, ``reset_index(drop=True)`` after filtering, or a label out of ``df.index``.
    """

    code = "pandas.missing-label"
    library = "pandas"
    exceptions = ("KeyError",)
    requires = ("pandas",)
    order = 25
    CRASHES = [
        (PEOPLE, "df.loc[7]", "KeyError"),
        (PEOPLE, "df[df['age'] > 30].loc[2]", "KeyError"),
        (PEOPLE, "df['age'][3]", "KeyError"),
        (PEOPLE, "df.at[9, 'age']", "KeyError"),
        (PEOPLE, "df.drop([10])", "KeyError"),
        (PEOPLE, "df.drop(0, inplace=True)\ndf.drop(0, inplace=True)", "KeyError"),
        (PEOPLE, "df.groupby('city').get_group('Paris')", "KeyError"),
        (PEOPLE, "df.set_index('name').loc['Di']", "KeyError"),
        (PEOPLE, "df['city'].value_counts()['Paris']", "KeyError"),
        (PEOPLE, "df['age'].loc[[0, 8]]", "KeyError"),
        (SETUP + "s = pd.Series([1, 2], index=['a', 'b'])", "s['c']", "KeyError"),
        (PEOPLE, "df.dropna(inplace=True)\ndf['pay'][1]", "KeyError"),
        (PEOPLE, "df.apply(lambda row: row['years'], axis=1)", "KeyError"),
        (PEOPLE, "for i, row in df.iterrows():\n    row['years']", "KeyError"),
        (PEOPLE, "for i in range(4):\n    df['age'][i]", "KeyError"),
    ]
    RUNS = [
        (PEOPLE, "df.loc[7] = ['Di', 50, 'Rome', 1.0]\ndf.loc[7]"),
        (PEOPLE, "df[df['age'] > 30].reset_index(drop=True).loc[1]"),
        (PEOPLE, "df['age'].iloc[2]\ndf.iloc[-1]"),
        (PEOPLE, "df.drop([10], errors='ignore')"),
        (PEOPLE, "df.loc[5:9]"),
        (PEOPLE, "df['age'].get(8)"),
        (PEOPLE, "df.set_index('name', inplace=True)\ndf.loc['Bo', 'age']"),
        (PEOPLE, "df['age'][9] = 3\ndf['age'].size"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        obj = object_of(event)
        if event.op in ("item", "delete", "store"):
            return is_pandas(obj)
        return event.op == "call" and (event.key or "").startswith("pandas.")

    def _labels(self, event: Any) -> list[Any]:
        obj = object_of(event)
        if (event.key or "").endswith("get_group"):
            try:
                return list(obj.groups)[:2_000]
            except Exception:
                return []
        inner = getattr(obj, "obj", obj) if not is_series(obj) else obj
        index = getattr(inner, "index", None)
        return list(index[:2_000]) if index is not None and hasattr(index, "_data") else []

    def explain(self, event: Any, error: BaseException) -> str:
        labels = self._labels(event)
        wanted = error.args[0] if error.args else str(error)
        close = nearest(wanted, labels)
        what = "group" if (event.key or "").endswith("get_group") else "label"
        if not labels:
            return f"There is no {what} {short(wanted)}."
        ints = labels and all(isinstance(label, int) for label in labels)
        held = (
            f"the nearest is {close!r}"
            if close
            else f"there are {len(labels)}, from {labels[0]!r} to {labels[-1]!r}"
            if ints
            else f"there are {listing(labels)}"
        )
        return f"The index has no {what} {short(wanted)}; {held}."

    def suggest(self, event: Any, error: BaseException) -> str | None:
        wanted = error.args[0] if error.args else None
        close = nearest(wanted, self._labels(event), 0.75)
        return replaced(event, wanted, close) if close else None
