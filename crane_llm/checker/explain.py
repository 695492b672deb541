"""From a raise to a finding: place, message, blame, rule, suggestion."""

from __future__ import annotations

import ast
from typing import Any

from ..cell import Cell
from .finding import Finding
from .models.builtins.shared import own_method
from .purity.survey import is_own
from .rules import rule_for
from .values import Abandon, OutOfBudget, Raised, exact

# Exceptions whose words are those of what they hold.
_PLAIN_ERRORS = (KeyError, ValueError, TypeError, IndexError, RuntimeError, AssertionError, Exception, LookupError)


class _Said:
    """Stands for an object of the notebook's class whose words are known."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def finding_of(raised: Raised, cell: Cell, interpreter: Any) -> Finding | None:
    """The finding for an uncaught raise; None where its message is not known or it is no crash (SystemExit, KeyboardInterrupt)."""
    error = raised.error
    if error is None or isinstance(error, (SystemExit, KeyboardInterrupt, GeneratorExit)):
        return None
    event = raised.event
    message = message_of(error, interpreter)
    if message is None:
        return None
    if any(is_own(type(arg)) for arg in error.args):
        error = type(error)(_Said(message))  # from here on nothing asks the person's object
    node = event.outer if event.outer is not None else event.node
    line, column, end_line, end_column = span(node, cell)
    rule = rule_for(event, error)
    reasoning = ""
    suggestion = None
    if rule is not None:
        reasoning = _safely(lambda: rule.explain(event, error)) or ""
        text = _safely(lambda: rule.suggest(event, error))
        if text and node is event.node:
            suggestion = _replacement(text, event, node, cell)
    return Finding(
        exception=type(error).__name__,
        message=message,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        reasoning=reasoning or plain_reason(event, error, message),
        variables=blamed(node, event, interpreter),
        rule=rule.code if rule is not None else f"python.{event.op}",
        suggestion=suggestion,
        mechanism=mechanism_of(event),
    )


def mechanism_of(event: Any) -> str:
    """By which means the crash was known: the operation, what it was done on, and whether a function of the notebook led there."""
    domains = [v.domain for v in [*event.operands, *event.args, *event.kwargs.values()] if v is not None and v.domain]
    text = str(event.mechanism)
    if domains:
        text += f" on a stand-in ({domains[0].name})"
    return text if event.outer is None or event.outer is event.node else f"{text}, inside a notebook function"


def message_of(error: BaseException, interpreter: Any) -> str | None:
    """What ``str(error)`` will be; None where that would run the person's code or is not to be had."""
    for base in type(error).__mro__:
        if "__str__" in vars(base) or "__repr__" in vars(base):
            if base.__module__ == "__main__":
                return None
            break
    if interpreter.surveyor.look(list(error.args)).own:
        return _message_of_own(error, interpreter)
    try:
        return str(error)
    except BaseException:  # an argument that cannot be shown
        return None


def _message_of_own(error: BaseException, interpreter: Any) -> str | None:
    """What an object of the notebook's class says of itself where it is all that the exception holds: its method is interpreted."""
    if len(error.args) != 1 or type(error) not in _PLAIN_ERRORS:
        return None
    owner = exact(error.args[0])
    try:
        for name in ("__repr__",) if isinstance(error, KeyError) else ("__str__", "__repr__"):
            method = own_method(interpreter, owner, name)
            if method is not None:
                text = interpreter.call_value(exact(method), [owner], {}, None)
                return text.obj if text.exact and type(text.obj) is str else None
        return str(error)
    except (Abandon, OutOfBudget, Raised):
        return None


def plain_reason(event: Any, error: BaseException, message: str) -> str:
    """A sentence where no rule has a better one."""
    what = {
        "call": "The call",
        "attribute": "Reading the attribute",
        "item": "The item access",
        "binary": "The operator",
        "compare": "The comparison",
        "iterate": "The iteration",
        "unpack": "Unpacking",
        "import": "The import",
        "raise": "The code",
        "assert": "The assertion",
        "truth": "Using the value as a condition",
        "store": "The assignment",
        "delete": "The deletion",
        "format": "Formatting",
        "name": "Reading the name",
    }.get(event.op, "The operation")
    return f"{what} raises {type(error).__name__} with the values that are in the kernel now."


def span(node: Any, cell: Cell) -> tuple[int, int, int, int]:
    """(line, column, end line, end column) of a node in the cell as typed; columns in characters."""
    if node is None or not hasattr(node, "lineno"):
        return 1, 0, 1, 0
    lines = cell.code.splitlines()

    def column(lineno: int, offset: int) -> int:
        if not 0 < lineno <= len(lines):
            return offset
        return len(lines[lineno - 1].encode("utf-8")[:offset].decode("utf-8", "ignore"))

    end_line = getattr(node, "end_lineno", None) or node.lineno
    end_offset = getattr(node, "end_col_offset", None) or node.col_offset
    return (
        cell.line(node.lineno),
        column(node.lineno, node.col_offset),
        cell.line(end_line),
        column(end_line, end_offset),
    )


def blamed(node: Any, event: Any, interpreter: Any) -> list[str]:
    """The names in the failing expression that the kernel or the cell has bound, those nearest to the failure first."""
    if event.op == "name" and event.name:
        return [event.name]
    names: dict[str, None] = {}
    if node is None:
        return []
    first = node
    while isinstance(first, (ast.Attribute, ast.Subscript, ast.Call)):
        first = first.func if isinstance(first, ast.Call) else first.value
    if isinstance(first, ast.Name):
        names[first.id] = None
    if isinstance(node, (ast.If, ast.While, ast.For, ast.With)):
        node = getattr(node, "test", None) or getattr(node, "iter", None) or node.items[0].context_expr  # type: ignore[attr-defined]
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            names.setdefault(child.id, None)
    out = []
    for name in names:
        import types

        live = interpreter.namespace.get(name)
        if name in interpreter.module_scope.vars or name in interpreter.namespace:
            if not isinstance(live, types.ModuleType):
                out.append(name)
    return out[:6]


def _replacement(text: str, event: Any, node: Any, cell: Cell) -> dict[str, Any]:
    target = node
    if event.op == "attribute" and isinstance(node, ast.Attribute):
        line, _, end_line, end_column = span(node, cell)
        line = end_line
        column = end_column - len(node.attr)
    else:
        if event.op == "item" and isinstance(node, ast.Subscript):
            target = node.slice
        line, column, end_line, end_column = span(target, cell)
    return {
        "title": f"Change to {text}",
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "text": text,
    }


def _safely(thunk: Any) -> Any:
    """A rule's words are a courtesy: a fault in them must not cost the finding."""
    try:
        return thunk()
    except Exception:
        return None
