"""Hooks for NumPy arrays: iteration, copies to write to, item stores, stand-ins."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...values import Abandon, Value, exact
from ..base import Library
from .domain import DOMAIN

COPY_BYTES = 60_000_000


def numpy() -> Any:
    """The kernel's NumPy."""
    return sys.modules["numpy"]


def is_array(obj: Any) -> bool:
    """Whether ``obj`` is a plain array (no subclass)."""
    np = sys.modules.get("numpy")
    return np is not None and type(obj) is np.ndarray


class NumpyLibrary(Library):
    """See :class:`base.Library`."""

    roots = ("numpy",)

    def attribute(self, interpreter: Any, event: Any, obj: Any, name: str) -> Value | None:
        if name != "flat" or not is_array(obj):
            return None
        made = obj.flat
        interpreter.fresh_iterators.append(made)
        return exact(made)

    def items(self, interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
        if type(obj) is numpy().flatiter:
            places = range(obj.index, obj.base.size)
            return self._elements(interpreter, obj.base, places, lambda array, place: array.flat[place])
        if not is_array(obj):
            return None
        if obj.ndim == 0:
            interpreter.quiet_call(event, lambda: iter(obj))
        return self._elements(interpreter, obj, range(obj.shape[0]), operator.getitem)

    def _elements(
        self, interpreter: Any, array: Any, places: range, pick: Callable[[Any, int], Any]
    ) -> Iterator[Value]:
        for place in places:
            current = interpreter.heap.resolve(array)
            if interpreter.heap.is_dirty(current):
                raise Abandon("the array under iteration was changed")
            yield interpreter.heap.wrap(pick(current, place))

    def item_cost(self, obj: Any, index: Any, weight: int) -> float | None:
        if is_array(obj):
            parts = index if isinstance(index, tuple) else (index,)
            if all(type(part) in (int, slice) or part is None or part is Ellipsis for part in parts):
                return 1e-6  # a view
            chosen = 0
            for part in parts:
                chosen = max(
                    chosen, getattr(part, "nbytes", 0) or (8 * len(part) if isinstance(part, (list, tuple)) else 0)
                )
            return 2e-5 + min(weight, max(chosen, 1) * (obj.strides[0] if obj.ndim else 8) + chosen) * 3e-9
        return 2e-5 + weight * 2e-9

    def copy(self, obj: Any) -> Any:
        if not is_array(obj) or obj.nbytes > COPY_BYTES:
            return None
        twin = obj.copy(order="K")
        twin.flags.writeable = obj.flags.writeable  # what is read-only stays so: writing to it raises
        return twin

    def store_item(self, interpreter: Any, event: Any, obj: Any, index: Value, value: Value) -> bool:
        if not is_array(obj) or not index.exact:
            return False
        lowered = interpreter.heap.lower(value)
        survey = interpreter.surveyor.look([obj, index.obj, lowered])
        if survey.callbacks:
            return False
        if not value.exact or survey.domains or survey.opaque:
            if obj.dtype == object:
                return False
            if value.exact and interpreter.surveyor.look([value.obj]).opaque:
                return False
            if value.domain is DOMAIN:  # its shape and dtype are those of the real value
                DOMAIN.check_store(interpreter, event, obj, index.obj, value)
            if not interpreter.heap.made(obj):
                interpreter.heap.touch_memory(obj)
            # The array keeps its shape and dtype; what is in it is not known any more.
            interpreter.lose(event.node, "an unknown value is put into an array")
            interpreter.heap.replace(obj, DOMAIN.standin(interpreter, obj.shape, obj.dtype).obj)
            return True
        if obj.nbytes > COPY_BYTES or not interpreter.budget.affords(survey.weight * 4e-9):
            return DOMAIN.large_store(interpreter, event, obj, index.obj, value)
        target = interpreter.heap.writable(obj, self.copy)
        if target is None:
            return False
        interpreter.quiet_call(event, lambda: operator.setitem(target, index.obj, value.obj))
        return True

    def domain(self, values: list[Value]) -> Any:
        return DOMAIN if any(v.exact and is_array(v.obj) for v in values) else None


__all__ = ["NumpyLibrary", "exact", "is_array", "numpy"]
