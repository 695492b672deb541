"""The preview without the bridge's environment: the same text, from the wheel, with the standard library alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crane_bridge.preview import preview_of

ROOT = Path(__file__).resolve().parents[2]
FROM_WHEEL = "import sys; sys.path.insert(0, sys.argv[1]); from crane_bridge.preview import main; main()"

PARAMS = {
    "id": "1",
    "target": {"id": None, "source": "df['cost'].mean()"},
    "executed": [{"source": "df = load()", "order": 1, "success": True, "recorded": True, "runs": 1}],
    "summary": {"variables": [{"name": "df"}], "text": "df: DataFrame (3, 2)", "left_out": []},
    "walk": None,
    "include_runtime": True,
    "schema_only": False,
    "settings": {"model": "m", "base_url": "http://localhost:11434/v1", "cwd": None, "confirmed_hosts": []},
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    script = ROOT / "vscode-extension" / "scripts" / "pack_wheel.py"
    told = subprocess.run([sys.executable, script, ROOT, out], check=True, capture_output=True, text=True, timeout=60)
    return told.stdout.strip()


def from_wheel(wheel, params, home):
    # -S: no site-packages, so that nothing but the standard library can be imported; -I: nothing of the environment.
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", FROM_WHEEL, wheel],
        input=json.dumps(params),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
    )
    return json.loads(ran.stdout)


def test_the_text_is_the_one_that_the_bridge_shows_and_sends(wheel, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "CRANE_LLM_"))]:
        monkeypatch.delenv(name)
    told = from_wheel(wheel, PARAMS, tmp_path)["result"]
    assert told == preview_of(PARAMS)
    assert told["destination"] == "localhost:11434"
    assert told["model"] == "m"
    assert "df['cost'].mean()" in told["prompt"]["user"]
    assert "DataFrame (3, 2)" in told["prompt"]["user"]


def test_a_fault_comes_back_in_words(wheel, tmp_path):
    wrong = {**PARAMS, "settings": {"base_url": "nonsense"}}
    error = from_wheel(wheel, wrong, tmp_path)["error"]
    assert error["kind"] == "settings"
    assert "nonsense" in error["message"]
    assert "http" in error["hint"]
