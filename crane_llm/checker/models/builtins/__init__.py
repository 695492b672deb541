"""Models: built-in functions that iterate, reflect, or act on the notebook's own objects."""

from __future__ import annotations

from typing import Any

from .collecting import COLLECTING_MODELS
from .iterators import ITERATOR_MODELS
from .reflection import REFLECTION_MODELS
from .text import TEXT_MODELS

MODELS: dict[str, Any] = {**ITERATOR_MODELS, **COLLECTING_MODELS, **REFLECTION_MODELS, **TEXT_MODELS}
