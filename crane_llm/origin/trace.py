"""Origins of variables: which cells made them what they are, and which executed cells there were."""

from __future__ import annotations

from typing import Any, Optional

from . import missing as _missing
from . import recorder as _recorder
from .columns import find_removal
from .labels import Missing, missing_in
from .log import Run
from .steps import ASSIGNED, DELETED, WOULD_DEFINE, Did, steps_of
from .timeline import NotebookCell, Timeline

MOST_STEPS = 20
"""Steps of one origin; the assignment and the latest are kept."""


def origins_of(
    names: Any, shell: Any, cells: Any = None, target_id: Optional[str] = None, finding: Any = None
) -> list[dict]:
    """The origin of each name, in the form described in ``inspect_cell``: {"variable", "steps": [...]}, oldest step first.

    ``cells`` are the notebook's code cells as they are now ({"id", "source"}, in order), without which cells that have
    not run cannot be named. ``target_id`` is the cell being checked. ``finding`` (a `Finding` or its JSON form) narrows
    the steps to what is missing, when it names a column, key, attribute or fit. Never raises: a name whose origin cannot
    be told has no steps.
    """
    try:
        timeline = Timeline(shell, cells)
        wanted = missing_in(finding)
    except Exception:
        return [{"variable": name, "steps": []} for name in names]
    armed = _recorder.is_armed(shell)
    found = []
    for name in dict.fromkeys(names):
        try:
            steps = _Origin(timeline, target_id, armed).steps(name, wanted)
        except Exception:
            steps = []
        found.append({"variable": name, "steps": steps})
    return found


def executed_cells(
    shell: Any, target_source: Optional[str] = None, target_id: Optional[str] = None, cells: Any = None
) -> list[dict]:
    """The cells that ran in this kernel, in run order; the target and cells that only talk to us are left out.

    Runs of one cell that follow each other directly with the same text are one entry with a count. Cells that the guard
    refused did not run.
    """
    timeline = Timeline(shell, cells)
    entries: list[dict] = []
    last: Optional[Run] = None
    for run in timeline.runs:
        if run.refused or (target_id is not None and run.cell_id == target_id):
            continue
        if target_source is not None and run.source.strip() == target_source.strip():
            continue
        if last is not None and run.same_cell(last) and run.source == last.source:
            entries[-1].update(order=run.order, success=run.success, runs=entries[-1]["runs"] + 1)
        else:
            entries.append(
                {
                    "id": run.cell_id,
                    "order": run.order,
                    "source": run.source,
                    "success": run.success,
                    "recorded": run.recorded,
                    "runs": 1,
                }
            )
        last = run
    return entries


class _Origin:
    """Finds the steps of one name."""

    def __init__(self, timeline: Timeline, target_id: Optional[str], armed: bool) -> None:
        self.timeline = timeline
        self.target_id = target_id
        self.armed = armed

    def steps(self, name: str, wanted: Missing) -> list[dict]:
        if name not in self.timeline.namespace:
            return self.undefined(name)
        history = self.history(name)
        told = [self.json(d) for d in self.merged(history)]
        if wanted.labels:
            narrowed = self.labels(name, wanted, history)
            if narrowed:
                return narrowed
        if wanted.fit:
            told = told + self.fits(name)
        return told

    def history(self, name: str, before: Optional[int] = None) -> list[Did]:
        """From the last assignment on, what was done to the name; oldest first."""
        gathered: list[Did] = []
        for place in range((len(self.timeline.runs) if before is None else before) - 1, -1, -1):
            did = steps_of(self.timeline, place, name)
            gathered = did + gathered
            if any(d.action == ASSIGNED for d in did):
                break
        return gathered

    def merged(self, steps: list[Did]) -> list[Did]:
        """Reruns of one cell become one step, at the place of the last run; the number of steps is bounded."""
        kept: dict[Any, Did] = {}
        for did in steps:
            run = self.timeline.runs[did.place]
            key = (run.cell_id or run.source.strip(), did.action, did.line)
            kept.pop(key, None)
            kept[key] = did
        merged = list(kept.values())
        return merged if len(merged) <= MOST_STEPS else [merged[0], *merged[1 - MOST_STEPS :]]

    def undefined(self, name: str) -> list[dict]:
        """A name that is not there: deleted, or not (yet) defined."""
        deleted: list[Did] = []
        for place in range(len(self.timeline.runs) - 1, -1, -1):
            did = steps_of(self.timeline, place, name)
            if any(d.action == DELETED for d in did):
                deleted = self.history(name, place) + did
                break
            if did:
                break
        told = [self.json(d) for d in self.merged(deleted)]

        def bound(run: Run) -> bool:
            return name in run.bound

        verb = f"would define {name}"
        would = _missing.would_do(self.timeline, _missing.defines(name), verb, self.target_id, bound)
        if deleted:  # the cell that defined it once is told already
            would = [w for w in would if w.reason != _missing.BRANCH]
        if not would and not told:
            would = _missing.only_local(self.timeline, name)
        return told + [self.would(w) for w in would[:MOST_STEPS]]

    def labels(self, name: str, wanted: Missing, history: list[Did]) -> list[dict]:
        """Steps that concern a missing label: what removed it, and the assignment of what lacks it now."""
        for label in wanted.labels:
            removal = find_removal(self.timeline, name, label)
            if removal is not None:
                did = removal.did
                if removal.variable != name:
                    did = did._replace(detail=f"{did.detail} ({removal.variable})")
                assigned = [d for d in history if d.action == ASSIGNED][-1:]
                same = [d for d in assigned if d.place == did.place and (d.line == did.line or did.action == ASSIGNED)]
                steps = sorted([did, *(d for d in assigned if d not in same)], key=lambda d: (d.place, d.line or 0))
                return [self.json(d) for d in self.merged(steps)] + self.sets(name, label)
            would = self.sets(name, label)
            if would:
                return [self.json(d) for d in self.merged(history) if d.action == ASSIGNED][-1:] + would
        return []

    def sets(self, name: str, label: Any) -> list[dict]:
        """Cells that would set the label and have not."""
        wanted = _missing.sets_label(name, label)

        def done(run: Run) -> bool:
            return run.success is True and any(not e.branch for e in wanted(run.source))

        return [
            self.would(w)
            for w in _missing.would_do(self.timeline, wanted, f"would set {label!r}", self.target_id, done)
        ]

    def fits(self, name: str) -> list[dict]:
        """Cells that would fit the estimator; those that fitted the object that the name had before are told as such."""
        wanted = _missing.fits(name)

        def done(run: Run) -> bool:
            return run.success is True

        found = [
            self.would(w) for w in _missing.would_do(self.timeline, wanted, f"would fit {name}", self.target_id, done)
        ]
        for run in reversed(self.timeline.runs):
            effects = wanted(run.source)
            if effects and run.success is not False and not found:
                detail = f"fitted the object that {name} was before it was assigned again"
                found.append(self.would(_missing.Would(None, run, effects[-1].line, detail, None)))
                break
        return found

    def json(self, did: Did) -> dict:
        run = self.timeline.runs[did.place]
        detail, reason = did.detail, None
        if self.timeline.gone(run):
            detail += "; the cell is no longer in the notebook"
        elif self.timeline.edited(run):
            detail, reason = detail + "; the cell has been edited since", "edited_since"
        return {"action": did.action, "cell": self.cell(run), "line": did.line, "detail": detail, "reason": reason}

    def would(self, would: _missing.Would) -> dict:
        cell = (
            self.unrun(would.cell) if would.run is None and would.cell is not None else self.cell(would.run, would.cell)
        )
        return {
            "action": WOULD_DEFINE,
            "cell": cell,
            "line": would.line,
            "detail": would.detail,
            "reason": would.reason,
        }

    def cell(self, run: Any, now: Optional[NotebookCell] = None) -> dict:
        """A cell that ran, with the text it had then, or (``now``) the text that the step's line refers to."""
        return {
            "id": run.cell_id,
            "order": run.order,
            "source": run.source if now is None else now.source,
            "recorded": run.recorded,
            "runs": self.timeline.times_run(run),
        }

    def unrun(self, cell: NotebookCell) -> dict:
        return {"id": cell.cell_id, "order": None, "source": cell.source, "recorded": self.armed, "runs": 0}
