"""What a crash says is missing: the column, key or attribute named in an exception's message."""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`([^`]*)`")
_LISTED = re.compile(r"^\s*- (.+)$", re.M)
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_ATTRIBUTE = re.compile(r"has no attribute '([^']+)'")
_MOST = 20


class Missing(NamedTuple):
    """``labels`` are looked for among columns, keys and attributes; ``fit`` is true when a fitted object is missing."""

    labels: list[Any]
    fit: bool


def missing_in(finding: Any) -> Missing:
    """Labels that a finding (the object or its JSON form) names as missing; empty where it names none."""
    exception = _get(finding, "exception")
    message = _get(finding, "message")
    if not isinstance(exception, str) or not isinstance(message, str):
        return Missing([], False)
    if exception == "NotFittedError":
        return Missing([], True)
    if exception == "AttributeError":
        found = _ATTRIBUTE.search(message)
        if found is None or message.startswith("'NoneType'"):
            return Missing([], False)
        name = found.group(1)
        return Missing([name], name.endswith("_") and not name.startswith("_"))
    if exception == "KeyError":
        return Missing(_key(message), False)
    if exception in ("ValueError", "IndexError", "UndefinedVariableError", "TypeError"):
        return Missing(_dedupe([*_LISTED.findall(message), *_quoted(message)]), False)
    return Missing([], False)


def _get(finding: Any, field: str) -> Any:
    return finding.get(field) if isinstance(finding, dict) else getattr(finding, field, None)


def _key(message: str) -> list[Any]:
    """``str(KeyError(x))`` is ``repr(x)``, where x may itself be pandas' sentence about several labels."""
    try:
        value = ast.literal_eval(message)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = message
    if not isinstance(value, str):
        return [value, *(value if isinstance(value, tuple) else ())]
    if not re.search(r"not in index|not found in axis|are in the \[|not found|does not exist", value):
        return [value]
    found: list[Any] = [value] if value == message else []
    for part in _BRACKETS.findall(value):
        try:
            found.extend(ast.literal_eval(part))
        except (ValueError, SyntaxError, TypeError):
            continue
    found.extend(_quoted(value))
    if not found and ":" in value:
        found.append(value.rpartition(":")[2].strip())
    return _dedupe(found)


def _quoted(text: str) -> list[Any]:
    return [next(part for part in groups if part) for groups in _QUOTED.findall(text) if any(groups)]


def _dedupe(labels: list[Any]) -> list[Any]:
    kept: list[Any] = []
    for label in labels:
        if label not in kept and label not in ("object", "str", "int64", "float64"):
            kept.append(label)
    return kept[:_MOST]
