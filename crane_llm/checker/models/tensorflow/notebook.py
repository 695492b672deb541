"""Keras classes and functions of the notebook: layers, models, losses, metrics, callbacks, sequences.

Their own code is never run (see :mod:`shadows`): Keras' machinery (``__call__``, ``build``, the step of training) is used as it is and
calls the interpreter where it calls the notebook.
"""

from __future__ import annotations

import types
from typing import Any

from ...attributes import instance_dict, is_missing, static_lookup
from ...shadows import followed, interpreted, shadow_of
from ...values import ATOMS, Abandon, Hole, Value, exact, unknown
from .twins import keras_class

# What a class of the notebook may derive from.
BASES = (
    "keras.src.layers.layer:Layer",
    "keras.src.losses.loss:Loss",
    "keras.src.metrics.metric:Metric",
    "keras.src.callbacks.callback:Callback",
    "keras.src.trainers.data_adapters.py_dataset_adapter:PyDataset",
)


def derivable(cls: type) -> bool:
    """Whether a class of the cell may derive from this class of Keras for real."""
    return any(base is not None and issubclass(cls, base) for base in map(keras_class, BASES))


def construct(interpreter: Any, cls: type, call: Any) -> Value | None:
    """An instance of a class of the notebook: its ``__init__`` is interpreted, Keras' own part of it is run in the scene."""
    from .graph import is_graph_object, register, run
    from .scene import keras_ready

    if not keras_ready() or not derivable(cls):
        return None
    if not call.complete:
        raise Abandon("a starred argument that is not known")
    kind = shadow_of(interpreter, cls)
    if kind.__new__ is not object.__new__ and interpreted(kind.__new__):
        raise Abandon("a class with a constructor of its own")
    obj = run(interpreter, call.event, lambda: kind.__new__(kind))  # type: ignore[call-overload]
    value = register(interpreter, obj) if is_graph_object(obj) else interpreter.heap.own(obj)
    init = static_lookup(kind, "__init__")
    if interpreted(init):
        interpreter.initialise(kind, init, value, call)
    else:
        initialise(interpreter, call.event, obj, init, call.args, call.kwargs)
    if interpreter.heap.is_dirty(obj):
        raise Abandon("an instance that was handed to something unknown while it was made")
    return interpreter.heap.wrap(obj)


def initialise(
    interpreter: Any, event: Any, obj: Any, init: Any, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    """Keras' own ``__init__`` on a new instance of a class of the notebook."""
    from .graph import Lowering, mapped, run, writable

    if not interpreter.heap.made(obj) or not followed(obj):
        raise Abandon("an object that is initialised again")
    lowering = Lowering(interpreter)
    given = [lowering.value(v) for v in args]
    named = {k: lowering.value(v) for k, v in kwargs.items()}
    table = writable(interpreter, [part for part in lowering.graph if part is not obj])
    run(interpreter, event, lambda: init(obj, *mapped(given, table), **mapped(named, table)))
    return exact(None)


def attribute(interpreter: Any, event: Any, owner: Value, obj: Any, name: str) -> Value | None:
    """``obj.name`` of an instance that is followed; None where it is not known."""
    from ...calls import PartialMethod
    from .domain import FACTS, LATER
    from .graph import run, wrap

    kind = type(obj)
    found = static_lookup(kind, name)
    own = instance_dict(obj) or {}
    if isinstance(found, property):
        if interpreted(found.fget):
            return interpreter.call_value(exact(found.fget), [owner], {}, event.node)
        if name in FACTS:
            return wrap(interpreter, run(interpreter, event, lambda: getattr(obj, name)), (obj,))
        return unknown()
    if name in own and name != "build":
        return held(interpreter, own[name])
    if interpreted(found):
        return exact(types.MethodType(found, obj))
    if isinstance(found, (staticmethod, classmethod)) and interpreted(found.__func__):
        return exact(found.__func__) if isinstance(found, staticmethod) else None
    if isinstance(found, types.FunctionType):
        return exact(PartialMethod(owner, name))
    if not is_missing(found):
        return exact(found) if type(found) in ATOMS and found is not None else None
    if name in LATER or name.startswith("_") or interpreted(static_lookup(kind, "__getattr__")):
        return None
    run(interpreter, event, lambda: getattr(obj, name))
    return None


def held(interpreter: Any, item: Any) -> Value:
    """What an attribute of a followed instance holds."""
    from .graph import is_graph_object, wrap

    if type(item) is Hole:
        value: Value = item.value
        return value
    if is_graph_object(item):
        return wrap(interpreter, item)
    return interpreter.heap.wrap(item)


def store(interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
    """``obj.name = value`` on a followed instance of ours, by Keras' own rules."""
    from .graph import Lowering, mapped, run, writable

    found = static_lookup(type(obj), name)
    if interpreted(static_lookup(type(obj), "__setattr__")) or isinstance(found, property) and interpreted(found.fset):
        return False
    if value.unknown:
        vars(obj)[name] = interpreter.heap.lower(value)
        return True
    if value.exact and isinstance(value.obj, types.MethodType) and value.obj.__self__ is obj:
        vars(obj)[name] = value.obj
        return True
    lowering = Lowering(interpreter)
    try:
        plain = lowering.value(value)
    except Abandon:
        vars(obj)[name] = Hole(unknown(value.known_type, (value.obj,)))
        return True
    table = writable(interpreter, [part for part in lowering.graph if part is not obj])
    run(interpreter, event, lambda: setattr(obj, name, mapped(plain, table)))
    return True


def tracked(obj: Any) -> bool:
    """Whether ``obj`` is one of the containers that Keras makes of a list or dict which is stored on a layer."""
    return any(
        cls is not None and type(obj) is cls
        for cls in (keras_class(f"keras.src.utils.tracking:Tracked{part}") for part in ("List", "Dict", "Set"))
    )


__all__ = [
    "attribute",
    "construct",
    "derivable",
    "initialise",
    "store",
    "tracked",
]
