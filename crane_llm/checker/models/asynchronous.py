"""Models: what ``asyncio`` does with coroutines of the notebook."""

from __future__ import annotations

import sys
from typing import Any

from ..streams import Awaitable
from ..values import Abandon, Value, exact


def _coroutine(value: Value) -> Awaitable:
    if not value.exact or not isinstance(value.obj, Awaitable):
        raise Abandon("an awaitable that is not followed")
    return value.obj


def _sleep(interp: Any, call: Any) -> Value | None:
    delay, result = call.argument(0, "delay"), call.argument(1, "result", exact(None))
    if not call.complete or delay is None or set(call.kwargs) - {"delay", "result"} or len(call.args) > 2:
        return None
    if not delay.exact or type(delay.obj) not in (int, float):
        return None

    def run() -> Value:
        interp.enter_loop()
        return result  # type: ignore[no-any-return]

    return exact(Awaitable("coroutine", run, ()))


def _gather(interp: Any, call: Any) -> Value | None:
    if not call.complete or call.kwargs or not call.args:
        return None
    parts = [_coroutine(value) for value in call.args]
    for part in parts:
        if part.kind == "coroutine":
            interp.schedule(part)

    def run() -> Value:
        found = interp.run_together(parts, call.event)
        return interp.heap.own([interp.heap.lower(value) for value in found])  # type: ignore[no-any-return]

    return exact(Awaitable("future", run, tuple(parts)))


def _task(interp: Any, call: Any) -> Value | None:
    if not call.complete or len(call.args) != 1 or set(call.kwargs) - {"name"}:
        return None
    inner = _coroutine(call.args[0])
    if inner.kind != "coroutine":
        return call.args[0]  # type: ignore[no-any-return]

    def run() -> Value:
        waiting = [other for other in interp.tasks if other is not made]
        found = interp.run_together([made_inner, *waiting], call.event)
        return found[0]  # type: ignore[no-any-return]

    made_inner = Awaitable("coroutine", lambda: interp.finish(inner, call.event), (inner,))
    made = Awaitable("task", run, (inner,))
    return exact(interp.schedule(made))


def _run(interp: Any, call: Any) -> Value | None:
    """``asyncio.run``: in a kernel whose event loop is running, it refuses at once."""
    events: Any = sys.modules.get("asyncio.events")
    if not call.complete or len(call.args) != 1 or call.kwargs or events is None or not interp.world.environment:
        return None
    if events._get_running_loop() is not None:
        interp.attempt(call.event, lambda: call.func(None))
        return None
    if interp.awaits_at_top:
        return None  # the loop will be running by then
    return interp.finish(_coroutine(call.args[0]), call.event)  # type: ignore[no-any-return]


MODELS: dict[str, Any] = {
    "asyncio.tasks.sleep": _sleep,
    "asyncio.tasks.gather": _gather,
    "asyncio.tasks.create_task": _task,
    "asyncio.tasks.ensure_future": _task,
    "asyncio.runners.run": _run,
}
