"""What one run did to one name: observation first, the cell's text for the line and where nothing could be observed.

"Modified" is said only where a change was observed, or where the text leaves no doubt: the line surely ran, and it is an
operation that changes its receiver whatever the values are. Everything weaker is "possibly modified".
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from . import known
from .effects import BIND, CALL, LOOP, METHOD, UNBIND, WRITE, Effect, read_effects
from .log import Run
from .reach import function_effects, last_kind, reached, value_kind
from .timeline import Timeline

ASSIGNED, MODIFIED, POSSIBLY, DELETED, WOULD_DEFINE = (
    "assigned",
    "modified",
    "possibly_modified",
    "deleted",
    "would_define",
)


class Did(NamedTuple):
    """One step: ``place`` is the run's place in the timeline."""

    action: str
    place: int
    line: Optional[int]
    detail: str
    effect: Optional[Effect] = None


def steps_of(timeline: Timeline, place: int, name: str) -> list[Did]:
    """The steps of the run at ``place`` for ``name``, in order; empty when it left the name alone."""
    run = timeline.runs[place]
    if run.refused:
        return []
    observed = name in run.bound or name in run.unbound or name in run.changed
    if run.seen and not observed and name not in run.source:
        return []  # nothing was seen to happen and the text does not name it: no need to read the text
    effects = [e for e in read_effects(run.source).of(name) if reached(run, e) is not False]
    if name in run.unbound:
        return [_with_line(DELETED, run, place, [e for e in effects if e.act == UNBIND], "deleted", timeline, name)]
    if name in run.bound:
        return _bound(timeline, place, name, effects)
    if run.seen:
        return _seen(timeline, place, name, effects)
    return _unseen(timeline, place, name, effects)


def _bound(timeline: Timeline, place: int, name: str, effects: list[Effect]) -> list[Did]:
    run = timeline.runs[place]
    bound = run.bound[name]
    binds = [e for e in effects if e.act == BIND or e.method == "+="]
    chosen = pick(binds)
    words = chosen.detail if chosen is not None else "assigned"
    if bound.kind == "NoneType" and "None" not in words:
        words = _none_words(chosen)
    if bound.change.details:
        words = f"{words}; {', '.join(bound.change.details)}"
    steps = [_with_line(ASSIGNED, run, place, binds, words, timeline, name)]
    later = _later(run, effects, steps[0].line, bound.family)
    return steps + [d._replace(place=place) for d in later]


def _later(run: Run, effects: list[Effect], line: Optional[int], kind: str) -> list[Did]:
    """What the cell that bound a name then surely did to the new value: one step, at the last such line."""
    found: list[Did] = []
    for effect in effects:
        if line is None or effect.line <= line or effect.branch or not reached(run, effect):
            continue
        if effect.inplace and effect.method not in ("drop", "rename", "set_index", "reset_index"):
            found.append(Did(POSSIBLY, 0, effect.line, effect.detail, effect))  # it may have found nothing to do
        elif sure(effect, kind) and effect.method != "+=":
            found.append(Did(MODIFIED, 0, effect.line, effect.detail, effect))
    certain = [d for d in found if d.action == MODIFIED]
    if not certain:
        return found[-1:]
    others = len(certain) - 1
    words = (
        f"{certain[-1].detail} and {others} more change{'s' if others > 1 else ''} above"
        if others
        else certain[-1].detail
    )
    return [certain[-1]._replace(detail=words)]


def _none_words(effect: Optional[Effect]) -> str:
    value = effect.value if effect is not None else None
    method = getattr(getattr(value, "func", None), "attr", None)
    if method in known.RETURNS_NONE:
        return f"assigned the result of {method}(), which is None"
    return "assigned None"


def _seen(timeline: Timeline, place: int, name: str, effects: list[Effect]) -> list[Did]:
    """A recorded run that left the name bound to the same object."""
    run = timeline.runs[place]
    kind = run.kinds.get(name) or last_kind(timeline, place, name)
    change = run.changed.get(name)
    if change is not None:
        best = _strongest(timeline, place, name, effects, kind)
        certain = not change.weak or (best is not None and best[1])
        detail = ", ".join(change.details) + (f" ({best[2]})" if best is not None and best[2] else "")
        return [
            Did(MODIFIED if certain else POSSIBLY, place, best[0] if best else None, detail, best[3] if best else None)
        ]
    binds = [e for e in effects if e.act == BIND and not e.branch and reached(run, e)]
    if binds:  # the very object that the name had, or an equal small value
        return (
            [Did(ASSIGNED, place, binds[-1].line, binds[-1].detail, binds[-1])]
            if name in timeline.namespace or run.success
            else []
        )
    if run.kept.get(name):
        return []
    return _by_text(timeline, place, name, effects, kind, looked=name in run.kept)


def _unseen(timeline: Timeline, place: int, name: str, effects: list[Effect]) -> list[Did]:
    """A run known from its text only."""
    run = timeline.runs[place]
    if not effects and not _mentions_function(run):
        return []
    ended = [e for e in effects if e.act in (BIND, UNBIND)]
    chosen = pick(ended)
    certain = run.success is not False and chosen is not None
    if chosen is not None and certain and chosen.act == UNBIND:
        return [Did(DELETED, place, chosen.line, chosen.detail, chosen)]
    steps: list[Did] = []
    after = effects
    if chosen is not None and (certain or reached(run, chosen) is not False):
        steps.append(Did(ASSIGNED, place, chosen.line, chosen.detail, chosen))
        after = [e for e in effects if e.line > chosen.line]
    kind = None if chosen is None else value_kind(timeline, name)
    return steps + _by_text(timeline, place, name, after, kind or value_kind(timeline, name), looked=False)


def _by_text(timeline: Timeline, place: int, name: str, effects: list[Effect], kind: Any, looked: bool) -> list[Did]:
    """Changes of which only the text tells. ``looked``: the value was sampled and showed no difference."""
    run = timeline.runs[place]
    found: list[Did] = []
    for effect in effects:
        here = reached(run, effect)
        if here is False:
            continue
        if looked and effect.method in known.METADATA_SHOWS:
            continue
        plain = here is True and not effect.branch
        if sure(effect, kind) and not (looked and effect.inplace):
            found.append(Did(MODIFIED if plain else POSSIBLY, place, effect.line, effect.detail, effect))
        elif effect.inplace or possible(effect, kind):
            found.append(Did(POSSIBLY, place, effect.line, effect.detail, effect))
    found.extend(_through_functions(timeline, place, name, effects, kind, looked))
    best = [d for d in found if d.action == MODIFIED] or found
    return best[-1:]


def sure(effect: Effect, kind: Optional[str]) -> bool:
    """An operation that changes its receiver whatever the values are."""
    if effect.act == WRITE:
        return effect.method != "+=" or (kind is not None and known.changes_receiver(kind, "append") is True)
    if effect.act == METHOD:
        return effect.inplace or (bool(effect.place) and known.changes_receiver(kind, effect.method) is True)
    if effect.act == CALL:
        return known.CHANGES_ARGUMENT.get(effect.method.rpartition(".")[2], -1) == effect.place
    return effect.act == LOOP and known.is_iterator(kind)


def possible(effect: Effect, kind: Optional[str]) -> bool:
    """An operation that may change its receiver."""
    if effect.act == METHOD:
        if not effect.place:  # a method of a part: `df.loc[…].fillna()`, `model.layers.append()`
            return known.changes_receiver(None, effect.method) is None and effect.method not in (
                "pop",
                "update",
                "apply",
            )
        return known.changes_receiver(kind, effect.method) is None
    return effect.act == WRITE and effect.method == "+="


def pick(effects: list[Effect]) -> Optional[Effect]:
    """The effect that decided, of several of one kind: the last, or the statement around arms that exclude each other."""
    if not effects:
        return None
    last = effects[-1]
    if last.branch:
        for other in effects[:-1]:
            for (line, arm), (line2, arm2) in zip(other.branch, last.branch):
                if line == line2 and arm != arm2 and "part" not in arm:
                    return last._replace(line=line, detail=last.detail + " in one of the branches", value=None)
    return last


def _with_line(
    action: str, run: Run, place: int, effects: list[Effect], words: str, timeline: Timeline, name: str
) -> Did:
    chosen = pick(effects)
    if chosen is not None:
        return Did(action, place, chosen.line, words, chosen)
    through = [(line, f) for line, f, e in function_effects(timeline, place, name) if e.act in (BIND, UNBIND, WRITE)]
    if through:
        return Did(action, place, through[-1][0], f"{words} in {through[-1][1]}()")
    return Did(action, place, None, words if action == DELETED else f"{words} by code that the cell ran")


def _strongest(
    timeline: Timeline, place: int, name: str, effects: list[Effect], kind: Optional[str]
) -> Optional[tuple[Optional[int], bool, str, Optional[Effect]]]:
    """The line most likely behind an observed change: (line, sure, words, effect)."""
    run = timeline.runs[place]
    certain = [e for e in effects if sure(e, kind) or e.inplace]
    if certain:
        return certain[-1].line, True, certain[-1].detail, certain[-1]
    through = function_effects(timeline, place, name)
    if through:
        line, function, effect = through[-1]
        return line, False, f"in {function}()", effect
    acting = [e for e in effects if e.act == METHOD] or [
        e for e in effects if e.act in (CALL, LOOP) and e.place != "callee"
    ]
    if acting:
        return acting[-1].line, False, acting[-1].detail, acting[-1]
    for other, change in run.changed.items():  # the same change seen under another name of the value, or a view of it
        if other != name and _same_change(change, run.changed[name]):
            theirs = [e for e in read_effects(run.source).of(other) if reached(run, e) is not False]
            theirs = [e for e in theirs if sure(e, run.kinds.get(other)) or e.inplace] or [
                e for e in theirs if e.act == METHOD
            ]
            if theirs:
                return theirs[-1].line, False, f"through {other}: {theirs[-1].detail}", theirs[-1]
    for other in run.changed:  # a part of it was changed under a name of its own
        theirs = [
            e for e in read_effects(run.source).of(other) if e.act in (WRITE, METHOD) and reached(run, e) is not False
        ]
        if other != name and theirs:
            return theirs[-1].line, False, f"through {other}", theirs[-1]
    return None


def _same_change(one: Any, other: Any) -> bool:
    return one.details == other.details or (
        one.details and other.details and "values changed" in (*one.details, *other.details)
    )


def _mentions_function(run: Run) -> bool:
    return any(e.act == CALL and e.place == "callee" for e in read_effects(run.source).effects)


def _through_functions(
    timeline: Timeline, place: int, name: str, effects: list[Effect], kind: Any, looked: bool
) -> list[Did]:
    """Possible changes inside functions of the notebook that the cell calls."""
    found = []
    for line, function, effect in function_effects(timeline, place, name):
        if looked and effect.method in known.METADATA_SHOWS:
            continue
        if effect.act in (BIND, UNBIND):
            found.append(Did(POSSIBLY, place, line, f"{effect.detail} in {function}()"))
        elif sure(effect, kind) or effect.inplace or possible(effect, kind):
            found.append(Did(POSSIBLY, place, line, f"{effect.detail} in {function}()", effect))
    return found
