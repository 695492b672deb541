"""Notebook pairs of a benchmark checkout: which cells ran, and which cell is the target.

In the buggy notebook the target is the cell that holds the error output; in the fixed one it is the code cell at the
same place. Executed are the cells with a smaller execution count, in that order; and cells whose first line is marked
``[reexecute]``, which the benchmark's authors ran once more before the target.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..faults import Fault
from ..notebook import CodeCell, Notebook, read_notebook
from .replies import BUGGY, FIXED

_AGAIN = "[reexecute]"


@dataclass
class Case:
    """One target: the notebook, the cells to run before it, and the cell itself."""

    name: str
    notebook: Notebook
    executed: list[CodeCell]
    target: CodeCell


def find_pairs(folder: Path) -> list[str]:
    """Paths, without suffix, of all notebook pairs under ``folder``. Raises `Fault` when there are none."""
    if not folder.is_dir():
        raise Fault(f"There is no folder {folder}.")
    ends = f"{BUGGY}.ipynb"
    stems = [str(path)[: -len(ends)] for path in sorted(folder.rglob(f"*{ends}"))]
    pairs = [stem for stem in stems if Path(f"{stem}{FIXED}.ipynb").exists()]
    if not pairs:
        raise Fault(f"{folder} holds no notebook pairs.", f"They are called NAME{ends} and NAME{FIXED}.ipynb.")
    return pairs


def load_pair(stem: str) -> tuple[Case, Case]:
    """The buggy and the fixed case of a pair. Raises `Fault` when the target cannot be told."""
    buggy = read_notebook(f"{stem}{BUGGY}.ipynb")
    fixed = read_notebook(f"{stem}{FIXED}.ipynb")
    name = Path(stem).name
    target = next((cell for cell in buggy.cells if cell.error is not None), None)
    if target is None:
        raise Fault(f"{buggy.path} holds no error output, so the crashing cell is not known.")
    if target.number > len(fixed.cells):
        raise Fault(f"{fixed.path} has no code cell {target.number}, the place of the crash in its buggy twin.")
    return (
        Case(f"{name}{BUGGY}", buggy, _executed(buggy, target), target),
        Case(f"{name}{FIXED}", fixed, _executed(fixed, fixed.cells[target.number - 1]), fixed.cells[target.number - 1]),
    )


def _executed(notebook: Notebook, target: CodeCell) -> list[CodeCell]:
    """Cells that ran before ``target``, in run order. Without counts, the cells above it."""
    limit = target.execution_count
    if limit is None:
        return [cell for cell in notebook.cells if cell.number < target.number and not cell.empty]
    others = [cell for cell in notebook.cells if cell is not target and not cell.empty]
    before = [cell for cell in others if cell.execution_count is not None and cell.execution_count < limit]
    again = [cell for cell in others if cell not in before and _AGAIN in cell.source.lstrip().split("\n", 1)[0]]
    return sorted(before, key=lambda cell: cell.execution_count or 0) + again
