"""The interpreter of a cell: walks it in evaluation order over the live namespace and performs every operation without effect.

This module holds the machine's state and what all parts share; statements, expressions, control flow, functions and calls are in
modules of their own, mixed in below. See ARCHITECTURE.md, "The checker".
"""

from __future__ import annotations

import ast
from typing import Any, Callable

from .budget import MAX_DEPTH, Budget
from .calls import Calls
from .classes import Classes
from .comprehensions import Comprehensions
from .control import Control
from .coroutines import Coroutines
from .effects import disturb_by_code
from .events import Event
from .exceptions import Exceptions
from .expressions import Expressions
from .functions import Functions
from .heap import Heap
from .imports import Imports
from .iteration import Iteration
from .loops import Loops
from .managers import grad_mode_of
from .operations import Operations
from .purity.survey import Surveyor
from .resumable import Resumable
from .rules import checking_rules
from .scope import GlobalScope, Journal, Scope
from .statements import Statements
from .values import Abandon, OutOfBudget, Raised, Value, exact, unknown
from .world import World


class Frame:
    """One activation: the cell itself, a function or a class body."""

    def __init__(self, scope: Scope, globals_: GlobalScope, in_cell: bool, call_node: ast.AST | None = None) -> None:
        self.scope = scope
        self.globals = globals_
        self.in_cell = in_cell
        self.call_node = call_node
        self.handling: list[BaseException] = []
        self.defining_class: Any = None
        self.self_value: Value | None = None


class Interpreter(
    Statements,
    Control,
    Loops,
    Exceptions,
    Expressions,
    Comprehensions,
    Operations,
    Iteration,
    Calls,
    Functions,
    Resumable,
    Coroutines,
    Classes,
    Imports,
):
    """Walks one cell. ``run`` raises :class:`Raised` for a crash that is certain, :class:`OutOfBudget` where a limit is reached."""

    def __init__(self, namespace: dict[str, Any], budget: Budget, shell: Any = None) -> None:
        self.budget = budget
        self.shell = shell
        self.namespace = namespace
        self.heap = Heap()
        self.journal = Journal()
        self.world = World()
        self.surveyor = Surveyor(self.heap)
        self.module_scope = GlobalScope(self.journal, namespace, self.heap)
        self.frames: list[Frame] = [Frame(self.module_scope, self.module_scope, True)]
        self.uncertain = 0  # > 0 while walking what may not run
        self.doubtful = False  # another crash may have come before: later ones are not reported
        self.unsure = 0  # operations so far that may raise or not
        self.operations = 0
        self.followed = 0
        self.lost: dict[int, str] = {}
        self.facts: list[dict[str, Any]] = []
        self.callback_events: dict[int, Event] = {}
        self.canvas: Any = None  # the private figure of plotting calls
        self.imports_allowed = False  # only in a child process
        self.wanted: set[str] = set()  # modules that the cell would import
        self.fresh_iterators: list[Any] = []  # a library's, made by this check, and still to be taken from
        self.setup_functions()
        self.setup_coroutines()

    # --- shared by all parts -----------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def place(self, node: ast.AST | None) -> ast.AST | None:
        """The innermost node of the cell itself that is being walked: ``node``, or the call that led out of the cell."""
        if self.frame.in_cell:
            return node
        for frame in reversed(self.frames):
            if frame.call_node is not None and self._caller_in_cell(frame):
                return frame.call_node
        return node

    def _caller_in_cell(self, frame: Frame) -> bool:
        index = self.frames.index(frame)
        return index > 0 and self.frames[index - 1].in_cell

    def fail(self, error: BaseException, event: Event) -> Raised:
        """A :class:`Raised` for ``error`` at ``event``; the caller raises it."""
        deeper = self.callback_events.get(id(error))
        if deeper is not None:
            event = deeper
        else:
            event.outer = self.place(event.node)
            event.interpreter = self
        error.__traceback__ = None
        return Raised(error, type(error), event)

    def attempt(self, event: Event, thunk: Callable[[], Any]) -> Any:
        """Perform an operation for real and return its result as an object; what it raises is what the cell will raise.

        Raises :class:`Raised` for the operation's own error and :class:`Abandon` where it cannot be followed.
        """
        try:
            if self.managers:
                with grad_mode_of(self):
                    return thunk()
            return thunk()
        except Raised as inner:  # from a call-back that we interpreted and that nothing caught
            raise inner
        except (RecursionError, MemoryError):
            raise Abandon("a limit of this process, not of the cell") from None
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            if isinstance(error, (Abandon, OutOfBudget)):
                raise
            raise self.fail(error, event) from None

    def lose(self, node: ast.AST | None, what: str) -> None:
        """Note that exact knowledge ended at ``node``; the operation there may raise or not."""
        self.unsure += 1
        here = self.place(node)
        line = getattr(here, "lineno", 0)
        self.lost.setdefault(line, what)

    def count(self, value: Value) -> Value:
        """Count an evaluated operation for the figures of the walk."""
        self.operations += 1
        if value.exact:
            self.followed += 1
        return value

    def havoc(self, values: list[Value], node: ast.AST | None, what: str, type_: type | None = None) -> Value:
        """The effect of an unknown operation on ``values``: what they reach may have changed, the result is unknown."""
        self.lose(node, what)
        roots: list[Any] = []
        for value in values:
            if value.exact:
                roots.append(value.obj)
            else:
                roots.extend(value.reach)
                if value.kind == "partial":
                    roots.append(value.obj)
        self.heap.soil(roots)
        self.may_schedule(values)
        disturb_by_code(self, [root for root in roots if root is not self.namespace])
        self.world.disturb()
        return unknown(type_, tuple(roots[:16]) if len(roots) <= 16 else (self.namespace,))

    def spend(self) -> None:
        """Count one step; raises :class:`OutOfBudget`."""
        self.budget.step()

    def enter(self, frame: Frame) -> None:
        """Begin an activation."""
        if len(self.frames) >= MAX_DEPTH:
            raise Abandon("nested too deep to follow")
        self.frames.append(frame)

    def leave(self) -> None:
        """End an activation."""
        self.frames.pop()

    # --- the walk ----------------------------------------------------------------------------------

    def run(self, tree: ast.Module) -> None:
        """Walk a module. Returns when the end is reached or nothing more can be certain."""
        self.awaits_at_top = _awaits(tree)
        self.block(tree.body)

    def describe(self, name: str, value: Value, node: ast.AST) -> None:
        """Note a fact about an assignment, for the model and the benchmarks."""
        if not self.frame.in_cell or self.uncertain or len(self.facts) >= 60:
            return
        from .facts import brief

        text = brief(value)
        if text:
            self.facts.append({"line": getattr(node, "lineno", 0), "text": f"{name}: {text}"})

    def apply_rules(self, event: Event) -> Value | None:
        """Ask the rules that look at this kind of operation; raises what one of them is certain of."""
        for rule in checking_rules(event.op):
            error = rule.check(self, event)
            if error is not None:
                event.mechanism = "rule"
                raise self.fail(error, event)
        return None

    def exact(self, obj: Any) -> Value:
        """``obj`` as a value, through the overlay."""
        return self.heap.wrap(obj)

    def literal(self, obj: Any) -> Value:
        """A container or instance that we just made."""
        return self.heap.own(obj) if not isinstance(obj, (int, str)) else exact(obj)


def _awaits(tree: ast.Module) -> bool:
    """Whether the cell itself, not only a function in it, awaits something: it runs inside the event loop then."""
    queue: list[ast.AST] = list(tree.body)
    while queue:
        node = queue.pop()
        if isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith)) or bool(getattr(node, "is_async", False)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            queue.extend(ast.iter_child_nodes(node))
    return False
