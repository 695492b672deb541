"""Calls that are told to write their result into an argument: ``out``, ``inplace`` and their kin, also given by position."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any, NamedTuple

_NAMES = frozenset(("out", "output", "inplace", "overwrite_input", "overwrite_a", "overwrite_b", "overwrite_x"))
_REDUCTIONS = ("reduce", "accumulate", "reduceat")


def writes_on_argument(func: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the call certainly or possibly writes its result on something that it is given."""
    for name in _NAMES:
        given = kwargs.get(name)
        if given is not None and given is not False:
            return True
    if getattr(func, "__name__", "") == "nan_to_num" and (kwargs.get("copy", True) is False or len(args) > 1):
        return True
    if len(args) < 2:
        return False
    if type(func).__name__ == "ufunc":
        return len(args) > func.nin
    owner = getattr(func, "__self__", None)
    if type(owner).__name__ == "ufunc":
        return len(args) > 2 and func.__name__ in _REDUCTIONS
    taken = _positional(func if not isinstance(func, types.MethodType) else func.__func__)
    if taken is not None:
        names = taken.names[1 if isinstance(func, types.MethodType) else 0 :]
        if any(name in _NAMES and given is not None and given is not False for name, given in zip(names, args)):
            return True
        return taken.more and _array_from(args, max(2, len(names)))
    # A function in C that does not tell its parameters: ``out`` comes behind what is read.
    first = 1 if type(owner).__name__ == "ndarray" and func.__name__ != "clip" else 2
    return _array_from(args, first)


def _array_from(args: list[Any], first: int) -> bool:
    return any(type(given).__name__ == "ndarray" and given.flags.writeable for given in args[first:])


class _Positional(NamedTuple):
    """The positional parameters of a function; ``more``: any number may follow them."""

    names: tuple[str, ...]
    more: bool


def _positional(func: Any) -> _Positional | None:
    try:
        return _names(func)
    except TypeError:  # not hashable
        return None


@functools.lru_cache(maxsize=2_000)
def _names(func: Any) -> _Positional | None:
    """What a function takes by position, or None where it does not tell."""
    if not isinstance(func, types.FunctionType) and not hasattr(func, "__wrapped__"):
        return None
    try:
        parameters = inspect.signature(func).parameters.values()
    except (TypeError, ValueError):
        return None
    return _Positional(
        tuple(p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)),
        any(p.kind is p.VAR_POSITIONAL for p in parameters),
    )


__all__ = ["writes_on_argument"]
