"""Iteration over pandas objects: columns, values, groups, rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

from ...streams import Stream
from ...values import Abandon, Value, exact
from .kinds import is_frame, is_index, is_series

GROUPS = 2_000


def items(interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
    """What ``for item in obj`` gives; None where it is not followed."""
    survey = interpreter.surveyor.look([obj])
    if survey.opaque or survey.callbacks or survey.domains:
        return None
    reader = interpreter.heap.reading(obj)
    if is_frame(obj):
        return _guarded(interpreter, obj, iter(list(reader.columns)))
    if is_series(obj) or is_index(obj):
        if not interpreter.budget.affords(1e-4 + len(obj) * 5e-8):
            return None
        return _guarded(interpreter, obj, iter(reader))
    kind = type(obj).__name__
    if kind in ("DataFrameGroupBy", "SeriesGroupBy") and interpreter.budget.affords(2e-3 + survey.weight * 1e-8):
        count = interpreter.quiet_call(event, lambda: obj.ngroups)
        if count <= GROUPS:
            return _guarded(interpreter, getattr(obj, "obj", obj), interpreter.quiet_call(event, lambda: iter(obj)))
    if (
        kind
        in (
            "Categorical",
            "DatetimeArray",
            "StringArray",
            "NumpyExtensionArray",
            "PandasArray",
            "ArrowStringArray",
            "IntegerArray",
        )
        and len(obj) <= 100_000
    ):
        return (interpreter.heap.wrap(item) for item in obj)
    if kind in ("Rolling", "Expanding"):
        return None
    return None


def _guarded(interpreter: Any, obj: Any, source: Iterator[Any]) -> Iterator[Value]:
    """The elements of ``source``; where the cell has changed ``obj`` meanwhile, nothing more is known."""
    live = interpreter.heap.readers.original(obj)
    first = interpreter.heap.resolve(live)
    version = _version(first)
    for item in source:
        yield interpreter.heap.wrap(item)
        now = interpreter.heap.resolve(live)
        if now is not first or interpreter.heap.is_dirty(now) or _version(now) != version:
            if is_frame(first):  # columns were listed at the start; only what is read from the frame is new
                continue
            raise Abandon("what is iterated over was changed")


def _version(obj: Any) -> Any:
    return id(getattr(obj, "_mgr", None))


def _rows(name: str, cost: float) -> Any:
    """``iterrows`` and its kin, as a stream."""

    def handler(interpreter: Any, call: Any) -> Value | None:
        obj = call.receiver
        if not (is_frame(obj) or is_series(obj)) or not call.exact:
            return None
        if interpreter.surveyor.look([obj]).opaque:
            return None
        args, kwargs = [v.obj for v in call.args], {k: v.obj for k, v in call.kwargs.items()}
        reader = interpreter.heap.reading(obj)
        walk = interpreter.quiet_call(call.event, lambda: getattr(reader, name)(*args, **kwargs))
        return exact(
            Stream(
                "generator" if name in ("iterrows", "items") and is_frame(obj) else "zip" if is_series(obj) else "map",
                lambda: _walk(interpreter, obj, walk, name),
            )
        )

    return handler


def _walk(interpreter: Any, obj: Any, walk: Any, name: str) -> Iterator[Value]:
    heap = interpreter.heap
    first = heap.resolve(obj)
    whole = (
        name == "iterrows" and len(getattr(first._mgr, "blocks", ())) > 1
    )  # the rows were put together, as copies, at the start
    state = _version(first)
    next_item: Callable[[], Any] = walk.__next__ if hasattr(walk, "__next__") else iter(walk).__next__
    while True:
        now = heap.resolve(obj)
        if not whole and (now is not first or heap.is_dirty(now) or _version(now) != state):
            raise Abandon("the frame under iteration was changed")
        try:
            item = next_item()
        except StopIteration:
            return
        yield heap.wrap(item)


ITERATION: dict[str, Any] = {
    "pandas.core.frame.DataFrame.iterrows": _rows("iterrows", 3e-5),
    "pandas.core.frame.DataFrame.itertuples": _rows("itertuples", 1e-6),
    "pandas.core.frame.DataFrame.items": _rows("items", 1e-5),
    "pandas.core.frame.DataFrame.iteritems": _rows("iteritems", 1e-5),
    "pandas.core.series.Series.items": _rows("items", 1e-7),
    "pandas.core.series.Series.iteritems": _rows("iteritems", 1e-7),
}
