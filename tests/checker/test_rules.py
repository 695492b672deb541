"""Every case of every rule, run for real and through the checker."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import pytest
from claims import check_without_trace
from kernel import Kernel

from crane_llm.checker.rules import all_rules

HEAVY = {"torch", "torchvision", "tensorflow", "keras", "xgboost", "lightgbm", "statsmodels", "plotly", "cv2"}


def _cases(kind: str) -> list[Any]:
    cases = []
    for rule in all_rules():
        marks = [pytest.mark.ml] if HEAVY & set(rule.requires) else []
        missing = [name for name in rule.requires if importlib.util.find_spec(name) is None]
        if missing:
            marks.append(pytest.mark.skip(reason=f"{', '.join(missing)} is not installed"))
        for number, case in enumerate(getattr(rule, kind)):
            cases.append(pytest.param(rule, case, id=f"{rule.code}-{number}", marks=marks))
    return cases


@pytest.mark.parametrize(("rule", "case"), _cases("CRASHES"))
def test_a_crash_is_found_and_real(rule: Any, case: tuple[str, str, str], kernel: Kernel) -> None:
    setup, cell, exception = case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kernel.setup(setup)
        report = check_without_trace(kernel, cell)
    error = kernel.run(cell)
    assert error is not None, "the cell runs"
    assert type(error).__name__ == exception, f"the cell raises {type(error).__name__}: {error}"
    assert report.finding is not None, f"not found; lost at {report.lost}"
    assert report.finding.exception == exception
    if not isinstance(error, SyntaxError):
        assert report.finding.message == str(error)
    assert report.finding.rule == rule.code
    assert report.finding.reasoning


@pytest.mark.parametrize(("rule", "case"), _cases("RUNS"))
def test_a_cell_that_runs_is_not_reported(rule: Any, case: tuple[str, str], kernel: Kernel) -> None:
    setup, cell = case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kernel.setup(setup)
        report = check_without_trace(kernel, cell)
    error = kernel.run(cell)
    assert error is None, f"the cell raises {type(error).__name__}: {error}"
    assert report.finding is None, f"false alarm: {report.finding}"


def test_every_rule_is_complete() -> None:
    codes = [rule.code for rule in all_rules()]
    assert len(codes) == len(set(codes)), "two rules share a code"
    for rule in all_rules():
        assert rule.code.startswith(rule.library + "."), rule.code
        assert len((type(rule).__doc__ or "").strip().splitlines()) >= 3, (
            f"{rule.code}: the docstring is the rule's page"
        )
        assert rule.exceptions and len(rule.CRASHES) >= 5 and len(rule.RUNS) >= 3, f"{rule.code}: too few cases"
        assert {case[2] for case in rule.CRASHES} <= set(rule.exceptions), rule.code
