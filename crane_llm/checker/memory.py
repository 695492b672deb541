"""Which memory an object's data lies in, so that views of written data are recognised.

NumPy arrays, pandas objects and torch tensors may share a buffer without reaching each other in Python. Types are looked up by
name in modules that are already imported; nothing is imported here.
"""

from __future__ import annotations

import array
import gc
import sys
import types
from typing import Any

from .values import is_a

_NOT_DATA = (types.ModuleType, types.CodeType, types.FrameType, types.TracebackType)


class Ranges:
    """A set of address ranges, each (start, end) in bytes."""

    def __init__(self) -> None:
        self.items: list[tuple[int, int]] = []

    def __bool__(self) -> bool:
        return bool(self.items)

    def add(self, items: list[tuple[int, int]]) -> None:
        self.items.extend(items)

    def overlaps(self, items: list[tuple[int, int]]) -> bool:
        return any(low < end and start < high for low, high in items for start, end in self.items)


def is_buffer(obj: Any) -> bool:
    """Whether ``obj`` is an array, a pandas object or a tensor."""
    return _library(obj) is not None


def _library(obj: Any) -> str | None:
    for name, attributes in (
        ("numpy", ("ndarray",)),
        ("pandas", ("DataFrame", "Series", "Index")),
        ("torch", ("Tensor",)),
    ):
        module = sys.modules.get(name)
        if module is not None:
            for attribute in attributes:
                kind = getattr(module, attribute, None)
                if isinstance(kind, type) and issubclass(type(obj), kind):
                    return name
    return None


def ranges_of(obj: Any) -> list[tuple[int, int]]:
    """The address ranges that hold the data of ``obj``; empty for other objects and where they cannot be told."""
    library = _library(obj)
    try:
        if type(obj) in (bytearray, array.array) and obj and "numpy" in sys.modules:  # arrays may be views of it
            return _array(sys.modules["numpy"].frombuffer(obj, dtype="u1"))
        if library == "numpy":
            return _array(obj)
        if library == "torch":
            if type(obj).__module__.partition(".")[0] != "torch":  # a class of its own decides what its methods do
                return []
            storage = obj.untyped_storage()
            start = storage.data_ptr()
            return [(start, start + storage.nbytes())] if start else []
        if library == "pandas":
            return [item for values in _blocks(obj) for item in _array(values)]
    except Exception:  # a half-made object has no memory that we could name
        return []
    return []


def _array(values: Any) -> list[tuple[int, int]]:
    numpy = sys.modules["numpy"]
    if not is_a(values, numpy.ndarray):
        inner = getattr(values, "_ndarray", None)
        if inner is None:
            inner = getattr(values, "_codes", None)
        values = inner if is_a(inner, numpy.ndarray) else None
    if values is None or not values.nbytes:
        return []
    while is_a(values.base, numpy.ndarray):
        values = values.base
    low = values.__array_interface__["data"][0]
    bounds = getattr(getattr(numpy.lib, "array_utils", None), "byte_bounds", None) or numpy.byte_bounds
    return [tuple(bounds(values))] if low else []  # type: ignore[list-item]


def _blocks(obj: Any) -> list[Any]:
    manager = getattr(obj, "_mgr", None)
    if manager is not None and hasattr(manager, "blocks"):
        return [block.values for block in manager.blocks]
    values = getattr(obj, "_data", None)
    return [values] if values is not None else []


def referents(obj: Any) -> list[Any]:
    """What code that is given ``obj`` can reach through it, attributes and what an object written in C holds alike.

    A partial object holds its function, a cached function the original, a universal function made of one of Python that one. Modules
    and what an exception's traceback leads to are left out.
    """
    if type(obj).__name__ == "flatiter" and type(obj).__module__ == "numpy":  # it does not tell the collector
        return [obj.base]
    return [part for part in gc.get_referents(obj) if not is_a(part, _NOT_DATA)]


def references(obj: Any) -> list[Any]:
    """Python objects that an array or a pandas object holds (elements of object dtype are not followed)."""
    if _library(obj) == "torch" and type(obj).__module__.partition(".")[0] == "torch":
        grad = obj.grad if obj.is_leaf else None
        return [grad] if grad is not None else []
    return []
