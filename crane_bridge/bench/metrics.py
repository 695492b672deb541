"""Precision, recall, F1 and accuracy of crash predictions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scores:
    """Counts of one confusion matrix, "positive" being a predicted crash."""

    hits: int
    false_alarms: int
    misses: int
    quiet: int

    @property
    def total(self) -> int:
        return self.hits + self.false_alarms + self.misses + self.quiet

    @property
    def precision(self) -> float:
        """Nan when nothing was predicted to crash: there is nothing to be precise about."""
        return _ratio(self.hits, self.hits + self.false_alarms)

    @property
    def recall(self) -> float:
        return _ratio(self.hits, self.hits + self.misses)

    @property
    def f1(self) -> float:
        return _ratio(2 * self.hits, 2 * self.hits + self.false_alarms + self.misses)

    @property
    def accuracy(self) -> float:
        return _ratio(self.hits + self.quiet, self.total)

    def figures(self) -> tuple[float, float, float, float]:
        return self.precision, self.recall, self.f1, self.accuracy


def score(pairs: Iterable[tuple[bool, bool]]) -> Scores:
    """Scores of (truth, prediction) pairs."""
    counts = {(True, True): 0, (False, True): 0, (True, False): 0, (False, False): 0}
    for truth, predicted in pairs:
        counts[bool(truth), bool(predicted)] += 1
    return Scores(counts[True, True], counts[False, True], counts[True, False], counts[False, False])


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
