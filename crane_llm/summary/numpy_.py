"""NumPy arrays, scalars, dtypes, generators."""

from __future__ import annotations

from typing import Any

from . import elements, plain, safe, scan, tell, values
from .context import Context, Handler
from .model import Variable

SMALL = 8  # arrays of up to this many elements are shown


def array(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """ndarray and its subclasses, read through a base-class view."""
    base = scan.plain(value)
    context.shape(variable, shape_text(base.shape))
    context.dtype(variable, dtype_text(base.dtype, context))
    if context.values:
        contents(variable, base, context, depth)
    if safe.class_name(type(value)) == "MaskedArray":
        mask = safe.field(value, "_mask")
        if mask is not None and type(mask) is type(base):
            stats = scan.scan(mask, context.budget) if mask.ndim else None
            context.note(
                variable, "V", "no value masked" if stats is None or stats.high is False else "some values masked"
            )
    if safe.class_name(type(value)) == "memmap":
        context.note(variable, "R", "on disk (memory-mapped)")


def shape_text(shape: Any) -> str:
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def dtype_text(dtype: Any, context: Context | None = None) -> str:
    """The dtype's name; fields of a structured one, at most ten, by name where a context says that names may go out."""
    if dtype.names:
        if context is None:
            return f"structured ({len(dtype.names)} fields)"
        shown = ", ".join(f"{context.label(name, i)} {dtype[name].name}" for i, name in enumerate(dtype.names[:10]))
        return f"structured ({shown}{', …' if len(dtype.names) > 10 else ''})"
    if dtype.kind in "US":
        return f"{'str' if dtype.kind == 'U' else 'bytes'} (width {dtype.itemsize // (4 if dtype.kind == 'U' else 1)})"
    return str(dtype)


def contents(variable: Any, base: Any, context: Context, depth: int = 0) -> None:
    """Notes on the values of an array (already a base ndarray)."""
    if base.size == 0:
        context.note(variable, "S", "empty")
        return
    kind = base.dtype.kind
    if kind == "O":
        objects(variable, base, context, depth)
        return
    if kind in "US":
        texts(variable, base, context)
        return
    if base.size <= SMALL and kind in "biuf" and not context.schema_only:
        shown = base.tolist()
        told = _nested(shown)
        context.note(variable, "V", told, data=True)
        if kind == "f" and not bool(safe.loaded("numpy").isfinite(base).all()):
            tell.numbers(variable, scan.scan(base, context.budget, False), kind, context)  # type: ignore[arg-type]
        return
    stats = scan.scan(base, context.budget)
    if stats is None:
        context.note(variable, "V", "values not read" if kind in "biufmMc" else None)
        return
    tell.numbers(variable, stats, kind, context)


def _nested(shown: Any) -> str:
    if type(shown) is list:
        return "[" + ", ".join(map(_nested, shown)) + "]"
    return values.number(shown)


def objects(variable: Any, base: Any, context: Context, depth: int = 0) -> None:
    """An array of Python objects: their kinds, as for a list."""
    found, exact = object_values(base, context)
    seen = elements.look(found, base.size, exact, context.values)
    if isinstance(variable, Variable):
        plain.report(variable, seen, found, context, depth)


def object_values(base: Any, context: Context) -> tuple[list[Any], bool]:
    """The objects of an array: all within the budget, else a sample at fixed positions."""
    from .budget import OBJECT_BYTES, OBJECT_SAMPLE

    if context.budget.afford(base.size * OBJECT_BYTES):
        found = base.tolist() if base.ndim == 1 else base.ravel().tolist()
        return (found if type(found) is list else [found]), True
    return scan.sample(
        base, OBJECT_SAMPLE if context.budget.afford(OBJECT_SAMPLE * OBJECT_BYTES) else 64
    ).tolist(), False


def texts(variable: Any, base: Any, context: Context) -> None:
    """An array of fixed-width text."""
    exact = context.budget.afford(base.size * max(base.itemsize, 64))
    part = base.ravel() if exact else scan.sample(base, 512)
    found = part.tolist()
    seen = elements.look(found if type(found) is list else [found], base.size, exact, True)
    if not exact:
        tell.target_sampled(variable)
        context.note(variable, "V", seen.sampling())
    plain.summary(variable, seen, context)


def scalar(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A NumPy scalar: its value."""
    found = values.numpy_scalar(value)
    context.note(variable, "V", values.short(found) if found is not None else None, data=True)


def dtype(variable: Variable, value: Any, context: Context, depth: int) -> None:
    context.note(variable, "R", dtype_text(value, context))


def quiet(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Random generators, ufuncs: the type says it (drawing would change their state)."""


HANDLERS: dict[str, Handler] = {
    "ndarray": array,
    "generic": scalar,
    "dtype": dtype,
    "Generator": quiet,
    "RandomState": quiet,
    "ufunc": quiet,
}
