"""Stamps of values: what they notice, what they call exact, what they leave alone."""

from __future__ import annotations

import time
from collections import OrderedDict, deque

import numpy as np
import pandas as pd
import pytest

from crane_llm.origin.changes import compare
from crane_llm.origin.kinds import type_name, watchable
from crane_llm.origin.stamps import stamp


class Plain:
    def __init__(self):
        self.items = [1, 2]


class Slotted:
    __slots__ = ("x",)


def difference(value, change):
    before = stamp(value)
    change(value)
    return compare(before, stamp(value))


@pytest.mark.parametrize(
    "make, change",
    [
        (lambda: [1, 2], lambda v: v.__setitem__(0, 3)),
        (lambda: [-1], lambda v: v.__setitem__(0, -2)),
        (lambda: [1], lambda v: v.__setitem__(0, True)),
        (lambda: [1], lambda v: v.__setitem__(0, 1.0)),
        (lambda: ["a"], lambda v: v.__setitem__(0, "b")),
        (lambda: [[1]], lambda v: v[0].append(2)),
        (lambda: {"a": {"b": [1]}}, lambda v: v["a"]["b"].append(2)),
        (lambda: {"a": 1}, lambda v: v.update(a=2)),
        (lambda: OrderedDict(a=1, b=2), lambda v: v.move_to_end("a")),
        (lambda: {1, 2}, lambda v: (v.discard(1), v.add(3))),
        (lambda: bytearray(b"ab"), lambda v: v.__setitem__(0, 99)),
        (lambda: deque([1, 2]), lambda v: v.rotate()),
        (Plain, lambda v: setattr(v, "new", 1)),
        (Plain, lambda v: v.items.append(3)),
        (lambda: np.zeros(10), lambda v: v.__setitem__(3, 1)),
        (lambda: np.zeros((3, 2)), lambda v: v.resize((2, 3), refcheck=False)),
        (lambda: np.array(["a", None], dtype=object), lambda v: v.__setitem__(1, "b")),
        (lambda: np.zeros(10**6), lambda v: v.fill(1)),
        (lambda: pd.Series([1, 2]), lambda v: v.__setitem__(0, 5)),
        (lambda: pd.Series([1, 2]), lambda v: v.rename("x", inplace=True)),
        (lambda: pd.DataFrame({"a": [1, 2]}), lambda v: v.__setitem__("a", [1, 3])),
        (lambda: pd.DataFrame({"a": ["x", "y"]}), lambda v: v.__setitem__("a", ["x", "z"])),
        (
            lambda: pd.DataFrame({"a": pd.Categorical(["x", "y"])}),
            lambda v: v.__setitem__("a", pd.Categorical(["y", "x"])),
        ),
        (
            lambda: pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}),
            lambda v: v.__setitem__("a", pd.array([2, None], dtype="Int64")),
        ),
        (lambda: pd.DataFrame({"a": [1, 2]}), lambda v: v.__setattr__("index", ["p", "q"])),
        (
            lambda: pd.DataFrame({"a": pd.to_datetime(["2020", "2021"], utc=True)}),
            lambda v: v.__setitem__("a", v["a"].iloc[::-1].values),
        ),
    ],
)
def test_a_change_is_noticed(make, change):
    assert difference(make(), change) is not None


@pytest.mark.parametrize(
    "make, look",
    [
        (lambda: [1, float("nan"), "x"], lambda v: (sorted(map(str, v)), len(v))),
        (lambda: {"a": 1}, lambda v: (list(v), v.get("a"))),
        (
            lambda: pd.DataFrame({"a": [1, 2], "b": ["x", None]}),
            lambda v: (v.describe(), v.to_numpy(), v["a"].sum(), v.isna()),
        ),
        (lambda: fragmented(), lambda v: (v.values, v.mean(), v.copy())),
        (lambda: pd.Series([1.0, None]), lambda v: (v.mean(), v.dropna())),
        (lambda: np.arange(5), lambda v: (v.sum(), v.reshape(5, 1))),
    ],
)
def test_looking_is_no_change(make, look):
    assert difference(make(), look) is None


def fragmented():
    frame = pd.DataFrame({"a": [1, 2]})
    for number in range(20):
        frame[f"c{number}"] = number
    return frame


@pytest.mark.parametrize(
    "value, exact",
    [
        ([1, 2, "x", None], True),
        ({"a": [1]}, True),
        (Plain(), True),
        (np.zeros(10), True),
        (pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), True),
        (list(range(1000)), False),
        (np.zeros(10_000), False),
        (pd.DataFrame({"a": range(1000)}), False),
        (Slotted(), False),
        (iter([1]), False),
        ((i for i in [1]), False),
        ([object()], False),
        (open, None),
    ],
)
def test_exact_means_that_nothing_is_left_unseen(value, exact):
    if exact is None:
        assert not watchable(value)
    else:
        assert stamp(value).exact is exact


def test_the_cost_does_not_grow_with_the_value():
    def seconds(value):
        best = 1.0
        for _ in range(20):
            start = time.perf_counter()
            stamp(value)
            best = min(best, time.perf_counter() - start)
        return best

    for make in (lambda n: list(range(n)), lambda n: np.zeros(n), lambda n: pd.DataFrame({"a": np.zeros(n)}), dict_of):
        assert seconds(make(3_000_000)) < 20 * seconds(make(300)) + 0.001


def dict_of(n):
    return dict.fromkeys(range(n), 0)


def test_cyclic_deep_and_half_built_values_are_survived():
    loop: list = []
    loop.append(loop)
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    half = pd.DataFrame.__new__(pd.DataFrame)
    for value in (loop, deep):
        assert stamp(value) is not None
    assert stamp(half) is None
    while deep:  # taken apart by hand: freeing it at once would recurse
        deep = deep[0]


def test_names_of_types_are_short_for_builtins_and_classes_of_the_notebook():
    assert [type_name(v) for v in ([], None, np.zeros(1), Plain())] == [
        "list",
        "NoneType",
        "numpy.ndarray",
        f"{__name__}.Plain",
    ]


@pytest.mark.ml
def test_torch_counts_changes_itself():
    torch = pytest.importorskip("torch")
    layer, big = torch.nn.Linear(2, 2), torch.zeros(1_000_000)
    assert difference(big, lambda v: v[999].fill_(1)) is not None
    assert difference(big, lambda v: (v.sum(), v.view(-1, 2), v + 1)) is None
    assert difference(layer, lambda v: v.eval()) is not None
    assert difference(layer, lambda v: v(torch.zeros(1, 2))) is None

    def step(v):
        optimizer = torch.optim.SGD(v.parameters(), lr=0.1)
        v(torch.ones(1, 2)).sum().backward()
        optimizer.step()

    assert difference(layer, step) is not None


@pytest.mark.ml
def test_a_keras_model_that_was_compiled_or_fitted_has_changed():
    keras = pytest.importorskip("keras")
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    assert difference(model, lambda v: v.compile(loss="mse")) is not None
    assert difference(model, lambda v: v.fit(np.zeros((4, 2)), np.zeros(4), verbose=0)) is not None
