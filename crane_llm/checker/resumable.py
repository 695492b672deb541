"""Bodies that are left at a ``yield`` and entered again there.

Statements that hold no ``yield`` are walked as everywhere; the others have a second form here, written as Python generators. Unlike
elsewhere, nothing here may stay open between two elements: where the walk would have to keep two possibilities in mind (an unknown
condition around a ``yield``, a body under ``try`` that may have raised), the generator is given up.
"""

from __future__ import annotations

import ast
from collections.abc import Generator as Walk
from typing import Any, Callable

from .control import Ended, Exit
from .generators import Generator, Sent
from .machine import Machine
from .scope import Scope
from .values import Abandon, Raised, Value, exact

Steps = Walk[Value, Sent, "Exit | None"]
_known: dict[int, tuple[ast.AST, bool]] = {}
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def yields(node: ast.AST) -> bool:
    """Whether a statement or expression holds a ``yield`` of the function that it stands in."""
    found = _known.get(id(node))
    if found is None or found[0] is not node:
        inside = not isinstance(node, _INNER) and any(yields(child) for child in ast.iter_child_nodes(node))
        found = (node, isinstance(node, (ast.Yield, ast.YieldFrom)) or inside)
        if len(_known) > 20_000:
            _known.clear()
        _known[id(node)] = found
    return found[1]


class Resumable(Machine):
    """Mixin: the steps of generators."""

    def function_steps(self, node: Any) -> Walk[Value, Sent, Value]:
        """The steps of a function's body; the value returned is what the function returns."""
        if isinstance(node, ast.Lambda):
            return (yield from self._value_steps(node.body))
        result = yield from self._block_steps(node.body)
        return result.value if result is not None and result.value is not None else exact(None)

    def expression_steps(self, node: ast.GeneratorExp, first: Value) -> Walk[Value, Sent, None]:
        """The steps of a generator expression."""
        return (yield from self._loop_steps(node, 0, first))

    def _loop_steps(self, node: ast.GeneratorExp, level: int, source: Value | None) -> Walk[Value, Sent, None]:
        part = node.generators[level]
        value = source if source is not None else self.eval(part.iter)
        walk = self.async_elements(value, part.iter) if part.is_async else self.iterate(value, part.iter)
        if walk is None:
            raise Abandon("a generator over something unknown")
        for item in walk:
            self.spend()
            self.assign(part.target, item)
            known: bool | None = True
            for test in part.ifs:
                known = self.truth(self.eval(test), test)
                if known is not True:
                    break
            if known is None:
                raise Abandon("a condition in a generator that is not known")
            if known and level + 1 < len(node.generators):
                yield from self._loop_steps(node, level + 1, None)
            elif known:
                yield from _hand_out(self.eval(node.elt))

    # --- statements --------------------------------------------------------------------------------

    def _block_steps(self, body: list[ast.stmt]) -> Steps:
        for statement in body:
            if not yields(statement):
                result = self._plain(statement)
            else:
                self.spend()
                steps: Callable[[Any], Steps] | None = getattr(self, "_steps_" + type(statement).__name__, None)
                if steps is None:
                    raise Abandon("a yield in a statement that is not followed")
                result = yield from steps(statement)
            if result is not None:
                return result
        return None

    def _plain(self, statement: ast.stmt) -> Exit | None:
        result, maybe = self.region(lambda: self.block([statement]))
        if result is not None and result.kind == "end":
            raise Ended()
        if maybe or (result is not None and result.kind == "stop"):
            raise Abandon("a generator that may have ended")
        return result

    def _value_steps(self, node: ast.expr) -> Walk[Value, Sent, Value]:
        """An expression that is a ``yield`` itself, or holds none."""
        if isinstance(node, ast.Yield):
            if node.value is not None and yields(node.value):
                raise Abandon("a yield inside another")
            return (yield from _hand_out(exact(None) if node.value is None else self.eval(node.value)))
        if isinstance(node, ast.YieldFrom):
            if yields(node.value):
                raise Abandon("a yield inside another")
            return (yield from self._delegate(self.eval(node.value), node))
        if yields(node):
            raise Abandon("a yield inside an expression")
        return self.eval(node)

    def _delegate(self, inner: Value, node: ast.AST) -> Walk[Value, Sent, Value]:
        if inner.exact and isinstance(inner.obj, Generator):
            sent: Sent = exact(None)
            inner.obj.frame.call_node = node
            while True:
                item = inner.obj.resume(sent)
                if item is None:
                    return inner.obj.result
                sent = yield item
        walk = self.iterate(inner, node)
        if walk is None:
            raise Abandon("delegation to something unknown")
        for item in walk:
            sent = yield item
            if isinstance(sent, Raised):
                raise sent
            if not (sent.exact and sent.obj is None):
                raise Abandon("a value sent to an iterator")
        return exact(None)

    def _steps_Expr(self, node: ast.Expr) -> Steps:
        yield from self._value_steps(node.value)
        return None

    def _steps_Assign(self, node: ast.Assign) -> Steps:
        if any(yields(target) for target in node.targets):
            raise Abandon("a yield in a target")
        value = yield from self._value_steps(node.value)
        for target in node.targets:
            self.assign(target, value)
        return None

    def _steps_AnnAssign(self, node: ast.AnnAssign) -> Steps:
        if yields(node.target) or yields(node.annotation) or node.value is None:
            raise Abandon("a yield in a target")
        self.assign(node.target, (yield from self._value_steps(node.value)))
        return None

    def _steps_AugAssign(self, node: ast.AugAssign) -> Steps:
        if not isinstance(node.target, ast.Name):
            raise Abandon("a yield in an augmented assignment")
        current = self.eval(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
        value = yield from self._value_steps(node.value)
        self.bind_name(node.target.id, self.augment(node, current, value), node.target)
        return None

    def _steps_Return(self, node: ast.Return) -> Steps:
        value = exact(None) if node.value is None else (yield from self._value_steps(node.value))
        return Exit("return", value)

    # --- compound statements -----------------------------------------------------------------------

    def _test(self, node: ast.expr) -> bool:
        if yields(node):
            raise Abandon("a yield in a condition")
        known = self.truth(self.eval(node), node)
        if known is None:
            raise Abandon("a condition in a generator that is not known")
        return known

    def _steps_If(self, node: ast.If) -> Steps:
        return (yield from self._block_steps(node.body if self._test(node.test) else node.orelse))

    def _steps_While(self, node: ast.While) -> Steps:
        while self._test(node.test):
            self.spend()
            result = yield from self._block_steps(node.body)
            if result is not None and result.kind != "continue":
                return None if result.kind == "break" else result
        return (yield from self._block_steps(node.orelse))

    def _steps_For(self, node: ast.For) -> Steps:
        if yields(node.iter) or yields(node.target):
            raise Abandon("a yield in the head of a loop")
        value = self.eval(node.iter)
        walk = self.iterate(value, node.iter)
        if walk is None:
            raise Abandon("a generator over something unknown")
        with self.kept_alive(value, node.iter) as hold:
            for item in walk:
                self.spend()
                self.assign(node.target, item)
                result = yield from self._block_steps(node.body)
                if result is not None and result.kind != "continue":
                    hold.left_early()
                    return None if result.kind == "break" else result
        return (yield from self._block_steps(node.orelse))

    def _steps_AsyncFor(self, node: ast.AsyncFor) -> Steps:
        value = self.async_iterator(self.eval(node.iter), node.iter)
        while True:
            item = self.async_next(value, node.iter)
            if item is None:
                return (yield from self._block_steps(node.orelse))
            self.spend()
            self.assign(node.target, item)
            result = yield from self._block_steps(node.body)
            if result is not None and result.kind != "continue":
                return None if result.kind == "break" else result

    def _steps_Try(self, node: ast.Try) -> Steps:
        try:
            result = yield from self._handled_steps(node)
        except Raised:
            final = yield from self._block_steps(node.finalbody)
            if final is not None:
                return final
            raise
        final = yield from self._block_steps(node.finalbody)
        return final if final is not None else result

    def _handled_steps(self, node: ast.Try) -> Steps:
        before = self.unsure
        try:
            result = yield from self._block_steps(node.body)
        except Raised as raised:
            if node.handlers and self.unsure != before:
                raise Abandon("a handler in a generator that may run or not") from None
            return (yield from self._handler_steps(node, raised))
        if node.handlers and self.unsure != before:
            raise Abandon("a handler in a generator that may run or not")
        return result if result is not None else (yield from self._block_steps(node.orelse))

    def _handler_steps(self, node: ast.Try, raised: Raised) -> Steps:
        for handler in node.handlers:
            matches = self.handles(handler, raised.type)
            if matches is None:
                raise Abandon("a handler in a generator that may run or not")
            if matches:
                return (yield from self._caught_steps(handler, raised))
        raise raised

    def _caught_steps(self, handler: ast.ExceptHandler, raised: Raised) -> Steps:
        frame, error = self.frame, raised.error
        if error is None:
            raise Abandon("an exception in a generator that is not known")
        frame.handling.append(error)
        if handler.name:
            self.bind_name(handler.name, exact(error), handler)
        try:
            return (yield from self._block_steps(handler.body))
        finally:
            frame.handling.pop()
            if handler.name:
                frame.scope.delete(handler.name)

    def _steps_With(self, node: ast.With, asynchronous: bool = False) -> Steps:
        if any(yields(item) for item in node.items):
            raise Abandon("a yield in the head of a with statement")
        return (yield from self._managed_steps(node, 0, asynchronous))

    def _steps_AsyncWith(self, node: ast.AsyncWith) -> Steps:
        return (yield from self._steps_With(node, True))  # type: ignore[arg-type]

    def _managed_steps(self, node: Any, index: int, asynchronous: bool) -> Steps:
        if index == len(node.items):
            return (yield from self._block_steps(node.body))
        manager = self.enter_manager(node.items[index], asynchronous)
        if manager.holds_mode:
            raise Abandon("a mode that is held while a generator waits")
        before = self.unsure
        try:
            result = yield from self._managed_steps(node, index + 1, asynchronous)
        except Raised as raised:
            if manager.may_swallow and self.unsure != before:
                raise Abandon("a manager in a generator that may swallow") from None
            if manager.leave(raised):
                return None
            raise
        if manager.may_swallow and self.unsure != before:
            raise Abandon("a manager in a generator that may swallow")
        manager.leave(None)
        return result

    # --- making ------------------------------------------------------------------------------------

    def generator_of(self, func: Any, scope: Scope, node: Any) -> Generator:
        """The generator that a call of a generator function gives."""
        frame = self.frame_of_call(func, scope, node)
        made = Generator(self, frame, self.function_steps(func.node), func.node, (func,))
        if func.names.deferred:
            made.kind = "async_generator"
        return made


def _hand_out(item: Value) -> Walk[Value, Sent, Value]:
    sent = yield item
    if isinstance(sent, Raised):
        raise sent
    return sent
