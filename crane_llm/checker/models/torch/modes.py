"""PyTorch's function mode that hands operations to an engine, and the default device."""

from __future__ import annotations

import sys
from typing import Any


def default_elsewhere(torch: Any) -> bool:
    """Whether new tensors are made on another device than the CPU (asking torch would import a module where nobody set one)."""
    if "torch.utils._device" not in sys.modules:
        return False
    return torch.get_default_device().type != "cpu" if hasattr(torch, "get_default_device") else True


_modes: dict[int, Any] = {}


def function_mode(torch: Any) -> Any:
    """The function mode that hands operations to an engine (a class of the loaded torch's)."""
    made = _modes.get(id(torch))
    if made is None:

        class Following(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined,misc]
            def __init__(self, engine: Any) -> None:
                super().__init__()
                self.engine = engine

            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return self.engine.step(func, tuple(args), dict(kwargs or {}))

        made = _modes[id(torch)] = Following
    return made
