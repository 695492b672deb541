"""Built-in functions that look at types and attributes."""

from __future__ import annotations

import types
from typing import Any

from ...purity.libraries import is_library_type
from ...streams import Internal
from ...values import Raised, Value, exact, unknown
from .shared import fits


def _type(interp: Any, call: Any) -> Value | None:
    if not fits(call, 1, 1):
        return None
    kind = call.args[0].known_type
    if kind is None:
        return unknown(type)
    if isinstance(call.args[0].obj, Internal):
        sample = call.args[0].obj.sample()
        return unknown(type) if sample is None else exact(type(sample))
    if getattr(kind, "__crane_callable__", False):
        return exact(types.FunctionType)
    return exact(vars(kind).get("__crane_shadow__") or kind)


def _isinstance(interp: Any, call: Any) -> Value | None:
    if not fits(call, 2, 2):
        return None
    value, wanted = call.args
    kind = value.known_type
    if not wanted.exact or kind is None:
        return unknown(bool)
    classes = wanted.obj if isinstance(wanted.obj, tuple) else (wanted.obj,)
    if not all(
        isinstance(c, type)
        and type(c).__name__ in ("type", "ABCMeta", "EnumType", "EnumMeta", "_TensorMeta", "ParameterMeta")
        for c in classes
    ):
        if value.exact and not any(isinstance(c, type) or hasattr(c, "__args__") for c in classes):
            interp.attempt(call.event, lambda: isinstance(None, wanted.obj))
        return unknown(bool)
    if isinstance(value.obj, Internal):
        sample = value.obj.sample()
        if sample is None:
            return unknown(bool)
        kind = type(sample)
    elif getattr(kind, "__crane_callable__", False):
        kind = types.FunctionType
    line = {vars(base).get("__crane_shadow__") or base for base in kind.__mro__} | set(kind.__mro__)
    if any(c in line for c in classes):
        return exact(True)
    if any(type(c).__name__ in ("_TensorMeta", "ParameterMeta") for c in classes):
        return unknown(bool) if value.exact and "torch" in kind.__module__ else exact(False)
    if all(type(c) is type for c in classes):
        return exact(False)
    if not is_library_type(kind) or not all(is_library_type(c) for c in classes):
        return unknown(bool)  # classes can be registered with the notebook's abstract ones
    return exact(issubclass(kind, classes))


def _getattr(interp: Any, call: Any) -> Value | None:
    if not fits(call, 2, 3) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    unsure = interp.unsure
    try:
        return interp.attribute(call.args[0], call.args[1].obj, call.node)
    except Raised as raised:
        if len(call.args) == 3 and issubclass(raised.type, AttributeError) and interp.unsure == unsure:
            return call.args[2]
        raise


def _hasattr(interp: Any, call: Any) -> Value | None:
    if not fits(call, 2, 2) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    unsure = interp.unsure
    try:
        found = interp.attribute(call.args[0], call.args[1].obj, call.node)
    except Raised as raised:
        return exact(False) if issubclass(raised.type, AttributeError) and interp.unsure == unsure else unknown(bool)
    return exact(True) if found.exact or (interp.unsure == unsure and not found.unknown) else unknown(bool)


def _setattr(interp: Any, call: Any) -> Value | None:
    if not fits(call, 3, 3) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    interp.store_attribute(call.args[0], call.args[1].obj, call.args[2], call.node)
    return exact(None)


def _delattr(interp: Any, call: Any) -> Value | None:
    if not fits(call, 2, 2) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    interp.delete_attribute(call.args[0], call.args[1].obj, call.node)
    return exact(None)


def _callable(interp: Any, call: Any) -> Value | None:
    if fits(call, 1, 1) and call.args[0].exact:
        kind = type(call.args[0].obj)
        return exact(
            bool(getattr(kind, "__crane_callable__", False)) or any("__call__" in vars(base) for base in kind.__mro__)
        )
    return None


def _super(interp: Any, call: Any) -> Value | None:
    if fits(call, 2, 2) and call.args[0].exact and not call.args[1].unknown:
        return interp.super_of(call.args[0].obj, call.args[1].obj)
    return None


def _build_class(interp: Any, call: Any) -> Value | None:
    """``property``, ``staticmethod`` and ``classmethod`` called by hand: nothing runs yet."""
    if call.exact:
        return exact(call.func(*[v.obj for v in call.args], **{k: v.obj for k, v in call.kwargs.items()}))
    return None


def _dir(interp: Any, call: Any) -> Value:
    return unknown(list)


REFLECTION_MODELS: dict[str, Any] = {
    "builtins.type": _type,
    "builtins.isinstance": _isinstance,
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr,
    "builtins.delattr": _delattr,
    "builtins.callable": _callable,
    "builtins.super": _super,
    "builtins.property": _build_class,
    "builtins.staticmethod": _build_class,
    "builtins.classmethod": _build_class,
    "builtins.dir": _dir,
}
