"""Tensors of which nothing but the class is known: their methods change nothing else, save what is written in place."""

from __future__ import annotations

import sys
from typing import Any

from ...calls import PartialMethod
from ...values import Abandon, Hole, Value, exact, unknown
from ..base import Domain
from . import lazy, names

TENSOR_RESULTS = (names.RENAME | names.VIEW | names.MAYBE_VIEW) - frozenset(
    "max min sort median mode kthvalue cummax cummin std_mean var_mean split chunk unbind tensor_split split_with_sizes hsplit vsplit dsplit aminmax where".split()
)


class _Unknown(Domain):
    name = "unknown tensor"

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        from .autograd import after_backward

        torch = lazy.torch_module()
        interpreter.lose(event.node, f"{name} of a tensor that is not known")
        if name == "backward":
            after_backward(interpreter)
            return exact(None)
        values = [*args, *kwargs.values()]
        if name.endswith("_") and not name.endswith("__") or "out" in kwargs:
            interpreter.heap.soil([*owner.reach], link=False)
            return unknown(torch.Tensor, owner.reach)
        if not all(
            v.unknown
            or v.kind == "partial"
            or type(v.obj).__module__ != "__main__"
            and not getattr(type(v.obj), "__crane_callable__", False)
            for v in values
        ):
            raise Abandon("a call-back given to a tensor's method")
        if name in ("item", "tolist"):
            return unknown(list if name == "tolist" else None)
        if name in names.RANDOM:
            interpreter.world.random = False
        if name == "numpy":
            numpy = sys.modules.get("numpy")
            return unknown(getattr(numpy, "ndarray", None), owner.reach)
        if name in ("size", "dim", "numel", "nelement", "ndimension"):
            return unknown(int if name != "size" or args else torch.Size)
        if name in TENSOR_RESULTS or name in ("to", "cpu", "cuda"):
            return unknown(torch.Tensor, owner.reach)
        if name in ("register_hook", "requires_grad_", "set_", "share_memory_"):
            return None
        return unknown(None, owner.reach)


UNKNOWN_TENSORS = _Unknown()


def unknown_tensor_attribute(interpreter: Any, event: Any, owner: Value) -> Value | None:
    """A method or a fact of an unknown tensor; the real AttributeError where the class certainly has no such name."""
    kind = owner.known_type
    torch = sys.modules.get("torch")
    if torch is None or kind is not torch.Tensor:
        return None
    name = event.name or ""
    if not hasattr(torch.Tensor, name):
        if owner.reach:  # a tensor of the kernel may have been given attributes of its own
            return None
        stand = lazy.storage((1,), torch.float32)
        interpreter.quiet_call(event, lambda: getattr(stand, name))
        return None
    if name == "shape":
        return unknown(torch.Size)
    if name in ("T", "mT", "H", "data", "real", "imag", "grad"):
        interpreter.lose(event.node, "a part of a tensor that is not known")
        return unknown(torch.Tensor if name != "grad" else None, owner.reach)
    if callable(getattr(torch.Tensor, name, None)):
        return exact(PartialMethod(Value("unknown", None, kind, UNKNOWN_TENSORS, owner.reach), name))
    return None


def later(interpreter: Any, value: Value) -> Value:
    """What is known of a later element that is like ``value``: the same structure, tensors of which only the class is known."""
    if value.unknown:
        return value
    obj = value.obj
    if lazy.is_tensor(obj):
        return unknown(lazy.torch_module().Tensor)
    if type(obj) in (list, tuple):
        parts: Any = [_hole(interpreter, part) for part in obj]
        return interpreter.heap.own(parts) if type(obj) is list else exact(tuple(parts))
    if type(obj) is dict:
        return interpreter.heap.own({key: _hole(interpreter, part) for key, part in obj.items()})
    return unknown(type(obj), (interpreter.namespace,))


def _hole(interpreter: Any, part: Any) -> Any:
    made = later(interpreter, interpreter.heap.wrap(part))
    return interpreter.heap.lower(made) if not made.unknown else Hole(made)
