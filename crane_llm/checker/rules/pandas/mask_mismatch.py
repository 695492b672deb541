from __future__ import annotations

from typing import Any

from ..base import Rule
from .shared import PEOPLE, frame_of, is_pandas, is_series, object_of


class MaskMismatch(Rule):
    """Rows are picked by a mask that belongs to another frame.

    A boolean list must have one entry for each row; a boolean Series must have the frame's index.

    Example: ``train[test["age"] > 30]``.

    Fix: make the mask from the very frame that it filters.
    """

    code = "pandas.mask-mismatch"
    library = "pandas"
    exceptions = ("ValueError", "IndexingError", "IndexError")
    requires = ("pandas",)
    order = 18
    CRASHES = [
        (PEOPLE, "df[[True, False]]", "ValueError"),
        (PEOPLE, "df[df.head(2)['age'] > 30]", "IndexingError"),
        (PEOPLE, "df.loc[df.head(2)['age'] > 30]", "IndexingError"),
        (PEOPLE, "df['age'][[True]]", "IndexError"),
        (PEOPLE, "df.loc[[True, False]]", "IndexError"),
        (PEOPLE, "mask = np.array([True, False])\ndf[mask]", "ValueError"),
        (PEOPLE, "small = df.drop(0)\ndf[small['age'] > 1]", "IndexingError"),
        (PEOPLE, "df.loc[np.array([True] * 4), 'age']", "IndexError"),
    ]
    RUNS = [
        (PEOPLE, "df[[True, False, True]]"),
        (PEOPLE, "mask = df['age'] > 30\ndf.head(2)[mask]"),
        (PEOPLE, "small = df.drop(0)\nsmall[small['age'] > 1]"),
        (PEOPLE, "df[np.array([True, False, True])]"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        if event.op not in ("item", "store") or not is_pandas(object_of(event)):
            return False
        return type(error).__name__ == "IndexingError" and "nalignable" in str(error) or _mask(object_of(event, 1))

    def explain(self, event: Any, error: BaseException) -> str:
        frame, mask = frame_of(event), object_of(event, 1)
        mask = mask[0] if isinstance(mask, tuple) else mask
        rows = len(frame) if frame is not None else None
        size = len(mask) if hasattr(mask, "__len__") else None
        return (
            f"The mask has {size} entries"
            + (f", what it filters has {rows} rows." if rows != size else ", but another index than what it filters.")
            if rows is not None
            else f"The mask of {size} entries does not fit."
        )


def _mask(index: Any) -> bool:
    index = index[0] if isinstance(index, tuple) and index else index
    if isinstance(index, list):
        return bool(index) and all(isinstance(item, bool) for item in index)
    return (is_series(index) or type(index).__name__ == "ndarray") and str(index.dtype) == "bool"
