"""Cheap fingerprints of values: taken before and after a cell runs, they tell whether the cell changed a value in place.

A stamp holds hashes, ids and plain facts (shape, columns, length), never the value or anything that it holds. Its cost
does not grow with the value: metadata, and a fixed number of sampled elements. ``exact`` says whether the stamp covers
the whole value, so that equal stamps mean that nothing changed; a sampled or opaque value may have changed unseen.

No code of the person runs here: library objects are read through their classes' own descriptors or instance
dictionaries, other objects through their instance dictionary only. Nothing is compared with ``==`` on user values.
"""

from __future__ import annotations

import sys
import types
from collections import deque
from itertools import islice
from typing import Any, Optional

from .kinds import (
    HEAP_TYPE,
    IMMUTABLE,
    dict_of,
    flags_of,
    has_dict,
    instance_dict,
    is_code,
    module_of,
    mro_of,
    name_of,
    type_name,
)

SAMPLE = 32
"""Elements looked at in a container or an array."""
MOST_COLUMNS = 2000
"""Column labels kept of a frame, for saying which ones a cell removed."""
MOST_KEYS = 100
"""Keys kept of a dictionary, and columns whose dtype is kept of a frame."""
MOST_PLACES = 64
"""Columns of a frame whose values are sampled."""
MOST_VISITS = 160
"""Objects visited for one stamp."""
DEEPEST = 4

_SCALARS = frozenset((int, float, complex, bool, type(None)))


class Stamp:
    """What is remembered of a value. ``content`` compares by equality; ``facts`` hold what a person can be told."""

    __slots__ = ("content", "exact", "facts", "kind")

    def __init__(self, kind: str, content: Any, exact: bool, facts: dict) -> None:
        self.kind = kind
        self.content = content
        self.exact = exact
        self.facts = facts


def stamp(value: Any) -> Optional[Stamp]:
    """The stamp of a value, or None when it has no state to watch. Never raises."""
    try:
        walk = _Walk()
        content = walk.look(value, 0)
        return Stamp(type_name(value), content, walk.exact, walk.facts)
    except Exception:  # half-built objects, hostile descriptors, a library that moved its internals
        return None


class _Walk:
    """Collects one stamp. `look` returns a hashable or comparable summary and lowers ``exact`` where it skips something."""

    def __init__(self) -> None:
        self.exact = True
        self.facts: dict = {}
        self.left = MOST_VISITS
        self.seen: set = set()

    def look(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _SCALARS:
            return (kind, hash(value))
        if kind in IMMUTABLE:
            return id(value) if kind not in (str, bytes) or len(value) > 256 else hash(value)
        if is_code(value):
            return id(value)
        if self.left <= 0 or depth > DEEPEST or id(value) in self.seen:
            self.exact = self.exact and id(value) in self.seen
            return id(value)
        self.left -= 1
        self.seen.add(id(value))
        reader = _READERS.get(kind)
        if reader is None:
            reader = _library_reader(kind)
        return (id(value) if depth else 0, reader(self, value, depth))

    def fact(self, depth: int, **facts: Any) -> None:
        if depth == 0:
            self.facts.update(facts)

    # Containers: the length, the identity of sampled elements, and the state of elements that can change.

    def sequence(self, value: Any, depth: int) -> Any:
        size = len(value)
        self.fact(depth, length=size)
        if size <= SAMPLE:
            picked = list(value)
        else:
            self.exact = False
            step = max(1, size // (SAMPLE - 2))
            picked = [value[i] for i in range(0, size, step)][: SAMPLE - 1] + [value[-1]]
        return (size, tuple(self.look(item, depth + 1) for item in picked))

    def queue(self, value: Any, depth: int) -> Any:
        size = len(value)
        self.fact(depth, length=size)
        if size <= SAMPLE:
            return (size, tuple(self.look(item, depth + 1) for item in value))
        self.exact = False  # indexing into the middle of a deque is slow
        return (size, tuple(self.look(value[i], depth + 1) for i in (0, 1, -2, -1)))

    def mapping(self, value: Any, depth: int) -> Any:
        size = len(value)
        self.fact(depth, length=size)
        if depth == 0 and size <= MOST_KEYS:
            self.facts["keys"] = tuple(_label(k) for k in value)
        if size > SAMPLE:
            self.exact = False
            last = next(reversed(value.items())) if hasattr(dict, "__reversed__") else ()
            items = [*islice(value.items(), SAMPLE - 1), last]
        else:
            items = list(value.items())
        return (size, tuple((id(k), self.look(v, depth + 1)) for k, v in items))

    def group(self, value: Any, depth: int) -> Any:
        size = len(value)
        self.fact(depth, length=size)
        self.exact = self.exact and size <= SAMPLE
        return (size, tuple(id(item) for item in islice(value, SAMPLE)))

    def octets(self, value: Any, depth: int) -> Any:
        size = len(value)
        self.fact(depth, length=size)
        self.exact = self.exact and size <= 4096
        return (size, bytes(value[:2048]), bytes(value[-2048:]))

    def generator(self, value: Any, depth: int) -> Any:
        frame = value.gi_frame
        self.exact = False
        self.fact(depth, finished=frame is None)
        return None if frame is None else frame.f_lasti

    # Objects with an instance dictionary: classes of the notebook, estimators, modules, models.

    def instance(self, value: Any, depth: int) -> Any:
        state = instance_dict(value)
        if type(state) is not dict:
            self.exact = False
            return id(state)
        fitted = tuple(k for k in state if type(k) is str and k.endswith("_") and not k.startswith("_"))
        self.fact(depth, fitted=fitted, attributes=tuple(k for k in islice(state, 200) if type(k) is str))
        if len(state) > SAMPLE * 2:
            self.exact = False
        # A class with C parts or slots keeps state that its dictionary does not show.
        if not _plain_class(type(value)):
            self.exact = False
        watched = {k: self.look(v, depth + 1) for k, v in islice(state.items(), SAMPLE * 2) if type(k) is str}
        return (len(state), watched)

    def opaque(self, value: Any, depth: int) -> Any:
        self.exact = False
        return id(value)

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
        if kind in _SCALARS or (kind in (str, bytes) and len(item) <= 256):
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
        return (size, _label(name), _dtype_name(block.dtype), self._index(index), cells)

    def index(self, value: Any, depth: int) -> Any:
        return self._index(value)

    def _index(self, index: Any) -> Any:
        """Row labels by their values: an operation that changes none of them may still put a new index object there."""
        numpy = sys.modules["numpy"]
        state = getattr(index, "__dict__", {})
        size = len(index)
        label = _label(state.get("_name"))
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
        base = sys.modules["torch"].Tensor
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


def _label(label: Any) -> Any:
    """A label as plain data: text and numbers as they are, tuples of them, anything else by its type's name."""
    if type(label) in (str, int, float, bool, type(None)):
        return label
    if type(label) is tuple:
        return tuple(_label(part) for part in label)
    item = getattr(label, "item", None) if module_of(type(label)) == "numpy" else None
    return _label(item()) if item is not None and type(item()) in _SCALARS else f"<{name_of(type(label))}>"


def _labels(index: Any) -> Optional[tuple]:
    """The labels of an axis, or None when there are too many to keep."""
    if len(index) > MOST_COLUMNS:
        return None
    labels = index.tolist()
    return tuple(labels) if set(map(type, labels)) <= {str, int, float} else tuple(map(_label, labels))


def _dtypes(blocks: Any, labels: tuple) -> dict:
    kinds = {}
    for block in blocks:
        kind = _dtype_name(block.dtype)
        for place in block.mgr_locs.as_array.tolist():
            kinds[labels[place]] = kind
    return kinds


_PLAIN: dict = {}


def _plain_class(kind: type) -> bool:
    """True when instances keep all their state in their dictionary. Remembered by class name and module, not by class."""
    key = (module_of(kind), name_of(kind))
    if key not in _PLAIN:
        if len(_PLAIN) > 500:
            _PLAIN.clear()
        _PLAIN[key] = all(
            base is object or (flags_of(base) & HEAP_TYPE and not dict_of(base).get("__slots__"))
            for base in mro_of(kind)
        )
    return _PLAIN[key]


_READERS: dict = {
    list: _Walk.sequence,
    tuple: _Walk.sequence,
    dict: _Walk.mapping,
    set: _Walk.group,
    bytearray: _Walk.octets,
    deque: _Walk.queue,
    types.GeneratorType: _Walk.generator,
}
_LIBRARY = (
    ("numpy", "ndarray", _Walk.ndarray),
    ("pandas", "DataFrame", _Walk.frame),
    ("pandas", "Series", _Walk.series),
    ("pandas", "Index", _Walk.index),
    ("torch", "Tensor", _Walk.tensor),
)


def _library_reader(kind: type) -> Any:
    """The reader for instances of a class, found without importing anything."""
    for module, name, reader in _LIBRARY:
        owner = getattr(sys.modules.get(module), name, None)
        if owner is not None and owner in mro_of(kind):
            return reader
    for base, reader in ((list, _Walk.sequence), (dict, _Walk.mapping), (set, _Walk.group), (deque, _Walk.queue)):
        if base in mro_of(kind):
            return _safe_subclass(kind, base, reader)
    return _Walk.instance if has_dict(kind) else _Walk.opaque


def _safe_subclass(kind: type, base: type, reader: Any) -> Any:
    """A subclass of a container is read as one only when it overrides nothing that reading uses."""
    used = ("__len__", "__iter__", "__getitem__", "items", "__reversed__")
    for name in used:
        owner = next((c for c in mro_of(kind) if name in dict_of(c)), None)
        if owner is not None and owner not in base.__mro__ and module_of(owner) != "collections":
            return _Walk.instance if has_dict(kind) else _Walk.opaque
    return reader
