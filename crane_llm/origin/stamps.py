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
from .limits import DEEPEST, LONGEST_TEXT, MOST_KEYS, MOST_VISITS, SAMPLE
from .stamps_arrays import SCALARS, ArrayReaders, plain_label, scalar


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


class _Walk(ArrayReaders):
    """Collects one stamp. `look` returns a hashable or comparable summary and lowers ``exact`` where it skips something."""

    def __init__(self) -> None:
        self.exact = True
        self.facts: dict = {}
        self.left = MOST_VISITS
        self.seen: set = set()

    def look(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in SCALARS:
            return scalar(value)
        if kind in IMMUTABLE:
            return id(value) if kind not in (str, bytes) or len(value) > LONGEST_TEXT else hash(value)
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
            self.facts["keys"] = tuple(plain_label(k) for k in value)
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
    for base in (list, dict, set, deque):
        if base in mro_of(kind):
            return _safe_subclass(kind, base, _READERS[base])
    return _Walk.instance if has_dict(kind) else _Walk.opaque


def _safe_subclass(kind: type, base: type, reader: Any) -> Any:
    """A subclass of a container is read as one only when it overrides nothing that reading uses."""
    used = ("__len__", "__iter__", "__getitem__", "items", "__reversed__")
    for name in used:
        owner = next((c for c in mro_of(kind) if name in dict_of(c)), None)
        if owner is not None and owner not in base.__mro__ and module_of(owner) != "collections":
            return _Walk.instance if has_dict(kind) else _Walk.opaque
    return reader
