"""Models: modules that are made, initialised and given attributes."""

from __future__ import annotations

import types
from typing import Any

from ...attributes import static_lookup
from ...streams import Stream
from ...values import Abandon, Value, exact
from . import lazy, trees
from .owned import own_module, writable_module
from .state import follow, lower


def construct_library(interpreter: Any, call: Any) -> Value | None:
    """A layer or container of the library, made for real with parameters that are never filled."""
    if not call.complete:
        return None
    args = [lower(interpreter, listed(interpreter, v, call.node)) for v in call.args]
    kwargs = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    made = follow(interpreter, call.event, call.func, args, kwargs)
    module = made.obj
    if not trees.is_module(module):
        return None
    for part in trees.all_modules(module, interpreter.heap.resolve):
        if part is module or not _given(part, args, kwargs):
            interpreter.heap.own(part)
    return own_module(interpreter, module)


def _given(part: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a module below the new one was handed in (or lies below one that was)."""
    from ...heap import parts as held

    seen: set[int] = set()
    queue = [*args, *kwargs.values()]
    while queue and len(seen) < 5_000:
        obj = queue.pop()
        if id(obj) in seen or isinstance(obj, (int, str, float)):
            continue
        seen.add(id(obj))
        if obj is part:
            return True
        if isinstance(obj, (list, tuple, dict)) or trees.is_module(obj):
            queue.extend(held(obj) or ())
    return False


def listed(interpreter: Any, value: Value, node: Any) -> Value:
    """A generator given to a container, as a list."""
    if value.exact and isinstance(value.obj, Stream):
        items = interpreter.unpack_all(value, node)
        if items is None:
            raise Abandon("layers that are not known")
        return interpreter.heap.own([interpreter.heap.lower(item) for item in items])
    return value


def initialise(interpreter: Any, call: Any) -> Value | None:
    """``super().__init__(...)`` of a class of the notebook: the library's own constructor on the new object."""
    receiver = call.receiver
    args = list(call.args)
    if receiver is None:
        if not args or not args[0].exact:
            return None
        receiver = args.pop(0).obj
    target = interpreter.heap.resolve(receiver)
    if not trees.is_module(target) or not interpreter.heap.made(target) or not call.complete:
        raise Abandon("a module that is initialised again")
    function = call.func.__func__ if isinstance(call.func, types.MethodType) else call.func
    lowered = [lower(interpreter, listed(interpreter, v, call.node)) for v in args]
    named = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    follow(interpreter, call.event, function, [target, *lowered], named)
    for part in trees.all_modules(target, interpreter.heap.resolve):
        if part is target or not _given(part, lowered, named):
            interpreter.heap.own(part)
    own_module(interpreter, target)
    return exact(None)


def construct_users(interpreter: Any, cls: type, call: Any) -> Value | None:
    """An instance of a class of the notebook that derives from ``nn.Module``: its ``__init__`` is interpreted."""
    if cls.__new__ is not object.__new__:
        raise Abandon("a module class with a constructor of its own")
    if not call.complete:
        raise Abandon("a starred argument that is not known")
    value = interpreter.heap.own(object.__new__(cls))
    interpreter.initialise(cls, static_lookup(cls, "__init__"), value, call)
    return value


def store(interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
    """``module.name = value`` by the library's own rules, on an owned copy."""
    if static_lookup(type(obj), "__setattr__") is not vars(trees.module_class())["__setattr__"]:
        return False
    found = static_lookup(type(obj), name)
    if isinstance(found, property):
        return False
    if value.kind == "partial" and not lazy.is_tensor(value.obj):
        return False
    target = writable_module(interpreter, obj)
    table = object.__getattribute__(target, "__dict__")
    held = interpreter.heap.lower(value)
    if value.unknown:
        if any(name in (table.get(part) or ()) for part in ("_parameters", "_modules", "_buffers")):
            interpreter.heap.soil([target], link=False)
            return True
        table[name] = held
        return True
    if trees.is_module(held):
        held = interpreter.heap.resolve(held)
    setter = vars(trees.module_class())["__setattr__"]
    interpreter.quiet_call(event, lambda: setter(target, name, held))
    return True
