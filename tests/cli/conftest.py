"""Notebooks written for one test, and the command line run as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def notebook(*cells, **metadata):
    """A notebook of code cells; a cell is its source, or a dict with more."""
    made = []
    for number, cell in enumerate(cells, 1):
        cell = {"source": cell} if isinstance(cell, str) else dict(cell)
        made.append(
            {"cell_type": "code", "id": f"c{number}", "metadata": {}, "outputs": [], "execution_count": None, **cell}
        )
    made.insert(0, {"cell_type": "markdown", "id": "intro", "metadata": {}, "source": ["# Text cells do not count"]})
    kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernelspec, **metadata}, "cells": made}


class Crane:
    """Runs ``crane`` in a process of its own, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CRANE_LLM_", "OPENAI_", "KAGGLE_", "COLAB_")) and "proxy" not in name.lower()
        }
        self.environment.update(PYTHONPATH=str(ROOT), CRANE_LLM_CONFIG=str(folder / "settings" / "config.json"))

    def write(self, *cells, name="n.ipynb", **metadata) -> str:
        (self.folder / name).write_text(json.dumps(notebook(*cells, **metadata)), encoding="utf-8")
        return name

    def __call__(self, *arguments, timeout=120) -> subprocess.CompletedProcess[str]:
        return self.python("-m", "crane_bridge", *arguments, timeout=timeout)

    def python(self, *arguments, timeout=120) -> subprocess.CompletedProcess[str]:
        """Run this interpreter in the same surroundings."""
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
        )


@pytest.fixture
def crane(tmp_path) -> Crane:
    return Crane(tmp_path)
