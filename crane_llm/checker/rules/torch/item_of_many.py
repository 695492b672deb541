from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, is_torch, tensors


class ItemOfMany(Rule):
    """A tensor of several elements is used as one number or one truth value.

    Example: ``if pred == y:`` with ``pred`` and ``y`` of 32 elements; ``loss.item()`` of a loss with ``reduction="none"``.

    Fix: reduce it first (``.mean()``, ``.sum()``, ``.all()``, ``.any()``), or ``.tolist()`` for all numbers.
    """

    code = "torch.item-of-many"
    library = "torch"
    exceptions = ("RuntimeError", "ValueError", "TypeError")
    requires = ("torch",)
    order = 30
    CRASHES = [
        (NET + "x = torch.zeros(3)", "x.item()", "RuntimeError"),
        (NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)", "net(x).item()", "RuntimeError"),
        (NET + "x = torch.zeros(3)", "if x > 0:\n    print(1)", "RuntimeError"),
        (NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)", "if net(x) > 0.5:\n    print(1)", "RuntimeError"),
        (
            NET + "out = torch.randn(4, 3)\ny = torch.zeros(4, dtype=torch.long)",
            "nn.CrossEntropyLoss(reduction='none')(out, y).item()",
            "RuntimeError",
        ),
        (NET + "x = torch.zeros(3)\ny = torch.zeros(3)", "assert x == y", "RuntimeError"),
    ]
    RUNS = [
        (NET + "x = torch.zeros(1)", "x.item()\nif x > 0:\n    print(1)"),
        (NET + "net = nn.Linear(3, 2)\nx = torch.zeros(4, 3)", "net(x).mean().item()"),
        (NET + "x = torch.zeros(3)", "x.tolist()\nif (x > 0).any():\n    print(1)"),
        (NET + "x = torch.zeros(1, 1)", "float(x)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return (
            "cannot be converted to Scalar" in text
            or "only one element" in text
            or ("ambiguous" in text and is_torch(event, error))
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"{first_line(error)}: it has to be reduced to one value first" + (
            f" (given {tensors(event)})." if tensors(event) else "."
        )
