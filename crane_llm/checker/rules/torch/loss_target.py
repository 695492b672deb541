from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, tensors


class LossTarget(Rule):
    """A loss is given a target that does not fit the prediction.

    Batch sizes differ, ``(N, 1)`` meets ``(N,)``, class indices are not whole numbers, or a class index is as large as the number of
    classes or larger.

    Example: ``nn.BCELoss()(torch.sigmoid(out), y)`` with ``out`` of shape ``(32, 1)`` and ``y`` of shape ``(32,)``.

    Fix: ``y.unsqueeze(1)`` or ``out.squeeze(1)``, ``y.long()`` for class indices and ``y.float()`` for probabilities, labels from 0 to classes - 1.
    """

    code = "torch.loss-target"
    library = "torch"
    exceptions = ("ValueError", "RuntimeError", "IndexError")
    requires = ("torch",)
    order = 28
    CRASHES = [
        (NET + "out = torch.rand(8, 1)\ny = torch.ones(8)", "nn.BCELoss()(out, y)", "ValueError"),
        (
            NET + "out = torch.randn(8, 3)\ny = torch.zeros(7, dtype=torch.long)",
            "nn.CrossEntropyLoss()(out, y)",
            "ValueError",
        ),
        (NET + "out = torch.randn(4, 3)\ny = torch.tensor([0, 1, 2, 3])", "F.cross_entropy(out, y)", "IndexError"),
        (
            NET + "net = nn.Linear(5, 3)\nx = torch.randn(4, 5)\ny = torch.tensor([1, 2, 3, 1])",
            "loss = nn.CrossEntropyLoss()(net(x), y)\nloss.backward()",
            "IndexError",
        ),
        (
            NET + "out = torch.randn(4, 3)\ny = torch.tensor([0., 1., 2., 0.])",
            "F.cross_entropy(out, y)",
            "RuntimeError",
        ),
        (NET + "out = torch.randn(4, 3)\ny = torch.zeros(4)", "nn.BCEWithLogitsLoss()(out, y)", "ValueError"),
        (
            NET + "net = nn.Sequential(nn.Linear(5, 2), nn.LogSoftmax(dim=1))\nx = torch.randn(4, 5)",
            "nn.NLLLoss()(net(x), torch.tensor([0, 1, 2, 0]))",
            "IndexError",
        ),
        (NET + "out = torch.randn(4, 3)\ny = torch.zeros(5)", "F.mse_loss(out, y)", "RuntimeError"),
    ]
    RUNS = [
        (NET + "out = torch.rand(8, 1)\ny = torch.ones(8, 1)", "nn.BCELoss()(out, y)"),
        (NET + "out = torch.randn(4, 3)\ny = torch.rand(4, 3)", "F.cross_entropy(out, y)"),
        (NET + "out = torch.randn(4, 3)\ny = torch.tensor([0, -100, 2, 1])", "F.cross_entropy(out, y)"),
        (NET + "out = torch.randn(4, 3, 6)\ny = torch.zeros(4, 6, dtype=torch.long)", "F.cross_entropy(out, y)"),
        (NET + "out = torch.randn(4, 1)\ny = torch.zeros(4)", "F.mse_loss(out, y)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        key = str(event.key or "") + " ".join(type(getattr(v, "obj", None)).__name__ for v in event.operands[:1])
        loss = "loss" in key.lower() or "entropy" in key.lower()
        words = ("target", "Target", "all elements of input", "size of tensor a")
        return any(word in text for word in words[:3]) or (loss and any(word in text for word in words))

    def explain(self, event: Any, error: BaseException) -> str:
        given = tensors(event)
        return f"{first_line(error)}" + (f" (given {given})." if given else ".")
