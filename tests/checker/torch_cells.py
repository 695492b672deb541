"""Random small PyTorch models with data, and code that trains, evaluates or calls them. Sizes are sometimes off by a little."""

from __future__ import annotations

import random

IMPORTS = """
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
"""
LOSSES = ["nn.CrossEntropyLoss()"] * 3 + ["nn.NLLLoss()", "nn.MSELoss()", "nn.BCEWithLogitsLoss()", "nn.L1Loss()"]
TRAIN = """net.train()
for epoch in range(2):
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
"""
EVALUATE = (
    "net.eval()\nwith torch.no_grad():\n    for x, y in loader:\n        right = (net(x).argmax(1) == y).sum().item()\n"
)
ONCE = [
    "out = net(X)\nprint(out.shape)",
    "loss = criterion(net(X[:4]), Y[:4])\nloss.backward()\nloss.backward()",
    "out = net(X)\nout.numpy()",
    "out = net(X).detach().numpy()\nprint(out.shape)",
    "with torch.no_grad():\n    out = net(X).numpy()\nout.mean()",
    "copy = Net()\ncopy.load_state_dict(net.state_dict())\ncopy(X[0])",
    "x, y = next(iter(loader))\nloss = criterion(net(x), y)\nloss.backward()\noptimizer.step()\nloss.item()",
    "total = 0\nfor i in range(3):\n    total = total + criterion(net(X), Y)\n    total.backward()",
    "losses = [criterion(net(X), Y) for _ in range(3)]\nsum(losses).backward()",
    "out = net(X)\nwith torch.no_grad():\n    loss = criterion(out, Y)\nloss.backward()",
    "net.eval()\nvalue, index = torch.max(net(X[:1]), 1)\nprint(index.item())",
]


def case(rng: random.Random) -> tuple[str, str]:
    """(setup, cell); the model is made in either."""
    classes, count = rng.choice([2, 3, 5]), rng.choice([8, 10, 13])
    body, forward, data = rng.choice([_dense, _images, _sequence, _tokens])(rng, classes, count)
    target = rng.choice(
        [f"torch.randint(0, {_off(classes, rng)}, ({count},))"] * 3
        + [f"torch.rand({count}, {classes})", f"torch.randint(0, {classes}, ({count},)).float()"]
    )
    shuffle, drop = rng.choice([True, False]), rng.choice([True, False])
    setup = (
        f"{IMPORTS}X = {data}\nY = {target}\n"
        f"loader = DataLoader(TensorDataset(X, Y), batch_size={rng.choice([2, 4, 5])}, shuffle={shuffle}, drop_last={drop})\n"
    )
    model = (
        f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n{_indent(body)}\n"
        f"    def forward(self, x):\n{_indent(forward)}\n"
        f"net = Net()\noptimizer = torch.optim.{rng.choice(['Adam', 'SGD'])}(net.parameters(), lr=0.01)\ncriterion = {rng.choice(LOSSES)}\n"
    )
    use = rng.choice([TRAIN, TRAIN, EVALUATE, TRAIN + EVALUATE, *ONCE[:], *ONCE])
    return (setup + model, use) if rng.random() < 0.5 else (setup, model + use)


def _indent(text: str) -> str:
    return "\n".join("        " + line for line in text.splitlines())


def _size(rng: random.Random) -> int:
    return rng.choice([1, 2, 3, 4, 5, 8, 10, 16])


def _off(size: int, rng: random.Random) -> int:
    return size if rng.random() < 0.85 else size + rng.choice([1, 2])


def _dense(rng: random.Random, classes: int, count: int) -> tuple[str, str, str]:
    width = first = _size(rng)
    layers = []
    for _ in range(rng.randint(1, 3)):
        wider = _size(rng)
        more = [
            "nn.ReLU()",
            f"nn.BatchNorm1d({_off(wider, rng)})",
            "nn.Dropout(0.2)",
            f"nn.LayerNorm({_off(wider, rng)})",
        ]
        layers += [f"nn.Linear({_off(width, rng)}, {wider})", rng.choice(more)]
        width = wider
    layers.append(f"nn.Linear({_off(width, rng)}, {classes})")
    return (
        f"self.net = nn.Sequential({', '.join(layers)})",
        "return self.net(x)",
        f"torch.randn({count}, {_off(first, rng)})",
    )


def _images(rng: random.Random, classes: int, count: int) -> tuple[str, str, str]:
    channels, filters, side = rng.choice([1, 3]), _size(rng), rng.choice([8, 12])
    padding = rng.choice([0, 1])
    flat = filters * ((side - 2 + 2 * padding) // 2) ** 2
    body = (
        f"self.conv = nn.Conv2d({_off(channels, rng)}, {filters}, 3, padding={padding})\n"
        f"self.fc = nn.Linear({_off(flat, rng)}, {classes})"
    )
    flatten = rng.choice(
        [
            "x.view(x.size(0), -1)",
            "torch.flatten(x, 1)",
            f"x.view(-1, {_off(flat, rng)})",
            "x.permute(0, 2, 3, 1).reshape(len(x), -1)",
        ]
    )
    forward = f"x = F.max_pool2d(F.relu(self.conv(x)), 2)\nx = {flatten}\nreturn self.fc(x)"
    return body, forward, f"torch.randn({count}, {channels}, {side}, {side})"


def _sequence(rng: random.Random, classes: int, count: int) -> tuple[str, str, str]:
    width, hidden, both = _size(rng), _size(rng), rng.choice([True, False])
    body = (
        f"self.rnn = nn.{rng.choice(['LSTM', 'GRU', 'RNN'])}({_off(width, rng)}, {hidden}, batch_first=True, bidirectional={both})\n"
        f"self.fc = nn.Linear({_off(hidden * (1 + both), rng)}, {classes})"
    )
    last = rng.choice(["out[:, -1]", "out.mean(1)", "out[:, -1, :]"])
    return body, f"out, state = self.rnn(x)\nreturn self.fc({last})", f"torch.randn({count}, 4, {width})"


def _tokens(rng: random.Random, classes: int, count: int) -> tuple[str, str, str]:
    words, width = rng.choice([5, 10]), _size(rng)
    body = f"self.table = nn.Embedding({words}, {width})\nself.fc = nn.Linear({_off(width, rng)}, {classes})"
    pool = rng.choice(["self.table(x).mean(1)", "self.table(x).max(dim=1)[0]", "F.relu(self.table(x).sum(1))"])
    return body, f"return self.fc({pool})", f"torch.randint(0, {_off(words, rng)}, ({count}, 4))"
