"""The scene in which Keras works for the checker: global state of its own, no variable made, no runtime started.

Building layers and models draws on state that Keras keeps per thread (name counters, scopes, variables still to be initialised), on
Python's ``random`` (seeds of dropout and initialisers) and on TensorFlow's runtime. Inside :func:`Scene.enter` all three are ours: the
counters go on from the live ones and are put back on the way out, no variable gets a value, and whatever would start the runtime for
the first time abandons the operation.
"""

from __future__ import annotations

import contextlib
import random
import sys
import threading
from collections.abc import Iterator
from typing import Any

from ...values import Abandon


def keras_ready() -> bool:
    """Whether Keras 3 is loaded and runs on TensorFlow."""
    backend = sys.modules.get("keras.src.backend")
    state = sys.modules.get("keras.src.backend.common.global_state")
    return (
        backend is not None
        and state is not None
        and getattr(backend, "__name__", "") != ""
        and _backend_name() == "tensorflow"
    )


def _backend_name() -> str:
    config = sys.modules.get("keras.src.backend.config")
    read = getattr(config, "backend", None)
    return read() if callable(read) else ""


def runtime_started() -> bool:
    """Whether TensorFlow's eager runtime has been initialised by the person's own code."""
    module = sys.modules.get("tensorflow.python.eager.context")
    live = getattr(module, "_context", None)
    return live is not None and getattr(live, "_context_handle", None) is not None


def on_cpu_alone() -> bool:
    """Whether the running TensorFlow has no accelerator: some errors exist on the CPU only."""
    if not runtime_started():
        return False
    live = sys.modules["tensorflow.python.eager.context"]._context
    devices = getattr(live, "_logical_devices", None)
    return bool(devices) and all(device.device_type in ("CPU",) for device in devices)


class Scene:
    """Keras' state for one check. It persists between the operations of the check and is never seen outside of them."""

    def __init__(self) -> None:
        self._own: dict[str, Any] | None = None
        self._inside = False
        self._context: Any = None
        self.drew = False  # whether an operation drew from Python's random generator

    @contextlib.contextmanager
    def enter(self) -> Iterator[None]:
        """Inside, Keras may build and trace without a trace. Re-entrant."""
        if self._inside:
            yield
            return
        tracker = sys.modules["keras.src.backend.common.global_state"].GLOBAL_STATE_TRACKER
        table = vars(tracker)
        live = dict(table)
        mine = self._own if self._own is not None else _copy_of(live)
        state = random.getstate()
        table.clear()
        table.update(mine)
        self._inside = True
        scope = sys.modules["keras.src.backend.common.stateless_scope"].StatelessScope
        try:
            with self._runtime_guard(), scope(initialize_variables=False):
                yield
        finally:
            self._inside = False
            table["uninitialized_variables"] = []
            self._own = dict(table)
            table.clear()
            table.update(live)
            if random.getstate() != state:
                self.drew = True
                random.setstate(state)

    @contextlib.contextmanager
    def _runtime_guard(self) -> Iterator[None]:
        """While the runtime has not been started, starting it in this thread abandons the operation."""
        if runtime_started():
            yield
            return
        module = sys.modules["tensorflow.python.eager.context"]
        live = module._context
        if live is None:
            if self._context is None:
                self._context = module.Context()
            guarded = module._context = self._context
        else:
            guarded = live
        thread = threading.get_ident()
        plain = type(guarded).ensure_initialized

        def refuse() -> None:
            if threading.get_ident() == thread:
                raise Abandon("it would start TensorFlow's runtime")
            plain(guarded)

        guarded.ensure_initialized = refuse
        try:
            yield
        finally:
            vars(guarded).pop("ensure_initialized", None)
            if live is None and module._context is guarded:
                module._context = None


def _copy_of(live: dict[str, Any]) -> dict[str, Any]:
    """Keras' state, copied one level deep where it is written to in place."""
    mine: dict[str, Any] = {}
    for name, value in live.items():
        if isinstance(value, dict):
            mine[name] = type(value)(value) if type(value) is dict else _copy_counter(value)
        elif isinstance(value, list):
            mine[name] = list(value)
        else:
            mine[name] = value
    mine.pop("global_seed_generator", None)  # its state would be advanced in place
    return mine


def _copy_counter(value: Any) -> Any:
    return value.copy()


def scene_of(interpreter: Any) -> Scene:
    """The scene of this check."""
    found = getattr(interpreter, "keras_scene", None)
    if found is None:
        found = interpreter.keras_scene = Scene()
    return found
