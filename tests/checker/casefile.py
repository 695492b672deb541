"""Cases in text files: states, cells that crash in them, and the same cells mended.

A file begins with the state of all its cases. A case is ``#### name``, more state, ``---- ValueError`` (``---- ValueError?`` where the
crash may be missed), the cell, ``---- mended``, and lines ``old => new``: what is replaced in the cell so that it runs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "cases"


class Case(NamedTuple):
    """One case: ``mended`` is ``cell`` without its fault."""

    state: str
    cell: str
    mended: str
    exception: str
    must_find: bool


def cases(name: str) -> dict[str, Case]:
    """The cases of one file, by name."""
    common, *parts = re.split(r"^#### (?=\w+$)", (FOLDER / f"{name}.txt").read_text(), flags=re.M)
    found = {}
    for part in parts:
        title, _, body = part.partition("\n")
        state, exception, cell, _, changes = re.split(r"^---- (.*)\n", body, flags=re.M)
        mended = cell
        for change in changes.strip("\n").split("\n"):
            old, arrow, new = change.partition(" =>")
            old, new = old.replace("\\n", "\n"), new[1:].replace("\\n", "\n")
            assert arrow and old in mended, f"{title}: {change}"
            mended = mended.replace(old, new)
        found[title] = Case(common + state, cell, mended, exception.rstrip("?"), not exception.endswith("?"))
    return found
