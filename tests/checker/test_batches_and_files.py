"""Batches that differ from the first one, and files and folders that are not there. Wrong ones are found, right ones left alone."""

from __future__ import annotations

import pytest
from claims import expect
from kernel import Kernel

pytestmark = pytest.mark.ml
TORCH = """import numpy as np, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
X = torch.rand(70, 4); y = torch.arange(70) % 3; data = TensorDataset(X, y)
class Fixed(nn.Module):
    def __init__(self, size=16):
        super().__init__(); self.size = size; self.fc = nn.Linear(4, 3)
    def forward(self, x): return self.fc(x.view(self.size, 4))
net = Fixed(); criterion = nn.CrossEntropyLoss(); optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""
KERAS = """import numpy as np, os
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
"""
STEP = "    optimizer.zero_grad()\n    loss = criterion(net(xb), yb)\n    loss.backward()\n    optimizer.step()\n"
CRASHES = {
    "a smaller last batch": (TORCH, f"for xb, yb in DataLoader(data, 16):\n{STEP}", "RuntimeError"),
    "in a random order": (TORCH, f"for xb, yb in DataLoader(data, 16, shuffle=True):\n{STEP}", "RuntimeError"),
    "numbered": (TORCH, f"for i, (xb, yb) in enumerate(DataLoader(data, 16), 1):\n{STEP}", "RuntimeError"),
    "the second is the last": (TORCH, "for xb, yb in DataLoader(data, 40):\n    Fixed(40)(xb)", "RuntimeError"),
    "in the second epoch's loop": (
        TORCH,
        "for e in range(2):\n    for xb, yb in DataLoader(data, 16):\n        net(xb)",
        "RuntimeError",
    ),
    "a state of the first batch's size": (
        TORCH,
        "rnn = nn.GRU(4, 6, batch_first=True)\nfor xb, yb in DataLoader(data, 16):\n    rnn(xb[:, None], torch.zeros(1, 16, 6))",
        "RuntimeError",
    ),
    "one sample to normalise": (
        TORCH,
        "norm = nn.BatchNorm1d(4)\nfor xb, yb in DataLoader(data, 23):\n    norm(xb)",
        "ValueError",
    ),
    "no such checkpoint": (TORCH, "state = torch.load('models/best.pt')", "FileNotFoundError"),
    "another layer's weights": (
        TORCH + "torch.save(nn.Linear(5, 3).state_dict(), 'w.pt')\n",
        "net.fc.load_state_dict(torch.load('w.pt'))",
        "RuntimeError",
    ),
    "no such part of a checkpoint": (
        TORCH + "torch.save({'model': net.state_dict(), 'epoch': 3}, 'c.pt')\n",
        "saved = torch.load('c.pt', map_location='cpu')\nnet.load_state_dict(saved['state'])",
        "KeyError",
    ),
    "no GPU": (TORCH, "net.to('cuda')", "AssertionError"),
    "no such model": (KERAS, "m = keras.models.load_model('models/best.keras')", "ValueError"),
    "a model without an ending": (KERAS, "model.save('best')", "ValueError"),
    "weights with another ending": (KERAS, "model.save_weights('best.h5')", "ValueError"),
    "no such folder": (
        KERAS,
        "keras.utils.image_dataset_from_directory('photos', image_size=(8, 8))",
        "FileNotFoundError",
    ),
    "no such folder for a generator": (
        KERAS,
        "g = ImageDataGenerator(rescale=1 / 255)\ntrain = g.flow_from_directory('photos', target_size=(8, 8))",
        "FileNotFoundError",
    ),
}
RUNS = {
    "the last batch is dropped": (TORCH, f"for xb, yb in DataLoader(data, 16, drop_last=True):\n{STEP}"),
    "batches of one size": (TORCH, "for xb, yb in DataLoader(data, 35):\n    Fixed(35)(xb)"),
    "the loop goes on": (TORCH, "for xb, yb in DataLoader(data, 16):\n    if len(xb) < 16: continue\n    net(xb)"),
    "the loop ends before": (TORCH, "for xb, yb in DataLoader(data, 16):\n    if len(xb) < 16: break\n    net(xb)"),
    "a count of the turns": (
        TORCH,
        "n = 0\nfor xb, yb in DataLoader(data, 16):\n    n += 1\n    if n < 5: net(xb)",
    ),
    "another iterable ends first": (TORCH, "for (xb, yb), k in zip(DataLoader(data, 16), range(4)):\n    net(xb)"),
    "numbered pairs": (
        TORCH,
        "for i, (a, b) in enumerate(zip(DataLoader(data, 16), DataLoader(data, 32))):\n    print(i + 1, a[0].shape, b[0].shape)",
    ),
    "only some elements": (TORCH, "for x in (b[0] for b in DataLoader(data, 16) if len(b[0]) == 16):\n    net(x)"),
    "numbered results": (
        TORCH,
        "for i, s in enumerate(map(lambda b: b[0].shape, DataLoader(data, 16))):\n    s[0] + i",
    ),
    "the failure is caught": (
        TORCH,
        "for xb, yb in DataLoader(data, 16):\n    try: net(xb)\n    except RuntimeError: pass",
    ),
    "a state of the batch's size": (
        TORCH,
        "rnn = nn.GRU(4, 6, batch_first=True)\nfor xb, yb in DataLoader(data, 16):\n    rnn(xb[:, None], torch.zeros(1, len(xb), 6))",
    ),
    "a mode for the last batch": (
        TORCH,
        "norm = nn.BatchNorm1d(4)\nfor xb, yb in DataLoader(data, 23):\n    norm.train(len(xb) > 1)\n    norm(xb)",
    ),
    "samples drawn anew": (
        TORCH,
        "s = torch.utils.data.RandomSampler(data, True, 32)\nfor xb, yb in DataLoader(data, 16, sampler=s):\n    net(xb)",
    ),
    "a checkpoint written before": (
        TORCH,
        "torch.save(net.state_dict(), 'n.pt')\nnet.load_state_dict(torch.load('n.pt'))",
    ),
    "a whole model": (
        TORCH + "torch.save(nn.Linear(4, 3), 'full.pt')\n",
        "m = torch.load('full.pt', weights_only=False)\nm(X)",
    ),
    "a checkpoint that may be missing": (
        TORCH,
        "try: state = torch.load('models/best.pt')\nexcept FileNotFoundError: state = None",
    ),
    "a folder made before": (
        KERAS,
        "os.makedirs('shots/a', exist_ok=True)\ng = ImageDataGenerator()\ntrain = g.flow_from_directory('shots')",
    ),
    "a model saved before": (KERAS, "model.save('m.keras')\nm = keras.models.load_model('m.keras')"),
    "weights": (KERAS, "model.save_weights('m.weights.h5')\nmodel.load_weights('m.weights.h5')"),
    "a model as HDF5": (KERAS, "model.save('m.h5')"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))


@pytest.mark.parametrize("name", sorted(CRASHES))
def test_the_crash_is_found(name: str, kernel: Kernel) -> None:
    state, cell, exception = CRASHES[name]
    pytest.importorskip("tensorflow" if state is KERAS else "torch")
    kernel.setup(state)
    expect(kernel, cell, exception)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_code_that_runs_is_left_alone(name: str, kernel: Kernel) -> None:
    state, cell = RUNS[name]
    pytest.importorskip("tensorflow" if state is KERAS else "torch")
    kernel.setup(state)
    expect(kernel, cell, None)
