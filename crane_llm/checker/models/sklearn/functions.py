"""Functions that are given estimators: they are called for real with copies, for a bounded time."""

from __future__ import annotations

from typing import Any

from ...values import Value, unknown
from .runs import Run

# Functions that fit clones of the estimators, or only apply them.
_EVALUATING = (
    *("sklearn.model_selection._validation." + name for name in (
        "cross_val_score", "cross_validate", "cross_val_predict", "learning_curve", "validation_curve",
        "permutation_test_score",
    )),
    "sklearn.inspection._permutation_importance.permutation_importance",
    "sklearn.metrics._scorer._BaseScorer.__call__",
    "sklearn.base.clone",
)  # fmt: skip
# Functions that put the estimators into a larger one.
_COMPOSING = (
    "sklearn.pipeline.make_pipeline",
    "sklearn.pipeline.make_union",
    "sklearn.compose._column_transformer.make_column_transformer",
)


def _evaluate(interp: Any, call: Any) -> Value | None:
    run = Run(interp, call)
    if not run.known() or not run.bounded:
        run.disturb()
        return None
    if run.kwargs.get("n_jobs") is not None:
        run.kwargs["n_jobs"] = None
    outcome = run.watched(run.copier.part(call.func))
    if not outcome.finished:
        interp.lose(call.node, f"{call.key.rpartition('.')[2]} takes too long")
        return unknown()
    return interp.heap.wrap(outcome.value)


def _compose(interp: Any, call: Any) -> Value | None:
    run = Run(interp, call)
    if not run.known(settled=False):
        return None
    args, kwargs = run.originals
    return interp.heap.own(interp.quiet_call(call.event, lambda: call.func(*args, **kwargs)))


FUNCTION_MODELS: dict[str, Any] = {**dict.fromkeys(_EVALUATING, _evaluate), **dict.fromkeys(_COMPOSING, _compose)}
