"""Models: opening files, reading the environment."""

from __future__ import annotations

import io
import os
from typing import Any

from ..values import Value, unknown


def _open(interp: Any, call: Any) -> "Value | None":
    """``open`` for reading: a missing file raises; an existing one is left closed."""
    path = call.argument(0, "file")
    mode = call.argument(1, "mode")
    text = "r" if mode is None else mode.obj if mode.exact else None
    if path is None or not path.exact or not isinstance(path.obj, (str, bytes, os.PathLike)) or not isinstance(text, str):
        return None
    if any(ch in text for ch in "wax+") or not interp.world.files:
        return None
    if not os.path.isfile(path.obj):
        interp.attempt(call.event, lambda: open(path.obj, text).close())
    interp.lose(call.node, "the content of a file")
    return unknown(io.BufferedReader if "b" in text else io.TextIOWrapper)


def _getenv(interp: Any, call: Any) -> "Value | None":
    if not interp.world.environment:
        return unknown()
    return None


MODELS: dict[str, Any] = {"_io.open": _open, "io.open": _open, "builtins.open": _open, "IPython.core.interactiveshell._modified_open": _open, "os.getenv": _getenv}
