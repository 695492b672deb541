"""Objects that misbehave: nothing of theirs is called, and they give their type."""

import builtins
import sys
import threading
import types

import pytest

from crane_llm.summary import safe, summarize_cell

HOSTILE = """
called = []
def trap(name):
    def method(self, *args, **kwargs):
        called.append(name)
        raise ArithmeticError(name)
    return method
NAMES = ["__repr__", "__str__", "__len__", "__bool__", "__iter__", "__getitem__", "__contains__", "__eq__", "__ne__", "__hash__", "__lt__",
         "__getattr__", "__call__", "__array__", "__float__", "__int__", "__index__", "__format__", "__dir__", "__array_interface__",
         "__instancecheck__", "__torch_function__", "__dataframe__", "__reduce__", "__sizeof__", "__length_hint__", "__copy__"]
class Hostile:
    pass
for _name in NAMES:
    setattr(Hostile, _name, trap(_name))
Hostile.shape = property(trap("shape"))
Hostile.dtype = property(trap("dtype"))
Hostile.columns = property(trap("columns"))
Hostile.size = property(trap("size"))
class Reader(Hostile):
    def __getattribute__(self, name):
        called.append("__getattribute__ " + name)
        raise ArithmeticError(name)
class Liar:
    @property
    def __class__(self):
        called.append("__class__")
        return dict
    @property
    def __dict__(self):
        called.append("__dict__")
        return {}
class Meta(type):
    def __getattribute__(cls, name):
        called.append("meta " + name)
        raise ArithmeticError(name)
    def __eq__(cls, other):
        called.append("meta eq")
        raise ArithmeticError
    def __hash__(cls):
        called.append("meta hash")
        raise ArithmeticError
    def __repr__(cls):
        called.append("meta repr")
        raise ArithmeticError
class Deep(metaclass=Meta):
    pass
class Text(str):
    __len__ = __getitem__ = __iter__ = __str__ = __repr__ = __format__ = __hash__ = __eq__ = trap("Text")
class Items(list):
    __len__ = __getitem__ = __iter__ = __repr__ = __bool__ = trap("Items")
class Table(dict):
    __len__ = __getitem__ = __iter__ = __repr__ = items = keys = values = get = __contains__ = trap("Table")
class Whole(int):
    __repr__ = __str__ = __index__ = __int__ = __eq__ = __lt__ = __hash__ = trap("Whole")
"""


@pytest.fixture
def zoo():
    namespace = {"__name__": "__main__"}
    exec(HOSTILE, namespace)
    make = {name: namespace[name] for name in ("Hostile", "Reader", "Liar", "Deep")}
    animals = {name.lower(): cls() for name, cls in make.items() if name != "Deep"}
    animals["deep"] = type.__call__(namespace["Deep"])
    animals["deep_class"] = namespace["Deep"]
    animals["text"], animals["items_"] = namespace["Text"]("secret"), namespace["Items"]([1, 2, 3])
    animals["table"], animals["whole"] = namespace["Table"](a=1), namespace["Whole"](7)
    inside = [animals["hostile"], animals["reader"], animals["liar"], animals["deep"]]
    animals["nested"] = list(inside)
    animals["mapping"] = dict(enumerate(inside))
    holder = types.SimpleNamespace(inner=animals["reader"], other=animals["hostile"])
    animals["holder"] = holder
    namespace["called"].clear()
    return animals, namespace["called"]


def test_nothing_is_called(zoo):
    animals, called = zoo
    source = (
        "\n".join(animals)
        + "\nhostile.shape; reader.x.y; holder.inner.z; nested[0]; mapping[1]; liar.q; table['a']; items_[0]\n"
    )
    found = summarize_cell(source, namespace=dict(animals), deadline=None)
    told = found.to_text()
    assert called == [], called
    for name in animals:
        assert f"{name}:" in told, name
    assert "hostile: Hostile (notebook class)" in told and "liar: Liar" in told and "deep: Deep" in told
    assert "items_: Items (notebook class) length 3" in told and "table: Table (notebook class) length 1" in told
    found.to_json(), found.rows()
    assert called == []


def test_hostile_cells_of_frames_and_arrays(zoo):
    np = pytest.importorskip("numpy")
    pd = pytest.importorskip("pandas")
    animals, called = zoo
    cells = np.empty(6, dtype=object)
    for index in range(6):
        cells[index] = [animals["reader"], animals["deep"], animals["hostile"], 1, None, "a"][index]
    frame = pd.DataFrame({"ok": range(6)})
    frame["bad"] = pd.Series(cells, dtype=object)
    called.clear()
    told = summarize_cell(
        "cells; frame['bad']; column", namespace={"cells": cells, "frame": frame, "column": frame["bad"]}, deadline=None
    ).to_text()
    assert called == [], called
    assert "cells: ndarray (6,) object" in told and "bad: object" in told


def test_subclasses_of_library_types():
    np = pytest.importorskip("numpy")
    pd = pytest.importorskip("pandas")
    namespace = {"__name__": "__main__", "np": np, "pd": pd}
    exec(
        "called = []\n"
        "class Arr(np.ndarray):\n"
        "    def __array_finalize__(self, obj): called.append('finalize')\n"
        "    def __array_function__(self, *a, **k): called.append('function'); raise ArithmeticError\n"
        "    def __array_ufunc__(self, *a, **k): called.append('ufunc'); raise ArithmeticError\n"
        "    def __getattribute__(self, name): called.append(name); raise ArithmeticError\n"
        "class Frame(pd.DataFrame):\n"
        "    def __len__(self): called.append('len'); raise ArithmeticError\n"
        "    def __getitem__(self, key): called.append('item'); raise ArithmeticError\n"
        "    def __getattr__(self, key): called.append(key); raise ArithmeticError\n"
        "    shape = property(lambda self: called.append('shape'))\n",
        namespace,
    )
    array = np.arange(50.0).view(namespace["Arr"])
    frame = namespace["Frame"]({"a": [1, 2, 3]})
    namespace["called"].clear()
    told = summarize_cell(
        "array; frame; frame['a']", namespace={"array": array, "frame": frame}, deadline=None
    ).to_text()
    assert namespace["called"] == []
    assert "array: Arr (notebook class) (50,) float64" in told and "0.0..49.0" in told
    assert "frame: Frame (notebook class) (3, 1)" in told


def test_look_alikes_are_not_trusted():
    fake = type("DataFrame", (), {"__module__": "pandas.core.frame", "shape": property(lambda self: 1 / 0)})
    assert not safe.genuine(fake)
    assert "DataFrame" in summarize_cell("x", namespace={"x": fake()}, deadline=None).to_text()


def test_cycles_and_depth():
    loop = []
    loop.append(loop)
    table = {}
    table["self"] = table
    deep = ()
    for _ in range(5000):
        deep = (deep,)
    first = types.SimpleNamespace()
    first.other = types.SimpleNamespace(other=first)
    namespace = {"loop": loop, "table": table, "deep": deep, "first": first}
    told = summarize_cell("loop; table; deep; first.other.other.other", namespace=namespace, deadline=None).to_text()
    assert all(f"{name}:" in told for name in namespace)


def test_half_initialised_objects():
    pd = pytest.importorskip("pandas")
    namespace = {
        "frame": object.__new__(pd.DataFrame),
        "series": object.__new__(pd.Series),
        "index": object.__new__(pd.Index),
    }
    sklearn = pytest.importorskip("sklearn.linear_model")
    namespace["model"] = object.__new__(sklearn.LinearRegression)
    told = summarize_cell(
        "frame; series; index; model; frame['a']; series.x", namespace=namespace, deadline=None
    ).to_text()
    assert all(f"{name}:" in told for name in namespace)


def test_half_initialised_torch():
    torch = pytest.importorskip("torch")
    namespace = {
        "net": object.__new__(torch.nn.Linear),
        "loader": object.__new__(torch.utils.data.DataLoader),
        "optimizer": object.__new__(torch.optim.SGD),
        "lazy": torch.nn.LazyLinear(3),
    }
    told = summarize_cell("net; loader; optimizer; net.weight; lazy", namespace=namespace, deadline=None).to_text()
    assert all(f"{name}:" in told for name in namespace)


def test_odd_cells():
    namespace = {"x": 1}
    for source in (
        "",
        "   ",
        "x = (",
        "%%bash\nls",
        "await x",
        "\x00",
        "def f(:",
        "!ls {x}",
        "x" + ".a" * 3000,
        "(" * 200 + "x" + ")" * 200,
        "%timeit x",
        "x?",
    ):
        summarize_cell(source, namespace=namespace, deadline=None).to_json()


def test_namespace_may_change_while_we_read():
    namespace = {"x": {i: i for i in range(1000)}}
    stop = threading.Event()

    def churn():
        while not stop.is_set():
            namespace["x"][object()] = 1
            namespace["x"].popitem()

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(20):
            assert "x:" in summarize_cell("x", namespace=namespace, deadline=None).to_text()
    finally:
        stop.set()
        thread.join(10)


def test_no_import_is_made(monkeypatch):
    summarize_cell("x", namespace={"x": 1})
    real = builtins.__import__
    asked = []

    def spy(name, *args, **kwargs):
        if name.partition(".")[0] in ("numpy", "pandas", "torch", "tensorflow", "sklearn", "matplotlib", "keras"):
            asked.append(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", spy)
    before = set(sys.modules)
    summarize_cell("x; y", namespace={"x": [1], "y": {"a": object()}}, deadline=None)
    assert asked == [] and {name for name in set(sys.modules) - before if not name.startswith("crane_llm")} == set()


def test_a_kernel_without_the_libraries(monkeypatch):
    for name in [
        name
        for name in sys.modules
        if name.partition(".")[0] in ("numpy", "pandas", "torch", "tensorflow", "keras", "sklearn")
    ]:
        monkeypatch.delitem(sys.modules, name)
    assert (
        summarize_cell("x; y", namespace={"x": [1.5] * 30, "y": {"k": "v"}}, deadline=None)
        .to_text()
        .startswith("x: list length 30")
    )
