"""Paired tests: two judges on the same targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .metrics import score

_RESAMPLES = 5000
_SEED = 20251


@dataclass(frozen=True)
class Comparison:
    """``only_first``: targets that only the first judge got right. ``p_mcnemar`` is exact and two-sided.

    ``p_wilcoxon`` compares the share of right replies per target (nan without scipy, or when nothing differs).
    ``f1_difference`` is second minus first, with a 95 % bootstrap interval over targets.
    """

    only_first: int
    only_second: int
    p_mcnemar: float
    p_wilcoxon: float
    f1_difference: float
    f1_low: float
    f1_high: float


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided p value: under no difference each disagreement falls to either side like a fair coin."""
    disagreements = only_first + only_second
    if disagreements == 0:
        return 1.0
    tail = sum(math.comb(disagreements, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / 2**disagreements)


def holm(values: Sequence[float]) -> list[float]:
    """p values corrected for the number of tests (Holm's step-down method), in the given order."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    corrected = [1.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = highest
    return corrected


def compare(
    truth: Sequence[bool],
    first: Sequence[bool],
    second: Sequence[bool],
    first_shares: Sequence[float],
    second_shares: Sequence[float],
) -> Comparison:
    """Compare two judges target by target. ``shares``: per target, the share of replies that were right."""
    right = [(a == t, b == t) for t, a, b in zip(truth, first, second)]
    only_first = sum(a and not b for a, b in right)
    only_second = sum(b and not a for a, b in right)
    difference, low, high = _f1_interval(truth, first, second)
    return Comparison(
        only_first,
        only_second,
        mcnemar_exact(only_first, only_second),
        _wilcoxon(first_shares, second_shares),
        difference,
        low,
        high,
    )


def _wilcoxon(first: Sequence[float], second: Sequence[float]) -> float:
    if all(a == b for a, b in zip(first, second)):
        return float("nan")
    try:
        from scipy.stats import wilcoxon
    except ImportError:
        return float("nan")
    # Rounded, so that equal shares reached by different sums count as ties.
    return float(wilcoxon([round(b - a, 9) for a, b in zip(first, second)], zero_method="wilcox").pvalue)


def _f1_interval(truth: Sequence[bool], first: Sequence[bool], second: Sequence[bool]) -> tuple[float, float, float]:
    """F1 of the second minus that of the first, and its bootstrap interval; always the same for the same data."""
    import numpy

    t, a, b = (numpy.asarray(values, dtype=bool) for values in (truth, first, second))
    drawn = numpy.random.default_rng(_SEED).integers(0, len(t), size=(_RESAMPLES, len(t)))
    differences = _f1(t[drawn], b[drawn]) - _f1(t[drawn], a[drawn])
    low, high = numpy.nanpercentile(differences, [2.5, 97.5])
    whole = score(zip(truth, second)).f1 - score(zip(truth, first)).f1
    return whole, float(low), float(high)


def _f1(truth, predicted):  # arrays of shape (resamples, targets) -> (resamples,)
    import numpy

    hits = (truth & predicted).sum(axis=1)
    wrong = (truth ^ predicted).sum(axis=1)
    with numpy.errstate(invalid="ignore"):
        return numpy.where(2 * hits + wrong > 0, 2 * hits / (2 * hits + wrong), numpy.nan)
