"""Structural pattern matching."""

from __future__ import annotations

from typing import Any

from .values import Value, exact


def matches(interpreter: Any, pattern: Any, subject: Value) -> bool | None:
    """Whether a pattern matches, binding its names when it does; None where that is not known."""
    kind = type(pattern).__name__
    if kind == "MatchAs":
        known = True if pattern.pattern is None else matches(interpreter, pattern.pattern, subject)
        if known and pattern.name is not None:
            interpreter.bind_name(pattern.name, subject, pattern)
        return known
    if kind == "MatchValue":
        wanted = interpreter.eval(pattern.value)
        return interpreter.truth(interpreter.compare("Eq", subject, wanted, pattern), pattern)
    if kind == "MatchSingleton":
        known = interpreter.compare("Is", subject, exact(pattern.value), pattern)
        return known.obj if known.exact else None
    if kind == "MatchOr":
        for option in pattern.patterns:
            known = matches(interpreter, option, subject)
            if known is None or known:
                return known
        return False
    if not subject.exact:
        return None
    if kind == "MatchSequence":
        return _sequence(interpreter, pattern, subject)
    if kind == "MatchMapping":
        return _mapping(interpreter, pattern, subject)
    return None  # class patterns read attributes by a protocol of the class


def _sequence(interpreter: Any, pattern: Any, subject: Value) -> bool | None:
    obj = interpreter.heap.resolve(subject.obj)
    if type(obj) not in (list, tuple):
        return False if type(obj) in (str, bytes, int, float, dict, set, type(None), bool) else None
    stars = [i for i, part in enumerate(pattern.patterns) if type(part).__name__ == "MatchStar"]
    count = len(pattern.patterns)
    if (not stars and len(obj) != count) or (stars and len(obj) < count - 1):
        return False
    items = [interpreter.heap.wrap(item) for item in obj]
    if stars:
        at, after = stars[0], count - stars[0] - 1
        rest = interpreter.heap.own([interpreter.heap.lower(item) for item in items[at : len(items) - after]])
        items = [*items[:at], rest, *items[len(items) - after :]]
    for part, item in zip(pattern.patterns, items):
        if type(part).__name__ == "MatchStar":
            if part.name is not None:
                interpreter.bind_name(part.name, item, part)
            continue
        known = matches(interpreter, part, item)
        if not known:
            return known
    return True


def _mapping(interpreter: Any, pattern: Any, subject: Value) -> bool | None:
    obj = interpreter.heap.resolve(subject.obj)
    if type(obj) is not dict:
        return False if type(obj) in (str, bytes, int, float, list, tuple, set, type(None), bool) else None
    taken = []
    for key_node, part in zip(pattern.keys, pattern.patterns):
        key = interpreter.eval(key_node)
        if not key.exact or not interpreter.safe_to_hash(key.obj):
            return None
        if key.obj not in obj:
            return False
        taken.append(key.obj)
        known = matches(interpreter, part, interpreter.heap.wrap(obj[key.obj]))
        if not known:
            return known
    if pattern.rest is not None:
        rest = {key: value for key, value in obj.items() if key not in taken}
        interpreter.bind_name(pattern.rest, interpreter.heap.own(rest), pattern)
    return True
