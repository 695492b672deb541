"""``compile``: Keras' own, on a copy, with something that passes for the optimizer."""

from __future__ import annotations

import sys
from typing import Any

from ...values import Abandon, Value, exact
from .given import bind, library_step
from .graph import Lowering, mapped, run, writable
from .twins import keras_class


def compile_model(
    interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    given = bind(interpreter, event, model, "compile", args, kwargs)
    if not library_step(model):
        raise Abandon("a model whose code is not followed")
    named: dict[str, Any] = {}
    lowering = Lowering(interpreter)
    unknown_loss = False
    optimizer = given.value("optimizer")
    if optimizer is not None:
        named["optimizer"] = _optimizer(interpreter, event, optimizer)
    for name in given.bound:
        if name in ("self", "optimizer") or not isinstance(given.bound[name], Value):
            continue
        try:
            named[name] = lowering.value(given.bound[name])
        except Abandon:
            if name not in ("loss", "metrics", "weighted_metrics"):
                raise
            unknown_loss = True
    table = writable(interpreter, [model, *lowering.graph])
    target = table[id(model)]
    if unknown_loss:
        named = {
            name: item
            for name, item in named.items()
            if name not in ("loss", "metrics", "weighted_metrics", "loss_weights")
        }
    run(interpreter, event, lambda: target.compile(**mapped(named, table)))
    vars(target).update(_crane_unknown_loss=unknown_loss, _crane_traced=set(), _crane_functions=())
    return exact(None)


def _optimizer(interpreter: Any, event: Any, value: Value) -> Any:
    """An object that passes for the optimizer; raises what Keras raises for one that it cannot make."""
    base = keras_class("keras.src.optimizers.optimizer:Optimizer")
    if value.exact and isinstance(value.obj, (str, dict)) or value.exact and not is_optimizer(value.obj):
        get = sys.modules["keras.src.optimizers"].get
        if value.exact and type(value.obj) is str:
            try:
                made = run(interpreter, event, lambda: get(value.obj))
            except Abandon:
                made = blank(base)
            return made if not is_optimizer(made) else blank(base)
        if value.exact and type(value.obj) in (int, float, type(None)):
            return run(interpreter, event, lambda: get(value.obj))
        raise Abandon("an optimizer that is not known")
    if value.unknown and (value.type is None or not issubclass(value.type, base)):
        raise Abandon("an optimizer that is not known")
    return blank(base)


def is_optimizer(obj: Any) -> bool:
    base = keras_class("keras.src.optimizers.base_optimizer:BaseOptimizer")
    return base is not None and isinstance(obj, base)


def blank(cls: type) -> Any:
    """An instance without variables."""
    made: Any = object.__new__(cls)
    vars(made).update({"_lock": False, "built": True, "name": "optimizer", "loss_scale_factor": None})
    return made
