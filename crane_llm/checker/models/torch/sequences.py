"""Models: padding and packing sequences of several lengths: PyTorch's own checks, on zeros where the values do not matter."""

from __future__ import annotations

from typing import Any

from ...values import Abandon, Value
from . import lazy
from .state import grad_enabled, lower, wrap

MOST = 2_000_000  # elements that are padded or packed


def _known(interpreter: Any, tensor: Any) -> bool:
    return id(tensor) not in interpreter.heap.standins


def _zeros(interpreter: Any, obj: Any, depth: int = 0) -> Any:
    """``obj`` with zeros in the place of every tensor of floats, and of those whose values are not known."""
    torch = lazy.torch_module()
    if lazy.is_tensor(obj):
        if not lazy.is_plain(obj) or obj.numel() > MOST:
            raise Abandon("sequences that are not small ones on the CPU")
        if _known(interpreter, obj) and not obj.requires_grad:
            return obj
        return torch.zeros(tuple(obj.shape), dtype=obj.dtype)
    if type(obj) in (list, tuple) and depth < 2:
        return type(obj)(_zeros(interpreter, part, depth + 1) for part in obj)
    return obj


def _apply(interpreter: Any, call: Any, counts: str) -> Value | None:
    """The call on zeros of the true shapes. ``counts``: the argument whose numbers decide."""
    if not call.complete or any(v.unknown for v in [*call.args, *call.kwargs.values()]):
        return None
    grad_enabled(interpreter)
    args = [lower(interpreter, v) for v in call.args]
    kwargs = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    numbers = kwargs.get(counts, args[1] if len(args) > 1 else None) if counts else None
    if lazy.is_tensor(numbers) and not _known(interpreter, numbers):
        raise Abandon("lengths that are not known")
    args, kwargs = _zeros(interpreter, args), {name: _zeros(interpreter, part) for name, part in kwargs.items()}
    with lazy.one_thread():
        return wrap(interpreter, interpreter.quiet_call(call.event, lambda: call.func(*args, **kwargs)))


SEQUENCE_MODELS: dict[str, Any] = {
    "torch.nn.utils.rnn.pad_sequence": lambda interpreter, call: _apply(interpreter, call, ""),
    "torch.nn.utils.rnn.pack_padded_sequence": lambda interpreter, call: _apply(interpreter, call, "lengths"),
    "torch.nn.utils.rnn.pack_sequence": lambda interpreter, call: _apply(interpreter, call, ""),
}
