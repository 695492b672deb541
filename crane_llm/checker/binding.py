"""Whether arguments fit a signature, in Python's own words.

A stub with the same parameters and name is called in the function's place, so the error is the running Python's. Functions written
in C do not tell their parameters reliably and are left out.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

_stubs: dict[types.CodeType, Any] = {}


def stub_for(func: types.FunctionType) -> Any:
    """A function of the same name and parameters that does nothing but return its arguments as a dict."""
    made = _stubs.get(func.__code__)
    if made is None:
        made = _build(func.__code__, func.__name__)
        if len(_stubs) > 500:
            _stubs.clear()
        _stubs[func.__code__] = made
    stub = types.FunctionType(made.__code__, {"__builtins__": {"locals": locals}}, func.__name__)
    stub.__qualname__ = func.__qualname__
    stub.__defaults__ = func.__defaults__
    stub.__kwdefaults__ = func.__kwdefaults__
    return stub


def _build(code: types.CodeType, name: str) -> Any:
    names = list(code.co_varnames)
    total = code.co_argcount
    positional = names[:total]
    keyword = names[total : total + code.co_kwonlyargcount]
    rest = names[total + code.co_kwonlyargcount :]
    parts = positional[: code.co_posonlyargcount]
    if parts:
        parts = [*parts, "/"]
    parts += positional[code.co_posonlyargcount :]
    if code.co_flags & inspect.CO_VARARGS:
        parts.append("*" + rest.pop(0))
    elif keyword:
        parts.append("*")
    parts += keyword
    if code.co_flags & inspect.CO_VARKEYWORDS:
        parts.append("**" + rest.pop(0))
    namespace: dict[str, Any] = {}
    # Names that came from a code object are identifiers, so this text is safe to compile.
    exec(f"def stub({', '.join(_plain(p) for p in parts)}):\n    return locals()", {"locals": locals}, namespace)
    return namespace["stub"]


def _plain(part: str) -> str:
    """Hidden parameter names (``.0``) cannot be written down; such code objects are never bound by hand."""
    if "." in part:
        raise ValueError(part)
    return part


def binding_error(func: Any, call: Any) -> TypeError | None:
    """The TypeError of calling ``func`` with so many arguments and such keywords, or None where they fit or it cannot be told."""
    target, first = _python_function(func)
    if target is None or not call.complete:
        return None
    try:
        stub = stub_for(target)
    except (ValueError, SyntaxError):
        return None
    filler = [None] * (len(call.args) + first)
    try:
        stub(*filler, **dict.fromkeys(call.kwargs))
    except TypeError as error:
        return error
    return None


def _python_function(func: Any) -> tuple[Any, int]:
    """The Python function that a callable runs first, and how many arguments come before the given ones."""
    if isinstance(func, types.MethodType):
        return (func.__func__, 1) if isinstance(func.__func__, types.FunctionType) else (None, 0)
    if isinstance(func, types.FunctionType):
        return func, 0
    if isinstance(func, type) and type(func) is type and func.__new__ is object.__new__:
        init: Any = func.__init__  # type: ignore[misc]
        return (init, 1) if isinstance(init, types.FunctionType) else (None, 0)
    return None, 0
