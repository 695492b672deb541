"""Models: pandas. Frames and series are written to on overlay copies; their iterators are walked by the checker."""

from __future__ import annotations

from .inplace import INPLACE
from .iteration import ITERATION
from .library import PandasLibrary
from .mutators import MUTATORS
from .readers import READERS
from .saving import SAVING

LIBRARY = PandasLibrary()
MODELS = {**INPLACE, **MUTATORS, **ITERATION, **READERS, **SAVING}
