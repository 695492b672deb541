"""Every case of the case files, run for real and through the checker: faults are found, what runs is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from casefile import FOLDER, Case, cases
from claims import expect
from kernel import Kernel

HEAVY = ("torch",)  # files of these names need what only the environment for machine learning has


def _all() -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}-{name}", marks=[pytest.mark.ml] if path.stem.startswith(HEAVY) else [])
        for path in sorted(FOLDER.glob("*.txt"))
        for name, case in cases(path.stem).items()
    ]


@pytest.mark.parametrize("case", _all())
def test_the_crash_is_found(case: Case, kernel: Kernel) -> None:
    kernel.setup(case.state)
    kernel.check(case.cell)  # a first one may be slow, where libraries get ready
    expect(kernel, case.cell, case.exception, must_find=case.must_find)


@pytest.mark.parametrize("case", _all())
def test_the_mended_cell_is_left_alone(case: Case, kernel: Kernel) -> None:
    kernel.setup(case.state)
    expect(kernel, case.mended, None)
