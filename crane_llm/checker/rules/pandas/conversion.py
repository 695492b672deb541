from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, SETUP, object_of

TEXT = (
    SETUP
    + "s = pd.Series(['1', '2', 'three'])\nd = pd.Series(['2020-01-01', 'not a day'])\nf = pd.Series([1.0, None, 2.0])\ndf = pd.DataFrame({'n': ['4', '5.5', ''], 'g': [1.0, float('nan'), 3.0]})\n"
)


class Conversion(Rule):
    """A column is converted to numbers or dates, and one of its values cannot be.

    Text that is no number, an empty text, a date in another format, or a missing value turned into an integer stops the whole conversion.

    Example: ``df["price"].astype(float)`` with the value ``"n/a"``; ``df["age"].astype(int)`` with a NaN.

    Fix: ``pd.to_numeric(..., errors="coerce")``, ``pd.to_datetime(..., errors="coerce")``, and ``fillna`` or ``dropna`` before ``astype(int)``.
    """

    code = "pandas.conversion"
    library = "pandas"
    exceptions = (
        "ValueError",
        "TypeError",
        "IntCastingNaNError",
        "DateParseError",
        "OutOfBoundsDatetime",
        "ParserError",
    )
    requires = ("pandas",)
    order = 20
    CRASHES = [
        (TEXT, "s.astype(int)", "ValueError"),
        (TEXT, "s.astype(float)", "ValueError"),
        (TEXT, "f.astype(int)", "IntCastingNaNError"),
        (TEXT, "pd.to_numeric(s)", "ValueError"),
        (TEXT, "pd.to_datetime(pd.Series(['2020-01-01', '2020-02-30']), format='%Y-%m-%d')", "ValueError"),
        (TEXT, "df['n'].astype(int)", "ValueError"),
        (TEXT, "df['g'] = df['g'].astype('int64')", "IntCastingNaNError"),
        (TEXT, "df.astype({'n': float})", "ValueError"),
        (TEXT, "df['n'] = df['n'].replace('', '0')\ndf['n'].astype(int)", "ValueError"),
        (TEXT, "for column in df:\n    df[column] = df[column].astype(float)", "ValueError"),
        (PEOPLE, "df['name'].astype('float32')", "ValueError"),
        (PEOPLE, "pd.to_timedelta(df['name'])", "ValueError"),
    ]
    RUNS = [
        (TEXT, "pd.to_numeric(s, errors='coerce').mean()"),
        (TEXT, "f.fillna(0).astype(int)"),
        (TEXT, "pd.to_datetime(d, errors='coerce')"),
        (TEXT, "df['g'] = df['g'].fillna(0)\ndf['g'].astype(int)"),
        (TEXT, "s[:2].astype(int)"),
        (TEXT, "f.dropna().astype('int32')"),
        (TEXT, "f.astype('Int64')"),
        (TEXT, "s.astype('category')"),
    ]
    _NAMES = ("astype", "to_numeric", "to_datetime", "to_timedelta", "apply", "map", "convert_dtypes", "applymap")

    def claims(self, event: Any, error: BaseException) -> bool:
        key = event.key or ""
        text = str(error)
        if type(error).__name__ in ("DateParseError", "OutOfBoundsDatetime", "ParserError", "IntCastingNaNError"):
            return True
        if not (event.op == "call" and key.startswith("pandas.") and key.rpartition(".")[2] in self._NAMES):
            return False
        return any(
            word in text
            for word in (
                "convert",
                "parse",
                "literal",
                "match format",
                "time data",
                "cast",
                "out of range",
                "Unknown datetime",
                "unit abbreviation",
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        obj = object_of(event)
        dtype = getattr(obj, "dtype", None)
        if type(error).__name__ == "IntCastingNaNError" or "NaN" in str(error):
            return f"The values{f' ({dtype})' if dtype is not None else ''} hold missing ones, which no integer type can hold."
        return f"At least one value{f' of the column ({dtype})' if dtype is not None else ''} cannot be converted: {str(error)[:120]}."
