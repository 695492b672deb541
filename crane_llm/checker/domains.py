"""Where the interpreter asks the libraries' models: items, writes and iteration of their objects, and stand-ins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .heap import shallow_copy
from .models import library_of, library_of_class
from .values import Value, exact


def domain_for(values: list[Value]) -> Any:
    """The domain that can take over for these exact or partial values, or None."""
    for value in values:
        if value.domain is not None:
            return value.domain
    for value in values:
        if value.exact and type(value.obj) in (list, tuple) and value.obj:
            library = library_of(value.obj[0])
            domain = library.domain([exact(value.obj[0])]) if library is not None else None
            if domain is not None:
                return domain
    for value in values:
        if value.exact:
            library = library_of(value.obj)
            domain = library.domain(values) if library is not None else None
            if domain is not None:
                return domain
    return None


def library_items(interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
    library = library_of(obj)
    return library.items(interpreter, obj, event) if library is not None else None


def library_attribute(interpreter: Any, event: Any, obj: Any, name: str) -> Value | None:
    library = library_of(obj)
    return library.attribute(interpreter, event, obj, name) if library is not None else None


def library_method(interpreter: Any, obj: Any, found: Any) -> Any:
    """What is called for ``found``, a method of an object that may derive from a library's."""
    library = library_of(obj)
    return library.method(interpreter, obj, found) if library is not None else found


def library_operator(interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
    """An operator on known objects that a library does not want done for real; None for all others."""
    for value in values:
        library = library_of(value.obj)
        result = library.operator(interpreter, event, function, values) if library is not None else None
        if result is not None:
            return result
    return None


def library_unknown_attribute(interpreter: Any, event: Any, owner: Value) -> Value | None:
    """An attribute of a value of which only the class is known."""
    library = library_of_class(owner.known_type) if owner.known_type is not None else None
    return library.unknown_attribute(interpreter, event, owner) if library is not None else None


def item_cost(obj: Any, index: Any, weight: int) -> float | None:
    library = library_of(obj)
    return library.item_cost(obj, index, weight) if library is not None else 2e-5 + weight * 2e-9


def copy_for_write(obj: Any) -> Any:
    """A copy to write to in place of ``obj``; None where none can be had within the budget."""
    library = library_of(obj)
    made = library.copy(obj) if library is not None else None
    return made if made is not None else shallow_copy(obj)


def library_store_item(interpreter: Any, event: Any, obj: Any, index: Value, value: Value) -> bool:
    library = library_of(obj)
    return library is not None and library.store_item(interpreter, event, obj, index, value)


def library_delete_item(interpreter: Any, event: Any, obj: Any, index: Value) -> bool:
    library = library_of(obj)
    return library is not None and library.delete_item(interpreter, event, obj, index)


def library_store_attribute(interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
    library = library_of(obj)
    return library is not None and library.store_attribute(interpreter, event, obj, name, value)
