"""Loaders with worker processes: what a worker raises is raised again in other words, and what it writes stays with it."""

from __future__ import annotations

import pytest
from claims import check_without_trace, expect
from kernel import Kernel

pytestmark = pytest.mark.ml
STATE = """import pandas as pd, torch
from torch.utils.data import DataLoader, Dataset
class Data(Dataset):
    def __init__(self, get, size=8):
        self.get, self.size, self.read, self.flag = get, size, 0, False
    def __len__(self): return self.size
    def __getitem__(self, i):
        self.read += 1
        if self.flag: raise ValueError('the flag is set')
        return self.get[i]
numbers = Data(list(range(8)))
rows = Data(pd.Series(range(20)).sample(frac=0.5, random_state=0), 10)
ragged = Data([torch.zeros(i + 1) for i in range(8)])
texts = Data(['a'] * 8)
"""
CRASHES = {
    "beyond a list": ("for b in DataLoader(Data([1, 2, 3]), 4, num_workers=2): pass", "IndexError"),
    "by label": ("for b in DataLoader(rows, 10, num_workers=1): pass", "KeyError"),
    "of several sizes": ("for b in DataLoader(ragged, 2, num_workers=2): pass", "RuntimeError"),
    "in the next batch": (
        "for b in DataLoader(list(map(torch.zeros, (2, 2, 3, 2))), 2, num_workers=2): pass",
        "RuntimeError",
    ),
    "none": ("for b in DataLoader(Data([None] * 8), 4, num_workers=1): pass", "TypeError"),
}
RUNS = {
    "the copy is read": "for b in DataLoader(numbers, 4, num_workers=2): pass\nassert numbers.read == 0",
    "the copy has no flag": "for b in DataLoader(numbers, 2, num_workers=2): numbers.flag = True",
    "other rows": "for b in DataLoader(Data(rows.get.reset_index(drop=True), 10), 5, num_workers=1): pass",
}


@pytest.mark.parametrize("name", sorted(CRASHES))
def test_an_error_of_a_worker_is_found(name: str, kernel: Kernel) -> None:
    cell, exception = CRASHES[name]
    kernel.setup(STATE)
    report = check_without_trace(kernel, cell)
    error = kernel.run(cell)
    assert type(error).__name__ == exception
    assert report.finding is not None, f"not found; lost at {report.lost}"
    assert report.finding.exception == exception
    assert str(error).startswith(report.finding.message + "\nOriginal Traceback"), report.finding.message


@pytest.mark.parametrize("name", sorted(RUNS))
def test_what_a_worker_writes_is_not_seen(name: str, kernel: Kernel) -> None:
    kernel.setup(STATE)
    expect(kernel, RUNS[name], None)
