"""What may leave: categories one by one, schema only, names withheld. Markers are planted wherever a value can hide."""

import collections
import datetime
import decimal
import enum
import io
import itertools
import json
import pathlib
import re
import types

import pytest

from crane_llm.summary import summarize_cell

MARK = "Zq7marker"
NUMBER = 48151623
REAL = 48151.625
SHOWN = re.compile(r"Zq7|48151|6.25e|4.81516")


def plant_builtins():
    Colour = enum.Enum("Colour", {"RED": MARK})
    Row = collections.namedtuple("Row", "a b")
    return {
        "text": MARK,
        "long_text": MARK * 100,
        "data": MARK.encode(),
        "whole": NUMBER,
        "real": REAL,
        "turned": complex(REAL, REAL),
        "items": [MARK, NUMBER, REAL],
        "texts": [MARK + str(i) for i in range(200)],
        "numbers": [NUMBER + i for i in range(200)],
        "numeric": [str(NUMBER)] * 50 + [MARK],
        "pair": (MARK, NUMBER),
        "bag": {MARK, NUMBER},
        "frozen": frozenset([MARK]),
        "table": {"key": MARK, "n": NUMBER, "deep": {"inner": MARK, "list": [MARK]}},
        "keyed": {NUMBER: 1, (MARK, 2): 2, REAL: 3},
        "many": dict.fromkeys(range(3000), MARK),
        "nested": [[MARK], [[NUMBER]]],
        "row": Row(MARK, NUMBER),
        "queue": collections.deque([MARK]),
        "counts": collections.Counter([NUMBER, NUMBER]),
        "when": datetime.datetime(1848, 1, 5, 16, 23),
        "money": decimal.Decimal(f"{NUMBER}.25"),
        "colour": Colour.RED,
        "where": pathlib.Path("/nowhere") / MARK,
        "pattern": re.compile(MARK),
        "error": ValueError(MARK, NUMBER),
        "span": range(NUMBER),
        "file": io.StringIO(MARK),
        "endless": itertools.repeat(MARK),
        "holder": types.SimpleNamespace(value=MARK, number=NUMBER, child=types.SimpleNamespace(value=MARK)),
    }


def plant_notebook():
    namespace = {"__name__": "__main__", "MARK": MARK, "NUMBER": NUMBER}
    exec(
        "def function(a=MARK, *, b=NUMBER, c=[MARK]): return MARK\n"
        "class Thing:\n"
        "    shared = MARK\n"
        "    def __init__(self): self.value = MARK; self.number = NUMBER; self.more = {'k': MARK}\n"
        "    def go(self, a=MARK): return self.value\n"
        "def stream():\n"
        "    yield MARK\n",
        namespace,
    )
    import functools

    return {
        "function": namespace["function"],
        "Thing": namespace["Thing"],
        "thing": namespace["Thing"](),
        "bound": namespace["Thing"]().go,
        "stream": namespace["stream"](),
        "part": functools.partial(namespace["function"], MARK, b=NUMBER),
    }


def plant_arrays():
    np = pytest.importorskip("numpy")
    pd = pytest.importorskip("pandas")
    objects = np.empty(40, dtype=object)
    objects[:] = [MARK, NUMBER] * 20
    frame = pd.DataFrame(
        {
            "text": [MARK + str(i) for i in range(40)],
            "few": [MARK, "b"] * 20,
            "whole": [NUMBER, NUMBER + 1] * 20,
            "real": [REAL, None] * 20,
            "when": pd.date_range("1848-01-05", periods=40),
            "kind": pd.Categorical([MARK, "z"] * 20),
            "nullable": pd.array([NUMBER, None] * 20, dtype="Int64"),
            "lists": [[MARK, NUMBER]] * 40,
            "span": pd.interval_range(NUMBER, NUMBER + 40),
        },
        index=pd.Index([MARK + str(i) for i in range(40)], name="key"),
    )
    return {
        "ints": np.arange(NUMBER, NUMBER + 100),
        "reals": np.full((5, 5), REAL),
        "small": np.array([REAL, NUMBER]),
        "words": np.array([MARK, "b"]),
        "objects": objects,
        "scalar": np.float64(REAL),
        "frame": frame,
        "series": frame["text"],
        "labels": frame.index,
        "codes": frame["kind"].values,
        "grouped": frame.groupby("few"),
        "stamp": pd.Timestamp("1848-01-05 16:23"),
        "multi": pd.DataFrame([[1, 2]], index=pd.MultiIndex.from_tuples([(MARK, NUMBER)], names=["a", "b"])),
        "masked": np.ma.masked_equal(np.array([NUMBER, 2]), 2),
    }


def plant_models():
    np = pytest.importorskip("numpy")
    linear = pytest.importorskip("sklearn.linear_model")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import LabelEncoder, OneHotEncoder
    from sklearn.utils import Bunch

    rows = np.array([[NUMBER, 1.0], [2.0, NUMBER], [3.0, 4.0], [5.0, 1.0]])
    return {
        "model": linear.LogisticRegression(C=REAL, class_weight={MARK: 1.0, "b": 2.0}).fit(
            rows, [MARK, "b", MARK, "b"]
        ),
        "encoder": LabelEncoder().fit([MARK, "b"]),
        "onehot": OneHotEncoder().fit([[MARK], ["b"]]),
        "counter": CountVectorizer(stop_words=[MARK]).fit(["some " + MARK]),
        "chain": make_pipeline(linear.Ridge(alpha=REAL)),
        "bunch": Bunch(data=rows, target=[MARK] * 4, DESCR=MARK * 50),
    }


def plant_torch():
    torch = pytest.importorskip("torch")
    optimizer = torch.optim.SGD([torch.zeros(2, requires_grad=True)], lr=REAL)
    dataset = torch.utils.data.TensorDataset(torch.full((9, 3), REAL))
    return {
        "tensor": torch.full((3, 40), REAL),
        "few": torch.tensor([NUMBER, 2]),
        "optimizer": optimizer,
        "loader": torch.utils.data.DataLoader(dataset, batch_size=3),
        "pairs": torch.utils.data.DataLoader([(torch.tensor([REAL]), MARK)] * 4),
    }


def plant_tensorflow():
    pytest.importorskip("tensorflow")
    import tensorflow as tf

    keras = pytest.importorskip("keras")
    history = keras.callbacks.History()
    history.history, history.epoch = {"loss": [REAL]}, [0]
    return {"tensor": tf.fill((3, 30), REAL), "few": tf.constant([NUMBER]), "text": tf.constant(MARK), "history": history,
            "stream": tf.data.Dataset.from_tensor_slices([REAL])}  # fmt: skip


PLANTS = [plant_builtins, plant_notebook, plant_arrays, plant_models, plant_torch, plant_tensorflow]


def outgoing(found):
    return (
        found.to_text() + json.dumps(found.to_json(), ensure_ascii=False) + json.dumps(found.rows(), ensure_ascii=False)
    )


def use(namespace):
    lines = list(namespace)
    return "\n".join(
        [*lines, "table['key']", "table['deep']['inner']", "holder.value", "thing.value", "frame['text']", "function()"]
    )


@pytest.mark.parametrize("plant", PLANTS)
def test_schema_only_lets_no_value_out(plant):
    namespace = plant()
    source = "\n".join(line for line in use(namespace).splitlines() if re.match(r"\w+", line).group() in namespace)
    shown = summarize_cell(source, namespace=namespace, deadline=None)
    assert SHOWN.search(outgoing(shown)), "the markers are where a summary would show them"
    for hide in (False, True):
        text = outgoing(summarize_cell(source, namespace=namespace, schema_only=True, hide_names=hide, deadline=None))
        found = SHOWN.search(text)
        assert found is None, text[max(0, found.start() - 200) : found.end() + 60]
        assert "1848" not in text


def plant_names():
    np = pytest.importorskip("numpy")
    pd = pytest.importorskip("pandas")
    linear = pytest.importorskip("sklearn.linear_model")
    frame = pd.DataFrame(np.random.RandomState(0).rand(6, 3), columns=[MARK, " " + MARK, "c"])
    frame.index.name = MARK + "index"
    wide = pd.DataFrame(np.zeros((2, 50)), columns=[f"{MARK}{i}" for i in range(50)])
    wide.loc[0, f"{MARK}45"] = np.nan
    return {
        "frame": frame,
        "other": frame.drop(columns="c"),
        "wide": wide,
        "twice": pd.DataFrame(np.ones((2, 2)), columns=[MARK, MARK]),
        "series": frame[MARK],
        "grouped": frame.groupby([MARK, "c"]),
        "table": {MARK: 1, "k": {MARK: [1]}},
        "objects": {MARK: [1], "b": np.ones(3)},
        "many": {f"{MARK}{i}": [i] for i in range(80)},
        "record": np.zeros(2, dtype=[(MARK, "i4")]),
        "model": linear.LinearRegression().fit(frame, [1, 2, 3, 4, 5, 6]),
        "multi": pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([(MARK, "b")])),
        "level": pd.DataFrame([[1]], index=pd.MultiIndex.from_tuples([(1, 2)], names=[MARK, "b"])),
        "row": collections.namedtuple("Row", MARK)(1),
    }


def test_names_can_be_withheld():
    namespace = plant_names()
    source = "\n".join([*namespace, "frame['c']", "table['k']", "frame.loc[3]", "model.predict(other)"])
    assert SHOWN.search(outgoing(summarize_cell(source, namespace=namespace, schema_only=True, deadline=None)))
    text = outgoing(summarize_cell(source, namespace=namespace, schema_only=True, hide_names=True, deadline=None))
    found = SHOWN.search(text)
    assert found is None, text[max(0, found.start() - 200) : found.end() + 60]
    assert "c0" in text


def test_categories_one_by_one(summary):
    np = pytest.importorskip("numpy")
    values = np.array([1.5, np.nan] * 50)
    every = summary("x", x=values).to_json()["variables"][0]
    assert every["shape"] == "(100,)" and every["dtype"] == "float64" and "NaN 50" in every["notes"]
    structure = summary("x", {"categories": "S"}, x=values).to_json()["variables"][0]
    assert (
        structure["shape"] == "(100,)" and not structure["dtype"] and not structure["type"] and not structure["notes"]
    )
    representation = summary("x", {"categories": "R"}, x=values).to_json()["variables"][0]
    assert representation["dtype"] == "float64" and representation["kind"] == "ndarray" and not representation["shape"]
    only_values = summary("x", {"categories": "V"}, x=values).to_json()["variables"][0]
    assert "NaN 50" in only_values["notes"] and not only_values["shape"] and not only_values["kind"]


def test_categories_of_a_frame(summary):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1.0, None, 2.0], "b": ["x", "y", "x"]})
    structure = summary("df", {"categories": "S"}, df=frame).to_text()
    assert structure == "df: (3, 2)"
    representation = summary("df", {"categories": "R"}, df=frame).to_text()
    assert "a: float64" in representation and "NaN" not in representation and "(3, 2)" not in representation
    values = summary("df", {"categories": "V"}, df=frame).to_text()
    assert "NaN 1" in values and "float64" not in values and "(3, 2)" not in values
