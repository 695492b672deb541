from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET


class StateDict(Rule):
    """A state dict does not fit the module that loads it.

    Its keys or shapes are another architecture's: another number of classes, a ``module.`` prefix left by ``DataParallel``, a renamed layer.

    Example: ``net.load_state_dict(other.state_dict())`` where the last layers differ in size.

    Fix: build the module as it was when its state was saved, or load what fits with ``strict=False``.
    """

    code = "torch.state-dict"
    library = "torch"
    exceptions = ("RuntimeError",)
    requires = ("torch",)
    order = 25
    CRASHES = [
        (NET + "a = nn.Linear(3, 2)\nb = nn.Linear(4, 2)", "a.load_state_dict(b.state_dict())", "RuntimeError"),
        (
            NET + "a = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))\nb = nn.Linear(3, 2)",
            "a.load_state_dict(b.state_dict())",
            "RuntimeError",
        ),
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 30 * 30, 10)\n    def forward(self, x):\n        x = F.relu(self.conv(x))\n        return self.fc(x.view(x.size(0), -1))\nnet = Net()\nsd = {'module.' + k: v for k, v in net.state_dict().items()}",
            "net.load_state_dict(sd)",
            "RuntimeError",
        ),
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 30 * 30, 10)\n    def forward(self, x):\n        x = F.relu(self.conv(x))\n        return self.fc(x.view(x.size(0), -1))\nnet = Net()\n",
            "new = Net()\nnew.fc = nn.Linear(8 * 30 * 30, 5)\nnew.load_state_dict(net.state_dict())",
            "RuntimeError",
        ),
        (
            NET + "a = nn.BatchNorm1d(3)\nb = nn.BatchNorm1d(4)",
            "a.load_state_dict(b.state_dict(), strict=False)",
            "RuntimeError",
        ),
    ]
    RUNS = [
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 30 * 30, 10)\n    def forward(self, x):\n        x = F.relu(self.conv(x))\n        return self.fc(x.view(x.size(0), -1))\nnet = Net()\n",
            "new = Net()\nnew.load_state_dict(net.state_dict())",
        ),
        (
            NET + "a = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))\nb = nn.Sequential(nn.Linear(3, 2))",
            "a.load_state_dict(b.state_dict(), strict=False)",
        ),
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 30 * 30, 10)\n    def forward(self, x):\n        x = F.relu(self.conv(x))\n        return self.fc(x.view(x.size(0), -1))\nnet = Net()\nsd = net.state_dict()\nsd['extra'] = torch.zeros(1)",
            "sd.pop('extra')\nnet.load_state_dict(sd)",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "loading state_dict" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        lines = [line.strip() for line in str(error).split("\n")[1:4] if line.strip()]
        return "The state does not fit the module: " + " ".join(lines)[:300]
