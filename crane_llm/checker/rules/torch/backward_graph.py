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
        (
            NET + "cell = nn.RNN(3, 4, batch_first=True)\nhead = nn.Linear(4, 1)\nx = torch.zeros(2, 5, 3)",
            "h = torch.zeros(1, 2, 4)\nfor step in range(4):\n    out, h = cell(x, h)\n    head(out).pow(2).mean().backward()",
            "RuntimeError",
        ),
        (
            NET + "w = torch.ones(3, requires_grad=True)\nx = torch.zeros(3)",
            "total = 0\nfor step in range(3):\n    total = total + (w * x).sum()\n    total.backward()",
            "RuntimeError",
        ),
        (
            NET + "cell = nn.LSTM(3, 4)\nout, state = cell(torch.zeros(5, 2, 3))\nout.sum().backward()",
            "out, state = cell(torch.zeros(5, 2, 3), state)\nout.mean().backward()",
            "RuntimeError",
        ),
        (
            NET + "w = torch.ones(3, requires_grad=True)\nshared = (w * w).exp()",
            "shared.sum().backward()\n(shared * 2).mean().backward()",
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
        (
            NET + "cell = nn.RNN(3, 4, batch_first=True)\nx = torch.zeros(2, 5, 3)",
            "h = torch.zeros(1, 2, 4)\nfor step in range(3):\n    out, h = cell(x, h)\n    h = h.detach()\n    out.sum().backward()",
        ),
        (
            NET + "cell = nn.GRU(3, 4)\nx = torch.zeros(5, 2, 3)",
            "h = torch.zeros(1, 2, 4)\nloss = 0\nfor step in range(3):\n    out, h = cell(x, h)\n    loss = loss + out.sum()\nloss.backward()",
        ),
        (
            NET + "w = torch.ones(3, requires_grad=True)\nimport random",
            "loss = (w * w).sum()\nif random.random() < 0:\n    loss.backward()\nloss.backward()",
        ),
        (
            NET + "w = torch.ones(3, requires_grad=True)",
            "loss = (w * w).sum()\ntry:\n    torch.load('nothing')\n    loss.backward()\nexcept Exception:\n    pass\nloss.backward()",
        ),
        (
            NET + "a = nn.Linear(3, 2)\nb = nn.Linear(3, 2)\nx = torch.ones(1, 3)",
            "for step in range(2):\n    one, two = a(x).tanh(), b(x).tanh()\n    one.sum().backward()\n    two.sum().backward()",
        ),
        (
            NET + "w = torch.ones(3, requires_grad=True)",
            "s = w.sum()\ns.backward()\ns.backward()\nt = torch.cat([w, w]).mean()\nt.backward()\nt.backward()",
        ),
        (
            NET + "w = torch.ones(3, requires_grad=True)",
            "shared = w * w\nshared.sum().backward(inputs=[w], retain_graph=True)\nwith torch.no_grad():\n    kept = shared.exp()\nshared.sum().backward()",
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
