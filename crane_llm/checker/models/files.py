"""Models: opening files, reading the environment."""

from __future__ import annotations

import errno
import io
import itertools
import os
from collections.abc import Iterator
from typing import Any

from ..purity.libraries import is_path
from ..streams import Stream
from ..values import Value, exact, unknown
from .filesystem import folder_is_missing, is_missing, path_of, refuse


def _open(interp: Any, call: Any) -> Value | None:
    """``open`` for reading: a missing file raises; an existing one is left closed."""
    path = call.argument(0, "file")
    mode = call.argument(1, "mode")
    text = "r" if mode is None else mode.obj if mode.exact else None
    if (
        path is None
        or not path.exact
        or not (is_path(path.obj) or type(path.obj) is bytes)
        or not isinstance(text, str)
    ):
        return None
    if not interp.world.files:
        return None
    if any(ch in text for ch in "wax+"):
        return _open_to_write(interp, call, path.obj, text)
    if not os.path.isfile(path.obj):
        interp.attempt(call.event, lambda: open(path.obj, text).close())
    interp.lose(call.node, "the content of a file")
    return unknown(io.BufferedReader if "b" in text else io.TextIOWrapper)


def _open_to_write(interp: Any, call: Any, path: Any, mode: str) -> Value | None:
    """``open`` for writing where the folder is missing: it fails as reading there does, and nothing is made. Else not followed."""
    usual = {"file", "mode"} if "b" in mode else {"file", "mode", "encoding", "newline"}
    if mode not in _WRITE_MODES or len(call.args) > 2 or set(call.kwargs) - usual:
        return None
    if folder_is_missing(path):
        interp.attempt(call.event, lambda: open(path).close())
    return None


def _read_path(interp: Any, call: Any) -> Value | None:
    """``Path.read_text`` and ``read_bytes``: a missing file raises; the content of an existing one is left unread."""
    path = call.receiver
    if not is_path(path) or not call.exact or not interp.world.files:
        return None
    if not os.path.isfile(path):
        args = [value.obj for value in call.args]
        named = {name: value.obj for name, value in call.kwargs.items()}
        interp.attempt(call.event, lambda: call.func(*args, **named))
    interp.lose(call.node, "the content of a file")
    return unknown(str if call.func.__name__ == "read_text" else bytes)


def _open_path(interp: Any, call: Any) -> Value | None:
    """``Path.open``, as ``open``."""
    mode = call.argument(0, "mode")
    text = "r" if mode is None else mode.obj if mode.exact else None
    if not isinstance(text, str) or not interp.world.files or not is_path(call.receiver):
        return None
    if any(ch in text for ch in "wax+"):
        return _open_to_write(interp, call, call.receiver, text)
    if not os.path.isfile(call.receiver):
        interp.attempt(call.event, lambda: call.func(text).close())
    interp.lose(call.node, "the content of a file")
    return unknown(io.BufferedReader if "b" in text else io.TextIOWrapper)


def _reading(parameter: str) -> Any:
    """The handler of a call that reads the file named by its only argument: where that is missing it raises; else it is not followed."""

    def handler(interp: Any, call: Any) -> Value | None:
        path = path_of(call.argument(0, parameter))
        alone = len(call.args) + len(call.kwargs) == 1
        if path is not None and alone and interp.world.files and is_missing(path):
            refuse(interp, call, errno.ENOENT, path)
        return None

    return handler


def _walk(interp: Any, call: Any) -> Value | None:
    """``os.walk``: what lies below a folder, read ahead within a bound."""
    top = call.argument(0, "top")
    if top is None or not top.exact or len(call.args) > 1 or set(call.kwargs) - {"top"} or not interp.world.files:
        return None
    found = list(itertools.islice(os.walk(top.obj), MOST_FOLDERS + 1))
    if len(found) > MOST_FOLDERS or sum(len(files) for _, _, files in found) > MOST_FILES:
        return None

    def entries() -> Iterator[Value]:
        for folder, below, files in found:
            yield exact((folder, interp.heap.own(below).obj, interp.heap.own(files).obj))

    return exact(Stream("generator", entries))


def _getenv(interp: Any, call: Any) -> Value | None:
    if not interp.world.environment:
        return unknown()
    return None


_WRITE_MODES = frozenset("w a x wt at xt wb ab xb w+ a+ wb+ ab+ w+b a+b".split())
MOST_FOLDERS = 200
MOST_FILES = 5_000

MODELS: dict[str, Any] = {
    "_io.open": _open,
    "io.open": _open,
    "builtins.open": _open,
    "IPython.core.interactiveshell._modified_open": _open,
    "zipfile.ZipFile": _reading("file"),
    "joblib.numpy_pickle.load": _reading("filename"),
    "os.getenv": _getenv,
    "os.walk": _walk,
    "pathlib.Path.read_text": _read_path,
    "pathlib.Path.read_bytes": _read_path,
    "pathlib.Path.open": _open_path,
    "pathlib._local.Path.read_text": _read_path,
    "pathlib._local.Path.read_bytes": _read_path,
    "pathlib._local.Path.open": _open_path,
}
