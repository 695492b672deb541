from __future__ import annotations

import sys
from typing import Any

from ..base import Rule
from .shared import PEOPLE, is_frame, is_pandas, is_series, nearest, object_of


class MissingAttribute(Rule):
    """A column or method is read with a dot that the pandas object does not have.

    The column is misspelt, the method belongs to another class, or the installed version has removed it (``append``, ``iteritems``, ``ix``).

    Example: ``df.append(row)`` since pandas 2; ``df.Age`` where the column is called ``age``.

    Fix: use the name that exists; ``pd.concat`` for ``append``, ``items`` for ``iteritems``, ``loc`` or ``iloc`` for ``ix``.
    """

    code = "pandas.missing-attribute"
    library = "pandas"
    exceptions = ("AttributeError",)
    requires = ("pandas",)
    order = 25
    CRASHES = [
        (PEOPLE, "df.append(df)", "AttributeError"),
        (PEOPLE, "df.Age", "AttributeError"),
        (PEOPLE, "df.iteritems()", "AttributeError"),
        (PEOPLE, "df['age'].values_count()", "AttributeError"),
        (PEOPLE, "df.ix[0]", "AttributeError"),
        (PEOPLE, "df.drop(columns='age', inplace=True)\ndf.age.mean()", "AttributeError"),
        (PEOPLE, "df.unique()", "AttributeError"),
        (PEOPLE, "pd.read_cvs('x.csv')", "AttributeError"),
        (PEOPLE, "df.groupby('city').pay2", "AttributeError"),
        (PEOPLE, "df['age'].merge(df)", "AttributeError"),
        (PEOPLE, "df['name'].str.uppercase()", "AttributeError"),
        (PEOPLE, "df.columns.to_lower()", "AttributeError"),
    ]
    RUNS = [
        (PEOPLE, "df.age\ndf.city.str.upper()"),
        (PEOPLE, "df['Age'] = 1\ndf.Age"),
        (PEOPLE, "df.columns = [c.upper() for c in df.columns]\ndf.AGE"),
        (PEOPLE, "row = df.iloc[0]\nrow.age"),
        (PEOPLE, "getattr(df, 'append', None)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        obj = object_of(event)
        if event.op != "attribute":
            return False
        pandas = sys.modules.get("pandas")
        return is_pandas(obj) or (pandas is not None and obj is pandas)

    def _names(self, obj: Any) -> list[str]:
        if is_frame(obj):
            return [c for c in obj.columns[:2_000] if isinstance(c, str)] + _public(type(obj))
        if is_series(obj):
            return _public(type(obj))
        return [n for n in vars(obj) if not n.startswith("_")] if type(obj).__name__ == "module" else _public(type(obj))

    def explain(self, event: Any, error: BaseException) -> str:
        obj = object_of(event)
        close = nearest(event.name, self._names(obj), 0.7)
        kind = "pandas" if type(obj).__name__ == "module" else f"A {type(obj).__name__}"
        version = getattr(sys.modules.get("pandas"), "__version__", "?")
        return f"{kind} has no {event.name} in pandas {version}" + (f"; the nearest name is {close}." if close else ".")

    def suggest(self, event: Any, error: BaseException) -> str | None:
        known = {"iteritems": "items", "as_matrix": "to_numpy", "get_value": "at", "rename_axes": "rename_axis"}
        obj = object_of(event)
        name = known.get(event.name or "")
        if name and hasattr(type(obj), name):
            return name
        return nearest(event.name, self._names(obj), 0.75)


def _public(kind: type) -> list[str]:
    return [name for base in kind.__mro__ for name in vars(base) if not name.startswith("_")]
