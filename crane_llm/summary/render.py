"""The structure as compact text for a model and as rows of a table. Sizes are bounded; what is cut is said."""

from __future__ import annotations

from typing import Any

from .model import Column, Variable

MAX_TEXT = 12000  # characters of the whole text
MAX_VARIABLE = 4000  # characters of one variable


def text(variables: list[Variable], left_out: list[str]) -> str:
    """One line a variable, indented lines for its columns and members; functions and modules, which say little, share lines."""
    lines: list[str] = []
    size = 0
    cut: list[str] = []
    modules = [variable for variable in variables if variable.kind == "module"]
    if modules:
        lines.append(
            "modules: "
            + ", ".join(
                f"{v.name} = {v.notes[0].text}" if v.notes and v.notes[0].text != v.name else v.name for v in modules
            )
        )
    for variable in variables:
        if variable.kind == "module" and not any("no attribute" in note.text for note in variable.notes):
            continue
        block = _block(variable, 0)
        whole = "\n".join(block)
        if len(whole) > MAX_VARIABLE:
            whole = _shorten(block, MAX_VARIABLE)
        if size + len(whole) > MAX_TEXT:
            whole = block[0][:200]
            cut.append(variable.name)
        if size + len(whole) > MAX_TEXT + 4000:
            continue
        lines.append(whole)
        size += len(whole) + 1
    if cut:
        lines.append(f"shortened for length: {', '.join(cut[:20])}{', …' if len(cut) > 20 else ''}")
    return "\n".join(lines)


def _shorten(block: list[str], limit: int) -> str:
    kept: list[str] = []
    size = 0
    for line in block:
        if size + len(line) > limit:
            if not kept:
                kept.append(line[:limit] + "…")
            break
        kept.append(line)
        size += len(line) + 1
    return "\n".join([*kept, f"  … {len(block) - len(kept)} more lines"])


def _block(variable: Variable, level: int) -> list[str]:
    pad = "  " * level
    lines = [pad + headline(variable)]
    for names, column in _runs(variable.columns or []):
        lines.append(f"{pad}  {column_line(column, names)}")
    for field in variable.fields or []:
        lines += _block(field, level + 1)
    return lines


def _runs(columns: list[Column]) -> list[tuple[str, Column]]:
    """Neighbouring columns of which the same is said share a line."""
    found: list[tuple[list[str], Column]] = []
    for column in columns:
        if found and _same(found[-1][1], column):
            found[-1][0].append(column.name)
        else:
            found.append(([column.name], column))
    return [(", ".join(names), column) for names, column in found]


def _same(left: Column, right: Column) -> bool:
    return left.dtype == right.dtype and [note.text for note in left.notes] == [note.text for note in right.notes]


def headline(variable: Variable) -> str:
    """``df: DataFrame (100, 4); index DatetimeIndex``."""
    kind = variable.kind
    if kind and variable.type and variable.type.startswith("__main__."):
        kind = f"{kind} (notebook class)"
    facts = " ".join(part for part in (kind, variable.shape, variable.dtype) if part)
    notes = "; ".join(note.text for note in variable.notes)
    if facts and notes:
        return f"{variable.name}: {facts}; {notes}"
    return f"{variable.name}: {facts or notes}" if facts or notes else variable.name


def column_line(column: Column, names: str) -> str:
    told = ", ".join([*([column.dtype] if column.dtype else []), *(note.text for note in column.notes)])
    return f"{names}: {told}" if told else names


def rows(variables: list[Variable]) -> list[dict[str, Any]]:
    """Rows for a table a person reads: variable, kind, shape, dtype, notes; members and columns follow their variable, one level in."""
    found: list[dict[str, Any]] = []
    for variable in variables:
        _rows(variable, 0, found)
    return found


def _rows(variable: Variable, level: int, found: list[dict[str, Any]]) -> None:
    found.append(
        _row(
            variable.name, level, variable.kind, variable.shape, variable.dtype, [note.text for note in variable.notes]
        )
    )
    for column in variable.columns or []:
        found.append(_row(column.name, level + 1, "", None, column.dtype, [note.text for note in column.notes]))
    for field in variable.fields or []:
        _rows(field, level + 1, found)


def _row(name: str, level: int, kind: str, shape: str | None, dtype: str | None, notes: list[str]) -> dict[str, Any]:
    return {
        "variable": name,
        "level": level,
        "kind": kind,
        "shape": shape or "",
        "dtype": dtype or "",
        "notes": "; ".join(notes),
    }
