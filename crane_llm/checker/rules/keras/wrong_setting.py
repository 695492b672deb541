from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import BASE, DATA, first_line, from_keras, method_of


class WrongSetting(Rule):
    """A layer, optimizer, callback or ``compile`` is given a setting that it does not know or a value that it refuses.

    Example: ``Adam(lr=0.01)``, ``Dense(3, activaton='relu')``, ``compile(optimizer='adamm')``, a loss or activation that is misspelt.

    Fix: the setting's name and values as the installed version documents them (``learning_rate`` for ``lr``).
    """

    code = "keras.wrong-setting"
    library = "keras"
    exceptions = ("ValueError", "TypeError")
    requires = ("tensorflow",)
    order = 30
    CRASHES = [
        (BASE, "layers.Dense(3, activaton='relu')", "ValueError"),
        (BASE, "layers.Dense(3, activation='rellu')", "ValueError"),
        (BASE, "layers.Dense()", "TypeError"),
        (BASE, "layers.Conv2D(8)", "TypeError"),
        (BASE, "tf.keras.optimizers.Adam(lr=0.01)", "ValueError"),
        (BASE, "layers.Dropout(1.5)", "ValueError"),
        (DATA, "model.compile(optimizer='adamm', loss='mse')", "ValueError"),
        (BASE, "layers.Conv2D(8, 3, padding='smae')", "ValueError"),
        (BASE, "tf.keras.callbacks.EarlyStopping(patiense=3)", "TypeError"),
        (BASE, "Sequential([layers.Dense(2), 5])", "ValueError"),
        (DATA, "model.get_layer('nothing')", "ValueError"),
        (DATA, "model.compile('adam', 'mse', class_weight={0: 1.0})", "TypeError"),
        (DATA, "model.fit(X, y, nb_epoch=3)", "TypeError"),
    ]
    RUNS = [
        (BASE, "layers.Dense(3, activation='relu', kernel_regularizer='l2', name='head')"),
        (BASE, "tf.keras.optimizers.Adam(learning_rate=0.01)\ntf.keras.optimizers.SGD(0.1, momentum=0.9)"),
        (DATA, "model.compile(optimizer='Adam', loss='MSE')"),
        (DATA, "model.get_layer(index=1).units"),
        (
            DATA,
            "model.compile(tf.keras.optimizers.RMSprop(1e-3), tf.keras.losses.SparseCategoricalCrossentropy(), metrics=[tf.keras.metrics.SparseCategoricalAccuracy()])\nmodel.fit(X, y)",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "call" and from_keras(event)

    def explain(self, event: Any, error: BaseException) -> str:
        name = method_of(event)
        return f"{name or 'Keras'} refuses its arguments: {first_line(error)}."
