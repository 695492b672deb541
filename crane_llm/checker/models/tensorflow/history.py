"""What ``fit`` returns: the keys of its history, where they are known."""

from __future__ import annotations

from typing import Any

from ...values import Value, unknown
from .given import Given
from .twins import keras_class

_NO_KEYS = frozenset(
    "EarlyStopping ModelCheckpoint TensorBoard CSVLogger TerminateOnNaN BackupAndRestore History ProgbarLogger".split()
)


def harmless(interpreter: Any, given: Given) -> bool:
    """Whether no callback can end training early, raise, or put keys of its own into the logs."""
    value = given.value("callbacks")
    if value is None or (value.exact and value.obj is None):
        return True
    obj = interpreter.heap.resolve(value.obj) if value.exact else None
    items = obj if isinstance(obj, (list, tuple)) else [obj]
    kinds = []
    for item in items:
        kind = interpreter.heap.wrap(item).known_type
        kinds.append(kind)
    return all(
        kind is not None and kind.__name__ in _NO_KEYS and str(kind.__module__).startswith("keras.") for kind in kinds
    )


def history_of(interpreter: Any, model: Any, given: Given, logs: Any) -> Value:
    """What ``fit`` returns: a History whose keys are known where the logs are, and whose numbers are not."""
    cls = keras_class("keras.src.callbacks.history:History")
    if cls is None or logs is None or logs[0] is None or not harmless(interpreter, given):
        return unknown(cls)
    train, val, validated = logs
    if validated and val is None:
        return unknown(cls)
    keys = list(train) + [f"val_{name}" for name in (val or [])]
    lower = interpreter.heap.lower
    made = cls()
    made.history = interpreter.heap.own({key: lower(unknown(list)) for key in keys}).obj
    made.epoch = lower(unknown(list))
    made.params = lower(unknown(dict))
    vars(made)["_model"] = lower(interpreter.heap.wrap(model))
    return interpreter.heap.own(made)
