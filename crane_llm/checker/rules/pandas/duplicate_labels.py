from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, SETUP, is_pandas, object_of


class DuplicateLabels(Rule):
    """An operation needs unique labels, and some occur twice.

    Reindexing, pivoting and aligning look every label up; with duplicates there is no single answer. A column that exists already
    cannot be inserted again.

    Example: ``pd.concat([a, b]).reindex(range(4))`` where both frames number their rows from 0; running ``df.insert(0, "id", …)`` twice.

    Fix: ``reset_index(drop=True)``, ``ignore_index=True`` in ``concat``, ``drop_duplicates``, or ``pivot_table`` with an ``aggfunc``.
    """

    code = "pandas.duplicate-labels"
    library = "pandas"
    exceptions = ("ValueError", "InvalidIndexError", "TypeError")
    requires = ("pandas",)
    order = 19
    CRASHES = [
        (SETUP + "s = pd.Series([1, 2, 3], index=[0, 0, 1])", "s.reindex([0, 1])", "ValueError"),
        (PEOPLE, "df.insert(0, 'age', 1)", "ValueError"),
        (PEOPLE, "df.insert(0, 'id', 1)\ndf.insert(0, 'id', 1)", "ValueError"),
        (PEOPLE, "pd.concat([df, df]).pivot(index='name', columns='city', values='age')", "ValueError"),
        (PEOPLE, "both = pd.concat([df, df])\nboth.reindex([0, 1])", "ValueError"),
        (PEOPLE, "df.set_index('city', verify_integrity=True)", "ValueError"),
        (PEOPLE, "pd.concat([df, df], verify_integrity=True)", "ValueError"),
        (SETUP + "s = pd.Series([1, 2], index=['a', 'a'])\nt = pd.Series(['a', 'b'])", "t.map(s)", "InvalidIndexError"),
        (PEOPLE, "df.insert(0, 'row', range(3))\ndf.reset_index(names='row')", "ValueError"),
    ]
    RUNS = [
        (PEOPLE, "pd.concat([df, df], ignore_index=True).reindex([0, 1])"),
        (PEOPLE, "df.insert(0, 'age', 1, allow_duplicates=True)"),
        (PEOPLE, "df.pivot_table(index='city', values='age')"),
        (SETUP + "s = pd.Series([1, 2, 3], index=[0, 0, 1])", "s.loc[0]\ns[~s.index.duplicated()].reindex([0, 1])"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error).lower()
        if (
            not any(word in text for word in ("duplicate", "already exists", "overlapping values", "uniquely valued"))
            or "bin edges" in text
        ):
            return False
        return (event.op == "call" and (event.key or "").startswith("pandas.")) or is_pandas(object_of(event))

    def explain(self, event: Any, error: BaseException) -> str:
        if "already exists" in str(error):
            return f"The DataFrame has that column already: {error!s}."
        index = getattr(object_of(event), "index", None)
        try:
            repeated = list(index[index.duplicated()][:3]) if index is not None and len(index) <= 100_000 else []
        except Exception:
            repeated = []
        return (
            f"The labels must be unique, but {', '.join(map(repr, repeated))} occur more than once."
            if repeated
            else f"The labels must be unique: {str(error)[:100]}."
        )
