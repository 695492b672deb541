"""Writes that touch nothing live.

The person's objects are never written to. A write goes to a copy that the checker owns; the *overlay* maps the original to its
copy for every later read, through whatever name or container it is reached. Walks of branches that may not run put a *layer* on
top, which is taken off again. An object that an unknown operation may have changed is *dirty*: it reads as unknown.
"""

from __future__ import annotations

import collections
import gc
import types
from collections.abc import Iterable, Iterator
from typing import Any

from . import memory
from .purity.libraries import answers_itself, finalizes
from .readers import Readers
from .streams import Internal, Stream, clock
from .values import ATOMS, EXACT, PARTIAL, UNKNOWN, Hole, Value, exact, is_a, unknown

REACH_LIMIT = 4_000  # objects followed before "everything may be reached" is assumed
COPY_LIMIT = 100_000  # elements of a container that we copy in order to write to it
_VIEWS = frozenset(
    {
        "dict_keys",
        "dict_values",
        "dict_items",
        "mappingproxy",
        "memoryview",
        "enumerate",
        "zip",
        "map",
        "filter",
        "reversed",
    }
)
_LEAVES = ATOMS | {types.ModuleType, types.BuiltinFunctionType, types.CodeType}


class Layer:
    """What has been written since the layer was put on."""

    def __init__(self) -> None:
        self.owned: dict[int, Any] = {}
        self.overlay: dict[int, Any] = {}
        self.originals: dict[int, Any] = {}
        self.dirty: dict[int, Any] = {}
        self.memory = memory.Ranges()
        self.everything = False
        self.born = next(clock)
        self.advanced: list[Stream] = []  # iterators that elements were taken from

    def touched(self) -> list[Any]:
        """Every object whose state differs from what it was below this layer."""
        return list(self.originals.values()) + list(self.dirty.values())


class Heap:
    """All objects of one check, seen through the layers."""

    def __init__(self) -> None:
        self.layers: list[Layer] = [Layer()]
        self.readers = Readers()
        self.standins: dict[int, Value] = {}
        self._blurred: dict[int, tuple[Any, Value]] = {}
        self.links: dict[int, list[Any]] = {}

    # --- reading -----------------------------------------------------------------------------------

    def resolve(self, obj: Any) -> Any:
        """The object that stands for ``obj`` now."""
        obj = self.readers.original(obj)
        for layer in self.layers:
            if layer.overlay:
                obj = layer.overlay.get(id(obj), obj)
        return obj

    def reading(self, obj: Any) -> Any:
        """The object to hand to library code that reads ``obj``: a shallow twin of one of the person's pandas objects (see :mod:`readers`)."""
        return obj if self.made(obj) else self.readers.reading(obj)

    def is_dirty(self, obj: Any) -> bool:
        """Whether ``obj`` may have been changed by something we did not follow."""
        if type(obj) in _LEAVES or is_a(obj, type):
            return False
        if is_view(obj) and any(
            self.resolve(part) is not part or self.is_dirty(part) for part in gc.get_referents(obj)
        ):
            return True
        ranges = None
        for layer in self.layers:
            if id(obj) in layer.dirty:
                return True
            if layer.everything and id(obj) not in layer.owned:
                return True
            if layer.memory:
                ranges = memory.ranges_of(obj) if ranges is None else ranges
                if layer.memory.overlaps(ranges):
                    return True
        return False

    def wrap(self, obj: Any) -> Value:
        """The value of an object found in the namespace, in a container or as an attribute."""
        kind = type(obj)
        if type(kind) is type and kind in ATOMS:
            return exact(obj)
        if answers_itself(kind):
            return unknown(None, (obj,))
        if kind is Hole:
            return obj.value
        obj = self.readers.original(obj)
        if self.standins:
            standin = self.standins.get(id(obj))
            if standin is not None and standin.obj is obj:
                return self.current(standin)
        return self.current(exact(obj))

    def current(self, value: Value) -> Value:
        """``value`` as it is after all writes so far: its overlay copy, or unknown when it is dirty."""
        if value.kind is PARTIAL:
            return self._current_standin(value)
        if value.kind is not EXACT or type(value.obj) in ATOMS:
            return value
        obj = self.resolve(value.obj)
        if self.is_dirty(obj):
            return self._shape_of_changed(obj) or unknown(type(obj), (obj,))
        if self.standins:
            standin = self.standins.get(id(obj))
            if standin is not None and standin.obj is obj:
                return standin
        return value if obj is value.obj else exact(obj)

    def _current_standin(self, value: Value) -> Value:
        """The stand-in that took ``value``'s place when it was written to; unknown where what was written is not known."""
        obj = self.resolve(value.obj)
        # Whoever changes a tensor leaves its shape and dtype; the columns of a frame, which are its facts, may change.
        if value.domain.name == "pandas" and self.is_dirty(obj):
            return unknown(type(obj), (obj,))
        if obj is value.obj:
            return value
        standin = self.standins.get(id(obj))
        return standin if standin is not None and standin.obj is obj else unknown(type(obj), (obj,))

    def _shape_of_changed(self, obj: Any) -> Value | None:
        """A stand-in for an array that was written to through another one that shares its memory: shape and dtype stay."""
        if type(obj).__module__ != "numpy" or type(obj).__name__ != "ndarray" or obj.dtype.hasobject:
            return None
        for layer in self.layers:
            if id(obj) in layer.dirty or (layer.everything and id(obj) not in layer.owned):
                return None
        found = self._blurred.get(id(obj))
        if found is None or found[0] is not obj:
            from .models.numpy.domain import DOMAIN

            found = self._blurred[id(obj)] = (obj, DOMAIN.standin(self, obj.shape, obj.dtype))
        return found[1]

    def lower(self, value: Value) -> Any:
        """The object to store in an owned container for ``value``."""
        if value.kind is EXACT:
            return value.obj
        if value.kind is UNKNOWN:
            return Hole(value)
        self.standins[id(value.obj)] = value
        return value.obj

    # --- writing -----------------------------------------------------------------------------------

    def own(self, obj: Any) -> Value:
        """Register an object that we made and that shares no state with anything live."""
        self.layers[-1].owned[id(obj)] = obj
        return exact(obj)

    def owns(self, obj: Any) -> bool:
        """Whether ``obj`` was made by the checker in the current layer, so that it may be written to."""
        return id(obj) in self.layers[-1].owned

    def made(self, obj: Any) -> bool:
        """Whether ``obj`` was made by the checker in any layer (it is not one of the person's objects)."""
        return any(id(obj) in layer.owned for layer in self.layers)

    def writable(self, obj: Any, copy: Any = None, touch: bool = True) -> Any:
        """The object to write to in place of ``obj``: itself when we own it, else a copy made by ``copy``; None where none can be had.

        ``touch``: the write reaches memory that other objects may share; False where it only replaces what ``obj`` itself holds.
        """
        obj = self.resolve(obj)
        if self.owns(obj):
            return obj
        twin = (copy or shallow_copy)(obj)
        if twin is None:
            return None
        self.replace(obj, twin)
        if touch:
            self.layers[-1].memory.add(memory.ranges_of(obj))
        return twin

    def replace(self, obj: Any, twin: Any) -> None:
        """From now on ``twin``, an object of ours, is what is found wherever ``obj`` was."""
        top = self.layers[-1]
        for key, stands in top.overlay.items():  # reads take one step in each layer
            if stands is obj:
                top.overlay[key] = twin
        top.overlay[id(obj)] = twin
        top.originals[id(obj)] = obj
        top.owned[id(twin)] = twin

    def touch_memory(self, obj: Any) -> None:
        """Objects that share memory with ``obj`` read as unknown from now on."""
        self.layers[-1].memory.add(memory.ranges_of(obj))

    def soil(self, objects: Iterable[Any], link: bool = True) -> None:
        """Mark everything reachable from ``objects`` as possibly changed, and as possibly reaching each other."""
        top = self.layers[-1]
        group: list[Any] = []
        roots = list(objects)
        for obj in roots:
            roots.extend(other for other in self.links.pop(id(obj), ()) if other is not obj)
        for obj in self.reach(roots):
            if obj is None:
                self.lose_everything()
                return
            group.append(obj)
            top.dirty[id(obj)] = obj
            ranges = memory.ranges_of(obj)
            if ranges:
                top.memory.add(ranges)
                self._soil_twins(ranges)
        if link and 1 < len(group) <= 64:
            for obj in group:
                self.links[id(obj)] = group

    def _soil_twins(self, ranges: list[tuple[int, int]]) -> None:
        """Copies that stand for views of this memory are not changed with it: they read as unknown from now on."""
        touched = memory.Ranges()
        touched.add(ranges)
        for layer in self.layers:
            for key, original in layer.originals.items():
                if touched.overlaps(memory.ranges_of(original)):
                    self.layers[-1].dirty[id(layer.overlay[key])] = layer.overlay[key]

    def lose_everything(self) -> None:
        """Any object may have been changed, the checker's own of this walk included."""
        top = self.layers[-1]
        top.everything = True
        for layer in self.layers:
            top.dirty.update(layer.owned)

    def reach(self, objects: Iterable[Any]) -> Iterator[Any]:
        """Mutable objects reachable from ``objects``; yields None and stops where the limit is exceeded."""
        seen: set[int] = set()
        queue = collections.deque(objects)
        while queue:
            obj = queue.popleft()
            kind = type(obj)
            if kind is Hole:
                queue.extend(obj.value.reach)
                continue
            if kind is types.BuiltinFunctionType:  # a method of a list or dict changes that list or dict
                queue.append(obj.__self__)
                continue
            if kind in _LEAVES or is_a(obj, type):
                continue
            obj = self.resolve(obj)
            if id(obj) in seen:
                continue
            seen.add(id(obj))
            if len(seen) > REACH_LIMIT:
                yield None
                return
            if kind is not tuple and kind is not frozenset:
                yield obj
            children = parts(obj)
            if children is None:
                yield None
                return
            queue.extend(children)

    # --- layers ------------------------------------------------------------------------------------

    def push(self) -> None:
        """Put on a layer: writes from here on can be taken back."""
        self.layers.append(Layer())

    def pop(self) -> Layer:
        """Take the top layer off; what it wrote is no longer seen."""
        top = self.layers.pop()
        for stream in top.advanced:
            stream.lost = stream.lost or stream.born < top.born
        return top

    def commit(self) -> None:
        """Merge the top layer into the one below: what it wrote has certainly happened."""
        top = self.layers.pop()
        below = self.layers[-1]
        for key, original in top.originals.items():
            twin = top.overlay[key]
            if key in below.owned:  # the original is ours: keep the chain, reads follow it
                below.owned[id(twin)] = twin
            below.overlay[key] = twin
            below.originals[key] = original
            for older, copy in list(below.overlay.items()):
                if copy is original and older != key:
                    below.overlay[older] = twin
        below.owned.update(top.owned)
        below.dirty.update(top.dirty)
        below.advanced.extend(top.advanced)
        below.memory.add(top.memory.items)
        below.everything = below.everything or top.everything


def is_view(obj: Any) -> bool:
    """Whether ``obj`` shows the contents of another container: what is written to that one is seen through it."""
    name = type(obj).__name__
    return type(obj).__module__ == "builtins" and (name in _VIEWS or name.endswith("iterator"))


def shallow_copy(obj: Any) -> Any:
    """A copy that shares the elements, or None where the type's copies are not ours to make."""
    kind = type(obj)
    if kind in (
        list,
        dict,
        set,
        bytearray,
        collections.deque,
        collections.Counter,
        collections.OrderedDict,
        collections.defaultdict,
    ):
        return kind.copy(obj) if len(obj) <= COPY_LIMIT else None
    if is_a(obj, (BaseException, type, types.ModuleType)):
        return None
    if kind.__module__ == "__main__" or getattr(kind, "__crane_shadow__", None) is not None:
        return _copy_instance(obj, kind)
    return None


def _copy_instance(obj: Any, kind: type) -> Any:
    """A copy of a plain instance of a notebook class: same class, same attributes."""
    if (
        kind.__new__ is not object.__new__
        or "__slots__" in vars(kind)
        or not hasattr(kind, "__dict__")
        or finalizes(kind)
    ):
        return None
    try:
        attributes = object.__getattribute__(obj, "__dict__")
    except AttributeError:
        return None
    twin: Any = object.__new__(kind)
    object.__getattribute__(twin, "__dict__").update(attributes)
    return twin


def parts(obj: Any) -> list[Any] | None:
    """What an object holds directly, or None where it holds too much to follow."""
    kind = type(obj)
    if kind in (list, tuple, set, frozenset, collections.deque):
        return _elements(obj)
    if is_a(obj, Internal) or getattr(kind, "__crane_callable__", False):
        return obj.held()  # type: ignore[no-any-return]
    if kind.__name__ == "_DictWrapper" and isinstance(obj, dict):  # a proxy that only says it is a dict
        return [obj.__wrapped__]
    if is_a(obj, dict):
        found = _elements(dict.values(obj))
        if found is None:
            return None
        made_by = [obj.default_factory] if is_a(obj, collections.defaultdict) else []
        return found + [key for key in dict.keys(obj) if type(key) is tuple] + made_by
    if is_a(obj, types.MethodType):
        return [obj.__self__, obj.__func__]
    if is_a(obj, types.FunctionType):
        return [cell.cell_contents for cell in obj.__closure__ or () if filled(cell)] + list(obj.__defaults__ or ())
    if memory.is_buffer(obj):
        return memory.references(obj)
    if kind.__module__ not in ("builtins", "__main__"):
        from .models import library_of

        library = library_of(obj)
        known = library.parts(obj) if library is not None else None
        if known is not None:
            return known
    base: Any = next((b for b in (list, tuple, set, frozenset) if is_a(obj, b)), None)
    if base is not None and base.__len__(obj) > REACH_LIMIT:
        return None
    return [part for part in memory.referents(obj) if not is_a(part, type)]


def _elements(items: Any) -> list[Any] | None:
    try:
        size = len(items)
    except TypeError:
        return list(items)
    if size > 200 and set(map(type, items)) <= ATOMS:
        return []
    return None if size > REACH_LIMIT else list(items)


def filled(cell: types.CellType) -> bool:
    """Whether a variable of an enclosing function is bound."""
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
