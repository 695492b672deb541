"""What a describer may say and read: categories, privacy, budget, and what the cell is interested in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Callable

from . import safe, values
from .budget import Budget
from .model import REPRESENTATION, STRUCTURE, VALUES, Column, Note, Variable

MAX_COLUMNS = 20  # columns described when the cell names none
MAX_FIELDS = 12  # members described of one object
MAX_DEPTH = 2  # levels of objects inside a variable


# describes (variable, object, context, depth): adds to the variable, may raise anything
Handler = Callable[..., None]


class Context:
    """Options of one summary and the filters through which every word of it passes.

    ``words`` are the string constants of the cell and of the notebook functions that it calls, ``attributes`` the attribute names in
    them: what they name is described first.
    """

    def __init__(
        self,
        budget: Budget,
        categories: str = "SRV",
        schema_only: bool = False,
        hide_names: bool = False,
        words: Iterable[str] = (),
        attributes: Iterable[str] = (),
        called: Iterable[str] = (),
        asked: dict[str, tuple[list[Any], list[Any]]] | None = None,
        namespace: dict[str, Any] | None = None,
    ) -> None:
        self.budget = budget
        self.structure = STRUCTURE in categories
        self.representation = REPRESENTATION in categories
        self.values = VALUES in categories
        self.schema_only = schema_only
        self.hide_names = hide_names
        self.words = list(dict.fromkeys(words))
        self.attributes = list(dict.fromkeys(attributes))
        self.called = set(called)
        self.asked = asked or {}  # variable name -> (column labels, row labels) that the cell asks it for
        self.namespace = namespace if namespace is not None else {}
        self.sources = False  # whether the text of notebook functions is wanted
        self.left_out: list[str] = []
        self.described: set[int] = set()  # ids of objects that already have a line
        self.describe: Callable[..., Variable]  # set by describe.py: (name, obj, context, depth) -> Variable

    # --- filters ---------------------------------------------------------------------------------

    def note(self, target: Variable | Column, category: str, text: str | None, data: bool = False) -> None:
        """Add a fact unless its category is off, or it carries the user's data and only the schema may leave."""
        if not text or (data and self.schema_only):
            return
        if (
            (category == "S" and self.structure)
            or (category == "R" and self.representation)
            or (category == "V" and self.values)
        ):
            target.notes.append(Note(category, text))

    def shape(self, variable: Variable, text: str | None) -> None:
        if self.structure:
            variable.shape = text

    def dtype(self, target: Variable | Column, text: str | None) -> None:
        if self.representation:
            target.dtype = text

    def kind(self, variable: Variable, kind: str) -> None:
        if self.representation:
            variable.kind = kind

    def label(self, name: Any, position: int, letter: str = "c") -> str:
        """A column, key or feature name as it may leave the kernel."""
        if self.hide_names:
            return f"{letter}{position}"
        if type(name) is str:
            return name if len(name) <= 60 else f"{name[:60]}…"
        return values.short(name)

    def say(self, value: Any, limit: int = values.TEXT_LIMIT) -> str | None:
        """A value of the user's data in short, or None where no value may leave."""
        return None if self.schema_only else values.short(value, limit)

    def names(self, labels: Iterable[Any], limit: int = 30, letter: str = "c") -> str:
        """A list of names, cut after ``limit`` with the rest counted."""
        found = list(labels)
        shown = ", ".join(self.label(label, index, letter) for index, label in enumerate(found[:limit]))
        return shown if len(found) <= limit else f"{shown}, … {len(found) - limit} more"

    def sampled(self, variable: Variable) -> None:
        variable.sampled = True

    # --- nested ----------------------------------------------------------------------------------

    def nested(
        self, variable: Variable, members: Iterable[tuple[str, Any]], depth: int, limit: int = MAX_FIELDS
    ) -> None:
        """Describe members of an object as fields, those that the cell names first."""
        if depth >= MAX_DEPTH:
            return
        found = list(members)
        wanted = set(self.attributes) | set(self.words)
        found.sort(key=lambda member: member[0].lstrip(".") not in wanted)
        fields = variable.fields or []
        for name, value in found[:limit]:
            fields.append(self.describe(name, value, self, depth + 1))
        variable.fields = fields or None
        if len(found) > limit:
            self.left_out.append(f"{variable.name}: {len(found) - limit} more members")

    def variable(self, name: str, obj: Any) -> Variable:
        """A new variable; kind and type are of the representation category."""
        if not self.representation:
            return Variable(name)
        return Variable(name, safe.class_name(type(obj)), safe.type_name(obj))
