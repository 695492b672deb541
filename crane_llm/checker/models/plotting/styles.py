"""``plt.style.use``: a style that is not there is found out by asking for it, with the settings put back at once."""

from __future__ import annotations

import os
import sys
from typing import Any

from ...values import Value


def _use(interp: Any, call: Any) -> Value | None:
    given = call.args[0] if call.complete and len(call.args) == 1 and not call.kwargs else None
    if given is None or not given.exact or not (interp.world.imports and interp.world.files):
        return None
    names = given.obj if type(given.obj) in (list, tuple) else [given.obj]
    matplotlib = sys.modules.get("matplotlib")
    library = getattr(sys.modules.get("matplotlib.style"), "library", None)
    if matplotlib is None or library is None or not all(_is_plain(name) for name in names):
        return None
    if interp.heap.resolve(library) is not library or interp.heap.is_dirty(library):
        return None

    def attempt() -> None:
        with matplotlib.rc_context():
            call.func(given.obj)

    interp.quiet_call(call.event, attempt)
    return None  # it is there: what it changes is not followed


def _is_plain(name: Any) -> bool:
    """A name of a style, and neither a file, an address, nor a style inside a package (which would be imported)."""
    return type(name) is str and not any(sign in name for sign in "./\\:") and not os.path.exists(name)


STYLE_MODELS: dict[str, Any] = {"matplotlib.style.core.use": _use, "matplotlib.style.use": _use}
