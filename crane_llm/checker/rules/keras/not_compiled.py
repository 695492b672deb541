from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import BASE, DATA, from_keras


class NotCompiled(Rule):
    """A model is trained, evaluated or inspected before it is ready.

    ``fit`` and ``evaluate`` need ``compile`` first; shapes and weights exist only once a model is built from a known input shape.

    Example: ``Sequential([Dense(1)]).fit(X, y)``.

    Fix: call ``compile(optimizer=…, loss=…)`` first; give the model an ``Input`` or call ``build``.
    """

    code = "keras.not-compiled"
    library = "keras"
    exceptions = ("ValueError",)
    requires = ("tensorflow",)
    order = 22
    CRASHES = [
        (DATA, "Sequential([layers.Dense(1)]).fit(X, y)", "ValueError"),
        (DATA, "net = Sequential([layers.Input((10,)), layers.Dense(1)])\nnet.evaluate(X, y)", "ValueError"),
        (DATA, "inputs = layers.Input((10,))\nModel(inputs, layers.Dense(2)(inputs)).fit(X, Y)", "ValueError"),
        (BASE, "net = Sequential([layers.Dense(3)])\nnet.count_params()", "ValueError"),
        (
            DATA,
            "def make():\n    return Sequential([layers.Input((10,)), layers.Dense(2)])\nmake().fit(X, y, epochs=2)",
            "ValueError",
        ),
        (BASE, "net = Sequential()\nnet.build((None, 4))", "ValueError"),
    ]
    RUNS = [
        (DATA, "net = Sequential([layers.Dense(1)])\nnet.predict(X)"),
        (DATA, "net = Sequential([layers.Dense(1)])\nnet.compile('sgd', 'mse')\nnet.fit(X, y)"),
        (BASE, "net = Sequential([layers.Dense(3)])\nnet.build((None, 4))\nnet.count_params()"),
        (BASE, "Sequential([layers.Dense(3)]).summary()"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        words = (
            "You must call `compile()`",
            "isn't built",
            "has no defined",
            "it has no layers",
            "has never been called",
        )
        return any(word in text for word in words) and (from_keras(event) or event.op == "attribute")

    def explain(self, event: Any, error: BaseException) -> str:
        if "compile" in str(error):
            return "The model has not been compiled: it has neither loss nor optimizer yet."
        return "The model or layer has not been built: its input shape is not known yet."
