"""Cells of one line that IPython turns into magics although no ``%`` was typed, run for real beside their check."""

from __future__ import annotations

import pytest
from kernel import Kernel

from crane_llm import check_report

# None: the cell runs. Without the rewriting Python would say NameError or SyntaxError of most of them.
CELLS: list[tuple[str, str, str | None]] = [
    ("", "ls", None),
    ("", "\nls\n", None),
    ("", "pwd", None),
    ("", "cd .", None),
    ("", "who int", None),
    ("", "matplotlib --list", None),
    ("", "time sum([1, 2])", None),
    ("d = {}", "time d['b']", "KeyError"),
    ("d = {}", "time x = d['b']", "KeyError"),
    ("", "time = 3; time.nope", "AttributeError"),
    ("time = 3", "time (1)", "TypeError"),
    ("time = 3", "time", None),
    ("", "ls == 3", "NameError"),
    ("", "ls, 1", "NameError"),
    ("", "ls\nls", "NameError"),
    ("", "len 5", "SyntaxError"),
    ("", "nothing", "NameError"),
    ("", "nothing x", "SyntaxError"),
    ("ls = None", "ls.nope", "AttributeError"),
    ("def pwd(): return 1", "pwd() + 'a'", "TypeError"),
]


@pytest.mark.parametrize("setup, cell, exception", CELLS)
def test_a_cell_of_one_line(kernel: Kernel, setup: str, cell: str, exception: str | None) -> None:
    kernel.setup(setup)
    finding = kernel.check(cell).finding
    raised = kernel.run(cell)
    assert (None if raised is None else type(raised).__name__) == exception
    assert (None if finding is None else finding.exception) == exception


def test_automagic_switched_off(kernel: Kernel) -> None:
    kernel.shell.automagic = False
    try:
        finding = check_report("pwd", shell=kernel.shell).finding
        assert finding is not None and finding.exception == "NameError"
        assert isinstance(kernel.run("pwd"), NameError)
    finally:
        kernel.shell.automagic = True


def test_autocall_leaves_a_line_to_itself(kernel: Kernel) -> None:
    kernel.shell.autocall = 2
    try:
        assert check_report("len 'abc'", shell=kernel.shell).finding is None
        assert kernel.run("len 'abc'") is None
    finally:
        kernel.shell.autocall = 0
