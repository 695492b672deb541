"""Leaving no trace while library code runs for real: output, warnings, random generators, imports."""

from __future__ import annotations

import contextlib
import importlib.machinery
import random
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

from .values import Abandon

_STDLIB = getattr(sys, "stdlib_module_names", None)


class _ImportStop:
    """A finder that refuses to import third-party modules on behalf of the checker's own thread."""

    def __init__(self) -> None:
        self.thread: int | None = None
        self.refused: set[str] = set()  # what library code wanted to import since the check began
        self.open = False  # in a child process nothing is refused

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if self.thread == threading.get_ident() and not self.open:
            root = name.partition(".")[0]
            if _STDLIB is None or root not in _STDLIB:
                if not root.startswith(("crane", "_crane")):
                    self.refused.add(name)
                    raise Abandon(f"it would import {name}")
        return None


_stop = _ImportStop()


def refused_imports() -> set[str]:
    """Modules that library code wanted to import during this check."""
    return set(_stop.refused)


def allow_imports() -> None:
    """Let library code import what it wants from here on: only in a child process that ends with the check."""
    _stop.open = True


@contextlib.contextmanager
def imports_blocked() -> Iterator[None]:
    """Inside, importing a module that is not loaded yet raises :class:`Abandon` (in this thread only)."""
    if _stop in sys.meta_path:
        yield
        return
    _stop.thread = threading.get_ident()
    sys.meta_path.insert(0, _stop)  # type: ignore[arg-type]
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(_stop)  # type: ignore[arg-type]
        _stop.thread = None


class _Hush:
    """A stream that drops what the checker's thread writes and passes on what others write."""

    def __init__(self, real: Any, thread: int) -> None:
        self._real = real
        self._thread = thread

    def write(self, text: str) -> int:
        if threading.get_ident() != self._thread:
            return self._real.write(text)
        return len(text)

    def flush(self) -> None:
        if threading.get_ident() != self._thread:
            self._real.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@contextlib.contextmanager
def no_trace() -> Iterator[None]:
    """Whatever the checker's own calls print, warn or draw from random generators leaves no trace."""
    thread = threading.get_ident()
    saved_out, saved_err = sys.stdout, sys.stderr
    filters = warnings.filters
    saved_filters = list(filters)
    states = _random_states()
    _stop.refused.clear()
    hushed_out, hushed_err = _Hush(saved_out, thread), _Hush(saved_err, thread)
    sys.stdout, sys.stderr = hushed_out, hushed_err  # type: ignore[assignment]
    # The list is changed in place, without telling the warnings module: a new version of the filters would make warnings that
    # were already shown appear again. The person's "error" filters stay: they decide what raises.
    errors = [entry for entry in saved_filters if entry[0] == "error"]
    filters[:] = [*errors, ("ignore", None, Warning, None, 0)]  # type: ignore[index]
    try:
        yield
    finally:
        filters[:] = saved_filters  # type: ignore[index]
        warnings.filters = filters
        if sys.stdout is hushed_out:
            sys.stdout = saved_out
        if sys.stderr is hushed_err:
            sys.stderr = saved_err
        for restore, state in states:
            restore(state)


def _random_states() -> list[tuple[Any, Any]]:
    states: list[tuple[Any, Any]] = [(random.setstate, random.getstate())]
    generator = sys.modules.get("numpy.random")  # looked up as an attribute it would be imported
    if generator is not None and hasattr(generator, "get_state"):
        states.append((generator.set_state, generator.get_state()))
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "random"):
        states.append((torch.random.set_rng_state, torch.random.get_rng_state().clone()))
    return states
