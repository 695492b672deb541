"""Estimators of the notebook: classes that derive from scikit-learn's bases. Their code is interpreted, whoever calls it."""

from __future__ import annotations

import sys
import types
from typing import Any

from ...attributes import static_lookup
from ...purity.libraries import is_user_function
from ...shadows import interpreted
from ...values import Abandon, Value, exact
from .copies import Copier, bare_method, is_estimator, is_users_class, stand_for

_NAMED = ("named_steps", "named_transformers_", "named_estimators")


def derivable(cls: type) -> bool:
    """Whether a class of the cell may derive from this class for real: one of scikit-learn's bases, or a class that does."""
    return cls.__module__ == "sklearn.base" or is_users_class(cls)


def construct(interp: Any, cls: type, call: Any) -> Value | None:
    """An instance of a class of the notebook: its ``__init__`` is interpreted."""
    if not is_users_class(cls):
        return None
    if not call.complete:
        raise Abandon("a starred argument that is not known")
    kind = stand_for(interp, cls)
    if kind.__new__ is not object.__new__:
        raise Abandon("a class with a constructor of its own")
    init = static_lookup(kind, "__init__")
    if init is object.__init__:
        given, named = [None] * len(call.args), dict.fromkeys(call.kwargs)
        return interp.heap.own(interp.attempt(call.event, lambda: kind(*given, **named)))
    if not interpreted(init):
        raise Abandon("a class initialised by a library")
    value = interp.heap.own(object.__new__(kind))
    interp.initialise(kind, init, value, call)
    return interp.heap.wrap(value.obj)


def attribute(interp: Any, event: Any, obj: Any, name: str) -> Value | None:
    """A method of an estimator that is of the notebook, or holds one that is; None for anything else.

    Of the first it is the notebook's own function, beneath what scikit-learn wraps around ``transform``; of the second, a method that
    there is only where the estimators within have it.
    """
    found = static_lookup(type(obj), name)
    if is_users_class(type(obj)):
        beneath = method(interp, obj, found)
        return exact(types.MethodType(beneath, obj)) if beneath is not found and name not in vars(obj) else None
    if name in _NAMED and is_estimator(obj) and isinstance(found, property) and not interp.heap.is_dirty(obj):
        return interp.heap.wrap(interp.quiet_call(event, lambda: getattr(obj, name)))
    if type(found).__name__ not in ("_AvailableIfDescriptor", "_IffHasAttrDescriptor") or not is_estimator(obj):
        return None
    copier = Copier(interp)
    twin = copier.estimator(obj)
    if not copier.users or interp.surveyor.look([twin]).opaque:
        return None
    made = interp.quiet_call(event, lambda: getattr(twin, name))
    return exact(types.MethodType(made.__func__, obj)) if isinstance(made, types.MethodType) else None


def method(interp: Any, obj: Any, found: Any) -> Any:
    """The notebook's own function beneath what scikit-learn wraps around ``transform``; anything else as it is."""
    beneath = bare_method(found)
    if beneath is found or not is_users_class(type(obj)) or not _plain_output(obj):
        return found
    if is_user_function(beneath):
        beneath = interp.function_of(beneath)
    return beneath if interpreted(beneath) else found


def _plain_output(obj: Any) -> bool:
    """Whether what ``transform`` returns is left as it is."""
    config = sys.modules["sklearn"].get_config()
    return "_sklearn_output_config" not in vars(obj) and config.get("transform_output", "default") == "default"


def received(interp: Any, obj: Any) -> Value | None:
    """An estimator that scikit-learn hands to its own methods: one that it has just made (a clone) is nobody else's."""
    if "__crane_shadow__" not in vars(type(obj)) or not is_users_class(type(obj)):
        return None
    heap = interp.heap
    return heap.wrap(obj) if heap.made(obj) else heap.own(obj)
