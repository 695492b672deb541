"""Functions, methods, classes, modules: signatures from code objects, versions from module dictionaries."""

from __future__ import annotations

import inspect
import linecache
import types
from typing import Any

from . import safe, values
from .context import Context
from .model import Variable

MAX_PARAMETERS = 8
MAX_SOURCE = 2000  # characters of a function's text


def function(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A Python function: signature for one of the notebook's own, home for one of a library."""
    context.kind(variable, "function")
    module = value.__module__
    if type(module) is str and module not in ("__main__", "builtins") and value.__globals__ is not context.namespace:
        context.note(variable, "R", f"of {module}")
        if variable.name in context.called:
            context.note(variable, "R", signature(unwrapped(value)))
        return
    context.note(variable, "R", signature(value, context))
    if value.__code__.co_flags & inspect.CO_COROUTINE:
        context.note(variable, "R", "coroutine function")
    elif value.__code__.co_flags & inspect.CO_GENERATOR:
        context.note(variable, "R", "generator function")
    if context.sources:
        context.note(variable, "R", source_text(value.__code__))


def source_text(code: types.CodeType) -> str | None:
    """The text of a function of the notebook, from the lines that IPython keeps of each cell; no file is read."""
    cached = linecache.cache.get(code.co_filename)
    if cached is None or len(cached) != 4:
        return None
    lines = inspect.getblock(cached[2][code.co_firstlineno - 1 :])
    text = "".join(lines).rstrip()
    return "source:\n" + (text if len(text) <= MAX_SOURCE else text[:MAX_SOURCE] + "…") if text else None


def unwrapped(value: types.FunctionType) -> types.FunctionType:
    """The function behind ``functools.wraps`` decorators."""
    for _ in range(10):
        inner = value.__dict__.get("__wrapped__")
        if type(inner) is not types.FunctionType:
            break
        value = inner
    return value


def signature(value: types.FunctionType, context: Context | None = None, skip_first: bool = False) -> str:
    """``(a, b=1, *, c)`` from the code object; ``__signature__`` and ``__wrapped__`` are not followed."""
    code = value.__code__
    names = list(code.co_varnames)
    positional, only = names[: code.co_argcount], names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    rest = code.co_argcount + code.co_kwonlyargcount
    defaults = value.__defaults__ or ()
    keyword_defaults = value.__kwdefaults__ or {}
    parts = []
    for position, name in enumerate(positional):
        offset = position - (len(positional) - len(defaults))
        parts.append(name if offset < 0 else f"{name}={_default(defaults[offset], context)}")
    if skip_first and parts:
        parts = parts[1:]
    if code.co_flags & inspect.CO_VARARGS:
        parts.append(f"*{names[rest]}")
        rest += 1
    elif only:
        parts.append("*")
    parts += [
        f"{name}={_default(keyword_defaults[name], context)}" if name in keyword_defaults else name for name in only
    ]
    if len(parts) > MAX_PARAMETERS:
        parts = [*parts[:MAX_PARAMETERS], "…"]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        parts.append(f"**{names[rest]}")
    return f"({', '.join(parts)})"


def _default(value: Any, context: Context | None) -> str:
    if context is None:
        return "…"
    told = context.say(value, 16) if context.values else None
    return "…" if told is None else told


def method(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A bound method: its object's class and its signature when written in Python."""
    context.kind(variable, "method")
    inner = value.__func__
    context.note(variable, "R", f"of a {safe.class_name(type(value.__self__))}")
    if (
        type(inner) is types.FunctionType
        and safe.one_of(type(value.__self__), ()) is False
        and inner.__module__ == "__main__"
    ):
        context.note(variable, "R", signature(inner, context, skip_first=True))


def builtin(variable: Variable, value: Any, context: Context, depth: int) -> None:
    context.kind(variable, "function")
    module = value.__module__
    context.note(variable, "R", f"of {module}" if type(module) is str and module != "builtins" else "built in")


def a_class(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A class: where from; for one of the notebook's own, its bases, constructor and methods."""
    context.kind(variable, "class")
    module = safe.class_module(value)
    if not safe.is_notebook_class(value):
        context.note(variable, "R", f"{module}.{safe.class_name(value)}")
        return
    bases = [base for base in type.__getattribute__(value, "__bases__") if base is not object]
    if bases:
        context.note(
            variable,
            "R",
            f"derives from {', '.join(f'{safe.class_module(base)}.{safe.class_name(base)}' for base in bases[:3])}",
        )
    held = [
        (name, member)
        for name, member in list(safe.class_dict(value).items())[:60]
        if not name.startswith("__") and values.is_plain(member) and not values.secret_name(name)
    ][:10]
    if held:
        told = ", ".join(
            f"{name}={context.say(member, 24)}" if context.values and not context.schema_only else name
            for name, member in held
        )
        context.note(variable, "V" if context.values and not context.schema_only else "R", told)
    methods = []
    for name, member in list(safe.class_dict(value).items())[:40]:
        if type(member) is types.FunctionType:
            methods.append(f"{name}{signature(member, context, skip_first=True)}")
    context.note(variable, "R", f"methods {'; '.join(methods[:8])}" if methods else None)


def module(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A module: its name and its distribution's version."""
    namespace = safe.dict_of(value) or {}
    context.kind(variable, "module")
    name = namespace.get("__name__")
    if type(name) is not str:
        return
    version = safe.version_of(name) or safe.version_of(name.partition(".")[0])
    context.note(variable, "R", f"{name} {version}" if version else name)


def partial(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """functools.partial: the function and what is bound."""
    inner = value.func
    name = inner.__qualname__ if type(inner) is types.FunctionType else safe.class_name(type(inner))
    bound = [f"{len(value.args)} positional"] if value.args else []
    bound += [str(key) for key in list(value.keywords)[:6]]
    context.note(variable, "R", f"of {name}, bound: {', '.join(bound) or 'nothing'}")


BY_TYPE = {
    id(types.FunctionType): function,
    id(types.MethodType): method,
    id(types.BuiltinFunctionType): builtin,
}
