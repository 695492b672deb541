"""Keeps the developer's own settings and keys out of every test, and brings up servers."""

from __future__ import annotations

import os
from collections import OrderedDict

import hypothesis
import pytest

from tests.bridge.faulty_server import FaultyServer

# A busy machine's pauses are no failures.
hypothesis.settings.register_profile("bridge", deadline=None)
hypothesis.settings.load_profile("bridge")


@pytest.fixture(autouse=True)
def own_settings(tmp_path, monkeypatch):
    """A settings file and a working directory of the test's own."""
    for name in list(os.environ):
        if name.startswith(("CRANE_LLM_", "OPENAI_", "KAGGLE_", "COLAB_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("CRANE_LLM_CONFIG", str(home / "config.json"))
    monkeypatch.setattr("crane_bridge.models.call._memory._known", {})
    monkeypatch.setattr("crane_bridge.predict._cache", OrderedDict())
    return home / "config.json"


@pytest.fixture
def server():
    """An HTTP server on a real socket that answers as told, one answer per request (the last one again and again)."""
    with FaultyServer() as running:
        yield running
