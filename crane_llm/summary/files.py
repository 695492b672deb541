"""Headers of image files: enough to say their sizes, read from at most a few files."""

from __future__ import annotations

import os
import stat
import struct
from typing import Any

from .budget import sample_positions
from .context import Context

MAX_FILES = 12
HEAD = 1 << 16


def image_sizes(paths: list[str], context: Context) -> str | None:
    """``64 files: 123×123`` or that sizes differ; from a sample of at most MAX_FILES local files."""
    looked = [paths[position] for position in sample_positions(len(paths), MAX_FILES)]
    sizes: list[str] = []
    for path in looked:
        if context.budget.expired():
            return None
        found = image_size(path)
        if found is not None:
            sizes.append(f"{found[0]}×{found[1]}")
    if not sizes:
        return None
    different = list(dict.fromkeys(sizes))
    part = "" if len(looked) == len(paths) else f" in {len(looked)} of {len(paths)} files"
    if len(different) == 1:
        return f"image files {different[0]}{part}"
    return f"image files of different sizes{part}: {', '.join(different[:4])}"


def image_size(path: str) -> tuple[int, int] | None:
    """Width and height from the header of a PNG, GIF, BMP or JPEG file; None for others and for what is no plain file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            head = file.read(HEAD)
    except (OSError, ValueError):
        return None
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 24:
        return struct.unpack(">II", head[16:24])
    if head[:4] == b"GIF8" and len(head) >= 10:
        return struct.unpack("<HH", head[6:10])
    if head[:2] == b"BM" and len(head) >= 26:
        width, height = struct.unpack("<ii", head[18:26])
        return abs(width), abs(height)
    if head[:2] == b"\xff\xd8":
        return _jpeg(head)
    return None


def _jpeg(head: bytes) -> Any:
    position = 2
    while position + 9 < len(head):
        if head[position] != 0xFF:
            return None
        marker = head[position + 1]
        size = struct.unpack(">H", head[position + 2 : position + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[position + 5 : position + 9])
            return width, height
        position += 2 + size
    return None
