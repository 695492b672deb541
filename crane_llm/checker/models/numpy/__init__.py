"""Models: NumPy. Writes to arrays go to overlay copies; arrays too large to compute with are followed by shape and dtype."""

from __future__ import annotations

from .library import NumpyLibrary
from .vectorized import MODELS as VECTORIZED
from .writes import WRITES

LIBRARY = NumpyLibrary()
MODELS = {**WRITES, **VECTORIZED}
