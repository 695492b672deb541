"""Reading the person's pandas objects without leaving anything on them.

pandas keeps columns that were read (``_item_cache``) and accessors (``.str``, ``.dt``) on the object itself. Library code that the
checker calls is therefore given a shallow twin, one for each live object and check, which shares the data; results that are the
twin itself are turned back into the object it stands for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


def undisturbed_copy(obj: Any, deep: bool) -> Any:
    """``obj.copy(deep)``; the columns that older versions keep on the object, and forget when it is copied, are put back."""
    kept = getattr(obj, "_item_cache", None)
    saved = dict(kept) if type(kept) is dict and kept else None
    twin = obj.copy(deep=deep)
    if saved:
        obj._item_cache.update(saved)
    return twin


class Readers:
    """The shallow twins made so far."""

    def __init__(self) -> None:
        self.twins: dict[int, tuple[Any, Any]] = {}
        self.originals: dict[int, tuple[Any, Any]] = {}

    def reading(self, obj: Any) -> Any:
        """The object to hand to library code for reading in place of ``obj``."""
        kind = type(obj)
        if kind.__name__ not in ("DataFrame", "Series") or not str(kind.__module__).startswith("pandas"):
            return obj
        pandas = sys.modules.get("pandas")
        if kind is not getattr(pandas, kind.__name__, None) or id(obj) in self.originals:
            return obj
        found = self.twins.get(id(obj))
        if found is not None and found[0] is obj:
            return found[1]
        try:
            twin = undisturbed_copy(obj, deep=False)
        except Exception:  # a half-made frame: whatever it raises, the operation itself will raise
            return obj
        self.twins[id(obj)] = (obj, twin)
        self.originals[id(twin)] = (twin, obj)
        return twin

    def forget(self, objects: Iterable[Any]) -> None:
        """Make new twins of ``objects`` from now on: library code that holds them may change them at any time."""
        for obj in objects:
            self.twins.pop(id(obj), None)

    def original(self, obj: Any) -> Any:
        """The object that a twin stands for; any other object as it is."""
        if self.originals:
            found = self.originals.get(id(obj))
            if found is not None and found[0] is obj:
                return found[1]
        return obj
