from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import nearest
from .shared import DATA


class MissingHistory(Rule):
    """The history of a training holds no metric of that name.

    Its keys are ``loss`` and the compiled metrics as they were written there (``accuracy`` or ``acc``), each again with ``val_`` where
    validation data was given.

    Example: ``history.history['acc']`` after ``metrics=['accuracy']``; ``history.history['val_loss']`` without validation data.

    Fix: use a key that is there, or give ``fit`` validation data.
    """

    code = "keras.missing-history"
    library = "keras"
    exceptions = ("KeyError",)
    requires = ("tensorflow",)
    order = 15
    CRASHES = [
        (DATA, "history = model.fit(X, y)\nhistory.history['acc']", "KeyError"),
        (DATA, "history = model.fit(X, y, epochs=2, verbose=0)\nprint(history.history['val_loss'])", "KeyError"),
        (DATA + "history = model.fit(X, y, verbose=0)", "history.history['val_accuracy'][-1]", "KeyError"),
        (
            DATA,
            "net = Sequential([layers.Input((10,)), layers.Dense(3)])\nnet.compile('adam', 'mse')\nhistory = net.fit(X, Y, validation_split=0.25)\nhistory.history['accuracy']",
            "KeyError",
        ),
        (DATA, "h = model.fit(X, y, validation_data=(X, y)).history\nh['val_acc']", "KeyError"),
        (
            DATA + "history = model.fit(X, y, verbose=0)",
            "for name in ['loss', 'mae']:\n    history.history[name]",
            "KeyError",
        ),
    ]
    RUNS = [
        (
            DATA,
            "history = model.fit(X, y, validation_split=0.25)\nhistory.history['val_accuracy'][-1]\nhistory.history['loss']",
        ),
        (
            DATA,
            "model.compile('adam', 'sparse_categorical_crossentropy', metrics=['acc'])\nhistory = model.fit(X, y)\nhistory.history['acc']",
        ),
        (
            DATA,
            "history = model.fit(X, y, callbacks=[tf.keras.callbacks.ReduceLROnPlateau(monitor='loss')])\nhistory.history['learning_rate']",
        ),
        (
            DATA,
            "history = model.fit(X, y)\nhistory.history.get('acc')\nif 'acc' in history.history:\n    history.history['acc']",
        ),
        (
            DATA
            + "class Extra(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n        logs['f1'] = 1.0\n",
            "h = model.fit(X, y, callbacks=[Extra()])\nh.history['f1']",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "item" and _keys(event) is not None

    def explain(self, event: Any, error: BaseException) -> str:
        keys = ", ".join(_keys(event) or ())
        return f"The training recorded {keys}, not {error!s}."

    def suggest(self, event: Any, error: BaseException) -> str | None:
        wanted = error.args[0] if error.args else None
        keys = _keys(event) or []
        other = {"acc": "accuracy", "accuracy": "acc", "val_acc": "val_accuracy", "val_accuracy": "val_acc"}.get(wanted)  # type: ignore[arg-type]
        found = other if other in keys else nearest(wanted, keys, 0.8)
        return repr(found) if found else None


def _keys(event: Any) -> list[str] | None:
    owner = event.operands[0] if event.operands else None
    if owner is None or not owner.exact or type(owner.obj) is not dict:
        return None
    keys = list(owner.obj)
    return keys if keys and all(type(key) is str for key in keys) and "loss" in keys else None
