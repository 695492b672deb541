"""Copies of estimators: what fitting or setting parameters changes is changed on them alone.

Whatever of the notebook's an estimator holds (estimators of its own classes, functions) is replaced by what the interpreter runs.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from ...callbacks import interpreted
from ...purity.libraries import finalizes, is_library_type, root_of
from ...shadows import shadow_of
from ...values import ATOMS, Abandon, Hole

ROOTS = frozenset("sklearn xgboost lightgbm imblearn mlxtend category_encoders sklearn_pandas".split())
_ITEMS = 1_000  # of a container that is copied
_BASES = ("sklearn.base", "sklearn.utils", "builtins", "abc", "typing")


def is_estimator(obj: Any) -> bool:
    """Whether ``obj`` is an estimator of scikit-learn, or of a library that builds on it, through and through."""
    base = sys.modules.get("sklearn.base")
    kind = type(obj)
    return base is not None and isinstance(obj, base.BaseEstimator) and is_library_type(kind) and root_of(kind) in ROOTS


def is_users_class(cls: Any) -> bool:
    """Whether ``cls`` is a class of the notebook that derives from scikit-learn's bases, and from no estimator."""
    if "sklearn.base" not in sys.modules or not isinstance(cls, type) or is_library_type(cls):
        return False
    library = [base.__module__ for base in cls.__mro__ if is_library_type(base)]
    return "sklearn.base" in library and all(name.startswith(_BASES) for name in library)


def bare_method(value: Any) -> Any:
    """A method without what scikit-learn wraps around ``transform`` as a class is made."""
    if isinstance(value, types.FunctionType) and value.__globals__.get("__name__") == "sklearn.utils._set_output":
        return vars(value).get("__wrapped__", value)
    return value


def stand_for(interp: Any, cls: type) -> type:
    """The class, derived from ``cls`` or its shadow, whose instances stand for those of ``cls``."""
    table: dict[type, type] = interp.__dict__.setdefault("estimator_classes", {})
    if "__crane_shadow__" in vars(cls):
        return cls
    if cls not in table:
        made = shadow_of(interp, cls, bare_method)
        if made is cls:
            body = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__crane_shadow__": cls}
            made = types.new_class(cls.__name__, (cls,), {}, lambda namespace: namespace.update(body))
        table[cls] = made
    return table[cls]


class Copier:
    """Copies of one call's estimators. ``pairs``: the estimators met, each with its copy, which is the checker's own."""

    def __init__(self, interp: Any) -> None:
        self.interp = interp
        self.pairs: dict[int, tuple[Any, Any]] = {}

    def estimator(self, obj: Any) -> Any:
        """A copy of an estimator that shares no state which fitting or setting parameters would change."""
        heap = self.interp.heap
        obj = heap.resolve(obj)
        if id(obj) in self.pairs:
            return self.pairs[id(obj)][1]
        kind = type(obj)
        if heap.is_dirty(obj):
            raise Abandon("an estimator that may have been changed")
        if finalizes(kind):
            raise Abandon("a copy would run the notebook's code when it goes")
        twin: Any = object.__new__(kind if is_estimator(obj) else stand_for(self.interp, kind))
        self.pairs[id(obj)] = (obj, twin)
        heap.own(twin)
        for name, value in vars(obj).items():
            vars(twin)[name] = self.part(value)
        return twin

    def part(self, value: Any) -> Any:
        """What stands in the copy of an estimator, or of a call's arguments, for ``value``."""
        kind = type(value)
        if kind in ATOMS or kind is Hole:
            return value
        if is_estimator(value) or is_users_class(kind):
            return self.estimator(value)
        if kind in (list, tuple, dict, set) and len(value) <= _ITEMS:
            return self._container(value, kind)
        if callable(value) and not isinstance(value, type):
            held = interpreted(self.interp, value)
            if held is not value:
                return held
        if root_of(kind) == "sklearn" and callable(getattr(value, "_score_func", None)):
            made = object.__new__(kind)
            vars(made).update({name: self.part(item) for name, item in vars(value).items()})
            return made
        return self.interp.heap.resolve(value)

    def _container(self, value: Any, kind: type) -> Any:
        value = self.interp.heap.resolve(value)
        if self.interp.heap.is_dirty(value):
            raise Abandon("a container that may have been changed")
        if kind is dict:
            return {key: self.part(item) for key, item in value.items()}
        return value.copy() if kind is set else kind([self.part(item) for item in value])

    def settle(self) -> None:
        """The work is done on the copies: from here on they are what is found wherever the estimators were."""
        for original, twin in self.pairs.values():
            self.interp.heap.replace(original, twin)

    @property
    def users(self) -> bool:
        """Whether code of the notebook takes part."""
        return any(not is_library_type(type(twin)) for _, twin in self.pairs.values())


def every_estimator(obj: Any) -> list[Any]:
    """``obj`` and the estimators that it holds as parameters, theirs included."""
    found: list[Any] = []
    queue, seen = [obj], set()
    while queue:
        item = queue.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if type(item) in (list, tuple) and len(item) <= _ITEMS:
            queue.extend(item)
        elif is_estimator(item) or is_users_class(type(item)):
            found.append(item)
            queue.extend(vars(item).values())
    return found


def copy_of(estimator: Any) -> Any:
    """A copy of a library's own estimator alone, to write to; None for anything else."""
    if not is_estimator(estimator):
        return None
    twin = object.__new__(type(estimator))
    vars(twin).update(vars(estimator))
    return twin
