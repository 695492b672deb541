"""Fixtures for the payload's tests: one real kernel a module, restarted where a test needs a fresh one."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from live_kernel import LiveKernel


@pytest.fixture()
def kernel(tmp_path):
    with LiveKernel(cwd=str(tmp_path)) as live:
        yield live
