"""Built-in values, collections, functions, classes, modules, iterators."""

import collections
import datetime
import decimal
import enum
import functools
import pathlib
import re
import types

import pytest


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, "x: int; 3"),
        (-2.5, "x: float; -2.5"),
        (True, "x: bool; True"),
        (None, "x: NoneType; None"),
        (1 + 2j, "x: complex; 1+2j"),
        (10**40, "x: int; int of 133 bits"),
        ("hi", "x: str; 'hi'"),
        (b"abc", "x: bytes; bytes of length 3"),
        ([1, 2], "x: list length 2; of int; [1, 2]"),
        ((), "x: tuple length 0"),
        ({1}, "x: set length 1; of int; [1]"),
        (range(2, 9), "x: range length 7; range(2, 9)"),
        (decimal.Decimal("1.50"), "x: Decimal; 1.50"),
        (datetime.date(2020, 1, 2), "x: date; 2020-01-02"),
        (re.compile("a+"), "x: Pattern; 'a+'"),
        (ValueError("bad"), "x: ValueError; 'bad'"),
    ],
)
def test_values(line, value, expected):
    assert line(value) == expected


def test_long_text_is_cut_and_its_length_said(line):
    told = line("word " * 1000)
    assert "length 5000" in told and len(told) < 200


def test_list_of_numbers(line):
    told = line([float(i) for i in range(100)] + [float("nan")] * 3)
    assert "length 103" in told and "missing 3" in told and "0.0..99.0" in told


def test_mixed_list_counts_kinds(line):
    assert "of int 10, str 2, NoneType 1" in line([1] * 10 + ["a", "b"] + [None])


def test_texts_that_read_as_numbers(line):
    assert "text reads as float, none as int" in line(["46.0", "11.0"] * 20)
    assert "text reads as int" in line(["4", "11"] * 20)
    told = line(["1", "2"] * 20 + ["$3"])
    assert "40 of 41 texts read as numbers" in told and "not a number: '$3'" in told


def test_lengths_of_nested_lists(line):
    told = line([[1] * n for n in (19, 21, 20) * 20])
    assert "of list" in told and "lengths 19..21" in told and "[0]: list length 19" in told


def test_dict_keys_and_values(line):
    told = line({"a": 1, "b": [1, 2]})
    assert "str → int or list" in told and "['a']: int; 1" in told and "['b']: list length 2" in told


def test_keys_that_the_cell_names_come_first(summary):
    held = {f"k{i}": [i] for i in range(200)}
    told = summary("x['k150']", x=held).to_text()
    assert told.index("k150") < told.index("['k0']")
    assert any("more keys" in entry for entry in summary("x['k150']", x=held).left_out)


def test_namedtuple_deque_enum(line):
    Point = collections.namedtuple("Point", "lat lon")
    assert "fields lat, lon" in line(Point(1, 2))
    assert "length 3" in line(collections.deque([1, 2, 3]))
    Colour = enum.Enum("Colour", "RED BLUE")
    assert "Colour.RED" in line(Colour.RED)


def test_path(line, tmp_path):
    file = tmp_path / "data.txt"
    file.write_text("12345")
    assert "file of 5 bytes" in line(file)
    assert "does not exist" in line(pathlib.Path("/nowhere/at/all"))
    assert "empty folder" in line(tmp_path / "empty" if (tmp_path / "empty").mkdir() is None else None)


def test_generators_are_not_consumed(line):
    def numbers():
        yield from range(5)

    made = numbers()
    assert "not started, not read" in line(made)
    assert list(made) == [0, 1, 2, 3, 4]
    zipped = zip([1, 2], [3, 4])
    assert "not read" in line(zipped)
    assert list(zipped) == [(1, 3), (2, 4)]


def notebook_namespace(source):
    namespace = {"__name__": "__main__"}
    exec(source, namespace)
    return namespace


def test_functions_have_signatures(summary):
    namespace = notebook_namespace("def f(a, b=2, *rest, c, d=None, **more): pass")
    assert "f: function; (a, b=2, *rest, c, d=None, **more)" in summary("f(1)", f=namespace["f"]).to_text()


def test_decorated_function_runs_nothing(summary):
    namespace = notebook_namespace(
        "class S:\n    def __get__(self, *a): raise SystemError\ndef f(): pass\nf.__signature__ = S()\nf.__wrapped__ = S()"
    )
    assert "f: function; ()" in summary("f", f=namespace["f"]).to_text()


def test_partial_and_method(line):
    assert "bound: 1 positional, base" in line(functools.partial(int, "1", base=2))
    assert "method; of a list" in line([].append) or "function" in line([].append)


def test_notebook_class_and_object(summary):
    namespace = notebook_namespace(
        "class Net:\n    depth = 3\n    def __init__(self, n): self.n = n; self.model = [1, 2]\n    def go(self, x): return self.model\n"
    )
    told = summary("Net; net.go(1)", Net=namespace["Net"], net=namespace["Net"](7)).to_text()
    assert "depth=3" in told and "__init__(n); go(x)" in told
    assert ".n: int; 7" in told and ".model: list length 2" in told
    assert told.index(".model") < told.index(".n:")  # what its methods read comes first


def test_modules_share_a_line(summary):
    import json

    empty = types.ModuleType("empty")
    assert summary("json; empty", json=json, empty=empty).to_text().startswith("modules: json = json 2")


def test_secrets_are_withheld(summary):
    told = summary(
        "api_key; note; cfg", api_key="hunter2", note="sk-abcdefghijklmnopqrstuvwx", cfg={"password": "hunter3"}
    ).to_text()
    assert "hunter" not in told and "sk-abc" not in told
