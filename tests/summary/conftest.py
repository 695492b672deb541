"""Shared: describe one object the way a cell that uses it would have it described."""

from __future__ import annotations

import pytest

from crane_llm.summary import summarize_cell


@pytest.fixture
def summary():
    """``summary("cell", df=…)`` -> Summary over a namespace of just these names (no deadline: the machine may be busy)."""

    def run(source, options=None, /, **namespace):
        return summarize_cell(source, namespace=namespace, **{"deadline": None, **(options or {})})

    return run


@pytest.fixture
def line(summary):
    """The text on one object, called ``x``."""

    def run(value, source="x", **options):
        return summary(source, options, x=value).to_text()

    return run
