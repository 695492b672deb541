"""Models: ``nn.Module``: construction, calls, attributes, modes, state."""

from __future__ import annotations

import types
from typing import Any

from ...attributes import static_lookup
from ...purity.libraries import is_library_type
from ...streams import Stream
from ...values import Abandon, Raised, Value, exact, partial, unknown
from . import lazy, trees
from .state import checked, follow, lower, stale, state_of, wrap


def own_module(interpreter: Any, module: Any) -> Value:
    """Register a module that we made, with all modules below; its parameters are stand-ins."""
    from .domain import TENSORS

    heap = interpreter.heap
    for part in trees.all_modules(module, heap.resolve):
        if not heap.made(part) and part is not module:
            continue
        heap.own(part)
    for part in trees.all_modules(module, heap.resolve):
        for tensor in trees.tensors_of(part):
            if heap.made(part) and id(tensor) not in heap.standins:
                heap.standins[id(tensor)] = partial(tensor, TENSORS)
    return exact(module)


def writable_module(interpreter: Any, module: Any) -> Any:
    """The module to write to in place of ``module``: an owned copy of the whole tree, seen by every later read."""
    heap = interpreter.heap
    obj = heap.resolve(module)
    if heap.is_dirty(obj):
        raise Abandon("a module that may have been changed")
    if heap.owns(obj):
        return obj
    found = trees.copy_tree(obj, heap.resolve, lambda part: part if heap.owns(part) else None)
    top = heap.layers[-1]
    for original, made in found.values():
        if made is original:
            continue
        top.overlay[id(original)] = made
        top.originals[id(original)] = original
        top.owned[id(made)] = made
    return found[id(obj)][1]


# --- calls -------------------------------------------------------------------------------------------


def call_module(interpreter: Any, call: Any) -> Value | None:
    """``module(...)``: the notebook's ``forward`` is interpreted, the library's is run on shapes."""
    module = interpreter.heap.resolve(call.func)
    if not trees.is_module(module):
        return None
    if interpreter.heap.is_dirty(module):
        return _unfollowed(interpreter, call, module, "a module that may have been changed")
    try:
        trees.check_followable(module)
        return _call(interpreter, call, module)
    except Abandon as reason:
        return _unfollowed(interpreter, call, module, str(reason))


def _call(interpreter: Any, call: Any, module: Any) -> Value:
    forward, own = trees.forward_of(module)
    if not own:
        if not interpreter.is_interpretable(forward):
            raise Abandon("a forward that is not followed")
        return interpreter.call_value(
            exact(forward), [exact(module), *call.args], call.kwargs, call.node, call.complete
        )
    if not call.complete:
        raise Abandon("a starred argument that is not known")
    kind = type(module)
    if kind.__module__.startswith("torchvision.transforms"):
        from .vision import image_call

        made = image_call(interpreter, call)
        if made is not None:
            return made
    if (
        kind.__module__ == "torch.nn.modules.container"
        and kind.__name__ == "Sequential"
        and len(call.args) == 1
        and not call.kwargs
    ):
        value = call.args[0]
        for part in module._modules.values():
            value = interpreter.call_value(exact(interpreter.heap.resolve(part)), [value], {}, call.node)
        return value
    if kind.__name__ == "DataParallel" and not module.device_ids:
        return interpreter.call_value(exact(interpreter.heap.resolve(module.module)), call.args, call.kwargs, call.node)
    args = [lower(interpreter, v) for v in call.args]
    kwargs = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    made = skeleton(interpreter, module, call.node)
    if not _another_way(interpreter, made):
        return follow(interpreter, call.event, made, args, kwargs)
    try:
        return follow(interpreter, call.event, made, args, kwargs)
    except Raised:
        raise Abandon("a failure that has other words on the fast path") from None


def _another_way(interpreter: Any, module: Any) -> bool:
    """Whether attention layers in it will take their fast path (evaluation without autograd), which is not the one followed here."""
    names = ("MultiheadAttention", "TransformerEncoderLayer", "TransformerEncoder")
    parts = [part for part in trees.all_modules(module, lambda part: part) if type(part).__name__ in names]
    return any(not part.training for part in parts)


def _unfollowed(interpreter: Any, call: Any, module: Any, why: str) -> Value:
    """The result is unknown. A library's module leaves its arguments alone; it may update its buffers."""
    interpreter.lose(call.node, why)
    try:
        parts = trees.all_modules(module, interpreter.heap.resolve)
    except Abandon:
        return interpreter.havoc([exact(module), *call.args, *call.kwargs.values()], call.node, why)
    if any(trees.is_users(part) for part in parts) or any(
        getattr(part, "_forward_hooks", None) or getattr(part, "_forward_pre_hooks", None) for part in parts
    ):
        return interpreter.havoc([exact(module), *call.args, *call.kwargs.values()], call.node, why)
    for part in parts:
        for tensor in trees.tensors_of(part):
            if tensor.requires_grad:
                state_of(interpreter).used[id(tensor)] = tensor
            elif part.training:
                stale(interpreter, tensor)
    interpreter.world.random = False
    reach = tuple(v.obj for v in call.args if v.exact)
    return unknown(_result_type(module), reach[:16])


def _result_type(module: Any) -> Any:
    """The class of what a layer certainly returns for any tensor it takes."""
    kind = type(module)
    homes = (
        "linear",
        "conv",
        "activation",
        "loss",
        "batchnorm",
        "normalization",
        "dropout",
        "pooling",
        "sparse",
        "flatten",
        "padding",
        "upsampling",
    )
    module_name = kind.__module__.rpartition(".")
    if (
        module_name[0] != "torch.nn.modules"
        or module_name[2] not in homes
        or kind.__name__ in ("MultiheadAttention", "AdaptiveLogSoftmaxWithLoss")
    ):
        return None
    return lazy.torch_module().Tensor if not getattr(module, "return_indices", False) else None


def skeleton(interpreter: Any, module: Any, node: Any) -> Any:
    """A copy of a library's module to run: writes to its attributes are lost, modules of the notebook inside are interpreted."""
    heap = interpreter.heap

    def child(part: Any) -> Any:
        if heap.is_dirty(part):
            raise Abandon("a module that may have been changed")
        trees.check_followable(part)
        if (
            trees.is_users(part)
            or not trees.forward_of(part)[1]
            and type(part).__name__ not in ("ModuleList", "ModuleDict")
        ):
            return _shim(interpreter, part, node)
        return None

    found = trees.copy_tree(module, heap.resolve, child)
    for original, _ in found.values():
        for tensor in trees.tensors_of(original):
            checked(interpreter, tensor)
    return found[id(heap.resolve(module))][1]


def _shim(interpreter: Any, part: Any, node: Any) -> Any:
    base = trees.module_class()

    class Interpreted(base):  # type: ignore[valid-type,misc]
        """Stands for a module of the notebook inside a library's."""

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            values = [wrap(interpreter, arg) if lazy.is_tensor(arg) else exact(arg) for arg in args]
            named = {key: wrap(interpreter, arg) if lazy.is_tensor(arg) else exact(arg) for key, arg in kwargs.items()}
            return lower(interpreter, interpreter.call_value(exact(part), values, named, node))

    made = Interpreted()
    made.training = part.training
    return made


# --- construction ------------------------------------------------------------------------------------


def construct_library(interpreter: Any, call: Any) -> Value | None:
    """A layer or container of the library, made for real with parameters that are never filled."""
    if not call.complete:
        return None
    args = [lower(interpreter, _listed(interpreter, v, call.node)) for v in call.args]
    kwargs = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    made = follow(interpreter, call.event, call.func, args, kwargs)
    module = made.obj
    if not trees.is_module(module):
        return None
    for part in trees.all_modules(module, interpreter.heap.resolve):
        if part is module or not _given(part, args, kwargs):
            interpreter.heap.own(part)
    return own_module(interpreter, module)


def _given(part: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a module below the new one was handed in (or lies below one that was)."""
    from ...heap import parts as held

    seen: set[int] = set()
    queue = [*args, *kwargs.values()]
    while queue and len(seen) < 5_000:
        obj = queue.pop()
        if id(obj) in seen or isinstance(obj, (int, str, float)):
            continue
        seen.add(id(obj))
        if obj is part:
            return True
        if isinstance(obj, (list, tuple, dict)) or trees.is_module(obj):
            queue.extend(held(obj) or ())
    return False


def _listed(interpreter: Any, value: Value, node: Any) -> Value:
    """A generator given to a container, as a list."""
    if value.exact and isinstance(value.obj, Stream):
        items = interpreter.unpack_all(value, node)
        if items is None:
            raise Abandon("layers that are not known")
        return interpreter.heap.own([interpreter.heap.lower(item) for item in items])
    return value


def initialise(interpreter: Any, call: Any) -> Value | None:
    """``super().__init__(...)`` of a class of the notebook: the library's own constructor on the new object."""
    receiver = call.receiver
    args = list(call.args)
    if receiver is None:
        if not args or not args[0].exact:
            return None
        receiver = args.pop(0).obj
    target = interpreter.heap.resolve(receiver)
    if not trees.is_module(target) or not interpreter.heap.made(target) or not call.complete:
        raise Abandon("a module that is initialised again")
    function = call.func.__func__ if isinstance(call.func, types.MethodType) else call.func
    lowered = [lower(interpreter, _listed(interpreter, v, call.node)) for v in args]
    named = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    follow(interpreter, call.event, function, [target, *lowered], named)
    for part in trees.all_modules(target, interpreter.heap.resolve):
        if part is target or not _given(part, lowered, named):
            interpreter.heap.own(part)
    own_module(interpreter, target)
    return exact(None)


def construct_users(interpreter: Any, cls: type, call: Any) -> Value | None:
    """An instance of a class of the notebook that derives from ``nn.Module``: its ``__init__`` is interpreted."""
    if cls.__new__ is not object.__new__:
        raise Abandon("a module class with a constructor of its own")
    if not call.complete:
        raise Abandon("a starred argument that is not known")
    value = interpreter.heap.own(object.__new__(cls))
    interpreter.initialise(cls, static_lookup(cls, "__init__"), value, call)
    return value


def store(interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
    """``module.name = value`` by the library's own rules, on an owned copy."""
    if static_lookup(type(obj), "__setattr__") is not vars(trees.module_class())["__setattr__"]:
        return False
    found = static_lookup(type(obj), name)
    if isinstance(found, property):
        return False
    if value.kind == "partial" and not lazy.is_tensor(value.obj):
        return False
    target = writable_module(interpreter, obj)
    table = object.__getattribute__(target, "__dict__")
    held = interpreter.heap.lower(value)
    if value.unknown:
        if any(name in (table.get(part) or ()) for part in ("_parameters", "_modules", "_buffers")):
            interpreter.heap.soil([target], link=False)
            return True
        table[name] = held
        return True
    if trees.is_module(held):
        held = interpreter.heap.resolve(held)
    setter = vars(trees.module_class())["__setattr__"]
    interpreter.quiet_call(event, lambda: setter(target, name, held))
    return True


# --- methods -----------------------------------------------------------------------------------------


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
            if torch.device(obj).type != "cpu":
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


def _state_dict(interpreter: Any, call: Any) -> Value | None:
    if call.receiver is None or not call.exact:
        return None
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


def _register(interpreter: Any, call: Any) -> Value | None:
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


def _nothing(interpreter: Any, call: Any) -> Value | None:
    return exact(None) if call.receiver is not None else None


def _requires_grad(interpreter: Any, call: Any) -> Value | None:
    raise Abandon("parameters that are frozen or thawed")


_NN = "torch.nn.modules.module.Module."
_METHODS: dict[str, Any] = {
    "__call__": call_module,
    "_wrapped_call_impl": call_module,
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
    "zero_grad": _nothing,
    "requires_grad_": _requires_grad,
    "apply": _apply,
    **dict.fromkeys(("register_buffer", "register_parameter", "add_module", "register_module"), _register),
}


def nn_call(interpreter: Any, call: Any) -> Value | None:
    """Anything else under ``torch.nn.modules``: constructors, and methods of layers that are the library's own."""
    func = call.func
    if trees.is_module_class(func):
        return construct_library(interpreter, call)
    name = call.key.rpartition(".")[2]
    if name == "__init__":
        return initialise(interpreter, call)
    receiver = call.receiver
    if receiver is not None and trees.is_module(receiver):
        if name == "forward":
            module = interpreter.heap.resolve(receiver)
            trees.check_followable(module)
            return follow(
                interpreter,
                call.event,
                skeleton(interpreter, module, call.node).forward,
                [lower(interpreter, v) for v in call.args],
                {k: lower(interpreter, v) for k, v in call.kwargs.items()},
            )
        if name in ("append", "extend", "insert"):
            return _register(interpreter, call)
        if name in ("items", "values", "keys", "__len__", "__iter__") and call.key.startswith(
            "torch.nn.modules.container."
        ):
            module = interpreter.heap.resolve(receiver)
            parts = [interpreter.heap.resolve(p) for p in module._modules.values()]
            listed = {
                "items": list(zip(module._modules, parts)),
                "values": parts,
                "keys": list(module._modules),
                "__iter__": parts,
            }.get(name)
            return (
                exact(len(parts))
                if listed is None
                else exact(Stream("iterator", lambda: iter([exact(p) for p in listed])))
            )
    return None


MODULE_MODELS: dict[str, Any] = {
    **{_NN + name: handler for name, handler in _METHODS.items()},
    "torch.nn.modules.*": nn_call,
}

__all__ = ["MODULE_MODELS", "Raised", "call_module", "construct_users", "own_module", "store", "writable_module"]
