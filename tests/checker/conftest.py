from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from kernel import Kernel

pytest.register_assert_rewrite("claims")


@pytest.fixture(scope="session")
def _kernel() -> Kernel:
    return Kernel()


@pytest.fixture
def kernel(_kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """A shell with an empty namespace, in a directory of its own."""
    monkeypatch.chdir(tmp_path)
    _kernel.fresh()
    _kernel.check("pass")  # the checker's own imports are no trace of a check
    return _kernel
