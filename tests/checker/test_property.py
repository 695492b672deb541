"""What the checker says of random cells, against what they really do."""

from __future__ import annotations

import os
from typing import Any

import pytest
from cells import cases
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.errors import NoSuchExample
from kernel import Endless, Kernel, difference

from crane_llm.checker import rules
from crane_llm.checker.rules.base import Rule

EXAMPLES = int(os.environ.get("CRANE_EXAMPLES", "250"))
_counts = {"run": 0, "crash": 0, "found": 0, "unknown first": 0}
_quiet = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), max_examples=EXAMPLES)


def violation(kernel: Kernel, case: tuple[str, str], seconds: float = 2) -> str | None:
    """What the checker did wrong with a cell, or None. The cell is then run for real."""
    state, cell = case
    kernel.fresh()
    kernel.setup(state)
    kernel.fingerprint()
    before = kernel.fingerprint()
    try:
        report = kernel.check(cell)
    except Exception as error:
        return f"the checker raised {error!r}"
    changed = difference(before, kernel.fingerprint())
    if changed:
        return f"changed {changed}"
    if kernel.printed:
        return f"printed {kernel.printed!r}"
    failed = [lost["what"] for lost in report.lost if "the checker failed" in lost["what"]]
    if failed:
        return failed[0]
    error = kernel.run(cell, seconds=seconds)
    _counts["crash" if error else "run"] += 1
    finding = report.finding
    if isinstance(error, Endless) and finding is not None:  # a busy machine is slow at times: once more, without hurry
        kernel.fresh()
        kernel.setup(state)
        error = kernel.run(cell, seconds=60)
    if isinstance(error, Endless):
        if finding is None or _unknown_came_first(error, report):
            return None
        return f"found {finding.exception} in a cell that never ends"
    if finding is None:
        return None
    _counts["found"] += 1
    if error is None:
        return f"false alarm: {finding.exception}: {finding.message}"
    if _unknown_came_first(error, report):
        _counts["unknown first"] += 1
        return None
    if type(error).__name__ != finding.exception:
        return f"predicted {finding.exception}: {finding.message}, raised {type(error).__name__}: {error}"
    if finding.message != str(error) and not isinstance(error, SyntaxError):
        return f"predicted {finding.message!r}, said {str(error)!r}"
    return None


def _unknown_came_first(error: BaseException, report: Any) -> bool:
    """Whether the cell failed in an operation that the report names as not followed. It may always raise, or never end, before what
    is certain."""
    lost = {entry["line"] for entry in report.lost}
    trace, lines, cell = error.__traceback__, [], None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if cell is None and ("ipython-input" in file or "/ipykernel_" in file):
            cell = file  # the first one: a function of an earlier cell is called from this one
        if file == cell:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return bool(lines) and lines[-1] != report.finding.line and lines[-1] in lost


def examine(kernel: Kernel, examples: int) -> None:
    """Check and run ``examples`` random cells; fail at the first that the checker gets wrong."""

    # The same cells at every run by day, so that a red build is about the change; new ones every night.
    @settings(_quiet, max_examples=examples, derandomize=examples < 10_000)
    @given(cases)
    def every(case: tuple[str, str]) -> None:
        wrong = violation(kernel, case)
        assert wrong is None, f"{wrong}\n--- state\n{case[0]}\n--- cell\n{case[1]}"

    _counts.update(dict.fromkeys(_counts, 0))
    every()
    print(f"\n{_counts['run']} cells ran, {_counts['crash']} crashed, {_counts['found']} of these found")
    assert _counts["run"] >= _counts["crash"], "too few of the random cells run to prove anything about false alarms"
    assert _counts["unknown first"] <= _counts["found"] / 20, (
        "too often the crash is another one than the first certain"
    )
    assert _counts["found"] > _counts["crash"] / 2, "the checker finds too little to be tested by these cells"


@pytest.mark.timeout(1200)
def test_every_finding_is_true_and_leaves_no_trace(kernel: Kernel) -> None:
    examine(kernel, EXAMPLES)


@pytest.mark.nightly
@pytest.mark.timeout(7200)
def test_ten_thousand_cells(kernel: Kernel) -> None:
    examine(kernel, 10_000)


class _Planted(Rule):
    code = "planted"


class _AlwaysEmpty(_Planted):
    """Says that any list is too short."""

    checks = ("item",)

    def check(self, interpreter: Any, event: Any) -> BaseException | None:
        return IndexError("list index out of range") if event.operands[0].known_type is list else None


class _WrongWords(_Planted):
    """Right about a missing key, wrong in its words."""

    checks = ("item",)

    def check(self, interpreter: Any, event: Any) -> BaseException | None:
        owner, key = event.operands
        if owner.exact and type(owner.obj) is dict and key.exact and key.obj not in owner.obj:
            return KeyError("missing")
        return None


class _Writes(_Planted):
    """Changes a list of the person's."""

    checks = ("iterate",)

    def check(self, interpreter: Any, event: Any) -> BaseException | None:
        value = event.operands[0]
        if value.exact and type(value.obj) is list:
            value.obj.append(0)
        return None


class _Prints(_Planted):
    """Writes to the real output."""

    checks = ("call",)

    def check(self, interpreter: Any, event: Any) -> BaseException | None:
        import sys

        getattr(sys.stdout, "_real", sys.stdout).write("noise")
        return None


class _AlwaysZero(_Planted):
    """Takes any arithmetic between whole numbers for a division by zero."""

    checks = ("binary",)

    def check(self, interpreter: Any, event: Any) -> BaseException | None:
        if all(value.known_type is int for value in event.operands):
            return ZeroDivisionError("division by zero")
        return None


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "fault", [_AlwaysEmpty, _WrongWords, _Writes, _Prints, _AlwaysZero], ids=lambda f: f.__name__.strip("_")
)
def test_a_faulty_rule_is_caught(fault: type[Rule], kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_rules", [fault(), *rules.all_rules()])
    try:
        # Any example will do: none is made smaller.
        found = settings(_quiet, max_examples=3_000, phases=(Phase.generate,))
        find(cases, lambda case: violation(kernel, case) is not None, settings=found)
    except NoSuchExample:
        pytest.fail("the property test does not notice this fault")
    finally:
        monkeypatch.undo()
