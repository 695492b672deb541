"""Keras' layers, models and symbolic tensors that the cell makes or changes: real objects without weights.

Facts vouched for: classes, wiring, shapes, dtypes, settings. Not vouched for: weights, values, names that Keras makes up.
"""

from __future__ import annotations

import types
from typing import Any

from ...attributes import instance_dict, is_missing, static_lookup
from ...calls import PartialMethod
from ...purity.libraries import is_library_type
from ...shadows import followed
from ...values import ATOMS, Abandon, Value, exact, unknown
from ..base import Domain
from . import notebook
from .graph import (
    Lowering,
    from_library,
    is_graph_object,
    is_layer,
    is_model,
    is_tensor,
    mapped,
    register,
    run,
    wrap,
    writable,
)
from .saving import saving

# Attributes of layers, models and tensors that neither hold weights nor run anything.
FACTS = frozenset(
    "shape dtype ndim sparse input output inputs outputs input_shape output_shape layers built trainable units filters kernel_size strides padding "
    "pool_size rate data_format compute_dtype variable_dtype input_dtype axis input_dim output_dim target_shape dims use_bias return_sequences "
    "return_state go_backwards stateful unroll momentum epsilon noise_shape dilation_rate groups supports_masking batch_shape compiled "
    "stop_training n size interpolation height width factor scale offset cropping".split()
)
# Set on an instance by training, loading or saving: their absence now proves nothing.
LATER = frozenset(
    "history stop_training optimizer loss metrics metrics_names run_eagerly validation_data model".split()
)
_PURE_METHODS = frozenset("get_config count_params compute_output_shape compute_mask get_layer".split())


class KerasDomain(Domain):
    """Operations on real Keras objects of the checker's own."""

    name = "keras"

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        obj = interpreter.heap.resolve(owner.obj)
        if interpreter.heap.is_dirty(obj):
            return None
        if followed(obj):
            return notebook.attribute(interpreter, event, owner, obj, name)
        kind = type(obj)
        found = static_lookup(kind, name)
        own = instance_dict(obj) or {}
        if isinstance(found, (types.FunctionType, classmethod, staticmethod)) and (name not in own or name == "build"):
            return exact(PartialMethod(owner, name)) if is_library_type(kind) else None
        if is_missing(found) and name not in own and is_library_type(kind):
            if name in LATER or name.startswith("_"):
                return None
            run(interpreter, event, lambda: getattr(obj, name))
            return None
        if name not in FACTS or not is_library_type(kind):
            return unknown(str) if name == "name" else None
        return wrap(interpreter, run(interpreter, event, lambda: getattr(obj, name)), (obj,))

    def store_attribute(self, interpreter: Any, event: Any, owner: Value, name: str, value: Value) -> bool:
        obj = interpreter.heap.resolve(owner.obj)
        if followed(obj) and interpreter.heap.owns(obj) and not interpreter.heap.is_dirty(obj):
            return notebook.store(interpreter, event, obj, name, value)
        if interpreter.heap.is_dirty(obj) or not from_library(obj) or not value.exact or type(value.obj) not in ATOMS:
            return False
        if name not in ("trainable", "training") or type(value.obj) is not bool:
            return False
        target = writable(interpreter, [obj])[id(obj)]
        run(interpreter, event, lambda: setattr(target, name, value.obj))
        return True

    def operate(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        if not any(value.kind == "partial" and is_tensor(value.obj) for value in values):
            return None
        return called(interpreter, event, function, values, {})

    def item(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        if owner.kind != "partial" or not is_tensor(owner.obj) or not index.exact:
            return None
        import operator

        return called(interpreter, event, operator.getitem, [owner, index], {})

    def truth(self, interpreter: Any, event: Any, value: Value) -> bool | None:
        return True if is_layer(value.obj) else None

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if func.kind == "partial":
            obj = interpreter.heap.resolve(func.obj)
            return call_layer(interpreter, event, obj, args, kwargs) if is_layer(obj) else None
        target = func.obj
        module = str(getattr(target, "__module__", ""))
        if module.startswith(("tensorflow.", "keras.")):
            return called(interpreter, event, target, args, kwargs)
        return None

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        obj = interpreter.heap.resolve(owner.obj)
        if interpreter.heap.is_dirty(obj):
            return None
        return method(interpreter, event, obj, name, args, kwargs)


KERAS = KerasDomain()


def method(
    interpreter: Any, event: Any, obj: Any, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    """A method of a graph object (live, or of ours) by name."""
    from . import training

    if not from_library(obj):
        if not notebook.derivable(type(obj)):
            return None
        obj = writable(interpreter, [obj])[id(obj)]
    if is_model(obj):
        handler = training.METHODS.get(name)
        if handler is not None:
            return handler(interpreter, event, obj, args, kwargs)
        handler = _METHODS.get(name)
        if handler is not None:
            return handler(interpreter, event, obj, args, kwargs)
    if name == "__call__":
        return call_layer(interpreter, event, obj, args, kwargs)
    if name in _OWN_METHODS and followed(obj):
        return _own_method(interpreter, event, obj, name, args, kwargs)
    if name in _PURE_METHODS:
        lowering = Lowering(interpreter)
        given = [lowering.value(v) for v in args]
        named = {k: lowering.value(v) for k, v in kwargs.items()}
        result = run(interpreter, event, lambda: getattr(obj, name)(*given, **named))
        if name in ("get_config", "compute_mask"):
            return unknown(type(result))
        return (
            wrap(interpreter, result, (obj,))
            if is_owned(interpreter, obj) or not is_graph_object(result)
            else interpreter.heap.wrap(result)
        )
    return None


# What the code of a notebook class calls on its own instance, and what changes nothing but that instance.
_OWN_METHODS = frozenset("add_weight add_variable add_loss compute_loss compute_metrics".split())


def _own_method(
    interpreter: Any, event: Any, obj: Any, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    lowering = Lowering(interpreter)
    given = [lowering.value(v) for v in args]
    named = {k: lowering.value(v) for k, v in kwargs.items()}
    if not interpreter.heap.owns(obj):
        return None
    table = writable(interpreter, [part for part in lowering.graph if part is not obj])
    return wrap(
        interpreter, run(interpreter, event, lambda: getattr(obj, name)(*mapped(given, table), **mapped(named, table)))
    )


def is_owned(interpreter: Any, obj: Any) -> bool:
    return bool(interpreter.heap.made(obj))


def called(interpreter: Any, event: Any, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """A function or operator of Keras or TensorFlow on symbolic tensors, for real, on owned graphs."""
    lowering = Lowering(interpreter)
    given = [lowering.value(v) for v in args]
    named = {k: lowering.value(v) for k, v in kwargs.items()}
    if lowering.functions:
        raise Abandon("a function of the notebook is given to TensorFlow")
    table = writable(interpreter, lowering.graph)
    given, named = mapped(given, table), mapped(named, table)
    return wrap(interpreter, run(interpreter, event, lambda: function(*given, **named)))


def call_layer(interpreter: Any, event: Any, layer: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """``layer(x)``: symbolic on symbolic tensors; on data the shape of the result at most."""
    lowering = Lowering(interpreter)
    given = [lowering.value(v) for v in args]
    named = {k: lowering.value(v) for k, v in kwargs.items()}
    if not any(is_tensor(obj) for obj in lowering.graph):
        return None
    table = writable(interpreter, [layer, *lowering.graph])
    given, named, target = mapped(given, table), mapped(named, table), table[id(layer)]
    if not library_made(target):
        return None
    return wrap(interpreter, run(interpreter, event, lambda: target(*given, **named)))


def library_made(layer: Any) -> bool:
    """Whether a layer and all layers inside it are Keras' own and hold no function of the notebook."""
    flatten = getattr(layer, "_flatten_layers", None)
    if flatten is None:
        return from_library(layer) or followed(layer)
    for part in flatten():
        if not from_library(part) and not followed(part):
            return False
        for name in ("function", "activation", "_function"):
            func = vars(part).get(name)
            if isinstance(func, types.FunctionType) and not str(func.__module__).startswith(("keras.", "tensorflow.")):
                return False
    return True


def _summary(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """Prints; where a sequential model has no layers or shapes it still runs."""
    if any(
        name not in ("line_length", "positions", "print_fn", "expand_nested", "show_trainable", "layer_range")
        for name in kwargs
    ):
        return _bind(interpreter, event, model, "summary", args, kwargs)
    if "print_fn" in kwargs or not library_made(model):
        return None
    return exact(None)


def _bind(
    interpreter: Any, event: Any, model: Any, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    """Arguments that the method's signature does not take raise."""
    from ...binding import binding_error

    class Shape:
        pass

    shape = Shape()
    shape.complete, shape.args, shape.kwargs = True, args, kwargs  # type: ignore[attr-defined]
    bound = getattr(model, name)
    error = binding_error(types.MethodType(unwrapped(bound.__func__), model), shape)
    if error is not None:
        raise interpreter.fail(error, event)
    return None


def unwrapped(func: Any) -> Any:
    """The function inside Keras' traceback filter: its signature is the one that is checked."""
    while hasattr(func, "__wrapped__"):
        func = func.__wrapped__
    return func


def _changing(name: str) -> Any:
    def handler(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        lowering = Lowering(interpreter)
        given = [lowering.value(v) for v in args]
        named = {k: lowering.value(v) for k, v in kwargs.items()}
        table = writable(interpreter, [model, *lowering.graph])
        given, named, target = mapped(given, table), mapped(named, table), table[id(model)]
        if any(is_layer(obj) and not library_made(obj) for obj in [target, *table.values()]):
            return None
        return wrap(interpreter, run(interpreter, event, lambda: getattr(target, name)(*given, **named)))

    return handler


_METHODS = {
    "add": _changing("add"),
    "pop": _changing("pop"),
    "build": _changing("build"),
    "summary": _summary,
    "save": saving("save_model", (".keras", ".h5", ".hdf5")),
    "save_weights": saving("save_weights", (".weights.h5",)),
}

__all__ = ["KERAS", "call_layer", "called", "method", "register", "unwrapped"]
