"""Models: methods of ``nn.Module``: listing, modes, moves, state dicts."""

from __future__ import annotations

from typing import Any

from ...attributes import static_lookup
from ...purity.libraries import is_library_type
from ...streams import Stream
from ...values import Abandon, Value, exact, unknown
from . import lazy, trees
from .accelerators import cuda_missing
from .autograd import without_gradients
from .owned import own_module, writable_module
from .skeletons import skeleton
from .state import checked, follow, lower, stale


def _walk(name: str) -> Any:
    """``parameters``, ``children`` …: what they list is read for real, through the overlay."""

    def handler(interpreter: Any, call: Any) -> Value | None:
        if call.receiver is None or not call.exact:
            return None
        heap = interpreter.heap
        module = heap.resolve(call.receiver)
        if heap.is_dirty(module) or any(heap.is_dirty(part) for part in trees.all_modules(module, heap.resolve)):
            raise Abandon("a module that may have been changed")
        back = {id(made): original for original, made in trees.copy_tree(module, heap.resolve).values()}
        top = next(iter(trees.copy_tree(module, heap.resolve).values()))[1]
        base = vars(trees.module_class())[name]
        args, kwargs = [v.obj for v in call.args], {key: v.obj for key, v in call.kwargs.items()}
        if name in ("parameters", "named_parameters", "buffers", "named_buffers"):
            listed = interpreter.quiet_call(call.event, lambda: list(base(top, *args, **kwargs)))
            values = [heap.wrap(part) if lazy.is_tensor(part) else exact(part) for part in listed]
            return exact(Stream("generator", lambda: iter(values)))
        del back
        parts = interpreter.quiet_call(call.event, lambda: list(base(module, *args, **kwargs)))
        if any(trees.is_module(p) and heap.resolve(p) is not p for p in parts):
            raise Abandon("modules changed by the cell")
        values = [exact(part) for part in parts]
        return exact(Stream("generator", lambda: iter(values)))

    return handler


def _mode(interpreter: Any, call: Any, flag: bool) -> Value | None:
    if call.receiver is None:
        return None
    target = writable_module(interpreter, call.receiver)
    parts = trees.all_modules(target, interpreter.heap.resolve)
    if any(static_lookup(type(part), "train") is not vars(trees.module_class())["train"] for part in parts):
        raise Abandon("a train method of the notebook")
    for part in parts:
        object.__getattribute__(writable_module(interpreter, part), "__dict__")["training"] = flag
    return exact(target)


def _train(interpreter: Any, call: Any) -> Value | None:
    mode = call.argument(0, "mode", exact(True))
    if not mode.exact or not isinstance(mode.obj, bool) or not call.complete:
        return None
    return _mode(interpreter, call, mode.obj)


def _eval(interpreter: Any, call: Any) -> Value | None:
    return _mode(interpreter, call, False) if call.complete and not call.args else None


def _to(interpreter: Any, call: Any) -> Value | None:
    """``model.to(...)``: nothing where it stays on the CPU with its dtype; an accelerator is not followed."""
    if call.receiver is None or not call.exact:
        return None
    torch = lazy.torch_module()
    dtype = None
    for value in [*call.args, *call.kwargs.values()]:
        obj = value.obj
        if isinstance(obj, torch.dtype):
            dtype = obj
        elif isinstance(obj, (str, torch.device)):
            if interpreter.quiet_call(call.event, lambda obj=obj: torch.device(obj)).type != "cpu":
                if torch.device(obj).type == "cuda" and len(call.args) + len(call.kwargs) == 1:
                    return cuda_missing(interpreter, call)
                raise Abandon("a model moves to an accelerator")
        elif obj is not None and not isinstance(obj, bool):
            raise Abandon("a move that is not known")
    if any(
        t.device.type != "cpu"
        for part in trees.all_modules(call.receiver, interpreter.heap.resolve)
        for t in trees.tensors_of(part)
    ):
        raise Abandon("a model on an accelerator")
    return _cast(interpreter, call, dtype)


def _cast(interpreter: Any, call: Any, dtype: Any) -> Value:
    if dtype is None:
        return exact(interpreter.heap.resolve(call.receiver))
    target = writable_module(interpreter, call.receiver)
    torch = lazy.torch_module()
    for part in trees.all_modules(target, interpreter.heap.resolve):
        table = object.__getattribute__(writable_module(interpreter, part), "__dict__")
        for group in ("_parameters", "_buffers"):
            for name, tensor in list(table[group].items()):
                if tensor is not None and tensor.is_floating_point() and tensor.dtype != dtype:
                    made = lazy.storage(tuple(tensor.shape), dtype, lazy.memory_order(tensor))
                    table[group][name] = (
                        torch.nn.Parameter(made, tensor.requires_grad) if group == "_parameters" else made
                    )
    return own_module(interpreter, target)


def _dtype(name: str) -> Any:
    return lambda interpreter, call: (
        _cast(interpreter, call, getattr(lazy.torch_module(), name))
        if call.receiver is not None and not call.args
        else None
    )


_STATE_HOOKS = (
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)


def _refuse_state_hooks(interpreter: Any, parts: list[Any]) -> None:
    tables = [vars(part)[name] for part in parts for name in _STATE_HOOKS if vars(part).get(name)]
    survey = interpreter.surveyor.look(tables)
    if survey.live or survey.own:
        raise Abandon("hooks of the notebook on a state dict")


def _state_dict(interpreter: Any, call: Any) -> Value | None:
    if call.receiver is None or not call.exact:
        return None
    _refuse_state_hooks(interpreter, trees.all_modules(call.receiver, interpreter.heap.resolve))
    made = skeleton(interpreter, call.receiver, call.node)
    return follow(
        interpreter, call.event, made.state_dict, [v.obj for v in call.args], {k: v.obj for k, v in call.kwargs.items()}
    )


def _load_state_dict(interpreter: Any, call: Any) -> Value | None:
    """The keys and shapes of a state dict against the module's, by the library's own code."""
    if call.receiver is None or not call.args and not call.kwargs:
        return None
    heap = interpreter.heap
    module = heap.resolve(call.receiver)
    base = vars(trees.module_class())
    parts = trees.all_modules(module, heap.resolve)
    _refuse_state_hooks(interpreter, parts)
    for part in parts:
        if is_library_type(type(part)):
            continue
        if any(
            static_lookup(type(part), name) is not base[name]
            for name in ("_load_from_state_dict", "load_state_dict")
            if name in base
        ):
            raise Abandon("a state dict that is loaded in a way of its own")
    if any(v.unknown for v in [*call.args, *call.kwargs.values()]):
        for part in parts:
            for tensor in trees.tensors_of(part):
                stale(interpreter, tensor)
        interpreter.lose(call.node, "a state dict that is not known")
        return unknown()
    top = trees.copy_tree(module, heap.resolve)[id(module)][1]
    args = [_state(interpreter, v) for v in call.args]
    kwargs = {name: _state(interpreter, v) for name, v in call.kwargs.items()}
    made = follow(interpreter, call.event, top.load_state_dict, args, kwargs)
    for part in parts:
        for tensor in trees.tensors_of(part):
            stale(interpreter, tensor)
    return made


def _state(interpreter: Any, value: Value) -> Any:
    """A state dict as it is: an ordered dict of tensors, its metadata included."""
    if value.exact and isinstance(value.obj, dict) and is_library_type(type(value.obj)):
        obj = interpreter.heap.resolve(value.obj)
        for part in obj.values():
            checked(interpreter, part)
        made = type(obj)(obj)
        metadata = getattr(obj, "_metadata", None)
        if metadata is not None:
            made._metadata = metadata
        return made
    return lower(interpreter, value)


def register(interpreter: Any, call: Any) -> Value | None:
    if call.receiver is None or not call.complete:
        return None
    target = writable_module(interpreter, call.receiver)
    function = call.func.__func__
    args = [lower(interpreter, v) for v in call.args]
    kwargs = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    interpreter.quiet_call(call.event, lambda: function(target, *args, **kwargs))
    own_module(interpreter, target)
    return exact(None) if function.__name__ not in ("append", "extend", "insert") else exact(target)


def _apply(interpreter: Any, call: Any) -> Value | None:
    if call.receiver is None or len(call.args) != 1:
        return None
    heap = interpreter.heap
    for part in reversed(trees.all_modules(call.receiver, heap.resolve)):
        interpreter.call_value(call.args[0], [exact(heap.resolve(part))], {}, call.node)
    return exact(heap.resolve(call.receiver))


def _zero_grad(interpreter: Any, call: Any) -> Value | None:
    without_gradients(interpreter)
    return exact(None) if call.receiver is not None else None


def _requires_grad(interpreter: Any, call: Any) -> Value | None:
    raise Abandon("parameters that are frozen or thawed")


METHODS: dict[str, Any] = {
    **{
        name: _walk(name)
        for name in (
            "parameters",
            "named_parameters",
            "buffers",
            "named_buffers",
            "children",
            "named_children",
            "modules",
            "named_modules",
        )
    },
    "train": _train,
    "eval": _eval,
    "to": _to,
    "cpu": lambda interpreter, call: (
        exact(interpreter.heap.resolve(call.receiver)) if call.receiver is not None else None
    ),
    "float": _dtype("float32"),
    "double": _dtype("float64"),
    "half": _dtype("float16"),
    "bfloat16": _dtype("bfloat16"),
    "state_dict": _state_dict,
    "load_state_dict": _load_state_dict,
    "zero_grad": _zero_grad,
    "requires_grad_": _requires_grad,
    "apply": _apply,
    **dict.fromkeys(("register_buffer", "register_parameter", "add_module", "register_module"), register),
}
