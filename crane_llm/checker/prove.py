"""Functions of the notebook that are proven pure, so that they may be run for real on many elements.

The prover is conservative: parameters, constants and known plain values; arithmetic, comparisons, conditions, f-strings; a list of
built-in functions and of methods of text; no loop, no attribute of anything else, nothing that could take unbounded time. What it
proves is compiled anew from its source with exactly the names that it uses, so the notebook's own function is never called.
"""

from __future__ import annotations

import ast
import builtins
import math
import types
from typing import Any

from .scope import MAYBE
from .values import ATOMS

_BUILTINS = frozenset("len int float str bool abs round min max isinstance ord chr sum sorted type".split())
_METHODS = frozenset(
    """lower upper strip lstrip rstrip split rsplit startswith endswith replace title capitalize isdigit isalpha isnumeric isalnum isupper islower find rfind
    count index join swapcase casefold splitlines partition rpartition get keys values items removeprefix removesuffix""".split()
)
_MATH = frozenset("sqrt log log2 log10 log1p exp floor ceil sin cos tan fabs isnan isinf pow radians degrees".split())
_NODES = (
    ast.Expression, ast.Lambda, ast.arguments, ast.arg, ast.Name, ast.Load, ast.Store, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp,
    ast.Call, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.JoinedStr, ast.FormattedValue, ast.keyword,
    ast.FunctionDef, ast.Return, ast.If, ast.Assign, ast.Expr, ast.Pass, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
STEP_SECONDS = 1.2e-7  # of one node of a proven function, generously
ROW_SECONDS = 6e-5  # of one row of a frame that is handed over as a series, and of one access to it
SMALL = 2_000  # nodes × elements that are interpreted in any case: interpretation tells the place better


def prove(interpreter: Any, func: Any) -> tuple[Any, int] | None:
    """(a real function that does the same, number of its nodes), or None. ``func`` is an interpreted function."""
    node = func.node
    if isinstance(node, ast.FunctionDef) and (
        node.decorator_list or func.names.is_generator or func.names.deferred or func.names.globals
    ):
        return None
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
        return None
    own = {a.arg for a in arguments.args}
    parts = [n for n in ast.walk(node) if not isinstance(n, ast.expr_context)]
    if len(parts) > 300 or not all(isinstance(n, _NODES) for n in parts):
        return None
    if sum(isinstance(n, ast.Pow) for n in parts) > 2 or sum(isinstance(n, ast.Mult) for n in parts) > 4:
        return None  # numbers or texts could grow without bound
    if isinstance(node, ast.FunctionDef):
        own |= {n.id for n in parts if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if any(isinstance(n, (ast.FunctionDef, ast.Lambda)) and n is not node for n in parts):
            return None
        if any(
            isinstance(t, (ast.Subscript, ast.Attribute)) for n in parts if isinstance(n, ast.Assign) for t in n.targets
        ):
            return None
    free: dict[str, Any] = {}
    if not all(_allowed(interpreter, func, n, own, free) for n in parts):
        return None
    made = _compile(node, free)
    return None if made is None else (made, len(parts))


def real_function(interpreter: Any, func: Any, objects: list[Any]) -> Any:
    """``func`` (an interpreted function), or a proven real one in its place where library code is to call it on much data."""
    most, per_row = 0, 0.0
    for obj in objects:
        shape = getattr(obj, "shape", None)
        if type(shape) is tuple and shape:
            most = max(most, int(shape[0]))
            per_row = max(per_row, ROW_SECONDS if len(shape) > 1 else 0.0)
        elif isinstance(obj, (list, tuple)):
            most = max(most, len(obj))
    if most < 20:
        return func
    found = prove(interpreter, func)
    if found is None or most * found[1] < SMALL:
        return func
    made, nodes = found
    return (
        made if interpreter.budget.affords(most * (nodes * STEP_SECONDS + 3e-7 + per_row * (1 + nodes / 10))) else func
    )


def _allowed(interpreter: Any, func: Any, node: ast.AST, own: set[str], free: dict[str, Any]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in own or _free_name(interpreter, func, node.id, free)
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id not in own:
            module = _outer(interpreter, func, node.value.id)
            return (
                module is math
                and node.attr in _MATH
                or _is_numpy(module)
                and node.attr in _MATH | {"nan", "pi", "isnan", "inf"}
            )
        return node.attr in _METHODS
    if isinstance(node, ast.Call):
        if node.keywords and not (
            isinstance(node.func, ast.Name) and node.func.id in ("round", "int", "str", "sorted")
        ):
            return False
        if any(keyword.arg is None or keyword.arg == "key" for keyword in node.keywords):
            return False
        return isinstance(node.func, (ast.Name, ast.Attribute))
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, (ast.Pow, ast.LShift, ast.MatMult)):
            return (
                isinstance(node.op, ast.Pow)
                and isinstance(node.right, ast.Constant)
                and isinstance(node.right.value, (int, float))
                and abs(node.right.value) <= 8
            )
        if isinstance(node.op, ast.Mult):
            return any(
                isinstance(side, ast.Constant) and isinstance(side.value, (int, float)) and abs(side.value) <= 1_000
                for side in (node.left, node.right)
            )
        if isinstance(node.op, ast.Mod):
            return not (isinstance(node.left, ast.Constant) and isinstance(node.left.value, str))
    if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        text = (
            "".join(str(p.value) for p in node.format_spec.values if isinstance(p, ast.Constant))
            if isinstance(node.format_spec, ast.JoinedStr)
            else ""
        )
        return len(text) <= 4 and all(isinstance(p, ast.Constant) for p in node.format_spec.values)  # type: ignore[attr-defined]
    return True


def _outer(interpreter: Any, func: Any, name: str) -> Any:
    """The exact object that a free name of ``func`` means now, or None."""
    scope = func.closure
    while scope is not None and scope is not func.globals:
        if name in scope.vars:
            value = scope.vars[name]
            return value.obj if getattr(value, "exact", False) else None
        scope = scope.parent
    found = func.globals.get(name)
    if found is MAYBE:
        return MAYBE
    if found is None or not getattr(found, "exact", False):
        return None
    return interpreter.heap.resolve(found.obj)


def _free_name(interpreter: Any, func: Any, name: str, free: dict[str, Any]) -> bool:
    obj = _outer(interpreter, func, name)
    if obj is None:
        if (
            name in _BUILTINS
            and func.globals.builtin(name) is not None
            and getattr(func.globals.builtin(name), "obj", None) is getattr(builtins, name)
        ):
            free[name] = getattr(builtins, name)
            return True
        return False
    kind = type(obj)
    if kind in ATOMS or isinstance(obj, types.ModuleType) and (obj is math or _is_numpy(obj)):
        free[name] = obj
        return True
    if kind in (dict, list, tuple, set, frozenset) and len(obj) <= 10_000 and not interpreter.heap.is_dirty(obj):
        items = [*obj, *obj.values()] if kind is dict else obj
        if all(type(item) in ATOMS for item in items):
            free[name] = obj
            return True
    return False


def _is_numpy(obj: Any) -> bool:
    return isinstance(obj, types.ModuleType) and obj.__name__ == "numpy"


def _compile(node: Any, free: dict[str, Any]) -> Any:
    import copy

    namespace = {"__builtins__": {}, **free}
    try:
        if isinstance(node, ast.Lambda):
            return eval(
                compile(ast.fix_missing_locations(ast.Expression(copy.deepcopy(node))), "<crane>", "eval"), namespace
            )
        plain = copy.deepcopy(node)
        plain.returns = None
        for argument in plain.args.args:
            argument.annotation = None
        exec(compile(ast.fix_missing_locations(ast.Module([plain], [])), "<crane>", "exec"), namespace)
        return namespace[node.name]
    except Exception:  # not to be compiled by itself
        return None
