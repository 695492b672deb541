"""What the NumPy rules share."""

from __future__ import annotations

from typing import Any

from ..words import object_of, short

SETUP = "import numpy as np\na = np.arange(12).reshape(3, 4)\nb = np.arange(6).reshape(2, 3)\nv = np.array([1.0, 2.0, 3.0])\n"


def is_array(obj: Any) -> bool:
    """Whether ``obj`` is an array of NumPy."""
    return type(obj).__name__ == "ndarray" and type(obj).__module__ == "numpy"


def arrays_of(event: Any) -> list[Any]:
    """The arrays (stand-ins included) among the operands, and inside a list that is the first argument."""
    found = []
    for value in event.operands:
        obj = None if value.unknown else value.obj
        if is_array(obj):
            found.append(obj)
        elif isinstance(obj, (list, tuple)):
            found += [item for item in obj[:50] if is_array(item)]
    return found


def shapes_of(event: Any) -> str:
    """Their shapes in a sentence."""
    shapes = [str(array.shape) for array in arrays_of(event)]
    return " and ".join(shapes[:2]) if len(shapes) < 3 else ", ".join(shapes[:6])


def from_numpy(event: Any) -> bool:
    """Whether the operation is NumPy's: a call of it, or an operator or subscript on an array."""
    if event.op == "call":
        return str(event.key or "").startswith("numpy")
    return any(is_array(value.obj) for value in event.operands if not value.unknown)


__all__ = ["object_of", "short"]
