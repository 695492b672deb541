"""Stand-ins for NumPy arrays: a zero-stride array of the same shape and dtype, which takes no memory.

Shape and dtype are facts; values are not. Only functions whose errors depend on shapes and dtypes alone are called on stand-ins, and
only errors of such kinds are believed. Everything is done by the installed NumPy: there is no table of what raises.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
import types
from collections.abc import Iterator
from typing import Any

from ...quiet import imports_blocked
from ...values import EXACT, PARTIAL, UNKNOWN, Value, exact, partial, unknown
from ..base import Domain

RESULT_BYTES = 60_000_000  # of a result that is really made to learn its shape
_FACTS = ("shape", "ndim", "size", "dtype", "nbytes", "itemsize")
_METHODS = frozenset(
    """reshape ravel flatten transpose swapaxes squeeze sum mean std var min max prod cumsum cumprod argmax argmin all any round clip copy repeat dot
    astype argsort diagonal trace take""".split()
)
_FUNCTIONS = frozenset(
    """reshape ravel transpose swapaxes moveaxis rollaxis expand_dims squeeze atleast_1d atleast_2d atleast_3d flip fliplr flipud rot90 roll concatenate
    stack vstack hstack dstack column_stack row_stack append split array_split hsplit vsplit array asarray asanyarray ascontiguousarray copy
    zeros_like ones_like empty_like full_like broadcast_to where dot matmul inner outer tensordot sum mean std var min max amin amax prod argmax argmin
    cumsum cumprod all any clip round around nan_to_num sort argsort median nansum nanmean isnan isinf isfinite diff repeat tile shape ndim size
    take abs absolute exp log log2 log10 log1p expm1 sqrt square sin cos tan tanh sign floor ceil rint negative
    add subtract multiply divide true_divide floor_divide power mod remainder maximum minimum fmax fmin equal not_equal less less_equal greater
    greater_equal logical_and logical_or logical_not logical_xor einsum concat permute_dims""".split()
)
_REDUCING = frozenset("sum mean min max prod all any argmax argmin amin amax".split())
_BELIEVED = ("ValueError", "IndexError", "AxisError", "TypeError", "UFuncTypeError", "_UFuncNoLoopError")
_IN_PLACE = {
    operator.add: operator.iadd, operator.sub: operator.isub, operator.mul: operator.imul, operator.truediv: operator.itruediv,
    operator.floordiv: operator.ifloordiv, operator.mod: operator.imod, operator.pow: operator.ipow, operator.and_: operator.iand, operator.or_: operator.ior,
}  # fmt: skip
_ELEMENTWISE = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.and_, operator.or_, operator.xor,
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.neg, operator.pos, operator.invert, operator.lshift, operator.rshift,
})  # fmt: skip


def _numpy() -> Any:
    return sys.modules["numpy"]


class ArrayDomain(Domain):
    """See the module's docstring."""

    name = "numpy"

    # --- making stand-ins --------------------------------------------------------------------------

    def standin(self, place: Any, shape: Any, dtype: Any) -> Value:
        """A stand-in of that shape and dtype, known to the heap (``place`` is the interpreter or the heap)."""
        np = _numpy()
        value = partial(np.broadcast_to(np.zeros((), dtype), tuple(shape)), self)
        getattr(place, "heap", place).standins[id(value.obj)] = value
        return value

    def facts(self, obj: Any) -> Any:
        """A zero-stride array for a real one; None for objects and subclasses."""
        np = _numpy()
        if type(obj) is not np.ndarray or obj.dtype.hasobject or obj.dtype.names:
            return None
        return np.broadcast_to(np.zeros((), obj.dtype), obj.shape)

    def lift(self, interpreter: Any, made: Any) -> Value:
        """What is known of a result: the shape and dtype of arrays, the type of anything else."""
        np = _numpy()
        if type(made) is np.ndarray:
            return (
                self.standin(interpreter, made.shape, made.dtype) if not made.dtype.hasobject else unknown(np.ndarray)
            )
        if type(made) in (list, tuple):
            parts = [interpreter.heap.lower(self.lift(interpreter, item)) for item in made]
            return interpreter.heap.own(parts) if type(made) is list else exact(tuple(parts))
        return unknown(type(made))

    def _inputs(self, values: list[Value]) -> list[Any] | None:
        """Objects to call NumPy with: stand-ins, zero-stride twins of large arrays, plain values; None where one is not known."""
        np = _numpy()
        out = []
        for value in values:
            if value.kind == PARTIAL and value.domain is not self or value.kind == UNKNOWN:
                return None
            obj = value.obj
            if type(obj) is np.ndarray:
                if obj.dtype.hasobject:
                    return None
                obj = self.facts(obj) if obj.nbytes > 100_000 and value.kind == EXACT else obj
                if obj is None:
                    return None
            elif type(obj) in (list, tuple):
                parts = self._nested(obj)
                if parts is None:
                    return None
                obj = type(obj)(parts)
            elif not isinstance(
                obj, (int, float, complex, str, bool, type(None), slice, np.generic, np.dtype, type, type(Ellipsis))
            ):
                return None
            out.append(obj)
        return out

    def _nested(self, items: Any) -> list[Any] | None:
        np = _numpy()
        out = []
        if len(items) > 2_000:
            return None
        for item in items:
            kind = type(item)
            if kind is np.ndarray:
                if item.dtype.hasobject:
                    return None
            elif kind in (list, tuple):
                item = self._nested(item)
                if item is None:
                    return None
            elif not isinstance(item, (int, float, complex, str, bool, type(None), slice, np.generic)):
                return None
            out.append(item)
        return out

    def _believe(self, interpreter: Any, event: Any, thunk: Any) -> tuple[Any] | None:
        """The result of ``thunk`` in a tuple; raises where its error is one that shapes and dtypes decide; None for any other error."""
        try:
            with imports_blocked():
                return (thunk(),)
        except Exception as error:
            if type(error).__name__ in _BELIEVED:
                raise interpreter.fail(error, event) from None
            return None

    # --- operators ---------------------------------------------------------------------------------

    def operate(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        np = _numpy()
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
        np = _numpy()
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
        np = _numpy()
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
        found = getattr(_numpy().ndarray, name, None)
        if found is None:
            interpreter.attempt(event, lambda: getattr(owner.obj, name))
            return None
        if isinstance(found, types.MethodDescriptorType):
            return exact(PartialMethod(owner, name))
        return None

    def item(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        np = _numpy()
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
        np = _numpy()
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
        np = _numpy()
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
        np = _numpy()
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

    # --- calls -------------------------------------------------------------------------------------

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        target = func.obj
        np = _numpy()
        if target is len and len(args) == 1 and args[0].domain is self:
            return exact(interpreter.attempt(event, lambda: len(args[0].obj)))
        owner = getattr(target, "__self__", None)
        if type(owner) is np.ndarray:
            return self.call_method(interpreter, event, exact(owner), target.__name__, args, kwargs)
        name = getattr(target, "__name__", "")
        if name not in _FUNCTIONS or getattr(np, name, None) is not target or "out" in kwargs:
            return None
        objects = self._inputs(args)
        named = self._inputs(list(kwargs.values()))
        if objects is None or named is None or (name == "where" and len(objects) != 3):
            return None
        if (
            type(target).__name__ == "ufunc" and target.signature is None and target.nout == 1 or name == "where"
        ) and not named:
            return self._elementwise(interpreter, event, target, objects)
        if name in _JOINS:
            return self._join(interpreter, event, target, objects, dict(zip(kwargs, named)))
        return self._shape_call(interpreter, event, target, objects, dict(zip(kwargs, named)))

    def _elementwise(self, interpreter: Any, event: Any, target: Any, objects: list[Any]) -> Value | None:
        np = _numpy()
        shapes = [np.shape(o) for o in objects]
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            self._believe(interpreter, event, lambda: target(*objects))  # fails before it computes
            return None
        tiny = [np.ones((1,) * o.ndim, o.dtype) if type(o) is np.ndarray else o for o in objects]
        made = self._believe(interpreter, event, lambda: target(*tiny))
        if made is None:
            return None
        dtype = np.asarray(made[0]).dtype
        return (
            self.standin(interpreter, shape, dtype)
            if shape and not dtype.hasobject
            else unknown(np.ndarray if shape else None)
        )

    def _join(
        self, interpreter: Any, event: Any, target: Any, objects: list[Any], named: dict[str, Any]
    ) -> Value | None:
        """Concatenation and its kin on one byte an element: what fits does not depend on the dtype."""
        np = _numpy()
        items = objects[0] if objects else None
        if (
            type(items) not in (list, tuple)
            or not items
            or not all(type(a) is np.ndarray and a.dtype.kind in "biufc" for a in items)
        ):
            return None
        if sum(a.size for a in items) > 3e7:
            return None
        bytes_ = [np.broadcast_to(np.zeros((), np.int8), a.shape) for a in items]
        made = self._believe(interpreter, event, lambda: target(type(items)(bytes_), *objects[1:], **named))
        return None if made is None else self.standin(interpreter, made[0].shape, np.result_type(*items))

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if name not in _METHODS or "out" in kwargs:
            return None
        array = self.facts(owner.obj) if owner.kind == EXACT else owner.obj
        objects, named = self._inputs(args), self._inputs(list(kwargs.values()))
        if array is None or objects is None or named is None:
            return None
        if name == "astype" and array.dtype.kind not in "biufc":
            return None  # whether text converts depends on the text
        return self._shape_call(interpreter, event, getattr(array, name), objects, dict(zip(kwargs, named)), [array])

    def _shape_call(
        self, interpreter: Any, event: Any, target: Any, objects: list[Any], named: dict[str, Any], more: Any = ()
    ) -> Value | None:
        np = _numpy()
        flat = [
            a
            for o in [*more, *objects, *named.values()]
            for a in (o if type(o) in (list, tuple) else (o,))
            if type(a) is np.ndarray
        ]
        if any(a.dtype.kind not in "biufcmM" for a in flat):
            return None
        total = sum(a.size for a in flat) * 8
        if more and name_of(target) in _VIEWS:
            total = 0  # nothing is copied: the stand-in's strides are zero
        numbers = [
            abs(n)
            for o in [*objects, *named.values()]
            for n in (o if type(o) in (list, tuple) else (o,))
            if type(n) is int
        ]
        name = getattr(target, "__name__", "")
        if (
            name in ("dot", "matmul", "inner", "outer", "tensordot", "einsum", "tile", "repeat", "broadcast_to")
            or total > RESULT_BYTES
        ):
            if name in ("dot", "matmul") and len(objects) == 2 and not named:
                return (
                    self._matmul(interpreter, event, target, objects, [np.shape(o) for o in objects])
                    if all(np.ndim(o) in (1, 2) for o in objects)
                    else None
                )
            if (
                total > (RESULT_BYTES if name not in _REDUCING else 6 * RESULT_BYTES)
                or math.prod(numbers or [1]) > 1_000
                or math.prod(a.size for a in flat) > 1_000_000
            ):
                return None
        made = self._believe(interpreter, event, lambda: target(*objects, **named))
        return None if made is None else self.lift(interpreter, made[0])


def name_of(function: Any) -> str:
    """The plain name of a function or method."""
    return getattr(function, "__name__", "")


_VIEWS = frozenset("reshape transpose swapaxes squeeze diagonal".split())
_JOINS = frozenset("concatenate stack vstack hstack dstack column_stack row_stack concat".split())
DOMAIN = ArrayDomain()
