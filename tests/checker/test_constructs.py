"""Every kind of statement, expression and pattern; and cells as people write them."""

from __future__ import annotations

import ast
import sys
import warnings

import pytest
from claims import expect
from constructs import CONSTRUCTS, PARTS
from everyday import EVERYDAY
from kernel import Kernel

KNOWN = [(name, cell) for name, cell, since in CONSTRUCTS if sys.version_info >= since]


@pytest.mark.parametrize("name, cell", KNOWN)
def test_a_construct_is_followed_and_the_crash_after_it_found(kernel: Kernel, name: str, cell: str) -> None:
    assert kernel.check(cell).finding is None
    finding = kernel.check(cell + "\n[0][1]").finding
    assert finding is not None and finding.exception == "IndexError"
    assert finding.line == cell.count("\n") + 2
    assert kernel.run(cell) is None
    assert isinstance(kernel.run(cell + "\n[0][1]"), IndexError)


def test_nearly_all_constructs_are_followed_exactly(kernel: Kernel) -> None:
    lost = [cell for _, cell in KNOWN if not kernel.check(cell).complete]
    assert len(lost) <= 0.06 * len(KNOWN), lost


def test_no_kind_of_syntax_is_left_out() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        kinds = [getattr(ast, name) for name in dir(ast)]
        leaves = {
            kind.__name__
            for kind in kinds
            if isinstance(kind, type) and issubclass(kind, ast.AST) and not kind.__subclasses__()
        }
    assert leaves - {name for name, _, _ in CONSTRUCTS} <= set(PARTS)


@pytest.mark.parametrize("cell, exception", EVERYDAY)
def test_what_is_said_of_an_everyday_cell_is_so(kernel: Kernel, cell: str, exception: str | None) -> None:
    expect(kernel, cell, exception, must_find=False, seconds=5)


def test_most_crashes_of_everyday_cells_are_found(kernel: Kernel) -> None:
    crashing = [cell for cell, exception in EVERYDAY if exception is not None]
    found = 0
    for cell in crashing:
        kernel.fresh()
        found += kernel.check(cell).finding is not None
    assert found >= 0.6 * len(crashing), found
