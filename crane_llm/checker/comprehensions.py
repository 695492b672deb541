"""Comprehensions and generator expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Callable

from .events import Event
from .generators import Generator
from .machine import Machine
from .scope import Scope
from .values import Abandon, Value, exact, unknown


class Comprehensions(Machine):
    """Mixin: loops inside expressions."""

    def comprehension(self, node: Any, emit: Callable[[], None]) -> bool:
        """Run a comprehension's loops, calling ``emit`` for each turn; False where its elements are not known."""
        first = self.eval(node.generators[0].iter)
        scope = Scope(self.journal, None, self.frame.scope)
        scope.outer_names = _named_inside(node)  # type: ignore[attr-defined]
        if scope.parent is not None and getattr(scope.parent, "is_class", False):
            scope.parent = scope.parent.parent
        outer = self.frame.scope
        self.frame.scope = scope
        try:
            return self._loops(node.generators, 0, first, emit)
        finally:
            self.frame.scope = outer

    def _loops(
        self, generators: list[ast.comprehension], level: int, source: Value | None, emit: Callable[[], None]
    ) -> bool:
        if level == len(generators):
            emit()
            return True
        part = generators[level]
        value = source if source is not None else self.eval(part.iter)
        walk = self.async_elements(value, part.iter) if part.is_async else self.iterate(value, part.iter)
        if walk is None:
            self._unknown_turn(generators, level, emit, value)
            return False
        complete = True
        while True:
            try:
                item = next(walk)
            except StopIteration:
                break
            except Abandon as reason:
                self.lose(part.iter, str(reason))
                self._unknown_turn(generators, level, emit, value)
                return False
            self.spend()
            self.assign(part.target, item)
            passes: bool | None = True
            for test in part.ifs:
                known = self.truth(self.eval(test), test)
                passes = known if passes else passes
                if known is not True:
                    break
            if passes is None:
                self._maybe_turn(generators, level, emit)
                complete = False
            elif passes:
                complete = self._loops(generators, level + 1, None, emit) and complete
        return complete

    def _maybe_turn(self, generators: list[ast.comprehension], level: int, emit: Callable[[], None]) -> None:
        _, bindings, layer, raised = self.walk_arm(lambda: self._loops(generators, level + 1, None, emit))
        self.doubtful = self.doubtful or raised is not None
        self.join([(bindings, layer)], complete=False)

    def _unknown_turn(
        self, generators: list[ast.comprehension], level: int, emit: Callable[[], None], value: Value
    ) -> None:
        def arm() -> None:
            self.assign(generators[level].target, unknown(reach=value.reach or (self.namespace,)))
            for test in generators[level].ifs:
                self.eval(test)
            self._loops(generators, level + 1, None, emit)

        _, bindings, layer, raised = self.walk_arm(arm)
        self.doubtful = self.doubtful or raised is not None
        self.join([(bindings, layer)], complete=False)

    def eval_ListComp(self, node: ast.ListComp) -> Value:
        items: list[Any] = []
        complete = self.comprehension(node, lambda: items.append(self.heap.lower(self.eval(node.elt))))
        return self.heap.own(items) if complete else unknown(list, (self.namespace,))

    def eval_SetComp(self, node: ast.SetComp) -> Value:
        items: list[Any] = []
        complete = self.comprehension(node, lambda: items.append(self.hash_checked(self.eval(node.elt), node.elt)))
        if not complete or any(not self.safe_to_hash(item) for item in items):
            return unknown(set)
        return self.heap.own(set(items))

    def hash_checked(self, value: Value, node: ast.AST) -> Any:
        """The object to put into a set or use as a key; raises what hashing it raises."""

        if value.exact and self.safe_to_hash(value.obj):
            self.attempt(Event("item", node, operands=[value], mechanism="hash"), lambda: hash(value.obj))
        return self.heap.lower(value)

    def eval_DictComp(self, node: ast.DictComp) -> Value:
        pairs: list[tuple[Any, Any]] = []

        def emit() -> None:
            key = self.hash_checked(self.eval(node.key), node.key)
            pairs.append((key, self.heap.lower(self.eval(node.value))))

        complete = self.comprehension(node, emit)
        if not complete or any(not self.safe_to_hash(key) for key, _ in pairs):
            return unknown(dict, (self.namespace,))
        return self.heap.own(dict(pairs))

    def eval_GeneratorExp(self, node: ast.GeneratorExp) -> Value:
        # The first iterable is evaluated here and now, the rest when an element is asked for.
        from .interpreter import Frame

        first = self.eval(node.generators[0].iter)
        outer = self.frame
        scope = Scope(
            self.journal, None, outer.scope.parent if getattr(outer.scope, "is_class", False) else outer.scope
        )
        scope.outer_names = _named_inside(node)  # type: ignore[attr-defined]
        frame = Frame(scope, outer.globals, outer.in_cell, None)
        frame.defining_class, frame.self_value = outer.defining_class, outer.self_value
        runs = (*self._named_in(node, outer.scope), *([first.obj] if first.exact else first.reach))
        return exact(Generator(self, frame, self.expression_steps(node, first), node, runs))

    def _named_in(self, node: ast.GeneratorExp, scope: Any) -> Iterator[Any]:
        """The functions and objects that a generator expression names."""
        for name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
            found = scope.vars.get(name) or (self.frame.globals.get(name) if self.frame.globals.bound(name) else None)
            if isinstance(found, Value) and found.exact:
                yield found.obj


def _named_inside(node: ast.AST) -> set[str]:
    """The names that ``:=`` binds inside a comprehension: they belong to what is around it."""
    return {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}
