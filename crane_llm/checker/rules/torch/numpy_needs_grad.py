from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, tensors


class NumpyNeedsGrad(Rule):
    """A tensor that is part of a graph is turned into a NumPy array.

    What a model returns requires grad unless it ran under ``torch.no_grad()``; NumPy cannot hold the graph.

    Example: ``model(x).numpy()``.

    Fix: ``model(x).detach().numpy()``.
    """

    code = "torch.numpy-needs-grad"
    library = "torch"
    exceptions = ("RuntimeError",)
    requires = ("torch",)
    order = 30
    CRASHES = [
        (NET + "w = torch.ones(3, requires_grad=True)", "w.numpy()", "RuntimeError"),
        (NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)", "pred = net(x).numpy()", "RuntimeError"),
        (NET + "net = nn.Linear(3, 2)", "net.weight.numpy()", "RuntimeError"),
        (
            NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)",
            "out = torch.sigmoid(net(x))\nout.cpu().numpy()",
            "RuntimeError",
        ),
        (NET + "w = torch.ones(3, requires_grad=True)", "y = (w * 2).sum()\ny.numpy()", "RuntimeError"),
    ]
    RUNS = [
        (NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)", "net(x).detach().numpy()"),
        (NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)", "with torch.no_grad():\n    out = net(x)\nout.numpy()"),
        (NET + "x = torch.zeros(4, 3)", "x.numpy()"),
        (
            NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)\n@torch.no_grad()\ndef predict(x):\n    return net(x)",
            "predict(x).numpy()",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "numpy() on Tensor that requires grad" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The tensor ({tensors(event) or 'part of a graph'}) requires grad; NumPy cannot hold its graph, so it has to be detached first. ({first_line(error, 60)})"
