"""Hooks for pandas objects: item and attribute stores, iteration, costs, stand-ins."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator
from typing import Any

from ...purity.lists.data_costs import rows
from ...readers import undisturbed_copy
from ...values import Value
from ..base import Library
from . import iteration
from .frames import FrameDomain
from .grouped import GroupDomain
from .kinds import COPY_BYTES, is_frame, is_index, is_indexer, is_series, size
from .series import SeriesDomain
from .witness import is_large
from .writing import deep, shallow, through_parent

_SCALARS = (str, int, float, bool, bytes, type(None))


class PandasLibrary(Library):
    """See :class:`base.Library`."""

    roots = ("pandas",)

    def items(self, interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
        return iteration.items(interpreter, obj, event)

    def item_cost(self, obj: Any, index: Any, weight: int) -> float | None:
        if is_indexer(obj):
            frame = obj.obj
            parts = index if isinstance(index, tuple) else (index,)
            if all(isinstance(part, (*_SCALARS, slice)) for part in parts):
                return 1e-4 + _lookup(frame)
            return 2e-4 + weight * 3e-9 + _lookup(frame)
        if is_frame(obj):
            if isinstance(index, _SCALARS):
                return 2e-5
            if isinstance(index, list) and all(isinstance(part, str) for part in index):
                return 1e-4 + weight * 1.5e-9 * min(1.0, len(index) / max(1, len(obj.columns)))
            return 2e-4 + weight * 3e-9
        if is_series(obj) and isinstance(index, _SCALARS):
            return 5e-5 + _lookup(obj)
        return 1e-4 + weight * 3e-9

    def copy(self, obj: Any) -> Any:
        return undisturbed_copy(obj, True) if (is_frame(obj) or is_series(obj)) and size(obj) <= COPY_BYTES else None

    # --- writes ------------------------------------------------------------------------------------

    def store_item(self, interpreter: Any, event: Any, obj: Any, index: Value, value: Value) -> bool:
        if is_indexer(obj):
            return self._store_indexed(interpreter, event, obj, index, value)
        if not (is_frame(obj) or is_series(obj)):
            if is_index(obj):
                interpreter.quiet_call(
                    event, lambda: operator.setitem(obj, index.obj, None)
                )  # an Index never takes items
            return False
        lowered = interpreter.heap.lower(value)
        survey = interpreter.surveyor.look([obj, index.obj])
        if survey.opaque or survey.callbacks or survey.domains:
            return False
        given = interpreter.surveyor.look([lowered])
        if given.callbacks:
            return False
        if given.opaque or given.domains:
            return is_frame(obj) and FrameDomain.of(interpreter, obj).set_column(
                interpreter, event, obj, index.obj, value
            )
        if not interpreter.budget.affords(
            1e-4
            + given.weight * 6e-9
            + rows(value.obj) * 2e-7
            + (0 if _whole_columns(obj, index.obj) else survey.weight * 3e-9)
        ):
            return is_frame(obj) and FrameDomain.of(interpreter, obj).set_column(
                interpreter, event, obj, index.obj, value
            )
        target = self._target(interpreter, obj, index.obj)
        if target is None:
            return False
        interpreter.quiet_call(event, lambda: operator.setitem(target, index.obj, value.obj))
        return True

    def _target(self, interpreter: Any, obj: Any, index: Any) -> Any:
        if is_frame(obj) and _whole_columns(obj, index):
            return shallow(interpreter, obj)
        if is_series(obj):
            found = through_parent(interpreter, obj)
            if found is not None:
                return found[1]
        return deep(interpreter, obj)

    def _store_indexed(self, interpreter: Any, event: Any, indexer: Any, index: Value, value: Value) -> bool:
        frame = interpreter.heap.resolve(indexer.obj)
        name = {"_LocIndexer": "loc", "_iLocIndexer": "iloc", "_AtIndexer": "at", "_iAtIndexer": "iat"}[
            type(indexer).__name__
        ]
        if getattr(indexer, "axis", None) is not None or not (is_frame(frame) or is_series(frame)):
            return False
        survey = interpreter.surveyor.look([frame, index.obj, interpreter.heap.lower(value)])
        if (
            survey.opaque
            or survey.callbacks
            or survey.domains
            or not interpreter.budget.affords(2e-4 + survey.weight * 3e-9 + _lookup(frame))
        ):
            return (
                is_frame(frame)
                and not survey.callbacks
                and FrameDomain.of(interpreter, frame).blur(interpreter, event, frame, name, index.obj)
            )
        target = None
        if is_series(frame):
            found = through_parent(interpreter, frame)
            target = found[1] if found is not None else None
        if target is None:
            target = deep(interpreter, frame)
        if target is None:
            return False
        interpreter.quiet_call(event, lambda: operator.setitem(getattr(target, name), index.obj, value.obj))
        return True

    def delete_item(self, interpreter: Any, event: Any, obj: Any, index: Value) -> bool:
        if not (is_frame(obj) or is_series(obj)) or interpreter.surveyor.look([obj, index.obj]).opaque:
            return False
        target = shallow(interpreter, obj) if is_frame(obj) else deep(interpreter, obj)
        if target is None:
            return False
        interpreter.quiet_call(event, lambda: operator.delitem(target, index.obj))
        return True

    def store_attribute(self, interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
        if is_index(obj):
            return (
                name in ("name", "names") and value.exact and self._name_axis(interpreter, event, obj, name, value.obj)
            )
        if not (is_frame(obj) or is_series(obj)) or name.startswith("_"):
            return False
        survey = interpreter.surveyor.look([obj, interpreter.heap.lower(value)])
        if (
            survey.opaque
            or survey.callbacks
            or survey.domains
            or not interpreter.budget.affords(1e-4 + survey.weight * 1e-9)
        ):
            return False
        whole = name in ("columns", "index", "name", "attrs") or (is_frame(obj) and name in obj.columns)
        target = shallow(interpreter, obj) if whole or is_frame(obj) else deep(interpreter, obj)
        if target is None:
            return False
        interpreter.quiet_call(event, lambda: setattr(target, name, value.obj))
        return True

    def _name_axis(self, interpreter: Any, event: Any, axis: Any, name: str, value: Any) -> bool:
        """``df.index.name = …``: the frame is seen with a renamed axis; other holders of the same axis are not known any more."""
        node = getattr(event.node, "value", None)
        which = getattr(node, "attr", None)
        if which not in ("index", "columns") or not isinstance(getattr(node, "value", None), ast.Name):
            return False
        frame = interpreter.heap.current(interpreter.lookup(node.value.id, node))
        if (
            not frame.exact
            or not (is_frame(frame.obj) or is_series(frame.obj))
            or getattr(frame.obj, which, None) is not axis
        ):
            return False
        twin = axis.copy()
        interpreter.quiet_call(event, lambda: setattr(twin, name, value))
        target = shallow(interpreter, frame.obj)
        if target is None:
            return False
        setattr(target, which, twin)
        interpreter.heap.replace(axis, getattr(target, which))
        return True

    # --- stand-ins ---------------------------------------------------------------------------------

    def domain(self, values: list[Value]) -> Any:
        for value in values:
            if not value.exact:
                continue
            if is_frame(value.obj) and is_large(value.obj):
                return FrameDomain.of(None, value.obj)
            if is_series(value.obj) and is_large(value.obj):
                return SeriesDomain(len(value.obj))
            if type(value.obj).__name__ in ("DataFrameGroupBy", "SeriesGroupBy") and is_large(value.obj.obj):
                return GroupDomain.of(value.obj)
        return None


def _lookup(obj: Any) -> float:
    """Seconds to look up a label the first time: the index builds a table."""
    index = getattr(obj, "index", None)
    if index is None or type(index).__name__ == "RangeIndex":
        return 0.0
    return 6e-8 * len(index)


def _whole_columns(frame: Any, index: Any) -> bool:
    """Whether ``frame[index] = value`` replaces or adds whole columns."""
    if isinstance(index, (str, int, float, bytes)) and not isinstance(index, bool):
        return True
    if isinstance(index, tuple):
        return all(isinstance(part, (str, int)) for part in index)
    if isinstance(index, list):
        return bool(index) and all(isinstance(part, str) for part in index)
    return False
