"""Built-in functions that look through elements: lengths, collections, sums."""

from __future__ import annotations

from typing import Any

from ...purity.libraries import is_library_type
from ...streams import Internal, Stream
from ...values import PARTIAL, Abandon, Hole, Value, exact, unknown
from .shared import fits, own_method


def _len(interp: Any, call: Any) -> Value | None:
    if not fits(call, 1, 1):
        return None
    value = call.args[0]
    if value.kind == PARTIAL:
        return value.domain.call(interp, call.event, exact(len), call.args, {})
    if not value.exact:
        interp.lose(call.node, "the length of something unknown")
        return unknown(int)
    obj = interp.heap.resolve(value.obj)
    if type(obj) in (list, tuple, dict, set, frozenset, str, bytes, range):
        return exact(len(obj))
    if isinstance(obj, Internal):
        sample = obj.sample()
        if sample is None:
            raise Abandon("the length of an iterator")
        interp.attempt(call.event, lambda: len(sample))
    method = own_method(interp, value, "__len__")
    if method is not None:
        return interp.call_value(exact(method), [value], {}, call.node)
    if not is_library_type(type(obj)) and interp.type_attribute(value, "__len__") is None:
        bare = type(type(obj).__name__, (), {})()
        interp.attempt(call.event, lambda: len(bare))
    return None


def _collect(kind: type) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if not fits(call, 0, 1):
            return None
        if not call.args:
            return interp.heap.own(kind()) if kind is not tuple else exact(())
        walk = interp.iterate(call.args[0], call.node)
        if walk is None:
            return unknown(kind, call.args[0].reach or tuple(v.obj for v in call.args if v.exact))
        items = []
        for item in walk:
            interp.spend()
            items.append(interp.hash_checked(item, call.node) if kind is set else interp.heap.lower(item))
        if kind is set and any(not interp.safe_to_hash(item) for item in items):
            return unknown(set)
        made = kind(items)
        return exact(made) if kind is tuple else interp.heap.own(made)

    return handler


def _dict(interp: Any, call: Any) -> Value | None:
    if not fits(call, 0, 1, tuple(call.kwargs)):
        return None
    made: dict[Any, Any] = {}
    if call.args:
        value = call.args[0]
        obj = interp.heap.resolve(value.obj) if value.exact else None
        if isinstance(obj, dict) and is_library_type(type(obj)):
            made.update(obj)
        elif interp.type_attribute(value, "keys") is not None:
            if not _merge(interp, made, value, call.node):
                return unknown(dict, (interp.namespace,))
        else:
            walk = interp.iterate(value, call.node)
            if walk is None:
                return unknown(dict, (interp.namespace,))
            for position, pair in enumerate(walk):
                parts = interp.unpack_all(pair, call.node)
                if parts is None:
                    return unknown(dict, (interp.namespace,))
                if len(parts) != 2:
                    filler = [(0, 0)] * position + [tuple(range(len(parts)))]
                    interp.attempt(call.event, lambda filler=filler: dict(filler))
                key = interp.hash_checked(parts[0], call.node)
                if isinstance(key, Hole) or not interp.safe_to_hash(key):
                    return unknown(dict, (interp.namespace,))
                made[key] = interp.heap.lower(parts[1])
    made.update({name: interp.heap.lower(value) for name, value in call.kwargs.items()})
    return interp.heap.own(made)


def _merge(interp: Any, made: dict[Any, Any], value: Value, node: Any) -> bool:
    """What ``dict`` does with an object that has ``keys`` (a frame, a mapping of the notebook); False where it is not known."""
    keys = interp.iterate(interp.call_value(interp.attribute(value, "keys", node), [], {}, node), node)
    if keys is None:
        return False
    for item in keys:
        key = interp.hash_checked(item, node)
        if isinstance(key, Hole) or not interp.safe_to_hash(key):
            return False
        made[key] = interp.heap.lower(interp.item(value, item, node))
    return True


def _logic(stop: bool) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if not fits(call, 1, 1) or not call.args[0].exact:
            return None
        obj = call.args[0].obj
        if not isinstance(obj, (Stream, list, tuple)):
            return None
        walk = interp.iterate(call.args[0], call.node)
        if walk is None:
            return unknown(bool)
        for item in walk:
            known = interp.truth(item, call.node)
            if known is None:
                return unknown(bool)
            if known is stop:
                return exact(stop)
        return exact(not stop)

    return handler


def _sum(interp: Any, call: Any) -> Value | None:
    """A sum over objects of the notebook is interpreted step by step."""
    if not fits(call, 1, 2, ("start",)) or not call.args[0].exact:
        return None
    obj = call.args[0].obj
    if not isinstance(obj, (list, tuple, Stream)):
        return None
    total = call.argument(1, "start", exact(0))
    walk = interp.iterate(call.args[0], call.node)
    if walk is None:
        return None
    for item in walk:
        interp.spend()
        total = interp.binary("Add", total, item, call.node)
        if total.unknown:
            return unknown()
    return total


COLLECTING_MODELS: dict[str, Any] = {
    "builtins.len": _len,
    "builtins.list": _collect(list),
    "builtins.tuple": _collect(tuple),
    "builtins.set": _collect(set),
    "builtins.dict": _dict,
    "builtins.any": _logic(True),
    "builtins.all": _logic(False),
    "builtins.sum": _sum,
}
