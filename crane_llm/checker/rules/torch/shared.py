"""What the rules on PyTorch say about the values of a failing operation."""

from __future__ import annotations

from typing import Any

NET = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"


def tensors(event: Any, limit: int = 4) -> str:
    """The tensors of an operation in words: ``float32 (32, 10)``; empty where it has none."""
    found = []
    for value in [*event.operands, *event.args]:
        obj = getattr(value, "obj", None)
        # By the type's bases: asking an object of the person's for an attribute may run their __getattr__.
        if any(base.__module__ == "torch" and base.__name__ == "Tensor" for base in type(obj).__mro__):
            text = f"{str(obj.dtype).replace('torch.', '')} {tuple(obj.shape)}"
            if text not in found:
                found.append(text)
    return ", ".join(found[:limit])


def first_line(error: BaseException, limit: int = 200) -> str:
    """The first line of an error's message."""
    text = str(error).strip().split("\n")[0]
    return text if len(text) <= limit else text[: limit - 1] + "…"


def is_torch(event: Any, error: BaseException) -> bool:
    """Whether the operation is PyTorch's: its key, or a tensor among its operands."""
    return str(event.key or "").startswith("torch") or bool(tensors(event))
