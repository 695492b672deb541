"""All runs of a kernel session in order: recorded ones, and before them those that IPython's history tells of."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from . import recorder as _recorder
from .effects import Body, read_effects
from .log import Run
from .source import is_own

MOST_SCANNED = 400
"""Runs looked through for the definition of a function."""


class NotebookCell(NamedTuple):
    """A code cell of the notebook as it is now."""

    cell_id: Optional[str]
    source: str


class Timeline:
    """The runs that tell where values come from, oldest first, and the notebook's cells as they are now (if given)."""

    def __init__(self, shell: Any, cells: Any = None) -> None:
        self.namespace: dict = getattr(shell, "user_ns", None) or {}
        self.cells = _cells(cells)
        self.runs: list[Run] = [r for r in _all_runs(shell) if not is_own(r.source)]
        self._by_id = {c.cell_id: c for c in self.cells or () if c.cell_id is not None}
        self._by_text = {c.source.strip(): c for c in reversed(self.cells or ())}
        self._name_old_runs()
        self._runs_by_id: dict[str, list[Run]] = {}
        self._runs_by_text: dict[str, list[Run]] = {}
        for run in self.runs:
            if run.cell_id is not None:
                self._runs_by_id.setdefault(run.cell_id, []).append(run)
            else:
                self._runs_by_text.setdefault(run.source.strip(), []).append(run)
        self._functions: dict[tuple, Optional[Body]] = {}

    def _name_old_runs(self) -> None:
        """History keeps no ids: a run belongs to the only cell that has exactly its text now, if there is one."""
        places: dict[str, list[NotebookCell]] = {}
        for cell in self.cells or ():
            places.setdefault(cell.source.strip(), []).append(cell)
        for run in self.runs:
            if run.cell_id is None:
                same = places.get(run.source.strip(), [])
                if len(same) == 1:
                    run.cell_id = same[0].cell_id

    def times_run(self, run: Run) -> int:
        """How often the cell of ``run`` ran so far, whatever its text was."""
        return sum(1 for other in self.runs if other.same_cell(run))

    def current(self, run: Run) -> Optional[NotebookCell]:
        """The cell of ``run`` as it is in the notebook now; None when it is gone or the notebook is not known."""
        if run.cell_id in self._by_id:
            return self._by_id[run.cell_id]
        return self._by_text.get(run.source.strip())

    def edited(self, run: Run) -> bool:
        cell = self.current(run)
        return cell is not None and cell.source.strip() != run.source.strip()

    def gone(self, run: Run) -> bool:
        """The notebook is known and the cell is no longer in it."""
        return self.cells is not None and self.current(run) is None

    def runs_of(self, cell: NotebookCell) -> list[Run]:
        """The runs of a cell of the notebook, with whatever text it had; by its text where ids are missing."""
        if cell.cell_id is not None and cell.cell_id in self._runs_by_id:
            return self._runs_by_id[cell.cell_id]
        return self._runs_by_text.get(cell.source.strip(), [])

    def function(self, name: str, place: int) -> Optional[Body]:
        """The body of the notebook function ``name`` (or ``Class.method``) as defined when the run at ``place`` ended."""
        key = (name, place)
        if key not in self._functions:
            self._functions[key] = self._find_function(name, place)
        return self._functions[key]

    def _find_function(self, name: str, place: int) -> Optional[Body]:
        word = name.rpartition(".")[2]
        for run in reversed(self.runs[max(0, place + 1 - MOST_SCANNED) : place + 1]):
            if f"def {word}" in run.source:
                found = read_effects(run.source).functions.get(name)
                if found is not None:
                    return found
        return None


def _cells(cells: Any) -> Optional[list[NotebookCell]]:
    if cells is None:
        return None
    return [NotebookCell(c.get("id"), c.get("source") or "") for c in cells]


def _all_runs(shell: Any) -> list[Run]:
    recorder = _recorder.find(shell)
    recorded: list[Run] = list(recorder.log) if recorder is not None else []
    until = recorder.first_order if recorder is not None else getattr(shell, "execution_count", 0)
    return history_runs(shell, until) + recorded


def history_runs(shell: Any, until: int) -> list[Run]:
    """Runs with an execution count below ``until`` from IPython's history. Whether one succeeded is known to newer IPythons."""
    manager = getattr(shell, "history_manager", None)
    sources = getattr(manager, "input_hist_raw", None) or []
    failed = getattr(manager, "exceptions", None)
    runs = []
    for order, source in enumerate(sources[:until]):
        if order == 0 or not isinstance(source, str) or not source.strip():
            continue
        run = Run(source, order, None, False)
        if isinstance(failed, dict):
            run.success = order not in failed
            if not run.success:
                error = failed.get(order)
                run.error = error.get("ename") if isinstance(error, dict) else None
        runs.append(run)
    return runs
