"""Models: Keras 3 on TensorFlow. Layers and models are made for real, without weights and without a trace; nothing is trained.

``scene`` holds Keras' state for the check, ``twins`` copies live graphs, ``graph`` turns values into objects and back, ``domain`` operates
on the objects, ``construct`` makes them, ``training`` and ``labels`` check what training would meet, ``data`` and ``iterators`` say what
a batch looks like, ``datasets`` iterates over ``tf.data``.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

from ...attributes import instance_dict, is_missing, static_lookup
from ...purity.libraries import is_library_type
from ...values import ATOMS, Value, exact, unknown
from ..base import Library
from . import datasets, notebook
from .construct import construct
from .domain import FACTS, KERAS, call_layer, called, method
from .graph import Lowering, is_graph_object, is_tensor, run, wrap
from .saving import SAVING_MODELS
from .scene import keras_ready

# Attributes by which unknown code given a layer reaches other objects; the rest is Keras' bookkeeping.
_INNER = frozenset({"_layers", "_functional", "_operations", "_keras_history", "_optimizer", "_metrics"})
_HELD = (list, tuple, dict, set)


class Keras(Library):
    """Objects of TensorFlow and Keras."""

    roots = ("tensorflow", "keras")

    def attribute(self, interpreter: Any, event: Any, obj: Any, name: str) -> Value | None:
        if isinstance(obj, types.ModuleType):
            return _module_attribute(interpreter, event, obj, name)
        if (
            not is_graph_object(obj)
            or interpreter.heap.is_dirty(obj)
            or not is_library_type(type(obj))
            or not keras_ready()
        ):
            return None
        found = static_lookup(type(obj), name)
        if (
            name in FACTS
            and (isinstance(found, property) or is_missing(found))
            and name not in (instance_dict(obj) or {})
        ):
            made = run(interpreter, event, lambda: getattr(obj, name))
            return interpreter.heap.own(list(made)) if isinstance(made, list) else interpreter.heap.wrap(made)
        return None

    def parts(self, obj: Any) -> list[Any] | None:
        kind = type(obj)
        if not str(kind.__module__).startswith(("keras.", "tensorflow.")):
            return None
        if not is_graph_object(obj):
            if str(kind.__module__).startswith(
                (
                    "keras.src.initializers",
                    "keras.src.regularizers",
                    "keras.src.dtype",
                    "keras.src.backend",
                    "tensorflow.",
                )
            ):
                return []
            return None
        own = instance_dict(obj) or {}
        found = []
        for name, value in own.items():
            if name.startswith("_") and name not in _INNER:
                continue
            if isinstance(value, _HELD) or is_graph_object(value) or not is_library_type(type(value)):
                found.append(value)
        return found

    def module(self, name: str) -> Any:
        if name == "tensorflow.keras" or name.startswith("tensorflow.keras."):
            return sys.modules.get("keras._tf_keras." + name.partition(".")[2])
        if name.startswith("keras."):
            return sys.modules.get("keras.api." + name.partition(".")[2])
        return None

    def items(self, interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
        return datasets.items(interpreter, obj, event)

    def item_cost(self, obj: Any, index: Any, weight: int) -> float | None:
        return 2e-4 if _is_eager(obj) and weight < 10_000_000 else 1e-5 if type(obj).__name__ == "TensorShape" else None

    def class_base(self, cls: type) -> bool:
        return keras_ready() and notebook.derivable(cls)

    def construct(self, interpreter: Any, cls: type, call: Any) -> Value | None:
        return notebook.construct(interpreter, cls, call)

    def received(self, interpreter: Any, obj: Any) -> Value | None:
        return wrap(interpreter, obj) if is_graph_object(obj) else None

    def store_attribute(self, interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
        if not is_graph_object(obj) or not keras_ready() or interpreter.heap.is_dirty(obj):
            return False
        return KERAS.store_attribute(interpreter, event, exact(obj), name, value)


def _is_eager(obj: Any) -> bool:
    return type(obj).__name__ == "EagerTensor"


def _module_attribute(interpreter: Any, event: Any, module: Any, name: str) -> Value | None:
    """``tf.keras`` and its kin load themselves on first use: their names are read from the module behind, if that is loaded."""
    if type(module).__name__ == "LazyLoader":
        table = types.ModuleType.__getattribute__(module, "__dict__")
        real = sys.modules.get(str(table.get("__name__")))
        return _read(interpreter, event, real, name) if real is not None else unknown()
    if type(module).__name__ != "KerasLazyLoader":
        return None
    table = types.ModuleType.__getattribute__(module, "__dict__")
    import os

    if (
        os.environ.get("TF_USE_LEGACY_KERAS") in ("true", "True", "1")
        or not interpreter.world.environment
        and not table.get("_tfll_initialized")
    ):
        return unknown()
    if table.get("_tfll_mode") is not None or table.get("_tfll_submodule"):
        return unknown()
    real = sys.modules.get("keras._tf_keras.keras")
    return _read(interpreter, event, real, name) if real is not None else unknown()


def _read(interpreter: Any, event: Any, module: Any, name: str) -> Value:
    written = interpreter.module_writes.get((id(module), name))
    if written is not None:
        return written
    return interpreter.heap.wrap(interpreter.quiet_call(event, lambda: getattr(module, name)))


def _keras(interpreter: Any, call: Any) -> Value | None:
    """Any callable of Keras."""
    if not keras_ready() or not call.complete:
        return None
    func = call.func
    if isinstance(func, type):
        return construct(interpreter, call, func)
    if is_graph_object(func):
        return call_layer(interpreter, call.event, func, call.args, call.kwargs)
    receiver = call.receiver
    if receiver is not None and not isinstance(receiver, type):
        receiver = interpreter.heap.resolve(receiver)
        if call.key.endswith(".__init__"):
            return notebook.initialise(interpreter, call.event, receiver, call.func.__func__, call.args, call.kwargs)
        if is_graph_object(receiver) and not interpreter.heap.is_dirty(receiver):
            return method(interpreter, call.event, receiver, call.key.rpartition(".")[2], call.args, call.kwargs)
        return None
    return _function(interpreter, call)


def _function(interpreter: Any, call: Any) -> Value | None:
    """A function of Keras: the network builders, and whatever is given a symbolic tensor."""
    key = call.key
    if key == "keras.src.layers.core.input_layer.Input":
        return called(interpreter, call.event, call.func, call.args, call.kwargs)
    if key.startswith("keras.src.applications."):
        from .construct import application

        return application(interpreter, call)
    values = [*call.args, *call.kwargs.values()]
    if any(_symbolic(value) for value in values):
        return called(interpreter, call.event, call.func, call.args, call.kwargs)
    return None


def _symbolic(value: Value) -> bool:
    if value.unknown:
        return False
    if isinstance(value.obj, (list, tuple)):
        return any(is_tensor(item) for item in value.obj[:20])
    return is_tensor(value.obj)


def _tensorflow(interpreter: Any, call: Any) -> Value | None:
    """A function of TensorFlow that is given a symbolic tensor of Keras."""
    if call.receiver is not None or not keras_ready() or not call.complete or isinstance(call.func, type):
        return datasets.method(interpreter, call)
    if any(_symbolic(value) for value in [*call.args, *call.kwargs.values()]):
        return called(interpreter, call.event, call.func, call.args, call.kwargs)
    return None


LIBRARY = Keras()
MODELS: dict[str, Any] = {"keras.src.*": _keras, "tensorflow.python.*": _tensorflow, **SAVING_MODELS}

__all__ = ["ATOMS", "LIBRARY", "Lowering", "MODELS"]
