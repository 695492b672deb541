from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, is_torch, tensors


class ShapeMismatch(Rule):
    """Sizes of tensors do not fit each other, a layer or a view.

    A layer is given other features or channels than it was made for, a matrix product meets sizes that differ, tensors to be joined differ
    in more than the joined dimension, or a view has another number of elements.

    Example: ``nn.Linear(64, 10)`` on a batch of shape ``(32, 128)``.

    Fix: give the layer the size that arrives (print ``x.shape`` before it), or bring the tensor to the size that the layer expects.
    """

    code = "torch.shape-mismatch"
    library = "torch"
    exceptions = ("RuntimeError", "ValueError", "IndexError", "AssertionError")
    requires = ("torch",)
    order = 30
    CRASHES = [
        (NET + "x = torch.randn(32, 11)\nfc = nn.Linear(10, 2)", "fc(x)", "RuntimeError"),
        (NET + "a = torch.randn(3, 4)\nb = torch.randn(5, 6)", "a @ b", "RuntimeError"),
        (NET + "a = torch.randn(3, 4)\nb = torch.randn(3, 5)", "torch.cat([a, b])", "RuntimeError"),
        (NET + "x = torch.randn(4, 6)", "x.view(5, -1)", "RuntimeError"),
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 30 * 30, 10)\n    def forward(self, x):\n        x = F.relu(self.conv(x))\n        return self.fc(x.view(x.size(0), -1))\nnet = Net()\nx = torch.randn(2, 3, 28, 28)",
            "net(x)",
            "RuntimeError",
        ),
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 30 * 30, 10)\n    def forward(self, x):\n        x = F.relu(self.conv(x))\n        return self.fc(x.view(x.size(0), -1))\nnet = Net()\nx = torch.randn(2, 1, 32, 32)",
            "out = net(x)\nprint(out.shape)",
            "RuntimeError",
        ),
        (
            NET + "x = torch.randn(16, 10)",
            "model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(21, 2))\nmodel(x)",
            "RuntimeError",
        ),
        (
            NET + "x = torch.randn(4, 7, 5)",
            "rnn = nn.LSTM(6, 8, batch_first=True)\nout, state = rnn(x)",
            "RuntimeError",
        ),
        (NET + "a = torch.randn(4)\nb = torch.randn(5)", "c = a + b", "RuntimeError"),
        (NET + "x = torch.randn(4, 6)", "x.permute(1, 0).view(24)", "RuntimeError"),
        (NET + "x = torch.randn(8, 20)", "bn = nn.BatchNorm1d(10)\nbn(x)", "RuntimeError"),
        (
            NET
            + "from torch.utils.data import DataLoader, TensorDataset\ndl = DataLoader(TensorDataset(torch.randn(20, 7), torch.zeros(20)), batch_size=4, shuffle=True)\nnet = nn.Linear(6, 1)",
            "for x, y in dl:\n    out = net(x)",
            "RuntimeError",
        ),
        (NET + "x = torch.randn(8, 1, 10, 10)", "conv = nn.Conv2d(1, 4, kernel_size=12)\nconv(x)", "RuntimeError"),
    ]
    RUNS = [
        (NET + "x = torch.randn(32, 10)\nfc = nn.Linear(10, 2)", "fc(x)"),
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 30 * 30, 10)\n    def forward(self, x):\n        x = F.relu(self.conv(x))\n        return self.fc(x.view(x.size(0), -1))\nnet = Net()\nx = torch.randn(2, 3, 32, 32)",
            "net(x)",
        ),
        (NET + "a = torch.randn(3, 1)\nb = torch.randn(5)", "c = a + b"),
        (NET + "x = torch.randn(4, 6)", "x.permute(1, 0).reshape(24)"),
        (NET + "fc = nn.Linear(10, 2)", "fc(torch.randn(10))\nfc(torch.randn(2, 3, 10))"),
        (
            NET + "x = torch.randn(4, 7, 5)",
            "rnn = nn.GRU(5, 8, bidirectional=True)\nout, h = rnn(x)\nnn.Linear(16, 2)(out[-1])",
        ),
        (
            NET
            + "from torch.utils.data import DataLoader, TensorDataset\ndl = DataLoader(TensorDataset(torch.randn(20, 6), torch.zeros(20)), batch_size=8)\nnet = nn.Linear(6, 1)",
            "for x, y in dl:\n    out = net(x.float())",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        words = (
            "shapes cannot be multiplied",
            "expected input",
            "must match",
            "is invalid for input of size",
            "size mismatch",
            "view size is not compatible",
            "same number of dimensions",
            "Sizes of tensors",
            "Kernel size can't be greater",
            "must be equal to input_size",
            "running_mean should contain",
            "Given normalized_shape",
            "Expected 3D",
            "expected 2D",
            "expected 4D",
            "expected 3D",
            "Expected 2D",
            "Expected 4D",
            "batch2",
            "inconsistent tensor size",
            "not broadcastable",
            "Dimension out of range",
        )
        return is_torch(event, error) and any(word in text for word in words)

    def explain(self, event: Any, error: BaseException) -> str:
        given = tensors(event)
        return f"{first_line(error)}: the operation is given {given}." if given else f"{first_line(error)}."
