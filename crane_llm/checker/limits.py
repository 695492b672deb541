"""The scan limit: how many values a check may read one by one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from ..settings_file import stored_scan_limit

DEFAULT = 1_000_000
_limit: int | None = None


def set_scan_limit(limit: int | None) -> None:
    """Set the limit (values); 0 turns checks that read values off, None restores the default. Raises ValueError when negative."""
    global _limit
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):
        raise ValueError(f"scan limit: expected a whole number from 0 on, or None, not {limit!r}")
    _limit = limit


@contextlib.contextmanager
def limited(limit: int | None) -> Iterator[None]:
    """Inside, ``limit`` is in force where it is given and sound."""
    global _limit
    kept = _limit
    if isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0:
        _limit = limit
    try:
        yield
    finally:
        _limit = kept


def scan_limit() -> int:
    """The limit in force: the one that was set, else ``CRANE_LLM_SCAN_LIMIT``, the settings file, the default."""
    if _limit is not None:
        return _limit
    text = os.environ.get("CRANE_LLM_SCAN_LIMIT", "")
    if text.isdigit():
        return int(text)
    stored = stored_scan_limit()
    return DEFAULT if stored is None else stored
