"""Code that validates first and works later, stopped in between."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import Any

import pytest

from crane_llm.checker.watch import run_watched


def _step(number: int) -> int:
    return number


def test_what_runs_to_its_end_is_finished() -> None:
    outcome = run_watched(lambda: _step(3), 5.0)
    assert outcome.finished and outcome.value == 3


def test_an_error_before_the_work_is_raised() -> None:
    with pytest.raises(ValueError):
        run_watched(lambda: int("x"), 5.0)


def test_an_error_that_only_the_stop_has_caused_is_none() -> None:
    def library() -> None:
        try:
            _step(1)
        except BaseException:  # as code in C drops what its call-back raises
            raise ValueError("no data") from None

    def works(frame: Any) -> bool:
        return frame.f_code.co_name == "_step"

    assert not run_watched(library, 5.0, works).finished


_STOPS = """
import numpy as np
from crane_llm.checker.watch import run_watched
from xgboost import XGBClassifier

X, y = np.arange(40.0).reshape(20, 2), np.array([0, 1] * 10)
stop, finished = 1, False
while not finished:
    seen = 0

    def works(frame):
        global seen
        seen += 1
        return seen >= stop

    finished = run_watched(lambda: XGBClassifier(n_estimators=2).fit(X, y), 60, works).finished
    stop += 23
print("alive")
"""


@pytest.mark.ml
@pytest.mark.skipif(importlib.util.find_spec("xgboost") is None, reason="xgboost is not installed")
def test_stopping_xgboost_anywhere_leaves_the_process_alive() -> None:
    done = subprocess.run([sys.executable, "-c", _STOPS], capture_output=True, text=True, timeout=200)
    assert done.stdout.strip() == "alive", done.stderr[-2000:]
    assert "Exception ignored" not in done.stderr
