"""Overlay copies of frames and series: shallow ones where a write only replaces columns or axes, deep ones where it reaches into data."""

from __future__ import annotations

from typing import Any

from ...readers import undisturbed_copy
from .kinds import COPY_BYTES, copy_on_write, is_frame, modern, size


def shallow(interp: Any, obj: Any) -> Any:
    """A frame or series to replace columns or axes of; it may share data with the person's."""
    if not modern():
        return deep(interp, obj)
    heap = interp.heap
    obj = heap.resolve(obj)
    if heap.owns(obj):
        return obj
    twin = heap.writable(obj, lambda o: undisturbed_copy(o, False), touch=False)
    shares(interp)[id(twin)] = twin
    return twin


def deep(interp: Any, obj: Any) -> Any:
    """A frame or series whose data may be written to; None where it is too large to copy."""
    heap = interp.heap
    obj = heap.resolve(obj)
    touch = not copy_on_write()
    if heap.owns(obj):
        if id(obj) in shares(interp):
            if size(obj) > COPY_BYTES or not interp.budget.affords(size(obj) * 2e-9):
                return None
            if touch:
                heap.touch_memory(obj)
            object.__setattr__(obj, "_mgr", obj.copy()._mgr)
            _forget_items(obj)
            del shares(interp)[id(obj)]
        return obj
    if size(obj) > COPY_BYTES or not interp.budget.affords(size(obj) * 2e-9):
        return None
    return heap.writable(obj, lambda o: undisturbed_copy(o, True), touch=touch)


def shares(interp: Any) -> dict[int, Any]:
    """Our copies whose data is still the person's (or shared with another object)."""
    found = getattr(interp, "pandas_shares", None)
    if found is None:
        found = interp.pandas_shares = {}
    return found


def _forget_items(obj: Any) -> None:
    cache = getattr(obj, "_item_cache", None)
    if isinstance(cache, dict):
        cache.clear()


def parent_of(interp: Any, series: Any) -> tuple[Any, Any] | None:
    """(frame, column) that a series was taken from and still writes through to, where copies are not made on write."""
    if copy_on_write():
        return None
    cacher = getattr(series, "_cacher", None)
    if not cacher:
        return None
    frame = cacher[1]()
    if frame is None or not is_frame(frame):
        return None
    live = interp.heap.readers.original(frame)
    return live, cacher[0]


def through_parent(interp: Any, series: Any) -> tuple[Any, Any] | None:
    """(frame copy, column series of it) to write to in place of a column that writes through to its frame."""
    found = parent_of(interp, series)
    if found is None:
        return None
    live, column = found
    frame = deep(interp, live)
    if frame is None:
        return None
    try:
        item = frame[column]
    except Exception:  # the frame has changed since
        return None
    if type(item) is not type(series):
        return None
    interp.heap.replace(series, item)
    return frame, item
