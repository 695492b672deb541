"""``%time STATEMENT`` read as the statement that it runs.

IPython turns the line into a call that gets the statement as text; at the top level of a cell it runs in the notebook's
namespace, and what it raises ends the cell. So the statement takes the place of the call. Before IPython 9.4 the magic
shows an error and then goes on as if nothing had been: `time_raises` tells the two apart.
"""

from __future__ import annotations

import ast
import types
from typing import Any, Optional


class _Inline(ast.NodeTransformer):
    """Works on the statements of the module itself and of its compound statements, never inside functions or classes."""

    def __init__(self, typed: list[str]) -> None:
        self.typed = typed

    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef

    def visit_Expr(self, node: ast.Expr) -> object:
        body = self._inner(node.value)
        return node if body is None else body

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        body = self._inner(node.value)
        if body is not None and len(body) == 1 and isinstance(body[0], ast.Expr):
            node.value = body[0].value
        return node

    def _inner(self, call: ast.expr) -> Optional[list[ast.stmt]]:
        text = timed_text(call)
        if text is None:
            return None
        try:
            body = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        row = self.typed[call.lineno - 1] if 0 < call.lineno <= len(self.typed) else ""
        at = len(row[: row.index(text)].encode()) if text in row else None
        for node in (inner for statement in body for inner in ast.walk(statement)):
            _place(node, call, at)
        return body or None


def _place(node: Any, call: ast.expr, at: Optional[int]) -> None:
    """Move a node of the statement to where it stands in the cell; ``at``: bytes before it, None where that is unknown."""
    if not hasattr(node, "lineno"):
        return
    if at is None:
        ast.copy_location(node, call)
        return
    node.lineno = node.end_lineno = call.lineno
    node.col_offset += at
    node.end_col_offset += at


def timed_text(call: ast.AST) -> Optional[str]:
    """The statement of ``get_ipython().run_line_magic('time', '…')``; None for any other expression, or with options."""
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "run_line_magic"):
        return None
    shell = call.func.value
    if not (isinstance(shell, ast.Call) and isinstance(shell.func, ast.Name) and shell.func.id == "get_ipython"):
        return None
    given = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    if call.keywords or len(given) != len(call.args) or len(given) != 2 or given[0] != "time":
        return None
    text = given[1]
    if not isinstance(text, str) or text.lstrip().startswith(("-", "%", "!", "?")) or "\n" in text:
        return None
    return text


def inline_timed(tree: ast.Module, source: str) -> ast.Module:
    """``tree`` with the statements of its ``%time`` lines in their place; ``source`` is the cell as typed."""
    if "time" not in source:
        return tree
    done: ast.Module = _Inline(source.splitlines()).visit(tree)
    return done


def time_raises(shell: Any) -> bool:
    """Whether an error inside ``%time`` and ``%%time`` ends the cell; False also where the magic is not IPython's own."""
    import IPython

    if IPython.version_info[:2] < (9, 4):
        return False
    manager = getattr(shell, "magics_manager", None)
    return manager is None or all(_own(manager.magics[kind].get("time")) for kind in ("line", "cell"))


def _own(magic: Any) -> bool:
    home = "IPython.core.magics.execution"
    if type(magic) is types.MethodType:
        return magic.__func__.__module__ == home
    # A stand-in for a magic that is not loaded yet says in ``spec`` where it will come from.
    return type(magic).__module__ == "IPython.core.magic" and str(vars(magic).get("spec", "")).startswith(home)
