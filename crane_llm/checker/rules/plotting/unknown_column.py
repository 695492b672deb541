from __future__ import annotations

from typing import Any

from ..base import Rule
from .words import SEABORN, is_plotting


class UnknownColumn(Rule):
    """A plot names a column that its data does not have, or data that it cannot draw.

    Example: ``sns.barplot(data=df, x="Region", y="sales")`` where the column is called ``region``.

    Fix: use a name from ``df.columns``.
    """

    code = "plotting.unknown-column"
    library = "plotting"
    exceptions = ("ValueError", "KeyError", "TypeError")
    requires = ("seaborn", "pandas")
    order = 12
    CRASHES = [
        (SEABORN, "sns.barplot(data=df, x='zz', y='a')", "ValueError"),
        (SEABORN, "sns.scatterplot(data=df, x='a', y='a', hue='zz')", "ValueError"),
        (SEABORN, "sns.lineplot(data=df, x='A', y='c')", "ValueError"),
        (SEABORN, "df.plot(x='nope', y='a')", "KeyError"),
        (SEABORN, "sns.heatmap(df)", "ValueError"),
        (SEABORN, "sns.boxplot(x='b', y='zz', data=df)", "ValueError"),
        (SEABORN, "df[['b']].plot()", "TypeError"),
    ]
    RUNS = [
        (SEABORN, "sns.barplot(data=df, x='b', y='a')\nplt.close('all')"),
        (SEABORN, "sns.heatmap(df[['a', 'c']])\nplt.close('all')"),
        (SEABORN, "df.plot(x='b', y='a')\nplt.close('all')"),
        (SEABORN, "sns.scatterplot(data=df, x='a', y='c', hue='b')\nplt.close('all')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return is_plotting(event) and (
            isinstance(error, KeyError)
            or any(
                part in text
                for part in ("Could not interpret", "could not convert", "no numeric data", "does not appear")
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The data does not hold what the plot asks for: {str(error)[:200]}"
