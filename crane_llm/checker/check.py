"""One check of a cell, from its source to a report. Never raises, never prints, leaves no trace."""

from __future__ import annotations

import contextlib
import os
import random
import time
from typing import Any

from ..cell import Cell, read_cell
from .ambient import interpreted_settings
from .budget import Budget
from .control import Ended
from .explain import finding_of
from .finding import Finding, Report
from .interpreter import Interpreter
from .isolated import can_isolate, run_in_child, worth_isolating
from .models import all_libraries
from .purity.registry import registry
from .quiet import allow_imports, no_trace, refused_imports
from .rules import all_rules
from .values import Abandon, OutOfBudget, Raised

DEADLINE = 1.5
ISOLATED_LEAST = 0.6  # seconds that must be left for a second look in a child process


def check_report(
    source: str, shell: Any = None, namespace: dict[str, Any] | None = None, deadline: float = DEADLINE
) -> Report:
    """Check ``source`` over the live namespace (``shell.user_ns``, or ``namespace``) within ``deadline`` seconds.

    Nothing is reported when a limit is reached, when the text is not Python that IPython would run, or in case of doubt.
    """
    _warm_up()
    started = time.monotonic()
    report = Report(None, 0.0, False, [], [], 0.0)
    live = namespace if namespace is not None else getattr(shell, "user_ns", None)
    try:
        cell = read_cell(source, shell)
        with no_trace():
            _check(cell, live if isinstance(live, dict) else {}, shell, deadline, report)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a fault of ours must never reach the kernel's user
        report.finding = None
        report.lost.append({"line": 0, "what": f"the checker failed: {type(error).__name__}"})
        if os.environ.get("CRANE_LLM_DEBUG"):
            raise
    report.seconds = time.monotonic() - started
    return report


def _check(cell: Cell, namespace: dict[str, Any], shell: Any, deadline: float, report: Report) -> None:
    if cell.syntax_error is not None:
        report.finding = syntax_finding(cell)
        return
    if cell.tree is None:
        report.lost.append({"line": 1, "what": "not Python that could be read"})
        return
    if cell.magic is not None and not cell.time_raises:
        report.lost.append({"line": 1, "what": f"an error under %%{cell.magic} does not end the cell in this IPython"})
        return
    started = time.monotonic()
    interpreter = Interpreter(namespace, Budget(deadline), shell)
    _walk(interpreter, cell, report)
    left = deadline - (time.monotonic() - started)
    missing = interpreter.wanted | refused_imports()
    if (
        report.finding is None
        and not report.timed_out
        and left > ISOLATED_LEAST
        and worth_isolating(missing)
        and can_isolate()
    ):
        _check_isolated(cell, namespace, shell, left, report)


def _warm_up() -> None:
    """Load the lists, models and rules, once a process: no check pays for it out of its own time."""
    with contextlib.suppress(Exception):  # a fault in one of them shows, and is told, in the check itself
        registry()
        all_libraries()
        all_rules()


def _walk(interpreter: Interpreter, cell: Cell, report: Report) -> None:
    raised: Raised | None = None
    try:
        with interpreted_settings(interpreter):
            interpreter.run(cell.tree)  # type: ignore[arg-type]
    except Raised as error:
        raised = error
    except Ended:
        interpreter.lost.setdefault(0, "nothing after this point is certain")
    except Abandon as reason:
        interpreter.lost.setdefault(0, str(reason))
    except OutOfBudget:
        report.timed_out = True
        interpreter.lost.setdefault(0, "the limit of the check was reached")
    if raised is not None and not report.timed_out and not interpreter.doubtful and interpreter.uncertain == 0:
        report.finding = finding_of(raised, cell, interpreter)
    total = max(1, interpreter.operations)
    report.followed = interpreter.followed / total
    report.complete = not interpreter.lost and interpreter.followed == interpreter.operations and not report.timed_out
    report.lost = [{"line": cell.line(line), "what": what} for line, what in sorted(interpreter.lost.items())]
    report.facts = [{"line": cell.line(fact["line"]), "text": fact["text"]} for fact in interpreter.facts]


def _check_isolated(cell: Cell, namespace: dict[str, Any], shell: Any, seconds: float, report: Report) -> None:
    """Once more in a child process, which may import what the cell imports."""
    state = random.getstate()  # a fork seeds the child's generator anew

    def work() -> dict[str, Any]:
        random.setstate(state)
        allow_imports()
        interpreter = Interpreter(namespace, Budget(seconds * 0.9), shell)
        interpreter.imports_allowed = True
        found = Report(None, 0.0, False, [], [], 0.0)
        _walk(interpreter, cell, found)
        return {
            "finding": None if found.finding is None else found.finding.to_json(),
            "timed_out": found.timed_out,
            **found.walk_json(),
        }

    result = run_in_child(work, seconds)
    if result is not None and not result["timed_out"]:
        report.finding = None if result["finding"] is None else Finding(**result["finding"])
        report.followed, report.complete = result["followed"], result["complete"]
        report.lost, report.facts = result["lost"], result["facts"]


def syntax_finding(cell: Cell) -> Any:
    """The finding for a cell that does not compile."""
    error = cell.syntax_error or SyntaxError("invalid syntax")
    line = cell.line(error.lineno or 1)
    column = max(0, (error.offset or 1) - 1)
    end = max(column + 1, (getattr(error, "end_offset", None) or 0) - 1)
    end_line = cell.line(getattr(error, "end_lineno", None) or error.lineno or 1)
    return Finding(
        exception=type(error).__name__,
        message=error.msg,  # without the place: the file's name is made up anew at every run
        line=line,
        column=column,
        end_line=end_line,
        end_column=end,
        reasoning=f"The cell is not valid Python: {cell.fault or error.msg}.",
        variables=[],
        rule="python.syntax-error",
        mechanism="syntax",
    )


__all__ = ["check_report", "syntax_finding"]
