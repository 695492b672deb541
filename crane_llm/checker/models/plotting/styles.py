"""``plt.style.use``: a style that is not there is found out by asking for it, with the settings put back at once."""

from __future__ import annotations

import os
import sys
from typing import Any

from ...managers import Restoring
from ...values import Value, unknown


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


def _context(interp: Any, call: Any) -> Value | None:
    """``rc_context`` and ``plt.style.context``: entering shows whether the settings are accepted; leaving puts the old ones back."""
    if (
        not call.exact
        or not (interp.world.imports and interp.world.files)
        or "fname" in call.kwargs
        or len(call.args) > 1
    ):
        return None
    args = [value.obj for value in call.args]
    kwargs = {name: value.obj for name, value in call.kwargs.items()}
    given = [*args, *kwargs.values()]
    if interp.surveyor.look(given).opaque or not all(
        type(part) is dict or part is None or type(part) is bool or _is_plain(part)
        for value in given
        for part in (value if type(value) in (list, tuple) else [value])
    ):
        return None

    def enter() -> None:
        with call.func(*args, **kwargs):
            pass

    interp.quiet_call(call.event, enter)
    interp.lose(call.node, "settings of the library")
    return unknown(Restoring)


def _is_plain(name: Any) -> bool:
    """A name of a style, and neither a file, an address, nor a style inside a package (which would be imported)."""
    return type(name) is str and not any(sign in name for sign in "./\\:") and not os.path.exists(name)


STYLE_MODELS: dict[str, Any] = {
    "matplotlib.style.core.use": _use,
    "matplotlib.style.use": _use,
    **{
        f"matplotlib.{name}": _context
        for name in ("rc_context", "pyplot.rc_context", "style.context", "style.core.context")
    },
}
