"""Control flow: branches that may not run, loops, exceptions, early exits."""

from __future__ import annotations

import ast
from typing import Any, Callable

from .scope import MAYBE, same
from .streams import Stream
from .values import Abandon, Raised, Unfinished, Value, exact, unknown

LOOP_SECONDS = 0.25  # after this long the turns of a loop are no longer walked one by one


class Ended(BaseException):
    """The walk cannot continue: the process ends here, or nothing after this point is certain."""


class Exit:
    """How a block was left early: ``kind`` is break | continue | return; ``value`` of a return."""

    __slots__ = ("kind", "value")

    def __init__(self, kind: str, value: Value | None = None) -> None:
        self.kind = kind
        self.value = value


class Region:
    """An open stretch of code that may have been left already (``break``, ``return`` … under an unknown condition)."""

    def __init__(self) -> None:
        self.exits: list[Exit] = []
        self.open = 0  # layers put on since the first possible exit


class Control:
    """Mixin: everything about which code runs."""

    # --- branches ----------------------------------------------------------------------------------

    def walk_arm(self, arm: Callable[[], Any]) -> tuple[Any, dict[Any, Any], Any, Raised | None]:
        """Walk code that may or may not run, then take back what it did. Returns (result, bindings, layer, what it raised)."""
        self.journal.push()
        self.heap.push()
        self.uncertain += 1
        drawn = self.world.drawn
        raised: Raised | None = None
        result: Any = None
        try:
            result = arm()
        except Raised as error:
            raised = error
        except Ended:
            result = Exit("end")
        except BaseException:
            self.uncertain -= 1
            self.journal.pop()
            self.heap.pop()
            raise
        if self.world.drawn != drawn:
            self.world.random = False
        self.uncertain -= 1
        return result, self.journal.pop(), self.heap.pop(), raised

    def join(self, arms: list[tuple[dict[Any, Any], Any]], complete: bool) -> None:
        """Make the state what it may be after one of ``arms`` (bindings, layer) has run; ``complete``: one of them surely has."""
        for key in {key for bindings, _ in arms for key in bindings}:
            outcomes = []
            for bindings, _ in arms:
                scope, new = bindings.get(key, (None, None))
                if scope is not None:
                    outcomes.append(new)
            scope = next(bindings[key][0] for bindings, _ in arms if key in bindings)
            old = scope.vars.get(key[1])
            everywhere = len(outcomes) == len(arms) and complete
            if not everywhere:
                outcomes.append(old if old is not None else self._outer_binding(scope, key[1]))
            scope.bind(key[1], self._join_bindings(outcomes))
        for _, layer in arms:
            if layer.everything:
                self.heap.layers[-1].everything = True
            self.heap.soil(layer.touched(), link=False)
            self.heap.layers[-1].memory.add(layer.memory.items)

    def _outer_binding(self, scope: Any, name: str) -> Any:
        if scope is self.module_scope or scope is self.frame.globals:
            return scope.get(name)
        return None

    def _join_bindings(self, outcomes: list[Any]) -> Any:
        first = outcomes[0]
        if all(same(first, other) for other in outcomes[1:]):
            return first
        if not all(isinstance(outcome, Value) for outcome in outcomes):
            return MAYBE
        return self.join_values(outcomes)

    def join_values(self, values: list[Value]) -> Value:
        """What is known of a value that is one of ``values``."""
        first = values[0]
        if all(same(first, other) for other in values[1:]):
            return first
        kinds = {value.known_type for value in values}
        reach: list[Any] = []
        for value in values:
            if value.exact or value.kind == "partial":
                reach.append(value.obj)
            else:
                reach.extend(value.reach)
        return unknown(
            kinds.pop() if len(kinds) == 1 else None, tuple(reach[:32]) if len(reach) <= 32 else (self.namespace,)
        )

    def choose(self, arms: list[Callable[[], Value]], node: ast.AST) -> Value:
        """The value of one of several expressions, not known which."""
        self.lose(node, "a condition that is not known")
        walked = [self.walk_arm(arm) for arm in arms]
        raised = [arm[3] for arm in walked if arm[3] is not None]
        if len(raised) == len(walked) and _alike(raised):
            raise raised[0]
        if raised:
            self.doubtful = True
        alive = [arm for arm in walked if arm[3] is None]
        self.join([(arm[1], arm[2]) for arm in alive], complete=True)
        values = [arm[0] for arm in alive if isinstance(arm[0], Value)]
        return self.join_values(values) if values else unknown()

    def branch(self, arms: list[Callable[[], Exit | None]], node: ast.AST) -> Exit | None:
        """Walk statements of which one arm runs, not known which (an arm may be empty)."""
        self.lose(node, "a condition that is not known")
        walked = [self.walk_arm(arm) for arm in arms]
        raised = [arm[3] for arm in walked if arm[3] is not None]
        if len(raised) == len(walked) and _alike(raised):
            raise raised[0]
        if raised:
            self.doubtful = True
        alive = [arm for arm in walked if arm[3] is None]
        if not alive:
            raise Ended()
        exits = [arm[0] for arm in alive if arm[0] is not None]
        if any(found.kind == "end" for found in exits):
            raise Ended()
        staying = [arm for arm in alive if arm[0] is None]
        if not exits:
            self.join([(arm[1], arm[2]) for arm in staying], complete=True)
            return None
        self.join([(arm[1], arm[2]) for arm in alive], complete=True)
        if not staying:
            kinds = {found.kind for found in exits}
            if len(kinds) == 1:
                return Exit(
                    exits[0].kind, self.join_values([e.value for e in exits]) if exits[0].kind == "return" else None
                )
        return self.may_exit(exits, bool(staying))

    def may_exit(self, exits: list[Exit], goes_on: bool) -> Exit | None:
        """The enclosing loop or function may have been left: what follows in it is walked without certainty."""
        region = self.regions[-1]
        region.exits.extend(exits)
        self.journal.push()
        self.heap.push()
        self.uncertain += 1
        region.open += 1
        return None if goes_on else Exit("stop")

    def region(self, body: Callable[[], Exit | None]) -> tuple[Exit | None, list[Exit]]:
        """Walk the body of a loop turn or of a function. Returns how it ended and the exits that it may have taken before."""
        region = Region()
        self.regions.append(region)
        try:
            result = body()
        except Raised:
            if not region.open:
                raise
            result = Exit("stop")
            self.doubtful = True
        finally:
            self.regions.pop()
            while region.open:
                region.open -= 1
                self.uncertain -= 1
                bindings, layer = self.journal.pop(), self.heap.pop()
                self.join([(bindings, layer)], complete=False)
        return result, region.exits

    # --- loops -------------------------------------------------------------------------------------

    def stmt_For(self, node: ast.For) -> Exit | None:
        value = self.eval(node.iter)
        if value.exact and isinstance(value.obj, Stream) and value.obj.push is not None and not value.obj.started:
            return self._push_loop(node, value.obj)
        walk = self.iterate(value, node.iter)
        if walk is None:
            return self._unknown_loop(node, value)
        turns = 0
        started = self.budget.elapsed()
        while True:
            if turns > 1 and self.budget.elapsed() - started > LOOP_SECONDS:
                return self._rest_of_loop(
                    node
                )  # a check must end; what follows the loop is walked with what is still known
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

        class Leave(BaseException):
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

    # --- exceptions --------------------------------------------------------------------------------

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
            result = self.block(node.body)
            return result if result is not None else self.block(node.orelse)
        before = self.unsure
        self.journal.push()
        self.heap.push()
        self.guarded += 1
        result: Any = None
        raised: Raised | None = None
        try:
            result = self.block(node.body)
        except Raised as error:
            raised = error
        except BaseException:
            self.guarded -= 1
            self.journal.pop()
            self.heap.pop()
            raise
        self.guarded -= 1
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
        arms = arms + [(lambda h=handler: self._run_handler(h, None)) for handler in node.handlers]
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
            if raised is not None:
                return Exit("stop")
            return result if result is not None else self.block(node.orelse)

        def interrupted(handler: ast.ExceptHandler) -> Callable[[], Any]:
            def arm() -> Any:
                self.join([(bindings, layer)], complete=False)
                return self._run_handler(handler, None)

            return arm

        arms = [interrupted(handler) for handler in node.handlers]
        if raised is None:
            arms.insert(0, completed)
        return self._quiet_branch(arms, node)

    def stmt_Raise(self, node: ast.Raise) -> Exit | None:
        from .events import Event

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


def _alike(raised: list[Raised]) -> bool:
    first = raised[0]
    if first.error is None:
        return False
    for other in raised[1:]:
        if (
            other.error is None
            or type(other.error) is not type(first.error)
            or _text(other.error) != _text(first.error)
        ):
            return False
    return True


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # an exception class of the notebook may do anything here
        return ""


def _may_leave(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, (ast.Return, ast.Break)) for statement in body for node in ast.walk(statement))


__all__ = ["Abandon", "Control", "Ended", "Exit"]
