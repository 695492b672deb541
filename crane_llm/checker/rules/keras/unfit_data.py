from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import DATA, first_line, from_keras, method_of, shapes

FRAME = (
    DATA
    + "import pandas as pd\nframe = pd.DataFrame(X, columns=list('abcdefghij'))\nmixed = frame.assign(a=['t'] * 48)\n"
)


class UnfitData(Rule):
    """``fit``, ``evaluate`` or ``predict`` cannot take the data in.

    Inputs and labels must have the same number of samples; arrays must hold numbers (not Python objects); lists of numbers are not arrays.

    Example: ``model.fit(X, y[:-1])``; a frame with a text column; ``model.predict([1, 2, 3])``.

    Fix: select the same rows; convert columns to numbers; wrap lists in ``np.array``.
    """

    code = "keras.unfit-data"
    library = "keras"
    exceptions = ("ValueError",)
    requires = ("tensorflow", "pandas")
    order = 23
    CRASHES = [
        (DATA, "model.fit(X, y[:40])", "ValueError"),
        (DATA, "model.evaluate(X[:7], y)", "ValueError"),
        (FRAME, "model.fit(mixed, y)", "ValueError"),
        (FRAME, "model.predict(mixed)", "ValueError"),
        (DATA, "objects = X.astype(object)\nmodel.fit(objects, y)", "ValueError"),
        (DATA, "model.fit(X[:1], y[:1], validation_split=0.5)", "ValueError"),
        (DATA, "model.fit(X, y, sample_weight=np.ones(9))", "ValueError"),
        (DATA + "data = tf.data.Dataset.from_tensor_slices((X, y)).batch(8)\n", "model.fit(data, y)", "ValueError"),
    ]
    RUNS = [
        (FRAME, "model.fit(frame, y)\nmodel.predict(frame.head(3))"),
        (FRAME, "model.fit(frame, pd.Series(y), validation_split=0.25)"),
        (FRAME, "flags = frame.assign(a=True)\nmodel.fit(flags, y)"),
        (DATA, "model.fit(X, y, class_weight={0: 1.0, 1: 2.0, 2: 1.0})"),
        (DATA, "model.fit(tf.constant(X), tf.constant(y))"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        # The rules on shapes, labels and missing ``compile`` are asked before: what is left is the data itself.
        return from_keras(event) and method_of(event) in ("fit", "evaluate", "predict")

    def explain(self, event: Any, error: BaseException) -> str:
        given = shapes(event)
        return f"{first_line(error)}." + (f" The data given has shapes {given}." if given else "")
