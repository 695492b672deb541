"""Reads a notebook file: its code cells, in order, as the command line counts them (from 1).

The JSON is read directly: the validation that a full notebook library does would refuse files that every front end
opens, and its conversion would change cell ids.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .faults import Fault


class NotebookFault(Fault):
    """The file is not a notebook that can be checked."""


@dataclass
class CodeCell:
    """One code cell. ``number`` counts code cells from 1; ``error`` is (class, message) of a saved error output."""

    number: int
    id: str
    source: str
    tags: list[str] = field(default_factory=list)
    execution_count: int | None = None
    error: tuple[str, str] | None = None
    language: str | None = None

    @property
    def empty(self) -> bool:
        return not self.source.strip()

    @property
    def may_raise(self) -> bool:
        """Front ends go on after a cell with this tag, whatever it raises."""
        return "raises-exception" in self.tags


@dataclass
class Notebook:
    path: Path
    cells: list[CodeCell]
    kernel_name: str | None

    def cell(self, number: int) -> CodeCell:
        """The code cell with this number. Raises `NotebookFault` when there is none."""
        if 1 <= number <= len(self.cells):
            return self.cells[number - 1]
        count = len(self.cells)
        has = "no code cells" if not count else "one code cell" if count == 1 else f"{count} code cells"
        raise NotebookFault(
            f"{self.path} has no cell {number}: it has {has}.",
            "Code cells are counted from 1; text cells do not count." if count else "",
        )


def read_notebook(path: str | Path) -> Notebook:
    """The notebook at ``path``. Raises `NotebookFault` with words for a person."""
    path = Path(path)
    data = _load(path)
    cells = data.get("cells")
    if not isinstance(cells, list):
        if isinstance(data.get("worksheets"), list):
            raise NotebookFault(
                f"{path} is in the notebook format of before 2015.",
                f"Convert it with: jupyter nbconvert --to notebook --inplace {path.name}",
            )
        raise NotebookFault(f'{path} is JSON but not a notebook: it holds no list "cells".')
    metadata = _mapping(data.get("metadata"))
    kernelspec = _mapping(metadata.get("kernelspec"))
    language = kernelspec.get("language") or _mapping(metadata.get("language_info")).get("name") or "python"
    if not _is_python(language):
        raise NotebookFault(f"{path} is a notebook in {language}.", "Only Python notebooks can be checked.")
    name = kernelspec.get("name")
    return Notebook(path, _code_cells(cells), name if isinstance(name, str) and name else None)


def _load(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotebookFault(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise NotebookFault(f"{path} is a folder, not a notebook.") from None
    except UnicodeDecodeError:
        raise NotebookFault(f"{path} is not a notebook: it is not UTF-8 text.") from None
    except OSError as error:
        raise NotebookFault(f"{path} cannot be read: {error.strerror or error}.") from error
    try:
        data = json.loads(text)
    except ValueError as error:
        where = f" (line {error.lineno}: {error.msg})" if isinstance(error, json.JSONDecodeError) else ""
        raise NotebookFault(f"{path} is not a notebook: it is not JSON{where}.") from error
    except RecursionError:
        raise NotebookFault(f"{path} is not a notebook: its JSON is nested too deeply.") from None
    if not isinstance(data, dict):
        raise NotebookFault(f"{path} is JSON but not a notebook.")
    return data


def _code_cells(cells: list[Any]) -> list[CodeCell]:
    found: list[CodeCell] = []
    for position, cell in enumerate(cells):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        metadata = _mapping(cell.get("metadata"))
        tags = metadata.get("tags")
        ident = cell.get("id")
        count = cell.get("execution_count")
        language = _mapping(metadata.get("vscode")).get("languageId")
        found.append(
            CodeCell(
                number=len(found) + 1,
                id=ident if isinstance(ident, str) and ident else f"cell-{position}",
                source=_text(cell.get("source")),
                tags=[tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else [],
                execution_count=count if isinstance(count, int) else None,
                error=_error(cell.get("outputs")),
                language=language if isinstance(language, str) and not _is_python(language) else None,
            )
        )
    return found


def _error(outputs: Any) -> tuple[str, str] | None:
    for output in outputs if isinstance(outputs, list) else []:
        if isinstance(output, dict) and output.get("output_type") == "error":
            return str(output.get("ename", "")), str(output.get("evalue", ""))
    return None


def _text(source: Any) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_python(language: Any) -> bool:
    return isinstance(language, str) and language.lower() in ("python", "python3", "ipython", "ipython3")
