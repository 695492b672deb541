"""Short statements about values, for the walk's report to the model and the benchmarks."""

from __future__ import annotations

import types

from .memory import is_buffer
from .values import ATOMS, Value


def brief(value: Value) -> str:
    """What is known of a value in a few words; empty where nothing worth saying is. Holds no data of the person."""
    kind = value.known_type
    if kind is None or kind is types.ModuleType:
        return ""
    name = kind.__name__
    if value.unknown:
        return f"{name} (type only)"
    obj = value.obj
    if is_buffer(obj):
        shape = tuple(getattr(obj, "shape", ()))
        dtype = getattr(obj, "dtype", None) if not hasattr(obj, "columns") else None
        return f"{name} {shape}" + (f" {dtype}" if dtype is not None else "") + ("" if value.exact else " (stand-in)")
    if kind in ATOMS:
        return name
    if kind in (list, tuple, dict, set):
        return f"{name} of {len(obj)}"
    return name
