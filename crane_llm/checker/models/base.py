"""Hooks that a library's model may provide, and the interface of a domain of stand-ins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..values import Value


class Library:
    """Hooks for objects of one library. Every hook may decline (None or False): the general handling applies."""

    roots: tuple[str, ...] = ()

    def items(self, interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
        """The elements of ``obj`` when iterated."""
        return None

    def attribute(self, interpreter: Any, event: Any, obj: Any, name: str) -> Value | None:
        """``obj.name`` of an object of this library that is not a stand-in (lazy modules, objects too large to look through)."""
        return None

    def parts(self, obj: Any) -> list[Any] | None:
        """What an unknown call that is given ``obj`` can reach through it; None: whatever Python finds in it."""
        return None

    def module(self, name: str) -> Any:
        """The loaded module that importing ``name``, which is not loaded under that name, gives the same names as; None where none."""
        return None

    def unknown_attribute(self, interpreter: Any, event: Any, owner: Value) -> Value | None:
        """``owner.name`` (``event.name``) of a value of which only the class is known, one of this library's."""
        return None

    def operator(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        """An operator on known objects that must not be done for real (an accelerator, settings that are not known); else None."""
        return None

    def item_cost(self, obj: Any, index: Any, weight: int) -> float | None:
        """Estimated seconds of ``obj[index]``; None where it may not be done for real."""
        return 2e-5 + weight * 2e-9

    def copy(self, obj: Any) -> Any:
        """A copy of ``obj`` that shares nothing a write could reach, or None where it is too large or not possible."""
        return None

    def store_item(self, interpreter: Any, event: Any, obj: Any, index: Value, value: Value) -> bool:
        """``obj[index] = value`` on an overlay copy."""
        return False

    def delete_item(self, interpreter: Any, event: Any, obj: Any, index: Value) -> bool:
        """``del obj[index]`` on an overlay copy."""
        return False

    def store_attribute(self, interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
        """``obj.name = value`` on an overlay copy."""
        return False

    def domain(self, values: list[Value]) -> Domain | None:
        """The domain of stand-ins that can take over where ``values`` are too large to compute with."""
        return None

    def construct(self, interpreter: Any, cls: type, call: Any) -> Value | None:
        """An instance of ``cls``, a class of the notebook that derives from one of this library."""
        return None

    def received(self, interpreter: Any, obj: Any) -> Value | None:
        """``obj``, which library code hands to a call-back, as a value; None: an object like any other."""
        return None

    def method(self, interpreter: Any, obj: Any, found: Any) -> Any:
        """What the interpreter calls for ``found``, which the class of ``obj`` or a base of it holds."""
        return found

    def class_base(self, cls: type) -> bool:
        """Whether a class of the cell may derive from ``cls`` for real without a trace."""
        return False


class Domain:
    """Operations on stand-ins of one kind. Each returns None (or False) where it does not know; the result is then unknown.

    A domain raises :class:`..values.Raised` only for what a second witness has confirmed on real values.
    """

    name = "domain"

    def operate(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        return None

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        return None

    def item(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        return None

    def store_item(self, interpreter: Any, event: Any, owner: Value, index: Value, value: Value) -> bool:
        return False

    def store_attribute(self, interpreter: Any, event: Any, owner: Value, name: str, value: Value) -> bool:
        return False

    def iterate(self, interpreter: Any, event: Any, value: Value) -> Iterator[Value] | None:
        return None

    def truth(self, interpreter: Any, event: Any, value: Value) -> bool | None:
        interpreter.lose(event.node, "a condition on a stand-in")
        return None

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        return None

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        return None
