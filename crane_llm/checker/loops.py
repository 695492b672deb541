"""Loops: known iterables turn by turn, the rest by what their bodies write."""

from __future__ import annotations

import ast
from typing import Any

from .control import Ended, Exit, Leaving
from .effects import disturb_by_code
from .machine import Machine
from .streams import Stream
from .values import OutOfBudget, Unfinished, Value, unknown

# After so many operations, or this long, the turns of a loop are no longer walked one by one.
LOOP_STEPS = 15_000
LOOP_SECONDS = 0.25


def lists_under(interpreter: Any, value: Value) -> list[tuple[Any, int]]:
    """The lists that iterating ``value`` walks live, with their lengths now: one that grows may keep the loop going for ever."""
    if not value.exact:
        return []
    obj = interpreter.heap.resolve(value.obj)
    if isinstance(obj, Stream):
        return obj.bases
    return [(obj, len(obj))] if type(obj) is list else []


class Loops(Machine):
    """Mixin: ``for`` and ``while``."""

    def stmt_For(self, node: ast.For) -> Exit | None:
        value = self.eval(node.iter)
        if value.exact and isinstance(value.obj, Stream) and value.obj.push is not None and not value.obj.started:
            return self._push_loop(node, value.obj)
        walk = self.iterate(value, node.iter)
        if walk is None:
            return self._unknown_loop(node, value)
        turns = 0
        lists = lists_under(self, value)
        started, steps = self.budget.worked(), self.budget.steps
        while True:
            if turns > 1 and (self.budget.worked() - started > LOOP_SECONDS or steps - self.budget.steps > LOOP_STEPS):
                if any(len(self.heap.resolve(base)) > length for base, length in lists):
                    raise OutOfBudget("a list that grows while it is iterated may never end")
                return self._rest_of_loop(node)  # a check must end; what follows is walked with what is still known
            try:
                item = next(walk)
            except StopIteration:
                break
            except Unfinished as more:
                return self._rest_of_loop(node, more.rest)
            turns += 1
            self.spend()
            result = self._turn(node, item)
            if result is not None:
                if result.kind == "break":
                    return None
                if result.kind == "stop":
                    return self._rest_of_loop(node)
                return result
        return self.block(node.orelse)

    def _turn(self, node: ast.For, item: Value) -> Exit | None:
        """One turn of a loop; None or continue goes on, ``stop`` means that what follows is not certain."""

        def body() -> Exit | None:
            self.assign(node.target, item)
            return self.block(node.body)

        result, maybe = self.region(body)
        if maybe:
            if any(found.kind == "return" for found in maybe):
                self.may_exit([found for found in maybe if found.kind == "return"], True)
            if any(found.kind == "break" for found in maybe) or (
                result is not None and result.kind in ("break", "return", "stop")
            ):
                return Exit("stop")
            return None
        if result is not None and result.kind == "continue":
            return None
        return result

    def _push_loop(self, node: ast.For, stream: Stream) -> Exit | None:
        outcome: list[Exit] = []

        class Leave(Leaving):
            pass

        def on_item(item: Value) -> None:
            self.spend()
            frames, self.frames = self.frames, self.frames[:base]
            try:
                result = self._turn(node, item)
            finally:
                self.frames = frames
            if result is not None:
                outcome.append(result)
                raise Leave

        base = len(self.frames)
        stream.take(self)
        try:
            stream.push(on_item)  # type: ignore[misc]
        except Leave:
            del self.frames[base:]
            disturb_by_code(self, stream.runs)  # closing the generator runs its ``finally`` clauses
            result = outcome[0]
            if result.kind == "stop":
                return self._rest_of_loop(node)
            return None if result.kind == "break" else result
        return self.block(node.orelse)

    def _unknown_loop(self, node: Any, value: Value) -> Exit | None:
        """A loop over something unknown: its body may run any number of times, also none."""
        if value.exact is False and value.kind != "partial":
            self.heap.soil(list(value.reach), link=False)
        first = self.first_turn(value)
        if first is not None:
            result = self._turn(node, first) if isinstance(node, ast.For) else None
            if result is not None and result.kind in ("break", "return"):
                return None if result.kind == "break" else result
        return self._rest_of_loop(node)

    def first_turn(self, value: Value) -> Value | None:
        """The first element where the loop certainly has one (a domain may know); None otherwise."""
        return None

    def _rest_of_loop(self, node: Any, later: Value | None = None) -> Exit | None:
        """The turns that are not walked one by one: what the body writes is unknown from here on."""

        def arm() -> Any:
            if isinstance(node, (ast.For, ast.AsyncFor)):
                self.assign(node.target, later if later is not None else unknown(reach=(self.namespace,)))
            return self._region_block(node.body)

        # Twice: with what the first turn writes unknown, a later turn may write more.
        for _ in range(2):
            result, bindings, layer, raised = self.walk_arm(arm)
            if isinstance(result, Exit) and result.kind == "end":
                raise Ended()
            self.doubtful = self.doubtful or raised is not None
            self.blur(bindings)
            self.join([(bindings, layer)], complete=False)
        if _may_leave(node.body):
            returns = [n for s in node.body for n in ast.walk(s) if isinstance(n, ast.Return)]
            if returns:
                self.may_exit([Exit("return", unknown(reach=(self.namespace,)))], True)
        return self.branch([lambda: self.block(node.orelse), lambda: None], node) if node.orelse else None

    def _region_block(self, body: list[ast.stmt]) -> Any:
        self.region(lambda: self.block(body))
        return None

    def blur(self, bindings: dict[Any, Any]) -> None:
        """Forget the values in ``bindings``: only that the names may have been bound is kept."""
        for key, (scope, new) in list(bindings.items()):
            if isinstance(new, Value):
                reach = (new.obj,) if not new.unknown else new.reach
                bindings[key] = (
                    scope,
                    unknown(new.known_type if not new.unknown and new.obj is not None else None, reach),
                )

    def stmt_While(self, node: ast.While) -> Exit | None:
        while True:
            self.spend()
            known = self.truth(self.eval(node.test), node.test)
            if known is False:
                return self.block(node.orelse)
            if known is None:
                return self._rest_of_loop(node)
            result, maybe = self.region(lambda: self.block(node.body))
            if maybe:
                returns = [found for found in maybe if found.kind == "return"]
                if returns:
                    self.may_exit(returns, True)
                if any(found.kind == "break" for found in maybe) or (result is not None and result.kind != "continue"):
                    return self._rest_of_loop(node)
                continue
            if result is None or result.kind == "continue":
                continue
            if result.kind == "break":
                return None
            if result.kind == "stop":
                return self._rest_of_loop(node)
            return result

    def stmt_AsyncFor(self, node: ast.AsyncFor) -> Exit | None:
        value = self.eval(node.iter)
        self.havoc([value], node, "an asynchronous loop")
        return self._rest_of_loop(node)


def _may_leave(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, (ast.Return, ast.Break)) for statement in body for node in ast.walk(statement))
