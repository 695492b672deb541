from __future__ import annotations

from typing import Any

from ..base import Rule


class DivisionByZero(Rule):
    """A number is divided by zero.

    Example: ``total / len(rows)`` with no rows.

    Fix: treat the empty case first.
    """

    code = "python.division-by-zero"
    library = "python"
    exceptions = ("ZeroDivisionError",)
    CRASHES = [
        ("total, rows = 3, []", "total / len(rows)", "ZeroDivisionError"),
        ("", "1 // 0", "ZeroDivisionError"),
        ("", "5 % 0", "ZeroDivisionError"),
        ("", "for i in range(3):\n    6 / (2 - i)", "ZeroDivisionError"),
        ("", "divmod(1, 0)", "ZeroDivisionError"),
        ("def mean(v):\n    return sum(v) / len(v)", "mean([])", "ZeroDivisionError"),
        ("", "0 ** -1", "ZeroDivisionError"),
        ("n = 1.0", "n /= 0", "ZeroDivisionError"),
    ]
    RUNS = [
        ("total, rows = 3, []", "total / len(rows) if rows else 0"),
        ("", "0 / 5"),
        ("", "for i in range(1, 3):\n    6 / i"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return True

    def explain(self, event: Any, error: BaseException) -> str:
        return "The divisor is zero with the values that are in the kernel now."
