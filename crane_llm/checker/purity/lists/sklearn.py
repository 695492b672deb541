"""Allow-list: scikit-learn's functions and the construction of its estimators."""

from __future__ import annotations

from typing import Any

from ..registry import Pure


def _score_cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    return 5e-4 + weight * 2e-8


_metric = Pure(cost=_score_cost, callbacks=False)
_make = Pure(cost=lambda args, kwargs, weight: 1e-4, callbacks=True)
_sampling = Pure(random="numpy", cost=lambda args, kwargs, weight: 1e-4 + weight * 1e-8, callbacks=False)


def _quadratic(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    rows = max(
        [
            getattr(a, "shape", (len(a) if hasattr(a, "__len__") else 1,))[0] if getattr(a, "shape", None) != () else 1
            for a in args
        ]
        + [1]
    )
    return 1e-3 + rows * rows * 2e-7


_DISPLAYS = (
    ("confusion_matrix", "ConfusionMatrix"), ("roc_curve", "RocCurve"), ("precision_recall_curve", "PrecisionRecall"),
    ("det_curve", "DetCurve"), ("regression", "PredictionError"),
)  # fmt: skip

PURE: dict[str, Pure | None] = {
    "sklearn.metrics._classification.*": _metric,
    "sklearn.metrics._regression.*": _metric,
    "sklearn.metrics._ranking.*": _metric,
    "sklearn.metrics._scorer.make_scorer": _make,
    "sklearn.metrics.cluster.*": Pure(cost=_quadratic, random="numpy", callbacks=False),
    "sklearn.metrics.pairwise.*": Pure(cost=_quadratic, callbacks=False),
    "sklearn.model_selection._split.train_test_split": _sampling,
    "sklearn.model_selection._split.KFold": _make,
    "sklearn.model_selection._split.StratifiedKFold": _make,
    "sklearn.model_selection._split.ShuffleSplit": _make,
    "sklearn.model_selection._split.GroupKFold": _make,
    "sklearn.model_selection._split.TimeSeriesSplit": _make,
    "sklearn.utils._param_validation.*": None,
    "sklearn.utils.class_weight.compute_class_weight": _metric,
    "sklearn.utils.class_weight.compute_sample_weight": _metric,
    "sklearn.utils.validation.check_is_fitted": _metric,
    "sklearn.utils.validation.check_array": _metric,
    "sklearn.utils.validation.check_X_y": _metric,
    "sklearn.utils._indexing.shuffle": _sampling,
    "sklearn.utils._indexing.resample": _sampling,
    "sklearn.utils.shuffle": _sampling,
    "sklearn.utils.resample": _sampling,
    "sklearn.compose._column_transformer.make_column_selector": _make,
    **{f"sklearn.metrics._plot.{module}.{name}Display": _make for module, name in _DISPLAYS},
    "sklearn.preprocessing._data.scale": _metric,
    "sklearn.preprocessing._data.normalize": _metric,
    "sklearn.preprocessing._data.minmax_scale": _metric,
    "sklearn.preprocessing._label.label_binarize": _metric,
    "sklearn.datasets._samples_generator.*": Pure(
        random="numpy", cost=lambda args, kwargs, weight: 0.01 + _samples(args, kwargs) * 1e-6
    ),
    "sklearn.datasets._base.load_iris": Pure(cost=lambda args, kwargs, weight: 0.01),
    "sklearn.datasets._base.load_wine": Pure(cost=lambda args, kwargs, weight: 0.01),
    "sklearn.datasets._base.load_breast_cancer": Pure(cost=lambda args, kwargs, weight: 0.01),
    "sklearn.datasets._base.load_diabetes": Pure(cost=lambda args, kwargs, weight: 0.02),
    "sklearn.datasets._base.load_digits": Pure(cost=lambda args, kwargs, weight: 0.05),
}


def _samples(args: list[Any], kwargs: dict[str, Any]) -> float:
    count = kwargs.get("n_samples", args[0] if args else 100)
    features = kwargs.get("n_features", 20)
    return float(count) * float(features) if isinstance(count, int) and isinstance(features, int) else 1e9
