from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, SETUP, frame_of, is_frame, is_pandas, object_of


class WrongLength(Rule):
    """Values are put into a DataFrame, or made into one, whose number does not fit the rows or the columns.

    A plain list or array must have exactly as many values as there are rows; ``df.columns`` needs one label for each column.

    Example: ``df["new"] = [1, 2]`` for a frame of three rows; ``pd.DataFrame({"a": [1, 2], "b": [1]})``.

    Fix: make the lengths equal, or assign a Series, which is aligned by its index.
    """

    code = "pandas.wrong-length"
    library = "pandas"
    exceptions = ("ValueError",)
    requires = ("pandas",)
    order = 30
    CRASHES = [
        (PEOPLE, "df['new'] = [1, 2]", "ValueError"),
        (PEOPLE, "df['new'] = np.zeros(5)", "ValueError"),
        (PEOPLE, "df.columns = ['a', 'b']", "ValueError"),
        (PEOPLE, "df.index = [1, 2]", "ValueError"),
        (SETUP, "pd.DataFrame({'a': [1, 2], 'b': [1]})", "ValueError"),
        (SETUP, "pd.Series([1, 2, 3], index=['a'])", "ValueError"),
        (SETUP, "pd.DataFrame(np.zeros((2, 3)), columns=['a', 'b'])", "ValueError"),
        (PEOPLE, "df.insert(0, 'id', [1, 2, 3, 4])", "ValueError"),
        (PEOPLE, "df.loc[0] = [1, 2]", "ValueError"),
        (PEOPLE, "df.dropna(inplace=True)\ndf['k'] = [1, 2, 3]", "ValueError"),
        (PEOPLE, "df[['p', 'q']] = np.zeros((3, 3))", "ValueError"),
        (PEOPLE, "df.assign(k=[1])", "ValueError"),
        (SETUP, "pd.DataFrame([[1, 2], [3, 4]], columns=['a'])", "ValueError"),
    ]
    RUNS = [
        (PEOPLE, "df['new'] = [1, 2, 3]"),
        (PEOPLE, "df['new'] = pd.Series([1, 2])"),
        (PEOPLE, "df['new'] = 5\ndf.columns = list('abcde')"),
        (PEOPLE, "df = df.head(2)\ndf['new'] = [1, 2]"),
        (SETUP, "pd.DataFrame({'a': [1, 2], 'b': 1})"),
        (PEOPLE, "df.dropna(inplace=True)\ndf['k'] = [1, 2]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if type(error) is not ValueError:
            return False
        text = str(error)
        if "ascending" in text:
            return False
        if not any(
            word in text.lower()
            for word in (
                "length",
                "mismatch",
                "shape",
                "columns passed",
                "must match",
                "equal len",
                "same length",
                "mismatched",
                "number of columns",
            )
        ):
            return False
        if event.op == "store":
            return is_pandas(object_of(event))
        return (
            event.op == "call"
            and (event.key or "").startswith("pandas.")
            and "mask" not in text
            and "overlap" not in text
        )

    def explain(self, event: Any, error: BaseException) -> str:
        frame = frame_of(event)
        value = object_of(event, 2) if len(event.operands) > 2 else object_of(event, 1)
        count = len(value) if hasattr(value, "__len__") and not isinstance(value, str) else None
        if is_frame(frame) and count is not None:
            return f"The DataFrame has {frame.shape[0]} rows and {frame.shape[1]} columns, the values given number {count}."
        return f"The lengths do not fit: {str(error)[:120]}."
