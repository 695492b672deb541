"""Models: ``nn.Module``: calls of layers, containers and modules of the notebook."""

from __future__ import annotations

import types
from typing import Any

from ...streams import Stream
from ...values import Abandon, Raised, Value, exact, unknown
from . import lazy, trees
from .construction import construct_library, initialise
from .methods import METHODS, register
from .skeletons import skeleton
from .state import follow, lower, stale, state_of


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


_NN = "torch.nn.modules.module.Module."


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
            made = skeleton(interpreter, module, call.node)
            return follow(
                interpreter,
                call.event,
                types.MethodType(func.__func__, made),  # a class of the notebook may have a forward of its own
                [lower(interpreter, v) for v in call.args],
                {k: lower(interpreter, v) for k, v in call.kwargs.items()},
            )
        if name in ("append", "extend", "insert"):
            return register(interpreter, call)
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
    _NN + "__call__": call_module,
    _NN + "_wrapped_call_impl": call_module,
    **{_NN + name: handler for name, handler in METHODS.items()},
    "torch.nn.modules.*": nn_call,
}
