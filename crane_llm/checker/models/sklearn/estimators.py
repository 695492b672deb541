"""Calls on estimators: ``fit`` on a copy, under watch; ``predict`` and ``transform`` for real when they are cheap."""

from __future__ import annotations

import sys
from typing import Any

from ...purity.libraries import finalizes, is_library_type, root_of
from ...values import ATOMS, Abandon, Value, exact, unknown
from ...watch import run_watched
from ..base import Library
from .fitted import FITTED, fitted_standin
from .phases import is_validation_error, works

FITTING = frozenset("fit partial_fit fit_transform fit_predict fit_resample".split())
APPLYING = frozenset(
    "predict predict_proba predict_log_proba decision_function transform inverse_transform score kneighbors radius_neighbors "
    "score_samples apply staged_predict get_feature_names_out get_support get_params get_depth get_n_leaves mahalanobis".split()
)
# Elements of X that a fit may see in full, and that one may see up to the end of its validation.
FULL_FIT = 200_000
VALIDATED_FIT = 20_000_000
FIT_SECONDS = 0.35


def is_estimator(obj: Any) -> bool:
    """Whether ``obj`` is an estimator of scikit-learn, or of a library that builds on it, through and through."""
    base = sys.modules.get("sklearn.base")
    kind = type(obj)
    return (
        base is not None and isinstance(obj, base.BaseEstimator) and is_library_type(kind) and root_of(kind) in _ROOTS
    )


_ROOTS = frozenset("sklearn xgboost lightgbm imblearn mlxtend category_encoders sklearn_pandas".split())


class SklearnLibrary(Library):
    """Hooks for estimators."""

    roots = ("sklearn",)

    def copy(self, obj: Any) -> Any:
        return twin_of(obj)


def twin_of(estimator: Any) -> Any:
    """A copy of an estimator that shares no state that fitting or setting parameters would change; None where it is too large."""
    import copy

    if not is_estimator(estimator) or finalizes(type(estimator)):
        return None
    own = vars(estimator)
    twin = object.__new__(type(estimator))
    for name, value in own.items():
        if name.endswith("_") and not name.startswith("__"):
            vars(twin)[name] = value  # what was learned is replaced by a fit, never changed in place
        elif type(value) in ATOMS:
            vars(twin)[name] = value
        elif is_estimator(value):
            vars(twin)[name] = twin_of(value)
        elif type(value) in (list, tuple) and len(value) < 100:
            vars(twin)[name] = type(value)(_twin_part(item) for item in value)
        elif type(value) in (dict, set) and len(value) < 1_000:
            vars(twin)[name] = copy.copy(value)
        else:
            vars(twin)[name] = value
    return twin


def _twin_part(item: Any) -> Any:
    if type(item) is tuple:
        return tuple(_twin_part(part) for part in item)
    return twin_of(item) if is_estimator(item) else item


def handle(interp: Any, call: Any) -> Value | None:
    """A method of an estimator."""
    if isinstance(call.func, type):
        return _construct(interp, call)
    estimator = call.receiver
    if estimator is None or isinstance(estimator, type) or not is_estimator(estimator):
        return None
    name = call.func.__name__
    if name not in FITTING and name not in APPLYING and name != "set_params":
        return None
    if name in FITTING:
        return _fit(interp, call, estimator, name)
    if name == "set_params":
        return _set_params(interp, call, estimator)
    return _apply(interp, call, estimator, name)


def _construct(interp: Any, call: Any) -> Value | None:
    """An estimator's constructor only stores its parameters."""
    base = sys.modules.get("sklearn.base")
    if (
        base is None
        or not issubclass(call.func, base.BaseEstimator)
        or root_of(call.func) != "sklearn"
        or not call.exact
    ):
        return None
    args, kwargs = _objects(interp, call)
    survey = interp.surveyor.look([*args, *kwargs.values()])
    if survey.opaque or survey.domains:
        return None
    return interp.heap.own(interp.quiet_call(call.event, lambda: call.func(*args, **kwargs)))


def _objects(interp: Any, call: Any) -> tuple[list[Any], dict[str, Any]]:
    return [interp.heap.lower(v) for v in call.args], {k: interp.heap.lower(v) for k, v in call.kwargs.items()}


def _known(interp: Any, call: Any, estimator: Any) -> bool:
    """Whether estimator and arguments are known in full and the library's own."""
    if not call.exact:
        return False
    args, kwargs = _objects(interp, call)
    survey = interp.surveyor.look([estimator, *args, *kwargs.values()])
    return not (survey.opaque or survey.callbacks or survey.domains or "sklearn" in interp.world.unsettled)


def data_size(obj: Any) -> int:
    """Elements of an array-like."""
    shape = getattr(obj, "shape", None)
    if shape is not None:
        size = 1
        for dimension in shape:
            size *= int(dimension)
        return size
    if isinstance(obj, (list, tuple)):
        inner = obj[0] if obj else None
        return len(obj) * (len(inner) if isinstance(inner, (list, tuple, str)) else 1)
    return 1


def _fit(interp: Any, call: Any, estimator: Any, name: str) -> Value | None:
    if not _known(interp, call, estimator):
        return _fit_unseen(interp, call, estimator, name)
    args, kwargs = _objects(interp, call)
    size = sum(data_size(obj) for obj in [*args, *kwargs.values()])
    if size > VALIDATED_FIT:
        return _fit_unseen(interp, call, estimator, name)
    twin = twin_of(estimator)
    jobs = _sequential(twin)
    stop = None if size <= FULL_FIT else works
    drawn = vars(twin).get("random_state", 0) is None
    seconds = min(FIT_SECONDS, interp.budget.remaining() * 0.5)
    outcome = interp.quiet_call(
        call.event, lambda: run_watched(lambda: getattr(twin, name)(*args, **kwargs), seconds, stop)
    )
    _restore(jobs)
    if drawn:
        interp.world.drawn += 1
    if not outcome.finished or (drawn and not interp.world.random):
        return _fitted_partly(interp, call, estimator, name, args, kwargs)
    replace(interp, estimator, twin)
    if outcome.value is twin or name in ("fit", "partial_fit"):
        return exact(twin)
    return interp.heap.wrap(outcome.value)


def replace(interp: Any, estimator: Any, twin: Any) -> None:
    """From here on ``twin`` stands for ``estimator``."""
    current = interp.heap.resolve(estimator)
    if current is twin:
        return
    interp.heap.writable(current, lambda _: twin)
    interp.heap.layers[-1].overlay[id(current)] = twin
    interp.heap.layers[-1].originals[id(current)] = current
    interp.heap.own(twin)


def _sequential(estimator: Any) -> list[tuple[dict[str, Any], Any]]:
    """Turn off the use of several processes or threads, in nested estimators too; returns what to put back."""
    changed = []
    queue = [estimator]
    while queue:
        item = queue.pop()
        own = vars(item)
        if own.get("n_jobs") not in (None, 1):
            changed.append((own, own["n_jobs"]))
            own["n_jobs"] = None
        for value in own.values():
            parts = value if isinstance(value, (list, tuple)) else [value]
            for part in parts:
                inner = part[1] if type(part) is tuple and len(part) > 1 else part
                if is_estimator(inner):
                    queue.append(inner)
    return changed


def _restore(changed: list[tuple[dict[str, Any], Any]]) -> None:
    for own, jobs in changed:
        own["n_jobs"] = jobs


def _fit_unseen(interp: Any, call: Any, estimator: Any, name: str) -> Value:
    """The data is not known: the estimator is fitted on something, or the call raises."""
    interp.lose(call.node, f"{name} on data that is not known")
    interp.heap.soil([estimator], link=False)
    interp.world.random = interp.world.random and vars(estimator).get("random_state", 0) is not None
    return unknown(type(estimator) if name in ("fit", "partial_fit") else None, (estimator,))


def _fitted_partly(interp: Any, call: Any, estimator: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Value:
    """Validation passed, the work was not done: keep the facts that fitting leaves."""
    if name in ("fit", "fit_transform", "partial_fit"):
        standin = fitted_standin(interp, estimator, args, kwargs)
        if standin is not None:
            interp.lose(call.node, f"{name} was followed up to its validation")
            replace(interp, estimator, standin.obj)
            interp.heap.standins[id(standin.obj)] = standin
            return standin if name != "fit_transform" else unknown(None)
    return _fit_unseen(interp, call, estimator, name)


def _set_params(interp: Any, call: Any, estimator: Any) -> Value | None:
    if not _known(interp, call, estimator):
        return None
    args, kwargs = _objects(interp, call)
    twin = twin_of(estimator)
    interp.quiet_call(call.event, lambda: twin.set_params(*args, **kwargs))
    replace(interp, estimator, twin)
    return exact(twin)


def _apply(interp: Any, call: Any, estimator: Any, name: str) -> Value | None:
    if not _known(interp, call, estimator):
        return _apply_unseen(interp, call, estimator, name)
    args, kwargs = _objects(interp, call)
    size = sum(data_size(obj) for obj in args)
    if size > FULL_FIT * 5 or not interp.budget.affords(apply_cost(estimator, size)):
        return _apply_large(interp, call, estimator, name, args, kwargs)
    twin = twin_of(estimator)
    jobs = _sequential(twin)
    seconds = min(FIT_SECONDS, interp.budget.remaining() * 0.5)
    outcome = interp.quiet_call(call.event, lambda: run_watched(lambda: getattr(twin, name)(*args, **kwargs), seconds))
    _restore(jobs)
    if not outcome.finished:
        interp.lose(call.node, f"{name} takes too long")
        return unknown()
    return interp.heap.wrap(outcome.value)


def _apply_unseen(interp: Any, call: Any, estimator: Any, name: str) -> Value:
    """An estimator that is certainly not fitted raises whatever it is given."""
    check = getattr(sys.modules.get("sklearn.utils.validation"), "check_is_fitted", None)
    survey = interp.surveyor.look([estimator])
    if (
        check is not None
        and not survey.opaque
        and not survey.live
        and name in ("predict", "predict_proba", "decision_function")
        and not vars_learned(estimator)
    ):
        numpy = sys.modules.get("numpy")
        if numpy is not None and call.complete:
            probe = numpy.zeros((2, 2))
            error = _raised_by(lambda: getattr(twin_of(estimator), name)(probe))
            if type(error).__name__ == "NotFittedError" and len(call.args) == 1 and not call.kwargs:
                raise interp.fail(error, call.event)
    interp.lose(call.node, f"{name} on data that is not known")
    return unknown()


def vars_learned(estimator: Any) -> bool:
    """Whether an estimator carries anything that looks learned."""
    return any(name.endswith("_") and not name.startswith("__") for name in vars(estimator))


def _raised_by(thunk: Any) -> BaseException | None:
    try:
        thunk()
    except Exception as error:
        return error
    return None


def apply_cost(estimator: Any, size: int) -> float:
    """Estimated seconds of applying a fitted estimator to ``size`` elements; generous, since some work is quadratic."""
    factor = 1.0
    own = vars(estimator)
    for name in ("n_estimators", "n_iter_", "n_neighbors"):
        value = own.get(name)
        if isinstance(value, int):
            factor += value * 0.3
    for name in ("support_vectors_", "_fit_X"):
        rows = getattr(own.get(name), "shape", (0,))[0]
        factor += rows
    return 1e-3 + size * factor * 1e-8


def _apply_large(interp: Any, call: Any, estimator: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Value:
    """Too much data: the first rows go through; a failure of their validation is the whole's, unless it is about the values."""
    first: Any = args[0] if args else None
    rows = getattr(first, "shape", (0,))[0]
    if (
        rows > 2
        and name not in ("inverse_transform", "get_params")
        and hasattr(type(first), "__getitem__")
        and len(args) == 1
    ):
        head = first.iloc[:2] if hasattr(first, "iloc") else first[:2]
        twin = twin_of(estimator)
        error = _raised_by(lambda: getattr(twin, name)(head, **kwargs))
        if error is not None and is_validation_error(error, names_only=True):
            raise interp.fail(error, call.event)
    interp.lose(call.node, f"{name} on much data")
    return unknown()


MODELS: dict[str, Any] = {
    "sklearn.*": handle,
    "xgboost.sklearn.*": handle,
    "lightgbm.sklearn.*": handle,
    "imblearn.*": handle,
    "mlxtend.*": handle,
    "category_encoders.*": handle,
    "sklearn_pandas.*": handle,
}

__all__ = ["FITTED", "MODELS", "Abandon", "SklearnLibrary", "handle"]
