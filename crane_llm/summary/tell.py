"""Words for what `scan` and `elements` found."""

from __future__ import annotations

from typing import Any

from . import values
from .context import Context
from .model import Column, Variable
from .scan import FEW, DateText, Stats


def scale(stats: Stats, kind: str) -> str:
    """*constant*, *binary*, *categorical (n)*, *continuous*, or an empty text where nothing of that is certain. No data in it."""
    if stats.count - stats.nan == 0 or not stats.read:
        return ""
    if stats.distinct == 1:
        return "constant"
    fractional = kind == "f" and stats.values is not None and any(value != int(value) for value in stats.values)
    if fractional:
        return f"continuous, {stats.distinct} distinct"
    if stats.distinct == 2:
        return "binary"
    if stats.distinct is not None and stats.distinct <= FEW and stats.count >= 2 * stats.distinct:
        return f"categorical ({stats.distinct})"
    if kind == "f" and (stats.many or (stats.distinct or 0) > FEW):
        return "continuous"
    return f"{stats.distinct} distinct" if stats.distinct is not None else ""


def extent(stats: Stats) -> str:
    """The distinct values when they are at most six, else lowest..highest."""
    if stats.low is None:
        return ""
    if stats.low == stats.high and stats.distinct == 1:
        return bound(stats.low)
    if stats.values is not None and len(stats.values) <= 6:
        return "{" + ", ".join(values.number(value) for value in stats.values) + "}"
    return f"{bound(stats.low)}..{bound(stats.high)}"


def bound(value: Any) -> str:
    return str(value) if isinstance(value, DateText) else values.number(value)


def numbers(target: Variable | Column, stats: Stats, kind: str, context: Context, say_clean: bool = True) -> None:
    """Add notes on a numeric array. ``say_clean`` also says that there is no NaN (only when all was read)."""
    mark = stats.sampling()
    if mark:
        target_sampled(target)
        context.note(target, "V", mark)
    inside = " in the sample" if mark else ""
    if stats.count and not stats.read:
        return
    word = "NaT" if kind in "mM" else "NaN"
    if stats.nan:
        every = stats.nan == stats.read and stats.read > 0
        context.note(target, "V", f"all {word}{inside}" if every else f"{word} {stats.nan}{inside}")
    elif say_clean and kind in "fcmM" and stats.count:
        context.note(target, "V", f"no {word}{inside}")
    if stats.infinite:
        context.note(target, "V", f"infinite {stats.infinite}{inside}")
    label = "" if mark and not stats.many else scale(stats, kind)
    span = "" if context.schema_only or (kind == "b" and stats.distinct == 2) else extent(stats)
    context.note(target, "V", f"{label} {span}{inside if span else ''}".strip())


def target_sampled(target: Variable | Column) -> None:
    if isinstance(target, Variable):
        target.sampled = True
