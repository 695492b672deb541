"""Estimates of what calls of pandas and NumPy cost, made before the call: seconds from the sizes of what they are given.

Not a list of its own: :mod:`pandas` and :mod:`numpy` beside it use these. ``inf`` refuses a call whose result could be far larger
than what goes in.
"""

from __future__ import annotations

import math
from typing import Any

from ...readers import undisturbed_copy
from ..libraries import is_path

INFINITE = float("inf")
PER_BYTE = 1.5e-9
MAX_BYTES = 100_000_000  # of a result that is made for the check alone


def rows(obj: Any) -> int:
    """Elements along the first axis; 1 for scalars and where it cannot be told."""
    shape = getattr(obj, "shape", None)
    if type(shape) is tuple:
        return int(shape[0]) if shape else 1
    if isinstance(obj, (list, tuple, dict, set)):
        return len(obj)
    return 1


def size(obj: Any) -> int:
    """Number of elements."""
    shape = getattr(obj, "shape", None)
    if type(shape) is tuple:
        return math.prod(int(n) for n in shape)
    if isinstance(obj, (list, tuple, dict, set)):
        return len(obj)
    return 1


def passes(factor: float, per_row: float = 0.0) -> Any:
    """``factor`` passes over the bytes, and ``per_row`` seconds for each row of the first argument."""

    def cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
        return 1e-4 + weight * PER_BYTE * factor + per_row * (rows(args[0]) if args else 0)

    return cost


def texts(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Methods of text, element by element; splitting into columns makes a frame of objects."""
    return 2e-4 + weight * PER_BYTE * (60 if kwargs.get("expand") else 12)


def metadata(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """The data itself is not looked at."""
    return 5e-5


def columns_squared(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Pairs of columns: correlations."""
    shape = getattr(args[0], "shape", (1, 1))
    width = shape[1] if len(shape) > 1 else 2
    return 2e-4 + 4e-9 * shape[0] * width * width + weight * PER_BYTE * 4


def merge(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """A join makes up to rows × rows; where that is too many, the real number is counted on the keys."""
    frames = [a for a in [*args, *kwargs.values()] if hasattr(a, "_mgr")][:2]
    if len(frames) < 2:
        return 2e-4 + weight * PER_BYTE * 10
    most = rows(frames[0]) * rows(frames[1])
    plain = 1e-3 + weight * PER_BYTE * 30 + 3e-7 * (rows(frames[0]) + rows(frames[1]))
    if most <= 1_000_000:
        return plain + most * 2e-8
    if kwargs.get("how") == "cross" or any(type(a) is str and a == "cross" for a in args):
        return INFINITE
    made = _joined_rows(frames, kwargs)
    return INFINITE if made is None else plain + made * 1e-7


def _joined_rows(frames: list[Any], kwargs: dict[str, Any]) -> float | None:
    left, right = kwargs.get("left_on", kwargs.get("on")), kwargs.get("right_on", kwargs.get("on"))
    if not isinstance(left, str) or not isinstance(right, str) or max(map(rows, frames)) > 300_000:
        return None
    try:
        twins = [undisturbed_copy(frame, deep=False) for frame in frames]
        counts = [frame._get_label_or_level_values(key) for frame, key in zip(twins, (left, right))]
        first, second = (_counted(values) for values in counts)
    except Exception:  # a key that is not there: the call itself will say so
        return 0.0
    return float(sum(n * second.get(key, 0) for key, n in first.items()) + sum(map(rows, frames)))


def _counted(values: Any) -> dict[Any, int]:
    import collections

    return collections.Counter(values.tolist())


def dummies(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """One column for each distinct value: distinct values are counted where there could be many."""
    data: Any = args[0] if args else kwargs.get("data")
    count = rows(data)
    if count <= 2_000:
        return 2e-3 + weight * PER_BYTE * 20 + count * 2e-6
    try:
        data = undisturbed_copy(data, deep=False) if hasattr(data, "_mgr") else data
        parts: list[Any] = (
            [
                data[c]
                for c in data.columns
                if data[c].dtype == object or str(data[c].dtype) in ("category", "str", "string")
            ]
            if hasattr(data, "columns")
            else [data]
        )
        wide = sum(int(part.nunique()) for part in parts) if weight < 60_000_000 else 10**6
    except Exception:
        return INFINITE
    return INFINITE if wide * count > MAX_BYTES else 2e-3 + weight * PER_BYTE * 20 + wide * count * 2e-9 + wide * 5e-5


def product_of_ints(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Constructors given a shape: bytes of the result."""
    total = 8.0
    for value in [*args[:1], *[kwargs[k] for k in ("shape", "N", "size") if k in kwargs]]:
        for n in value if isinstance(value, (tuple, list)) else (value,):
            number = _int(n)
            if number is not None:
                total *= max(1, number)
    return _of_bytes(total)


def square(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """``eye``, ``identity``, ``tri``."""
    n = _int(args[0] if args else kwargs.get("N", kwargs.get("n"))) or 1
    m = _int(args[1] if len(args) > 1 else kwargs.get("M")) or n
    return _of_bytes(8.0 * n * m)


def numbers(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Random draws: every number counts as a dimension."""
    total = 8.0
    for value in [*args, *kwargs.values()]:
        for n in value if isinstance(value, (tuple, list)) and len(value) <= 6 else (value,):
            number = _int(n)
            if number is not None and number > 1:
                total *= number
    return _of_bytes(total) + 1e-4 + weight * PER_BYTE * 4 if total < 1e15 else _sized(args, kwargs)


def _sized(args: list[Any], kwargs: dict[str, Any]) -> float:
    return product_of_ints([], kwargs, 0) if "size" in kwargs else INFINITE


def steps(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """``arange``, ``linspace``: the number of elements."""
    given = [float(a) for a in args if isinstance(a, (int, float))] + [
        float(v) for v in kwargs.values() if isinstance(v, (int, float))
    ]
    if len(given) != len(args) + len([k for k in kwargs if k != "dtype"]):
        return 1e-4 if not given else _of_bytes(8 * max(map(abs, given)))
    if len(given) == 3 and given[2]:
        return _of_bytes(8 * max(abs((given[1] - given[0]) / given[2]), abs(given[2])))
    return _of_bytes(8 * (max(map(abs, given), default=1) + abs(given[0] if given else 0)))


def blow_up(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """``repeat``, ``tile``, ``pad``: up to the product of the sizes."""
    total = float(max(weight, 8))
    for value in [*args[1:], *kwargs.values()]:
        for n in value if isinstance(value, (tuple, list)) and len(value) <= 6 else (value,):
            number = _int(n)
            if number is not None and number > 1:
                total *= number
            elif size(n) > 1:
                try:
                    total *= max(1, int(max(n)))
                except Exception:
                    return INFINITE
    return _of_bytes(total)


def outer(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Everything with everything: ``outer``, ``kron``, ``meshgrid``, ``cdist``."""
    total = 8.0
    for value in [*args, *kwargs.values()]:
        total *= max(1, size(value))
    return _of_bytes(total * max(1, len(args)))


def matrix(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """A product of matrices, by its multiplications."""
    shapes: list[Any] = [getattr(a, "shape", None) for a in args[:2]]
    if not all(type(s) is tuple for s in shapes) or len(shapes) < 2:
        return 2e-5 + weight * 2e-8
    left, right = shapes
    return (
        3e-5
        + 5e-10 * math.prod(left) * (right[-1] if len(right) > 1 else 1)
        + 8 * 2e-9 * (math.prod(left[:-1]) * (right[-1] if len(right) > 1 else 1))
    )


def cubed(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """Decompositions: rows × columns × the smaller of both."""
    shape = getattr(args[0], "shape", ()) if args else ()
    if not shape:
        return 1e-4 + weight * 1e-6
    return 5e-4 + 2e-9 * math.prod(shape) * min(shape[-2:] or (1,))


def broadcast(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    """An element-wise function: the size of the broadcast result."""
    shapes = [a.shape for a in args if type(getattr(a, "shape", None)) is tuple]
    width = max((len(s) for s in shapes), default=0)
    total = 8.0
    for axis in range(1, width + 1):
        total *= max((s[-axis] for s in shapes if len(s) >= axis), default=1)
    return _of_bytes(max(total, weight), 4)


def _of_bytes(total: float, factor: float = 1.0) -> float:
    return INFINITE if total > MAX_BYTES * 4 else 2e-5 + total * PER_BYTE * factor


def _int(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if type(value).__module__ == "numpy" and hasattr(value, "__index__") and getattr(value, "shape", None) == ():
        try:
            return int(value)
        except Exception:
            return None
    return None


def small_file(
    args: list[Any], kwargs: dict[str, Any], weight: int, limit: int = 3_000_000, speed: float = 4e-8
) -> float:
    """Reading a file: its size decides. Addresses on the network and open files are refused."""
    import os

    path: Any = (
        args[0]
        if args
        else next(
            (
                kwargs[k]
                for k in ("filepath_or_buffer", "path_or_buf", "io", "fname", "file", "path", "filename")
                if k in kwargs
            ),
            None,
        )
    )
    if not is_path(path):
        return INFINITE
    text = os.fspath(path)
    if not isinstance(text, str) or "://" in text:
        return INFINITE
    try:
        found = os.stat(text)
    except (OSError, ValueError):
        return 1e-3  # it is not there: the call says so
    import stat

    if not stat.S_ISREG(found.st_mode):
        return 1e-3 if stat.S_ISDIR(found.st_mode) else INFINITE
    return 2e-3 + found.st_size * speed if found.st_size <= limit else INFINITE
