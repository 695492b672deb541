from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line


class OptimizerSetup(Rule):
    """An optimizer is made with parameters or options that it refuses.

    The list of parameters is empty or used up, a tensor is given in its place, a parameter is the result of a computation or stands in
    two groups, or a rate is negative.

    Example: ``torch.optim.Adam(net.parameters)`` (the method, not its result).

    Fix: pass ``net.parameters()`` of a module that has some.
    """

    code = "torch.optimizer-setup"
    library = "torch"
    exceptions = ("ValueError", "TypeError")
    requires = ("torch",)
    order = 32
    CRASHES = [
        (NET + "net = nn.ReLU()", "torch.optim.Adam(net.parameters())", "ValueError"),
        (NET + "net = nn.Linear(2, 1)", "torch.optim.SGD(net.parameters(), lr=-0.1)", "ValueError"),
        (NET + "w = torch.zeros(2, requires_grad=True)", "torch.optim.SGD(w, lr=0.1)", "TypeError"),
        (NET + "w = torch.zeros(2, requires_grad=True)", "torch.optim.Adam([w * 2])", "ValueError"),
        (NET + "net = nn.Linear(2, 1)", "torch.optim.Adam(net.parameters(), betas=(1.5, 0.9))", "ValueError"),
        (
            NET + "w = torch.zeros(2, requires_grad=True)",
            "torch.optim.SGD([{'params': [w]}, {'params': [w]}], lr=0.1)",
            "ValueError",
        ),
        (NET + "w = torch.zeros(2, requires_grad=True)", "torch.optim.RMSprop([w, 0.5])", "TypeError"),
    ]
    RUNS = [
        (
            NET + "net = nn.Linear(2, 1)",
            "opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)\nopt.zero_grad()",
        ),
        (NET + "w = torch.zeros(2, requires_grad=True)", "torch.optim.Adam([w])"),
        (
            NET + "net = nn.Sequential(nn.Linear(2, 1), nn.Linear(1, 1))",
            "torch.optim.Adam([{'params': net[0].parameters()}, {'params': net[1].parameters(), 'lr': 1e-4}], lr=1e-3)",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return str(event.key or "").startswith("torch.optim.")

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The optimizer refuses its arguments: {first_line(error)}."
