"""Images, paths, files, dates, sparse matrices, polars, dask, transformers: one short describer each."""

from __future__ import annotations

from itertools import islice
from typing import Any

from . import elements, files, functions, numpy_, plain, safe, values
from .budget import OBJECT_BYTES, OBJECT_SAMPLE
from .context import MAX_COLUMNS, Context, Handler
from .model import Column, Variable


def image(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A PIL image: size, mode, file format; pixels are not decoded."""
    size = safe.field(value, "_size")
    if type(size) is tuple:
        context.shape(variable, f"{size[0]}×{size[1]} (width×height)")
    mode = safe.field(value, "_mode", safe.field(value, "mode"))
    context.note(variable, "R", f"mode {mode}" if type(mode) is str else None)
    if safe.field(value, "fp") is None and safe.field(value, "im", safe.field(value, "_im")) is None:
        context.note(variable, "V", "closed or not loaded")


def path(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A pathlib path: its text, whether it exists, its size."""
    if not safe.one_of(
        type(value), [cls for cls in safe.mro(value) if safe.class_module(cls).partition(".")[0] == "pathlib"]
    ):
        return
    text = str(value)
    context.note(variable, "V", values.text(text, 80), data=True)
    if hasattr(value, "exists"):
        files.path_notes(variable, text, context)


def file_object(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """An open or closed file; nothing is read."""
    if safe.class_module(type(value)) not in ("_io", "io") or not safe.genuine(type(value)):
        return
    context.note(variable, "V", "closed" if value.closed else "open")
    mode = getattr(value, "mode", None)
    context.note(variable, "R", f"mode {mode}" if type(mode) is str else None)


def scalar(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Dates, times, Decimal, Fraction, enum members."""
    context.note(variable, "V", values.short(value, 80), data=True)


def deque(variable: Variable, value: Any, context: Context, depth: int) -> None:
    base = next(cls for cls in safe.mro(value) if safe.class_name(cls) == "deque")
    count = base.__len__(value)  # type: ignore[attr-defined]
    context.shape(variable, f"length {count}")
    limit = count if context.budget.afford(count * OBJECT_BYTES) else OBJECT_SAMPLE
    found = list(islice(base.__iter__(value), limit))  # type: ignore[attr-defined]
    plain.report(variable, elements.look(found, count, len(found) == count, context.values), found, context, depth)


def sparse(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A scipy sparse matrix or array: shape, dtype, format, stored elements."""
    shape = safe.field(value, "_shape")
    if type(shape) is tuple:
        context.shape(variable, numpy_.shape_text(shape))
    data = safe.field(value, "data")
    kind = safe.class_name(type(value)).split("_")[0]
    context.note(variable, "R", f"sparse {kind}")
    if data is not None and safe.class_name(type(data)) == "ndarray":
        context.dtype(variable, str(data.dtype))
        context.note(variable, "S", f"{data.size} stored" if data.dtype != object else None)
        if context.values and data.dtype != object and data.size:
            numpy_.contents(variable, data, context)


def polars_frame(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """An eager polars frame: shape, schema, null counts (metadata)."""
    if safe.top_package(type(value)) != "polars":
        return
    height, width = value.shape
    context.shape(variable, f"({height}, {width})")
    names = value.columns
    words = set(context.words)
    chosen = [position for position, name in enumerate(names) if name in words][:30]
    chosen += [position for position in range(width) if position not in chosen][: max(0, MAX_COLUMNS - len(chosen))]
    variable.columns = []
    for position in chosen:
        series = value.to_series(position)
        column = Column(context.label(names[position], position))
        context.dtype(column, _polars_dtype(series.dtype))
        nulls = series.null_count()
        context.note(column, "V", f"null {nulls}" if nulls else None)
        variable.columns.append(column)
    asked, _ = context.asked.get(variable.name, ((), ()))
    absent = [name for name in asked if name not in names]
    if absent and not context.hide_names:
        context.note(variable, "R", f"no column {', '.join(map(repr, absent[:10]))}")
    if width > len(chosen):
        context.note(
            variable, "R", f"other columns: {context.names([names[i] for i in range(width) if i not in chosen], 60)}"
        )


def _polars_dtype(dtype: Any) -> str:
    name = safe.class_name(type(dtype) if not safe.isinstance_of(dtype, type) else dtype)
    return name if name in ("Enum", "Categorical") else values.text(str(dtype), 60).strip("'")


def polars_series(variable: Variable, value: Any, context: Context, depth: int) -> None:
    if safe.top_package(type(value)) != "polars":
        return
    context.shape(variable, f"({value.len()},)")
    context.dtype(variable, _polars_dtype(value.dtype))
    context.note(variable, "R", f"name {context.label(value.name, 0)!r}" if value.name else None)
    nulls = value.null_count()
    context.note(variable, "V", f"null {nulls}" if nulls else "no null")


def lazy(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Anything that computes on demand: never computed."""
    context.note(variable, "R", "lazy; not computed")
    meta = safe.field(value, "_meta")
    if meta is not None and safe.top_package(type(meta)) == "pandas":
        inner = context.describe("meta", meta, context, depth + 1)
        context.dtype(variable, inner.dtype)
        if inner.columns:
            variable.columns = inner.columns
    chunks = safe.field(value, "_Array__chunks", safe.field(value, "_chunks"))
    if type(chunks) is tuple and all(type(part) is tuple for part in chunks):
        known = all(type(size) is int for part in chunks for size in part)
        context.shape(variable, numpy_.shape_text(tuple(sum(part) for part in chunks)) if known else None)
        context.dtype(
            variable, str(meta.dtype) if meta is not None and safe.top_package(type(meta)) == "numpy" else None
        )


def encoding(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """transformers' BatchEncoding: its fields."""
    data = safe.field(value, "data")
    if data is not None and safe.isinstance_of(data, dict):
        plain.mapping(variable, data, context, depth)


def tokenizer(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A tokenizer of transformers: padding token, length limit."""
    special = safe.field(value, "_special_tokens_map")
    pad = special.get("pad_token") if type(special) is dict else safe.field(value, "_pad_token")
    context.note(variable, "V", "no padding token" if pad is None else "has a padding token")
    limit = safe.field(value, "model_max_length")
    context.note(variable, "S", f"model_max_length {limit}" if type(limit) is int and limit < 1 << 40 else None)


def hf_dataset(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A dataset of the `datasets` library: features; rows are not read."""
    info = safe.field(value, "_info")
    features = safe.field(info, "features") if info is not None else None
    if features is not None and safe.isinstance_of(features, dict):
        variable.columns = []
        for position, (name, feature) in enumerate(safe.items(features, MAX_COLUMNS)):
            column = Column(context.label(name, position))
            dtype = safe.field(feature, "dtype")
            context.dtype(column, dtype if type(dtype) is str else safe.class_name(type(feature)))
            variable.columns.append(column)
    data = safe.field(value, "_data")
    table = safe.field(data, "table") if data is not None else None
    rows = getattr(table, "num_rows", None) if safe.top_package(type(table)) == "pyarrow" else None
    indices = safe.field(value, "_indices")
    if type(rows) is int and indices is None:
        context.shape(variable, f"({rows}, {len(variable.columns or ())})")


def tuner_oracle(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A keras_tuner oracle: trials run, what each of their metrics' histories holds."""
    trials = safe.unwrap(safe.field(value, "trials"))
    if type(trials) is not dict:
        return
    context.note(variable, "S", f"{len(trials)} trials")
    for _, trial in safe.items(trials, 1):
        metrics = safe.unwrap(safe.field(safe.field(trial, "metrics"), "metrics"))
        for name, history in safe.items(metrics, 6) if type(metrics) is dict else []:
            found = safe.unwrap(safe.field(history, "_observations"))
            held = list(found.values()) if type(found) is dict else found if type(found) is list else []
            kind = f" of {safe.class_name(type(held[0]))} objects" if held else ""
            context.note(variable, "R", f"metric {context.label(name, 0, 'metric')}: {len(held)} observations{kind}")


def tuner(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A keras_tuner tuner: its oracle."""
    oracle = safe.field(value, "oracle")
    if oracle is not None:
        context.nested(variable, [(".oracle", oracle)], depth)


def pattern(variable: Variable, value: Any, context: Context, depth: int) -> None:
    context.note(variable, "V", values.short(value.pattern, 60), data=True)


def error(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """An exception that was kept: its first argument."""
    args = safe.slot(BaseException, "args").__get__(value)
    context.note(variable, "V", values.short(args[0], 80) if args else None, data=True)


def figure(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A matplotlib figure or axes: kind only."""


LIBRARIES: dict[str, dict[str, Handler]] = {
    "PIL": {"Image": image},
    "pathlib": {"PurePath": path},
    "_io": {"_IOBase": file_object},
    "datetime": {"datetime": scalar, "date": scalar, "time": scalar, "timedelta": scalar},
    "decimal": {"Decimal": scalar},
    "fractions": {"Fraction": scalar},
    "enum": {"Enum": scalar},
    "collections": {"deque": deque},
    "keras_tuner": {"Oracle": tuner_oracle, "BaseTuner": tuner},
    "re": {"Pattern": pattern},
    "scipy": {"spmatrix": sparse, "_spbase": sparse, "sparray": sparse, "_data_matrix": sparse},
    "polars": {"DataFrame": polars_frame, "Series": polars_series, "LazyFrame": lazy},
    "dask": {"FrameBase": lazy, "_Frame": lazy, "Array": lazy, "Delayed": lazy, "Bag": lazy},
    "pyspark": {"DataFrame": lazy},
    "transformers": {"BatchEncoding": encoding, "PreTrainedTokenizerBase": tokenizer},
    "datasets": {"Dataset": hf_dataset},
    "matplotlib": {"Figure": figure, "Axes": figure, "Artist": figure},
    "functools": {"partial": functions.partial},
    "builtins": {"BaseException": error},
}
