"""What the walk knows of PyTorch beyond single values: grad mode, tensors whose values changed, modules' modes."""

from __future__ import annotations

from typing import Any

from ...managers import walked_grad_mode
from ...values import Abandon, Raised, Value, exact, partial
from . import lazy, trees
from .contents import Contents
from .engine import Engine
from .graph import Graph


class TorchState:
    """One per check, kept with the interpreter."""

    def __init__(self) -> None:
        self.used: dict[int, Any] = {}  # tensors that require grad and took part in what the cell computed
        self.kept: list[Any] = []
        self.modes: list[Any] = []  # ``set_grad_enabled`` calls of the cell, in order
        self.named: dict[tuple[int, str], Value] = {}  # attributes of their own that stand-ins were given
        self.graph = Graph()
        self.contents = Contents()
        self.gradients: dict[int, Any] = {}  # leaves that certainly have a gradient
        self.given: dict[int, Any] = {}  # tensors whose gradient was asked for, or set
        self.freed: dict[int, Any] = {}  # live tensors whose own graph a backward of the cell has used up


def state_of(interpreter: Any) -> TorchState:
    """The state of this check."""
    found = getattr(interpreter, "torch_state", None)
    if found is None:
        found = interpreter.torch_state = TorchState()
    return found


def grad_enabled(interpreter: Any) -> bool:
    """Whether autograd records at this point of the walk."""
    for manager in interpreter.managers:
        if "autocast" in getattr(manager.known_type, "__name__", ""):
            raise Abandon("automatic mixed precision")
    mode = walked_grad_mode(interpreter)
    return bool(lazy.torch_module().is_grad_enabled()) if mode is None else mode


def follow(interpreter: Any, event: Any, func: Any, args: list[Any], kwargs: dict[str, Any]) -> Value:
    """Run PyTorch's code on shapes. Raises what it certainly raises, Abandon where it is not followed."""
    torch = lazy.torch_module()
    if "torch" in interpreter.world.unsettled or torch.is_autocast_enabled() or _other_modes(torch):
        raise Abandon("torch's settings are not known")
    engine = Engine(interpreter.heap.standins, state_of(interpreter).graph, state_of(interpreter).contents)
    if not interpreter.budget.affords(0.02):
        raise Abandon("no time left to follow")
    with engine.running(grad_enabled(interpreter)):
        try:
            made = interpreter.quiet_call(event, lambda: func(*args, **kwargs))
        except Raised as raised:
            raised.event.mechanism = "torch code followed on shapes"
            raise
    state = state_of(interpreter)
    state.used.update(engine.used)
    if engine.unranged:
        interpreter.lose(event.node, "an index or target whose numbers are not known: one out of range would raise")
    if engine.drew:
        interpreter.world.random = False
    for tensor in engine.written:
        stale(interpreter, tensor)
    return wrap(interpreter, made)


def _other_modes(torch: Any) -> bool:
    """Whether the person has a function or dispatch mode of their own in force."""
    try:
        return bool(torch._C._len_torch_function_stack()) or bool(torch._C._len_torch_dispatch_stack())
    except AttributeError:
        return True


def wrap(interpreter: Any, made: Any, depth: int = 0) -> Value:
    """The value of what PyTorch's code returned while it was followed: tensors in it are stand-ins."""
    from .domain import TENSORS

    if lazy.is_tensor(made):
        value = partial(made, TENSORS)
        interpreter.heap.standins[id(made)] = value
        return value
    if isinstance(made, (tuple, list, dict)) and depth < 4:
        for part in made.values() if isinstance(made, dict) else made:
            wrap(interpreter, part, depth + 1)
        return interpreter.heap.own(made) if type(made) in (list, dict) else exact(made)
    attributes = getattr(made, "__dict__", None)
    if isinstance(attributes, dict) and depth < 2:
        for part in attributes.values():
            wrap(interpreter, part, depth + 1)
    state_of(interpreter).kept.append(made)
    return exact(made)


def stale(interpreter: Any, tensor: Any) -> None:
    """The values of a tensor are other ones from now on; shape, stride and dtype stay. What shares its memory is unknown."""
    from .domain import TENSORS

    if id(tensor) in interpreter.heap.standins:
        return
    interpreter.heap.touch_memory(tensor)
    interpreter.heap.standins[id(tensor)] = partial(tensor, TENSORS)
    state_of(interpreter).kept.append(tensor)


def drop(interpreter: Any, tensor: Any) -> None:
    """Nothing is known of a tensor any more, not even its shape."""
    interpreter.heap.standins.pop(id(tensor), None)
    interpreter.heap.touch_memory(tensor)
    interpreter.heap.soil([tensor], link=False)


def lower(interpreter: Any, value: Value, depth: int = 0) -> Any:
    """The object that PyTorch's code is given for ``value``; raises Abandon where parts of it are unknown."""
    if value.unknown:
        raise Abandon("an unknown argument")
    obj = value.obj if value.kind == "partial" else interpreter.heap.resolve(value.obj)
    return checked(interpreter, obj, depth)


def checked(interpreter: Any, obj: Any, depth: int = 0) -> Any:
    """``obj`` where every part of it is known or a stand-in of a tensor."""
    heap = interpreter.heap
    found = heap.standins.get(id(obj)) if heap.standins else None
    if lazy.is_tensor(obj):
        if found is not None and found.obj is obj:
            if not obj.is_floating_point() and not _ours(interpreter, obj):
                return lazy.twin(obj)  # its values may have changed since
            return obj
        if heap.is_dirty(obj):
            raise Abandon("a tensor that may have been replaced")
        return obj
    if found is not None and found.obj is obj:
        raise Abandon("a stand-in of another library")
    kind = type(obj)
    if kind in (list, tuple) and depth < 4:
        obj = heap.resolve(obj)
        if heap.is_dirty(obj):
            raise Abandon("a list that may have changed")
        if len(obj) > 2_000:
            if {type(part) for part in obj} <= {int, float, bool, str}:
                return obj
            raise Abandon("too many arguments")
        parts = [checked(interpreter, heap.lower(heap.wrap(part)), depth + 1) for part in obj]
        return kind(parts)
    if kind is dict and depth < 4:
        return {
            key: checked(interpreter, heap.lower(heap.wrap(part)), depth + 1) for key, part in heap.resolve(obj).items()
        }
    if trees.is_module(obj):
        obj = heap.resolve(obj)
        if any(heap.is_dirty(part) for part in trees.all_modules(obj, heap.resolve)):
            raise Abandon("a module that may have been changed")
        return obj
    survey = interpreter.surveyor.look([obj])
    if survey.opaque or survey.callbacks or survey.domains:
        raise Abandon(survey.why or "an argument that is not known in full")
    return obj


def _ours(interpreter: Any, tensor: Any) -> bool:
    return not any(tensor is kept for kept in state_of(interpreter).kept)
