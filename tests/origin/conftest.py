"""Fixtures for recorder, origins, guard and magic: a real kernel with the package mounted, and how to ask it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from live_kernel import LiveKernel, Session


@pytest.fixture()
def bare(tmp_path):
    """A session whose kernel has nothing mounted yet."""
    with LiveKernel(cwd=str(tmp_path)) as live:
        yield Session(live)


@pytest.fixture()
def session(bare):
    assert bare.kernel.mount().outputs == []
    return bare
