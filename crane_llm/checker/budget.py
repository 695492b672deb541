"""Limits of one check: time, steps, depth, bytes."""

from __future__ import annotations

import time

from .values import OutOfBudget

# Seconds that one call for real may take by its estimate. Estimates are rough, so the cap is well below the deadline.
CALL_SECONDS = 0.35
MAX_STEPS = 60_000
MAX_DEPTH = 40


class Budget:
    """Counts what a check spends. Raises :class:`OutOfBudget` when time (seconds), steps or depth are used up."""

    def __init__(self, deadline: float, steps: int = MAX_STEPS) -> None:
        self.started = time.monotonic()
        self.end = self.started + deadline
        self.steps = steps
        self.depth = 0
        self.excused = 0.0  # seconds spent on what has a limit of its own

    def step(self) -> None:
        """Count one operation."""
        self.steps -= 1
        if self.steps < 0 or (not self.steps & 31 and time.monotonic() > self.end):
            raise OutOfBudget("steps or time")

    def remaining(self) -> float:
        """Seconds left."""
        return self.end - time.monotonic()

    def affords(self, seconds: float) -> bool:
        """Whether a call estimated at ``seconds`` may start."""
        return seconds < CALL_SECONDS and seconds < self.remaining() * 0.6

    def worked(self) -> float:
        """Seconds since the check began, without what has a limit of its own (plots)."""
        return self.elapsed() - self.excused

    def elapsed(self) -> float:
        """Seconds since the check began."""
        return time.monotonic() - self.started
