"""Exception groups: what the handlers of ``except*`` take of one, and what is left to be raised, as Python itself decides it.

The statements are compiled from text of our own, since the syntax is newer than the oldest Python that the checker runs in.
"""

from __future__ import annotations

import builtins
from typing import Any

NOT_TAKEN = object()  # a handler that takes nothing of the group
AGAIN = object()  # a handler that raises its part again
_BASE: Any = getattr(builtins, "BaseExceptionGroup", None)


def plain(error: BaseException) -> bool:
    """Whether taking the exception apart runs none of the person's code."""
    if _BASE is None:
        return False
    return not isinstance(error, _BASE) or type(error) in (_BASE, builtins.ExceptionGroup)  # type: ignore[attr-defined]


def parts_of(error: BaseException, named: list[Any]) -> list[BaseException | None]:
    """What each handler, by the classes that it names, gets of ``error``; None for one that gets nothing."""
    taken: list[BaseException | None] = [None] * len(named)
    bodies = [f"    taken[{i}] = part" for i in range(len(named))]
    _try(error, named, bodies, {"taken": taken})
    return taken


def outcome(error: BaseException, named: list[Any], outcomes: list[Any]) -> BaseException | None:
    """What the whole statement raises when each handler ends as told: an exception that it raises, AGAIN, or None."""
    bodies = []
    for i, found in enumerate(outcomes):
        quiet = found is None or found is NOT_TAKEN
        bodies.append("    pass" if quiet else "    raise" if found is AGAIN else f"    raise raised[{i}]")
    return _try(error, named, bodies, {"raised": outcomes})


def _try(error: BaseException, named: list[Any], bodies: list[str], names: dict[str, Any]) -> BaseException | None:
    lines = ["try:", "    raise error"]
    for i, body in enumerate(bodies):
        lines += [f"except* named[{i}] as part:", body]
    involved = [error, *(found for found in names.get("raised", ()) if isinstance(found, BaseException))]
    kept = [(e, e.__traceback__, e.__context__, e.__cause__, e.__suppress_context__) for e in involved]
    try:
        exec("\n".join(lines), {"error": error, "named": named, **names})
    except BaseException as raised:
        return raised
    finally:  # the person may hold these exceptions
        for e, trace, context, cause, suppressed in kept:
            e.__cause__, e.__context__, e.__traceback__ = cause, context, trace
            e.__suppress_context__ = suppressed
    return None
