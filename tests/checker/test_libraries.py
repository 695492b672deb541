"""What the checker says of random cells of library code, against what they really do: a small number by day, more by night."""

from __future__ import annotations

import random
from collections.abc import Callable

import data_cells
import pytest
import torch_cells
from kernel import Kernel
from test_property import violation

DATA, TORCH = 150, 25  # cells by day
NIGHTS = 40  # times as many by night


def examine(kernel: Kernel, case: Callable[[random.Random], tuple[str, str]], seed: int, count: int) -> None:
    """Check and run ``count`` random cells; fail at the first that the checker gets wrong."""
    for number in range(seed, seed + count):
        setup, cell = case(random.Random(number))
        wrong = violation(kernel, (setup, cell), seconds=60)  # a first use imports parts of the library
        assert wrong is None, f"{wrong} (seed {number})\n--- setup\n{setup}\n--- cell\n{cell}"


def data_case(rng: random.Random) -> tuple[str, str]:
    return data_cells.STATE, data_cells.cell(rng)


def test_data(kernel: Kernel) -> None:
    pytest.importorskip("pandas")
    examine(kernel, data_case, 0, DATA)


@pytest.mark.ml
def test_torch(kernel: Kernel) -> None:
    pytest.importorskip("torch")
    examine(kernel, torch_cells.case, 0, TORCH)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_data_at_night(kernel: Kernel) -> None:
    pytest.importorskip("pandas")
    examine(kernel, data_case, random.randrange(10**9), DATA * NIGHTS)


@pytest.mark.ml
@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_torch_at_night(kernel: Kernel) -> None:
    pytest.importorskip("torch")
    examine(kernel, torch_cells.case, random.randrange(10**9), TORCH * NIGHTS)
