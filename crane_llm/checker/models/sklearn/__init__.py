"""Models: scikit-learn estimators."""

from __future__ import annotations

from typing import Any

from .estimators import MODELS as ESTIMATOR_MODELS
from .estimators import SklearnLibrary
from .splitters import SPLIT_MODELS

MODELS: dict[str, Any] = {**ESTIMATOR_MODELS, **SPLIT_MODELS}
LIBRARY: Any = SklearnLibrary()

__all__ = ["LIBRARY", "MODELS"]
