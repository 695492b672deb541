"""``inspect_cell`` through the mounted payload, in a real kernel."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest
from live_kernel import LiveKernel

VERDICT = {
    "outcome", "source", "model", "exception", "message", "line", "column", "end_line", "end_column", "reasoning", "variables", "rule",
    "suggestion", "origins", "seconds", "usage",
}  # fmt: skip


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveKernel]:
    """A kernel with the package mounted and some state."""
    kernel = LiveKernel(cwd=str(tmp_path_factory.mktemp("kernel")))
    kernel.run(
        "import pandas as pd, numpy as np\ndf = pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})\nlines = ['p', 'q']", "one"
    )
    kernel.run("df = df.drop(columns='b')", "two")
    kernel.mount()
    yield kernel
    kernel.close()


def test_a_certain_crash_with_everything_around_it(live: LiveKernel) -> None:
    found = live.ask("inspect", source="n = len(df)\ndf['b'].str.upper()")
    verdict = found["verdict"]
    assert set(verdict) == VERDICT
    assert (verdict["outcome"], verdict["source"]) == ("crash", "checker")
    assert (verdict["exception"], verdict["message"], verdict["line"]) == ("KeyError", "'b'", 2)
    assert verdict["variables"] == ["df"] and verdict["rule"] == "pandas.missing-column"
    assert verdict["origins"] and verdict["origins"][0]["variable"] == "df"
    assert [variable["name"] for variable in found["summary"]["variables"]] == ["df"]
    assert found["used"] == ["df"]
    assert len(found["executed"]) == 2
    assert found["kernel"]["crane"] and found["seconds"]["total"] >= found["seconds"]["check"]
    json.dumps(found)


def test_nothing_certain_is_no_claim(live: LiveKernel) -> None:
    verdict = live.ask("inspect", source="df.describe()")["verdict"]
    assert verdict["outcome"] == "nothing_certain" and verdict["exception"] is None
    assert "not a claim" in verdict["reasoning"]


def test_a_crash_that_is_wanted_is_not_reported(live: LiveKernel) -> None:
    assert live.ask("inspect", source="1 / 0", tags=["raises-exception"])["verdict"]["outcome"] == "nothing_certain"


@pytest.mark.parametrize("source", ["", "   \n# nothing", "%%bash\nrm x", "def (", "é = 'ü'\né.nope"])
def test_odd_cells_are_answered(live: LiveKernel, source: str) -> None:
    outcome = live.ask("inspect", source=source)["verdict"]["outcome"]
    assert outcome == ("crash" if source.startswith(("def", "é")) else "nothing_certain")


def test_a_module_that_the_cell_imports_is_not_imported_here(live: LiveKernel) -> None:
    live.run("import sklearn")
    loaded = "'sklearn.linear_model' in __import__('sys').modules"
    assert live.value(loaded) is False
    cell = "from sklearn.linear_model import LinearRegression\nX = [['a'], ['b']]\nm = LinearRegression()\nm.fit(X, [1, 2])"
    verdict = live.ask("inspect", source=cell, deadline=20)["verdict"]
    assert live.value(loaded) is False
    assert live.value("len(__import__('multiprocessing').active_children())") == 0
    if sys.platform.startswith("linux"):
        assert verdict["exception"] == "ValueError" and "strings" in verdict["message"]
    assert live.run("1 + 1").ok


def test_hostile_objects_are_left_alone(live: LiveKernel) -> None:
    live.run(
        "class Hostile:\n"
        "    touched = []\n"
        "    def __getattr__(self, name):\n        Hostile.touched.append(name)\n        raise RuntimeError(name)\n"
        "    def __len__(self):\n        Hostile.touched.append('len')\n        raise RuntimeError\n"
        "    __repr__ = __str__ = __bool__ = __iter__ = __hash__ = __len__\n"
        "    def __eq__(self, other):\n        Hostile.touched.append('eq')\n        raise RuntimeError\n"
        "hostile = Hostile()\nbox = [hostile, {'h': hostile}]\nframe = pd.DataFrame({'h': [hostile]})\n"
    )
    for cell in (
        "len(box)\nbox[1]['h']",
        "str(hostile)",
        "hostile.x",
        "frame['h'].iloc[0]",
        "box == [1]",
        "[q for q in box]",
        "frame.sum()",
    ):
        live.ask("inspect", source=cell)
    assert live.value("Hostile.touched") == []
