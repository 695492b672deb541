from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import SETUP, is_frame, object_of

TWO = (
    SETUP
    + "a = pd.DataFrame({'id': [1, 2], 'n': [3, 4]})\nb = pd.DataFrame({'id': [1, 2], 'n': [5, 6]})\nc = pd.DataFrame({'key': ['1', '2'], 'v': [7, 8]})\n"
)


class MergeConflict(Rule):
    """Tables are joined that cannot be: nothing in common, columns of the same name, keys of other types, or nothing to join.

    Example: ``a.join(b)`` where both have a column ``n``; ``pd.concat([])``; ``a.merge(c)`` without a common column.

    Fix: name the key (``on``, ``left_on``, ``right_on``), give ``lsuffix`` / ``rsuffix``, convert the keys to one type, fill the list first.
    """

    code = "pandas.merge-conflict"
    library = "pandas"
    exceptions = ("ValueError", "MergeError", "TypeError")
    requires = ("pandas",)
    order = 21
    CRASHES = [
        (TWO, "a.join(b)", "ValueError"),
        (TWO, "a.merge(c)", "MergeError"),
        (TWO, "pd.merge(a, c, left_on='id', right_on='key')", "ValueError"),
        (TWO, "pd.concat([])", "ValueError"),
        (TWO, "parts = []\nfor name in []:\n    parts.append(a)\npd.concat(parts)", "ValueError"),
        (TWO, "a.merge(b, on='id', suffixes=(None, None))", "ValueError"),
        (TWO, "pd.concat([a, 'b'])", "TypeError"),
        (TWO, "a.join(5)", "TypeError"),
        (TWO, "pd.merge(a, b, on='id', left_on='id')", "MergeError"),
        (TWO, "pd.concat([None, None])", "ValueError"),
    ]
    RUNS = [
        (TWO, "a.join(b, rsuffix='_b')"),
        (TWO, "a.merge(b, on='id')"),
        (TWO, "c['key'] = c['key'].astype(int)\na.merge(c, left_on='id', right_on='key')"),
        (TWO, "pd.concat([a, None])"),
        (TWO, "a.merge(c, how='cross')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        name = (event.key or "").rpartition(".")[2]
        return (
            event.op == "call"
            and (event.key or "").startswith("pandas.")
            and name in ("merge", "join", "concat", "append", "merge_asof", "merge_ordered")
        )

    def explain(self, event: Any, error: BaseException) -> str:
        frames = [v.obj for v in event.operands if v.exact and is_frame(v.obj)]
        if len(frames) >= 2:
            common = [c for c in frames[0].columns if c in frames[1].columns]
            shared = ", ".join(map(repr, common[:5])) or "none"
            return f"The two tables have these columns in common: {shared}. {str(error)[:90]}."
        items = object_of(event)
        if isinstance(items, (list, tuple, dict)) and not items:
            return "The list of tables to join is empty."
        return f"The tables cannot be joined: {str(error)[:120]}."
