"""Finds secrets in code: what is assigned, passed or mapped to names that sound like one."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator

HIDDEN = "[redacted]"

STRONG = re.compile(
    r"pass(?:word|wd|phrase)|(?:^|_)pwd|secret|api_?key|access_?key|private_?key|auth_?key|account_?key|encryption_?key|"
    r"credential|bearer|auth_?token|access_?token|api_?token|refresh_?token|bot_?token|hf_?token|github_?token|"
    r"connection_?string|(?:^|_)dsn$|license_?key|signing_?key",
    re.IGNORECASE,
)
# "token" and "key" alone name ordinary things in notebooks; there the value must look like a secret too.
WEAK = re.compile(r"token|(?:^|_)key$|(?:^|_)auth$|(?:^|_)pass$|(?:^|_)sid$", re.IGNORECASE)
_CALLS = frozenset({"set_api_key", "login", "HTTPBasicAuth", "basic_auth", "set_token", "authenticate"})
_OPEN_ARGUMENTS = frozenset({"base_url", "model", "api_style"})
_SETTERS = frozenset({"setdefault", "putenv", "setenv", "set_key"})
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]+")
_RANDOM = re.compile(r"[A-Za-z0-9+/_.=:~-]{16,}")
_STRING = re.compile(r"(?P<open>[A-Za-z]{0,2}(?P<quote>\"\"\"|'''|\"|'))(?P<body>.*)(?P=quote)\Z", re.DOTALL)
_PLAIN_LINE = re.compile(
    r"(?P<lead>^[^\S\n]*(?:[%!]|export\b|set\b|env\b)?[^\n=:]*?(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)[^\S\n]*[=:][^\S\n]*)"
    r"(?P<value>[^\s'\"#][^\s#]*|\"[^\"\n]*\"|'[^'\n]*')",
    re.MULTILINE,
)


def is_secret(name: str, value: str) -> bool:
    if not value or value == HIDDEN:
        return False
    return bool(STRONG.search(name)) or (bool(WEAK.search(name)) and looks_random(value))


def looks_random(value: str) -> bool:
    """Long, one word, and with digits: a key rather than a name or a sentence."""
    return bool(_RANDOM.fullmatch(value)) and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def literal_spans(source: str) -> list[tuple[int, int]]:
    """Where secrets stand in a cell: spans of the text inside quotes, or of a plain value; in order, not overlapping."""
    spans = list(_python_spans(source))
    if _has_plain_lines(source):
        spans += _plain_spans(source)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if start < end and (not merged or start >= merged[-1][1]):
            merged.append((start, end))
    return merged


def _has_plain_lines(source: str) -> bool:
    """Whether the cell has lines that are no Python: magics, shell lines, the body of a written file."""
    return re.search(r"^\s*(?:[%!]|export\s)", source, re.MULTILINE) is not None or not _tokens(source)[1]


def _plain_spans(source: str) -> Iterator[tuple[int, int]]:
    whole = source.lstrip().startswith("%%") or not _tokens(source)[1]
    for match in _PLAIN_LINE.finditer(source):
        if not whole and not re.match(r"\s*(?:[%!]|export\s)", match["lead"]):
            continue
        value = match["value"].strip("'\"")
        if is_secret(match["name"], value) or (STRONG.search(match["name"]) and not value.startswith("$")):
            start = match.start("value") + match["value"].find(value)
            yield start, start + len(value)


def _python_spans(source: str) -> Iterator[tuple[int, int]]:
    """Literals that are assigned, passed or mapped to names that sound secret."""
    tokens, _ = _tokens(source)
    offsets = _line_offsets(source)
    for position, token in enumerate(tokens):
        name = _secret_name(tokens, position)
        if name is None:
            continue
        strong, start = name
        for literal in _value_literals(tokens, start, whole_call=token.string in _CALLS):
            match = _STRING.match(literal.string)
            if match is None:
                continue
            body = match["body"]
            if not strong and not looks_random(body):
                continue
            if _ENV_NAME.fullmatch(body) and _is_lookup(tokens, literal):
                continue
            begin = offsets[literal.start[0] - 1] + literal.start[1] + len(match["open"])
            yield begin, begin + len(body)


def _secret_name(tokens: list[tokenize.TokenInfo], position: int) -> tuple[bool, int] | None:
    """(sounds certain, index of the first token of its value) when the token names something that sounds secret."""
    token = tokens[position]
    following = [item.string for item in tokens[position + 1 : position + 3]]
    if token.type == tokenize.NAME and token.string in _CALLS and following[:1] == ["("]:
        return True, position + 2
    text = token.string
    if token.type == tokenize.STRING:
        match = _STRING.match(text)
        text = match["body"] if match else ""
    elif token.type != tokenize.NAME:
        return None
    strong = bool(STRONG.search(text)) and len(text) < 60
    if not strong and not (WEAK.search(text) and len(text) < 40):
        return None
    if following[:1] in (["="], [":"]) or (following[:1] == [","] and _sets_by_name(tokens, position)):
        start = position + 2
    elif following == ["]", "="]:
        start = position + 3
    else:
        return None
    if following[0] == ":" and token.type == tokenize.NAME:  # an annotation: its value follows the equals sign
        ahead = [item.string for item in tokens[start : start + 12]]
        if "=" not in ahead or any(text.endswith("\n") for text in ahead[: ahead.index("=")]):
            return None
        start += ahead.index("=") + 1
    return strong, start


def _sets_by_name(tokens: list[tokenize.TokenInfo], position: int) -> bool:
    """Whether the token is the name in a call such as ``os.environ.setdefault("API_KEY", "…")``."""
    return position >= 2 and tokens[position - 1].string == "(" and tokens[position - 2].string in _SETTERS


def _value_literals(
    tokens: list[tokenize.TokenInfo], start: int, whole_call: bool = False
) -> Iterator[tokenize.TokenInfo]:
    """The string tokens of the expression at ``start``, up to the end of its statement, argument or entry.

    ``whole_call``: ``start`` is behind the opening parenthesis of a call that takes secrets; all its arguments count.
    """
    depth = 0
    for position in range(start, min(start + 400, len(tokens))):
        token = tokens[position]
        if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            return
        if token.type == tokenize.STRING:
            if not (
                whole_call and tokens[position - 1].string == "=" and tokens[position - 2].string in _OPEN_ARGUMENTS
            ):
                yield token
        elif token.type == tokenize.OP:
            if token.string in "([{":
                depth += 1
            elif token.string in ")]}":
                depth -= 1
                if depth < 0:
                    return
            elif depth == 0 and (token.string == ";" or (token.string == "," and not whole_call)):
                return


def _is_lookup(tokens: list[tokenize.TokenInfo], literal: tokenize.TokenInfo) -> bool:
    """Whether the literal is the name that something is looked up by, as in ``os.environ["API_KEY"]``."""
    position = tokens.index(literal)
    return position >= 2 and tokens[position - 1].string in "([" and tokens[position - 2].type == tokenize.NAME


def _tokens(source: str) -> tuple[list[tokenize.TokenInfo], bool]:
    """The tokens as far as they can be read, f-strings as single strings, and whether all could be."""
    found: list[tokenize.TokenInfo] = []
    open_at: list[tokenize.TokenInfo] = []
    lines = source.splitlines(keepends=True)
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = tokenize.tok_name[token.type]
            if kind in ("FSTRING_START", "TSTRING_START"):
                open_at.append(token)
            elif kind in ("FSTRING_END", "TSTRING_END") and open_at:
                begin = open_at.pop()
                if not open_at:
                    text = _between(lines, begin.start, token.end)
                    found.append(tokenize.TokenInfo(tokenize.STRING, text, begin.start, token.end, begin.line))
            elif not open_at and token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                found.append(token)
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return found, False
    return found, not any(token.type == tokenize.ERRORTOKEN and token.string in "!?$" for token in found)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    rows = lines[start[0] - 1 : end[0]]
    rows[-1] = rows[-1][: end[1]]
    rows[0] = rows[0][start[1] :]
    return "".join(rows)


def _line_offsets(source: str) -> list[int]:
    offsets = [0]
    for line in io.StringIO(source):
        offsets.append(offsets[-1] + len(line))
    return offsets
