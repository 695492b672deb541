"""Facts between two variables of a cell: frames that nearly share their columns, estimators fitted on other columns."""

from __future__ import annotations

import re
from typing import Any

from . import frame_values, safe
from .context import Context
from .model import Note, Variable

MAX_FRAMES = 6
LABELS = 20000


def compare(described: list[tuple[Variable, Any]], context: Context) -> None:
    """Say how the columns of frames differ from those of an earlier frame, and from those that an estimator was fitted with."""
    if not context.representation or context.hide_names:
        return
    frames: list[tuple[Variable, list[Any]]] = []
    fitted: list[tuple[str, list[Any]]] = []
    for variable, value in described:
        columns = _columns(value)
        if columns is not None and len(frames) < MAX_FRAMES:
            frames.append((variable, columns))
        names = _feature_names(value)
        if names and all(names != known for _, known in fitted):
            fitted.append((variable.name, names))
    for position, (variable, columns) in enumerate(frames):
        for other, others in frames[:position]:
            if columns == others:
                _same(variable, other, context)
            else:
                _differ(variable, columns, others, other.name, context)
            break
        for name, names in fitted[:2]:
            _differ(variable, columns, names, f"those {name} was fitted with", context)


def _columns(value: Any) -> list[Any] | None:
    if (
        safe.top_package(type(value)) != "pandas"
        or safe.class_name(type(value)) != "DataFrame"
        or not safe.genuine(type(value))
    ):
        return None
    axes = safe.native(safe.native(value, "_mgr"), "axes")
    known = frame_values.labels(axes[0], LABELS) if axes else None
    return known if known and len(known) < LABELS and safe.all_of(known, str) else None


def _feature_names(value: Any) -> list[Any] | None:
    held = safe.field(value, "feature_names_in_")
    if held is None or safe.top_package(type(held)) != "numpy" or held.dtype != object:
        return None
    return held[:LABELS].tolist()


def _same(variable: Variable, other: Variable, context: Context) -> None:
    """A frame with the columns of an earlier one: only what the cell names, what misses values or has another dtype stays listed."""
    before = {column.name: column.dtype for column in other.columns or ()}
    words = set(context.words)
    kept = [
        column
        for column in variable.columns or ()
        if column.name in words
        or before.get(column.name) != column.dtype
        or any("NaN" in n.text or "missing" in n.text for n in column.notes)
    ]
    if len(kept) + 4 > len(variable.columns or ()):
        return
    variable.columns = kept or None
    variable.notes = [note for note in variable.notes if not note.text.startswith("other columns:")]
    variable.notes.insert(0, Note("R", f"same columns as {other.name}"))


def _differ(variable: Variable, columns: list[Any], others: list[Any], name: str, context: Context) -> None:
    """Frames that share less than a third of the smaller one's columns are different tables, unless their names say otherwise."""
    here, there = set(columns), set(others)
    shared = len(here & there)
    if here == there or (shared * 3 < min(len(here), len(there)) and not _twins(variable.name, name)):
        return
    lacks = [label for label in others if label not in here]
    more = [label for label in columns if label not in there]
    parts = []
    if lacks:
        parts.append(f"lacks {_some(lacks, context)}")
    if more:
        parts.append(f"has besides {_some(more, context)}")
    context.note(
        variable,
        "R",
        f"compared with columns of {name}: {'; '.join(parts)}"
        if not name.startswith("those")
        else f"compared with {name}: {'; '.join(parts)}",
    )


_PART = re.compile(r"train(ing)?|test(ing)?|valid(ation)?|val|dev", re.IGNORECASE)


def _twins(name: str, other: str) -> bool:
    """Whether two names differ only in the part of the data that they stand for (``X_train``, ``X_test``)."""
    return name != other and _PART.sub("", name) == _PART.sub("", other)


def _some(labels: list[Any], context: Context) -> str:
    shown = context.names(labels[:6], 6)
    return shown if len(labels) <= 6 else f"{len(labels)} columns ({shown}, …)"
