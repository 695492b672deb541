"""Classes of the notebook that derive from a library's, as the library may use them: every method of their own is interpreted.

The notebook's code is never run. A class that the cell defines has interpreted methods from the start; of a live one a *shadow* is made,
the same class with interpreted methods, and copies of its instances are of the shadow. The library's machinery is then used as it is
and calls the interpreter where it calls the notebook.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from .purity.libraries import is_library_type, is_user_function
from .values import ATOMS, Abandon

_KEPT = frozenset(("__dict__", "__weakref__", "__module__", "__qualname__", "__doc__", "__annotations__"))


def interpreted(obj: Any) -> bool:
    """Whether ``obj`` is a function that the interpreter runs."""
    return bool(getattr(type(obj), "__crane_callable__", False))


def followed_class(cls: type) -> bool:
    """Whether every function of the notebook among the methods of ``cls`` is an interpreted one."""
    own = [base for base in cls.__mro__ if not is_library_type(base)]
    return bool(own) and all(_plain(value) for base in own for value in vars(base).values())


def _plain(value: Any) -> bool:
    value = getattr(value, "__func__", value)
    if isinstance(value, property):
        return all(_plain(part) for part in (value.fget, value.fset, value.fdel))
    if isinstance(value, types.FunctionType):
        return not is_user_function(value) and ("__wrapped__" not in vars(value) or _plain(value.__wrapped__))
    return interpreted(value) or type(value) in ATOMS or not callable(value) or isinstance(value, type)


def followed(obj: Any) -> bool:
    """Whether ``obj`` is an instance of a notebook class whose code the interpreter runs."""
    return not is_library_type(type(obj)) and followed_class(type(obj))


def shadow_of(interpreter: Any, cls: type, bare: Callable[[Any], Any] = lambda value: value) -> type:
    """The class that stands for a live class of the notebook; raises :class:`Abandon` where its code cannot be followed.

    ``bare`` takes off what the library wraps around a method as the class is made: it will do so again.
    """
    if is_library_type(cls) or followed_class(cls):
        return cls
    table: dict[type, type] = interpreter.__dict__.setdefault("shadows", {})
    found = table.get(cls)
    if found is not None:
        return found
    if type(cls) is not type:
        raise Abandon("a class with a metaclass of its own")
    body = {name: _method(interpreter, bare(value)) for name, value in vars(cls).items() if name not in _KEPT}
    body["__module__"], body["__qualname__"], body["__crane_shadow__"] = "__main__", cls.__qualname__, cls
    bases = tuple(shadow_of(interpreter, base, bare) for base in cls.__bases__)
    made = types.new_class(cls.__name__, bases, {}, lambda namespace: namespace.update(body))
    if not followed_class(made):
        raise Abandon("a class with methods that are not followed")
    table[cls] = made
    return made


def _method(interpreter: Any, value: Any) -> Any:
    if isinstance(value, types.FunctionType) and is_user_function(value):
        return interpreter.function_of(value)
    if isinstance(value, (staticmethod, classmethod)):
        return type(value)(_method(interpreter, value.__func__))
    if isinstance(value, property):
        return property(*(_method(interpreter, part) for part in (value.fget, value.fset, value.fdel)))
    return value
