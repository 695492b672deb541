from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import BASE


class SymbolicTensor(Rule):
    """A symbolic tensor of Keras (what ``Input`` and layers give) is used as if it had values.

    TensorFlow's functions do not take it, NumPy cannot convert it, and it has no truth value.

    Example: ``tf.reshape(layers.Input((4,)), (2, 2))``.

    Fix: a Keras layer or ``keras.ops``, or a ``Lambda`` layer around the function.
    """

    code = "keras.symbolic-tensor"
    library = "keras"
    exceptions = ("ValueError", "TypeError")
    requires = ("tensorflow",)
    order = 18
    CRASHES = [
        (BASE, "x = layers.Input((4,))\ntf.reshape(x, (-1, 2, 2))", "ValueError"),
        (BASE, "x = layers.Input((4,))\ntf.concat([x, x], axis=1)", "ValueError"),
        (BASE, "x = layers.Dense(2)(layers.Input((4,)))\ntf.reduce_mean(x)", "ValueError"),
        (BASE + "x = layers.Input((4,))", "tf.cast(x, tf.int32)", "ValueError"),
        (BASE, "def head(x):\n    return tf.expand_dims(x, -1)\nhead(layers.Input((4,)))", "ValueError"),
        (BASE, "x = layers.Input((4,))\ntf.nn.softmax(x)", "ValueError"),
    ]
    RUNS = [
        (BASE, "import keras\nx = layers.Input((4,))\nkeras.ops.reshape(x, (-1, 2, 2))"),
        (BASE, "x = layers.Input((4,))\nlayers.Reshape((2, 2))(x)\nx + 1\nx[:, 0]"),
        (BASE, "x = layers.Input((4,))\nlayers.Lambda(lambda t: tf.reshape(t, (-1, 2, 2)), output_shape=(2, 2))(x)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "KerasTensor" in str(error) and any(
            getattr(v.domain, "name", "") == "keras" or _tensor(v) for v in event.operands + event.args
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return (
            "The tensor only stands for a shape and dtype while a model is being described; the function needs values."
        )


def _tensor(value: Any) -> bool:
    if value.unknown:
        return False
    items = value.obj if isinstance(value.obj, (list, tuple)) else [value.obj]
    return any(type(item).__name__ == "KerasTensor" for item in items[:20])
