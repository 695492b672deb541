"""Stand-ins for series: too large to compute with, or made from a frame of which only the labels are known.

Facts: the class, the name, the names of the index, the number of rows where it is known; nothing of values or dtype.
"""

from __future__ import annotations

import operator
from typing import Any

from ...values import Value, exact, partial, unknown
from ..base import Domain
from .kinds import is_frame, is_series, pandas
from .witness import NotPlain, arguments, confirmed, cut, filled, sample_of

_COMPARISONS = frozenset({operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge})
_ARITHMETIC = frozenset(
    {operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow}
)
_LOGIC = frozenset({operator.and_, operator.or_, operator.xor, operator.invert})
# What these give has the labels that they give on any values.
_SAME_ROWS = frozenset(
    "fillna astype round abs shift clip copy rank diff cumsum pct_change ffill bfill sort_values sort_index rename isin isna isnull notna notnull between duplicated".split()
)
_MASKS = frozenset("isin isna isnull notna notnull between duplicated".split())
_OTHER_ROWS = frozenset(
    "dropna drop_duplicates head tail sample nlargest nsmallest to_frame reset_index value_counts".split()
)


class SeriesDomain(Domain):
    """The facts of one stand-in. ``mask``: its values are truth values."""

    name = "pandas"

    def __init__(self, length: int | None, mask: bool = False) -> None:
        self.length = length
        self.mask = mask

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        from ...calls import PartialMethod

        if name == "name":
            return exact(owner.obj.name) if type(owner.obj.name) is str else None
        if name in ("shape", "size") and self.length is not None:
            return exact((self.length,) if name == "shape" else self.length)
        if callable(getattr(pandas().Series, name, None)) and not isinstance(
            getattr(pandas().Series, name, None), type
        ):
            return exact(PartialMethod(owner, name))
        return None

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if func.obj is len and len(args) == 1 and self.length is not None and args[0].domain is self:
            return exact(self.length)
        from .combining import combine

        owner = getattr(func.obj, "__self__", None)
        if is_series(owner):
            return self.call_method(interpreter, event, exact(owner), func.obj.__name__, args, kwargs)
        return combine(interpreter, event, func, args, kwargs)

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if name not in _SAME_ROWS | _OTHER_ROWS or "inplace" in kwargs:
            return None
        try:
            given, named = arguments(interpreter, args, kwargs)
        except NotPlain:
            return None
        if any(a is True for a in given[1:]):
            return None
        sample = sample_of(owner)
        made = confirmed(interpreter, event, lambda rows: getattr(cut(sample, rows), name)(*given, **named))
        interpreter.lose(event.node, "a call on a stand-in")
        if is_series(made) and name in _MASKS:
            return series(interpreter, made, self.length, mask=True)
        return labels_only(interpreter, made, self.length if name in _SAME_ROWS else None)

    def operate(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        known = [v for v in values if v.kind == "partial" and v.domain.name == "pandas" or v.exact and is_series(v.obj)]
        if any(not is_series(v.obj) for v in known) or function not in _COMPARISONS | _ARITHMETIC | _LOGIC:
            return None
        for value in values:
            if value not in known and not (value.exact and type(value.obj) in (int, float, str, bool)):
                return None
        names = {v.obj.name for v in known if type(v.obj.name) is str or v.obj.name is None}
        lengths = {len(v.obj) if v.exact else v.domain.length for v in known}
        masks = all(v.exact and v.obj.dtype == bool or v.kind == "partial" and v.domain.mask for v in known)
        sample = filled(sample_of(next(v for v in known)))
        sample.name = names.pop() if len(names) == 1 and all(type(v.obj.name) is str for v in known) else None
        interpreter.lose(event.node, "an operator on a stand-in")
        mask = function in _COMPARISONS or function in _LOGIC and masks
        return series(interpreter, sample, lengths.pop() if len(lengths) == 1 else None, mask)


def series(interpreter: Any, sample: Any, length: int | None, mask: bool = False) -> Value:
    """A stand-in for a series with the name and index names of ``sample``."""
    sample = filled(sample)
    value = partial(sample, SeriesDomain(length, mask))
    interpreter.heap.standins[id(sample)] = value
    return value


def labels_only(interpreter: Any, made: Any, length: int | None) -> Value:
    """A stand-in of which nothing but the labels of ``made``, a frame or series, is known."""
    from .frames import FrameDomain

    if is_series(made):
        return series(interpreter, made, length)
    if is_frame(made):
        sample = filled(made)
        return FrameDomain(length).make(interpreter, sample, length, frozenset(sample.columns))
    return unknown()
