"""Stand-ins for NumPy arrays: a zero-stride array of the same shape and dtype, which takes no memory.

Shape and dtype are facts; values are not. Only functions whose errors depend on shapes and dtypes alone are called on stand-ins, and
only errors of such kinds are believed. Everything is done by the installed NumPy: there is no table of what raises.
"""

from __future__ import annotations

import ast
import math
import operator
import types
from collections.abc import Iterator
from typing import Any

from ...values import EXACT, PARTIAL, Value, exact, unknown
from ..base import Domain
from .calls import RESULT_BYTES, ArrayCalls
from .standins import Standins, numpy_module

_FACTS = ("shape", "ndim", "size", "dtype", "nbytes", "itemsize")
_IN_PLACE = {
    operator.add: operator.iadd, operator.sub: operator.isub, operator.mul: operator.imul, operator.truediv: operator.itruediv,
    operator.floordiv: operator.ifloordiv, operator.mod: operator.imod, operator.pow: operator.ipow, operator.and_: operator.iand, operator.or_: operator.ior,
}  # fmt: skip
_ELEMENTWISE = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.and_, operator.or_, operator.xor,
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.neg, operator.pos, operator.invert, operator.lshift, operator.rshift,
})  # fmt: skip


class ArrayDomain(ArrayCalls, Standins, Domain):
    """See the module's docstring."""

    name = "numpy"

    # --- operators ---------------------------------------------------------------------------------

    def operate(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        np = numpy_module()
        objects = self._inputs(values)
        if objects is None or not all(
            isinstance(o, (int, float, complex, bool, np.generic)) or type(o) is np.ndarray for o in objects
        ):
            return None
        shapes = [np.shape(o) for o in objects]
        if function is operator.matmul:
            return self._matmul(interpreter, event, function, objects, shapes)
        if function not in _ELEMENTWISE:
            return None
        if isinstance(event.node, ast.AugAssign) and type(objects[0]) is np.ndarray:
            return self._in_place(interpreter, event, function, objects, shapes)
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            if function in (operator.eq, operator.ne):
                return None  # older versions answer instead of raising
            self._believe(interpreter, event, lambda: function(*objects))  # fails before it computes
            return None
        tiny = [np.zeros((1,) * len(s), o.dtype) if type(o) is np.ndarray else o for o, s in zip(objects, shapes)]
        tiny = [t + np.ones((), t.dtype) if type(t) is np.ndarray and t.dtype.kind in "iuf" else t for t in tiny]
        made = self._believe(interpreter, event, lambda: function(*tiny))
        if made is None:
            return None
        return self.standin(interpreter, shape, made[0].dtype) if shape else unknown(type(made[0]))

    def _in_place(
        self, interpreter: Any, event: Any, function: Any, objects: list[Any], shapes: list[Any]
    ) -> Value | None:
        """``a += b``: the result must fit into ``a``, its shape and its dtype."""
        np = numpy_module()
        change = _IN_PLACE.get(function)
        if change is None:
            return None
        try:
            fits = np.broadcast_shapes(*shapes) == shapes[0]
        except ValueError:
            fits = False
        if not fits:
            hollow = np.lib.stride_tricks.as_strided(
                np.zeros(1, objects[0].dtype), shapes[0], (0,) * len(shapes[0]), writeable=True
            )
            self._believe(interpreter, event, lambda: change(hollow, *objects[1:]))  # fails before it computes
            return None
        tiny = [np.ones((1,) * len(s), o.dtype) if type(o) is np.ndarray else o for o, s in zip(objects, shapes)]
        made = self._believe(interpreter, event, lambda: change(*tiny))
        return None if made is None else self.standin(interpreter, shapes[0], objects[0].dtype)

    def _matmul(
        self, interpreter: Any, event: Any, function: Any, objects: list[Any], shapes: list[Any]
    ) -> Value | None:
        np = numpy_module()
        left, right = shapes
        if len(left) in (1, 2) and len(right) in (1, 2) and left[-1] == right[0]:
            tiny = [np.zeros((1,) * len(s), o.dtype) for o, s in zip(objects, shapes)]
            shape = left[:-1] + right[1:]
            dtype = np.asarray(np.matmul(*tiny)).dtype
            return self.standin(interpreter, shape, dtype) if shape else unknown(dtype.type)
        if len(left) in (0, 1, 2) and len(right) in (0, 1, 2):
            self._believe(interpreter, event, lambda: function(*objects))
        return None

    # --- attributes, items, iteration --------------------------------------------------------------

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        from ...calls import PartialMethod

        if name in _FACTS:
            return exact(getattr(owner.obj, name))
        if name == "T":
            return self.lift(interpreter, owner.obj.T)
        found = getattr(numpy_module().ndarray, name, None)
        if found is None:
            interpreter.attempt(event, lambda: getattr(owner.obj, name))
            return None
        if isinstance(found, types.MethodDescriptorType):
            return exact(PartialMethod(owner, name))
        return None

    def item(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        np = numpy_module()
        if owner.kind == PARTIAL and owner.domain is not self:
            return None
        array = self.facts(owner.obj) if owner.kind == EXACT else owner.obj
        if type(array) is not np.ndarray:
            return None
        if index.kind == PARTIAL:
            if index.obj.dtype != bool or index.obj.size > 10_000_000:
                return None
            # A mask of no true element: its shape must fit, how many it picks is not known.
            self._believe(interpreter, event, lambda: array[np.zeros(index.obj.shape, bool)])
            return unknown(np.ndarray)
        if not index.exact:
            return None
        parts = index.obj if isinstance(index.obj, tuple) else (index.obj,)
        picked = sum(getattr(p, "size", 0) or (len(p) if isinstance(p, list) else 0) for p in parts)
        if picked and picked * math.prod(array.shape[1:]) * array.itemsize > RESULT_BYTES:
            return None
        made = interpreter.attempt(event, lambda: array[index.obj])
        return self.lift(interpreter, made)

    def check_store(self, interpreter: Any, event: Any, obj: Any, index: Any, value: Value) -> None:
        """Raise what putting an array of that shape at ``index`` raises, if it does not fit."""
        np = numpy_module()
        hollow = np.lib.stride_tricks.as_strided(np.zeros(1, obj.dtype), obj.shape, (0,) * obj.ndim, writeable=True)
        parts = index if isinstance(index, tuple) else (index,)
        if any(type(part) in (list, np.ndarray) for part in parts):
            if sum(np.size(part) for part in parts) * max(1, math.prod(obj.shape[1:])) < 5e7:
                self._believe(
                    interpreter, event, lambda: operator.setitem(hollow, index, value.obj)
                )  # one element of memory takes it all
            return
        spot = interpreter.attempt(event, lambda: hollow[index])
        shape, given = np.shape(spot), np.shape(value.obj)
        if not shape and np.size(value.obj) != 1:
            self._believe(interpreter, event, lambda: operator.setitem(hollow, index, value.obj))
        if type(spot) is np.ndarray and shape:
            trimmed = given
            while len(trimmed) > len(shape) and trimmed[0] == 1:
                trimmed = trimmed[1:]
            try:
                fits = np.broadcast_shapes(trimmed, shape) == shape
            except ValueError:
                fits = False
            if not fits:
                self._believe(interpreter, event, lambda: operator.setitem(hollow, index, value.obj))

    def store_item(self, interpreter: Any, event: Any, owner: Value, index: Value, value: Value) -> bool:
        np = numpy_module()
        if not index.exact:
            return False
        if (
            value.domain is self
            or (value.exact and type(value.obj) is np.ndarray and not value.obj.dtype.hasobject)
            or value.exact
            and isinstance(value.obj, (int, float, bool))
        ):
            self.check_store(interpreter, event, owner.obj, index.obj, value)
        else:
            interpreter.lose(event.node, "a value put into a stand-in")
        return True

    def large_store(self, interpreter: Any, event: Any, obj: Any, index: Any, value: Value) -> bool:
        """A store into an array too large to copy: checked by shape, then followed as a stand-in."""
        np = numpy_module()
        if obj.dtype.hasobject:
            return False
        if type(value.obj) is not np.ndarray and not isinstance(value.obj, (int, float, bool)):
            return False
        self.check_store(interpreter, event, obj, index, value)
        interpreter.heap.touch_memory(obj)
        interpreter.heap.replace(obj, self.standin(interpreter, obj.shape, obj.dtype).obj)
        return True

    def iterate(self, interpreter: Any, event: Any, value: Value) -> Iterator[Value] | None:
        array = value.obj
        if array.ndim == 0:
            interpreter.attempt(event, lambda: iter(array))
        return (self.lift(interpreter, array[i]) for i in range(array.shape[0]))

    def truth(self, interpreter: Any, event: Any, value: Value) -> bool | None:
        if value.obj.size > 1:
            interpreter.attempt(event, lambda: bool(value.obj))
        interpreter.lose(event.node, "a condition on a stand-in")
        return None


DOMAIN = ArrayDomain()
