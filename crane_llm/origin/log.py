"""The record of runs: what is kept of each cell that ran, and for how long. Holds text and plain facts only."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple, Optional

from .changes import Change

MOST_RUNS = 3000
MOST_TEXT = 16_000_000
"""Characters of source kept over all runs; texts that repeat count once."""


class Bound(NamedTuple):
    """A name that a run bound: the type of the new value, its columns if it has any, and how they differ from before.

    ``family`` is the library class behind the type, for an instance of a notebook's class; else the same as ``kind``.
    """

    kind: str
    family: str
    fresh: bool
    columns: Optional[tuple]
    change: Change


class Run:
    """One execution of a cell.

    ``order`` is the execution count, ``success`` None when it is not known, ``stopped`` the line (1-based, as typed) that
    raised, ``error`` the class that was raised. For recorded runs ``bound``, ``unbound`` and ``changed`` hold what was
    observed per name, ``kept`` the names that were looked at and showed no difference, with whether that look covered the
    whole value, and ``columns`` the column labels of frames that the run left. ``refused`` marks a run that the guard
    refused: not one line of it ran.
    """

    __slots__ = (
        "bound",
        "cell_id",
        "changed",
        "columns",
        "error",
        "kept",
        "kinds",
        "order",
        "recorded",
        "refused",
        "seen",
        "serial",
        "source",
        "stopped",
        "success",
        "unbound",
    )

    def __init__(self, source: str, order: Optional[int], cell_id: Optional[str], recorded: bool) -> None:
        self.serial = 0
        self.source = source
        self.order = order
        self.cell_id = cell_id
        self.recorded = recorded
        self.success: Optional[bool] = None
        self.stopped: Optional[int] = None
        self.error: Optional[str] = None
        self.refused = False
        self.seen = False
        """Whether the namespace was compared before and after: then what was not observed to be bound was not bound."""
        self.bound: dict[str, Bound] = {}
        self.unbound: tuple[str, ...] = ()
        self.changed: dict[str, Change] = {}
        self.kept: dict[str, bool] = {}
        self.kinds: dict[str, str] = {}
        self.columns: dict[str, tuple] = {}

    def same_cell(self, other: Run) -> bool:
        """Whether both are runs of one cell: the same id, or the same text where an id is missing."""
        if self.cell_id is not None and other.cell_id is not None:
            return self.cell_id == other.cell_id
        return self.source.strip() == other.source.strip()


class Log:
    """Runs in the order in which they ran, oldest dropped first when a bound is reached."""

    def __init__(self) -> None:
        self._runs: deque = deque()
        self._texts: dict[str, list] = {}
        self._size = 0
        self._serial = 0

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(list(self._runs))

    def append(self, run: Run) -> None:
        self._serial += 1
        run.serial = self._serial
        entry = self._texts.setdefault(run.source, [run.source, 0])
        if entry[1] == 0:
            self._size += len(run.source)
        entry[1] += 1
        run.source = entry[0]  # reruns of one cell share one text
        self._runs.append(run)
        while len(self._runs) > MOST_RUNS or (self._size > MOST_TEXT and len(self._runs) > 1):
            self._drop(self._runs.popleft())

    def _drop(self, run: Run) -> None:
        entry = self._texts[run.source]
        entry[1] -= 1
        if entry[1] == 0:
            del self._texts[run.source]
            self._size -= len(run.source)
