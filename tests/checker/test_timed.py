"""Statements under ``%time`` and ``%%time``: followed where their errors end the cell, read for their names everywhere."""

from __future__ import annotations

import IPython
import pytest
from kernel import Kernel

from crane_llm import check_report
from crane_llm.cell import read_cell
from crane_llm.line_magics import time_raises

CRASHES = [
    ("%time d['b']", "KeyError", 1),
    ("%time x = 5\nprint(x)\nx.foo", "AttributeError", 3),
    ("y = %time d['a'] + 1\ny.foo", "AttributeError", 2),
    ("for i in range(3):\n    %time d[i]", "KeyError", 2),
    ("if d:\n    %time z = d['é']; d['a']", "KeyError", 2),
    ("%%time\nd['b']", "KeyError", 2),
]
RUNS = [
    "%time d['a']",
    "%time x = d['a']\nx + 1",
    "x = 'old'\n%time x = 1\nx + 1",
    "text = \"%time d['b']\"",
    "def f():\n    %time q = 1\nf()",
    "%time print('%time nope')",
    "try:\n    %time d['b']\nexcept KeyError:\n    pass",
]


STATE = "d = {'a': 1}"


@pytest.mark.parametrize("cell, exception, line", CRASHES)
def test_crashes(kernel: Kernel, cell: str, exception: str, line: int) -> None:
    kernel.setup(STATE)
    finding = kernel.check(cell).finding
    assert finding is not None and (finding.exception, finding.line) == (exception, line)
    raised = kernel.run(cell)
    assert raised is not None and (type(raised).__name__, str(raised)) == (exception, finding.message)


@pytest.mark.parametrize("cell", RUNS)
def test_runs(kernel: Kernel, cell: str) -> None:
    kernel.setup(STATE)
    assert kernel.check(cell).finding is None
    assert kernel.run(cell) is None


@pytest.mark.parametrize("cell", ["%time d['b']", "for i in range(3):\n    %time d[i]", "%%time\nd['b']"])
def test_where_the_magic_only_shows_an_error_nothing_is_claimed(
    kernel: Kernel, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.setup(STATE)
    monkeypatch.setattr(IPython, "version_info", (9, 3, 0, ""))
    assert not time_raises(kernel.shell)
    assert kernel.check(cell).finding is None


def test_names_are_read_either_way(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "d" in read_cell("%time d['a']", kernel.shell).loads
    monkeypatch.setattr(IPython, "version_info", (9, 3, 0, ""))
    assert "d" in read_cell("%time d['a']", kernel.shell).loads
    assert "x" in read_cell("%time x = 1", kernel.shell).stores


def test_a_time_magic_of_someone_else_is_not_read(kernel: Kernel) -> None:
    kernel.setup(STATE)
    magics = kernel.shell.magics_manager.magics["line"]
    before = magics["time"]
    try:
        magics["time"] = lambda line: None
        assert check_report("%time d['b']", shell=kernel.shell).finding is None
    finally:
        magics["time"] = before
