"""Models: whether there is a GPU, and moves to one where this PyTorch knows none."""

from __future__ import annotations

import os
import sys
from typing import Any

from ...values import Abandon, Value, exact, unknown
from . import lazy, trees


def cuda_missing(interpreter: Any, call: Any) -> Value | None:
    """``x.cuda()`` where this PyTorch was built without CUDA: its own words, nothing is initialised."""
    torch = lazy.torch_module()
    if (
        torch.version.cuda is not None
        or getattr(torch.version, "hip", None) is not None
        or getattr(torch.version, "xpu", None)
    ):
        raise Abandon("a move to an accelerator")
    if (
        call.key.endswith(".cuda")
        and (call.args or call.kwargs)
        or (
            trees.is_module(call.receiver)
            and not any(trees.tensors_of(p) for p in trees.all_modules(call.receiver, interpreter.heap.resolve))
        )
    ):
        return None
    interpreter.quiet_call(call.event, lambda: torch.zeros(()).cuda())
    return None


def _cuda_available(interpreter: Any, call: Any) -> Value | None:
    """Known without asking CUDA where this PyTorch has none, where the machine has no driver, or where CUDA runs already."""
    torch = lazy.torch_module()
    if torch.version.cuda is None and getattr(torch.version, "hip", None) is None:
        return exact(False)
    if getattr(torch.cuda, "is_initialized", lambda: False)():
        return exact(True)
    drivers = ("/proc/driver/nvidia", "/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd", "/dev/nvhost-gpu")
    if sys.platform == "linux" and not any(os.path.exists(path) for path in drivers):
        return exact(False)
    interpreter.lose(call.node, "whether there is a GPU")
    return unknown(bool)


ACCELERATOR_MODELS: dict[str, Any] = {
    "torch._C.TensorBase.cuda": cuda_missing,
    "torch._C._TensorBase.cuda": cuda_missing,
    "torch.nn.modules.module.Module.cuda": cuda_missing,
    "torch.cuda.is_available": _cuda_available,
}
