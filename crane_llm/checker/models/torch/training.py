"""Models: optimizers and schedulers: what they need and what they change."""

from __future__ import annotations

import inspect
from typing import Any

from ...binding import binding_error
from ...streams import Stream
from ...values import ATOMS, Abandon, Value, exact, partial, unknown
from ..base import Domain
from . import lazy
from .autograd import after_backward, without_gradients
from .state import stale


class OptimizerFacts:
    """An optimizer that the cell makes: its class and the tensors it will change."""

    def __init__(self, cls: type, tensors: list[Any]) -> None:
        self.cls = cls
        self.tensors = tensors
        self.stand: Any = None  # one like it, with small parameters, where its settings are known
        self.written: set[str] = set()  # attributes that the cell has set


class _Optimizers(Domain):
    name = "optimizer"

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        from ...calls import PartialMethod

        if name in ("param_groups", "state", "defaults"):
            return unknown(list if name == "param_groups" else dict)
        if name in owner.obj.written:
            return unknown(reach=(interpreter.namespace,))
        if not hasattr(owner.obj.cls, name):
            facts = owner.obj
            bare = object.__new__(facts.cls)
            interpreter.attempt(event, lambda: object.__getattribute__(bare, name))
        return exact(PartialMethod(owner, name))

    def store_attribute(self, interpreter: Any, event: Any, owner: Value, name: str, value: Value) -> bool:
        owner.obj.written.add(name)
        return False

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if name == "step":
            return _stepped(interpreter, event, owner.obj.tensors, args, kwargs)
        if name == "zero_grad":
            without_gradients(interpreter)
            return exact(None)
        interpreter.lose(event.node, f"the optimizer's {name}")
        return unknown() if name in ("state_dict", "load_state_dict", "add_param_group") else None


OPTIMIZERS = _Optimizers()


def _stepped(interpreter: Any, event: Any, tensors: list[Any], args: list[Value], kwargs: dict[str, Value]) -> Value:
    closure = args[0] if args else kwargs.get("closure")
    result = exact(None)
    if closure is not None and not (closure.exact and closure.obj is None):
        result = interpreter.call_value(closure, [], {}, event.node)
    interpreter.lose(event.node, "the step of an optimizer")
    for tensor in tensors:
        stale(interpreter, tensor)
    return result


def step(interpreter: Any, call: Any) -> Value | None:
    """``optimizer.step()`` of a live optimizer: values of its parameters change, nothing else that the checker relies on."""
    name = call.key.rpartition(".")[2]
    receiver = call.receiver
    if receiver is None or isinstance(receiver, type) or not call.complete:
        return make(interpreter, call) if isinstance(call.func, type) else None
    groups = getattr(receiver, "param_groups", None)
    if type(groups) is not list or interpreter.heap.is_dirty(receiver):
        raise Abandon("an optimizer that may have been changed")
    if any(getattr(receiver, hooks, None) for hooks in ("_optimizer_step_pre_hooks", "_optimizer_step_post_hooks")):
        raise Abandon("an optimizer with hooks")
    if name == "zero_grad":
        without_gradients(interpreter)
        return exact(None)
    if name == "step":
        tensors = [tensor for group in groups for tensor in group["params"]]
        return _stepped(interpreter, call.event, tensors, call.args, call.kwargs)
    return None


def make(interpreter: Any, call: Any) -> Value | None:
    """``Adam(params, lr=…)``: its own checks on small parameters; nothing is allocated."""
    cls = call.func
    if not issubclass(cls, lazy.torch_module().optim.Optimizer):
        return None  # the module also holds what is wrapped around a model or an optimizer
    if not call.complete or not call.args and "params" not in call.kwargs:
        return None
    error = binding_error(cls, call)
    if error is not None:
        raise interpreter.fail(error, call.event)
    given = call.args[0] if call.args else call.kwargs["params"]
    if given.unknown:
        interpreter.lose(call.node, "parameters that are not known")
        return None
    stands: dict[int, tuple[Any, Any]] = {}
    stand = _stand(interpreter, given, call.node, stands)
    made = None
    rest = [*call.args[1:], *(v for k, v in call.kwargs.items() if k != "params")]
    if all(v.exact for v in rest) and not interpreter.surveyor.look([v.obj for v in rest]).opaque:
        named = {k: v.obj for k, v in call.kwargs.items() if k != "params"}
        made = _construct(interpreter, call, cls, stand, [v.obj for v in call.args[1:]], named)
    facts = OptimizerFacts(cls, [tensor for tensor, _ in stands.values()])
    facts.stand = made
    return partial(facts, OPTIMIZERS, cls)


def _stand(interpreter: Any, given: Value, node: Any, stands: dict[int, tuple[Any, Any]]) -> Any:
    """Small parameters of the same kinds in the place of those given; ``stands`` pairs each tensor with its one stand-in."""
    if lazy.is_tensor(given.obj):
        return lazy.storage((1,), lazy.torch_module().float32)
    items = interpreter.unpack_all(given, node) if not (given.exact and isinstance(given.obj, dict)) else None
    if items is None:
        raise Abandon("parameters that are not known")
    out: list[Any] = []
    for item in items:
        obj = interpreter.heap.resolve(item.obj) if not item.unknown else None
        if isinstance(obj, dict):
            group = dict(obj)
            inner = interpreter.heap.wrap(group.get("params"))
            group["params"] = (
                [_small(inner.obj, stands)] if lazy.is_tensor(inner.obj) else _stand(interpreter, inner, node, stands)
            )
            out.append(group)
        elif lazy.is_tensor(obj):
            out.append(_small(obj, stands))
        elif isinstance(obj, tuple) and len(obj) == 2 and lazy.is_tensor(obj[1]):
            out.append((obj[0], _small(obj[1], stands)))  # named parameters go in as pairs
        elif item.exact and type(obj) in ATOMS:
            out.append(obj)
        else:
            raise Abandon("parameters of another kind")
    return out


def _small(tensor: Any, stands: dict[int, tuple[Any, Any]]) -> Any:
    if id(tensor) in stands:
        return stands[id(tensor)][1]
    stand = lazy.storage((1,) * tensor.dim(), tensor.dtype)  # some optimizers take matrices alone
    if tensor.requires_grad:
        stand = stand.requires_grad_() if tensor.is_leaf else lazy.mark(stand)
    stands[id(tensor)] = (tensor, stand)
    return stand


def _construct(interpreter: Any, call: Any, cls: type, stand: Any, args: list[Any], named: dict[str, Any]) -> Any:
    """Run the constructor, on a class of our own: it wraps ``step`` of the class that it is called on."""
    if "dtype" in str(named.get("fused")) or (named.get("fused") or named.get("capturable")):
        return None
    own = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
    add = inspect.unwrap(cls.add_param_group)  # type: ignore[attr-defined]  # its wrapper imports the compiler, which takes seconds
    made: Any = type(cls.__name__, (cls,), {**own, "add_param_group": add})
    return interpreter.quiet_call(call.event, lambda: made(stand, *args, **named))


def _clip(interpreter: Any, call: Any) -> Value:
    """``clip_grad_norm_`` and the like change gradients only."""
    error = binding_error(inspect.unwrap(call.func), call) if call.complete else None
    if error is not None:
        raise interpreter.fail(error, call.event)
    interpreter.lose(call.node, "gradients are not computed")
    for value in call.args[:1]:
        if value.exact and isinstance(value.obj, Stream):
            for _ in value.obj.take(interpreter):
                continue
    after_backward(interpreter)
    return unknown(lazy.torch_module().Tensor) if call.key.endswith("norm_") else exact(None)


TRAINING_MODELS: dict[str, Any] = {
    "torch.nn.utils.clip_grad.clip_grad_norm_": _clip,
    "torch.nn.utils.clip_grad.clip_grad_value_": _clip,
    "torch.optim.*": step,
}

__all__ = ["TRAINING_MODELS"]
