from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, is_torch, tensors


class ModuleSetup(Rule):
    """A module that is not set up as PyTorch needs it.

    Layers are assigned before ``super().__init__()``, ``forward`` is missing or misspelt, a layer is made with sizes that exclude each
    other, or a layer is given what is no tensor.

    Example: ``self.fc = nn.Linear(2, 1)`` as the first line of ``__init__``.

    Fix: call ``super().__init__()`` first; name the method ``forward``; hand tensors to layers.
    """

    code = "torch.module-setup"
    library = "torch"
    exceptions = ("AttributeError", "NotImplementedError", "TypeError", "ValueError", "RuntimeError", "AssertionError")
    requires = ("torch",)
    order = 34
    CRASHES = [
        (
            NET + "class Net(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear(2, 1)",
            "net = Net()",
            "AttributeError",
        ),
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(2, 1)\n    def foward(self, x):\n        return self.fc(x)\nnet = Net()",
            "net(torch.zeros(1, 2))",
            "NotImplementedError",
        ),
        (NET + "fc = nn.Linear(2, 1)", "fc([[1.0, 2.0]])", "TypeError"),
        (NET, "nn.Conv2d(3, 4, 3, groups=2)", "ValueError"),
        (NET, "nn.MultiheadAttention(10, 3)", "AssertionError"),
        (NET + "conv = nn.Conv2d(3, 4, 3)", 'conv(torch.device("cpu"))', "TypeError"),
        (NET, "nn.Sequential(nn.Linear(2, 1), F.relu)", "TypeError"),
    ]
    RUNS = [
        (
            NET
            + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(2, 1)\n    def forward(self, x):\n        return self.fc(x)",
            "net = Net()\nnet(torch.zeros(1, 2))",
        ),
        (NET, "nn.Conv2d(4, 4, 3, groups=2)"),
        (NET + "class Net(nn.Module):\n    pass", "net = Net()\nnet.fc = nn.Linear(2, 1)\nnet.fc(torch.zeros(2))"),
        (NET, "nn.MultiheadAttention(10, 5)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        words = (
            "before Module.__init__()",
            'missing the required "forward"',
            "must be Tensor, not",
            "invalid combination of arguments",
            "must be divisible",
            "is not a Module subclass",
        )
        return is_torch(event, error) and any(w in text for w in words) or "before Module.__init__()" in text

    def explain(self, event: Any, error: BaseException) -> str:
        return f"{first_line(error)}" + (f" (given {tensors(event)})." if tensors(event) else ".")
