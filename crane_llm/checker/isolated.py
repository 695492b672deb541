"""Checking in a child process, where modules that the cell is about to import may be imported.

Nothing is ever imported in the kernel on a cell's behalf. A forked child sees the kernel's state as it is, and what it imports or
computes ends with it: it is not the kernel. It is used only for cells that import a known library's module which is not loaded yet,
only where ``fork`` exists and is safe (Linux), and it is killed when its time is up. The child ends with ``_exit``: no exit handler,
no destructor and no buffered output of the person's is run twice.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import sys
import time
from typing import Any, Callable

MOST_BYTES = 1_000_000
# The first import of these takes longer than a check may, or starts threads that a fork would break.
_HEAVY = frozenset(
    "tensorflow keras torch torchvision transformers jax datasets tf_keras timm torchmetrics gensim".split()
)


def can_isolate() -> bool:
    """Whether a child of this process can be trusted to see its state."""
    return sys.platform.startswith("linux") and hasattr(os, "fork") and sys.gettrace() is None


def worth_isolating(modules: set[str]) -> bool:
    """Whether the modules that a cell would import are few and light enough to import within a check."""
    roots = {name.partition(".")[0] for name in modules}
    return 0 < len(modules) <= 12 and not any(root in _HEAVY and root not in sys.modules for root in roots)


def run_in_child(work: Callable[[], Any], seconds: float) -> Any:
    """The JSON-able result of ``work()``, computed in a child; None when it fails or takes longer than ``seconds``."""
    reader, writer = os.pipe()
    try:
        child = os.fork()
    except OSError:  # no process to be had
        os.close(reader)
        os.close(writer)
        return None
    if child == 0:
        _child(work, reader, writer)
    os.close(writer)
    try:
        data = _receive(reader, seconds)
    finally:
        os.close(reader)
        _end(child)
    try:
        return json.loads(data) if data else None
    except ValueError:
        return None


def _child(work: Callable[[], Any], reader: int, writer: int) -> None:
    """Never returns."""
    try:
        gc.disable()  # collecting here would run finalisers of objects that the kernel still owns
        os.close(reader)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        sys.dont_write_bytecode = True
        _one_thread()
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        data = json.dumps(work()).encode()[:MOST_BYTES]
        while data:
            data = data[os.write(writer, data) :]
    except BaseException:  # whatever goes wrong here, the kernel must not be entered twice
        pass
    finally:
        os._exit(0)


def _one_thread() -> None:
    """Thread pools do not survive a fork: libraries that are loaded must not wait for theirs."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "set_num_threads"):
        torch.set_num_threads(1)


def _receive(reader: int, seconds: float) -> bytes:
    end = time.monotonic() + seconds
    parts: list[bytes] = []
    while True:
        left = end - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            return b""
        part = os.read(reader, 65536)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _end(child: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):  # somebody else waits for every child of this process
        os.waitpid(child, 0)
