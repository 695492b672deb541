"""Origins on real notebooks: for crashes whose cause lies in an earlier cell, the expected origin was written down by hand.

Needs the benchmark's folder (``CRANE_JUNO``) and an environment with its libraries (``CRANE_JUNO_PYTHON``, by default the
one that the development scripts make); without them the tests are skipped, and say so.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from live_kernel import LiveKernel, Session

HERE = Path(__file__).resolve().parent
FOLDER = os.environ.get("CRANE_JUNO", "")
PYTHON = os.environ.get("CRANE_JUNO_PYTHON", str(Path.home() / ".cache/crane-dev/juno/bin/python"))
CASES = json.loads((HERE / "expected_origins.json").read_text("utf-8"))["cases"]

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not FOLDER, reason="CRANE_JUNO does not name the benchmark's folder"),
    pytest.mark.skipif(not Path(PYTHON).exists(), reason=f"no environment with the benchmark's libraries at {PYTHON}"),
]


def shown_origin(expected: dict, folder: Path) -> list:
    """The steps shown for the case's variable, in the form of the expectations."""
    with LiveKernel(python=PYTHON, cwd=str(folder), limit=280) as kernel:
        session = Session(kernel)
        kernel.mount()
        helper = f"__import__('runpy').run_path({str(HERE / 'juno_case.py')!r})['prepare']"
        case = kernel.value(f"{helper}({FOLDER!r}, {expected['case']!r})")
        if case["prelude"]:
            kernel.tool(case["prelude"])
        for number, source in case["executed"]:
            session.run(number, source)
        for number, source in case["others"]:
            session.cells[number] = source
        session.cells["target"] = case["target"]
        finding = {k: expected[k] for k in ("exception", "message")}
        return [list(s) for s in session.brief(expected["variable"], target_id="target", finding=finding)]


def test_there_are_thirty_cases_each_with_its_reason():
    assert len({c["case"] for c in CASES}) >= 30
    assert all(c["reason"] and c["steps"] for c in CASES)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("expected", CASES, ids=[c["case"] for c in CASES])
def test_the_origin_shown_is_the_expected_one(expected, tmp_path):
    shown = shown_origin(expected, tmp_path)
    if "differs" in expected:
        assert shown != expected["steps"], "this case is marked as differing, but it does not any more"
        pytest.xfail(expected["differs"])
    assert shown == expected["steps"]
