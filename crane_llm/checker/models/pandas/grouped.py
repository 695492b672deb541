"""Stand-ins for groups of frames that are too large to compute with: what is asked of them gives labels that values do not change."""

from __future__ import annotations

from typing import Any

from ...effects import disturb_by_code
from ...values import Value, exact, partial, unknown
from ..base import Domain
from .kinds import is_frame, is_series, modern, pandas
from .series import labels_only
from .witness import ROWS, NotPlain, arguments, confirmed, cut, filled, sample_of

_REDUCE = frozenset("sum mean median min max std var count size first last nunique prod agg aggregate".split())
_KEEP = frozenset("transform cumsum cumcount cumprod cummax cummin shift diff pct_change rank ffill bfill".split())
_OPTIONS = ("as_index", "sort", "group_keys", "observed", "dropna")
# Of any values: older versions leave columns out that the others cannot be computed of.
_ALL_COLUMNS = frozenset("count size first last nunique agg aggregate".split())


class GroupDomain(Domain):
    """One stand-in: a frame of a few rows (columns whose values are not known hold numbers), the keys, the columns that were selected."""

    name = "pandas"

    def __init__(
        self, frame: Any, hidden: frozenset[Any], length: int | None, keys: Any, options: dict[str, Any], chosen: Any
    ) -> None:
        self.frame = frame
        self.hidden = hidden
        self.length = length
        self.keys = keys
        self.options = options
        self.chosen = chosen

    @classmethod
    def of(cls, groups: Any) -> GroupDomain | None:
        """The domain of live groups of a large frame, where they are of columns by name."""
        grouper = getattr(groups, "_grouper", None) or getattr(groups, "grouper", None)
        names = list(getattr(grouper, "names", ()))
        own = vars(groups)
        if own.get("axis", 0) != 0 or own.get("level") is not None:
            return None
        options = {name: own[name] for name in _OPTIONS if isinstance(own.get(name), bool)}
        data = groups.obj
        if not names or not all(type(name) is str for name in names) or len(set(names)) < len(names):
            return None
        if is_series(data):
            if type(data.name) is not str or data.name in names:
                return None
            frame = pandas().DataFrame({**dict.fromkeys(names, 0), data.name: [0.0] * ROWS})
            return cls(frame, frozenset(frame.columns), len(data), names, options, data.name)
        keys = own.get("keys")
        plain = [keys] if type(keys) is str else keys
        if type(plain) is not list or plain != names or not set(plain) <= set(data.columns):
            return None
        chosen = getattr(groups, "_selection", None)
        if chosen is not None and type(chosen) not in (str, list):
            return None
        return cls(sample_of(exact(data)), frozenset(), len(data), keys, options, chosen)

    def build(self, rows: int) -> Any:
        """The groups of the first ``rows`` rows."""
        options = {**self.options, "observed": True}  # categories without rows change no label
        groups = cut(self.frame, rows).groupby(self.keys, **options)
        return groups if self.chosen is None else groups[self.chosen]

    def choose(self, interpreter: Any, chosen: Any) -> Value:
        """The stand-in with other columns selected."""
        domain = GroupDomain(self.frame, self.hidden, self.length, self.keys, self.options, chosen)
        return domain.value(interpreter)

    def value(self, interpreter: Any) -> Value:
        """The stand-in of this domain, known to the heap."""
        groups = self.build(ROWS)
        value = partial(groups, self)
        interpreter.heap.standins[id(groups)] = value
        return value

    # --- reading -----------------------------------------------------------------------------------

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        from ...calls import PartialMethod

        found = getattr(type(owner.obj), name, None)
        if callable(found) and not isinstance(found, type):
            return exact(PartialMethod(owner, name))
        if found is None and not name.startswith("_"):
            if self.chosen is None and name in self.frame.columns:
                return self.choose(interpreter, name)
            confirmed(interpreter, event, lambda rows: getattr(self.build(rows), name))
        return None

    def item(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        if not index.exact or self.chosen is not None and owner.kind == "partial":
            return None
        key = index.obj
        if type(key) is not str and not (type(key) is list and key and all(type(part) is str for part in key)):
            return None
        if confirmed(interpreter, event, lambda rows: self.build(rows)[key]) is None:
            return None
        return self.choose(interpreter, key)

    # --- calls -------------------------------------------------------------------------------------

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        owner = getattr(func.obj, "__self__", None)
        if hasattr(owner, "_selected_obj"):
            return self.call_method(interpreter, event, exact(owner), func.obj.__name__, args, kwargs)
        return None

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if name not in _REDUCE | _KEEP:
            return None
        functions: list[Any] = []
        try:
            given, named = arguments(interpreter, args, kwargs, functions)
        except NotPlain:
            return None
        whole = self.chosen is None or type(self.chosen) is list
        if whole and name not in _ALL_COLUMNS and not self._columns_known(named):
            return None
        made = confirmed(
            interpreter, event, lambda rows: getattr(self.build(rows), name)(*given, **named), self._believe
        )
        if functions:
            disturb_by_code(interpreter, functions)
            interpreter.world.disturb()
        interpreter.lose(event.node, "a call on groups of a stand-in")
        if not is_frame(made) and not is_series(made):
            return unknown()
        return labels_only(interpreter, made, self.length if name in _KEEP else None)

    def _columns_known(self, named: dict[str, Any]) -> bool:
        """Whether all columns, or those whose dtype says so, are in the result."""
        if named.get("numeric_only"):
            return not self.hidden
        return modern() or not any(dtype.kind in "OM" for dtype in self.frame.dtypes) and not self.hidden

    def _believe(self, error: Exception) -> bool:
        """A ``TypeError`` of columns whose dtypes, and no values, are what it is about."""
        return (
            isinstance(error, TypeError)
            and str(error).startswith("dtype '")
            and not self.hidden
            and not any(str(dtype) == "object" for dtype in self.frame.dtypes)
        )


def grouped(
    interpreter: Any, sample: Any, hidden: frozenset[Any], length: int | None, keys: Any, options: dict[str, Any]
) -> Value | None:
    """Groups of a stand-in by columns that it has."""
    if set(options) - set(_OPTIONS) or not all(type(option) is bool for option in options.values()):
        return None
    names = [keys] if type(keys) is str else keys
    if type(names) is not list or not set(names) <= set(sample.columns) or len(set(names)) < len(names):
        return None
    if sample.columns.nlevels > 1 or not sample.columns.is_unique:
        return None
    frame = sample.copy()
    for label in hidden & set(frame.columns):
        frame[label] = 0.0
    if not len(frame):
        frame, hidden = filled(sample), frozenset(sample.columns)
    return GroupDomain(frame, hidden, length, keys, options, None).value(interpreter)
