"""What every case of the checker's tests asks: the check leaves no trace, and what it says is what happens."""

from __future__ import annotations

import pytest
from kernel import Kernel, difference

from crane_llm.checker.finding import Report


def check_without_trace(kernel: Kernel, cell: str) -> Report:
    """Check a cell; fails where the kernel's state differs afterwards, something was printed, or the checker itself failed."""
    kernel.fingerprint()  # what it imports itself is no trace
    before = kernel.fingerprint()
    report = kernel.check(cell)
    assert difference(before, kernel.fingerprint()) == []
    assert kernel.printed == ""
    assert not any("the checker failed" in lost["what"] for lost in report.lost), report.lost
    return report


def expect(kernel: Kernel, cell: str, exception: str | None, *, must_find: bool = True, seconds: float = 0.0) -> None:
    """Check a cell, then run it: it ends with ``exception`` (None: it runs), and nothing else was said.

    With ``must_find`` a crash must have been found. ``seconds`` limits the run; 0: no limit.
    """
    report = check_without_trace(kernel, cell)
    error = kernel.run(cell, seconds)
    raised = None if error is None else type(error).__name__
    assert raised == exception, f"the case itself is wrong: {error!r}"
    if report.finding is not None:
        assert (report.finding.exception, report.finding.message) == (raised, str(error))
    elif must_find and exception is not None:
        pytest.fail(f"{exception} was not found; lost at {report.lost}")
