"""The one structure behind the three renderings: variables with notes, each note under a category."""

from __future__ import annotations

from typing import Any

STRUCTURE, REPRESENTATION, VALUES = "S", "R", "V"


class Note:
    """One fact in words. ``category`` is S, R or V."""

    __slots__ = ("category", "text")

    def __init__(self, category: str, text: str) -> None:
        self.category = category
        self.text = text


class Column:
    """A column of a frame (or an output, field, layer …): a name, a dtype, notes."""

    __slots__ = ("dtype", "name", "notes")

    def __init__(self, name: str, dtype: str | None = None) -> None:
        self.name = name
        self.dtype = dtype
        self.notes: list[Note] = []


class Variable:
    """What is known of one variable. Text in it has already passed the privacy and category filters of its context."""

    __slots__ = ("columns", "dtype", "fields", "kind", "name", "notes", "sampled", "shape", "type")

    def __init__(self, name: str, kind: str = "", type_name: str = "") -> None:
        self.name = name
        self.kind = kind
        self.type = type_name
        self.shape: str | None = None
        self.dtype: str | None = None
        self.notes: list[Note] = []
        self.columns: list[Column] | None = None
        self.fields: list[Variable] | None = None
        self.sampled = False

    def to_json(self) -> dict[str, Any]:
        """The Variable-JSON of the protocol."""
        columns = [
            {"name": column.name, "dtype": column.dtype, "notes": [note.text for note in column.notes]}
            for column in self.columns or ()
        ]
        return {
            "name": self.name,
            "kind": self.kind,
            "type": self.type,
            "shape": self.shape,
            "dtype": self.dtype,
            "notes": [note.text for note in self.notes],
            "columns": columns or None,
            "fields": [field.to_json() for field in self.fields] if self.fields else None,
            "sampled": self.sampled,
        }
