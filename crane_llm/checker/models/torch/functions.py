"""Models: PyTorch's functions and tensor methods: for real on small known tensors, on shapes otherwise."""

from __future__ import annotations

from typing import Any

from ...purity.registry import registry
from ...values import ATOMS, Abandon, Value, exact, unknown
from . import lazy, names
from .accelerators import cuda_missing
from .domain import TENSORS, call_torch, to_numpy
from .state import grad_enabled, stale, wrap
from .unknowns import TENSOR_RESULTS

_PREFIXES = (
    "torch.",
    "torch.functional.",
    "torch.nn.functional.",
    "torch._C._nn.",
    "torch._C.TensorBase.",
    "torch._C._TensorBase.",
    "torch._tensor.Tensor.",
    "torch._C._linalg.",
    "torch._C._special.",
    "torch.nn.init.",
)


def _has_standin(interpreter: Any, values: list[Value]) -> bool:
    return any(_reaches(interpreter, v) for v in values)


def _reaches(interpreter: Any, value: Value) -> bool:
    if value.kind == "partial":
        return True
    if value.exact and type(value.obj) in (list, tuple, dict) and interpreter.heap.standins:
        return bool(interpreter.surveyor.look([value.obj]).domains)
    return False


def tensor_call(interpreter: Any, call: Any) -> Value | None:
    """A function or method of PyTorch. None lets the general handling go on: pure calls for real on known values."""
    if not call.complete:
        return None
    grad_enabled(interpreter)  # raises where it is not known
    name = call.key.rpartition(".")[2]
    receiver = call.receiver
    owner = receiver if lazy.is_tensor(receiver) else None
    values = [*call.args, *call.kwargs.values()]
    if owner is None and not any(_tensorish(v) for v in values):
        return _without_tensors(interpreter, call, name)
    if owner is not None:
        held = interpreter.heap.wrap(owner)
        if held.kind == "partial":
            return held.domain.call_method(interpreter, call.event, held, name, call.args, call.kwargs)
        if held.unknown:
            raise Abandon("a tensor that may have been changed")
        if not lazy.is_plain(owner):
            raise Abandon("a tensor that is not an ordinary one on the CPU")
    if any(v.unknown for v in values):
        return _unknown_argument(interpreter, call, name, owner)
    if call.key.startswith("torch.nn.init."):
        return _init(interpreter, call)
    if _has_standin(interpreter, values) or _moves(name, values):
        return _on_shapes(interpreter, call, owner)
    if name == "numpy" and owner is not None and owner.requires_grad:
        return to_numpy(interpreter, call.event, owner)
    if name.endswith("_") and not name.endswith("__"):
        return _in_place(interpreter, call, name, owner)
    if call.kwargs.get("inplace") is not None and not (
        call.kwargs["inplace"].exact and call.kwargs["inplace"].obj is False
    ):
        return _on_shapes(interpreter, call, owner)
    objects = [v.obj for v in values if v.exact] + ([owner] if owner is not None else [])
    if _any_grad(objects) or grad_enabled(interpreter) != lazy.torch_module().is_grad_enabled():
        if name in names.META or name in ("item", "tolist", "detach", "numpy", "is_leaf"):
            return None
        return _on_shapes(interpreter, call, owner)
    if registry().find(call.key) is None:
        return _on_shapes(interpreter, call, owner) if name not in names.DATA else None
    return None


def _tensorish(value: Value) -> bool:
    if value.kind == "partial":
        return lazy.is_tensor(value.obj)
    if not value.exact:
        return False
    if lazy.is_tensor(value.obj):
        return True
    return type(value.obj) in (list, tuple) and any(lazy.is_tensor(part) for part in value.obj[:50])


def _any_grad(objects: list[Any]) -> bool:
    for obj in objects:
        parts = obj if type(obj) in (list, tuple) else [obj]
        if any(lazy.is_tensor(part) and part.requires_grad for part in parts[:200]):
            return True
    return False


def _moves(name: str, values: list[Value]) -> bool:
    return name == "backward"


def _on_shapes(interpreter: Any, call: Any, owner: Any) -> Value | None:
    name = call.key.rpartition(".")[2]
    if name == "backward":
        from .autograd import backward

        return (
            backward(interpreter, call.event, interpreter.heap.wrap(owner), call.args, call.kwargs)
            if owner is not None
            else None
        )
    if call.key.startswith("torch.nn.init."):
        return _init(interpreter, call)
    return call_torch(interpreter, call.event, call.func, call.args, call.kwargs, owner=owner)


def _in_place(interpreter: Any, call: Any, name: str, owner: Any) -> Value | None:
    """``x.add_(…)`` on a known tensor: its shape stays, its values are not followed."""
    if owner is None or name in (
        "requires_grad_",
        "detach_",
        "unsqueeze_",
        "squeeze_",
        "t_",
        "transpose_",
        "resize_",
        "swapaxes_",
        "set_",
        "rename_",
        "as_strided_",
    ):
        if owner is not None and name == "requires_grad_" and call.exact and owner.is_leaf:
            from .library import LIBRARY

            target = interpreter.heap.writable(owner, LIBRARY.copy)
            if target is not None:
                interpreter.quiet_call(
                    call.event,
                    lambda: target.requires_grad_(
                        *[v.obj for v in call.args], **{k: v.obj for k, v in call.kwargs.items()}
                    ),
                )
                return exact(target)
        raise Abandon(f"{name} on a known tensor")
    return call_torch(interpreter, call.event, call.func, call.args, call.kwargs, owner=owner)


def _init(interpreter: Any, call: Any) -> Value | None:
    value = call.argument(0, "tensor")
    if value is None or value.unknown or not lazy.is_tensor(value.obj):
        return None
    tensor = value.obj
    stand = lazy.storage(tuple(min(int(n), 4) for n in tensor.shape), tensor.dtype)
    args = [exact(stand), *call.args[1:]] if call.args else []
    if all(v.exact for v in [*call.args[1:], *call.kwargs.values()]) and call.args:
        state = lazy.torch_module().random.get_rng_state()
        try:
            interpreter.quiet_call(
                call.event, lambda: call.func(*[v.obj for v in args], **{k: v.obj for k, v in call.kwargs.items()})
            )
        finally:
            lazy.torch_module().random.set_rng_state(state)
    interpreter.world.random = False
    stale(interpreter, tensor)
    return interpreter.heap.wrap(tensor)


def _unknown_argument(interpreter: Any, call: Any, name: str, owner: Any) -> Value:
    """Nothing but the values of what is written in place can change."""
    interpreter.lose(call.node, f"{name} of an unknown value")
    if owner is not None and name.endswith("_") and not name.endswith("__"):
        stale(interpreter, owner)
        return interpreter.heap.wrap(owner)
    if name == "backward":
        from .autograd import after_backward

        after_backward(interpreter)
        return exact(None)
    if not _harmless(call):
        raise Abandon(f"{name} of an unknown value")
    reach = tuple(v.obj for v in call.operands() if v.exact and type(v.obj) not in ATOMS)
    sure = owner is not None and name in TENSOR_RESULTS or name in ("cat", "stack")
    return unknown(lazy.torch_module().Tensor if sure else None, reach[:16])


def _harmless(call: Any) -> bool:
    name = call.key.rpartition(".")[2]
    known = (
        name in names.RENAME
        or name in names.VIEW
        or name in names.MAYBE_VIEW
        or name in names.DATA
        or name in names.SMALL_ONLY
        or name in names.FACTORY
        or name in names.META
    )
    return (
        (known or name in ("cat", "stack", "conv2d", "conv1d", "to", "cpu"))
        and "out" not in call.kwargs
        and "inplace" not in call.kwargs
    )


def _without_tensors(interpreter: Any, call: Any, name: str) -> Value | None:
    """Factories and settings: small ones for real, larger ones lazily."""
    if call.key.startswith("torch.nn.init."):
        return None
    torch = lazy.torch_module()
    if name in ("no_grad", "enable_grad", "inference_mode"):
        return None
    if any(v.unknown for v in [*call.args, *call.kwargs.values()]):
        if _harmless(call) and getattr(torch, name, None) is call.func:
            interpreter.lose(call.node, f"{name} of an unknown value")
            interpreter.world.random = interpreter.world.random and name not in names.RANDOM
            reach = tuple(v.obj for v in call.args if v.exact and type(v.obj) not in ATOMS)
            return unknown(torch.Tensor if name in names.FACTORY else None, reach[:16])
        return None
    device = call.kwargs.get("device")
    if name in names.FACTORY and device is not None and device.exact and str(device.obj).partition(":")[0] == "cuda":
        return cuda_missing(interpreter, call)
    if (
        name in names.FACTORY
        and getattr(torch, name, None) is call.func
        and name not in ("tensor", "as_tensor", "from_numpy", "frombuffer", "asarray")
    ):
        count = _count(call)
        if count is not None and count > 200_000 and call.exact:
            return call_torch(interpreter, call.event, call.func, call.args, call.kwargs)
    return None


def _count(call: Any) -> int | None:
    sizes: list[Any] = []
    for value in call.args:
        if value.exact and isinstance(value.obj, (tuple, list)):
            sizes = list(value.obj)
            break
        if value.exact and type(value.obj) is int:
            sizes.append(value.obj)
    if call.kwargs.get("size") is not None and call.kwargs["size"].exact:
        sizes = list(call.kwargs["size"].obj)
    total = 1
    for size in sizes:
        if type(size) is not int:
            return None
        total *= max(size, 0)
    return total if sizes else None


def _variable(interpreter: Any, call: Any) -> Value | None:
    """``Variable(t)`` is the tensor itself."""
    value = call.argument(0, "data")
    if (
        value is not None
        and (value.kind == "partial" or value.exact and lazy.is_tensor(value.obj))
        and len(call.args) + len(call.kwargs) == 1
    ):
        if value.kind == "partial":
            return wrap(interpreter, value.obj) if not value.obj.requires_grad else None
        return value if not value.obj.requires_grad else None
    return None


def _parameter(interpreter: Any, call: Any) -> Value | None:
    value = call.argument(0, "data")
    if value is None or value.unknown or not lazy.is_tensor(value.obj):
        return None
    torch = lazy.torch_module()
    flag = call.argument(1, "requires_grad", exact(True))
    if not flag.exact:
        return None
    made = interpreter.quiet_call(call.event, lambda: torch.nn.Parameter(value.obj.detach(), flag.obj))
    return wrap(interpreter, made)


def _settings(interpreter: Any, call: Any) -> Value:
    """``manual_seed`` and the like: later random numbers are other ones."""
    interpreter.world.random = False
    interpreter.lose(call.node, "a seed")
    return unknown()


FUNCTION_MODELS: dict[str, Any] = {
    **{prefix + "*": tensor_call for prefix in _PREFIXES},
    "torch.autograd.variable.Variable": _variable,
    "torch.nn.parameter.Parameter": _parameter,
    "torch.random.manual_seed": _settings,
    "torch.cuda.random.manual_seed": _settings,
    "torch.cuda.random.manual_seed_all": _settings,
}

__all__ = ["FUNCTION_MODELS", "TENSORS", "tensor_call"]
