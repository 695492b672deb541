"""Generators of the kernel that have not been started: the checker walks one of its own in their place.

A live generator is never advanced. As long as it has not run at all, its parameters are all the state that it has.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any

from .purity.libraries import is_library_type
from .scope import Scope
from .values import Abandon, exact, is_a


def generator_behind(interpreter: Any, obj: Any, node: Any) -> Any:
    """The generator of ours that stands for a live one of the notebook from now on; ``obj`` itself where there can be none."""
    if type(obj) is not types.GeneratorType or inspect.getgeneratorstate(obj) != inspect.GEN_CREATED:
        return obj
    function = _function_of(interpreter, obj)
    if function is None or interpreter.heap.is_dirty(obj):
        return obj
    try:
        func = interpreter.function_of(function)
    except Abandon:
        return obj
    given = obj.gi_frame.f_locals
    code = obj.gi_code
    names = code.co_varnames[: _parameters(code)]
    if any(name not in given for name in names):
        return obj
    scope = Scope(interpreter.journal, func.names, func.closure)
    scope.vars.update((name, exact(given[name])) for name in names)
    made = interpreter.generator_of(func, scope, node)
    interpreter.heap.replace(obj, made)
    return made


def _parameters(code: types.CodeType) -> int:
    starred = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + starred


def _function_of(interpreter: Any, generator: Any) -> Any:
    """The notebook's function that gave the generator; None where it is not to be had."""
    code, names = generator.gi_code, generator.gi_frame.f_globals
    if names is not interpreter.namespace:
        return None
    for found in _functions(interpreter.namespace):
        if found.__code__ is code:
            return found
    return None if code.co_freevars else types.FunctionType(code, names, generator.__name__)


def _functions(namespace: dict[str, Any]) -> Iterator[types.FunctionType]:
    """The functions that are bound to global names, the methods of classes included."""
    for value in list(namespace.values()):
        parts = [value]
        if is_a(value, type) and not is_library_type(value):
            parts = list(type.__getattribute__(value, "__dict__").values())
        for part in parts:
            part = getattr(part, "__func__", part) if type(part) in (staticmethod, classmethod) else part
            if is_a(part, types.FunctionType):
                yield part
