"""What the checker reports: a finding, and a report around it."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass
class Finding:
    """A crash that is certain to happen when the cell runs.

    ``exception`` is the class name, ``message`` what ``str(error)`` will be. ``line`` (1-based) and ``column`` (0-based, in
    characters) are the start of the failing expression in the cell as typed; ``end_line`` and ``end_column`` its end.
    ``variables`` are the names to blame, ``rule`` the code of the rule that explains it, ``reasoning`` one sentence on the cause.
    ``suggestion`` is None or a replacement text for a range of the cell.
    """

    exception: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    reasoning: str
    variables: list[str]
    rule: str
    suggestion: dict[str, Any] | None = None
    mechanism: str = ""

    def to_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return dataclasses.asdict(self)


@dataclasses.dataclass
class Report:
    """One check: the finding, if any, and how far the walk went.

    ``followed`` is the share of the cell's operations that were followed on exact values (0 to 1); ``complete`` is True only when
    every operation was, to the end. Neither says that a cell is safe. ``lost`` names the lines where exact knowledge ended,
    ``facts`` what was known at assignments; ``seconds`` is the time the check took; ``timed_out`` whether a limit ended it.
    """

    finding: Finding | None
    followed: float
    complete: bool
    lost: list[dict[str, Any]]
    facts: list[dict[str, Any]]
    seconds: float
    timed_out: bool = False

    def walk_json(self) -> dict[str, Any]:
        """The walk's figures as plain data (no finding)."""
        return {"followed": round(self.followed, 4), "complete": self.complete, "lost": self.lost, "facts": self.facts}
