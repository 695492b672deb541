"""Running library code that validates first and works later: it is stopped at the first sign of work, or when time is up.

A trace function sees every call of a Python function; raising from it ends the run there. Code in C between two such calls cannot
be stopped, so callers bound the data beforehand. Where a trace function is already set (a debugger, a coverage tool), nothing is run.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any, Callable

from .values import Abandon


class Stopped(BaseException):
    """The watched code went beyond validation, or took too long."""


class Outcome:
    """``value`` of a run to the end; ``finished`` False where it was stopped before."""

    __slots__ = ("value", "finished")

    def __init__(self, value: Any, finished: bool) -> None:
        self.value = value
        self.finished = finished


# Files of libraries whose code in C calls back into Python, or frees what Python holds: an exception of ours raised there is dropped
# and leaves the library's memory in ruins (the process ends). ``inner_f`` only wraps a function of the layer above.
_NEVER_IN = ("/xgboost/core.py", "/xgboost/data.py", "/lightgbm/basic.py")


def _may_stop(frame: Any) -> bool:
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__exit__":  # what it puts back must not stay as it is
            return False
        if code.co_name != "inner_f" and code.co_filename.replace("\\", "/").endswith(_NEVER_IN):
            return False
        frame = frame.f_back
    return True


def run_watched(thunk: Callable[[], Any], seconds: float, works: Callable[[Any], bool] | None = None) -> Outcome:
    """Run ``thunk`` for at most about ``seconds`` of its own; stop at the first frame for which ``works(frame)`` is true.

    Where other threads and processes keep it waiting it may take twice as long.

    What ``thunk`` raises is raised. Raises :class:`Abandon` where a trace function is set.
    """
    if sys.gettrace() is not None or sys.getprofile() is not None:
        raise Abandon("a trace function is set")
    own, end = time.thread_time() + seconds, time.monotonic() + 2 * seconds
    stopped = False

    def on_call(frame: Any, event: str, arg: Any) -> Any:
        nonlocal stopped
        if (time.thread_time() > own or time.monotonic() > end or (works is not None and works(frame))) and _may_stop(
            frame
        ):
            stopped = True  # code in C that called back may swallow the exception, and then fail in another way
            raise Stopped
        return None

    on_call.__crane_watch__ = True  # type: ignore[attr-defined]
    sys.settrace(on_call)
    try:
        value = thunk()
        return Outcome(None if stopped else value, not stopped)
    except Stopped:
        return Outcome(None, False)
    except Exception:
        if stopped:
            return Outcome(None, False)
        raise
    finally:
        sys.settrace(None)


@contextlib.contextmanager
def unwatched() -> Iterator[None]:
    """Inside, the interpreter runs where watched code called it: it keeps to its own budget, and must not be stopped half-way."""
    trace = sys.gettrace()
    ours = getattr(trace, "__crane_watch__", False)
    if ours:
        sys.settrace(None)
    try:
        yield
    finally:
        if ours:
            sys.settrace(trace)
