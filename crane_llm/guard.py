"""The guard: while it is on, a cell that will certainly crash does not run at all.

It is an AST transformer of the shell, which IPython asks after it has parsed a cell and before it runs the first line.
For a cell that the checker is certain about it shows the verdict with its origins and rejects the input; IPython then
reports an error, so that *Run All* stops there. A line ``# crane: run anyway`` in the cell lets it run. Cells that begin
with a cell magic, and code outside the history (other tools, widgets), are left alone. Whatever goes wrong in here, the
cell runs.
"""

from __future__ import annotations

import re
from typing import Any, Optional

from IPython.core.error import InputRejected

from .cell import quiet_syntax
from .displays import publish
from .drawing import as_html, as_text, error_words
from .inspect import verdict_of
from .origin import recorder as _recorder
from .origin.source import is_own
from .origin.trace import origins_of

REFUSAL_MIME = "application/vnd.crane.refusal+json"
DEADLINE = 0.3
"""Seconds that a check before a run may take; one that reaches it says nothing."""
_ANYWAY = re.compile(r"^\s*#\s*crane:\s*run anyway\s*$", re.I | re.M)
HINT = "To run it all the same, add this line to it:"
ANYWAY = "# crane: run anyway"
"""Stands on a line of its own wherever it is shown: wrapped in the middle it could not be copied."""


class CellRefused(InputRejected):
    """The cell was not run, because it would certainly have crashed.

    Shown without a traceback: no line of the person's ran, and our own frames would tell nothing.
    """

    def _render_traceback_(self) -> list:
        return [f"{type(self).__name__}: {self}"]


class CheckInterrupted(CellRefused):
    """The person interrupted the kernel while the cell was being checked, so it was not run."""


class Guard:
    """The transformer of one shell. Use `switch`."""

    crane_guard = 1
    """Tells our guard, whichever copy of the package made it, from another tool's object."""

    def __init__(self, shell: Any) -> None:
        import weakref

        self._shell = weakref.ref(shell)
        self._info: Any = None

    # IPython's events say which input the next tree belongs to; code outside the history only clears it.

    def pre_execute(self) -> None:
        self._info = None

    def pre_run_cell(self, info: Any) -> None:
        self._info = info if getattr(info, "store_history", False) and not getattr(info, "silent", False) else None

    def visit(self, node: Any) -> Any:
        """Called by IPython with the cell's tree. Returns it untouched, or raises `CellRefused`."""
        info, self._info = self._info, None  # magics such as %time have the transformers applied once more
        refusal: Optional[CellRefused] = None
        if info is not None:
            try:
                refusal = self._check(info)
            except KeyboardInterrupt:
                refusal = CheckInterrupted("interrupted while the cell was being checked; it was not run.")
            except Exception:
                refusal = None
        if refusal is not None:
            raise refusal
        return node

    def _check(self, info: Any) -> Optional[CellRefused]:
        source, shell = info.raw_cell, self._shell()
        if shell is None or not isinstance(source, str) or source.lstrip().startswith("%%"):
            return None
        if _ANYWAY.search(source) or is_own(source):
            return None
        from . import check_report

        with quiet_syntax():
            report = check_report(source, shell, deadline=DEADLINE)
        if report.finding is None:
            return None
        cell_id = getattr(info, "cell_id", None)
        origins = origins_of(report.finding.variables, shell, None, cell_id, report.finding)
        verdict = verdict_of(report.finding, origins, report.seconds)
        recorder = _recorder.find(shell)
        if recorder is not None:
            recorder.refused = info
        notice = "This cell was not run."
        publish(
            shell,
            {
                REFUSAL_MIME: {"verdict": verdict, "origins": origins},
                "text/html": as_html(verdict, source, f"{notice} {HINT}", code=ANYWAY),
                "text/plain": as_text(verdict, source, f"{notice} {HINT}", code=ANYWAY),
            },
            trace=True,
        )
        line = f" (line {verdict['line']})" if verdict.get("line") else ""
        return CellRefused(f"the cell was not run: it would end in {error_words(verdict)}{line}.\n{HINT}\n{ANYWAY}")


def _find(shell: Any) -> Any:
    """The guard of this shell, also one that another copy of the package switched on; None when there is none."""
    for callback in getattr(shell.events, "callbacks", {}).get("pre_run_cell", ()):
        owner = getattr(callback, "__self__", None)
        if getattr(type(owner), "crane_guard", None) == 1:
            return owner
    return None


def is_on(shell: Any) -> bool:
    return _find(shell) is not None


def is_armed(shell: Any) -> bool:
    """Whether it is on and IPython will ask it (someone else may have emptied the list of transformers)."""
    guard = _find(shell)
    return guard is not None and any(t is guard for t in shell.ast_transformers)


def switch(shell: Any, on: bool) -> None:
    """Turn the guard on or off, from the next cell on. Turning it on also starts the recorder, which tells the origins."""
    guard = _find(shell)
    if not on:
        if guard is not None:
            shell.events.unregister("pre_execute", guard.pre_execute)
            shell.events.unregister("pre_run_cell", guard.pre_run_cell)
            shell.ast_transformers[:] = [t for t in shell.ast_transformers if t is not guard]
        return
    _recorder.arm(shell)
    if guard is None:
        guard = Guard(shell)
        shell.events.register("pre_execute", guard.pre_execute)
        shell.events.register("pre_run_cell", guard.pre_run_cell)
    if not any(t is guard for t in shell.ast_transformers):
        shell.ast_transformers.append(guard)
    from . import check_report

    check_report("pass", shell)  # loads the checker now, not within the time of the first cell


def disarm(shell: Any) -> None:
    switch(shell, False)
