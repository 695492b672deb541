"""What the pandas rules share: the frame behind an operation, its labels, and text with one label replaced."""

from __future__ import annotations

import ast
import copy
from typing import Any

from ..words import nearest, object_of, short

FRAME_CALLS = (
    "pandas.core.frame.",
    "pandas.core.generic.",
    "pandas.core.reshape.",
    "pandas.core.groupby.",
    "pandas.merge",
    "pandas.concat",
    "pandas.pivot",
    "pandas.get_dummies",
    "pandas.melt",
    "pandas.crosstab",
)
SETUP = "import pandas as pd\nimport numpy as np\n"
PEOPLE = (
    SETUP
    + "df = pd.DataFrame({'name': ['Ann', 'Bo', 'Cy'], 'age': [31, 44, 27], 'city': ['Oslo', 'Rome', 'Oslo'], 'pay': [1.5, None, 2.5]})\n"
)


def is_frame(obj: Any) -> bool:
    """Whether ``obj`` is a DataFrame."""
    return type(obj).__name__ == "DataFrame" and hasattr(obj, "_mgr")


def is_series(obj: Any) -> bool:
    """Whether ``obj`` is a Series."""
    return type(obj).__name__ == "Series" and hasattr(obj, "_mgr")


def is_pandas(obj: Any) -> bool:
    """Whether ``obj`` is of a class of pandas."""
    return str(getattr(type(obj), "__module__", "")).startswith("pandas")


def frame_of(event: Any) -> Any:
    """The DataFrame that an operation is about, or None."""
    for position in range(min(3, len(event.operands))):
        value = event.operands[position]
        obj = value.obj if not value.unknown else None
        if is_frame(obj):
            return obj
        for name in ("obj", "_parent", "_selected_obj"):
            inner = getattr(obj, name, None) if is_pandas(obj) else None
            if is_frame(inner):
                return inner
    return None


def columns_of(event: Any) -> list[Any]:
    """The column labels of that frame (the first 2,000)."""
    frame = frame_of(event)
    return list(frame.columns[:2_000]) if frame is not None else []


def wanted_labels(event: Any, known: list[Any]) -> list[Any]:
    """The labels that the operation names and ``known`` does not hold, as far as they stand in its arguments."""
    found: list[Any] = []

    def look(obj: Any, depth: int = 0) -> None:
        if isinstance(obj, (str, int, float)) and not isinstance(obj, bool):
            if obj not in known and obj not in found:
                found.append(obj)
        elif isinstance(obj, (list, tuple)) and depth < 3:
            for item in obj[:200]:
                look(item, depth + 1)
        elif isinstance(obj, dict) and depth < 3:
            for item in list(obj)[:200]:
                look(item, depth + 1)
        elif type(obj).__name__ == "Index":
            look(list(obj[:200]), depth + 1)

    values = [*event.operands[1:]] if event.op == "item" else [*event.args, *event.kwargs.values()]
    for value in values:
        if value.exact:
            look(value.obj)
    return found


def missing_of(event: Any, error: BaseException, known: list[Any]) -> list[Any]:
    """The missing labels: those that the operation names and the error's text mentions."""
    text = str(error)
    labels = [label for label in wanted_labels(event, known) if str(label) in text]
    if (
        not labels
        and error.args
        and isinstance(error.args[0], (str, int, float))
        and error.args[0] not in known
        and len(str(error.args[0])) < 80
    ):
        labels = [error.args[0]]
    return labels


def replaced(event: Any, old: Any, new: Any) -> str | None:
    """The failing expression (for an item: what stands in the brackets) with the literal ``old`` replaced by ``new``."""
    node = event.node
    if isinstance(node, ast.Subscript) and event.op == "item":
        node = node.slice
    if node is None:
        return None
    node = copy.deepcopy(node)
    hits = [n for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is type(old) and n.value == old]
    if len(hits) != 1:
        return None
    hits[0].value = new
    try:
        return ast.unparse(node)
    except Exception:
        return None


def listing(labels: list[Any], most: int = 6) -> str:
    """Labels as a short enumeration."""
    shown = ", ".join(short(label, 30) for label in labels[:most])
    return shown + (f" and {len(labels) - most} more" if len(labels) > most else "")


__all__ = ["nearest", "object_of"]
