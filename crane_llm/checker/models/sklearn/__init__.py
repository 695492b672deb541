"""Models: scikit-learn estimators."""

from __future__ import annotations

from typing import Any

from .estimators import MODELS, SklearnLibrary

LIBRARY: Any = SklearnLibrary()

__all__ = ["LIBRARY", "MODELS"]
