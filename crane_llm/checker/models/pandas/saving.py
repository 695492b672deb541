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


def _save(interp: Any, call: Any) -> Value | None:
    """A missing folder raises pandas' own error; whatever else saving does is not followed."""
    name = call.key.rpartition(".")[2]
    path = call.argument(0, "path" if name == "to_pickle" else "path_or_buf")
    look = getattr(sys.modules.get("pandas.io.common"), "check_parent_directory", None)
    if look is None or path is None or not path.exact or not interp.world.files or len(call.args) > 1:
        return None
    place = path.obj
    if not isinstance(place, (str, os.PathLike)) or type(place).__module__.partition(".")[0] not in (
        "builtins",
        "pathlib",
    ):
        return None
    place = os.path.expanduser(os.fspath(place))
    if "://" in place or "::" in place:
        return None
    for option, value in call.kwargs.items():
        if option in ("path", "path_or_buf"):
            continue
        if name == "to_pickle" or not value.exact or type(value.obj) not in _HARMLESS.get(option, ()):
            return None
        if option == "sep" and len(value.obj) != 1 or option == "mode" and value.obj not in ("w", "a"):
            return None
    if folder_is_missing(place):
        interp.attempt(call.event, lambda: look(place))
    return None


def _save_text(interp: Any, call: Any) -> Value | None:
    """``to_json`` and ``to_html`` make their text first: what that raises comes before a missing folder."""
    path = path_of(call.argument(0, "path_or_buf" if call.key.endswith("json") else "buf"))
    frame = call.receiver
    look = getattr(sys.modules.get("pandas.io.common"), "check_parent_directory", None)
    if (
        path is None
        or len(call.args) != 1
        or not interp.world.files
        or getattr(frame, "size", MOST_CELLS) >= MOST_CELLS
    ):
        return None
    text = os.path.expanduser(os.fspath(path))
    if not call.exact or look is None or "://" in text or "::" in text or not folder_is_missing(text):
        return None
    options = {name: value.obj for name, value in call.kwargs.items()}
    if any(type(value) not in (str, int, bool) for value in options.values()):
        return None
    interp.quiet_call(call.event, lambda: (call.func(**options), look(text)))
    return None


SAVING: dict[str, Any] = {
    **{f"pandas.core.generic.NDFrame.{name}": _save for name in ("to_csv", "to_pickle")},
    "pandas.core.generic.NDFrame.to_json": _save_text,
    "pandas.core.frame.DataFrame.to_html": _save_text,
}
