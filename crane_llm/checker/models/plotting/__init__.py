"""Models: plotting on a private canvas."""

from __future__ import annotations

from typing import Any

from .axes import AXES_MODELS
from .pyplot import PYPLOT_MODELS
from .styles import STYLE_MODELS
from .takers import TAKER_MODELS

MODELS: dict[str, Any] = {**AXES_MODELS, **PYPLOT_MODELS, **STYLE_MODELS, **TAKER_MODELS}

__all__ = ["MODELS"]
