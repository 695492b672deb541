from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, is_torch, tensors


class DtypeMismatch(Rule):
    """Tensors of dtypes that an operation does not combine.

    A layer's weights are float32 and NumPy's data arrives as float64; an index is not a whole number; a mean is asked of whole numbers.

    Example: ``nn.Linear(3, 1)(torch.from_numpy(X))`` with ``X`` of dtype float64.

    Fix: ``x.float()`` before the layer, ``.long()`` for indices and class labels.
    """

    code = "torch.dtype-mismatch"
    library = "torch"
    exceptions = ("RuntimeError", "TypeError", "NotImplementedError")
    requires = ("torch",)
    order = 30
    CRASHES = [
        (NET + "import numpy as np\nX = np.zeros((4, 3))", "nn.Linear(3, 1)(torch.from_numpy(X))", "RuntimeError"),
        (NET + "x = torch.arange(6).reshape(2, 3)\nfc = nn.Linear(3, 1)", "fc(x)", "RuntimeError"),
        (NET + "x = torch.arange(6)", "x.mean()", "RuntimeError"),
        (NET + "x = torch.zeros(2, 3)", "nn.Embedding(5, 4)(x)", "RuntimeError"),
        (
            NET + "x = torch.zeros(1, 3, 8, 8, dtype=torch.float64)\nconv = nn.Conv2d(3, 2, 3)",
            "conv(x)",
            "RuntimeError",
        ),
        (NET + "a = torch.ones(2, 2)\nb = torch.ones(2, 2, dtype=torch.float64)", "torch.matmul(a, b)", "RuntimeError"),
    ]
    RUNS = [
        (NET + "import numpy as np\nX = np.zeros((4, 3))", "nn.Linear(3, 1)(torch.from_numpy(X).float())"),
        (NET + "x = torch.arange(6)", "x.float().mean()\nx.sum()"),
        (NET + "a = torch.ones(2)\nb = torch.ones(2, dtype=torch.int64)", "c = a * b"),
        (NET + "x = torch.zeros(2, 3)", "nn.Embedding(5, 4)(x.long())"),
        (NET + "fc = nn.Linear(3, 1).double()\nx = torch.zeros(2, 3, dtype=torch.float64)", "fc(x)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return is_torch(event, error) and any(
            word in text
            for word in ("same dtype", "scalar type", "dtype", "data type", "should be the same", "not implemented for")
        )

    def explain(self, event: Any, error: BaseException) -> str:
        given = tensors(event)
        return f"{first_line(error)}" + (f" (given {given})." if given else ".")
