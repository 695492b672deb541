"""Modules: copies of a tree of modules that share the parameters, and what keeps a module from being followed."""

from __future__ import annotations

import sys
import types
from typing import Any, Callable

from ...attributes import static_lookup
from ...purity.libraries import finalizes, is_library_type
from ...values import Abandon
from . import lazy

_HOOKS = (
    "_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks", "_forward_hooks_with_kwargs",
    "_forward_pre_hooks_with_kwargs", "_forward_hooks_always_called",
)  # fmt: skip
_GLOBAL_HOOKS = (
    "_global_forward_hooks",
    "_global_forward_pre_hooks",
    "_global_backward_hooks",
    "_global_backward_pre_hooks",
)
_REFUSED = (
    "torch._dynamo",
    "torch.jit",
    "torch.ao",
    "torch.quantization",
    "torch.fx",
    "torch.distributed",
    "torch.nn.quantized",
    "torchvision.models.quantization",
)


def is_module(obj: Any) -> bool:
    """Whether ``obj`` is an ``nn.Module``."""
    base = module_class()
    return base is not None and issubclass(type(obj), base)


def module_class() -> Any:
    """``torch.nn.Module``, or None where torch is not loaded."""
    found = getattr(sys.modules.get("torch.nn.modules.module"), "Module", None)
    return found if isinstance(found, type) else None


def is_module_class(cls: Any) -> bool:
    base = module_class()
    return base is not None and isinstance(cls, type) and issubclass(cls, base)


def check_followable(module: Any) -> None:
    """Raises Abandon for a module whose call is not what its class says: hooks, a replaced ``forward``, compiled or traced."""
    table = object.__getattribute__(module, "__dict__")
    if "_modules" not in table or "_parameters" not in table:
        raise Abandon("a module that is not initialised")
    if any(table.get(name) for name in _HOOKS) or table.get("_compiled_call_impl") is not None:
        raise Abandon("a module with hooks")
    if "forward" in table or "__call__" in table or "_call_impl" in table:
        raise Abandon("a module whose forward was replaced")
    if type(module).__module__.startswith(_REFUSED):
        raise Abandon("a module made by a compiler")
    base = module_class()
    home = sys.modules["torch.nn.modules.module"]
    if any(getattr(home, name, None) for name in _GLOBAL_HOOKS):
        raise Abandon("hooks on all modules")
    call = static_lookup(type(module), "__call__")
    if call is not vars(base)["__call__"] or static_lookup(type(module), "_call_impl") is not vars(base)["_call_impl"]:
        raise Abandon("a module that is called in a way of its own")
    if vars(base)["_call_impl"].__globals__ is not vars(home):
        raise Abandon("a replaced torch")


def forward_of(module: Any) -> tuple[Any, bool]:
    """(the function that a call of the module runs, whether it is the library's own)."""
    found = static_lookup(type(module), "forward")
    if isinstance(found, types.FunctionType):
        home = sys.modules.get(found.__module__ or "")
        root = (found.__module__ or "").partition(".")[0]
        own = (
            home is not None
            and vars(home) is found.__globals__
            and root in ("torch", "torchvision", "transformers", "timm")
        )
        return found, own
    return found, False


def copy_one(module: Any) -> Any:
    """A module of the same class with dictionaries of its own and the same parameters and children."""
    cls = type(module)
    if cls.__new__ is not object.__new__ or not hasattr(cls, "__dict__"):
        raise Abandon("a module with a constructor of its own")
    if finalizes(cls):
        raise Abandon("a copy would run the notebook's code when it goes")
    made = object.__new__(cls)
    table = object.__getattribute__(made, "__dict__")
    for key, value in object.__getattribute__(module, "__dict__").items():
        table[key] = (
            value.copy() if type(value) in (dict, list, set) or type(value).__name__ == "OrderedDict" else value
        )
    return made


def copy_tree(
    module: Any, resolve: Callable[[Any], Any], child: Callable[[Any], Any] | None = None
) -> dict[int, tuple[Any, Any]]:
    """Copies of ``module`` and all modules below, by id of the original: (original, copy). Parameters are shared.

    ``child(original)`` may give the object to put in an original's place; then nothing below it is copied.
    """
    found: dict[int, tuple[Any, Any]] = {}

    def copy(original: Any) -> Any:
        original = resolve(original)
        if id(original) in found:
            return found[id(original)][1]
        if len(found) > 3_000:
            raise Abandon("a very large model")
        replaced = child(original) if child is not None and found else None
        if replaced is not None:
            found[id(original)] = (original, replaced)
            return replaced
        made = copy_one(original)
        found[id(original)] = (original, made)
        table = object.__getattribute__(made, "__dict__")
        for name, part in list((table.get("_modules") or {}).items()):
            if part is not None:
                table["_modules"][name] = copy(part)
        return made

    copy(module)
    return found


def all_modules(module: Any, resolve: Callable[[Any], Any]) -> list[Any]:
    """The module and every one below it, each once, the outer ones first."""
    seen: dict[int, Any] = {}
    queue = [module]
    while queue:
        current = resolve(queue.pop(0))
        if id(current) in seen:
            continue
        if not is_module(current) or len(seen) > 3_000:
            raise Abandon("not a tree of modules")
        seen[id(current)] = current
        queue.extend(
            part
            for part in (object.__getattribute__(current, "__dict__").get("_modules") or {}).values()
            if part is not None
        )
    return list(seen.values())


def tensors_of(module: Any) -> list[Any]:
    """Parameters and buffers that a module holds directly."""
    table = object.__getattribute__(module, "__dict__")
    parts = [*(table.get("_parameters") or {}).values(), *(table.get("_buffers") or {}).values()]
    return [part for part in parts if part is not None and lazy.is_tensor(part)]


def is_users(module: Any) -> bool:
    """Whether the class of a module is not a known library's."""
    return not is_library_type(type(module))
