"""What kind of pandas object something is, and which pandas this is."""

from __future__ import annotations

import sys
from typing import Any

COPY_BYTES = 80_000_000


def pandas() -> Any:
    """The kernel's pandas, or None."""
    return sys.modules.get("pandas")


def is_frame(obj: Any) -> bool:
    """Whether ``obj`` is a plain DataFrame."""
    pd = pandas()
    return pd is not None and type(obj) is pd.DataFrame


def is_series(obj: Any) -> bool:
    """Whether ``obj`` is a plain Series."""
    pd = pandas()
    return pd is not None and type(obj) is pd.Series


def is_index(obj: Any) -> bool:
    """Whether ``obj`` is an Index of pandas."""
    pd = pandas()
    return pd is not None and isinstance(obj, pd.Index) and type(obj).__module__.startswith("pandas")


def is_indexer(obj: Any) -> bool:
    """Whether ``obj`` is what ``.loc``, ``.iloc``, ``.at`` or ``.iat`` gives."""
    return type(obj).__name__ in ("_LocIndexer", "_iLocIndexer", "_AtIndexer", "_iAtIndexer") and type(
        obj
    ).__module__.startswith("pandas")


def copy_on_write() -> bool:
    """Whether a write never reaches another pandas object."""
    pd = pandas()
    if int(pd.__version__.split(".")[0]) >= 3:
        return True
    try:
        return bool(pd.options.mode.copy_on_write)
    except Exception:  # a version without the option
        return False


def modern() -> bool:
    """Whether setting a whole column replaces it instead of writing into its memory (pandas 2 and later)."""
    return int(pandas().__version__.split(".")[0]) >= 2


def size(obj: Any) -> int:
    """Bytes of data."""
    from ...purity.survey import buffer_weight

    return buffer_weight(obj)
