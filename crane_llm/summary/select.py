"""What a cell uses: names, the paths that it reaches through attributes and items, the labels that it asks objects for.

Works on the syntax tree alone; resolving a path on live objects is in `paths`.
"""

from __future__ import annotations

import ast
import builtins
import symtable
import types
from collections.abc import Iterator
from typing import Any

from . import safe

_HIDDEN = frozenset({"In", "Out", "exit", "quit", "get_ipython", "display", "__name__", "__builtins__", "__builtin__"})
MAX_FUNCTIONS = 30
_COLUMN_ARGUMENTS = {
    "groupby": (0, ("by",)),
    "sort_values": (0, ("by",)),
    "set_index": (0, ("keys",)),
    "drop_duplicates": (0, ("subset",)),
    "pivot_table": (None, ("values", "index", "columns")),
    "pop": (0, ()),
    "nlargest": (1, ("columns",)),
    "explode": (0, ("column",)),
}


class Uses:
    """Findings on one cell and the notebook functions that it calls."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.missing: list[tuple[str, str | None]] = []  # name, and the function that reads it (None: the cell)
        self.words: list[str] = []
        self.attributes: list[str] = []
        self.called: set[str] = set()
        self.paths: list[ast.expr] = []
        self.asked: dict[str, tuple[list[Any], list[Any]]] = {}
        self.calls: list[ast.Call] = []
        self.imports: list[tuple[str, str, str]] = []  # name in the cell, module, name there
        self.written: dict[str, set[Any]] = {}
        self.touched: dict[
            str, tuple[int, int]
        ] = {}  # name -> where a call first gets it (it may gain attributes there)


def read(cell: Any, namespace: dict[str, Any], used: list[str]) -> Uses:
    """Collect what a cell (as ``read_cell`` gives it) uses. ``used`` are the live names that it reads, in order."""
    uses = Uses()
    tree = cell.tree
    loads, local, assigned = scopes(cell.code, cell.loads)
    assigned |= set(cell.stores)
    uses.names = [
        name
        for name in used
        if name not in _HIDDEN and not _builtin(name, namespace) and name in loads | _through(used, cell)
    ]
    for name in cell.loads:
        if (
            name in loads
            and name not in namespace
            and name not in assigned
            and not hasattr(builtins, name)
            and name not in _HIDDEN
        ):
            uses.missing.append((name, None))
    functions = [(name, namespace[name]) for name in uses.names if type(namespace[name]) is types.FunctionType][
        :MAX_FUNCTIONS
    ]
    for name, function in functions:
        if function.__globals__ is namespace:
            _from_code(function.__code__, uses)
            for inner in _globals_of(function.__code__):
                if inner not in namespace and inner not in assigned and not hasattr(builtins, inner):
                    uses.missing.append((inner, name))
    for name in uses.names:
        if safe.isinstance_of(namespace[name], type) and safe.is_notebook_class(namespace[name]):
            for method, member in list(safe.class_dict(namespace[name]).items())[:60]:
                if type(member) is types.FunctionType and method != "__init__":
                    _from_code(member.__code__, uses)
        elif safe.is_notebook_class(type(namespace[name])):
            _methods(namespace[name], uses)
    if tree is not None:
        _from_tree(tree, uses, local)
    uses.words = list(dict.fromkeys(uses.words))[:400]
    uses.attributes = list(dict.fromkeys(uses.attributes))[:400]
    uses.missing = list(dict.fromkeys(uses.missing))[:20]
    return uses


def scopes(code: str, loads: list[str]) -> tuple[set[str], set[str], set[str]]:
    """Names read from the kernel's namespace, names local to a function, lambda or comprehension, names that the cell itself binds."""
    try:
        table = symtable.symtable(code, "<cell>", "exec")
    except (SyntaxError, ValueError, RecursionError):  # top-level await, or no Python: the plain list of loads must do
        return set(loads), set(), set()
    reads: set[str] = set()
    local: set[str] = set()
    assigned: set[str] = set()
    stack = [table]
    while stack:
        current = stack.pop()
        stack += current.get_children()
        for symbol in current.get_symbols():
            if current is table or symbol.is_global():
                if symbol.is_referenced():
                    reads.add(symbol.get_name())
                if symbol.is_assigned() or symbol.is_imported():
                    assigned.add(symbol.get_name())
            elif symbol.is_local() or symbol.is_parameter():
                local.add(symbol.get_name())
    return set(loads) - (local - reads - assigned), local, assigned


def _through(used: list[str], cell: Any) -> set[str]:
    """Names that only the notebook functions called by the cell read."""
    return set(used) - set(cell.loads)


def _builtin(name: str, namespace: dict[str, Any]) -> bool:
    return hasattr(builtins, name) and namespace.get(name) is getattr(builtins, name)


def _methods(value: Any, uses: Uses) -> None:
    """Attributes that the methods of a notebook object's class read (``self.model``)."""
    for cls in safe.mro(value):
        if safe.is_notebook_class(cls):
            for name, member in list(safe.class_dict(cls).items())[:60]:
                if type(member) is types.FunctionType and name != "__init__":  # the constructor names all it sets
                    _from_code(member.__code__, uses)


def _from_code(code: types.CodeType, uses: Uses, level: int = 0) -> None:
    uses.attributes += list(code.co_names)
    uses.words += [constant for constant in code.co_consts if type(constant) is str and 0 < len(constant) <= 120]
    for constant in code.co_consts:
        if type(constant) is tuple:
            uses.words += [part for part in constant if type(part) is str and len(part) <= 120]
        elif type(constant) is types.CodeType and level < 3:
            _from_code(constant, uses, level + 1)


def _globals_of(code: types.CodeType) -> list[str]:
    """Names that a code object reads as globals."""
    import dis

    return [instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "LOAD_GLOBAL"]


def _from_tree(tree: ast.AST, uses: Uses, local: set[str]) -> None:
    """Walk the cell statement by statement: a name is the kernel's until the cell has bound it."""
    uses.written = _written(tree)
    bound = set(local)
    for statement in getattr(tree, "body", []):
        stored = _stored(statement)
        simple = isinstance(
            statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Delete, ast.Assert)
        )
        _from_statement(statement, uses, bound if simple else bound | stored)
        bound |= stored


def _stored(statement: ast.stmt) -> set[str]:
    """Names that a statement binds."""
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
    return found


def _from_statement(statement: ast.stmt, uses: Uses, bound: set[str]) -> None:
    written = uses.written
    for node in _expressions(statement):
        if isinstance(node, ast.Constant) and type(node.value) is str and 0 < len(node.value) <= 120:
            uses.words.append(node.value)
        elif isinstance(node, ast.Attribute):
            uses.attributes.append(node.attr)
            if isinstance(node.ctx, ast.Load) and root_of(node) not in bound:
                uses.paths.append(node)
        elif isinstance(node, ast.Subscript):
            if isinstance(node.ctx, ast.Load) and root_of(node) not in bound:
                uses.paths.append(node)
                _ask_subscript(node, uses, written)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            uses.imports += [(alias.asname or alias.name, node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Call):
            uses.calls.append(node)
            for part in [node.func, *node.args, *(word.value for word in node.keywords)]:
                root = root_of(part)
                if root is not None:
                    uses.touched[root] = min(uses.touched.get(root, (1 << 30, 0)), (node.lineno, node.col_offset))
            if isinstance(node.func, ast.Name):
                uses.called.add(node.func.id)
            elif isinstance(node.func, ast.Attribute):
                text = ast.unparse(node.func)
                uses.called.add(text)
                if isinstance(node.func.value, ast.Name) and node.func.value.id not in bound:
                    _ask_call(node, node.func.value.id, uses, written)


def _expressions(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes in source order."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(list(ast.iter_child_nodes(node)))


def root_of(node: ast.expr) -> str | None:
    current: Any = node
    while isinstance(current, (ast.Attribute, ast.Subscript, ast.Call)):
        current = current.func if isinstance(current, ast.Call) else current.value
    return current.id if isinstance(current, ast.Name) else None


def _written(tree: ast.AST) -> dict[str, set[Any]]:
    """Item keys and attributes that the cell itself may write, by root name; ``None`` in a set means any."""
    found: dict[str, set[Any]] = {}
    for node in ast.walk(tree):
        target = (
            node if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load) else None
        )
        if target is not None:
            root = root_of(target)
            if root is not None:
                key = target.attr if isinstance(target, ast.Attribute) else _constant(target.slice)
                if isinstance(target, ast.Attribute) and target.attr in ("columns", "index", "name"):
                    key = None  # new labels for all
                found.setdefault(root, set()).add(key if safe.one_of(type(key), (str, int)) else None)
        elif isinstance(node, ast.Call):
            inplace = any(word.arg == "inplace" for word in node.keywords)
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if inplace or name in (
                "insert",
                "append",
                "update",
                "pop",
                "reset_index",
                "setdefault",
                "join",
                "merge",
                "assign",
            ):
                root = root_of(node)
                if root is not None and (inplace or name in ("insert", "update", "pop", "setdefault")):
                    found.setdefault(root, set()).add(None)
            for argument in node.args:  # a function that is handed the frame may add to it
                if (
                    isinstance(argument, ast.Name)
                    and isinstance(node.func, ast.Name)
                    and not hasattr(builtins, node.func.id)
                ):
                    found.setdefault(argument.id, set()).add(None)
    return found


def _constant(node: Any) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def _labels(node: Any) -> list[Any]:
    """Constant labels of an expression: one, or a list of them."""
    if isinstance(node, ast.Constant) and safe.one_of(type(node.value), (str, int)):
        return [node.value]
    if isinstance(node, (ast.List, ast.Tuple)):
        return [
            part.value
            for part in node.elts
            if isinstance(part, ast.Constant) and safe.one_of(type(part.value), (str, int))
        ]
    return []


def _ask(uses: Uses, root: str | None, which: int, labels: list[Any], written: dict[str, set[Any]]) -> None:
    if root is None or None in written.get(root, ()):
        return
    known = written.get(root, set())
    uses.asked.setdefault(root, ([], []))[which].extend(label for label in labels if label not in known)


def _ask_subscript(node: ast.Subscript, uses: Uses, written: dict[str, set[Any]]) -> None:
    inner = node.slice
    inner = getattr(inner, "value", inner) if type(inner).__name__ == "Index" else inner  # Python 3.8 trees
    if isinstance(node.value, ast.Name):
        _ask(
            uses,
            node.value.id,
            0,
            [label for label in _labels(inner) if type(label) is str] if not isinstance(inner, ast.Tuple) else [],
            written,
        )
    elif isinstance(node.value, ast.Attribute) and node.value.attr == "loc" and isinstance(node.value.value, ast.Name):
        rows, columns = (
            (inner.elts[0], inner.elts[1]) if isinstance(inner, ast.Tuple) and len(inner.elts) == 2 else (inner, None)
        )
        if not isinstance(inner, ast.Tuple) or columns is not None:
            _ask(uses, node.value.value.id, 1, _labels(rows), written)
            _ask(uses, node.value.value.id, 0, [label for label in _labels(columns) if type(label) is str], written)


def _ask_call(node: ast.Call, root: str, uses: Uses, written: dict[str, set[Any]]) -> None:
    """Labels handed to methods of frames whose meaning is known: ``drop``, ``groupby``, ``sort_values`` …"""
    assert isinstance(node.func, ast.Attribute)
    keywords = {word.arg: word.value for word in node.keywords if word.arg}
    own = {key: {part for part in parts if part is not None} for key, parts in written.items()}
    others = None in written.get(root, ()) and not ("inplace" in keywords and _only_call(root, written))
    if others or "errors" in keywords:
        return
    if node.func.attr == "drop":
        axis = (
            _constant(keywords.get("axis"))
            if "axis" in keywords
            else _constant(node.args[1])
            if len(node.args) > 1
            else 0
        )
        labels = _labels(node.args[0]) if node.args else _labels(keywords.get("labels"))
        _ask(uses, root, 0 if axis in (1, "columns") else 1, labels, own)
        _ask(uses, root, 0, _labels(keywords.get("columns")), own)
        _ask(uses, root, 1, _labels(keywords.get("index")), own)
    elif node.func.attr in _COLUMN_ARGUMENTS:
        position, words = _COLUMN_ARGUMENTS[node.func.attr]
        if position is not None and len(node.args) > position:
            _ask(uses, root, 0, [label for label in _labels(node.args[position]) if type(label) is str], own)
        for word in words:
            _ask(uses, root, 0, [label for label in _labels(keywords.get(word)) if type(label) is str], own)


def _only_call(root: str, written: dict[str, set[Any]]) -> bool:
    """An in-place call is the one write to this frame in the cell: what it asks for is asked of the frame as it is now."""
    return written.get(root) == {None}
