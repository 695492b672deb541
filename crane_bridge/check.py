"""What ``crane check`` does: run the earlier cells in a kernel of our own, then ask the judges about a cell.

The judges answer in the usual order: the checker in the kernel, and only when it finds nothing certain, the model.
This module knows nothing of how results are printed; see `crane_bridge.report`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Protocol

from .faults import Fault
from .kernels import CellTimeout, Kernel, KernelDied, RunResult
from .notebook import CodeCell, Notebook, NotebookFault

Verdict = dict[str, Any]
"""A verdict in the shape of `crane_bridge.protocol.Verdict`, as plain JSON."""


class Model(Protocol):
    """The second judge: asked only when the checker found nothing certain."""

    def __call__(self, target: CodeCell, inspection: dict[str, Any]) -> Verdict: ...


class CannotCheck(Fault):
    """The cell cannot be checked in the state that it would have."""


@dataclass
class Options:
    """``timeout``: seconds for each cell that runs. ``note`` takes remarks for the person, ``progress`` what goes on.

    ``keep_going``: run on after a cell that raises, in `check_all`. ``strict``: do not, in `check_one`.
    """

    timeout: float = 600.0
    keep_going: bool = False
    strict: bool = False
    kernel: str | None = None
    schema_only: bool = False
    model: Model | None = None
    note: Callable[[str], None] = lambda _: None
    progress: Callable[[str], None] = lambda _: None


@dataclass
class CellOutcome:
    """One cell of a run: what was predicted (None: not checked) and what happened (None: it did not run)."""

    cell: CodeCell
    verdict: Verdict | None = None
    inspection: dict[str, Any] | None = None
    result: RunResult | None = None
    skipped: str | None = None
    fault: Fault | None = None

    @property
    def right(self) -> bool | None:
        """Whether the prediction came true; None when nothing was claimed or the cell did not run."""
        if self.verdict is None or self.result is None:
            return None
        outcome, raised = self.verdict["outcome"], self.result.exception
        if outcome == "crash":
            named = self.verdict.get("exception")
            # A cell that must not be reported (tag raises-exception) never has this outcome.
            return raised is not None and (named is None or named.rsplit(".", 1)[-1] == raised.rsplit(".", 1)[-1])
        if outcome == "no_crash":
            return raised is None
        return None

    @property
    def missed(self) -> bool:
        """It crashed, and nobody had said so."""
        said = self.verdict is not None and self.verdict["outcome"] == "crash"
        return self.verdict is not None and self.result is not None and not self.result.success and not said


@dataclass
class CheckOutcome:
    """The answer about one cell, and what became of the cells before it."""

    target: CellOutcome
    before: list[CellOutcome] = field(default_factory=list)


def check_one(notebook: Notebook, number: int, options: Options) -> CheckOutcome:
    """Run the cells before cell ``number``, then judge it without running it.

    An earlier cell that raises leaves the state that it would leave in an editor, where a person can go on; a note says
    so. Raises `NotebookFault`, `CannotCheck` (a cell hangs; or it raises, and ``strict`` is on), or a kernel's fault.
    """
    target = notebook.cell(number)
    if target.language:
        raise NotebookFault(f"Cell {number} of {notebook.path} is in {target.language}, not Python.")
    before: list[CellOutcome] = []
    with _kernel(notebook, options) as kernel:
        for cell in notebook.cells[: number - 1]:
            options.progress(f"running cell {cell.number} of {number - 1}")
            outcome = _run(kernel, cell, options)
            before.append(outcome)
            if outcome.fault is not None:
                raise outcome.fault
            if outcome.result is not None and not outcome.result.success and not cell.may_raise:
                _raised_before(cell, outcome.result, number, options)
        options.progress(f"checking cell {number}")
        return CheckOutcome(_judge(kernel, notebook, target, options), before)


def _raised_before(cell: CodeCell, result: RunResult, number: int, options: Options) -> None:
    where = f" in its line {result.line}" if result.line else ""
    raised = f"Cell {cell.number} raised {result.exception}{where}: {_cut(result.message)}"
    if options.strict:
        raise CannotCheck(raised, f"So cell {number} was not checked (--strict).")
    options.note(f"{raised}\n       Cell {number} is checked in the state that this left.")


def check_all(notebook: Notebook, options: Options, each: Callable[[CellOutcome], None]) -> list[CellOutcome]:
    """Check each code cell and then run it; ``each`` hears of every cell as soon as it is done.

    Stops at the first cell that raises, unless ``keep_going``. A cell that hangs or kills the kernel ends the run: its
    outcome carries the fault.
    """
    outcomes: list[CellOutcome] = []
    if not notebook.cells:
        raise NotebookFault(f"{notebook.path} has no code cells.")
    with _kernel(notebook, options) as kernel:
        for cell in notebook.cells:
            reason = _skip_reason(cell)
            if reason:
                outcome = CellOutcome(cell, skipped=reason)
            else:
                options.progress(f"checking cell {cell.number} of {len(notebook.cells)}")
                judged = _judge(kernel, notebook, cell, options)
                options.progress(f"running cell {cell.number} of {len(notebook.cells)}")
                outcome = _run(kernel, cell, options)
                outcome.verdict, outcome.inspection = judged.verdict, judged.inspection
            outcomes.append(outcome)
            each(outcome)
            if outcome.fault is not None or _stops(outcome, options):
                break
    return outcomes


def _kernel(notebook: Notebook, options: Options) -> Kernel:
    options.progress("starting a kernel")
    name, folder = options.kernel or notebook.kernel_name, notebook.path.resolve().parent
    return Kernel(name, folder, options.note, insist=options.kernel is not None)


def _run(kernel: Kernel, cell: CodeCell, options: Options) -> CellOutcome:
    reason = _skip_reason(cell)
    if reason:
        return CellOutcome(cell, skipped=reason)
    try:
        return CellOutcome(cell, result=kernel.run_cell(cell.source, cell.id, options.timeout))
    except CellTimeout as fault:
        return CellOutcome(cell, fault=CannotCheck(f"Cell {cell.number} {fault.message}", fault.hint))
    except KernelDied as fault:
        return CellOutcome(cell, fault=KernelDied(f"The kernel died while cell {cell.number} ran.", fault.hint))


def _judge(kernel: Kernel, notebook: Notebook, cell: CodeCell, options: Options) -> CellOutcome:
    inspection = kernel.inspect(
        cell.source,
        cells=[{"id": other.id, "source": other.source} for other in notebook.cells],
        target_id=cell.id,
        tags=cell.tags,
        schema_only=options.schema_only,
    )
    verdict: Verdict = dict(inspection["verdict"])
    if verdict["outcome"] == "crash" and not verdict.get("origins"):
        verdict["origins"] = inspection.get("origins") or []
    if verdict["outcome"] != "crash" and options.model is not None and not cell.empty:
        options.progress(f"asking the model about cell {cell.number}")
        verdict = options.model(cell, inspection)
    return CellOutcome(cell, verdict, inspection)


def _skip_reason(cell: CodeCell) -> str | None:
    if cell.empty:
        return "empty"
    return f"in {cell.language}" if cell.language else None


def _stops(outcome: CellOutcome, options: Options) -> bool:
    if outcome.result is None or outcome.result.success:
        return False
    return not (options.keep_going or outcome.cell.may_raise)


def _cut(text: str | None, limit: int = 300) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
