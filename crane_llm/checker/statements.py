"""Statements other than control flow."""

from __future__ import annotations

import ast
from typing import Any, Callable

from .control import Ended, Exit
from .domains import copy_for_write
from .events import Event
from .exceptions import Guard
from .machine import Machine
from .managers import Entered, enter
from .operations import BINARY, IN_PLACE
from .purity.libraries import is_library_type
from .scope import DELETED, MAYBE, Scope, name_bound_by
from .values import ATOMS, PARTIAL, Abandon, Raised, Value, exact, unknown


class Statements(Machine):
    """Mixin: ``block`` walks statements in order; each returns None, or an :class:`Exit` where the block is left."""

    def block(self, body: list[ast.stmt]) -> Exit | None:
        for statement in body:
            self.spend()
            if self.waiting:
                self.stir_waiting()
            method: Callable[[Any], Any] | None = getattr(self, "stmt_" + type(statement).__name__, None)
            if method is None:
                raise Ended()
            try:
                result = method(statement)
            except Abandon as reason:
                self.abandon_statement(statement, str(reason))
                result = None
            if result is not None:
                return result
        return None

    def abandon_statement(self, statement: ast.stmt, why: str) -> None:
        """A statement could not be followed: whatever it may bind or change is unknown."""
        self.lose(statement, why)
        for node in ast.walk(statement):
            name = name_bound_by(node)
            if name == "*":
                self.module_scope.uncertain = True
            elif name is not None:
                self.bind_name(name, MAYBE, node)
            elif isinstance(node, (ast.Return, ast.Break, ast.Continue)) and not isinstance(
                statement, (ast.FunctionDef, ast.ClassDef)
            ):
                raise Ended()
        self.heap.lose_everything()
        self.world.disturb()

    # --- simple statements -------------------------------------------------------------------------

    def stmt_Expr(self, node: ast.Expr) -> None:
        self.eval(node.value)

    def stmt_Pass(self, node: ast.Pass) -> None:
        return None

    def stmt_Break(self, node: ast.Break) -> Exit:
        return Exit("break")

    def stmt_Continue(self, node: ast.Continue) -> Exit:
        return Exit("continue")

    def stmt_Return(self, node: ast.Return) -> Exit:
        return Exit("return", exact(None) if node.value is None else self.eval(node.value))

    def stmt_If(self, node: ast.If) -> Exit | None:
        known = self.truth(self.eval(node.test), node.test)
        if known is None:
            return self.branch([lambda: self.block(node.body), lambda: self.block(node.orelse)], node)
        return self.block(node.body if known else node.orelse)

    def stmt_Assert(self, node: ast.Assert) -> None:
        known = self.truth(self.eval(node.test), node.test)
        if known is False and __debug__:
            args = () if node.msg is None else (self.eval(node.msg),)
            event = Event("assert", node)
            event.outer = self.place(node)
            if all(arg.exact for arg in args):
                raise Raised(AssertionError(*[arg.obj for arg in args]), AssertionError, event)
            raise Raised(None, AssertionError, event)

    def stmt_Global(self, node: ast.Global) -> None:
        return None

    stmt_Nonlocal = stmt_Global

    def stmt_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._delete(target)

    def _delete(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.lookup_binding(target)
            self.unbind_name(target.id)
        elif isinstance(target, ast.Attribute):
            self.delete_attribute(self.eval(target.value), target.attr, target)
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            self.delete_item(owner, self.eval(target.slice), target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._delete(part)

    def lookup_binding(self, node: ast.Name) -> None:
        """Raise what deleting an unbound name raises."""
        scope = self.scope_of(node.id)
        if scope is self.frame.globals:
            found = scope.get(node.id)
            if found is None or found is DELETED:
                raise self.name_error(node.id, node)
        elif scope.vars.get(node.id) in (None, DELETED):
            raise self.unbound_error(node.id, node, free=False)

    def stmt_Assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value)
            if isinstance(target, ast.Name):
                self.describe(target.id, value, node)

    def stmt_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            value = self.eval(node.value)
            self.assign(node.target, value)

    def stmt_TypeAlias(self, node: Any) -> None:
        self.bind_name(node.name.id, unknown(), node)

    def stmt_AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            current = self.eval(load)
            value = self.eval(node.value)
            self.bind_name(target.id, self.augment(node, current, value), target)
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value)
            current = self.attribute(owner, target.attr, target)
            value = self.eval(node.value)
            self.store_attribute(owner, target.attr, self.augment(node, current, value), target)
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            index = self.eval(target.slice)
            current = self.item(owner, index, target)
            value = self.eval(node.value)
            self.store_item(owner, index, self.augment(node, current, value), target)

    def augment(self, node: ast.AugAssign, current: Value, value: Value) -> Value:
        """The result of ``current op= value``; objects that change in place are changed on a copy."""
        name = type(node.op).__name__
        if current.exact and type(current.obj) not in ATOMS and type(current.obj) is not tuple:
            obj = self.heap.resolve(current.obj)
            slot = "__i" + BINARY[name][0][2:]
            if any(slot in vars(base) for base in type(obj).__mro__):
                return self._augment_in_place(name, obj, value, node)
        return self.binary(name, current, value, node, augmented=True)

    def _augment_in_place(self, name: str, obj: Any, value: Value, node: ast.AugAssign) -> Value:
        event = Event("binary", node, operands=[self.heap.wrap(obj), value], name=name, mechanism="augmented")
        if not is_library_type(type(obj)):
            method = self.type_attribute(exact(obj), "__i" + BINARY[name][0][2:])
            return self.call_value(exact(method), [exact(obj), value], {}, node)
        if type(obj) is list and _answers_addition(value) and not is_library_type(value.known_type or object):
            return self.havoc([exact(obj), value], node, "an operand of a class of the notebook")
        if type(obj) is list and name == "Add" and not _answers_addition(value):
            items = self.unpack_all(value, node)
            target = self.heap.writable(obj)
            if items is None or target is None:
                return self.havoc([exact(obj), value], node, "an unknown list is added")
            target.extend(self.heap.lower(item) for item in items)
            return exact(target)
        survey = self.surveyor.look([obj, self.heap.lower(value)])
        if (
            survey.opaque
            or survey.callbacks
            or survey.domains
            or value.kind == PARTIAL
            or not self.budget.affords(survey.weight * 4e-9)
        ):
            result = self.binary(name, self.heap.wrap(obj), value, node)
            self.heap.soil([obj], link=False)
            return result if result.kind == PARTIAL else unknown(None, (obj,))
        target = self.heap.writable(obj, copy_for_write)
        if target is None:
            return self.havoc([exact(obj), value], node, "a change in place that is not followed")
        made = self.quiet_call(event, lambda: IN_PLACE[name](target, value.obj))
        return exact(target) if made is target else self.heap.wrap(made)

    # --- binding -----------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value) -> None:
        """Bind a target to a value."""
        if isinstance(target, ast.Name):
            self.bind_name(target.id, value, target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Attribute):
            self.store_attribute(self.eval(target.value), target.attr, value, target)
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            self.store_item(owner, self.eval(target.slice), value, target)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)

    def _unpack(self, target: Any, value: Value) -> None:
        event = Event("unpack", target, operands=[value], name=str(len(target.elts)))
        stars = [i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
        if (
            value.exact
            and not isinstance(value.obj, (list, tuple, str, dict, range, set))
            and is_library_type(type(value.obj))
        ):
            if not any("__iter__" in vars(b) or "__getitem__" in vars(b) for b in type(value.obj).__mro__):
                holder: Any = value.obj
                self.attempt(event, lambda: _unpack_two(holder))
        items: list[Value] | None = None
        walk = self.iterate(value, target)
        if walk is not None:
            items = []
            limit = 100_000 if stars else len(target.elts) + 1
            for item in walk:
                items.append(item)
                if len(items) >= limit:
                    break
        if items is None:
            for part in target.elts:
                self.assign(
                    part, unknown(list if isinstance(part, ast.Starred) else None, value.reach or (self.namespace,))
                )
            return
        if not stars and len(items) != len(target.elts):
            count, wanted = len(items), len(target.elts)
            real: Any = self.heap.resolve(value.obj) if value.exact else None
            if count > wanted and type(real) in (list, tuple, dict):  # newer Pythons say how many there were
                stand = type(real)(range(len(real))) if type(real) is not dict else dict.fromkeys(range(len(real)))
            else:
                stand = iter(range(count))
            self.attempt(event, lambda: _unpack_exactly(stand, wanted))
        if stars:
            before, after = stars[0], len(target.elts) - stars[0] - 1
            if len(items) < before + after:
                self.attempt(event, lambda: _unpack_starred(list(range(len(items or []))), before, after))
            middle = self.heap.own([self.heap.lower(item) for item in items[before : len(items) - after]])
            items = [*items[:before], middle, *items[len(items) - after :]]
        for part, item in zip(target.elts, items):
            self.assign(part, item)

    def scope_of(self, name: str) -> Scope:
        """The scope in which a name is bound by an assignment here."""
        frame = self.frame
        scope = frame.scope
        if scope is frame.globals or scope.names is None:
            if scope.names is None and scope is not frame.globals and name in getattr(scope, "outer_names", ()):
                return scope.parent  # type: ignore[return-value]
            return scope
        if name in scope.names.globals:
            return frame.globals
        if name in scope.names.nonlocals:
            parent = scope.parent
            while parent is not None and name not in (parent.vars if parent.names is None else parent.names.locals):
                parent = parent.parent
            return parent if parent is not None else scope
        return scope

    def bind_name(self, name: str, value: Any, node: ast.AST) -> None:
        self.scope_of(name).bind(name, value)

    def unbind_name(self, name: str) -> None:
        self.scope_of(name).delete(name)

    # --- with, match -------------------------------------------------------------------------------

    def stmt_With(self, node: Any, asynchronous: bool = False) -> Exit | None:
        depth = len(self.managers)
        try:
            return self._managed(node, 0, asynchronous)
        finally:
            del self.managers[depth:]

    def stmt_AsyncWith(self, node: ast.AsyncWith) -> Exit | None:
        return self.stmt_With(node, True)

    def enter_manager(self, item: ast.withitem, asynchronous: bool) -> Entered:
        """Evaluate and enter one manager of a ``with`` statement and bind what ``as`` names."""
        manager = enter(self, self.eval(item.context_expr), item.context_expr, asynchronous)
        if item.optional_vars is not None:
            self.assign(item.optional_vars, manager.value)
        return manager

    def _managed(self, node: Any, index: int, asynchronous: bool) -> Exit | None:
        """The block under the managers from ``index`` on."""
        if index == len(node.items):
            return self.block(node.body)
        manager = self.enter_manager(node.items[index], asynchronous)
        self.managers.append(manager.manager)

        def body() -> Exit | None:
            return self._managed(node, index + 1, asynchronous)

        if not manager.known:
            self.lose(node, "a context manager that is not known")
            result = self.branch([body, lambda: None], node)
            manager.leave(None)
            return result
        if manager.may_swallow:
            return self.guarded(body, _Managed(self, manager), node)
        try:
            result = body()
        except Raised as raised:
            manager.leave(raised)
            raise
        manager.leave(None)
        return result

    def stmt_Match(self, node: Any) -> Exit | None:
        from .patterns import matches

        subject = self.eval(node.subject)
        for index, case in enumerate(node.cases):
            known = matches(self, case.pattern, subject)
            if known and case.guard is not None:
                known = self.truth(self.eval(case.guard), case.guard)
            if known is None:
                rest = node.cases[index:]
                arms = [self._case_arm(c) for c in rest]
                return self.branch([*arms, lambda: None], node)
            if known:
                return self.block(case.body)
        return None

    def _case_arm(self, case: Any) -> Callable[[], Any]:
        def arm() -> Any:
            for node in ast.walk(case.pattern):
                for field in ("name", "rest"):
                    bound = getattr(node, field, None)
                    if isinstance(bound, str):
                        self.bind_name(bound, unknown(reach=(self.namespace,)), node)
            return self.block(case.body)

        return arm


class _Managed(Guard):
    """A manager as what stands around a block and may stop what it raises."""

    def __init__(self, interpreter: Any, manager: Entered) -> None:
        self.interpreter = interpreter
        self.manager = manager

    def ended(self) -> Exit | None:
        self.manager.leave(None)
        return None

    def left(self, result: Exit) -> Exit:
        self.manager.leave(None)
        return result

    def caught(self, raised: Raised) -> Exit | None:
        if not self.manager.leave(raised):
            raise raised
        return None

    def interrupted(self) -> list[Callable[[], Any]]:
        return [self._not_known]

    def _not_known(self) -> None:
        self.interpreter.havoc([self.manager.manager], self.manager.node, "a context manager left by an exception")


def _answers_addition(value: Value) -> bool:
    """Whether ``+=`` asks this operand before it extends a list. A Series or an array makes something new; a number declines."""
    kind = value.known_type
    return kind is not None and kind not in (bool, int, float, complex) and hasattr(kind, "__radd__")


def _unpack_two(obj: Any) -> None:
    _first, _second = obj


def _unpack_exactly(items: Any, count: int) -> None:
    names = ", ".join(f"a{i}" for i in range(count)) + ("," if count == 1 else "")
    exec(
        f"{names} = items" if count else "[] = items", {"items": items}
    )  # our own text: the number of targets decides the message


def _unpack_starred(items: list[int], before: int, after: int) -> None:
    names = [f"a{i}" for i in range(before)] + ["*rest"] + [f"b{i}" for i in range(after)]
    exec(f"{', '.join(names)}, = items" if len(names) == 1 else f"{', '.join(names)} = items", {"items": items})
