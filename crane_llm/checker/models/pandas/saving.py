"""Saving a frame to a file: pandas looks for the folder before it writes anything. Nothing is ever written here."""

from __future__ import annotations

import os
import sys
from typing import Any

from ...values import Value
from ..filesystem import folder_is_missing, path_of

MOST_CELLS = 20_000  # of a frame that is turned into text here

# What pandas may be told without looking at it before it looks for the folder.
_HARMLESS = {"index": (bool,), "header": (bool,), "sep": (str,), "encoding": (str, type(None)), "mode": (str,)}


def _place(interp: Any, call: Any, parameter: str) -> str | None:
    """The file that the call saves to, where that is a plain one and its folder is missing."""
    path = path_of(call.argument(0, parameter))
    if path is None or not interp.world.files or len(call.args) > 1:
        return None
    place = os.path.expanduser(os.fspath(path))
    return place if "://" not in place and "::" not in place and folder_is_missing(place) else None


def _look(place: str) -> None:
    """What pandas does before it opens a file: raises its own error where the folder is missing."""
    sys.modules["pandas.io.common"].check_parent_directory(place)


def _save(interp: Any, call: Any) -> Value | None:
    """A missing folder raises pandas' own error; whatever else saving does is not followed."""
    name = call.key.rpartition(".")[2]
    parameter = "path" if name == "to_pickle" else "path_or_buf"
    place = _place(interp, call, parameter)
    if place is None:
        return None
    for option, value in call.kwargs.items():
        if option == parameter:
            continue
        if name == "to_pickle" or not value.exact or type(value.obj) not in _HARMLESS.get(option, ()):
            return None
        if option == "sep" and len(value.obj) != 1 or option == "mode" and value.obj not in ("w", "a"):
            return None
    interp.attempt(call.event, lambda: _look(place))
    return None


def _save_text(interp: Any, call: Any) -> Value | None:
    """``to_json`` and ``to_html`` make their text first: what that raises comes before a missing folder."""
    place = _place(interp, call, "path_or_buf" if call.key.endswith("json") else "buf")
    if place is None or len(call.args) != 1 or not call.exact:
        return None
    options = {name: value.obj for name, value in call.kwargs.items()}
    if getattr(call.receiver, "size", MOST_CELLS) >= MOST_CELLS:
        return None
    if any(type(value) not in (str, int, bool) for value in options.values()):
        return None

    def save() -> None:
        call.func(**options)
        _look(place)

    interp.quiet_call(call.event, save)
    return None


SAVING: dict[str, Any] = {
    **{f"pandas.core.generic.NDFrame.{name}": _save for name in ("to_csv", "to_pickle")},
    "pandas.core.generic.NDFrame.to_json": _save_text,
    "pandas.core.frame.DataFrame.to_html": _save_text,
}
