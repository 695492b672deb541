from __future__ import annotations

import types
from typing import Any

from ..base import Rule
from ..words import nearest
from .shared import BASE, DATA

# What took the place of names that were removed; shown as advice only, the crash itself is what the installed library raises.
_SUCCESSORS = {
    "predict_classes": "predict",
    "predict_proba": "predict",
    "fit_generator": "fit",
    "evaluate_generator": "evaluate",
    "predict_generator": "predict",
    "load": "load_weights",
}


class RemovedApi(Rule):
    """A name of TensorFlow or Keras is used that the installed version does not have.

    Sessions and placeholders went with TensorFlow 2, the ``…_generator`` and ``predict_classes`` methods later; other names are misspelt.

    Example: ``model.predict_classes(X)``, ``tf.Session()``, ``layers.Conv2d(8, 3)``.

    Fix: the name of today: ``predict`` (with ``argmax``), ``fit``, ``layers.Conv2D``.
    """

    code = "keras.removed-api"
    library = "keras"
    exceptions = ("AttributeError",)
    requires = ("tensorflow",)
    order = 25
    CRASHES = [
        (DATA, "model.predict_classes(X)", "AttributeError"),
        (DATA, "model.fit_generator((X, y), epochs=2)", "AttributeError"),
        (BASE, "session = tf.Session()", "AttributeError"),
        (BASE, "tf.placeholder(tf.float32)", "AttributeError"),
        (BASE, "layers.Conv2d(8, 3)", "AttributeError"),
        (BASE, "tf.keras.layers.Densee(3)", "AttributeError"),
        (DATA, "model.layers[0].input_shape", "AttributeError"),
        (BASE, "net = Sequential([layers.Dense(2)])\nnet.predict_proba(3)", "AttributeError"),
        (BASE, "tf.contrib", "AttributeError"),
        (BASE + "t = tf.constant([1.0])", "t.numpyy()", "AttributeError"),
    ]
    RUNS = [
        (DATA, "model.predict(X).argmax(axis=1)"),
        (BASE, "layers.Conv2D(8, 3)\ntf.keras.layers.Conv2D(8, 3)"),
        (BASE, "tf.compat.v1.placeholder\ntf.compat.v1.Session"),
        (DATA, "model.note = 'mine'\nmodel.note"),
        (DATA, "model.fit(X, y, verbose=0)\nmodel.history.history['loss']"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if event.op not in ("attribute", "import") or not event.operands:
            return False
        return _root(event.operands[0]) in ("tensorflow", "keras")

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The installed version has no {event.name} there: it was removed, or the name is misspelt."

    def suggest(self, event: Any, error: BaseException) -> str | None:
        owner = event.operands[0]
        if event.name in _SUCCESSORS and not (owner.exact and isinstance(owner.obj, types.ModuleType)):
            return _SUCCESSORS[event.name]
        if owner.exact and isinstance(owner.obj, types.ModuleType):
            table = types.ModuleType.__getattribute__(owner.obj, "__dict__")
            return nearest(event.name, table, 0.75)
        return None


def _root(owner: Any) -> str:
    if owner.exact and isinstance(owner.obj, types.ModuleType):
        return str(types.ModuleType.__getattribute__(owner.obj, "__dict__").get("__name__", "")).partition(".")[0]
    kind = owner.known_type
    return "" if kind is None else str(kind.__module__).partition(".")[0]
