"""Models: PyTorch. See :mod:`engine` for how operations are followed without computing."""

from __future__ import annotations

import types
from typing import Any

from .data import DATA_MODELS
from .functions import FUNCTION_MODELS
from .library import LIBRARY
from .modules import MODULE_MODELS
from .training import TRAINING_MODELS
from .vision import VISION_MODELS


def _genuine(handler: Any) -> Any:
    """``handler`` for what really is the library's own function: another one may carry its name (a wrapper, a patch)."""

    def guarded(interpreter: Any, call: Any) -> Any:
        func = call.func.__func__ if isinstance(call.func, types.MethodType) else call.func
        if isinstance(func, types.FunctionType):
            home = str(func.__globals__.get("__name__", ""))
            if not home.startswith(("torch.", "torchvision.")) and home not in ("torch", "torchvision"):
                return None
        return handler(interpreter, call)

    return guarded


_ALL = {**FUNCTION_MODELS, **MODULE_MODELS, **TRAINING_MODELS, **DATA_MODELS, **VISION_MODELS}
MODELS: dict[str, Any] = {key: _genuine(handler) for key, handler in _ALL.items()}

__all__ = ["LIBRARY", "MODELS"]
