"""Models and weights written to and read from files: a name that Keras refuses, or a file that is not there. Nothing is written."""

from __future__ import annotations

import os
import sys
from typing import Any

from ...values import Value, exact, unknown
from .graph import run
from .scene import keras_ready


def saving(function: str, endings: tuple[str, ...]) -> Any:
    """The handler of a model's method that writes a file: the model stays as it is."""

    def handler(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        path = args[0] if args else kwargs.get("filepath")
        alone = len(args) + len(kwargs) == 1
        if path is not None and path.exact and type(path.obj) is str and alone and "://" not in path.obj:
            refuse = getattr(sys.modules.get("keras.src.saving.saving_api"), function, None)
            if refuse is not None and not path.obj.endswith(endings):
                # The name is judged before the model is looked at.
                run(interpreter, event, lambda: refuse(object(), path.obj))
        interpreter.lose(event.node, "a model is saved")
        interpreter.world.files = False
        return exact(None)

    return handler


def _load(interpreter: Any, call: Any) -> Value | None:
    """``load_model`` of a file that is not there: Keras' own words. One that is there is not read."""
    path = call.argument(0, "filepath")
    known = path is not None and path.exact and type(path.obj) is str and "://" not in path.obj
    if not known or not keras_ready() or not interpreter.world.files or os.path.lexists(path.obj):
        return None
    run(interpreter, call.event, lambda: call.func(path.obj))
    return unknown()


SAVING_MODELS: dict[str, Any] = {"keras.src.saving.saving_api.load_model": _load}
