"""NumPy's functions and methods on stand-ins: only those whose errors shapes and dtypes decide."""

from __future__ import annotations

import math
from typing import Any

from ...values import EXACT, Value, exact, unknown
from .standins import Standins, numpy_module

RESULT_BYTES = 60_000_000  # of a result that is really made to learn its shape
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
_VIEWS = frozenset("reshape transpose swapaxes squeeze diagonal".split())
_JOINS = frozenset("concatenate stack vstack hstack dstack column_stack row_stack concat".split())


class ArrayCalls(Standins):
    """Mixin of the domain: calls."""

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        target = func.obj
        np = numpy_module()
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
        np = numpy_module()
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
        np = numpy_module()
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
        np = numpy_module()
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
