"""Models: PyTorch. See :mod:`engine` for how operations are followed without computing."""

from __future__ import annotations

import sys
import types
from typing import Any

from ...purity.libraries import is_library_type
from ...values import Abandon
from .accelerators import ACCELERATOR_MODELS
from .data import DATA_MODELS
from .functions import FUNCTION_MODELS
from .grad_modes import GRAD_MODE_MODELS
from .lazy import is_tensor
from .library import LIBRARY
from .modules import MODULE_MODELS
from .schedulers import SCHEDULER_MODELS
from .sequences import SEQUENCE_MODELS
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
        for value in call.operands():
            obj = value.obj
            cls = obj if isinstance(obj, type) else type(obj)
            if (is_tensor(obj) or issubclass(cls, _function_class())) and not is_library_type(cls):
                raise Abandon("a tensor or a gradient of the notebook's own class")
        return handler(interpreter, call)

    return guarded


def _function_class() -> Any:
    return getattr(sys.modules.get("torch.autograd.function"), "Function", ())


_ALL = {
    **FUNCTION_MODELS,
    **ACCELERATOR_MODELS,
    **GRAD_MODE_MODELS,
    **MODULE_MODELS,
    **TRAINING_MODELS,
    **SCHEDULER_MODELS,
    **SEQUENCE_MODELS,
    **DATA_MODELS,
    **VISION_MODELS,
}
MODELS: dict[str, Any] = {key: _genuine(handler) for key, handler in _ALL.items()}

__all__ = ["LIBRARY", "MODELS"]
