"""Stand-ins for DataFrames: too large to compute with, or with columns whose values are not known.

A small frame of a few real rows stands for the real one. Facts: the class, the column labels, the dtypes of known columns, the number of
rows where it is known. Only errors that labels decide (``KeyError``, ``AttributeError``) are believed, and only when stand-ins of
different heights raise the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...readers import undisturbed_copy
from ...values import Value, exact, partial, unknown
from ..base import Domain
from .combining import combine, combine_with
from .grouped import grouped
from .kinds import copy_on_write, is_frame, is_series, pandas
from .series import SeriesDomain, labels_only, series
from .witness import confirmed, cut, is_large, sample_of

_LABELS = (str, int, float, bool, type(None))
# Methods whose missing-label errors depend on column labels alone, and what they give: "frame" keeps rows and schema as the call on the
# sample shows, "labels" shows the labels alone, "groups" a stand-in for groups, "other" is not followed.
_SCHEMA = {
    "drop": "frame", "rename": "frame", "sort_values": "frame", "set_index": "frame", "reset_index": "frame", "drop_duplicates": "frame", "dropna": "frame",
    "groupby": "groups", "pivot": "other", "pivot_table": "other", "melt": "labels", "nlargest": "labels", "nsmallest": "labels", "explode": "labels",
    "head": "frame", "tail": "frame", "copy": "frame", "astype": "frame", "filter": "frame", "select_dtypes": "frame", "fillna": "frame", "assign": "frame", "sample": "frame",
    "isnull": "frame", "isna": "frame", "notnull": "frame", "notna": "frame", "round": "frame", "abs": "frame", "shift": "frame", "clip": "frame",
    "value_counts": "labels", "duplicated": "other", "get": "other", "query": "frame", "reindex": "other",
}  # fmt: skip
_KEEPS_LENGTH = frozenset(
    "rename sort_values set_index reset_index copy astype filter select_dtypes fillna assign isnull isna notnull notna round abs shift clip".split()
)


class FrameDomain(Domain):
    """The facts of one stand-in; see the module's docstring. ``hidden`` are the labels of columns whose values are not known."""

    name = "pandas"

    def __init__(self, length: int | None, hidden: frozenset[Any] = frozenset()) -> None:
        self.length = length
        self.hidden = hidden

    @classmethod
    def of(cls, interpreter: Any, frame: Any) -> Any:
        """A domain for a live frame; with an interpreter, a fresh stand-in bound to it."""
        domain = cls(len(frame))
        domain.source = frame  # type: ignore[attr-defined]
        return domain

    def make(self, interpreter: Any, sample: Any, length: int | None, hidden: frozenset[Any] | None = None) -> Value:
        """A stand-in value for ``sample``, known to the heap."""
        there = {*sample.columns, *sample.index.names}
        left = frozenset(label for label in (self.hidden if hidden is None else hidden) if label in there)
        value = partial(sample, FrameDomain(length, left))
        interpreter.heap.standins[id(sample)] = value
        return value

    # --- reading -----------------------------------------------------------------------------------

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        from ...calls import PartialMethod

        sample = sample_of(owner)
        if name == "columns":
            return exact(sample.columns)
        if name == "ndim":
            return exact(2)
        if name == "shape" and self.length is not None:
            return exact((self.length, len(sample.columns)))
        if name == "empty" and self.length:
            return exact(len(sample.columns) == 0)
        if name == "values":
            return self._matrix(interpreter, sample)
        if name == "dtypes" and not self.hidden:
            return exact(sample.dtypes)
        if isinstance(getattr(type(sample), name, None), type(FrameDomain.attribute)):
            return exact(PartialMethod(owner, name))
        if not hasattr(type(sample), name):
            if name in sample.columns:
                return self._column(interpreter, sample, name)
            if name not in getattr(sample, "__dict__", {}):
                interpreter.quiet_call(event, lambda: getattr(sample, name))
        return None

    def _column(self, interpreter: Any, sample: Any, label: Any) -> Value:
        column = sample[label]
        return series(interpreter, column, self.length) if is_series(column) else unknown(pandas().DataFrame)

    def item(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        pd = pandas()
        if owner.kind != "partial" and not is_frame(owner.obj) or owner.kind == "partial" and owner.domain is not self:
            return None
        sample = sample_of(owner)
        if isinstance(index.domain, SeriesDomain) and index.domain.mask:
            return self.make(interpreter, sample.copy(), None)
        if not index.exact:
            kind = index.known_type
            interpreter.lose(event.node, "rows of a stand-in")
            if kind is pd.Series:  # a mask, as a rule: or a list of labels
                return unknown(pd.DataFrame)
            return None
        key = index.obj
        if type(key) in _LABELS or type(key) is tuple and all(type(part) in _LABELS for part in key):
            if key not in sample.columns:
                if type(key) is tuple or sample.columns.nlevels > 1:
                    return None
                self._confirmed(interpreter, event, sample, lambda frame: frame[key])
                return None
            return self._column(interpreter, sample, key)
        if type(key) is list and key and all(type(part) is str for part in key):
            result = self._confirmed(interpreter, event, sample, lambda frame: frame[key])
            return None if result is None else self.make(interpreter, result, self.length)
        if is_series(key) and key.dtype == bool or type(key) is slice:
            interpreter.lose(event.node, "rows of a stand-in")
            return self.make(interpreter, sample.copy(), None)
        return None

    def iterate(self, interpreter: Any, event: Any, value: Value) -> Iterator[Value] | None:
        return (interpreter.heap.wrap(label) for label in list(sample_of(value).columns))

    def truth(self, interpreter: Any, event: Any, value: Value) -> bool | None:
        sample = sample_of(value)
        interpreter.quiet_call(event, lambda: bool(sample))
        return None

    def _confirmed(self, interpreter: Any, event: Any, sample: Any, action: Any) -> Any:
        """What ``action`` gives on the sample; raises a label error that samples of every height raise in the same words, else None."""
        return confirmed(interpreter, event, lambda rows: action(cut(sample, rows)))

    # --- calls -------------------------------------------------------------------------------------

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if func.obj is len and len(args) == 1 and args[0].domain is self and self.length is not None:
            return exact(self.length)
        owner = getattr(func.obj, "__self__", None)
        if is_frame(owner) and is_large(owner):
            return self.call_method(interpreter, event, exact(owner), func.obj.__name__, args, kwargs)
        return combine(interpreter, event, func, args, kwargs)

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        kind = _SCHEMA.get(name)
        if name in ("merge", "join"):
            return combine_with(interpreter, event, owner, name, args, kwargs)
        if name == "to_numpy" and not args and not kwargs:
            return self._matrix(interpreter, sample_of(owner))
        if kind is None:
            return self._leave(interpreter, event, name, args, kwargs)
        inplace = kwargs.get("inplace")
        plain = {k: v for k, v in kwargs.items() if k != "inplace"}
        if inplace is not None and not (inplace.exact and type(inplace.obj) is bool):
            return None
        objects, named = _plain(interpreter, args), _plain(interpreter, list(plain.values()))
        if objects is None or named is None or any(a is True for a in objects[1:]):
            return self._leave(interpreter, event, name, args, kwargs)
        words = dict(zip(plain, named))
        if not _by_columns(name, objects, words) or name == "select_dtypes" and self.hidden:
            return self._leave(interpreter, event, name, args, kwargs)
        sample = sample_of(owner)
        made = self._confirmed(interpreter, event, sample, lambda frame: getattr(frame, name)(*objects, **words))
        if inplace is not None and inplace.obj:
            if not is_frame(made):
                return None
            length = self.length if name in _KEEPS_LENGTH else None
            self._replace(interpreter, owner, made, length, self._hidden_after(name, sample, made))
            return exact(None)
        if kind == "groups" and made is not None:
            keys = words.pop("by", objects[0] if objects else None)
            found = grouped(interpreter, sample, self.hidden, self.length, keys, words) if len(objects) < 2 else None
            if found is not None:
                return found
        interpreter.lose(event.node, "a call on a stand-in")
        if kind == "labels":
            return labels_only(interpreter, made, None)
        if kind == "frame" and is_frame(made):
            length = self.length if name in _KEEPS_LENGTH else None
            if not len(made):
                return labels_only(interpreter, made, length)
            return self.make(interpreter, made, length, self._hidden_after(name, sample, made))
        return unknown(pandas().DataFrame if is_frame(made) else pandas().Series if is_series(made) else None)

    def _hidden_after(self, name: str, sample: Any, made: Any) -> frozenset[Any]:
        """Labels of columns whose values are not known, after a call that may give them other labels."""
        if not self.hidden:
            return self.hidden
        new = set(made.columns) - set(sample.columns)
        return self.hidden | (set(made.columns) if name == "rename" else new)

    def _matrix(self, interpreter: Any, sample: Any) -> Value | None:
        """The shape and dtype of the frame's values as one array, where all columns are known numbers."""
        from ..numpy.domain import DOMAIN as ARRAYS

        if (
            self.hidden
            or self.length is None
            or not all(getattr(dtype, "kind", "O") in "biuf" for dtype in sample.dtypes)
        ):
            return None
        values = sample.to_numpy()
        return (
            ARRAYS.standin(interpreter, (self.length, len(sample.columns)), values.dtype)
            if values.dtype.kind in "biuf"
            else None
        )

    def _leave(
        self, interpreter: Any, event: Any, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        """A method that is not followed: what it gives is unknown, and the frame stays what it is unless it is changed in place."""
        from .mutators import MUTATORS

        if (
            kwargs.get("inplace") is not None
            or f"pandas.core.frame.DataFrame.{name}" in MUTATORS
            or name.startswith(("to_", "plot", "hist", "boxplot", "pipe", "apply"))
            or _may_call(interpreter, [*args, *kwargs.values()])
        ):
            return None
        interpreter.lose(event.node, f"{name} on a stand-in")
        return unknown()

    def _replace(self, interpreter: Any, owner: Value, sample: Any, length: int | None, hidden: frozenset[Any]) -> None:
        self.make(interpreter, sample, length, hidden)
        live = interpreter.heap.resolve(owner.obj)
        interpreter.heap.replace(live, sample)

    # --- writing -----------------------------------------------------------------------------------

    def set_column(self, interpreter: Any, event: Any, frame: Any, key: Any, value: Value) -> bool:
        """``frame[key] = value`` where the value is not known or the frame is large: the column is there afterwards."""
        if type(key) is not str or len(frame.columns) > 5_000 or frame.columns.nlevels > 1 or len(frame) < 1:
            return False
        owner = exact(frame)
        return self.store_item(interpreter, event, owner, exact(key), value)

    def store_item(self, interpreter: Any, event: Any, owner: Value, index: Value, value: Value) -> bool:
        from ..numpy.domain import DOMAIN as ARRAYS

        if not index.exact or type(index.obj) is not str:
            return False
        sample = undisturbed_copy(sample_of(owner), True)
        known = value.exact and type(value.obj) in _LABELS
        if (
            value.domain is ARRAYS
            and self.length is not None
            and value.obj.ndim == 1
            and len(value.obj) != self.length
            and len(value.obj) != 1
        ):
            longer = pandas().DataFrame(index=range(min(self.length, 2_000_000)))
            if len(longer) == self.length:
                interpreter.quiet_call(event, lambda: longer.__setitem__(index.obj, value.obj))
        sample[index.obj] = value.obj if known else 0.0
        hidden = self.hidden - {index.obj} if known else self.hidden | {index.obj}
        interpreter.lose(event.node, "a column whose values are not known")
        self.make(interpreter, sample, self.length, hidden)
        interpreter.heap.replace(interpreter.heap.resolve(owner.obj), sample)
        return True

    def blur(self, interpreter: Any, event: Any, frame: Any, indexer: str, index: Any) -> bool:
        """``frame.loc[index] = value`` that is not done: the columns it may reach are there afterwards, with values that are not known."""
        if len(frame) < 1 or frame.columns.nlevels > 1 or len(frame.columns) > 5_000:
            return False
        sample = undisturbed_copy(sample_of(exact(frame)), True)
        column = index[1] if type(index) is tuple and len(index) == 2 else None
        if indexer in ("loc", "at") and type(column) is str:
            touched = {column}
            if column not in sample.columns:
                sample[column] = None
        else:
            touched = set(sample.columns)
        if not copy_on_write():
            interpreter.heap.touch_memory(frame)
        interpreter.lose(event.node, "a change of a frame that is not followed")
        grows = indexer == "loc"  # a new label adds a row
        self.make(interpreter, sample, None if grows else self.length, self.hidden | frozenset(touched))
        interpreter.heap.replace(frame, sample)
        return True

    def store_attribute(self, interpreter: Any, event: Any, owner: Value, name: str, value: Value) -> bool:
        """``frame.columns = [...]``: other labels, of which none is known to be what it was."""
        if name != "columns" or not value.exact or owner.kind != "partial":
            return False
        survey = interpreter.surveyor.look([value.obj])
        if survey.opaque or survey.callbacks or survey.domains or not isinstance(value.obj, (list, pandas().Index)):
            return False

        def renamed(rows: int) -> Any:
            twin = cut(owner.obj, rows).copy()
            twin.columns = value.obj
            return twin

        made = confirmed(interpreter, event, renamed)
        if made is None:
            return False
        hidden = frozenset({*made.columns, *made.index.names}) if self.hidden else self.hidden
        self.make(interpreter, made, self.length, hidden)
        interpreter.heap.replace(interpreter.heap.resolve(owner.obj), made)
        return True


def _may_call(interpreter: Any, values: list[Value]) -> bool:
    """Whether code of the notebook is among the arguments."""
    survey = interpreter.surveyor.look([value.obj for value in values if value.exact])
    return bool(survey.callbacks) or survey.own or any(value.reach for value in values)


def _plain(interpreter: Any, values: list[Value]) -> list[Any] | None:
    """Exact, small arguments as objects; None where one is neither."""
    out = []
    for value in values:
        if not value.exact:
            return None
        survey = interpreter.surveyor.look([value.obj])
        if survey.opaque or survey.callbacks or survey.domains or survey.weight > 100_000:
            return None
        out.append(interpreter.heap.reading(value.obj))
    return out


def _by_columns(name: str, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether column labels alone decide if the call finds its labels."""
    if name == "drop":
        if "columns" in kwargs and "labels" not in kwargs and "index" not in kwargs and not args:
            return True
        axis = kwargs.get("axis", args[1] if len(args) > 1 else 0)
        return axis in (1, "columns") and "index" not in kwargs
    if name in ("groupby", "sort_values"):
        key = kwargs.get("by", args[0] if args else None)
        if kwargs.get("axis", 0) != 0 or "level" in kwargs and kwargs["level"] is not None:
            return False
        return isinstance(key, str) or isinstance(key, list) and all(isinstance(part, str) for part in key)
    if name in ("reindex", "rename") and (kwargs.get("errors") == "raise" or kwargs.get("index") is not None or args):
        return False
    if name == "astype":
        first = kwargs.get("dtype", args[0] if args else None)
        return isinstance(first, dict)
    if name in (
        "dropna",
        "set_index",
        "melt",
        "pivot",
        "pivot_table",
        "drop_duplicates",
        "duplicated",
        "nlargest",
        "nsmallest",
        "explode",
        "merge",
        "get",
    ):
        return name not in ("dropna",) or kwargs.get("axis", 0) in (0, "index")
    return True
