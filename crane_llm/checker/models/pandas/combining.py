"""Functions that make one frame of several, where one is a stand-in: the columns of the result depend on labels alone.

They are tried on frames of the same labels with one row of numbers, so that dtypes and values, which may not be known, decide nothing.
"""

from __future__ import annotations

from typing import Any

from ...values import Value, unknown
from .kinds import is_frame, is_series, pandas
from .series import labels_only
from .witness import NotPlain, argument, arguments, confirmed, filled

_FUNCTIONS = frozenset("concat merge melt".split())


def combine(interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """What a function of pandas, or a frame's ``merge`` or ``join``, gives; None where it is not followed."""
    target = func.obj
    name = str(getattr(target, "__name__", ""))
    owner = getattr(target, "__self__", None)
    if is_frame(owner):
        if name not in ("merge", "join"):
            return None
        return combine_with(interpreter, event, interpreter.heap.wrap(owner), name, args, kwargs)
    if name not in _FUNCTIONS or vars(pandas()).get(name) is not target:
        return None
    try:
        given, named = arguments(interpreter, args, kwargs)
    except NotPlain:
        return None
    if name == "concat" and not _plain_join(given, named):
        return None
    given, named = _labels(given), _labels(named)
    made = confirmed(interpreter, event, lambda rows: target(*given, **named))
    interpreter.lose(event.node, f"{name} on a stand-in")
    return labels_only(interpreter, made, None) if is_frame(made) or is_series(made) else unknown()


def combine_with(
    interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Value | None:
    """``frame.merge`` and ``frame.join``."""
    try:
        given, named = arguments(interpreter, args, kwargs)
        frame = filled(argument(interpreter, owner))
    except NotPlain:
        return unknown()
    given, named = _labels(given), _labels(named)
    made = confirmed(interpreter, event, lambda rows: getattr(frame, name)(*given, **named))
    interpreter.lose(event.node, f"{name} on a stand-in")
    return labels_only(interpreter, made, None) if is_frame(made) else unknown()


def _plain_join(given: list[Any], named: dict[str, Any]) -> bool:
    """Whether ``concat`` only puts rows or columns together: labels that it takes from keys or from the index are left out."""
    parts = given[0] if given else named.get("objs")
    if (
        type(parts) not in (list, tuple)
        or set(named) - {"objs", "axis", "ignore_index", "sort", "join"}
        or len(given) > 1
    ):
        return False
    by_columns = named.get("axis", 0) in (1, "columns")
    return all(is_frame(part) for part in parts) or by_columns and not named.get("ignore_index")


def _labels(value: Any) -> Any:
    """``value`` with frames and series as one row of numbers: no value of theirs has a say."""
    if is_frame(value) or is_series(value):
        return filled(value)
    if type(value) in (list, tuple):
        return type(value)(_labels(item) for item in value)
    return {key: _labels(item) for key, item in value.items()} if type(value) is dict else value
