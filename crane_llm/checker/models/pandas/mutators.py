"""Methods that change their receiver without being asked to: ``insert``, ``pop``, ``update`` …"""

from __future__ import annotations

from typing import Any

from ...values import Value, exact
from .kinds import is_frame, is_series
from .writing import deep, shallow


def _change(name: str, whole: bool) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        obj = call.receiver
        if not (is_frame(obj) or is_series(obj)) or not call.exact:
            return None
        obj = interp.heap.resolve(interp.heap.readers.original(obj))
        args, kwargs = [v.obj for v in call.args], {k: v.obj for k, v in call.kwargs.items()}
        survey = interp.surveyor.look([obj, *args, *kwargs.values()])
        if (
            survey.opaque
            or survey.callbacks
            or survey.domains
            or not interp.budget.affords(1e-3 + survey.weight * 4e-9)
        ):
            return None
        target = shallow(interp, obj) if whole and is_frame(obj) else deep(interp, obj)
        if target is None:
            return None
        made = interp.quiet_call(call.event, lambda: getattr(target, name)(*args, **kwargs))
        return exact(made)

    return handler


def _reader(name: str) -> Any:
    """Methods that other models of this library must not take for pure: nothing is known of their result."""

    def handler(interp: Any, call: Any) -> Value | None:
        return None

    return handler


MUTATORS: dict[str, Any] = {
    "pandas.core.frame.DataFrame.insert": _change("insert", True),
    "pandas.core.frame.DataFrame.pop": _change("pop", True),
    "pandas.core.generic.NDFrame.pop": _change("pop", True),
    "pandas.core.series.Series.pop": _change("pop", False),
    "pandas.core.frame.DataFrame.update": _change("update", False),
    "pandas.core.series.Series.update": _change("update", False),
    "pandas.core.frame.DataFrame.isetitem": _change("isetitem", True),
}
