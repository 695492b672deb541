"""One call for the editor and the command line: finding, summary, origins, executed cells, and the time each took."""

from __future__ import annotations

import platform
import time
from typing import Any

from ._version import __version__
from .cell import read_cell

DEADLINE = 1.5
_NOTHING = "The checks found nothing that is certain to fail. That is not a claim that the cell is safe."


def inspect_cell(
    source: str,
    shell: Any = None,
    *,
    cells: list[dict[str, Any]] | None = None,
    target_id: str | None = None,
    check: bool = True,
    summary: bool = True,
    origins: bool = True,
    categories: str = "SRV",
    schema_only: bool = False,
    hide_names: bool = False,
    deadline: float | None = None,
    tags: list[str] | None = None,
    scan_limit: int | None = None,
) -> dict[str, Any]:
    """Look at a cell that is about to run, without running it. Never raises for anything in the cell or the kernel.

    ``cells`` are the notebook's code cells as they are now ({"id", "source"}, in order), ``target_id`` the id of the target among
    them, ``tags`` the target's tags (``raises-exception``: a crash is wanted and not reported). ``deadline`` is in seconds and holds
    for the check; ``scan_limit`` (values), where given, replaces the limit in force for this call. Returns plain data: ``verdict``, ``summary``, ``origins``, ``executed``, ``walk``, ``used``, ``seconds``, ``kernel``.
    """
    if shell is None:
        from IPython import get_ipython

        shell = get_ipython()
    started = time.monotonic()
    seconds: dict[str, float] = {}
    expected = "raises-exception" in (tags or [])
    report = _timed(
        seconds, "check", lambda: _report(source, shell, deadline or DEADLINE, scan_limit) if check else None
    )
    finding = None if report is None or expected else report.finding
    namespace = getattr(shell, "user_ns", {})
    used = _guarded(lambda: read_cell(source, shell).used_names(namespace), [])
    described = _timed(
        seconds, "summary", lambda: _summary(source, shell, categories, schema_only, hide_names) if summary else None
    )
    blamed = finding.variables if finding is not None else used
    found = _timed(seconds, "origins", lambda: _origins(blamed, shell, cells, target_id, finding) if origins else [])
    seconds["total"] = time.monotonic() - started
    return {
        "version": 1,
        "verdict": verdict_of(finding, found or [], seconds.get("check", 0.0)),
        "summary": described or {"variables": [], "text": "", "left_out": []},
        "origins": found or [],
        "executed": _guarded(lambda: _executed(source, shell, target_id, cells), []),
        "walk": report.walk_json()
        if report is not None
        else {"followed": 0.0, "complete": False, "lost": [], "facts": []},
        "used": used,
        "seconds": {name: round(value, 6) for name, value in seconds.items()},
        "kernel": _kernel(shell),
    }


def verdict_of(finding: Any, origins: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """The checker's verdict in the shape that both judges share; ``seconds`` is the time of the check."""
    verdict: dict[str, Any] = {
        "outcome": "nothing_certain",
        "source": "checker",
        "model": None,
        "exception": None,
        "message": None,
        "line": None,
        "column": None,
        "end_line": None,
        "end_column": None,
        "reasoning": _NOTHING,
        "variables": [],
        "rule": None,
        "suggestion": None,
        "origins": [],
        "seconds": round(seconds, 6),
        "usage": None,
    }
    if finding is not None:
        verdict.update({key: value for key, value in finding.to_json().items() if key in verdict})
        verdict.update({"outcome": "crash", "origins": origins})
    return verdict


def _report(source: str, shell: Any, deadline: float, scan_limit: int | None) -> Any:
    from .checker import check_report
    from .checker.limits import limited

    with limited(scan_limit):
        return check_report(source, shell, deadline=deadline)


def _summary(source: str, shell: Any, categories: str, schema_only: bool, hide_names: bool) -> dict[str, Any]:
    from .summary import summarize_cell

    return summarize_cell(
        source, shell, categories=categories, schema_only=schema_only, hide_names=hide_names
    ).to_json()


def _origins(names: list[str], shell: Any, cells: Any, target_id: Any, finding: Any) -> list[dict[str, Any]]:
    from .origin.trace import origins_of

    return origins_of(names, shell, cells=cells, target_id=target_id, finding=finding)


def _executed(source: str, shell: Any, target_id: str | None, cells: Any) -> list[dict[str, Any]]:
    from .origin.trace import executed_cells

    return executed_cells(shell, target_source=source, target_id=target_id, cells=cells)


def _kernel(shell: Any) -> dict[str, Any]:
    def facts() -> dict[str, Any]:
        from .remote import kernel_facts

        return kernel_facts(shell)

    return _guarded(
        facts,
        {"python": platform.python_version(), "ipython": None, "crane": __version__, "recorder": False, "guard": False},
    )


def _timed(seconds: dict[str, float], name: str, thunk: Any) -> Any:
    started = time.monotonic()
    result = _guarded(thunk, None)
    seconds[name] = time.monotonic() - started
    return result


def _guarded(thunk: Any, default: Any) -> Any:
    """The parts stand alone: a fault in one must not cost the person the others."""
    try:
        return thunk()
    except Exception:
        return default
