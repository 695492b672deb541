"""Stamps of arrays, frames and tensors: metadata and sampled elements, read without running their properties."""

from __future__ import annotations

import sys
from typing import Any, Optional

from .kinds import instance_dict, module_of, name_of
from .limits import LONGEST_TEXT, MOST_COLUMNS, MOST_KEYS, MOST_PLACES, SAMPLE

SCALARS = frozenset((int, float, complex, bool, type(None)))
_PLAIN_INT = 1 << 62


def scalar(value: Any) -> Any:
    """A number as something that compares by value and type: ``hash`` alone takes -1 for -2 and 1 for 1.0."""
    kind = type(value)
    if kind is int and -_PLAIN_INT < value < _PLAIN_INT:
        return value
    if kind is float:
        return ("float", value if value == value else "nan")
    return (kind.__name__, hash(value))


class ArrayReaders:
    """Readers of a walk for NumPy, pandas and torch. The walk gives ``exact`` and `fact`."""

    exact: bool
    facts: dict

    def fact(self, depth: int, **facts: Any) -> None:
        raise NotImplementedError

    # NumPy

    def ndarray(self, value: Any, depth: int) -> Any:
        numpy = sys.modules["numpy"]
        base = numpy.ndarray
        shape, dtype = base.shape.__get__(value), base.dtype.__get__(value)
        self.fact(depth, shape=shape, dtype=_dtype_name(dtype))
        return (shape, dtype.str, base.strides.__get__(value), self._elements(value, numpy))

    def _elements(self, value: Any, numpy: Any) -> Any:
        """Sampled elements of an array as bytes, or their ids when they are objects."""
        size = numpy.ndarray.size.__get__(value)
        if size == 0:
            return b""
        if type(value) is not numpy.ndarray:  # a memory map would read from disk, a masked array hides state
            self.exact = False
            return None
        flat = numpy.ndarray.flat.__get__(value)
        if size <= SAMPLE * 8:
            picked = flat[:]
        else:
            self.exact = False
            picked = flat[:: max(1, size // SAMPLE)] if size < 1 << 16 else flat[_positions(size, numpy)]
        return self._bytes(picked)

    # pandas: blocks of arrays behind the frame, read without running its properties.

    def frame(self, value: Any, depth: int) -> Any:
        manager = instance_dict(value)["_mgr"]
        axes = manager.axes
        columns = axes[0]
        labels = _labels(columns)
        shape = (len(axes[1]), len(columns))
        self.fact(depth, shape=shape, columns=labels)
        blocks = manager.blocks
        if depth == 0 and labels is not None and len(labels) <= MOST_KEYS:
            self.facts["dtypes"] = _dtypes(blocks, labels)
        cells = self._cells(blocks, shape) if depth < 2 else ()
        return (shape, labels if labels is not None else id(columns), self._index(axes[1]), cells)

    def _cells(self, blocks: Any, shape: tuple) -> tuple:
        """Sampled cells by column place. Not by block: pandas merges blocks when it likes, which changes no value."""
        numpy = sys.modules["numpy"]
        rows, width = shape
        if rows > SAMPLE * 2 or width > MOST_PLACES:
            self.exact = False
        picked = slice(None) if rows <= SAMPLE * 2 else _positions(rows, numpy)
        cells: dict = {}
        for block in blocks:
            if len(cells) >= MOST_PLACES:
                break
            places = block.mgr_locs.as_array
            kind, values = _dtype_name(block.dtype), block.values
            if type(values) is numpy.ndarray:
                part = values[:MOST_PLACES, picked]
                for place, line in zip(places[:MOST_PLACES].tolist(), part):
                    if place < MOST_PLACES:
                        cells[place] = (kind, self._bytes(line))
            elif places[0] < MOST_PLACES:
                cells[int(places[0])] = (kind, self._extension(values, picked))
        return tuple(sorted(cells.items()))

    def _bytes(self, picked: Any) -> Any:
        if picked.dtype.hasobject:
            return tuple(self._cell(item) for item in picked.tolist())
        return picked.tobytes()

    def _cell(self, item: Any) -> Any:
        kind = type(item)
        if kind in SCALARS:
            return scalar(item)
        if kind in (str, bytes) and len(item) <= LONGEST_TEXT:
            return hash(item)
        self.exact = False
        return id(item)

    def _extension(self, values: Any, picked: Any) -> Any:
        """An extension array: sampled where it keeps plain arrays, by identity where its data cannot change."""
        numpy = sys.modules["numpy"]
        parts: list = []
        for name in ("_ndarray", "_codes", "_data", "_mask", "_pa_array"):
            part: Any = getattr(values, name, None)
            if type(part) is numpy.ndarray:
                parts.append((name, part.shape, self._bytes(part[picked] if part.ndim == 1 else part[..., picked])))
            elif name == "_pa_array" and part is not None:
                parts.append((name, id(part)))  # an arrow array cannot change; assignment puts another in its place
        if not parts:
            self.exact = False
        return tuple(parts)

    def series(self, value: Any, depth: int) -> Any:
        manager = instance_dict(value)["_mgr"]
        index = manager.axes[0]
        block = manager.blocks[0]
        self.fact(depth, shape=(len(index),), dtype=_dtype_name(block.dtype))
        name = instance_dict(value).get("_name")
        size = len(index)
        self.exact = self.exact and size <= SAMPLE * 2
        numpy = sys.modules["numpy"]
        picked = slice(None) if size <= SAMPLE * 2 else _positions(size, numpy)
        array = block.values
        cells = self._bytes(array[picked]) if type(array) is numpy.ndarray else self._extension(array, picked)
        return (size, plain_label(name), _dtype_name(block.dtype), self._index(index), cells)

    def index(self, value: Any, depth: int) -> Any:
        return self._index(value)

    def _index(self, index: Any) -> Any:
        """Row labels by their values: an operation that changes none of them may still put a new index object there."""
        numpy = sys.modules["numpy"]
        state = getattr(index, "__dict__", {})
        size = len(index)
        label = plain_label(state.get("_name"))
        if type(state.get("_range")) is range:
            return (size, label, state["_range"])
        picked = slice(None) if size <= SAMPLE * 2 else _positions(size, numpy)
        data: Any = state.get("_data")
        if type(data) is numpy.ndarray:
            return (size, label, self._bytes(data[picked]))
        if data is None:  # several levels, or intervals
            self.exact = False
            return (size, label)
        return (size, label, self._extension(data, picked))

    # torch counts in-place changes itself.

    def tensor(self, value: Any, depth: int) -> Any:
        torch = sys.modules["torch"]
        if type(value) not in (
            torch.Tensor,
            torch.nn.Parameter,
        ):  # a subclass may have every access run code of its own
            self.exact = False
            return id(value)
        base = torch.Tensor
        shape = tuple(value.shape)
        self.fact(depth, shape=shape, dtype=str(value.dtype))
        state = (shape, str(value.dtype), value.requires_grad, value.data_ptr() if value.device.type == "cpu" else 0)
        return (*state, base._version.__get__(value))


_POSITIONS: dict = {}
_DTYPES: dict = {}


def _positions(size: int, numpy: Any) -> Any:
    """Indices of sampled elements, spread over an array of ``size`` elements, both ends included."""
    found = _POSITIONS.get(size)
    if found is None:
        if len(_POSITIONS) > 200:
            _POSITIONS.clear()
        found = _POSITIONS[size] = numpy.linspace(0, size - 1, SAMPLE).astype(numpy.intp)
    return found


def _dtype_name(dtype: Any) -> str:
    """``str(dtype)``, remembered: NumPy works it out anew each time."""
    if module_of(type(dtype)).partition(".")[0] != "numpy":
        return str(dtype)
    found = _DTYPES.get(dtype)
    if found is None:
        if len(_DTYPES) > 200:
            _DTYPES.clear()
        found = _DTYPES[dtype] = str(dtype)
    return found


def plain_label(label: Any) -> Any:
    """A label as plain data: text and numbers as they are, tuples of them, anything else by its type's name."""
    if type(label) in (str, int, float, bool, type(None)):
        return label
    if type(label) is tuple:
        return tuple(plain_label(part) for part in label)
    item = getattr(label, "item", None) if module_of(type(label)) == "numpy" else None
    return plain_label(item()) if item is not None and type(item()) in SCALARS else f"<{name_of(type(label))}>"


def _labels(index: Any) -> Optional[tuple]:
    """The labels of an axis, or None when there are too many to keep."""
    if len(index) > MOST_COLUMNS:
        return None
    labels = index.tolist()
    return tuple(labels) if set(map(type, labels)) <= {str, int, float} else tuple(map(plain_label, labels))


def _dtypes(blocks: Any, labels: tuple) -> dict:
    kinds = {}
    for block in blocks:
        kind = _dtype_name(block.dtype)
        for place in block.mgr_locs.as_array.tolist():
            kinds[labels[place]] = kind
    return kinds
