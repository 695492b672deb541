"""Exceptions: ``try`` and ``raise``."""

from __future__ import annotations

import ast
import functools
from typing import Any, Callable

from . import groups
from .control import Ended, Exit
from .events import Event
from .machine import Machine
from .values import Raised, Value, exact, unknown


class Guard:
    """What stands around a block and sees how it is left."""

    def ended(self) -> Exit | None:
        """The block ran to its end."""
        return None

    def left(self, result: Exit) -> Exit:
        """The block was left by ``break``, ``continue`` or ``return``."""
        return result

    def caught(self, raised: Raised) -> Exit | None:
        """The block certainly raised."""
        raise raised

    def certainly_catches(self, raised: Raised) -> bool:
        """Whether what the block raised goes no further."""
        return False

    def interrupted(self) -> list[Callable[[], Any]]:
        """What may happen after something unknown was raised; one of these."""
        return []


class _Handlers(Guard):
    """The handlers of a ``try``."""

    def __init__(self, interpreter: Any, node: Any) -> None:
        self.interpreter = interpreter
        self.node = node

    def ended(self) -> Exit | None:
        return self.interpreter.block(self.node.orelse)  # type: ignore[no-any-return]

    def caught(self, raised: Raised) -> Exit | None:
        for handler in self.node.handlers:
            matches = self.interpreter.handles(handler, raised.type)
            if matches is None:
                return self.interpreter.any_handler(self.node)  # type: ignore[no-any-return]
            if matches:
                return self.interpreter.run_handler(handler, raised.error)  # type: ignore[no-any-return]
        raise raised

    def certainly_catches(self, raised: Raised) -> bool:
        return any(self.interpreter.handles(handler, raised.type) is True for handler in self.node.handlers)

    def interrupted(self) -> list[Callable[[], Any]]:
        return [functools.partial(self.interpreter.run_handler, handler, None) for handler in self.node.handlers]


class _Groups(_Handlers):
    """The handlers of a ``try`` with ``except*``: each takes its part of the group."""

    def caught(self, raised: Raised) -> Exit | None:
        interpreter, handlers = self.interpreter, self.node.handlers
        named = [interpreter.handled_kinds(handler) for handler in handlers]
        if raised.error is None or not all(named) or not groups.plain(raised.error):
            raise Ended()
        outcomes: list[Any] = []
        for handler, part in zip(handlers, groups.parts_of(raised.error, named)):
            outcomes.append(groups.NOT_TAKEN if part is None else self._handled(handler, part))
        error = groups.outcome(raised.error, named, outcomes)
        if error is raised.error:
            raise raised
        if error is not None:
            raise interpreter.fail(error, raised.event)
        return None

    def _handled(self, handler: ast.ExceptHandler, part: BaseException) -> Any:
        """What the handler raises for its part, or None."""
        try:
            self.interpreter.run_handler(handler, part)
        except Raised as again:
            if again.error is None:
                raise Ended() from None
            return groups.AGAIN if again.error is part else again.error
        return None

    def certainly_catches(self, raised: Raised) -> bool:
        return False


class Exceptions(Machine):
    """Mixin: what is raised and what catches it."""

    def stmt_Try(self, node: ast.Try) -> Exit | None:
        return self._finally(node, _Handlers(self, node) if node.handlers else None)

    def stmt_TryStar(self, node: Any) -> Exit | None:
        return self._finally(node, _Groups(self, node))

    def _finally(self, node: Any, guard: Guard | None) -> Exit | None:
        try:
            if guard is None:
                result = self.block([*node.body, *node.orelse])
            else:
                result = self.guarded(lambda: self.block(node.body), guard, node)
        except Raised:
            final = self.block(node.finalbody)
            if final is not None:
                return final
            raise
        final = self.block(node.finalbody)
        return final if final is not None else result

    def guarded(self, body: Callable[[], Exit | None], guard: Guard, node: ast.AST) -> Exit | None:
        """Walk a block around which ``guard`` stands. Where its operations may raise or not, what the guard does may happen or not."""
        before = self.unsure
        self.journal.push()
        self.heap.push()
        raised: Raised | None = None
        result: Exit | None = None
        try:
            result = body()
        except Raised as error:
            raised = error
        except BaseException:
            self.journal.pop()
            self.heap.pop()
            raise
        if self.unsure == before:
            self.journal.commit()
            self.heap.commit()
            if raised is not None:
                return guard.caught(raised)
            return guard.left(result) if result is not None else guard.ended()
        bindings, layer = self.journal.pop(), self.heap.pop()

        def completed() -> Any:
            self.join([(bindings, layer)], complete=True)
            return guard.left(result) if result is not None else guard.ended()

        def interrupted(arm: Callable[[], Any]) -> Callable[[], Any]:
            def walk() -> Any:
                self.join([(bindings, layer)], complete=False)
                return arm()

            return walk

        arms = [interrupted(arm) for arm in guard.interrupted()]
        if raised is None:
            arms.insert(0, completed)
        caught = raised is None or guard.certainly_catches(raised)
        result = self._quiet_branch(arms, node)
        self.doubtful = self.doubtful or not caught  # else the body's own crash comes first
        return result

    def handles(self, handler: ast.ExceptHandler, kind: type[BaseException]) -> bool | None:
        """Whether a handler takes exceptions of this class; None where that is not known."""
        if handler.type is None:
            return True
        kinds = self.handled_kinds(handler)
        return None if kinds is None else issubclass(kind, kinds)

    def handled_kinds(self, handler: ast.ExceptHandler) -> tuple[Any, ...] | None:
        """The classes that a handler names; None where they are not known."""
        wanted = self.eval(handler.type)  # type: ignore[arg-type]
        if not wanted.exact:
            return None
        kinds = wanted.obj if isinstance(wanted.obj, tuple) else (wanted.obj,)
        if not all(isinstance(k, type) and issubclass(k, BaseException) for k in kinds):
            return None
        return kinds

    def run_handler(self, handler: ast.ExceptHandler, error: BaseException | None) -> Exit | None:
        """Walk a handler's body; ``error`` is None where what it caught is not known."""
        if error is not None:
            self.frame.handling.append(error)
        if handler.name:
            self.bind_name(handler.name, exact(error) if error is not None else unknown(), handler)
        try:
            return self.block(handler.body)
        finally:
            if error is not None:
                self.frame.handling.pop()
            if handler.name:
                self.unbind_name(handler.name)

    def any_handler(self, node: ast.Try) -> Exit | None:
        """One of the handlers runs, it is not known which."""
        return self._quiet_branch(
            [functools.partial(self.run_handler, handler, None) for handler in node.handlers], node
        )

    def _quiet_branch(self, arms: list[Callable[[], Any]], node: ast.AST) -> Exit | None:
        """Like :meth:`branch`; what a handler raises only passes on what an unknown operation raised before."""
        doubtful = self.doubtful
        try:
            result = self.branch(arms, node)
        except Raised:
            raise Ended() from None
        self.doubtful = doubtful
        return result

    def stmt_Raise(self, node: ast.Raise) -> Exit | None:

        event = Event("raise", node)
        if node.exc is None:
            if self.frame.handling:
                error = self.frame.handling[-1]
                raise self.fail(error, event)
            raise Ended()
        value = self.eval(node.exc)
        if node.cause is not None:
            self.eval(node.cause)
        raised = self.raised_by(value, event)
        if raised is not None:
            raise raised
        self.lose(node, "an unknown exception is raised")
        raise Ended()

    def raised_by(self, value: Value, event: Event) -> Raised | None:
        """What raising ``value`` raises; None where that is not known."""
        if value.exact and isinstance(value.obj, type) and issubclass(value.obj, BaseException):
            value = self.call_value(value, [], {}, event.node)
        if value.exact and isinstance(value.obj, BaseException):
            event.outer = self.place(event.node)
            return Raised(value.obj, type(value.obj), event)
        if value.exact:
            event.mechanism = "no exception"
            self.attempt(event, lambda: _raise_wrong())
        kind = value.known_type
        if kind is not None and issubclass(kind, BaseException):
            event.outer = self.place(event.node)
            return Raised(None, kind, event)
        return None


def _raise_wrong() -> None:
    raise 0  # type: ignore[misc]  # noqa: B016 - Python's own words for raising what is no exception
