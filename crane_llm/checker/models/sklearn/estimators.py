"""Calls on estimators: ``fit`` on a copy, under watch; ``predict`` and ``transform`` for real when they are cheap."""

from __future__ import annotations

import sys
from typing import Any

from ...purity.libraries import is_library_type, root_of
from ...values import Abandon, Value, exact, unknown
from ..base import Library
from .copies import copy_of, is_estimator, is_users_class
from .fitted import FITTED, fitted_standin
from .functions import FUNCTION_MODELS
from .notebook import attribute, construct, derivable, method, received
from .phases import is_validation_error
from .runs import FULL_FIT, Run, data_size, error_of

FITTING = frozenset("fit partial_fit fit_transform fit_predict fit_resample".split())
APPLYING = frozenset(
    "predict predict_proba predict_log_proba decision_function transform inverse_transform score kneighbors radius_neighbors "
    "score_samples apply staged_predict get_feature_names_out get_support get_params get_depth get_n_leaves mahalanobis".split()
)


class SklearnLibrary(Library):
    """Hooks for estimators."""

    roots = ("sklearn",)

    def copy(self, obj: Any) -> Any:
        return copy_of(obj)

    def construct(self, interpreter: Any, cls: type, call: Any) -> Value | None:
        return construct(interpreter, cls, call)

    def attribute(self, interpreter: Any, event: Any, obj: Any, name: str) -> Value | None:
        return attribute(interpreter, event, obj, name)

    def received(self, interpreter: Any, obj: Any) -> Value | None:
        return received(interpreter, obj)

    def method(self, interpreter: Any, obj: Any, found: Any) -> Any:
        return method(interpreter, obj, found)

    def class_base(self, cls: type) -> bool:
        return derivable(cls)


def handle(interp: Any, call: Any) -> Value | None:
    """A method of an estimator."""
    if isinstance(call.func, type):
        return _construct(interp, call)
    estimator = call.receiver
    if estimator is None or not (is_estimator(estimator) or is_users_class(type(estimator))):
        return None
    name = call.func.__name__
    if name == "fit_transform" and not is_library_type(type(estimator)):
        return _fit_transform(interp, call, estimator)
    if name in FITTING or name == "set_params":
        return _fit(interp, call, estimator, name)
    return _apply(interp, call, estimator, name) if name in APPLYING else None


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
    run = Run(interp, call)
    if not run.known(settled=False):
        return None
    args, kwargs = run.originals
    return interp.heap.own(interp.quiet_call(call.event, lambda: call.func(*args, **kwargs)))


def _fit_transform(interp: Any, call: Any, estimator: Any) -> Value | None:
    """``fit_transform`` of a transformer of the notebook: its ``fit``, and ``transform`` of what that returns."""
    if not call.complete or not call.args or len(call.args) > 2 or set(call.kwargs) - {"y"}:
        return None
    y = call.argument(1, "y", exact(None))
    if y.kind != "exact":
        return None
    given = [call.args[0], *([] if y.obj is None else [y])]
    fit = interp.attribute(interp.heap.wrap(estimator), "fit", call.node)
    fitted = interp.call_value(fit, given, {}, call.node)
    return interp.call_value(interp.attribute(fitted, "transform", call.node), [call.args[0]], {}, call.node)


def _fit(interp: Any, call: Any, estimator: Any, name: str) -> Value | None:
    run = Run(interp, call, estimator)
    if not run.known() or not run.bounded:
        run.disturb()
        return _fit_unseen(interp, call, estimator, name) if name != "set_params" else None
    outcome = run.watched(getattr(run.estimator, name))
    if not outcome.finished:
        return _fitted_partly(interp, call, estimator, name, run)
    run.copier.settle()
    twin = run.estimator
    if outcome.value is twin or name in ("fit", "partial_fit"):
        return exact(twin)
    return interp.heap.wrap(outcome.value)


def _fit_unseen(interp: Any, call: Any, estimator: Any, name: str) -> Value:
    """The data is not known: the estimator is fitted on something, or the call raises."""
    interp.lose(call.node, f"{name} on data that is not known")
    interp.heap.soil([estimator], link=False)
    interp.world.random = interp.world.random and vars(estimator).get("random_state", 0) is not None
    return unknown(type(estimator) if name in ("fit", "partial_fit") else None, (estimator,))


def _fitted_partly(interp: Any, call: Any, estimator: Any, name: str, run: Run) -> Value:
    """Validation passed, the work was not done: keep the facts that fitting leaves."""
    if name in ("fit", "fit_transform", "partial_fit") and is_library_type(type(estimator)):
        standin = fitted_standin(interp, estimator, *run.originals)
        if standin is not None:
            interp.lose(call.node, f"{name} was followed up to its validation")
            current = interp.heap.resolve(estimator)
            interp.heap.soil([part for part, _ in run.copier.pairs.values() if part is not current], link=False)
            interp.heap.replace(current, standin.obj)
            interp.heap.standins[id(standin.obj)] = standin
            return standin if name != "fit_transform" else unknown(None)
    return _fit_unseen(interp, call, estimator, name)


def _apply(interp: Any, call: Any, estimator: Any, name: str) -> Value | None:
    run = Run(interp, call, estimator)
    if not run.known():
        run.disturb()
        return _apply_unseen(interp, call, estimator, name)
    args = run.originals[0]
    size = sum(data_size(obj) for obj in args)
    if size > FULL_FIT * 5 or not interp.budget.affords(apply_cost(estimator, size)):
        run.disturb()
        return _apply_large(interp, call, run, name)
    outcome = run.watched(getattr(run.estimator, name))
    if not outcome.finished:
        interp.lose(call.node, f"{name} takes too long")
        return unknown()
    if run.copier.users:
        run.copier.settle()  # its own code may have written on itself
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
            error = error_of(lambda: getattr(copy_of(estimator), name)(probe))
            if type(error).__name__ == "NotFittedError" and len(call.args) == 1 and not call.kwargs:
                raise interp.fail(error, call.event)
    interp.lose(call.node, f"{name} on data that is not known")
    return unknown()


def vars_learned(estimator: Any) -> bool:
    """Whether an estimator carries anything that looks learned."""
    return any(name.endswith("_") and not name.startswith("__") for name in vars(estimator))


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


def _apply_large(interp: Any, call: Any, run: Run, name: str) -> Value:
    """Too much data: the first rows go through; a failure of their validation is the whole's, unless it is about the values."""
    args, kwargs = run.originals
    first: Any = args[0] if args else None
    rows = getattr(first, "shape", (0,))[0]
    if (
        rows > 2
        and name not in ("inverse_transform", "get_params")
        and hasattr(type(first), "__getitem__")
        and len(args) == 1
        and not run.copier.users
    ):
        head = first.iloc[:2] if hasattr(first, "iloc") else first[:2]
        error = error_of(lambda: getattr(run.estimator, name)(head, **kwargs))
        if error is not None and is_validation_error(error, names_only=True):
            raise interp.fail(error, call.event)
    interp.lose(call.node, f"{name} on much data")
    return unknown()


MODELS: dict[str, Any] = {
    "sklearn.*": handle,
    **FUNCTION_MODELS,
    "xgboost.sklearn.*": handle,
    "lightgbm.sklearn.*": handle,
    "imblearn.*": handle,
    "mlxtend.*": handle,
    "category_encoders.*": handle,
    "sklearn_pandas.*": handle,
}

__all__ = ["FITTED", "MODELS", "Abandon", "SklearnLibrary", "handle"]
