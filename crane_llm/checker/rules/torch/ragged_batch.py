from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import NET, first_line, tensors


class RaggedBatch(Rule):
    """Samples of one batch have different shapes.

    ``DataLoader`` stacks the samples of a batch, ``torch.stack`` the tensors of a list; all must have the same shape.

    Example: images of different sizes without ``transforms.Resize``, sentences of different lengths without padding.

    Fix: bring samples to one shape in the dataset (resize, pad), or give the loader a ``collate_fn``.
    """

    code = "torch.ragged-batch"
    library = "torch"
    exceptions = ("RuntimeError",)
    requires = ("torch",)
    order = 26
    CRASHES = [
        (NET + "xs = [torch.zeros(3), torch.zeros(4)]", "torch.stack(xs)", "RuntimeError"),
        (
            NET + "from torch.utils.data import DataLoader\nxs = [torch.zeros(n) for n in (3, 4, 5, 6)]",
            "for x in DataLoader(xs, batch_size=2):\n    pass",
            "RuntimeError",
        ),
        (
            NET
            + "from torch.utils.data import DataLoader, Dataset\nclass D(Dataset):\n    def __len__(self):\n        return 6\n    def __getitem__(self, i):\n        return torch.zeros(3, i + 1), i\ndl = DataLoader(D(), batch_size=3)",
            "for x, y in dl:\n    print(x.shape)",
            "RuntimeError",
        ),
        (
            NET
            + "from torch.utils.data import DataLoader, Dataset\nclass D(Dataset):\n    def __len__(self):\n        return 6\n    def __getitem__(self, i):\n        return torch.zeros(3, i + 1), i\ndl = DataLoader(D(), batch_size=3, shuffle=True)",
            "x, y = next(iter(dl))",
            "RuntimeError",
        ),
        (
            NET
            + "from torch.utils.data import DataLoader\nxs = [(torch.zeros(n), 1) for n in (3, 4, 5, 6)]\ndl = DataLoader(xs, batch_size=4)",
            "for i, (x, y) in enumerate(dl):\n    pass",
            "RuntimeError",
        ),
    ]
    RUNS = [
        (NET + "xs = [torch.zeros(3), torch.ones(3)]", "torch.stack(xs)"),
        (
            NET + "from torch.utils.data import DataLoader\nxs = [torch.zeros(n) for n in (3, 4, 5, 6)]",
            "for x in DataLoader(xs, batch_size=1):\n    pass",
        ),
        (
            NET + "from torch.utils.data import DataLoader\nxs = [torch.zeros(n) for n in (3, 4, 5, 6)]",
            "for x in DataLoader(xs, batch_size=2, collate_fn=lambda batch: batch):\n    print(len(x))",
        ),
        (
            NET + "from torch.utils.data import DataLoader\nxs = [torch.zeros(n) for n in (3, 3, 5, 5)]",
            "for x in DataLoader(xs, batch_size=2):\n    print(x.shape)",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "stack expects each tensor to be equal size" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"Samples of one batch have different shapes: {first_line(error)}." + (
            f" ({tensors(event)})" if tensors(event) else ""
        )
