from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, SETUP, is_frame, is_pandas, is_series, object_of


class UnfitValues(Rule):
    """A calculation is done on columns that hold text, dates or mixed values.

    Means, sums of squares, correlations, comparisons and arithmetic need numbers (or values of one kind).

    Example: ``df.corr()`` with a text column; ``df["name"].mean()``; ``df["age"] + "1"``.

    Fix: ``numeric_only=True``, select the numeric columns, or convert first.
    """

    code = "pandas.unfit-values"
    library = "pandas"
    exceptions = ("TypeError", "ValueError")
    requires = ("pandas",)
    order = 30
    CRASHES = [
        (PEOPLE, "df.corr()", "ValueError"),
        (PEOPLE, "df['name'].mean()", "TypeError"),
        (PEOPLE, "df['name'] + 1", "TypeError"),
        (PEOPLE, "df['age'] + df['name']", "TypeError"),
        (PEOPLE, "df.groupby('city').mean()", "TypeError"),
        (PEOPLE, "df['name'] - df['city']", "TypeError"),
        (PEOPLE, "df['age'] > 'thirty'", "TypeError"),
        (PEOPLE, "df['city'].std()", "TypeError"),
        (SETUP + "s = pd.Series([1, 'a', 2.5])", "s.sort_values()", "TypeError"),
        (SETUP + "s = pd.Series([1, 'a', 2.5])", "s.max()", "TypeError"),
        (PEOPLE, "df['city'].median()", "TypeError"),
    ]
    RUNS = [
        (PEOPLE, "df.corr(numeric_only=True)"),
        (PEOPLE, "df['name'] + '!'\ndf['age'] * 2"),
        (PEOPLE, "df.groupby('city').mean(numeric_only=True)"),
        (PEOPLE, "df['name'].max()\ndf['name'].sum()"),
        (PEOPLE, "df[['age', 'pay']].mean()"),
        (PEOPLE, "df['name'] == 3"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if (
            "ambiguous" in str(error)
            or "ength of" in str(error)
            or "nvalid na_position" in str(error)
            or type(error).__name__ not in self.exceptions
        ):
            return False
        if event.op in ("binary", "compare", "unary"):
            return any(is_pandas(v.obj) for v in event.operands if v.exact) and type(error) is TypeError
        name = (event.key or "").rpartition(".")[2]
        return event.op == "call" and (event.key or "").startswith("pandas.core.") and name in _CALCULATIONS

    def explain(self, event: Any, error: BaseException) -> str:
        obj = object_of(event)
        if is_frame(obj):
            text = [
                str(c)
                for c, dtype in zip(obj.columns, obj.dtypes)
                if str(dtype) in ("object", "str", "string", "category")
            ]
            return f"The calculation needs numbers, and the DataFrame also has text columns: {', '.join(text[:6])}."
        if is_series(obj):
            other = object_of(event, 1)
            dtype = getattr(other, "dtype", type(other).__name__ if event.op in ("binary", "compare") else None)
            return (
                f"The values are of dtype {obj.dtype}"
                + (f", the other operand is {dtype}" if dtype is not None else "")
                + ": the calculation is not defined for them."
            )
        return f"The calculation is not defined for the values: {str(error)[:100]}."


_CALCULATIONS = frozenset(
    """mean median std var sem skew kurt kurtosis sum prod min max corr cov corrwith quantile sort_values rank cumsum cumprod diff pct_change abs round add sub mul div
    truediv mod pow nlargest nsmallest describe interpolate agg aggregate idxmax idxmin argmax argmin autocorr clip between""".split()
)
