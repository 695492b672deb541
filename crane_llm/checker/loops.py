"""Loops: known iterables turn by turn, the rest by what their bodies write."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import Any

from .control import Ended, Exit
from .effects import disturb_by_code
from .generators import Generator
from .machine import Machine
from .streams import Stream
from .values import Abandon, OutOfBudget, Unfinished, Value, unknown

# After so many operations, or this long, the turns of a loop are no longer walked one by one.
LOOP_STEPS = 15_000
LOOP_SECONDS = 0.25
AHEAD_SECONDS = 0.4  # that must be left for another turn further on


def lists_under(interpreter: Any, value: Value) -> list[tuple[Any, int]]:
    """The lists that iterating ``value`` walks live, with their lengths now: one that grows may keep the loop going for ever."""
    if not value.exact:
        return []
    obj = interpreter.heap.resolve(value.obj)
    if isinstance(obj, Stream):
        return obj.bases
    return [(obj, len(obj))] if type(obj) is list else []


def straight(value: Value) -> bool:
    """Whether a loop over ``value`` takes the elements of one iterable as they come, at most numbered."""
    if not value.exact or not isinstance(value.obj, Stream):
        return True
    if value.obj.kind not in ("enumerate", "tqdm", "iterator"):
        return False
    return all(straight(Value("exact", part)) for part in value.obj.runs)


_EXHAUSTED = Exit("exhausted")


class Hold:
    """The generators that a loop takes its elements from. ``left``: the loop was left before their end."""

    def __init__(self, generators: list[Generator]) -> None:
        self.generators = generators
        self.left = False

    def left_early(self) -> None:
        """The loop is left by ``break`` or ``return``."""
        self.left = True


def generators_under(value: Value) -> list[Generator]:
    """The generators that iterating ``value`` advances."""
    found: list[Generator] = []
    queue = [value.obj] if value.exact else []
    while queue:
        obj = queue.pop()
        if isinstance(obj, Generator):
            found.append(obj)
        elif isinstance(obj, Stream):
            queue.extend(obj.runs)
    return found


class Loops(Machine):
    """Mixin: ``for`` and ``while``."""

    def stmt_For(self, node: ast.For) -> Exit | None:
        value = self.eval(node.iter)
        walk = self.iterate(value, node.iter)
        if walk is None:
            return self._unknown_loop(node, value)
        with self.kept_alive(value, node.iter) as hold:
            result = self._turns(node, value, walk, hold)
        return self.block(node.orelse) if result is _EXHAUSTED else result

    def _turns(self, node: ast.For, value: Value, walk: Iterator[Value], hold: Hold) -> Exit | None:
        """The turns of a loop over known elements; ``_EXHAUSTED`` where the loop ran to its end."""
        turns = 0
        lists = lists_under(self, value)
        started, steps = self.budget.worked(), self.budget.steps
        while True:
            if turns > 1 and (self.budget.worked() - started > LOOP_SECONDS or steps - self.budget.steps > LOOP_STEPS):
                if any(len(self.heap.resolve(base)) > length for base, length in lists):
                    raise OutOfBudget("a list that grows while it is iterated may never end")
                self._lose_generators(hold)
                return self.rest_of_loop(node)  # a check must end; what follows is walked with what is still known
            try:
                item = next(walk)
            except StopIteration:
                return _EXHAUSTED
            except Unfinished as more:
                result = self.rest_of_loop(node, more.rest)
                if not more.ahead or not straight(value) or node.orelse or _may_leave(node.body):
                    return result
                return self._turns_ahead(node, more)
            turns += 1
            self.spend()
            result = self.turn(node, item)
            if result is not None:
                if result.kind == "stop":
                    self._lose_generators(hold)
                    return self.rest_of_loop(node)
                hold.left_early()
                return None if result.kind == "break" else result

    def _turns_ahead(self, node: ast.For, more: Unfinished) -> Exit | None:
        """Turns that certainly come after others that were not walked one by one, unless one of those raises."""
        for number, make in enumerate(more.ahead):
            if number and self.budget.remaining() < AHEAD_SECONDS:
                return None
            if number:
                self.rest_of_loop(node, more.rest)
            try:
                item = make()
            except Abandon as reason:
                self.lose(node.iter, str(reason))
                continue
            result = self.turn(node, item)
            if result is not None:
                return None if result.kind == "stop" else result
        return None

    @staticmethod
    def _lose_generators(hold: Hold) -> None:
        """The turns from here on are not walked one by one: neither is what the generators do between them."""
        for generator in hold.generators:
            if generator.state == "suspended":
                generator.give_up()

    def _named(self, generator: Generator) -> bool:
        """Whether a name in sight is bound to the generator, so that it lives on."""
        scopes = {id(frame.scope): frame.scope for frame in self.frames}
        bound = (value for scope in scopes.values() for value in scope.vars.values())
        return any(isinstance(value, Value) and value.obj is generator for value in bound)

    def turn(self, node: Any, item: Value) -> Exit | None:
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

    @contextlib.contextmanager
    def kept_alive(self, value: Value, node: ast.AST) -> Iterator[Hold]:
        """Inside, a loop over ``value`` keeps the generators under it alive; ``node`` is where ``value`` was evaluated."""
        hold = Hold(generators_under(value))
        for generator in hold.generators:
            generator.holders += 1
        try:
            yield hold
        finally:
            for generator in hold.generators:
                generator.holders -= 1
        if hold.left and isinstance(node, ast.Call):  # nothing else knows them: Python closes them now
            for generator in reversed(hold.generators):
                generator.close()

    def keep_in_view(self, generator: Generator) -> None:
        """Remember generators that wait and have code to run when they are closed, whenever that will be."""
        if generator.cleans_up and generator.state == "suspended":
            if generator not in self.waiting:
                self.waiting.append(generator)
        elif generator in self.waiting:
            self.waiting.remove(generator)

    def stir_waiting(self) -> None:
        """Generators that nothing is known to keep alive may be closed at any time."""
        for generator in self.waiting:
            if generator.state == "suspended" and not generator.holders and not self._named(generator):
                self.heap.soil(generator.held(), link=False)
                disturb_by_code(self, generator.held())

    def _unknown_loop(self, node: Any, value: Value) -> Exit | None:
        """A loop over something unknown: its body may run any number of times, also none."""
        if value.exact is False and value.kind != "partial":
            self.heap.soil(list(value.reach), link=False)
        first = self.first_turn(value)
        if first is not None:
            result = self.turn(node, first) if isinstance(node, ast.For) else None
            if result is not None and result.kind in ("break", "return"):
                return None if result.kind == "break" else result
        return self.rest_of_loop(node)

    def first_turn(self, value: Value) -> Value | None:
        """The first element where the loop certainly has one (a domain may know); None otherwise."""
        return None

    def rest_of_loop(self, node: Any, later: Value | None = None) -> Exit | None:
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
                return self.rest_of_loop(node)
            result, maybe = self.region(lambda: self.block(node.body))
            if maybe:
                returns = [found for found in maybe if found.kind == "return"]
                if returns:
                    self.may_exit(returns, True)
                if any(found.kind == "break" for found in maybe) or (result is not None and result.kind != "continue"):
                    return self.rest_of_loop(node)
                continue
            if result is None or result.kind == "continue":
                continue
            if result.kind == "break":
                return None
            if result.kind == "stop":
                return self.rest_of_loop(node)
            return result


def _may_leave(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, (ast.Return, ast.Break)) for statement in body for node in ast.walk(statement))
