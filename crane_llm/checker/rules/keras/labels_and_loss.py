from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import DATA, first_line, from_keras, method_of, shapes


class LabelsAndLoss(Rule):
    """The labels do not fit the model's output under its loss.

    ``categorical_crossentropy`` wants one column for each class, ``sparse_categorical_crossentropy`` one whole number for each sample that is
    smaller than the number of outputs, ``binary_crossentropy`` as many columns as the model has outputs.

    Example: class numbers with ``categorical_crossentropy``; one-hot labels with the sparse loss; five outputs for two classes.

    Fix: change the loss, convert the labels (``to_categorical``, ``argmax``), or give the last layer as many units as there are classes.
    """

    code = "keras.labels-and-loss"
    library = "keras"
    exceptions = ("ValueError", "InvalidArgumentError")
    requires = ("tensorflow",)
    order = 21
    CRASHES = [
        (DATA, "model.fit(X, Y)", "ValueError"),
        (DATA, "model.compile('adam', 'categorical_crossentropy')\nmodel.fit(X, y)", "ValueError"),
        (DATA, "model.compile('adam', 'binary_crossentropy')\nmodel.fit(X, bits)", "ValueError"),
        (DATA, "cnn.fit(images, np.zeros((6, 5)))", "ValueError"),
        (DATA, "cnn.evaluate(images, np.zeros(6))", "ValueError"),
        (
            DATA,
            "wide = Sequential([layers.Input((10,)), layers.Dense(5, activation='softmax')])\nwide.compile('adam', 'categorical_crossentropy')\nwide.fit(X, Y)",
            "ValueError",
        ),
        (
            DATA,
            "def train(loss):\n    model.compile('sgd', loss)\n    return model.fit(X, y)\ntrain('categorical_crossentropy')",
            "ValueError",
        ),
        (DATA, "model.fit(X, y, validation_data=(X[:8], Y[:8]))", "ValueError"),
    ]
    RUNS = [
        (DATA, "model.fit(X, y.reshape(-1, 1))"),
        (DATA, "model.compile('adam', 'mse')\nmodel.fit(X, Y)"),
        (
            DATA,
            "one = Sequential([layers.Input((10,)), layers.Dense(1, activation='sigmoid')])\none.compile('adam', 'binary_crossentropy')\none.fit(X, bits.reshape(-1, 1))",
        ),
        (DATA, "model.fit(X, y.astype('float32'))"),
        (DATA, "model.compile('adam', 'categorical_crossentropy')\nmodel.fit(X, tf.keras.utils.to_categorical(y, 3))"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if event.mechanism == "values" and "label value" in str(error):
            return True
        text = str(error)
        return (
            from_keras(event)
            and method_of(event) in ("fit", "evaluate", "train_on_batch")
            and ("target" in text and "output" in text or "`y_true`" in text or "Shapes" in text)
        )

    def explain(self, event: Any, error: BaseException) -> str:
        given = shapes(event)
        words = str(error).partition("\n\n")[2] if event.mechanism == "values" else first_line(error)
        return f"{words.rstrip('.')}." + (f" Data and labels have shapes {given}." if given else "")
