"""Control flow: branches that may not run, loops, exceptions, early exits."""

from __future__ import annotations

import ast
from typing import Any, Callable

from .machine import Machine
from .scope import MAYBE, same
from .values import Abandon, Raised, Value, unknown


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


class Control(Machine):
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
                self.heap.lose_everything()
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

    # --- exceptions --------------------------------------------------------------------------------


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


__all__ = ["Abandon", "Control", "Ended", "Exit"]
