from __future__ import annotations

from typing import Any

from ..base import Rule

SETUP = "import tensorflow as tf\nimport numpy as np\nt = tf.constant([[1.0, 2.0], [3.0, 4.0]])\nv = tf.constant([1.0, 2.0, 3.0])\ncounts = tf.constant([1, 2])\n"


class TensorOperation(Rule):
    """TensorFlow cannot apply an operation to these tensors: shapes, dtypes or axes do not fit.

    TensorFlow never converts dtypes by itself, and shapes must be equal or stretch from one.

    Example: ``t + counts`` of float and int tensors; ``tf.matmul`` of sizes that differ; ``tf.reshape`` to another number of elements.

    Fix: ``tf.cast``, ``tf.transpose``, ``tf.expand_dims``, or the right axis.
    """

    code = "keras.tensor-operation"
    library = "keras"
    exceptions = ("InvalidArgumentError", "ValueError", "TypeError", "IndexError")
    requires = ("tensorflow",)
    order = 40
    CRASHES = [
        (SETUP, "tf.reshape(t, (3,))", "InvalidArgumentError"),
        (SETUP, "t + v", "InvalidArgumentError"),
        (SETUP, "tf.matmul(t, tf.zeros((3, 2)))", "InvalidArgumentError"),
        (SETUP, "t + counts", "InvalidArgumentError"),
        (SETUP, "tf.concat([t, tf.zeros((1, 3))], axis=0)", "InvalidArgumentError"),
        (SETUP, "tf.squeeze(t, axis=0)", "InvalidArgumentError"),
        (SETUP, "tf.constant([[1, 2], [3]])", "ValueError"),
        (SETUP, "tf.stack([t, v])", "InvalidArgumentError"),
    ]
    RUNS = [
        (SETUP, "tf.reshape(t, (-1,))\nt + tf.constant([1.0, 2.0])"),
        (SETUP, "t + tf.cast(counts, tf.float32)\nt * 2"),
        (SETUP, "tf.matmul(t, t)\nt[0, 1].numpy()"),
        (SETUP, "tf.concat([t, tf.zeros((3, 2))], axis=0)[4]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if event.op == "call":
            return str(event.key or "").startswith("tensorflow.python.")
        return event.op in ("binary", "compare", "unary", "item", "truth") and any(
            _tensor(value) for value in event.operands
        )

    def explain(self, event: Any, error: BaseException) -> str:
        values = [value for value in [*event.operands, *event.args] if _tensor(value)]
        shapes = list(dict.fromkeys(f"{value.obj.dtype.name} {tuple(value.obj.shape)}" for value in values))
        return f"The tensors are {' and '.join(shapes[:3])}." if shapes else "TensorFlow refuses the arguments."


def _tensor(value: Any) -> bool:
    return not value.unknown and type(value.obj).__name__ == "EagerTensor"
