"""Coroutines of the notebook: ``await``, ``async for``, asynchronous generators and managers.

Awaiting a coroutine runs it to its end there and then, as the event loop does when nothing else waits to run. Where the loop is
really entered (``asyncio.sleep``), other tasks may run: then only what no such task can change is still known.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from typing import Any

from .control import Exit
from .events import Event
from .generators import Generator
from .machine import Machine
from .purity.libraries import is_library_type, is_user_function
from .streams import Awaitable
from .values import ATOMS, Abandon, Raised, Value, exact, unknown

_QUIET = frozenset(
    "ipykernel IPython asyncio tornado zmq jupyter_client comm anyio concurrent selectors nest_asyncio".split()
)


class Coroutines(Machine):
    """Mixin: everything asynchronous."""

    def setup_coroutines(self) -> None:
        self.tasks: list[Awaitable] = []  # scheduled: they may run whenever the loop is entered
        self.background = False  # something that is not followed may run whenever the loop is entered
        self.suspensions = 0

    def eval_Await(self, node: ast.Await) -> Value:
        return self.await_value(self.eval(node.value), node)

    def await_value(self, value: Value, node: ast.AST) -> Value:
        """The value of ``await value``."""
        event = Event("call", node, operands=[value], mechanism="await")
        if value.exact and isinstance(value.obj, Awaitable):
            return self.finish(value.obj, event)
        if value.exact:
            kind = type(value.obj)
            if not is_library_type(kind):
                own = self.type_attribute(value, "__await__")
                if own is not None and self.is_interpretable(own):
                    return self._await_own(self.call_value(exact(own), [value], {}, node), node)
            elif kind in ATOMS or kind in (list, dict, tuple, set):
                self.attempt(event, lambda: _await_real(value.obj))
        self.enter_loop()
        return self.havoc([value], node, "an awaited value")

    def finish(self, made: Awaitable, event: Event) -> Value:
        """Run an awaitable to its end."""
        if made.state != "new":
            if made.kind == "coroutine":
                raise self.fail(RuntimeError("cannot reuse already awaited coroutine"), event)
            raise Abandon("a task that is awaited again")
        made.state = "running"
        if made in self.tasks:
            self.tasks.remove(made)
        try:
            return made.run()
        finally:
            made.state = "done"

    def _await_own(self, steps: Value, node: ast.AST) -> Value:
        """``__await__`` of a class of the notebook: an iterator whose end holds the value."""
        if not steps.exact or not isinstance(steps.obj, Generator):
            raise Abandon("an awaitable that is not followed")
        if steps.obj.resume(exact(None)) is not None:
            self.enter_loop()
            raise Abandon("an awaitable that waits")
        return steps.obj.result

    def enter_loop(self) -> None:
        """The event loop runs: scheduled tasks and whatever else it holds go on."""
        self.suspensions += 1
        if self.tasks or self.background or not self.world.environment or loop_holds_user_code():
            self.background = True
            self.heap.lose_everything()
            self.module_scope.uncertain = True
            self.world.disturb()
            self.unsure += 1

    def schedule(self, made: Awaitable) -> Awaitable:
        """A coroutine becomes a task: it runs when the loop is entered next."""
        self.tasks.append(made)
        return made

    def may_schedule(self, values: list[Value]) -> None:
        """Coroutines handed to something that is not followed may run later."""
        if any(value.exact and isinstance(value.obj, Awaitable) for value in values):
            self.background = True

    def run_together(self, parts: list[Awaitable], event: Event) -> list[Value]:
        """Run awaitables as tasks that take turns; their values in order. Raises what exactly one of them raises."""
        before, alone = self.suspensions, True
        self.tasks = [task for task in self.tasks if task not in parts]
        results: list[Value] = []
        errors: list[Raised] = []
        for part in parts:
            self.journal.push()
            self.heap.push()
            try:
                results.append(self.finish(part, event))
            except Raised as raised:
                errors.append(raised)
            except BaseException:
                self.journal.pop()
                self.heap.pop()
                raise
            alone = alone and not self.heap.layers[-1].touched() and not self.journal.stack[-1]
            self.heap.commit()
            self.journal.commit()
        mixed = self.suspensions != before and len(parts) > 1
        if errors and (len(errors) > 1 and mixed or not alone and mixed):
            raise Abandon("tasks that fail in an order that is not known")
        if errors:
            raise errors[0]
        if mixed and not alone:
            self.heap.lose_everything()
            self.lose(event.node, "tasks that take turns")
            return [unknown(reach=(self.namespace,)) for _ in parts]
        return results

    # --- iteration ---------------------------------------------------------------------------------

    def async_iterator(self, value: Value, node: ast.AST) -> Value:
        """What ``async for`` and asynchronous comprehensions take elements from; raises where ``value`` is certainly none."""
        if value.exact and isinstance(value.obj, Generator) and value.obj.kind == "async_generator":
            return value
        if value.exact and not is_library_type(type(value.obj)):
            own = self.type_attribute(value, "__aiter__")
            if own is not None and self.is_interpretable(own):
                return self.async_iterator_made(self.call_value(exact(own), [value], {}, node))
        elif value.exact and (type(value.obj) in ATOMS or type(value.obj) in (list, dict, tuple, set)):
            event = Event("iterate", node, operands=[value])
            self.attempt(event, lambda: _iterate_real(value.obj))
        raise Abandon("an asynchronous iterator that is not followed")

    @staticmethod
    def async_iterator_made(value: Value) -> Value:
        """What ``__aiter__`` gave, as it is."""
        if not value.exact:
            raise Abandon("an asynchronous iterator that is not followed")
        return value

    def async_next(self, value: Value, node: ast.AST) -> Value | None:
        """The next element of an asynchronous iterator; None at its end."""
        if isinstance(value.obj, Generator):
            value.obj.frame.call_node = node
            return value.obj.resume(exact(None))
        own = self.type_attribute(value, "__anext__")
        if own is None or not self.is_interpretable(own):
            raise Abandon("an asynchronous iterator that is not followed")
        try:
            return self.await_value(self.call_value(exact(own), [value], {}, node), node)
        except Raised as raised:
            if issubclass(raised.type, StopAsyncIteration):
                return None
            raise

    def async_elements(self, value: Value, node: ast.AST) -> Iterator[Value]:
        """The elements that an asynchronous comprehension takes."""
        source = self.async_iterator(value, node)
        while True:
            item = self.async_next(source, node)
            if item is None:
                return
            yield item

    def stmt_AsyncFor(self, node: ast.AsyncFor) -> Exit | None:
        value = self.eval(node.iter)
        try:
            source = self.async_iterator(value, node.iter)
        except Abandon as reason:
            self.havoc([value], node, str(reason))
            self.enter_loop()
            return self.rest_of_loop(node)
        while True:
            try:
                item = self.async_next(source, node.iter)
            except Abandon as reason:
                self.havoc([value], node, str(reason))
                return self.rest_of_loop(node)
            if item is None:
                return self.block(node.orelse)
            self.spend()
            result = self.turn(node, item)
            if result is not None:
                if result.kind == "stop":
                    return self.rest_of_loop(node)
                return None if result.kind == "break" else result


def loop_holds_user_code() -> bool:
    """Whether the event loop holds tasks or call-backs other than the kernel's own."""
    tasks: Any = sys.modules.get("asyncio.tasks")
    if tasks is None:
        return False
    for name in ("_all_tasks", "_scheduled_tasks", "_eager_tasks"):
        for task in list(getattr(tasks, name, ())):
            if not task.done() and not _kernels_own(task.get_coro()):
                return True
    loop = sys.modules["asyncio.events"]._get_running_loop()
    handles = [*getattr(loop, "_ready", ()), *getattr(loop, "_scheduled", ())] if loop is not None else []
    return any(
        is_user_function(getattr(getattr(handle, "_callback", None), "func", handle._callback)) for handle in handles
    )


def _kernels_own(coroutine: Any) -> bool:
    frame = getattr(coroutine, "cr_frame", None)
    name = frame.f_globals.get("__name__", "") if isinstance(frame, types.FrameType) else type(coroutine).__module__
    return str(name).partition(".")[0] in _QUIET


def _await_real(obj: Any) -> None:
    async def body() -> None:
        await obj

    _run_to_error(body())


def _iterate_real(obj: Any) -> None:
    async def body() -> None:
        async for _ in obj:
            return

    _run_to_error(body())


def _run_to_error(run: Any) -> None:
    try:
        run.send(None)
    finally:
        run.close()
