"""pandas frames, series, indexes, group-bys, read through their block managers (no method that a subclass could redefine)."""

from __future__ import annotations

import re
from typing import Any

from . import frame_values, safe
from .context import MAX_COLUMNS, Context, Handler
from .model import Column, Variable

MAX_NAMED = 30  # columns that the cell names and that are described
MAX_NAN = 100  # further columns whose missing values are counted
MAX_LISTED = 120  # further columns that are listed by name


def frame(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """DataFrame: shape, index, columns that the cell uses then the first ones, missing values by column."""
    manager = safe.native(value, "_mgr")
    axes = getattr(manager, "axes", None)
    if not axes or not hasattr(manager, "blocks"):
        context.note(variable, "R", "its values are not laid out as expected; not read")
        return
    columns, index = axes[0], axes[1]
    width, height = frame_values.index_length(columns), frame_values.index_length(index)
    context.shape(variable, f"({height}, {width})")
    if depth == 0:  # what the cell asks for comes before what it may be interested in
        frame_values.answers(variable, variable.name, columns, index, context)
    labels = frame_values.labels(columns, 20000)
    positions = _chosen(labels, width, context, depth)
    arrays = frame_values.column_arrays(manager, positions)
    details: list[Column] = []
    clean = sampled = 0
    missing: list[str] = []
    for turn in context.budget.portions(len(positions)):
        position = positions[turn]
        column = Column(context.label(labels[position] if position < len(labels) else position, position))
        details.append(column)
        array = arrays.get(position)
        if array is None:
            continue
        context.dtype(column, frame_values.dtype_name(array))
        if context.values and height and depth <= 1:
            state = frame_values.describe(column, array, height, context)
            clean += state == 0
            sampled += state is None
    variable.columns = details if context.representation or any(column.notes for column in details) else None
    described = set(positions)
    rest = [position for position in range(min(width, len(labels))) if position not in described]
    if context.values and height and rest and depth == 0:
        counted, unread = _missing_in_rest(manager, rest[:MAX_NAN], labels, height, context)
        missing, clean, sampled = (
            missing + counted,
            clean + len(rest[:MAX_NAN]) - len(counted) - unread,
            sampled + unread,
        )
    told_missing = [
        column
        for column in details
        if any(note.text.startswith(("NaN", "all NaN", "missing")) for note in column.notes)
    ]
    if height and context.values and depth <= 1:
        unknown = width - clean - len(missing) - len(told_missing)
        if missing:
            context.note(variable, "V", f"also missing values in {', '.join(missing[:20])}")
        elif not told_missing and not unknown:
            context.note(variable, "V", "no missing value")
        elif unknown and sampled:
            variable.sampled = True
    _rest(variable, manager, rest, width, labels, context, depth)
    _columns_kind(variable, columns, labels, context)
    index_notes(variable, index, height, context)


def _chosen(labels: list[Any], width: int, context: Context, depth: int) -> list[int]:
    """Positions of the columns to describe: named in the cell first, then from the left up to MAX_COLUMNS."""
    words = set(context.words)
    named = [position for position, label in enumerate(labels) if type(label) is str and label in words][:MAX_NAMED]
    limit = MAX_COLUMNS if depth == 0 else 8
    chosen = dict.fromkeys(named)
    for position in range(width):
        if len(chosen) >= max(limit, len(named)):
            break
        chosen[position] = None
    return list(chosen)


def _missing_in_rest(
    manager: Any, rest: list[int], labels: list[Any], height: int, context: Context
) -> tuple[list[str], int]:
    """Columns not described that miss values, as ``name count``, and how many could not be read in full."""
    arrays = frame_values.column_arrays(manager, rest)
    counted: list[str] = []
    unread = 0
    for turn in context.budget.portions(len(rest)):
        array = arrays.get(rest[turn])
        state = frame_values.missing(array, context) if array is not None else None
        if state is None:
            unread += 1
        elif state:
            counted.append(f"{context.label(labels[rest[turn]], rest[turn])} {state}")
    return counted, unread


def _rest(
    variable: Variable, manager: Any, rest: list[int], width: int, labels: list[Any], context: Context, depth: int
) -> None:
    """The columns that are not described: names by dtype, cut; the number left out."""
    if not rest:
        return
    types = frame_values.dtypes(manager, rest)
    groups: dict[str, list[int]] = {}
    for position in rest:
        groups.setdefault(types.get(position, "?"), []).append(position)
    listed = 0 if depth or context.hide_names else MAX_LISTED if len(rest) <= 2 * MAX_LISTED else MAX_LISTED // 4
    parts = []
    for name, members in groups.items():
        shown = ", ".join(context.label(labels[position], position) for position in members[:listed])
        more = len(members) - min(len(members), listed)
        parts.append(
            f"{len(members)} {name}" + (f": {shown}" if shown else "") + (f", … {more} more" if more and shown else "")
        )
        listed = max(0, listed - len(members))
    context.note(variable, "R", f"other columns: {'; '.join(parts)}")
    if width > MAX_COLUMNS and len(rest) > MAX_LISTED:
        context.left_out.append(f"{variable.name}: {len(rest)} columns not described")


def _columns_kind(variable: Variable, columns: Any, labels: list[Any], context: Context) -> None:
    if safe.class_name(type(columns)) == "MultiIndex":
        context.note(variable, "R", f"column labels have {len(safe.native(columns, '_levels') or ())} levels")
    elif (
        labels
        and any(type(label) is not str for label in labels[:2000])
        and safe.class_name(type(columns)) != "RangeIndex"
    ):
        kinds = sorted({safe.class_name(type(label)) for label in labels[:2000]})
        context.note(variable, "R", f"column labels are {' and '.join(kinds[:3])}")
    if len(labels) <= 20000 and safe.all_of(labels, str):
        seen: set[str] = set()
        twice = [label for label in labels if label in seen or seen.add(label)]  # type: ignore[func-returns-value]
        if twice:
            context.note(variable, "R", f"duplicate column labels: {context.names(dict.fromkeys(twice), 5)}")
        blank = [label for label in labels[:500] if label != label.strip()]
        if blank and not context.hide_names:
            context.note(
                variable, "R", f"column labels with blanks around them: {', '.join(repr(label) for label in blank[:8])}"
            )


def index_notes(variable: Variable, index: Any, height: int, context: Context) -> None:
    """What is not the default about a row index."""
    kind = safe.class_name(type(index))
    if kind == "RangeIndex":
        found = safe.native(index, "_range")
        if type(found) is range and (found.start, found.step) != (0, 1):
            context.note(variable, "V", f"index {found!r}", data=True)
        return
    if kind == "MultiIndex":
        names = safe.native(index, "_names") or ()
        context.note(variable, "R", f"MultiIndex of {len(names)} levels: {context.names(names, 6, 'level ')}")
        return
    array = safe.native(index, "_data")
    text = f"index {frame_values.dtype_name(array)}" if kind == "Index" else f"index {kind}"
    name = safe.native(index, "_name")
    if name is not None:
        text += f" named {context.label(name, 0, 'index ')!r}" if type(name) is str else ""
    twice = (
        frame_values.has_duplicates(array, height, context) if array is not None and height and context.values else None
    )
    context.note(variable, "R", text)
    told = ["has duplicates" if twice else "unique"] if twice is not None else []
    if context.values and array is not None and height:
        holder = Column("index")
        frame_values.describe(holder, array, height, context)
        told += [re.sub(r"^\d+ distinct ?", "", note.text) for note in holder.notes[:4]]
    context.note(variable, "V", f"index values {', '.join(filter(None, told))}" if any(told) else None)


def series(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Series: length, dtype, name, values, index."""
    manager = safe.native(value, "_mgr")
    blocks = getattr(manager, "blocks", None)
    axes = getattr(manager, "axes", None)
    if not blocks or not axes:
        context.note(variable, "R", "its values are not laid out as expected; not read")
        return
    array, height = blocks[0].values, frame_values.index_length(axes[0])
    context.shape(variable, f"({height},)")
    context.dtype(variable, frame_values.dtype_name(array))
    name = safe.native(value, "_name")
    if name is not None:
        told = repr(context.label(name, 0)) if type(name) is str or context.hide_names else context.say(name)
        context.note(variable, "R", f"name {told}" if told else None)
    if not height:
        context.note(variable, "S", "empty")
    elif context.values:
        state = frame_values.describe(variable, array, height, context)
        if state == 0 and not any(note.text == "no NaN" for note in variable.notes):
            context.note(variable, "V", "no missing value")
    index_notes(variable, axes[0], height, context)
    if depth == 0:
        frame_values.answers(variable, variable.name, None, axes[0], context)


def index(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Index of any kind."""
    height = frame_values.index_length(value)
    context.shape(variable, f"({height},)")
    kind = safe.class_name(type(value))
    if kind == "RangeIndex":
        context.note(variable, "V", repr(safe.native(value, "_range")), data=True)
    elif kind == "MultiIndex":
        context.note(
            variable,
            "R",
            f"{len(safe.native(value, '_levels') or ())} levels: {context.names(safe.native(value, '_names') or (), 6)}",
        )
    else:
        array = safe.native(value, "_data")
        context.dtype(variable, frame_values.dtype_name(array))
        if context.values and height and array is not None:
            frame_values.describe(variable, array, height, context)


def extension_array(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A bare extension array, such as a Categorical."""
    height = frame_values.array_length(value)
    context.shape(variable, f"({height},)" if height is not None else None)
    context.dtype(variable, frame_values.dtype_name(value))
    if context.values and height:
        frame_values.describe(variable, value, height, context)


def group_by(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Group-bys, rollings, resamplers: what they group and by which keys; nothing is grouped."""
    keys = safe.native(value, "keys")
    if type(keys) is str:
        context.note(variable, "R", f"by {context.label(keys, 0)!r}")
    elif type(keys) is list and all(type(key) is str for key in keys):
        context.note(variable, "R", f"by {context.names(keys, 8)}")
    elif keys is not None:
        context.note(variable, "R", f"by {safe.class_name(type(keys))}")
    source = safe.native(value, "obj")
    if source is not None:
        context.nested(variable, [("obj", source)], depth)


def stamp(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Timestamp, Timedelta, Period: the value."""
    if safe.genuine(type(value)):
        zone = (
            safe.class_module(type(value.tzinfo))
            if safe.class_name(type(value)) == "Timestamp" and value.tzinfo is not None
            else "pytz"
        )
        if zone.partition(".")[0] in ("pytz", "zoneinfo", "datetime", "dateutil", "pandas"):
            context.note(variable, "V", str(value), data=True)


def missing_value(variable: Variable, value: Any, context: Context, depth: int) -> None:
    context.note(variable, "V", "missing value")


HANDLERS: dict[str, Handler] = {
    "DataFrame": frame,
    "Series": series,
    "Index": index,
    "ExtensionArray": extension_array,
    "BaseGroupBy": group_by,
    "GroupBy": group_by,
    "BaseWindow": group_by,
    "Resampler": group_by,
    "Timestamp": stamp,
    "Timedelta": stamp,
    "Period": stamp,
    "NAType": missing_value,
    "NaTType": missing_value,
}
