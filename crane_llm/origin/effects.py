"""What a cell's text says about the names it binds, changes and deletes, line by line. Nothing is run.

`read_effects` gives for one cell the list of `Effect`s of its straight and conditional code, the calls it makes of plain
functions, and the same for the bodies of the functions and classes it defines (which act only when called).
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any, NamedTuple, Optional

from .source import parse

BIND, UNBIND, WRITE, METHOD, CALL, LOOP = "bind", "unbind", "write", "method", "call", "loop"


class Effect(NamedTuple):
    """One line's effect on one name.

    ``act`` is `BIND` (assignment, import, definition, loop variable), `UNBIND` (``del name``), `WRITE` (item or attribute
    assigned or deleted, ``+=``), `METHOD` (a method called on it: ``method`` names it), `CALL` (passed to the function
    ``method`` at ``place``), `LOOP` (iterated over). ``branch`` lists the conditional statements around it as (line, arm):
    empty when the line surely runs once the cell gets there. ``value`` is the assigned expression, for following data.
    """

    name: str
    act: str
    line: int
    detail: str
    branch: tuple[tuple[int, str], ...] = ()
    method: str = ""
    place: Any = None
    inplace: bool = False
    label: Any = None
    value: Optional[ast.AST] = None


class Body(NamedTuple):
    """The effects of a cell, or of a function when it is called (``params`` then holds its parameters' names)."""

    effects: tuple[Effect, ...]
    functions: dict[str, Body]
    params: tuple[str, ...]
    local: frozenset
    readable: bool

    def of(self, name: str) -> list[Effect]:
        return [e for e in self.effects if e.name == name]


_EMPTY = Body((), {}, (), frozenset(), False)


@lru_cache(maxsize=256)
def read_effects(source: str) -> Body:
    """The effects of a cell's text. ``readable`` is False for text that could not be parsed. Never raises."""
    parsed = parse(source)
    if parsed.tree is None:
        return _EMPTY
    try:
        reader = _Reader(parsed.line)
        reader.block(parsed.tree.body)
        return Body(tuple(reader.effects), reader.functions, (), frozenset(), True)
    except RecursionError:
        return _EMPTY


def root_name(node: ast.AST) -> Optional[str]:
    """The name at the root of ``name.a[b].c``, or None."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def literal(node: Optional[ast.AST]) -> Any:
    """The value of a literal expression, or None."""
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def dotted(node: ast.AST) -> str:
    """``np.random.shuffle`` for such an expression; the parts after what is no name for others."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))


class _Reader:
    """Walks statements in order and collects effects."""

    def __init__(self, line: Any, scope: Optional[frozenset] = None) -> None:
        self.line = line
        self.effects: list[Effect] = []
        self.functions: dict[str, Body] = {}
        self.branch: tuple[tuple[int, str], ...] = ()

    def add(self, name: Optional[str], act: str, node: ast.AST, detail: str, **more: Any) -> None:
        if name is not None:
            self.effects.append(Effect(name, act, self.line(node.lineno), detail, self.branch, **more))  # type: ignore[attr-defined]

    def inside(self, node: ast.AST, arm: str, body: list[ast.stmt]) -> None:
        outer = self.branch
        self.branch = (*outer, (self.line(node.lineno), arm))  # type: ignore[attr-defined]
        self.block(body)
        self.branch = outer

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            self.expression(node.value)
            for target in node.targets:
                self.target(target, node, node.value)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.expression(node.value)
                self.target(node.target, node, node.value)
        elif isinstance(node, ast.AugAssign):
            self.expression(node.value)
            if isinstance(node.target, ast.Name):
                self.add(node.target.id, WRITE, node, "augmented assignment", method="+=", value=node.value)
            else:
                self.target(node.target, node, node.value)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                self.delete(target, node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                self.expression(decorator)
            for default in [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]:
                self.expression(default)
            self.add(node.name, BIND, node, "function defined")
            self.functions[node.name] = self.function(node)
        elif isinstance(node, ast.ClassDef):
            for base in [*node.bases, *(k.value for k in node.keywords), *node.decorator_list]:
                self.expression(base)
            for member in node.body:
                if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self.functions[f"{node.name}.{member.name}"] = self.function(member)
            self.add(node.name, BIND, node, "class defined")
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if alias.name != "*":
                    self.add((alias.asname or alias.name).partition(".")[0], BIND, node, "imported")
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.expression(node.iter)
            self.add(_plain(node.iter), LOOP, node, "looped over")
            outer = self.branch
            self.branch = (*outer, (self.line(node.lineno), "loop"))
            self.target(node.target, node, None)
            self.branch = outer
            self.inside(node, "loop", node.body)
            self.block(node.orelse)
        elif isinstance(node, ast.While):
            self.expression(node.test)
            self.inside(node, "loop", node.body)
            self.block(node.orelse)
        elif isinstance(node, ast.If):
            self.expression(node.test)
            self.inside(node, "if", node.body)
            self.inside(node, "else", node.orelse)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self.expression(item.context_expr)
                if item.optional_vars is not None:
                    self.target(item.optional_vars, node, item.context_expr)
            self.block(node.body)
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            self.inside(node, "try", node.body)  # type: ignore[attr-defined]
            for handler in node.handlers:  # type: ignore[attr-defined]
                outer = self.branch
                self.branch = (*outer, (self.line(node.lineno), f"except {handler.lineno}"))
                if handler.name:
                    self.add(handler.name, BIND, handler, "exception caught")
                    self.block(handler.body)
                    self.add(handler.name, UNBIND, handler, "deleted at the end of its except clause")
                else:
                    self.block(handler.body)
                self.branch = outer
            self.inside(node, "else", node.orelse)  # type: ignore[attr-defined]
            self.block(node.finalbody)  # type: ignore[attr-defined]
        elif type(node).__name__ == "Match":
            self.expression(node.subject)  # type: ignore[attr-defined]
            for case in node.cases:  # type: ignore[attr-defined]
                outer = self.branch
                self.branch = (*outer, (self.line(node.lineno), f"case {case.pattern.lineno}"))
                for part in ast.walk(case.pattern):
                    for field in ("name", "rest"):
                        if isinstance(getattr(part, field, None), str):
                            self.add(getattr(part, field), BIND, part, "bound by a pattern")
                self.block(case.body)
                self.branch = outer
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.expression(child)

    def target(self, node: ast.AST, at: ast.AST, value: Optional[ast.AST]) -> None:
        """The target of an assignment."""
        if isinstance(node, ast.Name):
            detail = "loop variable" if isinstance(at, (ast.For, ast.AsyncFor)) else _assigned(value)
            self.add(node.id, BIND, at, detail, value=value)
        elif isinstance(node, (ast.Tuple, ast.List)):
            parts = (
                value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(node.elts) else None
            )
            for place, part in enumerate(node.elts):
                self.target(part, at, parts[place] if parts is not None else value)
        elif isinstance(node, ast.Starred):
            self.target(node.value, at, value)
        elif isinstance(node, (ast.Subscript, ast.Attribute)):
            label, detail = _place(node, "assigned")
            self.add(root_name(node), WRITE, at, detail, method="=", label=label, value=value)
            self.expression(node.value)

    def delete(self, node: ast.AST, at: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self.add(node.id, UNBIND, at, "deleted")
        elif isinstance(node, (ast.Tuple, ast.List)):
            for part in node.elts:
                self.delete(part, at)
        elif isinstance(node, (ast.Subscript, ast.Attribute)):
            label, detail = _place(node, "deleted")
            self.add(root_name(node), WRITE, at, detail, method="del", label=label)

    def expression(self, node: ast.AST) -> None:
        """Calls and walrus targets inside an expression, in evaluation order (arguments before the call)."""
        if isinstance(node, (ast.Lambda,)):
            return  # acts when called
        for place, child in enumerate(ast.iter_child_nodes(node)):
            if isinstance(child, (ast.expr, ast.keyword, ast.comprehension)):
                outer = self.branch
                if _may_not_run(node, child, place):
                    self.branch = (*outer, (self.line(getattr(node, "lineno", 1)), f"part {place}"))
                self.expression(child)
                self.branch = outer
        if isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name):
            self.add(node.target.id, BIND, node, _assigned(node.value), value=node.value)
        elif isinstance(node, ast.comprehension):
            name = _plain(node.iter)
            if name is not None:
                self.add(name, LOOP, node.iter, "looped over")
        elif isinstance(node, ast.Call):
            self.call(node)

    def call(self, node: ast.Call) -> None:
        inplace = any(k.arg == "inplace" and literal(k.value) is True for k in node.keywords)
        if isinstance(node.func, ast.Attribute):
            method = node.func.attr
            direct = isinstance(node.func.value, ast.Name)
            text = f"{method}(inplace=True)" if inplace else f"{method}()"
            self.add(
                root_name(node.func.value),
                METHOD,
                node,
                text,
                method=method,
                place=direct,
                inplace=inplace,
                label=_dropped(node),
                value=node,
            )
            function = dotted(node.func)
        elif isinstance(node.func, ast.Name):
            function = node.func.id
            self.add(function, CALL, node, f"{function}() called", method=function, place="callee", value=node)
        else:
            return
        for place, argument in enumerate(node.args):
            name = _plain(argument)
            if name is not None:
                self.add(name, CALL, node, f"passed to {function}()", method=function, place=place, value=node)
        for keyword in node.keywords:
            name = _plain(keyword.value)
            if name is not None:
                self.add(name, CALL, node, f"passed to {function}()", method=function, place=keyword.arg, value=node)

    def function(self, node: Any) -> Body:
        """The effects of a function's body on its parameters and on the notebook's globals."""
        inner = _Reader(self.line)
        inner.block(node.body)
        args = node.args
        params = tuple(a.arg for a in [*getattr(args, "posonlyargs", []), *args.args, *args.kwonlyargs])
        outer = {n for s in ast.walk(node) if isinstance(s, (ast.Global, ast.Nonlocal)) for n in s.names}
        bound = {e.name for e in inner.effects if e.act in (BIND, UNBIND)}
        bound |= {e.name for e in inner.effects if e.method == "+="}
        extra = {a.arg for a in (args.vararg, args.kwarg) if a is not None}
        local = frozenset((bound - outer) | set(params) | extra)
        return Body(tuple(inner.effects), inner.functions, params, local, True)


def _may_not_run(node: ast.AST, child: ast.AST, place: int) -> bool:
    """Whether a part of an expression may be skipped when the expression is evaluated."""
    if isinstance(node, ast.IfExp):
        return child is not node.test
    if isinstance(node, ast.BoolOp):
        return child is not node.values[0]
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return not isinstance(child, ast.comprehension)
    return False


def _plain(node: ast.AST) -> Optional[str]:
    """The name of an argument that is a name, or reaches one's parts (``df['a']``, ``model.layers``)."""
    return root_name(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Starred)) else None


def _assigned(value: Optional[ast.AST]) -> str:
    """Words for an assignment whose value says something by itself."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if any(k.arg == "inplace" and literal(k.value) is True for k in value.keywords):
            return f"assigned the result of {value.func.attr}(inplace=True), which is None"
    if isinstance(value, ast.Constant) and value.value is None:
        return "assigned None"
    return "assigned"


def _place(node: Any, verb: str) -> tuple[Any, str]:
    """The label that an item or attribute target names, when it is written out, and words for it."""
    if isinstance(node, ast.Attribute):
        return node.attr, f"attribute {node.attr!r} {verb}"
    label = literal(node.slice)
    if isinstance(label, (str, int, float, tuple)):
        return label, f"item {label!r} {verb}"
    return None, f"items {verb}"


def _dropped(node: ast.Call) -> Any:
    """Labels written out in the arguments of ``drop``, ``pop``, ``rename``, ``set_index`` (a tuple of them), or None."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in (
        "drop",
        "pop",
        "rename",
        "set_index",
        "filter",
    ):
        return None
    found: list[Any] = []
    for argument in [*node.args, *(k.value for k in node.keywords if k.arg not in ("axis", "inplace", "errors"))]:
        value = literal(argument)
        if isinstance(value, (dict, list, tuple, set)):
            found.extend(value)
        elif isinstance(value, (str, int, float)):
            found.append(value)
    return tuple(found) or None


def names_read(node: Optional[ast.AST]) -> list[str]:
    """Names that an expression reads, in order, each once."""
    if node is None:
        return []
    names = [(n.lineno, n.col_offset, n.id) for n in ast.walk(node) if isinstance(n, ast.Name)]
    return list(dict.fromkeys(name for _, _, name in sorted(names)))
