"""Models: grad modes: ``torch.set_grad_enabled``, and functions of the notebook under ``@torch.no_grad()`` and the like."""

from __future__ import annotations

import sys
import types
from typing import Any

from ...values import Value, exact, partial
from ..base import Domain
from . import lazy
from .state import state_of


class GradMode:
    """``torch.set_grad_enabled(mode)`` used as a context manager."""

    def __init__(self, mode: Any) -> None:
        self.mode = mode
        self.entered = False


class _Modes(Domain):
    name = "grad mode"


MODES = _Modes()


def _set_grad(interpreter: Any, call: Any) -> Value | None:
    flag = call.argument(0, "mode")
    if flag is None or not isinstance(call.func, type):
        return None
    mode = flag.obj if flag.exact and isinstance(flag.obj, bool) else None
    made = GradMode(mode if not interpreter.uncertain else None)
    state_of(interpreter).modes.append(made)
    return partial(made, MODES, call.func)


def decorated(interpreter: Any, call: Any) -> Value | None:
    """A function of the notebook under ``@torch.no_grad()``: its body is walked without autograd."""
    func = call.func.__func__ if isinstance(call.func, types.MethodType) else call.func
    if not isinstance(func, types.FunctionType) or func.__code__.co_name != "decorate_context":
        return None
    home = sys.modules.get("torch.utils._contextlib") or sys.modules.get("torch.autograd.grad_mode")
    inner = getattr(func, "__wrapped__", None)
    if home is None or func.__globals__ is not vars(home) or not isinstance(inner, types.FunctionType):
        return None
    context = None
    for name, cell in zip(func.__code__.co_freevars, func.__closure__ or ()):
        if name == "ctx_factory":
            context = cell.cell_contents
    owner = getattr(context, "__self__", None)
    kind = type(owner).__name__ if owner is not None else getattr(context, "__name__", "")
    if kind not in ("no_grad", "inference_mode", "enable_grad"):
        return None
    mode = partial(GradMode(kind == "enable_grad"), MODES, lazy.torch_module().set_grad_enabled)
    managers, interpreter.managers = interpreter.managers, [*interpreter.managers, mode]
    try:
        args = (
            call.args
            if not isinstance(call.func, types.MethodType)
            else [interpreter.heap.wrap(call.func.__self__), *call.args]
        )
        return interpreter.call_value(exact(inner), args, call.kwargs, call.node, call.complete)
    finally:
        interpreter.managers = managers


GRAD_MODE_MODELS: dict[str, Any] = {
    "torch.autograd.grad_mode.set_grad_enabled": _set_grad,
    "__main__.*": decorated,
}
