"""The summary of the variables that a cell uses."""

from __future__ import annotations

import gc
from typing import Any

from ..cell import read_cell
from . import files, paths, relations, render, select
from .budget import DEFAULT_BYTES, Budget
from .context import Context
from .describe import describe
from .model import Note, Variable

MAX_VARIABLES = 40
DEADLINE = 0.25  # seconds; what is not reached by then is named with its type only


class Summary:
    """Variables with their facts; ``left_out`` says in words what was not described."""

    def __init__(self, variables: list[Variable], left_out: list[str]) -> None:
        self.variables = variables
        self.left_out = left_out

    def to_json(self) -> dict[str, Any]:
        """``{"variables": [Variable-JSON], "text": str, "left_out": [str]}``."""
        return {
            "variables": [variable.to_json() for variable in self.variables],
            "text": self.to_text(),
            "left_out": list(self.left_out),
        }

    def to_text(self) -> str:
        """Compact text for the model."""
        return render.text(self.variables, self.left_out)

    def rows(self) -> list[dict[str, Any]]:
        """Rows of a table: variable, level, kind, shape, dtype, notes."""
        return render.rows(self.variables)


def summarize_cell(
    source: str,
    shell: Any = None,
    namespace: dict[str, Any] | None = None,
    *,
    categories: str = "SRV",
    schema_only: bool = False,
    hide_names: bool = False,
    budget_bytes: int = DEFAULT_BYTES,
    deadline: float | None = DEADLINE,
    sources: bool = False,
) -> Summary:
    """Describe the variables that ``source`` uses, without running it and without changing anything.

    ``namespace`` defaults to that of ``shell``, and ``shell`` to the running IPython. ``categories`` is a selection of S (structure),
    R (representation), V (values). ``schema_only`` lets no value, text or label of the data out; ``hide_names`` withholds column, key
    and feature names as well. ``budget_bytes`` bounds the memory that is read; ``deadline`` the seconds it may take. ``sources`` adds the text of the
    notebook functions that the cell reaches (never with ``schema_only``: a text can hold data). Never raises for
    what it finds: objects that cannot be read give their type and a note.
    """
    if shell is None and namespace is None:
        shell = _running_shell()
    # A full garbage collection set off by our small objects would walk all of the kernel's (0.2 s for a list of 5e7): it waits.
    collecting = gc.isenabled()
    gc.disable()
    try:
        options = (categories, schema_only, hide_names, sources)
        return _summarize(source, shell, namespace, Budget(budget_bytes, deadline), *options)
    finally:
        if collecting:
            gc.enable()


def _summarize(
    source: str,
    shell: Any,
    namespace: dict[str, Any] | None,
    budget: Budget,
    categories: str,
    schema_only: bool,
    hide_names: bool,
    sources: bool,
) -> Summary:
    names = namespace if namespace is not None else shell.user_ns if shell is not None else {}
    left_out: list[str] = []
    cell = read_cell(source, shell)
    uses = select.read(cell, names, cell.used_names(names))
    context = Context(
        budget, categories, schema_only, hide_names, uses.words, uses.attributes, uses.called, uses.asked, names
    )
    context.left_out = left_out
    context.sources = sources and not schema_only
    context.describe = describe
    chosen = [(name, names[name]) for name in uses.names[:MAX_VARIABLES]]
    if len(uses.names) > MAX_VARIABLES:
        left_out.append(
            f"{len(uses.names) - MAX_VARIABLES} more variables: {', '.join(uses.names[MAX_VARIABLES : MAX_VARIABLES + 20])}"
        )
    chosen += _safely(paths.reached, uses, names, context) or []
    variables: list[Variable] = []
    described: list[Any] = []
    for position, (name, value) in enumerate(chosen):
        if position >= len(uses.names) and id(value) in context.described:
            continue  # a path to an object that already has a line
        budget.divide(len(chosen) - position)
        variables.append(describe(name, value, context))
        described.append(value)
    _safely(relations.compare, list(zip(variables, described)), context)
    _add_lacking(variables, _safely(paths.lacking, uses, names) or {}, context)
    for name, signature in _safely(paths.misfits, uses, names) or []:
        variable = Variable(
            name, "function" if context.representation else "", "function" if context.representation else ""
        )
        context.note(variable, "R", f"takes {signature}")
        variables.append(variable)
    variables += _safely(files.describe_paths, cell.tree, context) or []
    for name, reader in uses.missing:
        variable = Variable(name, "undefined")
        variable.notes.append(Note("R", f"not defined in the kernel{f', read by {reader}' if reader else ''}"))
        variables.append(variable)
    return Summary(variables, left_out)


def _add_lacking(variables: list[Variable], lacking: dict[str, list[str]], context: Context) -> None:
    by_name = {variable.name: variable for variable in variables}
    for name, absent in lacking.items():
        variable = by_name.get(name)
        if variable is None:
            variable = Variable(name, "object" if context.representation else "")
            variables.append(variable)
        context.note(variable, "R", f"no attribute {', '.join(absent[:6])}")


def _safely(function: Any, *arguments: Any) -> Any:
    """The syntax of a cell can be stranger than we think; what we fail to follow is left out."""
    try:
        return function(*arguments)
    except Exception:
        return None


def _running_shell() -> Any:
    from IPython.core.getipython import get_ipython

    return get_ipython()
