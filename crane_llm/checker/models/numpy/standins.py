"""Making zero-stride stand-ins for arrays, and asking NumPy about them."""

from __future__ import annotations

import sys
from typing import Any

from ...quiet import imports_blocked
from ...values import EXACT, PARTIAL, UNKNOWN, Value, exact, partial, unknown

_BELIEVED = ("ValueError", "IndexError", "AxisError", "TypeError", "UFuncTypeError", "_UFuncNoLoopError")


def numpy_module() -> Any:
    return sys.modules["numpy"]


class Standins:
    """Mixin of the domain: what all its operations share."""

    def standin(self, place: Any, shape: Any, dtype: Any) -> Value:
        """A stand-in of that shape and dtype, known to the heap (``place`` is the interpreter or the heap)."""
        np = numpy_module()
        value = partial(np.broadcast_to(np.zeros((), dtype), tuple(shape)), self)
        getattr(place, "heap", place).standins[id(value.obj)] = value
        return value

    def facts(self, obj: Any) -> Any:
        """A zero-stride array for a real one; None for objects and subclasses."""
        np = numpy_module()
        if type(obj) is not np.ndarray or obj.dtype.hasobject or obj.dtype.names:
            return None
        return np.broadcast_to(np.zeros((), obj.dtype), obj.shape)

    def lift(self, interpreter: Any, made: Any) -> Value:
        """What is known of a result: the shape and dtype of arrays, the type of anything else."""
        np = numpy_module()
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
        np = numpy_module()
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
        np = numpy_module()
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
