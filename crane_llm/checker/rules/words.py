"""Words and comparisons that several rules share."""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterable
from typing import Any


def nearest(name: Any, candidates: Iterable[Any], cutoff: float = 0.6) -> str | None:
    """The candidate that looks most like ``name``, or None. Case and underscores count little."""
    if not isinstance(name, str):
        return None
    options = [c for c in candidates if isinstance(c, str)][:2_000]
    plain = {_plain(c): c for c in reversed(options)}
    if _plain(name) in plain:
        return plain[_plain(name)]
    found = difflib.get_close_matches(name, options, 1, cutoff)
    return found[0] if found else None


def _plain(name: str) -> str:
    return "".join(ch for ch in name.lower() if ch.isalnum())


def short(value: Any, most: int = 60) -> str:
    """A text for a value of a harmless type, cut to ``most`` characters; the type's name for any other."""
    if isinstance(value, (str, int, float, bool, bytes, type(None))):
        text = repr(value)
        return text if len(text) <= most else text[: most - 1] + "…"
    return type(value).__name__


def kind_of(value: Any) -> str:
    """How to call the kind of a checker's value in a sentence: ``a list``, ``None``, ``an int``."""
    if value is not None and value.exact and value.obj is None:
        return "None"
    kind = value.known_type if value is not None else None
    if kind is None:
        return "a value"
    if kind is types.ModuleType:
        return f"the module {value.obj.__name__}" if value.exact else "a module"
    name = kind.__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def sentence(text: str) -> str:
    """``text`` as the beginning of a sentence; unlike ``str.capitalize`` it leaves names and quoted text as they are."""
    return text[:1].upper() + text[1:]


def operand(event: Any, index: int = 0) -> Any:
    """An operand of an event, or None."""
    return event.operands[index] if index < len(event.operands) else None


def object_of(event: Any, index: int = 0) -> Any:
    """The exact object of an operand, or None."""
    value = operand(event, index)
    return value.obj if value is not None and value.exact else None


def source_of(event: Any) -> str:
    """The failing expression as written, on one line; empty where it is not to be had."""
    import ast

    try:
        return " ".join(ast.unparse(event.node).split())[:80]
    except Exception:
        return ""


def names_in_scope(event: Any) -> list[str]:
    """The names that the failing place can see."""
    interpreter = event.interpreter
    names = [name for name in interpreter.namespace if not name.startswith("_")]
    names += [name for frame in interpreter.frames for name in frame.scope.vars]
    return names
