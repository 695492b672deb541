"""The published tool that the benchmarks are measured against, in an environment of its own: the two packages share a name.

It is run, never read. Both sides of a benchmark see the same libraries: the peer's package is found behind those of the interpreter
that runs the worker.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PEER = "crane-llm==1.0.1"
CACHE = Path(os.environ.get("CRANE_CACHE", Path.home() / ".cache" / "crane-dev"))
PYTHON = CACHE / "peer" / "bin" / "python"
_SEARCH = "CRANE_BENCH_SEARCH"


def make_peer() -> Path:
    """The interpreter of the peer's environment, made when it is absent: the package as published, with our NumPy and pandas."""
    if not PYTHON.exists():
        import numpy
        import pandas

        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "peer")], check=True)
        wanted = [PEER, f"numpy=={numpy.__version__}", f"pandas=={pandas.__version__}", "ipython"]
        subprocess.run([str(PYTHON), "-m", "pip", "install", "-q", *wanted], check=True)
    return PYTHON


def packages(python: Path) -> Path | None:
    """Where the environment of ``python`` keeps its packages, or None."""
    return next(iter((python.parent.parent / "lib").glob("python*/site-packages")), None)


def environment(search: Path | None) -> dict[str, str]:
    """The environment of a worker that is to find packages in ``search`` too, behind its own."""
    found = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1", "PYTHONPATH": ""}
    if search is not None:
        found[_SEARCH] = str(search)
    return found


def join_search() -> None:
    """In a worker: look for packages in the folder that :func:`environment` named."""
    if os.environ.get(_SEARCH):
        sys.path.append(os.environ[_SEARCH])
