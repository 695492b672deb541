from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import BASE, DATA, first_line, from_keras, shapes


class InputShape(Rule):
    """The input of a layer or model has another number of axes, or other sizes, than it was made for.

    A dense layer fixes the size of the last axis when it is built; convolutions want images with channels, recurrent layers sequences.

    Example: ``Sequential([Input((10,)), LSTM(4)])``; ``model.fit(X[:, :8], y)`` on a model of ten inputs.

    Fix: reshape the data (add a channel or time axis), or make the model with the shape of the data.
    """

    code = "keras.input-shape"
    library = "keras"
    exceptions = ("ValueError",)
    requires = ("tensorflow",)
    order = 20
    CRASHES = [
        (DATA, "model.fit(X[:, :8], y)", "ValueError"),
        (DATA, "model.predict(np.zeros((4, 7)))", "ValueError"),
        (DATA, "cnn.evaluate(np.zeros((6, 9, 9, 3)), np.zeros((6, 2)))", "ValueError"),
        (BASE, "Sequential([layers.Input((10,)), layers.LSTM(4)])", "ValueError"),
        (BASE, "net = Sequential()\nnet.add(layers.Conv2D(4, 3, input_shape=(28, 28)))", "ValueError"),
        (BASE, "x = layers.Input((5, 6))\nlayers.Concatenate(axis=1)([x, layers.Input((5, 7))])", "ValueError"),
        (BASE, "Sequential([layers.Input((8, 8, 3)), layers.Conv2D(2, 3), layers.LSTM(3)])", "ValueError"),
        (DATA, "head = layers.Conv2D(2, 3)(model.layers[0].output)", "ValueError"),
        (
            BASE,
            "def block(x):\n    x = layers.Dense(4)(x)\n    return layers.MaxPooling2D()(x)\nblock(layers.Input((7,)))",
            "ValueError",
        ),
        (
            DATA,
            "net = Sequential([layers.Input((4,)), layers.Dense(3)])\nnet.compile('sgd', 'mse')\nnet.fit(X, Y)",
            "ValueError",
        ),
    ]
    RUNS = [
        (DATA, "model.fit(X, y, epochs=1)\nmodel.predict(X[:3])"),
        (DATA, "cnn.predict(images[:1])"),
        (
            BASE,
            "net = Sequential([layers.Input((1,)), layers.Dense(1)])\nnet.compile('sgd', 'mse')\nnet.fit(np.arange(6.0), np.arange(6.0))",
        ),
        (
            BASE,
            "net = Sequential([layers.Input((None, 5)), layers.LSTM(3), layers.Dense(1)])\nnet.compile('sgd', 'mse')\nnet.predict(np.zeros((2, 9, 5)))",
        ),
        (DATA, "try:\n    model.fit(X[:, :8], y)\nexcept ValueError:\n    pass"),
        (
            BASE,
            "net = Sequential([layers.Dense(3)])\nnet.compile('sgd', 'mse')\nnet.fit(np.zeros((4, 9)), np.zeros((4, 3)))",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        words = (
            "is incompatible with the layer",
            "Invalid input shape",
            "expected shape=",
            "requires inputs with matching shapes",
            "inputs have incompatible shapes",
            "One of the dimensions in the output is <= 0",
            "Computed output size would be negative",
        )
        return from_keras(event) and any(word in text for word in words)

    def explain(self, event: Any, error: BaseException) -> str:
        given = shapes(event)
        return f"{first_line(error)}." + (f" The data given has shape {given}." if given else "")
