"""Built-in functions that print, write as text, or ask a person."""

from __future__ import annotations

from typing import Any

from ...values import Value, exact, unknown
from .shared import fits, own_method


def _print(interp: Any, call: Any) -> Value | None:
    if not call.complete:
        return None
    allowed = {"sep", "end", "file", "flush"}
    if not set(call.kwargs) <= allowed:
        name = next(iter(set(call.kwargs) - allowed))
        interp.attempt(call.event, lambda: print(**{name: None}))  # type: ignore[call-overload]
    if "file" in call.kwargs:
        return None
    for value in call.args:
        if _as_text(interp, value, call) is None and value.exact and interp.surveyor.look([value.obj]).own:
            interp.havoc([value], call.node, "text of the notebook's own objects")
    return exact(None)


def _as_text(interp: Any, value: Value, call: Any) -> Value | None:
    """``str(value)`` for an object of the notebook's own class, interpreted; None for any other."""
    for name in ("__str__", "__repr__"):
        method = own_method(interp, value, name)
        if method is not None:
            return interp.call_value(exact(method), [value], {}, call.node)
    return None


def _str(interp: Any, call: Any) -> Value | None:
    if fits(call, 1, 1):
        return _as_text(interp, call.args[0], call)
    return None


def _input(interp: Any, call: Any) -> Value:
    interp.lose(call.node, "what a person will type")
    return unknown(str)


TEXT_MODELS: dict[str, Any] = {
    "builtins.print": _print,
    "builtins.str": _str,
    "builtins.repr": _str,
    "builtins.input": _input,
    "ipykernel.kernelbase.Kernel.raw_input": _input,
}
