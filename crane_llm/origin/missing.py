"""Cells that would define a name, or put a label or a fit where one is missing, and why they have not done so."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from .effects import BIND, METHOD, WRITE, Effect, read_effects
from .log import Run
from .reach import reached
from .steps import pick
from .timeline import NotebookCell, Timeline

NOT_RUN, RAISED, EDITED, BRANCH = "not_run", "raised_before", "edited_since", "branch_not_run"


class Would(NamedTuple):
    """A cell that would do it: the notebook's cell as it is now, or (``cell`` None) a run whose cell is gone."""

    cell: Optional[NotebookCell]
    run: Optional[Run]
    line: int
    detail: str
    reason: Optional[str]


Wanted = Callable[[str], list[Effect]]
"""The effects of a cell's text that would do what is missing."""


def _of(source: str, name: str) -> list[Effect]:
    """Effects on ``name``; the text is not even read when it does not name it."""
    return read_effects(source).of(name) if name in source else []


def defines(name: str) -> Wanted:
    """Assignments, imports and definitions of ``name``."""
    return lambda source: [e for e in _of(source, name) if e.act == BIND]


def sets_label(name: str, label: Any) -> Wanted:
    """Assignments to the item or attribute ``label`` of ``name``."""
    return lambda source: [e for e in _of(source, name) if e.act == WRITE and e.method == "=" and e.label == label]


def fits(name: str) -> Wanted:
    """Calls that fit ``name``."""
    return lambda source: [e for e in _of(source, name) if e.act == METHOD and e.method.startswith("fit") and e.place]


def would_do(timeline: Timeline, wanted: Wanted, verb: str, target: Any = None, done: Any = None) -> list[Would]:
    """Every cell that would do it, in the notebook's order, then runs of cells that are gone.

    ``verb`` words the effect ("would define x"); ``target`` is the id of the cell being checked, which is left out;
    ``done(run)`` says whether a run did it after all (and something later undid it): such runs are left out here.
    """
    found: list[Would] = []
    for cell in timeline.cells or ():
        if target is not None and cell.cell_id == target:
            continue
        effects = wanted(cell.source)
        runs = timeline.runs_of(cell)
        if effects:
            why = _why(cell, effects, runs, wanted, done, verb)
            if why is not None:
                found.append(why)
        elif runs:
            found.extend(_failed(cell, runs[-1], wanted, verb))
    known = [r for r in timeline.runs if timeline.cells is None or timeline.gone(r)]
    latest = {(r.cell_id or r.source.strip()): r for r in known}
    for run in latest.values():
        if target is None or run.cell_id != target:
            found.extend(_failed(None, run, wanted, verb, done))
    return found


def _why(
    cell: NotebookCell, effects: list[Effect], runs: list[Run], wanted: Wanted, done: Any, verb: str
) -> Optional[Would]:
    chosen = pick(effects) or effects[-1]
    if not runs:
        return Would(cell, None, chosen.line, f"{verb}; the cell has not run in this kernel", NOT_RUN)
    run = runs[-1]
    if done is not None and done(run):
        return None
    if run.source.strip() != cell.source.strip():
        if not wanted(run.source):
            return Would(cell, run, chosen.line, f"{verb}; the line was written after the cell last ran", EDITED)
        return next(iter(_failed(cell, run, wanted, verb, done)), None)
    return next(iter(_failed(cell, run, wanted, verb, done)), None)


def _failed(cell: Optional[NotebookCell], run: Run, wanted: Wanted, verb: str, done: Any = None) -> list[Would]:
    """Why a run whose text would have done it did not."""
    effects = wanted(run.source)
    if not effects or (done is not None and done(run)):
        return []
    chosen = pick(effects) or effects[-1]
    now = cell if cell is not None and cell.source.strip() == run.source.strip() else None
    since = "" if now is not None or cell is None else "; the cell has been edited since"
    if run.refused:
        return [Would(now, run, chosen.line, f"{verb}; the guard did not let the cell run{since}", NOT_RUN)]
    if run.success is False and not all(reached(run, e) for e in effects):
        where = f"line {run.stopped} of the cell" if run.stopped is not None else "the cell"
        what = f" {run.error}" if run.error else " an error"
        return [
            Would(
                now,
                run,
                chosen.line,
                f"would have: {where} raised{what} first{since}".replace("would have", _past(verb)),
                RAISED,
            )
        ]
    if all(e.branch for e in effects):
        return [Would(now, run, chosen.line, f"{verb}; the branch did not run{since}", BRANCH)]
    if run.success is None:
        return [Would(now, run, chosen.line, f"{_past(verb)}; the cell did not get to this line{since}", RAISED)]
    return []


def _past(verb: str) -> str:
    """``would define x`` → ``would have defined x``."""
    words = {"would define": "would have defined", "would set": "would have set", "would fit": "would have fitted"}
    for now, then in words.items():
        if verb.startswith(now):
            return then + verb[len(now) :]
    return verb


def only_local(timeline: Timeline, name: str) -> list[Would]:
    """Functions that ran code assigning ``name``, but as a local name of theirs."""
    found = []
    for run in reversed(timeline.runs[-200:]):
        if name not in run.source:
            continue
        for function, body in read_effects(run.source).functions.items():
            binds = [e for e in body.of(name) if e.act == BIND and name in body.local and name not in body.params]
            if binds:
                detail = f"{name} is assigned here, but only inside {function}()"
                found.append(Would(timeline.current(run), run, binds[-1].line, detail, None))
        if found:
            return found[:3]
    return found
