"""The arrays inside pandas objects: labels, dtypes, missing values, ranges.

Only the data attributes of pandas' own classes are read; an extension array of another library gives its dtype's name and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import elements, plain, safe, scan, tell, values
from .budget import sample_positions
from .context import Context
from .model import Column, Variable
from .numpy_ import dtype_text, object_values

ARROW_LIMIT = 4096


def index_length(index: Any) -> int:
    """Length of an index without its ``__len__``."""
    kind = safe.class_name(type(index))
    if kind == "RangeIndex":
        found = safe.native(index, "_range")
        return len(found) if type(found) is range else 0
    if kind == "MultiIndex":
        codes = safe.native(index, "_codes")
        return len(codes[0]) if codes is not None and len(codes) else 0
    return array_length(safe.native(index, "_data")) or 0


def array_length(array: Any) -> int | None:
    """Length of a one-dimensional array of NumPy or pandas."""
    if array is None:
        return None
    if is_ndarray(array):
        return int(array.shape[-1]) if array.ndim else 0
    for name in ("_ndarray", "_codes", "_data", "_pa_array", "_left", "_sparse_index"):
        inner = safe.native(array, name, None)
        if inner is None:
            continue
        if is_ndarray(inner):
            return int(inner.shape[0])
        if name in ("_pa_array", "_data") and safe.top_package(type(inner)) == "pyarrow":
            return len(inner)
        if name == "_left":
            return array_length(inner) if not safe.class_name(type(inner)).endswith("Index") else index_length(inner)
        if name == "_sparse_index":
            return int(inner.length)
    return None


def is_ndarray(array: Any) -> bool:
    base = safe.library_class("numpy", "ndarray")
    return base is not None and type(array) is base


def dtype_name(array: Any) -> str:
    """The dtype as pandas names it."""
    if array is None:
        return "object"
    if is_ndarray(array):
        return dtype_text(array.dtype)
    if safe.top_package(type(array)) != "pandas" or not safe.genuine(type(array)):
        return safe.class_name(type(array))
    dtype = array.dtype
    if is_numpy_dtype(dtype):
        return dtype_text(dtype)
    if safe.class_name(type(dtype)) == "CategoricalDtype":
        return "category"
    if safe.class_name(type(dtype)) == "IntervalDtype":
        return "interval"
    name = dtype.name if safe.genuine(type(dtype)) else safe.class_name(type(dtype))
    return name if type(name) is str else safe.class_name(type(dtype))


def is_numpy_dtype(dtype: Any) -> bool:
    base = safe.library_class("numpy", "dtype")
    return base is not None and safe.isinstance_of(dtype, base)


def labels(index: Any, limit: int) -> list[Any]:
    """The first ``limit`` labels of an index."""
    kind = safe.class_name(type(index))
    if kind == "RangeIndex":
        found = safe.native(index, "_range")
        return list(found[:limit]) if type(found) is range else []
    if kind == "MultiIndex":
        return _tuples(index, limit)
    array = safe.native(index, "_data")
    if is_ndarray(array):
        return array[:limit].tolist() if array.dtype.kind not in "mM" else [str(label) for label in array[:limit]]
    arrow = arrow_of(array)
    if arrow is not None:
        return arrow.slice(0, limit).to_pylist()
    if safe.class_name(type(array)) == "Categorical":
        names = labels(array.dtype._categories, limit)
        return [names[code] if 0 <= code < len(names) else None for code in codes_of(array)[:limit].tolist()]
    inner = safe.native(array, "_ndarray")
    if is_ndarray(inner):
        return [str(label) for label in inner[:limit]] if inner.dtype.kind in "mM" else inner[:limit].tolist()
    return list(range(min(limit, index_length(index))))


def _tuples(index: Any, limit: int) -> list[Any]:
    levels = [labels(level, limit) for level in safe.native(index, "_levels") or ()]
    codes = [code[:limit].tolist() for code in safe.native(index, "_codes") or ()]
    return [
        tuple(level[code] if 0 <= code < len(level) else None for level, code in zip(levels, row))
        for row in zip(*codes)
    ]


def codes_of(array: Any) -> Any:
    """The integer codes of a Categorical."""
    found = safe.native(array, "_ndarray", None)
    return found if found is not None else safe.native(array, "_codes")


def arrow_of(array: Any) -> Any:
    """The Arrow column behind a pandas array, or None."""
    for name in ("_pa_array", "_data"):
        found = safe.native(array, name, None) if array is not None else None
        if (
            found is not None
            and safe.top_package(type(found)) == "pyarrow"
            and safe.class_name(type(found)) in ("ChunkedArray", "Array")
        ):
            return found
    return None


def column_arrays(manager: Any, positions: Iterable[int]) -> dict[int, Any]:
    """Views of the chosen columns, by position."""
    wanted = list(positions)
    found: dict[int, Any] = {}
    for block in manager.blocks:
        array = block.values
        two = is_ndarray(array) and array.ndim == 2
        flat = getattr(array, "ndim", 1) == 2 and not two  # a two-dimensional date block
        for position, row in _rows_of(block, wanted):
            found[position] = array[row] if two or flat else array
    return found


def _rows_of(block: Any, wanted: list[int]) -> Iterable[tuple[int, int]]:
    """The wanted columns that lie in a block, with their rows in it."""
    held = block_positions(block)
    if isinstance(held, range):
        return [(position, held.index(position)) for position in wanted if position in held]
    rows = {position: row for row, position in enumerate(held)}
    return [(position, rows[position]) for position in wanted if position in rows]


def block_positions(block: Any) -> Iterable[int]:
    placement = block.mgr_locs
    if getattr(placement, "is_slice_like", False):
        piece = placement.as_slice
        return range(piece.start, piece.stop, piece.step or 1)
    return placement.as_array.tolist()


def dtypes(manager: Any, positions: Iterable[int]) -> dict[int, str]:
    """Dtype names of the chosen columns."""
    wanted = list(positions)
    found: dict[int, str] = {}
    for block in manager.blocks:
        name = dtype_name(block.values)
        found.update((position, name) for position, _ in _rows_of(block, wanted))
    return found


def describe(target: Variable | Column, array: Any, height: int, context: Context) -> int | None:
    """Notes on the values of one column. Returns the number of missing values, None when not everything was read."""
    if is_ndarray(array):
        if array.dtype.kind == "O":
            return _objects(target, array, context)
        stats = scan.scan(array, context.budget)
        if stats is None:
            context.note(target, "V", "values not read")
            return None
        tell.numbers(target, stats, array.dtype.kind, context, say_clean=False)
        return stats.nan if stats.exact else None
    kind = safe.class_name(type(array))
    if safe.top_package(type(array)) != "pandas" or not safe.genuine(type(array)):
        return None
    arrow = arrow_of(array)
    if arrow is not None:
        return _arrow(target, arrow, height, context)
    if kind == "Categorical":
        return _categorical(target, array, context)
    mask = safe.native(array, "_mask")
    inner = safe.native(array, "_ndarray") if mask is None else safe.native(array, "_data")
    if not is_ndarray(inner):
        return None
    if mask is not None and is_ndarray(mask):
        return _masked(target, inner, mask, context)
    if inner.dtype.kind == "O":
        return _objects(target, inner, context)
    if kind == "PeriodArray":
        return None
    stats = scan.scan(inner, context.budget)
    if stats is None:
        return None
    tell.numbers(target, stats, inner.dtype.kind, context, say_clean=False)
    return stats.nan if stats.exact else None


def _objects(target: Variable | Column, array: Any, context: Context) -> int | None:
    """A column of Python objects: missing ones, kinds when mixed, distinct texts or a few of them."""
    found, exact = object_values(array, context)
    seen = elements.look(found, array.size, exact, context.values)
    inside = "" if exact else " in the sample"
    if not exact:
        tell.target_sampled(target)
        context.note(target, "V", seen.sampling())
    if seen.missing:
        every = "all missing" if seen.missing == seen.read else f"NaN {seen.missing}"
        context.note(target, "V", every + inside)
    elif not exact:
        context.note(target, "V", "no NaN in the sample")
    solid = [(name, number) for name, number in seen.kinds if name not in ("NoneType", "NAType", "NaTType")]
    nan_floats = seen.missing - sum(number for name, number in seen.kinds if name in ("NoneType", "NAType", "NaTType"))
    solid = [(name, number - nan_floats if name == "float" else number) for name, number in solid]
    solid = [(name, number) for name, number in solid if number > 0]
    if len(solid) > 1:
        context.note(target, "R", "mixed: " + ", ".join(f"{name} {number}" for name, number in solid[:4]) + inside)
    elif solid and solid[0][0] != "str":
        context.note(target, "R", f"of {solid[0][0]}{inside}")
    if seen.shapes:
        plain.describe_shapes(target, seen, context)
    elif seen.lengths and seen.length_kind not in ("str", ""):
        context.note(target, "S", f"lengths {seen.lengths[0]}..{seen.lengths[1]}{inside}")
    plain.summary(target, seen, context)
    return seen.missing if exact else None


def _arrow(target: Variable | Column, arrow: Any, height: int, context: Context) -> int | None:
    """An Arrow column: the null count is metadata; text is read from a slice."""
    nulls = int(arrow.null_count)
    if nulls:
        context.note(target, "V", "all missing" if nulls == height else f"NaN {nulls}")
    exact = height <= ARROW_LIMIT and context.budget.afford(height * 64)
    found = arrow.slice(0, height if exact else 0).to_pylist() if exact else _arrow_sample(arrow, height, context)
    found = [value for value in found if value is not None]
    seen = elements.look(found, height if not exact else len(found), exact, context.values)
    seen.missing = nulls
    if not exact:
        tell.target_sampled(target)
        context.note(target, "V", f"sampled {len(found)} of {height}")
    plain.summary(target, seen, context)
    return nulls


def _arrow_sample(arrow: Any, height: int, context: Context) -> list[Any]:
    if not context.budget.afford(256 * 128):
        return []
    return [value for position in sample_positions(height, 8) for value in arrow.slice(position, 32).to_pylist()]


def _categorical(target: Variable | Column, array: Any, context: Context) -> int | None:
    """A Categorical: number of categories and the first, order, missing codes."""
    dtype = array.dtype
    categories = dtype._categories
    if categories is None:
        return None
    count = index_length(categories)
    context.note(target, "R", f"{count} categories{', ordered' if dtype._ordered else ''}")
    names = labels(categories, 6)
    context.note(
        target, "V", ", ".join(values.short(name, 24) for name in names) + (", …" if count > 6 else ""), data=True
    )
    stats = scan.scan(codes_of(array), context.budget, False)
    if stats is None or not stats.exact:
        return None
    if stats.low is not None and stats.low < 0:
        missing_count = sum(int((part < 0).sum()) for part in scan.chunks(codes_of(array)))
        context.note(target, "V", f"NaN {missing_count}")
        return missing_count
    return 0


def _masked(target: Variable | Column, inner: Any, mask: Any, context: Context) -> int | None:
    """A nullable array: values and a mask."""
    missing_count = missing_in_mask(mask, context)
    if missing_count is None:
        context.note(target, "V", "missing values not counted")
    elif missing_count:
        context.note(target, "V", f"NaN {missing_count}")
    if missing_count == 0:
        stats = scan.scan(inner, context.budget)
        if stats is not None:
            tell.numbers(target, stats, inner.dtype.kind, context, say_clean=False)
    elif missing_count and inner.size <= ARROW_LIMIT:
        stats = scan.scan(inner[~mask], context.budget)
        if stats is not None:
            tell.numbers(target, stats, inner.dtype.kind, context, say_clean=False)
    return missing_count


def missing_in_mask(mask: Any, context: Context) -> int | None:
    numpy = safe.loaded("numpy")
    if not context.budget.afford(mask.size * scan.element_cost(mask)):
        return None
    return sum(int(numpy.count_nonzero(part)) for part in scan.chunks(mask))


def missing(array: Any, context: Context) -> int | None:
    """Number of missing values of a column that is not described further; None when not all was read."""
    holder = Column("")
    if is_ndarray(array):
        if array.dtype.kind in "biu":
            return 0
        if array.dtype.kind == "O":
            if not context.budget.afford(array.size * 128):
                return None
            return elements.look(array.tolist(), array.size, True, False).missing
        stats = scan.scan(array, context.budget, False)
        return stats.nan if stats is not None and stats.exact else None
    arrow = arrow_of(array)
    if arrow is not None:
        return int(arrow.null_count)
    return describe(holder, array, array_length(array) or 0, context)


def has_duplicates(array: Any, height: int, context: Context) -> bool | None:
    """Whether an index repeats a label; None when it was not read in full."""
    if height > ARROW_LIMIT:
        return None
    inner = array if is_ndarray(array) else safe.native(array, "_ndarray")
    if is_ndarray(inner) and inner.dtype.kind == "O" or arrow_of(array) is not None:
        found = inner.tolist() if is_ndarray(inner) else arrow_of(array).to_pylist()
        if not safe.all_of(found, str, int, float):
            return None
        return len(set(found)) < len(found)
    if is_ndarray(inner) and inner.dtype.kind in "biufmM":
        return int(safe.loaded("numpy").unique(inner).size) < height
    return None


def answers(variable: Variable, name: str, columns: Any, index: Any, context: Context) -> None:
    """Labels that the cell asks this object for and that it certainly has not (nothing is said of those that it has)."""
    asked_columns, asked_labels = context.asked.get(name, ((), ()))
    if columns is not None and asked_columns:
        known = labels(columns, 20000)
        if len(known) < 20000 and safe.all_of(known, str, int):
            held = set(known)
            absent = [label for label in dict.fromkeys(asked_columns) if label not in held]
            if absent and not context.hide_names:
                context.note(variable, "R", f"no column {', '.join(map(repr, absent[:10]))}")
    if asked_labels and not context.schema_only and not context.hide_names:
        absent = [label for label in dict.fromkeys(asked_labels) if index_lacks(index, label, context)]
        if absent:
            context.note(variable, "V", f"not in the index: {', '.join(map(repr, absent[:10]))}")


def index_lacks(index: Any, label: Any, context: Context) -> bool:
    """Whether a whole number or text is certainly no label of the index."""
    kind = safe.class_name(type(index))
    if kind == "RangeIndex":
        found = safe.native(index, "_range")
        return type(found) is range and type(label) is int and label not in found
    array = safe.native(index, "_data")
    if (
        kind in ("Index", "Int64Index", "UInt64Index")
        and is_ndarray(array)
        and array.dtype.kind in "iu"
        and type(label) is int
    ):
        if not context.budget.afford(array.size * 2 * scan.element_cost(array)):
            return False
        return not any(bool((part == label).any()) for part in scan.chunks(array))
    if kind == "Index" and type(label) is str and index_length(index) <= ARROW_LIMIT:
        known = labels(index, ARROW_LIMIT)
        return all(type(item) is str for item in known) and label not in set(known)
    return False
