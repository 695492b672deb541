from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, tensors


class BackwardGraph(Rule):
    """``backward()`` on a tensor that has no graph to go back through, or not any more.

    Nothing that went into the tensor requires grad (or it was detached), it is not a single number, or its graph was freed by an earlier
    ``backward()``.

    Example: ``loss.backward()`` twice for one ``loss``.

    Fix: compute the loss again, or pass ``retain_graph=True`` the first time; reduce it to a scalar; do not detach what is to be learned.
    """

    code = "torch.backward"
    library = "torch"
    exceptions = ("RuntimeError",)
    requires = ("torch",)
    order = 30
    CRASHES = [
        (NET + "x = torch.ones(3)", "x.sum().backward()", "RuntimeError"),
        (NET + "w = torch.ones(3, requires_grad=True)", "(w * 2).backward()", "RuntimeError"),
        (
            NET + "net = nn.Linear(3, 1)\nx = torch.zeros(4, 3)\ny = torch.zeros(4, 1)",
            "loss = F.mse_loss(net(x), y)\nloss.backward()\nloss.backward()",
            "RuntimeError",
        ),
        (
            NET
            + "net = nn.Linear(3, 1)\nx = torch.zeros(4, 3)\ny = torch.zeros(4, 1)\nloss = F.mse_loss(net(x), y)\nloss.backward()",
            "loss.backward()",
            "RuntimeError",
        ),
        (
            NET + "net = nn.Linear(3, 1)\nx = torch.zeros(4, 3)\ny = torch.zeros(4, 1)",
            "loss = F.mse_loss(net(x).detach(), y)\nloss.backward()",
            "RuntimeError",
        ),
        (
            NET + "net = nn.Linear(3, 1)\nx = torch.zeros(4, 3)",
            "with torch.no_grad():\n    out = net(x)\nout.mean().backward()",
            "RuntimeError",
        ),
    ]
    RUNS = [
        (NET + "w = torch.ones(3, requires_grad=True)", "(w * 2).sum().backward()"),
        (NET + "w = torch.ones(3, requires_grad=True)", "(w * 2).backward(torch.ones(3))"),
        (
            NET + "net = nn.Linear(3, 1)\nx = torch.zeros(4, 3)\ny = torch.zeros(4, 1)",
            "loss = F.mse_loss(net(x), y)\nloss.backward(retain_graph=True)\nloss.backward()",
        ),
        (NET + "w = torch.ones(3, requires_grad=True)\nt = w.sum()\nt.backward()", "t.backward()"),
        (
            NET + "net = nn.Linear(3, 1)\nx = torch.zeros(4, 3)\ny = torch.zeros(4, 1)",
            "for i in range(3):\n    loss = F.mse_loss(net(x), y)\n    loss.backward()",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return any(
            w in text
            for w in (
                "does not require grad",
                "grad can be implicitly created",
                "backward through the graph a second time",
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"{first_line(error)}" + (f" (the tensor is {tensors(event)})." if tensors(event) else ".")
