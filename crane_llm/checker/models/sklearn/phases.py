"""Telling the validation at the start of ``fit`` from the work that follows."""

from __future__ import annotations

from typing import Any

# Functions of scikit-learn that belong to validation wherever they are called from.
_VALIDATORS = (
    "check_",
    "_check",
    "validate_",
    "_validate",
    "_assert",
    "assert_",
    "_get_feature",
    "_num_samples",
    "_ensure",
    "_more_tags",
    "_get_tags",
    "__sklearn",
    "get_tags",
)
_VALIDATION_FILES = (
    "/sklearn/utils/",
    "/sklearn/base.py",
    "/sklearn/_config.py",
    "/sklearn/externals/",
    "/sklearn/preprocessing/_label.py",
    "/sklearn/pipeline.py",
    "/sklearn/compose/",
)
_WORK_FILES = (
    "/joblib/",
    "/sklearn/utils/parallel.py",
    "/scipy/optimize/",
    "/sklearn/utils/optimize.py",
    "/scipy/linalg/",
    "/sklearn/utils/extmath.py",
    "/threadpoolctl",
)
_ENTRY = frozenset(
    "fit partial_fit fit_transform fit_predict fit_resample _fit _partial_fit _fit_transform transform wrapper inner <lambda> <listcomp> <genexpr> <dictcomp> __init__ _get_param_names".split()
)


def works(frame: Any) -> bool:
    """Whether a frame that is about to run is past validation."""
    code = frame.f_code
    filename = code.co_filename.replace("\\", "/")
    if any(part in filename for part in _WORK_FILES):
        return True
    if "/sklearn/" not in filename and "/xgboost/" not in filename and "/lightgbm/" not in filename:
        return False  # numpy, pandas and Python's own are used by validation too
    name = code.co_name
    return not (name in _ENTRY or name.startswith(_VALIDATORS) or any(part in filename for part in _VALIDATION_FILES))


_NAME_CHECKS = frozenset("_check_feature_names _check_n_features check_is_fitted validate_features".split())


def is_validation_error(error: BaseException, names_only: bool = False) -> bool:
    """Whether an error came out of input validation; ``names_only``: out of the checks of feature names, their number, or fittedness."""
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_name
        if name in _NAME_CHECKS:
            return True
        if not names_only and name.startswith(("check_", "_check", "validate_", "_validate", "_assert")):
            return True
        trace = trace.tb_next
    return False
