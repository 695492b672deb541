"""Stand-ins of estimators that were fitted on too much data: the facts that fitting leaves, without the work.

The stand-in is the same class with the same parameters, fitted on a few real rows that hold every feature and two or more classes.
It agrees with the real one in the number and names of its features and in being fitted; nothing it has learned is used.
"""

from __future__ import annotations

import sys
from typing import Any

from ...calls import PartialMethod
from ...values import ATOMS, Value, exact, partial, unknown
from ...watch import run_watched
from ..base import Domain
from .copies import Copier, copy_of, every_estimator, is_estimator
from .phases import is_validation_error
from .runs import data_size, error_of, one_process

ROWS_PER_CLASS = 6
SECONDS = 0.15


def fitted_standin(interp: Any, estimator: Any, args: list[Any], kwargs: dict[str, Any]) -> Value | None:
    """A stand-in for ``estimator`` fitted on ``args``, or None where a small fit does not go through."""
    rows = _few_rows(args)
    if rows is None:
        return None
    copier = Copier(interp)
    twin = copier.estimator(estimator)
    if copier.users:
        return None
    for part in every_estimator(twin):
        one_process(part)
    try:
        outcome = run_watched(lambda: twin.fit(*rows, **kwargs), SECONDS)
    except Exception:  # too few rows for this estimator: no stand-in
        return None
    return partial(twin, FITTED, type(estimator)) if outcome.finished else None


def _few_rows(args: list[Any]) -> list[Any] | None:
    """The arguments cut down to a few rows with more than one class where there are several."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not args:
        return None
    count = len(args[0]) if hasattr(args[0], "__len__") else getattr(args[0], "shape", (0,))[0]
    picks = list(range(min(count, ROWS_PER_CLASS)))
    if len(args) > 1 and args[1] is not None:
        labels = numpy.asarray(args[1]).ravel()[:20_000]
        if labels.shape[0] != min(count, 20_000):
            return None
        _, first = numpy.unique(labels, return_index=True)
        for start in first[:20]:
            same = numpy.flatnonzero(labels == labels[start])[:ROWS_PER_CLASS]
            picks.extend(int(i) for i in same)
    picks = sorted(set(picks))
    return [_take(arg, picks, count) for arg in args]


def _take(arg: Any, picks: list[int], count: int) -> Any:
    if hasattr(arg, "iloc"):
        return arg.iloc[picks]
    if hasattr(arg, "shape") and len(arg.shape) and arg.shape[0] == count:
        return arg[picks]
    if isinstance(arg, (list, tuple)) and len(arg) == count:
        return [arg[i] for i in picks]
    return arg


class FittedDomain(Domain):
    """An estimator of which the features and the parameters are known, not what it learned."""

    name = "fitted estimator"

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        own = vars(owner.obj)
        if name in own:
            value = own[name]
            if not name.endswith("_") or name in ("n_features_in_", "feature_names_in_"):
                return interpreter.heap.wrap(value)
            return unknown(type(value) if type(value) in ATOMS else None)
        found = interpreter.type_attribute(owner, name)
        if found is None:
            interpreter.attempt(event, lambda: object.__getattribute__(owner.obj, name))
            return None
        return exact(PartialMethod(owner, name))

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        from .estimators import APPLYING, FITTING

        if name in FITTING or name not in APPLYING or not is_estimator(owner.obj):
            return None
        if not args or not args[0].exact or kwargs:
            return unknown()
        data = args[0].obj
        if interpreter.surveyor.look([data]).opaque:
            return unknown()
        if data_size(data) > 2_000_000:
            data = data.iloc[:2] if hasattr(data, "iloc") else data[:2] if hasattr(data, "shape") else None
        if data is not None and name in ("predict", "predict_proba", "decision_function", "transform"):
            twin = copy_of(owner.obj)
            error = error_of(lambda: run_watched(lambda: getattr(twin, name)(data), SECONDS))
            if error is not None and is_validation_error(error, names_only=True):
                raise interpreter.fail(error, event)
        interpreter.lose(event.node, f"{name} of an estimator that is known in part")
        return unknown()


FITTED = FittedDomain()
