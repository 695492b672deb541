"""What the Keras and TensorFlow rules share."""

from __future__ import annotations

from typing import Any

BASE = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow.keras import layers, models\nfrom tensorflow.keras.models import Sequential, Model\n"
DATA = BASE + (
    "X = np.random.rand(48, 10)\ny = np.random.randint(0, 3, 48)\nY = np.eye(3)[y]\nbits = (y > 0).astype('float32')\n"
    "model = Sequential([layers.Input((10,)), layers.Dense(4), layers.Dense(3, activation='softmax')])\n"
    "model.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy'])\n"
    "cnn = Sequential([layers.Input((8, 8, 3)), layers.Conv2D(2, 3), layers.Flatten(), layers.Dense(2, activation='softmax')])\n"
    "cnn.compile('adam', 'categorical_crossentropy')\nimages = np.zeros((6, 8, 8, 3), 'float32')\n"
)


def method_of(event: Any) -> str:
    """The name of the method or class that is called; empty where it is not Keras'."""
    key = str(event.key or "")
    if key.startswith(("keras.", "tensorflow.")):
        return key.rpartition(".")[2]
    if event.op == "call" and event.name and any(getattr(v.domain, "name", "") == "keras" for v in event.operands):
        return str(event.name)
    return ""


def from_keras(event: Any) -> bool:
    """Whether the operation is a call into Keras, on a live object or on one of the checker's own."""
    if event.op not in ("call", "binary"):
        return False
    return str(event.key or "").startswith("keras.") or any(
        getattr(v.domain, "name", "") == "keras" for v in event.operands
    )


def first_line(error: BaseException) -> str:
    """The words of an error that Keras wraps in a frame of its own: the line that matters."""
    lines = [
        line.strip() for line in str(error).replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines() if line.strip()
    ]
    inner = [line for line in lines if not line.startswith(("Exception encountered", "Arguments received", "•"))]
    return (inner or lines or [""])[0].rstrip(".")


def shapes(event: Any) -> str:
    """Shapes of the data among the arguments, for a sentence."""
    found = []
    for value in [*event.args, *event.kwargs.values()][:6]:
        obj = None if value.unknown else value.obj
        shape = getattr(obj, "shape", None)
        if shape is not None and not callable(shape):
            found.append(str(tuple(shape)))
    return " and ".join(found[:2])
