"""Models: methods that change lists, dicts, sets and deques, on overlay copies."""

from __future__ import annotations

from typing import Any

from ..callbacks import interpreted
from ..values import Abandon, Value, exact, unknown


def _target(interp: Any, call: Any) -> Any:
    target = interp.heap.writable(call.receiver)
    if target is None:
        raise Abandon("a container too large to copy")
    return target


def _lowered(interp: Any, call: Any) -> list[Any]:
    if not call.complete:
        raise Abandon("a starred argument that is not known")
    return [interp.heap.lower(value) for value in call.args]


def _act(name: str, base: type) -> Any:
    """A method whose arguments are stored or compared as they are."""

    def handler(interp: Any, call: Any) -> Value | None:
        if call.receiver is None or isinstance(call.receiver, type):
            return None
        args = _lowered(interp, call)
        if call.kwargs and name != "sort":
            return None
        target = _target(interp, call)
        method = getattr(base, name)
        return interp.heap.wrap(interp.attempt(call.event, lambda: method(target, *args)))

    return handler


def _extend(base: type) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if call.receiver is None or len(call.args) != 1 or call.kwargs:
            return None
        items = interp.unpack_all(call.args[0], call.node)
        target = _target(interp, call)
        if items is None:
            interp.heap.soil([target], link=False)
            return exact(None)
        base.extend(target, [interp.heap.lower(item) for item in items])  # type: ignore[attr-defined]
        return exact(None)

    return handler


def _sort(interp: Any, call: Any) -> Value | None:
    if call.receiver is None or call.args:
        return None
    items = list(interp.heap.resolve(call.receiver))
    named = {key: interpreted(interp, interp.heap.lower(value)) for key, value in call.kwargs.items()}
    survey = interp.surveyor.look([items, *named.values()])
    target = _target(interp, call)
    if survey.opaque or survey.live or survey.domains or not interp.budget.affords(len(items) * 3e-7):
        interp.heap.soil([target], link=False)
        interp.lose(call.node, "a sort of values that are not known")
        return exact(None)
    interp.call_nodes.append(call.node)
    try:
        target[:] = interp.attempt(call.event, lambda: sorted(items, **named))
    finally:
        interp.call_nodes.pop()
    return exact(None)


def _dict_key(name: str) -> Any:
    """``pop``, ``setdefault``, ``popitem``, ``__setitem__`` …: the key is compared with the dict's own."""

    def handler(interp: Any, call: Any) -> Value | None:
        if call.receiver is None or isinstance(call.receiver, type) or call.kwargs:
            return None
        args = _lowered(interp, call)
        obj = interp.heap.resolve(call.receiver)
        if not interp.safe_keys(obj) or (args and not interp.safe_to_hash(args[0])):
            raise Abandon("keys of the notebook's own class")
        target = _target(interp, call)
        method = getattr(dict, name)
        return interp.heap.wrap(interp.attempt(call.event, lambda: method(target, *args)))

    return handler


def _dict_read(name: str) -> Any:
    """``get``, ``keys``, ``values``, ``items``, ``copy``: elements may be unknown."""

    def handler(interp: Any, call: Any) -> Value | None:
        if call.receiver is None or isinstance(call.receiver, type) or call.kwargs or not call.complete:
            return None
        obj = interp.heap.resolve(call.receiver)
        args = _lowered(interp, call)
        if name == "get":
            if not args or not call.args[0].exact or not interp.safe_to_hash(args[0]) or not interp.safe_keys(obj):
                return unknown(reach=(obj,))
        method = getattr(dict, name)
        made = interp.attempt(call.event, lambda: method(obj, *args))
        return interp.heap.own(made) if name == "copy" else interp.heap.wrap(made)

    return handler


def _dict_update(interp: Any, call: Any) -> Value | None:
    if call.receiver is None or len(call.args) > 1 or not call.complete:
        return None
    target = _target(interp, call)
    if call.args:
        value = call.args[0]
        other = interp.heap.resolve(value.obj) if value.exact else None
        if type(other) is not dict:
            return None
        dict.update(target, other)
    dict.update(target, {key: interp.heap.lower(value) for key, value in call.kwargs.items()})
    return exact(None)


def _read_list(name: str) -> Any:
    """``copy``: the elements may be unknown."""

    def handler(interp: Any, call: Any) -> Value | None:
        if call.receiver is None or call.args or call.kwargs:
            return None
        return interp.heap.own(list(interp.heap.resolve(call.receiver)))

    return handler


def _set_add(name: str) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if call.receiver is None or len(call.args) != 1:
            return None
        key = interp.hash_checked(call.args[0], call.node)
        if not interp.safe_to_hash(key):
            return None
        target = _target(interp, call)
        return interp.heap.wrap(interp.attempt(call.event, lambda: getattr(set, name)(target, key)))

    return handler


MODELS: dict[str, Any] = {
    **{f"builtins.list.{name}": _act(name, list) for name in ("append", "insert", "pop", "clear", "reverse")},
    "builtins.list.extend": _extend(list),
    "builtins.list.sort": _sort,
    "builtins.list.copy": _read_list("copy"),
    **{
        f"builtins.dict.{name}": _dict_key(name)
        for name in ("pop", "popitem", "setdefault", "clear", "__setitem__", "__delitem__")
    },
    **{f"builtins.dict.{name}": _dict_read(name) for name in ("get", "keys", "values", "items", "copy")},
    "builtins.dict.update": _dict_update,
    **{f"builtins.set.{name}": _set_add(name) for name in ("add", "discard", "remove")},
}


def _remove(interp: Any, call: Any) -> Value | None:
    if call.receiver is None or len(call.args) != 1 or not call.args[0].exact:
        return None
    obj = interp.heap.resolve(call.receiver)
    if interp.surveyor.look([obj, call.args[0].obj]).opaque:
        raise Abandon("a comparison with values that are not known")
    target = _target(interp, call)
    return exact(interp.attempt(call.event, lambda: list.remove(target, call.args[0].obj)))


MODELS["builtins.list.remove"] = _remove
