"""Models: schedulers of the learning rate: made and stepped for real beside an optimizer that stands for the cell's."""

from __future__ import annotations

import types
from typing import Any

from ...attributes import static_lookup
from ...binding import binding_error
from ...callbacks import interpreted
from ...purity.libraries import is_genuine, is_library_type
from ...values import Hole, Value, exact, partial, unknown
from ..base import Domain
from . import lazy
from .training import OptimizerFacts


class SchedulerFacts:
    """A scheduler that the cell makes. ``real``: one like it, as long as all its steps are known; ``groups``: its learning rates."""

    def __init__(self, real: Any, groups: int | None) -> None:
        self.real = real
        self.groups = groups


class _Schedulers(Domain):
    """Schedulers change nothing but learning rates."""

    name = "scheduler"

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        from ...calls import PartialMethod

        if callable(getattr(owner.type, name, None)):
            return exact(PartialMethod(owner, name))
        interpreter.lose(event.node, "a scheduler's state")
        return unknown()

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        _check_arguments(interpreter, event, owner.type, name, args, kwargs)
        facts = owner.obj
        if name == "step":
            self._step(interpreter, event, facts, args, kwargs)
        interpreter.lose(event.node, "a learning rate")
        if name == "get_last_lr" and facts.groups is not None:
            return interpreter.heap.own([Hole(unknown(float)) for _ in range(facts.groups)])
        return exact(None) if name == "step" else unknown()

    @staticmethod
    def _step(interpreter: Any, event: Any, facts: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
        """A step that certainly comes next; after one that may come or not, nothing is known of how many there were."""
        if facts.real is None:
            return
        certain = not interpreter.uncertain and len(interpreter.heap.layers) == 1
        if not certain or not all(
            v.exact and type(v.obj) in (int, float, type(None)) for v in [*args, *kwargs.values()]
        ):
            facts.real = None
            return
        real = facts.real
        interpreter.quiet_call(
            event, lambda: real.step(*[v.obj for v in args], **{key: v.obj for key, v in kwargs.items()})
        )


SCHEDULERS = _Schedulers()


def _check_arguments(
    interpreter: Any, event: Any, kind: Any, name: str, args: list[Value], kwargs: dict[str, Value]
) -> None:
    """Raise where a scheduler's method does not take these arguments (the one that watches a metric wants it)."""
    function = static_lookup(kind, name)
    if not isinstance(function, types.FunctionType) or not is_genuine(function) or not is_library_type(kind):
        return
    given = types.SimpleNamespace(complete=True, args=args, kwargs=kwargs)
    error = binding_error(types.MethodType(function, object()), given)
    if error is not None:
        raise interpreter.fail(error, event)


def _scheduler(interpreter: Any, call: Any) -> Value | None:
    receiver = call.receiver
    if isinstance(call.func, type):
        interpreter.lose(call.node, "a scheduler")
        error = binding_error(call.func, call) if call.complete else None
        if error is not None:
            raise interpreter.fail(error, call.event)
        return partial(_made(interpreter, call), SCHEDULERS, call.func)
    if receiver is not None and call.key.rpartition(".")[2] == "step":
        if call.complete:
            _check_arguments(interpreter, call.event, type(receiver), "step", call.args, call.kwargs)
        optimizer = getattr(receiver, "optimizer", None)
        top = interpreter.heap.layers[-1]
        for obj in [receiver, *(getattr(optimizer, "param_groups", None) or [])]:
            top.dirty[id(obj)] = obj
        interpreter.lose(call.node, "a learning rate")
        return exact(None)
    return None


def _made(interpreter: Any, call: Any) -> SchedulerFacts:
    """The scheduler made for real, on an optimizer that stands for the one given."""
    optimizer = call.argument(0, "optimizer")
    stand = _stand_for(interpreter, optimizer) if optimizer is not None and call.complete else None
    rest = {key: v for key, v in call.kwargs.items() if key != "optimizer"}
    values = [*call.args[1:], *rest.values()]
    if stand is None or not all(v.exact for v in values):
        return SchedulerFacts(None, None)
    survey = interpreter.surveyor.look([v.obj for v in values])
    if survey.opaque or survey.domains or "torch" in interpreter.world.unsettled:
        return SchedulerFacts(None, None)
    args = [interpreted(interpreter, v.obj) for v in call.args[1:]]
    named = {key: interpreted(interpreter, v.obj) for key, v in rest.items()}
    real = interpreter.quiet_call(call.event, lambda: call.func(stand, *args, **named))
    return SchedulerFacts(real, len(getattr(stand, "param_groups", ())))


def _stand_for(interpreter: Any, optimizer: Value) -> Any:
    """An optimizer with the same settings that a scheduler may change; what is given itself where it is none."""
    if optimizer.kind == "partial" and isinstance(optimizer.obj, OptimizerFacts):
        stand = optimizer.obj.stand if not optimizer.obj.written else None
    elif optimizer.exact and not interpreter.heap.is_dirty(optimizer.obj):
        stand = interpreter.heap.resolve(optimizer.obj)
    else:
        return None
    base = lazy.torch_module().optim.Optimizer
    if not isinstance(stand, base):
        return stand if is_library_type(type(stand)) else None
    groups = getattr(stand, "param_groups", None)
    if not is_library_type(type(stand)) or type(groups) is not list or any(map(interpreter.heap.is_dirty, groups)):
        return None
    made = object.__new__(type(stand))
    vars(made).update({key: value for key, value in vars(stand).items() if key != "step"})
    made.param_groups = [dict(group) for group in groups]
    return made


SCHEDULER_MODELS: dict[str, Any] = {
    "torch.optim.lr_scheduler.*": _scheduler,
    "torch.optim.swa_utils.SWALR": _scheduler,
}
