"""Exceptions: ``try`` and ``raise``."""

from __future__ import annotations

import ast
import functools
from typing import Any, Callable

from .control import Ended, Exit, Leaving
from .events import Event
from .machine import Machine
from .values import Raised, exact, unknown


class Exceptions(Machine):
    """Mixin: what is raised and what catches it."""

    def stmt_Try(self, node: ast.Try) -> Exit | None:
        if not node.finalbody:
            return self._try_handlers(node)
        try:
            result = self._try_handlers(node)
        except Raised:
            final = self.block(node.finalbody)
            if final is not None:
                return final
            raise
        final = self.block(node.finalbody)
        return final if final is not None else result

    def stmt_TryStar(self, node: Any) -> Exit | None:
        self.havoc([], node, "an exception group handler")
        raise Ended()

    def _try_handlers(self, node: ast.Try) -> Exit | None:
        if not node.handlers:
            result: Any = self.block(node.body)
            return result if result is not None else self.block(node.orelse)
        result = None
        before = self.unsure
        self.journal.push()
        self.heap.push()
        raised: Raised | None = None
        try:
            result = self.block(node.body)
        except Raised as error:
            raised = error
        except Leaving:
            self.doubtful = self.doubtful or self.unsure != before
            self.journal.commit()
            self.heap.commit()
            raise
        except BaseException:
            self.journal.pop()
            self.heap.pop()
            raise
        if self.unsure == before:
            self.journal.commit()
            self.heap.commit()
            if raised is None:
                return result if result is not None else self.block(node.orelse)
            return self._handle(node, raised)
        bindings, layer = self.journal.pop(), self.heap.pop()
        return self._try_unsure(node, result, raised, bindings, layer)

    def _handle(self, node: ast.Try, raised: Raised) -> Exit | None:
        """The body certainly raised: find the handler that takes it."""
        for handler in node.handlers:
            matches = self._matches(handler, raised.type)
            if matches is None:
                return self._any_handler(node, [])
            if matches:
                return self._run_handler(handler, raised.error)
        raise raised

    def _matches(self, handler: ast.ExceptHandler, kind: type[BaseException]) -> bool | None:
        if handler.type is None:
            return True
        wanted = self.eval(handler.type)
        if not wanted.exact:
            return None
        kinds = wanted.obj if isinstance(wanted.obj, tuple) else (wanted.obj,)
        if not all(isinstance(k, type) and issubclass(k, BaseException) for k in kinds):
            return None
        return issubclass(kind, kinds)

    def _run_handler(self, handler: ast.ExceptHandler, error: BaseException | None) -> Exit | None:
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

    def _any_handler(self, node: ast.Try, arms: list[Callable[[], Any]]) -> Exit | None:
        arms = arms + [functools.partial(self._run_handler, handler, None) for handler in node.handlers]
        return self._quiet_branch(arms, node)

    def _quiet_branch(self, arms: list[Callable[[], Any]], node: ast.AST) -> Exit | None:
        """Like :meth:`branch`; what a handler raises only passes on what an unknown operation raised before."""
        doubtful = self.doubtful
        try:
            result = self.branch(arms, node)
        except Raised:
            raise Ended() from None
        self.doubtful = doubtful
        return result

    def _try_unsure(self, node: ast.Try, result: Any, raised: Raised | None, bindings: Any, layer: Any) -> Exit | None:
        """Something in the body may have raised: it ran to its end, or to anywhere and then a handler."""

        def completed() -> Any:
            self.join([(bindings, layer)], complete=True)
            return result if result is not None else self.block(node.orelse)

        def interrupted(handler: ast.ExceptHandler) -> Callable[[], Any]:
            def arm() -> Any:
                self.join([(bindings, layer)], complete=False)
                return self._run_handler(handler, None)

            return arm

        arms = [interrupted(handler) for handler in node.handlers]
        if raised is None:
            arms.insert(0, completed)
        caught = raised is None or any(self._matches(handler, raised.type) is True for handler in node.handlers)
        result = self._quiet_branch(arms, node)
        self.doubtful = self.doubtful or not caught  # else the body's own crash comes first
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
        if value.exact and isinstance(value.obj, type) and issubclass(value.obj, BaseException):
            value = self.call_value(value, [], {}, node)
        if value.exact and isinstance(value.obj, BaseException):
            event.outer = self.place(node)
            raise Raised(value.obj, type(value.obj), event)
        if value.exact:
            event.mechanism = "no exception"
            self.attempt(event, lambda: _raise_wrong())
        kind = value.known_type
        if kind is not None and issubclass(kind, BaseException):
            event.outer = self.place(node)
            raise Raised(None, kind, event)
        self.lose(node, "an unknown exception is raised")
        raise Ended()


def _raise_wrong() -> None:
    raise 0  # type: ignore[misc]  # noqa: B016 - Python's own words for raising what is no exception
