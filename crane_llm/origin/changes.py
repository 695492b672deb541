"""What changed between two stamps of one value, in words and as facts."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from .stamps import Stamp

_MOST_NAMED = 4


class Change(NamedTuple):
    """An observed difference. ``removed`` and ``added`` are labels: columns, dictionary keys, attributes.

    ``weak`` marks a difference in nothing but private attributes of a library's object, which may be a cache.
    """

    details: tuple
    removed: tuple = ()
    added: tuple = ()
    renamed: tuple = ()
    weak: bool = False


def named(labels: Any) -> str:
    """A short list of labels: ``'a', 'b' and 3 more``."""
    labels = list(labels)
    shown = ", ".join(_shown(label) for label in labels[:_MOST_NAMED])
    rest = len(labels) - _MOST_NAMED
    return shown if rest <= 0 else f"{shown} and {rest} more"


def _shown(label: Any) -> str:
    text = repr(label)
    return text if len(text) <= 60 else text[:57] + "…"


def _plural(word: str, labels: Any) -> str:
    return word if len(labels) == 1 else word + "s"


def compare(before: Optional[Stamp], after: Optional[Stamp]) -> Optional[Change]:
    """The change from ``before`` to ``after``; None when no difference is seen or one of them is unknown."""
    if before is None or after is None or before.kind != after.kind or before.content == after.content:
        return None
    details: list = []
    removed, added, renamed = _labels(before, after, details)
    _sizes(before, after, details)
    _dtypes(before, after, details)
    if after.facts.get("fitted"):
        if not before.facts.get("fitted"):
            details.append("fitted")
        elif before.facts["fitted"] != after.facts["fitted"] or not details:
            details.append("fitted again" if _public_change(before, after) else "state changed")
    weak = not details and not _public_change(before, after)
    if not details:
        details.append(_attributes(before, after))
    return Change(tuple(details), removed, added, renamed, weak)


def compare_bound(before: Optional[Stamp], after: Optional[Stamp]) -> Change:
    """The difference between the old and the new value of a name that was bound again (frames and dictionaries only)."""
    if before is None or after is None or before.kind != after.kind:
        return Change(())
    details: list = []
    removed, added, renamed = _labels(before, after, details)
    _sizes(before, after, details)
    return Change(tuple(details), removed, added, renamed)


def _labels(before: Stamp, after: Stamp, details: list) -> tuple:
    for fact, word in (("columns", "column"), ("keys", "key"), ("attributes", "attribute")):
        old, new = before.facts.get(fact), after.facts.get(fact)
        if old is None or new is None or old == new:
            continue
        had, has = set(old), set(new)
        removed = tuple(label for label in old if label not in has)
        added = tuple(label for label in new if label not in had)
        if fact == "attributes":  # private names and a fit's results are told otherwise
            removed = tuple(k for k in removed if not k.startswith("_"))
            added = tuple(k for k in added if not k.startswith("_") and not k.endswith("_"))
        renamed: tuple = ()
        if fact == "columns" and len(old) == len(new) and removed:
            renamed = tuple((a, b) for a, b in zip(old, new) if a in removed and b in added)
        if renamed and len(renamed) == len(removed):
            pairs = ", ".join(f"{_shown(a)} → {_shown(b)}" for a, b in renamed[:_MOST_NAMED])
            details.append(f"{_plural('column', renamed)} renamed: {pairs}")
        else:
            if removed:
                details.append(f"{_plural(word, removed)} removed: {named(removed)}")
            if added:
                details.append(f"{_plural(word, added)} added: {named(added)}")
        if not removed and not added and fact == "columns":
            details.append("columns reordered")
        return removed, added, renamed
    return (), (), ()


def _sizes(before: Stamp, after: Stamp, details: list) -> None:
    old, new = before.facts, after.facts
    if old.get("shape") != new.get("shape") and old.get("shape") is not None and new.get("shape") is not None:
        if "columns" in new:
            if old["shape"][0] != new["shape"][0]:
                details.append(f"rows {old['shape'][0]} → {new['shape'][0]}")
        else:
            details.append(f"shape {_shape(old['shape'])} → {_shape(new['shape'])}")
    if old.get("length") != new.get("length"):
        details.append(f"length {old.get('length')} → {new.get('length')}")
    if old.get("finished") is False and new.get("finished"):
        details.append("used up")


def _shape(shape: tuple) -> str:
    return "(" + ", ".join(str(int(n)) for n in shape) + ("," if len(shape) == 1 else "") + ")"


def _dtypes(before: Stamp, after: Stamp, details: list) -> None:
    old, new = before.facts, after.facts
    if old.get("dtype") != new.get("dtype") and old.get("dtype") and new.get("dtype"):
        details.append(f"dtype {old['dtype']} → {new['dtype']}")
    kinds, now = old.get("dtypes"), new.get("dtypes")
    if kinds and now:
        turned = [(c, k, now[c]) for c, k in kinds.items() if c in now and now[c] != k]
        details.extend(f"dtype of {_shown(c)} {k} → {n}" for c, k, n in turned[:_MOST_NAMED])


def _watched(stamp: Stamp) -> dict:
    """Watched attributes of an instance, by name; empty for other values."""
    content = stamp.content
    if isinstance(content, tuple) and len(content) == 2 and isinstance(content[1], tuple) and len(content[1]) == 2:
        return content[1][1] if isinstance(content[1][1], dict) else {}
    return {}


def _different(before: Stamp, after: Stamp) -> list:
    old, new = _watched(before), _watched(after)
    return [k for k in {**old, **new} if old.get(k, _ABSENT) != new.get(k, _ABSENT)]


_ABSENT = object()


def _public_change(before: Stamp, after: Stamp) -> bool:
    if "attributes" not in after.facts or not (before.kind.count(".") or after.kind.count(".")):
        return True  # no instance, or an instance of a class of the notebook: whatever it keeps is its own
    return any(not k.startswith("_") or k in ("_parameters", "_buffers", "_modules") for k in _different(before, after))


def _attributes(before: Stamp, after: Stamp) -> str:
    if "attributes" in after.facts:
        changed = [k for k in _different(before, after) if not k.startswith("_")]
        if changed:
            return f"{_plural('attribute', changed)} changed: {named(changed)}"
        return "state changed"
    return "values changed"


__all__ = ["Change", "compare", "compare_bound", "named"]
