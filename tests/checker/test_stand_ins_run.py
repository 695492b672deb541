"""Cells that run, on which a stand-in that is smaller or guessed must not be taken for the real thing; with crashing twins."""

from __future__ import annotations

import pytest
from claims import expect
from kernel import Kernel

pytest.importorskip("pandas")
pytest.importorskip("matplotlib")
pytest.importorskip("torch")

STATE = """
import os
import numpy as np, pandas as pd, torch
import matplotlib.pyplot as plt
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
frame = pd.DataFrame({'day': np.arange(30_000) % 9, 'value': np.ones(30_000)})
norm = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).train()
pairs = TensorDataset(torch.ones(21, 4), torch.zeros(21))
class Counting(Dataset):
    def __init__(self): self.seen = []
    def __len__(self): return 9
    def __getitem__(self, index):
        self.seen.append(index)
        return torch.ones(3) * index
counting = Counting()
"""

CELLS: list[tuple[str, str | None]] = [
    ("frame['day'] = pd.to_datetime(frame['day'], unit='D')\nframe.rename(columns={'day': 'd'}, inplace=True)\nframe.select_dtypes('datetime')['d']", None),
    ("frame.rename(columns={'day': 'd'}, inplace=True)\nframe['day']", "KeyError"),
    ("for x, _ in DataLoader(pairs, 20, drop_last=True): norm(x)", None),
    ("for x, _ in DataLoader(pairs, 20): norm(x)", "ValueError"),
    ("for x in DataLoader(counting, 4, shuffle=True): x.view(-1, 3)\nassert sorted(counting.seen) == list(range(9))", None),
    ("torch.optim.Muon(nn.Linear(4, 2, bias=False).parameters(), lr=.1)" if hasattr(__import__("torch").optim, "Muon") else "1", None),
    ("o = torch.optim.SGD(norm.parameters(), lr=.1)\no.note = 3\no.note", None),
    ("o = torch.optim.SGD(norm.parameters(), lr=.1)\no.note", "AttributeError"),
    ("os.makedirs('one')\nos.rmdir('one')", None),
    ("np.ones(3).tofile('numbers')\nos.remove('numbers')", None),
    ("plt.imsave('image.png', np.ones((3, 3)))\nos.remove('image.png')", None),
    ("fig, ax = plt.subplots()\nfig.savefig('none/a.png', facecolor='nocolor')", "ValueError"),
    ("fig, ax = plt.subplots()\nfig.savefig('none/a.png', dpi=-3)", "ValueError"),
    ("fig, ax = plt.subplots()\nfig.savefig('none/a.png', dpi=90)", "FileNotFoundError"),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "exception"), CELLS)
def test_what_is_said_is_so(cell: str, exception: str | None, kernel: Kernel) -> None:
    kernel.setup(STATE)
    expect(kernel, cell, exception, must_find=exception not in (None, "ValueError"))


def test_a_folder_may_be_named_with_a_slash(kernel: Kernel) -> None:
    kernel.setup("import os\nos.makedirs('old_name', exist_ok=True)")
    expect(kernel, "os.rename('old_name', 'new_name/')\nos.rmdir('new_name')", None)
