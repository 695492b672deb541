"""The arguments of a method of a Keras model, bound to its real signature."""

from __future__ import annotations

import inspect
from typing import Any

from ...purity.libraries import is_library_type
from ...shadows import followed
from ...values import Abandon, Value


class Given:
    """The arguments of a call by name, with the defaults of the real signature."""

    def __init__(self, bound: dict[str, Any]) -> None:
        self.bound = bound

    def value(self, name: str) -> Value | None:
        """The argument as a value; None where it was not given."""
        found = self.bound.get(name)
        return found if isinstance(found, Value) else None

    def plain(self, name: str, default: Any = None) -> Any:
        """The argument as a number, text or None; raises :class:`Abandon` where it is something else."""
        found = self.value(name)
        if found is None:
            return default
        if not found.exact or type(found.obj) not in (int, float, str, bool, type(None)):
            kind = type(found.obj) if found.exact else None
            if kind is not None and kind.__module__ == "numpy":
                return found.obj.item() if found.obj.shape == () else default
            raise Abandon(f"{name} is not known")
        return found.obj


def bind(interpreter: Any, event: Any, model: Any, name: str, args: list[Value], kwargs: dict[str, Value]) -> Given:
    """Arguments bound to the method's own signature; raises its TypeError."""
    from .domain import _bind, unwrapped

    _bind(interpreter, event, model, name, args, kwargs)
    signature = inspect.signature(unwrapped(getattr(type(model), name)))
    try:
        return Given(signature.bind(model, *args, **kwargs).arguments)
    except TypeError:
        raise Abandon("arguments that do not bind") from None


def library_step(model: Any) -> bool:
    """Whether the training step can be followed: Keras' own, or one of a notebook class that is interpreted; no replaced method."""

    return (is_library_type(type(model)) or followed(model)) and not any(
        name in vars(model) for name in ("train_step", "test_step", "call", "compute_loss")
    )
