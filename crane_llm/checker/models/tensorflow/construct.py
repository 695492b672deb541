"""Making layers, models, optimizers, losses, metrics and callbacks: the real constructors, in the scene."""

from __future__ import annotations

from typing import Any

from ...binding import stub_for
from ...values import ATOMS, Abandon, Value, unknown
from .compiling import blank, is_optimizer
from .domain import library_made
from .graph import Lowering, is_layer, mapped, register, run, wrap, writable
from .twins import keras_class

BUILD_SECONDS = 0.25  # what building a large published network takes
# Plain objects: settings only, nothing of the runtime.
_SETTINGS = (
    "keras.src.initializers.",
    "keras.src.regularizers.",
    "keras.src.constraints.",
    "keras.src.optimizers.schedules.",
)
_CALLBACKS = frozenset(
    "EarlyStopping ModelCheckpoint ReduceLROnPlateau LearningRateScheduler CSVLogger TerminateOnNaN LambdaCallback".split()
)


def construct(interpreter: Any, call: Any, cls: type) -> Value | None:
    """An instance of one of Keras' classes; None where the class is not made by the checker."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    if not name.startswith("keras.src."):
        return None
    if cls.__module__.startswith("keras.src.legacy.preprocessing") or cls.__module__.startswith("keras.src.trainers."):
        return None
    try:
        return _made(interpreter, call, cls, name)
    except Abandon as reason:
        _binding(interpreter, call, cls)
        interpreter.lose(call.node, str(reason))
        return unknown(
            cls if _exactly(cls) else None, tuple(v.obj for v in call.args if v.exact and type(v.obj) not in ATOMS)[:16]
        )


def _exactly(cls: type) -> bool:
    model = keras_class("keras.src.models.model:Model")
    return cls is not model


def _binding(interpreter: Any, call: Any, cls: type) -> None:
    """Where the arguments' values are not known, their names may still be wrong."""
    import types

    init: Any = cls.__init__  # type: ignore[misc]
    if not isinstance(init, types.FunctionType) or hasattr(init, "__wrapped__") or not call.complete:
        return
    model = keras_class("keras.src.models.model:Model")
    if model is not None and issubclass(cls, model):
        return
    try:
        stub = stub_for(init)
    except (ValueError, SyntaxError):
        return
    try:
        stub(None, *([None] * len(call.args)), **dict.fromkeys(call.kwargs))
    except TypeError as error:
        raise interpreter.fail(error, call.event) from None


def _made(interpreter: Any, call: Any, cls: type, name: str) -> Value | None:
    lowering = Lowering(interpreter)
    given = [lowering.value(v) for v in call.args]
    named = {k: lowering.value(v) for k, v in call.kwargs.items()}
    if _is(cls, "keras.src.optimizers.base_optimizer:BaseOptimizer"):
        return _optimizer(interpreter, call, cls, given, named)
    if _is(cls, "keras.src.ops.operation:Operation"):
        table = writable(interpreter, lowering.graph)
        if any(is_layer(obj) and not library_made(obj) for obj in table.values()):
            raise Abandon("a layer of the notebook's own class")
        given, named = mapped(given, table), mapped(named, table)
        return wrap(interpreter, run(interpreter, call.event, lambda: cls(*given, **named)))
    if _is(cls, "keras.src.metrics.metric:Metric"):
        return register(interpreter, run(interpreter, call.event, lambda: cls(*given, **named)))
    if name.startswith(_SETTINGS) or _is(cls, "keras.src.losses.loss:Loss"):
        return interpreter.heap.own(run(interpreter, call.event, lambda: cls(*given, **named)))
    if _is(cls, "keras.src.callbacks.callback:Callback"):
        if cls.__name__ not in _CALLBACKS:
            raise Abandon("a callback that is not made")
        return interpreter.heap.own(run(interpreter, call.event, lambda: cls(*given, **named)))
    return None


def _is(cls: type, name: str) -> bool:
    base = keras_class(name)
    return base is not None and issubclass(cls, base)


def _optimizer(interpreter: Any, call: Any, cls: type, given: list[Any], named: dict[str, Any]) -> Value:
    """Its settings are checked for real; it stops at the first variable, which is not made."""
    try:
        made = run(interpreter, call.event, lambda: cls(*given, **named))
    except Abandon:
        made = None
    del made
    return register(interpreter, blank(cls))


def application(interpreter: Any, call: Any) -> Value | None:
    """A published network: the same graph without its weights, which would be downloaded."""
    name = call.key.rpartition(".")[2]
    if not name[:1].isupper():
        return None
    if not interpreter.budget.affords(BUILD_SECONDS):
        return None
    lowering = Lowering(interpreter)
    try:
        given = [lowering.value(v) for v in call.args]
        named = {k: lowering.value(v) for k, v in call.kwargs.items()}
        weights = named.get("weights", "imagenet")
        if len(given) > 1 or weights not in (None, "imagenet"):
            return None
        table = writable(interpreter, lowering.graph)
        named = mapped({**named, "weights": None}, table)
        result = run(interpreter, call.event, lambda: call.func(*mapped(given, table), **named))
    except Abandon as reason:
        interpreter.lose(call.node, str(reason))
        return unknown()
    if weights == "imagenet":
        interpreter.lose(call.node, "weights are fetched")
        interpreter.world.files = False
    return wrap(interpreter, result)


__all__ = ["application", "construct", "is_optimizer"]
