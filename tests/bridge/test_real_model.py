"""End to end against a real local model server: its verdicts are worth nothing, its protocol is real."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bridge.test_server import Bridge

pytest.importorskip("xllamacpp")
pytestmark = [pytest.mark.model, pytest.mark.timeout(600)]

ROOT = Path(__file__).resolve().parents[2]
QUESTION = {
    "target": {"id": "t", "source": "total = prices['pear']"},
    "executed": [
        {"id": "a", "order": 1, "source": "prices = {'apple': 3}", "success": True, "recorded": True, "runs": 1}
    ],
    "summary": {"variables": [{"name": "prices"}], "text": "prices: dict of 1: 'apple': 3", "left_out": []},
}


@pytest.fixture(scope="module")
def model_server():
    """Base URL and model name of a llama.cpp server with a small model."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "e2e" / "model_server.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        told = json.loads(process.stdout.readline())
        yield told
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


@pytest.mark.parametrize("style", ["chat", "responses"])
def test_a_verdict_over_the_whole_way(model_server, style, own_settings):
    bridge = Bridge()
    try:
        settings = {**model_server, "api_style": style, "timeout_s": 240, "max_retries": 0}
        found = bridge.result("predict", {"id": "p", **QUESTION, "settings": settings}, limit=270)
    finally:
        bridge.close()
    assert found.verdict.source == "model"
    assert found.verdict.outcome in ("crash", "no_crash"), found.raw_reply
    assert isinstance(json.loads(found.raw_reply)["prediction"], bool)
    assert found.usage.input_tokens > 100 and found.usage.output_tokens > 5
    assert found.model and found.seconds > 0
    stages = [note["params"]["stage"] for note in bridge.notifications if note["method"] == "stage"]
    assert stages[0] == "building_prompt" and stages[-1] == "reading_reply"


def test_the_servers_models_are_listed(model_server, own_settings):
    bridge = Bridge()
    try:
        found = bridge.result("models", {"settings": {"base_url": model_server["base_url"]}})
    finally:
        bridge.close()
    assert model_server["model"] in found.models


def test_the_command_line_asks_it(model_server, tmp_path):
    cells = [
        {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": s}
        for s in ("import time", "time.sleep(0)")
    ]
    (tmp_path / "n.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
    done = subprocess.run(
        [sys.executable, "-m", "crane_bridge", "check", "n.ipynb", "--cell", "2", "--json"],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "CRANE_LLM_CONFIG": str(tmp_path / "c.json"),
            "CRANE_LLM_BASE_URL": model_server["base_url"],
            "CRANE_LLM_MODEL": model_server["model"],
            "CRANE_LLM_TIMEOUT": "240",
        },
        capture_output=True,
        text=True,
        timeout=280,
        stdin=subprocess.DEVNULL,
    )
    found = json.loads(done.stdout)
    assert found["source"] == "model" and found["usage"]["output_tokens"] > 0
    assert done.returncode == {"crash": 1, "no_crash": 0, "unreadable": 2}[found["outcome"]]
