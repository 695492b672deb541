"""Names: the notebook's namespace seen through what the cell has bound so far, and the scopes of interpreted functions."""

from __future__ import annotations

import ast
import builtins
from typing import Any, Union

from .values import Value, exact, unknown

DELETED = object()
MAYBE = object()  # bound on some paths only

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]


class Journal:
    """Undo logs for name bindings, one per walked branch."""

    def __init__(self) -> None:
        self.stack: list[dict[tuple[int, str], tuple[Any, Any]]] = []

    def record(self, scope: Any, name: str) -> None:
        if self.stack:
            self.stack[-1].setdefault((id(scope), name), (scope, scope.vars.get(name)))

    def push(self) -> None:
        self.stack.append({})

    def pop(self) -> dict[tuple[int, str], tuple[Any, Any]]:
        """Take back the bindings made since the push; returns {key: (scope, binding that was made)}."""
        made = {}
        for key, (scope, old) in self.stack.pop().items():
            made[key] = (scope, scope.vars.get(key[1]))
            if old is None:
                scope.vars.pop(key[1], None)
            else:
                scope.vars[key[1]] = old
        return made

    def commit(self) -> None:
        """Keep the bindings made since the push."""
        for key, entry in self.stack.pop().items():
            if self.stack:
                self.stack[-1].setdefault(key, entry)


class Scope:
    """Bindings of one interpreted function, class body or comprehension. ``vars`` maps names to values, DELETED or MAYBE."""

    def __init__(self, journal: Journal, names: Names | None = None, parent: Scope | None = None) -> None:
        self.vars: dict[str, Any] = {}
        self.journal = journal
        self.names = names
        self.parent = parent

    def bind(self, name: str, value: Any) -> None:
        self.journal.record(self, name)
        self.vars[name] = value

    def delete(self, name: str) -> None:
        self.bind(name, DELETED)


class GlobalScope(Scope):
    """The notebook's namespace (or a module's), read live and never written to."""

    def __init__(self, journal: Journal, namespace: dict[str, Any], heap: Any) -> None:
        super().__init__(journal)
        self.namespace = namespace
        self.heap = heap
        self.uncertain = False  # names may have been bound or deleted by something we did not follow

    def get(self, name: str) -> Any:
        """The value bound to ``name`` at module level, DELETED, MAYBE, or None where it is not bound."""
        found = self.vars.get(name)
        if found is not None:
            if found is not DELETED:
                return found if found is MAYBE else self.heap.current(found)
            return unknown() if self.uncertain else DELETED
        if name in self.namespace:
            if self.uncertain:
                return unknown(reach=(self.namespace[name],))
            return self.heap.wrap(self.namespace[name])
        return unknown() if self.uncertain else None

    def builtin(self, name: str) -> Any:
        """The builtin of that name, or None."""
        table = self.namespace.get("__builtins__", builtins)
        if isinstance(table, dict):
            return exact(table[name]) if name in table else None
        return exact(getattr(table, name)) if name in vars(table) else None

    def bound(self, name: str) -> bool:
        found = self.vars.get(name)
        return found is not DELETED and (found is not None or name in self.namespace)


class Names:
    """Which names of a function are local, global or nonlocal, and whether it is a generator. Computed from its syntax."""

    def __init__(self, node: FunctionNode) -> None:
        self.locals: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.is_generator = False
        self.deferred = isinstance(node, ast.AsyncFunctionDef)
        arguments = node.args
        for arg in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
            if arg is not None:
                self.locals.add(arg.arg)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        for statement in body:
            self._scan(statement)
        self.locals -= self.globals | self.nonlocals

    def _scan(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.locals.add(node.name)
            outside: list[Any] = list(node.decorator_list)
            if isinstance(node, ast.ClassDef):
                outside += node.bases + [keyword.value for keyword in node.keywords]
            else:
                outside += node.args.defaults + [default for default in node.args.kw_defaults if default is not None]
            for child in outside:
                self._scan(child)
            return
        if isinstance(node, ast.Lambda):
            for default in node.args.defaults + [d for d in node.args.kw_defaults if d is not None]:
                self._scan(default)
            return
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            self._scan(node.generators[0].iter)
            for inner in ast.walk(node):
                if isinstance(inner, ast.NamedExpr):
                    self.locals.add(inner.target.id)
            return
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            self.is_generator = True
        elif isinstance(node, ast.Global):
            self.globals.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            self.nonlocals.update(node.names)
        else:
            name = name_bound_by(node)
            if name is not None and name != "*":
                self.locals.add(name)
        for child in ast.iter_child_nodes(node):
            self._scan(child)


def name_bound_by(node: ast.AST) -> str | None:
    """The name that this node itself binds or deletes when it runs; ``*`` for a star import, None for no name."""
    if isinstance(node, ast.Name):
        return None if isinstance(node.ctx, ast.Load) else node.id
    if isinstance(node, ast.alias):
        return (node.asname or node.name).partition(".")[0]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)):
        return node.name
    if type(node).__name__ in ("MatchAs", "MatchStar"):
        return getattr(node, "name", None)
    return getattr(node, "rest", None) if type(node).__name__ == "MatchMapping" else None


def same(left: Any, right: Any) -> bool:
    """Whether two bindings are certainly the same value (identical object, or equal atoms of one type)."""
    if left is right:
        return True
    if isinstance(left, Value) and isinstance(right, Value) and left.kind == right.kind and not left.unknown:
        if left.obj is right.obj:
            return True
        return (
            left.exact
            and type(left.obj) is type(right.obj)
            and type(left.obj) in (int, str, bool, bytes, float)
            and left.obj == right.obj
        )
    return False
