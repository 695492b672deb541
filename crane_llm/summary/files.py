"""Files that a cell names: whether they exist, and what their headers say. Read only, a few kilobytes of at most a dozen files."""

from __future__ import annotations

import ast
import csv
import os
import re
import stat
import struct
from collections import Counter
from typing import Any

from . import safe
from .budget import sample_positions
from .context import Context
from .model import Variable

MAX_FILES = 48
MAX_PATHS = 6
MAX_ENTRIES = 2000
FIRST = 1 << 12  # bytes of a header; most end within
HEAD = 1 << 16
IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".bmp")
_KNOWN = re.compile(
    r"\.(csv|tsv|txt|json|npy|npz|pkl|pickle|parquet|xlsx?|h5|hdf5|keras|pth?|png|jpe?g|gif|bmp|wav|zip|feather|joblib)$",
    re.I,
)
_READS = re.compile(r"read|load|open|listdir|scandir|glob|walk|folder|directory|getsize|loadtxt", re.I)


def named_paths(tree: Any) -> list[tuple[str, bool]]:
    """Constant paths in a cell, and whether one is an argument of something that reads."""
    found: dict[str, bool] = {}
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Constant) and type(node.value) is str and looks_like_path(node.value):
            found.setdefault(node.value, False)
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
            mode = next(
                (part.value for part in node.args[1:2] if isinstance(part, ast.Constant) and type(part.value) is str),
                "r",
            )
            if _READS.search(name) and not (name == "open" and mode[:1] in ("w", "a", "x")):
                for part in [*node.args, *(word.value for word in node.keywords)]:
                    if isinstance(part, ast.Constant) and type(part.value) is str and looks_like_path(part.value):
                        found[part.value] = True
    return list(found.items())


def looks_like_path(text: str) -> bool:
    """Whether a text is probably the path of a file or folder (no URL, no pattern, no sentence)."""
    if not 2 < len(text) <= 200 or "://" in text or any(sign in text for sign in "\n*?<>|{}\"'"):
        return False
    return bool(_KNOWN.search(text)) or (
        "/" in text and " / " not in text and not text.startswith("/ ") and text.count(" ") < 4
    )


def describe_paths(tree: Any, context: Context) -> list[Variable]:
    """One line for each path that the cell names and that exists, or that it wants to read and that does not."""
    found: list[Variable] = []
    for text, read in named_paths(tree):
        if len(found) >= MAX_PATHS or context.budget.expired():
            break
        variable = Variable(
            repr(text), "path" if context.representation else "", "str" if context.representation else ""
        )
        exists = path_notes(variable, text, context)
        if (exists and len(variable.notes) > 0) or (exists is False and read):
            found.append(variable)
    return found


def path_notes(variable: Variable, text: str, context: Context) -> bool | None:
    """Notes on a path. True: it exists, False: it does not, None: it cannot be asked."""
    try:
        status = os.stat(text)
    except (FileNotFoundError, NotADirectoryError):
        context.note(variable, "V", "does not exist")
        return False
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(status.st_mode):
        _folder(variable, text, context)
    elif stat.S_ISREG(status.st_mode):
        context.note(variable, "S", f"file of {status.st_size} bytes")
        _file(variable, text, context)
    return True


def _folder(variable: Variable, text: str, context: Context) -> None:
    """Entries by suffix, and what the headers of a few of them say."""
    counts: Counter[str] = Counter()
    paths: list[str] = []
    with os.scandir(text) as entries:
        for number, entry in enumerate(entries):
            if number >= MAX_ENTRIES:
                break
            suffix = os.path.splitext(entry.name)[1].lower()
            counts["folders" if not suffix and entry.is_dir() else suffix[:12] or "files without suffix"] += 1
            paths.append(entry.path)
    paths.sort()
    part = " at least" if sum(counts.values()) >= MAX_ENTRIES else ""
    shown = ", ".join(f"{number} {suffix}" for suffix, number in counts.most_common(5))
    context.note(variable, "S", f"folder of{part} {shown}" if shown else "empty folder")
    context.note(variable, "S", image_sizes([path for path in paths if path.lower().endswith(IMAGES)], context))
    arrays = [path for path in paths if path.endswith(".npy")]
    shapes = Counter(
        filter(None, (npy_header(arrays[position]) for position in sample_positions(len(arrays), MAX_FILES)))
    )
    if shapes:
        part = "" if len(arrays) <= MAX_FILES else f" in {MAX_FILES} of {len(arrays)} files"
        context.note(
            variable,
            "S",
            f"arrays{part}: " + ", ".join(f"{shape} ×{number}" for shape, number in shapes.most_common(5)),
        )


def _file(variable: Variable, text: str, context: Context) -> None:
    lower = text.lower()
    if lower.endswith(IMAGES):
        size = image_size(text)
        context.note(variable, "S", f"image {size}" if size else "no image that we know by its header")
    elif lower.endswith(".npy"):
        context.note(variable, "S", npy_header(text))
    elif lower.endswith((".csv", ".tsv")):
        names = csv_header(text)
        if names:
            context.note(variable, "R", f"{len(names)} columns: {context.names(names, 40)}")


def csv_header(path: str) -> list[str]:
    """The first line of a delimited text file as names; an empty list when it does not read as such."""
    try:
        with open(path, "rb") as file:
            line = file.read(HEAD).split(b"\n", 1)[0].decode("utf-8-sig").strip("\r")
    except (OSError, UnicodeDecodeError):
        return []
    sign = max(",;\t|", key=line.count)
    try:
        names = next(csv.reader([line], delimiter=sign), [])
    except csv.Error:
        return []
    # a first line of numbers is data, not a header, and data must not go out as names
    return [] if any(re.fullmatch(r"\s*[-+]?\d[\d.,e+-]*\s*", name) for name in names) else names


def npy_header(path: str) -> str | None:
    """Shape and dtype from the header of a ``.npy`` file."""
    try:
        with open(path, "rb") as file:
            head = file.read(1024)
    except OSError:
        return None
    shape = re.search(rb"'shape':\s*\(([\d, ]*)\)", head)
    descr = re.search(rb"'descr':\s*'([^']{1,12})'", head)
    if head[:6] != b"\x93NUMPY" or shape is None:
        return None
    return f"({shape.group(1).decode().strip()}) {descr.group(1).decode() if descr else ''}".strip()


def image_sizes(paths: list[str], context: Context) -> str | None:
    """``image files 123×123 rgb``, or that they differ; from at most MAX_FILES local files."""
    looked = [paths[position] for position in sample_positions(len(paths), MAX_FILES)]
    sizes: list[str] = []
    unknown = 0
    for path in looked:
        if context.budget.expired():
            return None
        found = image_size(path)
        unknown += found is None
        if found is not None:
            sizes.append(found)
    if not looked:
        return None
    different = list(dict.fromkeys(sizes))
    part = "" if len(looked) == len(paths) else f" in {len(looked)} of {len(paths)} files"
    bad = f"; {unknown} are no PNG, JPEG, GIF or BMP files{part}" if unknown else ""
    if len(different) <= 1:
        return f"image files {different[0]}{part}{bad}" if different else bad[2:] or None
    return f"image files of different sizes or channels{part}: {', '.join(different[:4])}{bad}"


_PNG_CHANNELS = {0: "gray", 2: "rgb", 3: "palette", 4: "gray+alpha", 6: "rgba"}
_JPEG_CHANNELS = {1: "gray", 3: "rgb", 4: "cmyk"}


def image_size(path: str) -> str | None:
    """``width×height channels`` from the header of a PNG, GIF, BMP or JPEG file; None for others and for what is no plain file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            head = file.read(FIRST)
            if head[:2] == b"\xff\xd8" and _jpeg(head) is None:  # a long comment or thumbnail comes first
                head += file.read(HEAD - FIRST)
    except (OSError, ValueError):
        return None
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 26:
        width, height = struct.unpack(">II", head[16:24])
        return f"{width}×{height} {_PNG_CHANNELS.get(head[25], '')}".strip()
    if head[:4] == b"GIF8" and len(head) >= 10:
        width, height = struct.unpack("<HH", head[6:10])
        return f"{width}×{height} palette"
    if head[:2] == b"BM" and len(head) >= 26:
        width, height = struct.unpack("<ii", head[18:26])
        return f"{abs(width)}×{abs(height)}"
    return _jpeg(head) if head[:2] == b"\xff\xd8" else None


def _jpeg(head: bytes) -> str | None:
    position = 2
    while position + 9 < len(head):
        if head[position] != 0xFF:
            return None
        marker = head[position + 1]
        size = struct.unpack(">H", head[position + 2 : position + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[position + 5 : position + 9])
            return f"{width}×{height} {_JPEG_CHANNELS.get(head[position + 9], '')}".strip()
        position += 2 + size
    return None


def path_variable(variable: Variable, value: Any, context: Context) -> None:
    """Notes on a text variable that names an existing file or folder, or one that looks like a file and is missing."""
    if (
        type(value) is str
        and looks_like_path(value)
        and safe.length(value)
        and (os.path.exists(value) or _KNOWN.search(value))
    ):
        path_notes(variable, value, context)
