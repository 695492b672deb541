"""Methods with ``inplace=True``, performed on an overlay copy."""

from __future__ import annotations

from typing import Any

from ...purity.registry import registry
from ...values import Value, exact
from .frames import FrameDomain
from .kinds import is_frame, is_series
from .writing import deep, parent_of, shallow, through_parent

# Methods that put a new manager into the object; its old data is not written to.
_REPLACING = frozenset(
    "drop rename set_index reset_index sort_values sort_index drop_duplicates dropna set_axis rename_axis query".split()
)
_WRITING = frozenset("fillna replace clip where mask interpolate ffill bfill pad backfill eval".split())


def _inplace(interp: Any, call: Any) -> Value | None:
    flag = call.kwargs.get("inplace")
    if flag is None or not flag.exact or flag.obj is not True or not call.complete:
        return None
    name = call.key.rpartition(".")[2]
    obj = call.receiver
    if name not in _REPLACING | _WRITING or not (is_frame(obj) or is_series(obj)):
        return None
    spec = registry().find(call.key)
    if spec is None:
        return None
    live = interp.heap.readers.original(obj)
    obj = interp.heap.resolve(live)
    args, kwargs = [interp.heap.lower(v) for v in call.args], {k: interp.heap.lower(v) for k, v in call.kwargs.items()}
    if spec.when is not None and not spec.when(args, {**kwargs, "inplace": False}):
        return None
    survey = interp.surveyor.look([obj, *args, *kwargs.values()])
    if survey.opaque or survey.callbacks or survey.domains:
        return None
    if not interp.budget.affords(spec.seconds([obj, *args], kwargs, survey.weight)):
        return (
            FrameDomain.of(interp, obj).call_method(interp, call.event, exact(obj), name, call.args, call.kwargs)
            if is_frame(obj)
            else None
        )
    target = None
    if is_series(obj):
        found = through_parent(interp, obj)
        if found is not None:
            target = found[1]
        elif parent_of(interp, obj) is not None:
            return None
    if target is None:
        target = shallow(interp, obj) if name in _REPLACING and is_frame(obj) else deep(interp, obj)
    if target is None:
        return None
    return exact(interp.quiet_call(call.event, lambda: getattr(target, name)(*args, **kwargs)))


INPLACE: dict[str, Any] = {
    f"pandas.core.{owner}.{name}": _inplace
    for owner in ("frame.DataFrame", "generic.NDFrame", "series.Series")
    for name in sorted(_REPLACING | _WRITING)
}
