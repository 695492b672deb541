"""Models: how exceptions of the notebook are initialised by the built-in classes that they derive from."""

from __future__ import annotations

import builtins
from typing import Any

from ..values import Value, exact

# These take their arguments apart, or take keywords.
_OWN_WAYS = (OSError, ImportError, StopIteration, SystemExit, SyntaxError, UnicodeError, AttributeError, NameError)


def _initialise(interp: Any, call: Any) -> Value | None:
    """``super().__init__(...)`` or ``Exception.__init__(self, ...)``: what is passed becomes the exception's ``args``."""
    owner, given = call.receiver, call.args
    if owner is None and given and given[0].exact:
        owner, given = given[0].obj, given[1:]
    if not isinstance(owner, BaseException) or not call.complete or call.kwargs:
        return None
    if not all(value.exact for value in given):
        return None
    target = interp.heap.writable(interp.heap.resolve(owner))
    if target is None:
        return None
    target.args = tuple(interp.heap.lower(value) for value in given)
    return exact(None)


MODELS: dict[str, Any] = {
    f"builtins.{name}.__init__": _initialise
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and not issubclass(kind, _OWN_WAYS)
}
