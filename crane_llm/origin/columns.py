"""Which run took a label (column, key, attribute) away from a variable, followed back through the data it was made from."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from .changes import Change
from .effects import METHOD, WRITE, Effect, names_read, read_effects
from .reach import reached
from .steps import ASSIGNED, MODIFIED, Did, steps_of
from .timeline import Timeline

_DEEPEST = 6


class Removal(NamedTuple):
    """The step that removed a label, and from which variable (another one when the data came from there)."""

    variable: str
    did: Did


def find_removal(
    timeline: Timeline, name: str, label: Any, before: Optional[int] = None, depth: int = 0
) -> Optional[Removal]:
    """The latest run before the place ``before`` that left ``name`` without ``label``; None when none is known."""
    for place in range((len(timeline.runs) if before is None else before) - 1, -1, -1):
        run = timeline.runs[place]
        if run.refused or name not in run.source and name not in run.bound and name not in run.changed:
            continue
        bound = run.bound.get(name)
        change: Optional[Change] = run.changed.get(name) or (bound.change if bound is not None else None)
        if change is not None and label in change.removed:
            return Removal(name, _worded(timeline, place, name, label, change))
        if change is not None and label in change.added:
            return None
        by_text = _by_text(timeline, place, name, label)
        if by_text is not None:
            return Removal(name, by_text)
        binding = _binding(timeline, place, name)
        if binding is not None:
            return _from_sources(timeline, place, name, label, binding, depth)
    return None


def _worded(timeline: Timeline, place: int, name: str, label: Any, change: Change) -> Did:
    """The observed removal as a step, at the line that names the label if one does."""
    steps = [d for d in steps_of(timeline, place, name) if d.action in (ASSIGNED, MODIFIED)]
    step = steps[0] if steps else Did(MODIFIED, place, None, "")
    pairs = [new for old, new in change.renamed if old == label]
    words = f"{label!r} renamed to {pairs[0]!r}" if pairs else f"{label!r} removed"
    effect = _naming(timeline, place, label)
    line = effect.line if effect is not None else step.line
    how = f" by {effect.detail}" if effect is not None and effect.act == METHOD else ""
    return step._replace(line=line, detail=words + how)


def _naming(timeline: Timeline, place: int, label: Any) -> Optional[Effect]:
    """The effect of a run's text that takes ``label`` away by name."""
    run = timeline.runs[place]
    for effect in reversed(read_effects(run.source).effects):
        if reached(run, effect) is not False and takes(effect, label):
            return effect
    return None


def takes(effect: Effect, label: Any) -> bool:
    """``del x['label']``, ``x.drop(columns='label')``, ``x.pop('label')``, ``x.rename(columns={'label': …})`` and the like."""
    if effect.act == WRITE:
        return effect.method == "del" and effect.label == label
    return (
        effect.act == METHOD and isinstance(effect.label, tuple) and effect.method != "filter" and label in effect.label
    )


def _by_text(timeline: Timeline, place: int, name: str, label: Any) -> Optional[Did]:
    """A removal that could not be observed as a difference: in the cell that also bound the name, or in an old run."""
    run = timeline.runs[place]
    if name in run.kept and name not in run.bound:
        return None
    for effect in reversed(read_effects(run.source).of(name)):
        if effect.act == METHOD and not (effect.inplace or effect.method == "pop"):
            continue
        if takes(effect, label) and reached(run, effect):
            verb = "renamed" if effect.method == "rename" else "removed"
            return Did(MODIFIED, place, effect.line, f"{label!r} {verb} by {effect.detail}", effect)
    return None


def _binding(timeline: Timeline, place: int, name: str) -> Optional[Did]:
    steps = [d for d in steps_of(timeline, place, name) if d.action == ASSIGNED]
    return steps[-1] if steps else None


def _from_sources(timeline: Timeline, place: int, name: str, label: Any, binding: Did, depth: int) -> Optional[Removal]:
    """The name was bound here without the label: taken away in this very statement, or missing in what it read."""
    run = timeline.runs[place]
    effect = binding.effect
    if effect is None or effect.value is None or depth >= _DEEPEST:
        return None
    for call in reversed(read_effects(run.source).effects):
        if call.line == effect.line and takes(call, label):
            verb = "renamed" if call.method == "rename" else "removed"
            return Removal(name, binding._replace(detail=f"{label!r} {verb} by {call.detail}"))
    for source in names_read(effect.value):
        if source == name:
            return find_removal(timeline, name, label, place, depth + 1)
        has = has_label(timeline, source, label, place)
        if has:
            return Removal(name, binding._replace(detail=f"made from {source} without {label!r}"))
        here = source in run.bound or source in run.changed or bool(read_effects(run.source).of(source))
        found = find_removal(timeline, source, label, place + 1 if here else place, depth + 1)
        if found is not None:
            return found
    return None


def has_label(timeline: Timeline, name: str, label: Any, before: int) -> Optional[bool]:
    """Whether ``name`` had the column before the run at ``before``; None when that was not observed."""
    for run in reversed(timeline.runs[:before]):
        if name in run.columns:
            return label in run.columns[name]
        if name in run.bound:
            columns = run.bound[name].columns
            return None if columns is None else label in columns
    return None
