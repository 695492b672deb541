"""The source of the notebook's functions, as the kernel ran it.

IPython keeps each cell's text under the file name that its code objects carry. Nothing else is read: a function whose text is not
there, or whose place in it is ambiguous, has no source.
"""

from __future__ import annotations

import ast
import linecache
import types
from typing import Any

_trees: dict[tuple[str, int], ast.Module | None] = {}


def find_source(func: types.FunctionType) -> Any:
    """The ``FunctionDef`` or ``Lambda`` node of a live function, or None."""
    code = func.__code__
    tree = _tree(code.co_filename)
    if tree is None:
        return None
    wanted = ast.Lambda if code.co_name == "<lambda>" else (ast.FunctionDef, ast.AsyncFunctionDef)
    candidates = []
    for node in ast.walk(tree):
        if not isinstance(node, wanted):
            continue
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        if first == code.co_firstlineno and getattr(node, "name", "<lambda>") == code.co_name:
            candidates.append(node)
    if len(candidates) > 1:
        candidates = [node for node in candidates if _same_code(node, code)]
        if len({ast.dump(node) for node in candidates}) > 1:
            return None
    return candidates[0] if candidates else None


def _tree(filename: str) -> ast.Module | None:
    lines = linecache.cache.get(filename)
    if lines is None or len(lines) < 3:
        return None
    text = "".join(lines[2])
    key = (filename, hash(text))
    if key not in _trees:
        if len(_trees) > 200:
            _trees.clear()
        try:
            _trees[key] = compile(
                text, filename, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True
            )
        except (SyntaxError, ValueError):
            _trees[key] = None
    return _trees[key]


def _same_code(node: Any, code: types.CodeType) -> bool:
    """Whether a node compiles to the code of the function (constants and names included)."""
    try:
        if isinstance(node, ast.Lambda):
            made = compile(ast.Expression(node), "<crane>", "eval")
        else:
            made = compile(ast.Module([node], []), "<crane>", "exec")
    except (SyntaxError, ValueError):
        return False
    for const in made.co_consts:
        if isinstance(const, types.CodeType) and const.co_name == code.co_name:
            if (
                const.co_varnames != code.co_varnames
                or const.co_consts[-1:] != code.co_consts[-1:]
                and len(const.co_consts) != len(code.co_consts)
            ):
                continue
            if set(const.co_names) <= set(code.co_names) | set(code.co_freevars):
                return _constants(const) == _constants(code)
    return False


def _constants(code: types.CodeType) -> list[Any]:
    return [c if not isinstance(c, types.CodeType) else "code" for c in code.co_consts]
