"""Reading a cell's text: parsed as IPython would run it, with lines of the text as typed, without showing a warning."""

from __future__ import annotations

import ast
import re
from typing import Callable, NamedTuple, Optional

from ..cell import quiet_syntax, read_cell

LONGEST = 200_000
"""Characters outside literals and comments, which are what takes the time; a longer cell is recorded but not analysed."""

_AWAIT = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_BODY_MAGICS = frozenset(("time", "capture", "prun"))
"""Cell magics whose body runs as ordinary code in the notebook's namespace."""
_WORDS = re.compile(r"[^\W\d]\w*")
_LITERALS = re.compile(
    r"""\"{3}[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"{3}|'{3}[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'{3}"""
    r"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\#[^\n]*""",
    re.S,
)
_OWN_LINE = re.compile(
    r"\s*(%load_ext\s+crane_llm\b|%reload_ext\s+crane_llm\b|%crane_llm\b|(import|from)\s+crane_llm\b|crane_llm\.)"
)


class Parsed(NamedTuple):
    """``tree`` is None for text that is no Python; ``line`` maps a line of the tree to the line as typed."""

    tree: Optional[ast.Module]
    line: Callable[[int], int]
    magic: Optional[str]


def words(source: str) -> set:
    """Everything in the text that may be a name, those in comments and strings included. Fast: used at every run.

    Of a very long text what stands outside comments and strings, and the rest at its beginning only.
    """
    if len(source) <= LONGEST:
        return set(_WORDS.findall(source))
    return {*_WORDS.findall(source[:LONGEST]), *_WORDS.findall(_code(source)[:LONGEST])}


def _code(source: str) -> str:
    """The text without its string literals and comments: an estimate of what there is to read, not a tokenizer."""
    return _LITERALS.sub(" ", source)


def parse(source: str) -> Parsed:
    """The syntax tree of a cell. Never raises."""
    if len(source) > LONGEST and len(_code(source)) > LONGEST:
        return Parsed(None, int, None)
    try:
        with quiet_syntax():
            return _parse(source)
    except Exception:  # a recursion limit, null bytes, IPython's transformers on odd text
        return Parsed(None, int, None)


def _parse(source: str) -> Parsed:
    try:
        return Parsed(compile(source, "<cell>", "exec", _AWAIT, dont_inherit=True), int, None)
    except SyntaxError:
        pass
    cell = read_cell(source)
    if cell.tree is not None:
        return Parsed(cell.tree, cell.line, cell.magic)
    if cell.magic in _BODY_MAGICS:
        _, _, body = source.lstrip("\n").partition("\n")
        skipped = source[: len(source) - len(body)].count("\n")
        inner = read_cell(body)
        return Parsed(inner.tree, lambda n: inner.line(n) + skipped, cell.magic)
    return Parsed(None, cell.line, cell.magic)


def is_own(source: str) -> bool:
    """True for a cell that only talks to us: our magics, loading them, calls of ``crane_llm``'s functions."""
    text = source.lstrip()
    if text.startswith("%%crane_llm"):
        return True
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return bool(lines) and all(_OWN_LINE.match(line) for line in lines)
