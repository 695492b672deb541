"""Labels and token numbers that a training step refuses while it runs: out of range is found, in range is left alone."""

from __future__ import annotations

import pytest
from claims import check_without_trace
from kernel import Kernel

pytest.importorskip("keras")
pytestmark = pytest.mark.ml

STATE = """import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
def two_towers(users, items):
    u, i = keras.Input((1,), name="user"), keras.Input((1,), name="item")
    joined = layers.Concatenate()([layers.Flatten()(layers.Embedding(users, 4)(u)), layers.Flatten()(layers.Embedding(items, 4)(i))])
    made = keras.Model([u, i], layers.Dense(1)(joined))
    made.compile("adam", "mse")
    return made
ratings = two_towers(20, 30)
words = keras.Sequential([keras.Input((6,)), layers.Embedding(50, 4), layers.GlobalAveragePooling1D(), layers.Dense(3, activation="softmax")])
words.compile("adam", "sparse_categorical_crossentropy")
n = 40
user, item = np.arange(n) % 20, np.arange(n) % 30
score = np.linspace(0, 1, n)
text = np.arange(n * 6).reshape(n, 6) % 50
label = np.arange(n) % 3
missing = user.astype("float64"); missing[7] = np.nan
"""

# cell, the same mended, what the message of the running step holds
CASES = {
    "an id past the table": (
        "ratings.fit([user, item + 1], score, verbose=0)",
        "ratings.fit([user, item], score, verbose=0)",
        "30 is not in [0, 30)",
    ),
    "inputs in the wrong order": (
        "ratings.fit([item, user], score, verbose=0)",
        "ratings.fit([item % 20, user], score, verbose=0)",
        "is not in [0, 20)",
    ),
    "an id that is missing": (
        "ratings.fit([missing, item], score, batch_size=8, verbose=0)",
        "ratings.fit([np.nan_to_num(missing), item], score, batch_size=8, verbose=0)",
        "is not in [0, 20)",
    ),
    "ids far below zero": (
        "ratings.fit([user - 60, item], score, verbose=0)",
        "ratings.fit([user - 20, item], score, verbose=0)",
        "is not in [0, 20)",
    ),
    "a vocabulary that is too small": (
        "words.fit(text * 2, label, epochs=1, verbose=0)",
        "words.fit(text, label, epochs=1, verbose=0)",
        "is not in [0, 50)",
    ),
    "evaluated on tokens never counted": (
        "words.evaluate(text + 10, label, verbose=0)",
        "words.evaluate(text, label, verbose=0)",
        "is not in [0, 50)",
    ),
    "validation data past the table": (
        "ratings.fit([user, item], score, validation_data=([user + 5, item], score), verbose=0)",
        "ratings.fit([user, item], score, validation_data=([user, item], score), verbose=0)",
        "is not in [0, 20)",
    ),
    "a model of the cell": (
        "fresh = two_towers(10, 30)\nfresh.fit([user, item], score, verbose=0)",
        "fresh = two_towers(20, 30)\nfresh.fit([user, item], score, verbose=0)",
        "is not in [0, 10)",
    ),
    "labels that count from one": (
        "words.fit(text, label + 1, verbose=0)",
        "words.fit(text, label, verbose=0)",
        "Received a label value of 3 which is outside the valid range of [0, 3)",
    ),
}


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    made = Kernel()
    made.setup(STATE)
    return made


@pytest.mark.parametrize("name", CASES)
def test_values_that_a_step_refuses(kernel: Kernel, name: str) -> None:
    cell, mended, words = CASES[name]
    assert check_without_trace(kernel, mended).finding is None
    report = check_without_trace(kernel, cell)
    assert kernel.run(mended) is None
    error = kernel.run(cell)
    assert type(error).__name__ == "InvalidArgumentError"
    assert words in str(error)
    assert report.finding is not None, report.lost
    assert report.finding.exception == "InvalidArgumentError"
    assert words in report.finding.message
