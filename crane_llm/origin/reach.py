"""Which effects of a run's text took place: the lines that it reached, and the notebook's functions that it called."""

from __future__ import annotations

from typing import Any, Optional

from .effects import BIND, CALL, METHOD, UNBIND, WRITE, Effect, read_effects
from .kinds import type_name
from .log import Run
from .timeline import Timeline

_DEEPEST = 4
"""Calls of notebook functions followed inside one another."""


def reached(run: Run, effect: Effect) -> Optional[bool]:
    """Whether the effect's line ran: True surely (branches aside), False surely not, None perhaps."""
    if run.success:
        return True
    if run.refused or (run.recorded and run.stopped is None and run.success is False and run.error == "SyntaxError"):
        return False
    if run.stopped is None:
        return None
    if effect.line < run.stopped:
        return True
    in_loop = any(arm == "loop" and line <= run.stopped for line, arm in effect.branch)
    if in_loop or (effect.line == run.stopped and effect.act not in (BIND, UNBIND)):
        return None
    if any(arm.startswith("except") or arm == "try" for _, arm in effect.branch):
        return None
    return False


def function_effects(timeline: Timeline, place: int, name: str) -> list[tuple[int, str, Effect]]:
    """Effects on ``name`` inside notebook functions that the run calls: (line of the call, function, effect)."""
    run = timeline.runs[place]
    found: list[tuple[int, str, Effect]] = []
    for call in read_effects(run.source).effects:
        if reached(run, call) is False:
            continue
        if call.act == CALL and call.place == "callee":
            _in_function(timeline, place, call.method, name, None, call.line, found, 0)
        elif call.act == CALL and call.name == name and "." not in call.method:
            _in_function(timeline, place, call.method, name, call.place, call.line, found, 0)
        elif call.act == METHOD and call.name == name and call.place:
            kind = run.kinds.get(name) or last_kind(timeline, place, name)
            body = timeline.function(f"{kind}.{call.method}", place) if kind and "." not in kind else None
            if body is not None and body.params:
                writes = [e for e in body.of(body.params[0]) if e.act == WRITE or (e.act == METHOD and not e.place)]
                found.extend((call.line, call.method, e) for e in writes[-1:])
    return found


def _in_function(
    timeline: Timeline, place: int, function: str, name: str, argument: Any, line: int, found: list, depth: int
) -> None:
    """Effects of one call: on the global ``name``, or (``argument`` given) on the parameter that it is passed as."""
    body = timeline.function(function, place)
    if body is None or depth > _DEEPEST:
        return
    if argument is None:
        wanted: Any = name if name not in body.local else None
    elif isinstance(argument, int):
        wanted = body.params[argument] if argument < len(body.params) else None
    else:
        wanted = argument if argument in body.params else None
    if wanted is not None:
        for effect in body.of(wanted):
            if effect.act in (WRITE, METHOD, BIND, UNBIND) and (argument is None or effect.act in (WRITE, METHOD)):
                found.append((line, function, effect))
            elif effect.act == CALL and effect.place != "callee" and "." not in effect.method:
                _in_function(timeline, place, effect.method, name, effect.place, line, found, depth + 1)
    if argument is None:
        for effect in body.effects:
            if effect.act == CALL and effect.place == "callee" and effect.method != function:
                _in_function(timeline, place, effect.method, name, None, line, found, depth + 1)


def last_kind(timeline: Timeline, place: int, name: str) -> Optional[str]:
    """The type of the name's value when the run at ``place`` ended, as last noted; else its type now."""
    for run in reversed(timeline.runs[: place + 1]):
        if name in run.bound:
            return run.bound[name].kind
        if name in run.kinds:
            return run.kinds[name]
    return value_kind(timeline, name)


def value_kind(timeline: Timeline, name: str) -> Optional[str]:
    """The type of the name's value now."""
    return type_name(timeline.namespace[name]) if name in timeline.namespace else None
