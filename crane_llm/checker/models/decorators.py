"""Models: decorators of the standard library around functions of the notebook."""

from __future__ import annotations

import copy
from typing import Any

from ..purity.libraries import is_user_function
from ..values import Value, exact


def _function(interp: Any, value: Value) -> Any:
    """The interpreted function that a value is, or None."""
    if not value.exact:
        return None
    if is_user_function(value.obj):
        return interp.function_of(value.obj)
    return value.obj if type(value.obj).__name__ == "InterpretedFunction" else None


def _managing(interp: Any, call: Any) -> Value | None:
    func = _function(interp, call.args[0]) if call.complete and len(call.args) == 1 and not call.kwargs else None
    if func is None or not func.names.is_generator:
        return None
    made = copy.copy(func)
    made.manages = True
    return exact(made)


MODELS: dict[str, Any] = {
    "contextlib.contextmanager": _managing,
    "contextlib.asynccontextmanager": _managing,
}
