"""What the arguments of a call reach: only library values, unknown ones, stand-ins, call-backs of the user; and how much data.

A call may be made for real only on values whose every part is the library's own and known. The walk is bounded; what it cannot
see to the end counts as opaque.
"""

from __future__ import annotations

import collections
import io
import types
from typing import Any

from ..limits import scan_limit
from ..memory import is_buffer, referents
from ..streams import Internal
from ..values import ATOMS, Hole, is_a
from .libraries import is_genuine, is_library_type, is_user_function

NODES = 3_000  # objects looked at one by one in a survey
# SciPy writes some methods of its distributions as text, so they belong to no module; the objects hold nothing of the notebook.
_DISTRIBUTIONS = frozenset(
    f"scipy.stats.{name}" for name in ("_continuous_distns", "_discrete_distns", "_multivariate")
)


class Survey:
    """``opaque``: some part is unknown or the user's; ``domains``: of the stand-ins reached; ``callbacks``: user functions reached;
    ``weight``: bytes that a pass over the data reads."""

    __slots__ = ("opaque", "domains", "callbacks", "live", "weight", "why", "own")

    def __init__(self) -> None:
        self.opaque = False
        self.domains: list[Any] = []
        self.callbacks: list[Any] = []
        self.live = False  # one of them is the person's own function: whoever calls it runs it for real
        self.weight = 0
        self.why = ""
        self.own = False  # code of the notebook may run: special methods of an object of its class, what makes an iterator's elements

    def refuse(self, why: str) -> None:
        self.opaque = True
        self.why = self.why or why


def is_own(kind: type) -> bool:
    """Whether using an instance of ``kind`` may run special methods of the notebook's."""
    return (
        not is_library_type(kind)
        and kind.__dict__.get("__crane_shadow__") is None
        and not issubclass(kind, (BaseException, Internal, Hole))
        and not getattr(kind, "__crane_callable__", False)
    )


class Surveyor:
    """Looks at arguments through a heap. Results of scans over large object arrays are kept for the length of one check."""

    def __init__(self, heap: Any) -> None:
        self.heap = heap
        self._scanned: dict[int, tuple[Any, bool]] = {}

    def look(self, objects: list[Any]) -> Survey:
        """Survey everything reachable from ``objects``."""
        survey = Survey()
        queue = list(objects)
        seen: set[int] = set()
        while queue and not survey.opaque:
            obj = self.heap.readers.original(queue.pop())
            kind = type(obj)
            if kind in ATOMS:
                survey.weight += len(obj) if kind is str or kind is bytes else 8
                if kind is slice:
                    queue.extend((obj.start, obj.stop, obj.step))
                continue
            if id(obj) in seen:
                continue
            seen.add(id(obj))
            if len(seen) > NODES:
                survey.refuse("too many objects")
                break
            self._one(obj, kind, survey, queue)
        return survey

    def _one(self, obj: Any, kind: type, survey: Survey, queue: list[Any]) -> None:
        heap = self.heap
        if kind is Hole:
            return survey.refuse("an unknown value")
        standin = heap.standins.get(id(obj)) if heap.standins else None
        if standin is not None and standin.obj is obj:
            if standin.domain not in survey.domains:
                survey.domains.append(standin.domain)
            return None
        if heap.resolve(obj) is not obj or heap.is_dirty(obj):
            return survey.refuse("a value changed by the cell")
        if is_a(obj, Internal):
            survey.own = True
            return survey.refuse("an iterator or coroutine")
        if getattr(kind, "__crane_callable__", False):
            survey.callbacks.append(obj)
            return None
        if kind is types.FunctionType:
            return self._function(obj, survey)
        if kind in (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType):
            owner = getattr(obj, "__self__", None)
            if owner is not None and not is_a(owner, (types.ModuleType, type)):
                queue.append(owner)
            return None
        if kind is types.MethodType:
            queue += [obj.__self__, obj.__func__]
            return None
        if is_a(obj, type):
            if not is_library_type(obj) and not issubclass(obj, BaseException) and "__crane_shadow__" not in vars(obj):
                survey.own = True  # calling it runs its code
                survey.refuse("a class of the notebook")
            return None
        if kind is types.ModuleType:
            return None
        if is_buffer(obj):
            return self._buffer(obj, kind, survey)
        if kind.__module__ in _DISTRIBUTIONS:
            return None
        if kind.__module__ == "numpy" and kind.__name__ in ("void", "record") and obj.dtype.hasobject:
            survey.own = True
            return survey.refuse("objects in an array")
        if is_own(kind):
            survey.own = True
            return survey.refuse("an object of the notebook's own class")
        return self._contents(obj, kind, survey, queue)

    def _function(self, obj: Any, survey: Survey) -> None:
        if is_user_function(obj):
            survey.callbacks.append(obj)
            survey.live = True
        elif not is_genuine(obj):
            survey.refuse("a function of unknown origin")

    def _contents(self, obj: Any, kind: type, survey: Survey, queue: list[Any]) -> None:
        if any("__next__" in vars(base) for base in kind.__mro__) and not issubclass(kind, io.IOBase):
            # Whoever takes from it leaves a trace, and may run what makes its elements. Calls that read open files are on no list.
            survey.own = True
            survey.refuse("an iterator")
        if is_a(obj, (list, tuple, set, frozenset)) or kind.__name__ == "deque":
            self._items(obj, survey, queue)
        elif is_a(obj, dict):
            self._items(list(dict.keys(obj)) if len(obj) <= NODES else dict.keys(obj), survey, queue)
            self._items(list(dict.values(obj)) if len(obj) <= NODES else dict.values(obj), survey, queue)
            if is_a(obj, collections.defaultdict):
                queue.append(obj.default_factory)
        else:
            queue.extend(referents(obj))
            return
        try:
            attributes = object.__getattribute__(obj, "__dict__")
        except Exception:  # no instance dictionary
            return
        if type(attributes) is dict:
            queue.extend(attributes.values())

    def _items(self, items: Any, survey: Survey, queue: list[Any]) -> None:
        size = len(items)
        survey.weight += 8 * size
        if size <= NODES // 4:
            queue.extend(items)
            return
        if size > scan_limit():
            return survey.refuse("too long to look through")
        kinds = set(map(type, items))
        if kinds <= ATOMS:
            if str in kinds:
                survey.weight += 16 * size
            return None
        queue.extend(items)  # the node limit decides
        return None

    def _buffer(self, obj: Any, kind: type, survey: Survey) -> None:
        if not is_library_type(kind):
            return survey.refuse("a subclass of a library type")
        weight, plain = buffer_weight(obj), True
        survey.weight += weight
        for axis in getattr(getattr(obj, "_mgr", None), "axes", ()):
            if self.heap.resolve(axis) is not axis or self.heap.is_dirty(axis):
                return survey.refuse("a value changed by the cell")
        if getattr(getattr(obj, "dtype", None), "kind", "") == "V" and getattr(obj.dtype, "hasobject", False):
            survey.own = True
            return survey.refuse("objects in an array")
        for array in object_arrays(obj):
            size = array.size
            known = self._scanned.get(id(array))
            if known is None or known[0] is not array:
                plain = size <= scan_limit() and _plain(array)
                self._scanned[id(array)] = (array, plain)
            else:
                plain = known[1]
            survey.weight += 40 * size  # objects are an order of magnitude slower than numbers
            if not plain:
                survey.own = True
                return survey.refuse("objects in an array")
        return None


def _plain(array: Any) -> bool:
    """Whether an object array holds only atoms and library values."""
    flat = array.ravel(order="K")
    for kind in set(map(type, flat.tolist() if flat.dtype == object else flat)):
        if kind not in ATOMS and not is_library_type(kind):
            return False
        if kind is Hole:
            return False
    return True


def object_arrays(obj: Any) -> list[Any]:
    """The arrays of Python objects inside an array or a pandas object."""
    if hasattr(obj, "_mgr"):
        blocks = getattr(obj._mgr, "blocks", ())
        found = [b.values for b in blocks if _holds_objects(b.values) and hasattr(b.values, "ravel")]
        for axis in getattr(obj._mgr, "axes", ()):
            for level in getattr(axis, "_levels", None) or (axis,):
                labels = getattr(level, "_data", None)
                if _holds_objects(labels) and type(labels).__name__ == "ndarray":
                    found.append(labels)
        return found
    values = (
        getattr(obj, "_data", None)
        if not hasattr(obj, "untyped_storage") and not hasattr(obj, "__array_interface__")
        else obj
    )
    if _holds_objects(values) and type(values).__name__ == "ndarray":
        return [values]
    return []


def buffer_weight(obj: Any) -> int:
    """Bytes of data in an array, a pandas object or a tensor."""
    if hasattr(obj, "_mgr"):
        blocks = getattr(obj._mgr, "blocks", ())
        total = 0
        for block in blocks:
            values = block.values
            total += getattr(values, "nbytes", 0) or 8 * len(values)
        return total
    if hasattr(obj, "untyped_storage"):
        return int(obj.numel()) * int(obj.element_size())
    return int(getattr(obj, "nbytes", 0) or 8 * len(obj))


def _holds_objects(values: Any) -> bool:
    """Whether an array's elements are Python objects."""
    return getattr(getattr(values, "dtype", None), "kind", "") == "O"
