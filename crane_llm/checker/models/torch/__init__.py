"""Models: PyTorch. See :mod:`engine` for how operations are followed without computing."""

from __future__ import annotations

from typing import Any

from .data import DATA_MODELS
from .functions import FUNCTION_MODELS
from .library import LIBRARY
from .modules import MODULE_MODELS
from .training import TRAINING_MODELS

MODELS: dict[str, Any] = {**FUNCTION_MODELS, **MODULE_MODELS, **TRAINING_MODELS, **DATA_MODELS}

__all__ = ["LIBRARY", "MODELS"]
