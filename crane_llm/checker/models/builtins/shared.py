"""What the models of the built-in functions have in common."""

from __future__ import annotations

from typing import Any

from ...purity.libraries import is_library_type
from ...values import Value


def own_method(interp: Any, value: Value, name: str) -> Any:
    """An interpretable method of an object of the notebook's own class, or None."""
    kind = value.known_type
    if kind is None or is_library_type(kind):
        return None
    method = interp.type_attribute(value, name)
    return method if method is not None and interp.is_interpretable(method) else None


def fits(call: Any, least: int, most: int, keywords: tuple[str, ...] = ()) -> bool:
    return call.complete and least <= len(call.args) <= most and set(call.kwargs) <= set(keywords)
