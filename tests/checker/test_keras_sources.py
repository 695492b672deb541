"""Keras given the notebook's own sequences and generators: what their first batches say, and what their code raises."""

from __future__ import annotations

import pytest
from claims import expect
from kernel import Kernel

pytest.importorskip("keras")
pytestmark = pytest.mark.ml

STATE = """import numpy as np, keras
from keras import layers
X = np.random.rand(40, 6).astype('float32'); y = np.random.randint(0, 3, 40); Y = np.eye(3)[y]
def made(inputs=6, loss='sparse_categorical_crossentropy'):
    m = keras.Sequential([layers.Input((inputs,)), layers.Dense(3, activation='softmax')])
    m.compile('adam', loss)
    return m
def batch(i): return X[i * 8:i * 8 + 8], y[i * 8:i * 8 + 8]
class Given(keras.utils.PyDataset):
    def __init__(self, get, n=5, **kw):
        super().__init__(**kw)
        self.get, self.n = get, n
    def __len__(self): return self.n
    def __getitem__(self, i): return self.get(i)
class Shuffled(keras.utils.Sequence):
    def __init__(self, X, y, size=8):
        super().__init__()
        self.X, self.y, self.size = X, y, size
        self.on_epoch_end()
    def __len__(self): return int(np.ceil(len(self.X) / self.size))
    def __getitem__(self, i):
        rows = self.idx[i * self.size:(i + 1) * self.size]
        return self.X[rows], self.y[rows]
    def on_epoch_end(self):
        self.idx = np.arange(len(self.X))
        np.random.shuffle(self.idx)
class Hooked(Shuffled):
    started = False
    def on_epoch_end(self):
        super().on_epoch_end()
        if self.started: self.idx = self.idx[self.order]
class Endless(keras.utils.PyDataset):
    def __getitem__(self, i): return batch(i)
def some(get, n=5):
    for i in range(n): yield get(i)
def forever(X, y, size=8):
    while True:
        for i in range(0, len(X), size): yield X[i:i + size], y[i:i + size]
class Flow:
    def __init__(self, X): self.X = X
    def batches(self, *sizes, **named):
        for size in sizes: yield self.X[:size], np.zeros(size)
model, seven = made(), made(7)
good, live, labels = Given(batch), Shuffled(X, y), Shuffled(X, Y)
lists = Given(lambda i: ([X[:8], X[:8]], y[:8]))
hooked = Hooked(X, y); hooked.started = True
stream, wrong, begun = forever(X, y), forever(X, Y), forever(X, y)
next(begun)
flow = Flow(X).batches(4, 8)
"""
CRASHES = {
    # sequences that are there
    "another number of columns": ("seven.fit(good, verbose=0)", "ValueError"),
    "while testing": ("seven.evaluate(live, verbose=0)", "ValueError"),
    "while predicting, with the rows of the first batch": ("seven.predict(live, verbose=0)", "ValueError"),
    "labels in columns": ("model.fit(labels, verbose=0)", "ValueError"),
    "a list of inputs": ("model.fit(lists, verbose=0)", "TypeError"),
    "labels given beside": ("model.fit(good, y, verbose=0)", "ValueError"),
    "a split": ("model.fit(good, validation_split=0.2)", "ValueError"),
    "no length": ("model.fit(Endless(), verbose=0)", "NotImplementedError"),
    "a hook that raises": ("model.fit(hooked, verbose=0)", "AttributeError"),
    "as validation data": (
        "model.fit(X, y, validation_data=Given(lambda i: (X[:8, :5], y[:8])), verbose=0)",
        "ValueError",
    ),
    # sequences that the cell makes
    "made in the cell": ("data = Shuffled(X[:, :5], y)\nmodel.fit(data, epochs=2, verbose=0)", "ValueError"),
    "fewer labels": ("model.fit(Shuffled(X, y[:20]), verbose=0)", "IndexError"),
    "rows of a list": ("model.fit(Shuffled(X.tolist(), y), verbose=0)", "TypeError"),
    "no second batch": ("model.fit(Given(lambda i: {0: batch(0)}[i]), verbose=0)", "KeyError"),
    "with workers": ("model.fit(Given(lambda i: batch(i)[2], workers=2), verbose=0)", "IndexError"),
    "an empty sequence": ("model.fit(Given(batch, 0), verbose=0)", "ValueError"),
    "a broken length": ("model.fit(Given(batch, 2.5), verbose=0)", "TypeError"),
    "Python lists": ("model.fit(Given(lambda i: (X[:8].tolist(), y[:8].tolist())), verbose=0)", "ValueError"),
    "single samples": ("model.fit(Given(lambda i: (X[i], y[i])), verbose=0)", "ValueError"),
    "ranks that differ": ("model.fit(Given(lambda i: (X[:8] if i else X[:8, 0], y[:8])), verbose=0)", "ValueError"),
    "four parts": ("model.fit(Given(lambda i: (X[:8], y[:8], y[:8], y[:8])), verbose=0)", "ValueError"),
    "nothing": ("model.fit(Given(lambda i: None), verbose=0)", "ValueError"),
    "no labels": ("model.fit(Given(lambda i: (X[:8], None)), verbose=0)", "ValueError"),
    "objects": ("model.fit(Given(lambda i: (X[:8].astype(object), y[:8])), verbose=0)", "ValueError"),
    # generators
    "a generator of too few columns": ("seven.fit(some(batch), steps_per_epoch=2, verbose=0)", "ValueError"),
    "a generator made before": ("seven.fit(stream, steps_per_epoch=2, verbose=0)", "ValueError"),
    "a generator of wrong labels": ("model.fit(wrong, steps_per_epoch=3, verbose=0)", "ValueError"),
    "a method's generator": ("seven.fit(flow, verbose=0)", "ValueError"),
    "a generator of lists": ("model.fit(some(lambda i: [X[:8], y[:8]]), verbose=0)", "ValueError"),
    "a generator that raises": ("model.fit(some(lambda i: batch(i)[2]), verbose=0)", "IndexError"),
    "an empty generator": ("model.fit(some(batch, 0), verbose=0)", "ValueError"),
    "a generator of four parts": ("model.fit(some(lambda i: (*batch(i), y, y)), verbose=0)", "ValueError"),
    "a generator for predicting": ("seven.predict(some(lambda i: (X[:8],)), verbose=0)", "ValueError"),
    "a generator for validation": (
        "model.fit(X, y, validation_data=some(lambda i: (X[:8, :3], y[:8])), validation_steps=2, verbose=0)",
        "ValueError",
    ),
    "weights of classes": ("model.fit(some(batch), class_weight={0: 1.0}, verbose=0)", "ValueError"),
    "the function instead of the generator": ("model.fit(some, verbose=0)", "ValueError"),
    # a generator that has not been started is walked anywhere
    "unpacked": ("for a, b, c in stream:\n    break", "ValueError"),
    "asked once": ("a, b = next(stream)\na.reshape(3, 3)", "ValueError"),
    "asked again": ("for a, b in flow:\n    print(a.shape)\nnext(flow)", "StopIteration"),
}
RUNS = {
    "a sequence": "model.fit(good, epochs=2, verbose=0)\nmodel.evaluate(live, verbose=0)\nmodel.predict(live, verbose=0)",
    "pairs in lists": "model.fit(Given(lambda i: list(batch(i))), verbose=0)",
    "weights of classes": "model.fit(good, class_weight={0: 1.0, 1: 2.0}, verbose=0)",
    "validation": "model.fit(X, y, validation_data=good, verbose=0)\nmodel.fit(live, validation_data=(X, y), verbose=0)",
    "inputs alone": "model.predict(Given(lambda i: X[:8]), verbose=0)",
    "made in the cell": "data = Shuffled(X, Y)\nmade(loss='categorical_crossentropy').fit(data, epochs=2, verbose=0)",
    "a hook for the end": "hooked.started = False\nmodel.fit(hooked, verbose=0)",
    "a generator": "model.fit(some(batch), verbose=0)\nmodel.predict(some(lambda i: (X[:8],)), verbose=0)",
    "one batch": "model.fit(some(batch, 1), verbose=0)",
    "a generator made before": "model.fit(stream, steps_per_epoch=3, verbose=0)\na, b = next(stream)\nassert a.shape[1] == 6",
    "a generator that has begun": "model.fit(begun, steps_per_epoch=3, verbose=0)\na, b = next(begun)",
    "a method's generator": "for a, b in flow:\n    print(a.shape)\nassert next(flow, None) is None",
    "a generator in two places": "a, b = next(stream)\nc, d = next(stream)\nassert (a != c).any()",
}


@pytest.mark.parametrize("name", sorted(CRASHES))
def test_what_a_source_gives_or_raises_is_found(name: str, kernel: Kernel) -> None:
    cell, exception = CRASHES[name]
    kernel.setup(STATE)
    expect(kernel, cell, exception)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_sources_that_fit_are_left_alone(name: str, kernel: Kernel) -> None:
    kernel.setup(STATE)
    expect(kernel, RUNS[name], None)
