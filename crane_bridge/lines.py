"""Lines of code as Python counts them."""

from __future__ import annotations

import re

_BREAK = re.compile(r"\r\n|\r|\n")


def code_lines(source: str) -> list[str]:
    """The lines of ``source``; unlike `str.splitlines`, form feeds and exotic separators do not count as breaks."""
    lines = _BREAK.split(source)
    return lines[:-1] if lines[-1] == "" else lines
