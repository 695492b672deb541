from __future__ import annotations

import types
from typing import Any

from ..base import Rule
from ..words import source_of
from .shared import PEOPLE, SETUP, is_pandas, object_of


class MethodOrAttribute(Rule):
    """A method is used without its brackets, or something that is no method is called.

    ``df.shape`` and ``df.columns`` are values, ``df.head`` and ``df.mean`` are methods; columns and results of calls cannot be called.

    Example: ``df.shape()``, ``df.head["age"]``, ``df("age")``.

    Fix: add or remove the brackets; square brackets select columns.
    """

    code = "pandas.method-or-attribute"
    library = "pandas"
    exceptions = ("TypeError",)
    requires = ("pandas",)
    order = 15
    CRASHES = [
        (PEOPLE, "df.shape()", "TypeError"),
        (PEOPLE, "df('age')", "TypeError"),
        (PEOPLE, "df.head['age']", "TypeError"),
        (PEOPLE, "df.columns()", "TypeError"),
        (PEOPLE, "df['age']()", "TypeError"),
        (PEOPLE, "df.groupby['city']", "TypeError"),
        (PEOPLE, "df.dtypes()", "TypeError"),
        (PEOPLE, "for row in df.iterrows:\n    pass", "TypeError"),
        (PEOPLE, "df.mean(numeric_only=True)()", "TypeError"),
        (PEOPLE, "len(df.head)", "TypeError"),
    ]
    RUNS = [
        (PEOPLE, "df.shape\ndf.head()\ndf.columns"),
        (PEOPLE, "df.loc[0]\ndf.loc(axis=0)[0]"),
        (PEOPLE, "mean = df.mean\nmean(numeric_only=True)"),
        (SETUP + "df = pd.DataFrame({'size': [1, 2]})", "df['size'][0]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        obj = object_of(event)
        text = str(error)
        if "is not callable" in text:
            node = getattr(event.node, "func", None)
            return event.op == "call" and (
                str(event.key or "").startswith("pandas")
                or "DataFrame" in text
                or "Series" in text
                or "Index" in text
                or type(node).__name__ == "Attribute"
                and node.attr
                in ("shape", "size", "values", "dtypes", "dtype", "columns", "index", "ndim", "empty", "T")
            )
        owner = _owner(obj)
        if owner is None and event.op == "call" and event.args and event.args[0].exact:
            owner = _owner(event.args[0].obj)
        return "method" in text and is_pandas(owner)

    def explain(self, event: Any, error: BaseException) -> str:
        if "is not callable" in str(error):
            return f"{source_of(event) or 'The expression'} calls a value that is no method."
        name = getattr(object_of(event), "__name__", None)
        return f"{name or 'It'} is a method: it has to be called before its result can be used."

    def suggest(self, event: Any, error: BaseException) -> str | None:
        text = source_of(event)
        if "is not callable" in str(error) and text.endswith("()"):
            return text[:-2]
        return None


def _owner(obj: Any) -> Any:
    """What a method is bound to. By exact type: asking an object of the person's may run their ``__getattr__``."""
    return obj.__self__ if type(obj) in (types.MethodType, types.BuiltinMethodType) else None
