"""Requests from outside the kernel: the editor and the command line talk to the mounted package through ``handle``.

A request is the JSON text of ``{"id", "method", "params"}``; the answer is published as a display of mime type
``application/vnd.crane.reply+json`` ({"id", "result"} or {"id", "error": {"type", "message"}}), followed by the sentinel
``application/vnd.crane.end+json``. Displays are used because servers drop large text on stdout. ``handle`` never raises:
an exception here would appear in the person's notebook.

Methods: ``ping``, ``inspect`` (parameters of `inspect_cell`), ``guard`` {"on": bool or null}, ``recorder`` {"on": bool or
null}, ``forget`` (take everything out of the kernel again).
"""

from __future__ import annotations

import json
import math
import platform
import sys
from typing import Any

from . import guard as _guard
from ._version import __version__
from .displays import publish
from .origin import recorder as _recorder

REPLY_MIME = "application/vnd.crane.reply+json"
END_MIME = "application/vnd.crane.end+json"
_DEEPEST = 40
_LONGEST_MESSAGE = 2000


def _shell() -> Any:
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        raise RuntimeError("This Python process has no IPython shell, so there is no notebook to check.")
    return shell


def arm() -> None:
    """Start recording the cells that the person runs. Called once when the package is mounted."""
    _recorder.arm(_shell())


def forget() -> None:
    """Take the recorder and the guard out of the shell."""
    shell = _shell()
    _guard.disarm(shell)
    _recorder.disarm(shell)


def kernel_facts(shell: Any) -> dict:
    """Versions, and whether recorder and guard are active, as shown in reports."""
    import IPython

    return {
        "python": platform.python_version(),
        "ipython": IPython.__version__,
        "crane": __version__,
        "recorder": _recorder.is_armed(shell),
        "guard": _guard.is_on(shell),
    }


def _ping(shell: Any, params: dict) -> dict:
    return kernel_facts(shell)


def _inspect(shell: Any, params: dict) -> dict:
    from .inspect import inspect_cell

    return inspect_cell(shell=shell, **params)


def _switch_guard(shell: Any, params: dict) -> dict:
    if params.get("on") is not None:
        _guard.switch(shell, bool(params["on"]))
    return {"on": _guard.is_on(shell), "armed": _guard.is_armed(shell)}


def _switch_recorder(shell: Any, params: dict) -> dict:
    if params.get("on") is not None:
        (_recorder.arm if params["on"] else _recorder.disarm)(shell)
    return {"on": _recorder.is_armed(shell), "armed": _recorder.is_armed(shell)}


def _forget(shell: Any, params: dict) -> dict:
    forget()
    loader = getattr(sys.modules.get(__name__.rpartition(".")[0]), "__loader__", None)
    withdraw = getattr(loader, "withdraw", None)
    if withdraw is not None:  # mounted from a payload: the modules go too
        withdraw()
    return {"forgotten": True}


_METHODS = {"ping": _ping, "inspect": _inspect, "guard": _switch_guard, "recorder": _switch_recorder, "forget": _forget}


def jsonable(value: Any, depth: int = 0) -> Any:
    """``value`` as something every JSON reader accepts: no NaN, no lone surrogates, text keys, bounded depth."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return str.encode(value, "utf-8", "replace").decode("utf-8")
    if depth >= _DEEPEST:
        return None
    if isinstance(value, dict):
        return {str(jsonable(k if isinstance(k, str) else str(k))): jsonable(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(v, depth + 1) for v in value]
    return type(value).__name__


def handle(text: str) -> None:
    """Answer one request. Everything that goes wrong, an interrupt by the person included, is an error reply."""
    ident = None
    try:
        request = json.loads(text)
        ident = request.get("id")
        method = _METHODS.get(request.get("method"))
        if method is None:
            raise ValueError(f"The kernel side has no method {request.get('method')!r}; it has {', '.join(_METHODS)}.")
        answer = {"id": ident, "result": method(_shell(), request.get("params") or {})}
    except BaseException as exc:  # KeyboardInterrupt too: the asking side must get an answer
        answer = {"id": ident, "error": {"type": type(exc).__name__, "message": str(exc)[:_LONGEST_MESSAGE]}}
    try:
        shell = _shell()
        publish(shell, {REPLY_MIME: jsonable(answer)})
        publish(shell, {END_MIME: {"id": ident}})
    except BaseException:  # no way left to answer; the asking side has a time limit of its own
        pass
