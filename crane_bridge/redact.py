"""Takes secrets out of text before it goes into a prompt, a log or a file.

Three nets, one behind the other: texts that look like a known kind of key wherever they stand; what code assigns to
names that sound like a secret; and every value that one of these caught, wherever else it occurs (a summary shows the
same value that a cell assigned). In doubt something is hidden: a model can do without a literal.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

HIDDEN = "[redacted]"
_SHORTEST = 6
"""Values shorter than this are hidden where they stand but not hunted for elsewhere: too many innocent matches."""

_SHORTEST_PART = 10
_PARTS = re.compile(r"\{[^{}]*\}|\n|\\n")

_KNOWN_FORMATS = re.compile(
    r"""
    -----BEGIN[A-Z\ ]*PRIVATE\ KEY-----.*?(?:-----END[A-Z\ ]*PRIVATE\ KEY-----|\Z)
    | (?<![A-Za-z0-9_-]) (?:
        sk-[A-Za-z0-9_-]{16,}                              # OpenAI, Anthropic, OpenRouter, DeepSeek
      | (?:gsk|xai|nvapi|pplx|tvly|fw|csk|r8|hf|key|lsv2|jina|voyage|pa|up|glpat|dckr_pat|npm|dop_v1)[_-][A-Za-z0-9_-]{20,}
      | (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}        # Stripe
      | gh[pousr]_[A-Za-z0-9]{30,} | github_pat_[A-Za-z0-9_]{22,}
      | AIza[A-Za-z0-9_-]{30,} | ya29\.[A-Za-z0-9_-]{20,}  # Google
      | (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}                # Amazon
      | xox[abeoprs]-[A-Za-z0-9-]{10,} | xapp-[A-Za-z0-9-]{10,}
      | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}         # SendGrid
      | pypi-[A-Za-z0-9_-]{32,}
      | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*   # JSON web token
      | AccountKey=[A-Za-z0-9+/=]{20,}
      | (?<=Bearer\ )[A-Za-z0-9._~+/=-]{16,}
      | (?<=Basic\ )[A-Za-z0-9+/=]{12,}
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_URL_LOGIN = re.compile(
    r"(?P<scheme>\b[a-zA-Z][a-zA-Z0-9+.-]*://)(?P<login>[^\s/@'\"<>]+(?:/[^\s/@'\"<>]*)?)@(?=[^\s'\"/])"
)
_URL_QUERY = re.compile(
    r"(?P<name>[?&](?:[a-z_-]*(?:key|token|secret|password|passwd|signature|credential|auth)|sig|pwd|code)=)(?P<value>[^\s&#'\"]+)",
    re.IGNORECASE,
)

_STRONG = re.compile(
    r"pass(?:word|wd|phrase)|(?:^|_)pwd|secret|api_?key|access_?key|private_?key|auth_?key|account_?key|encryption_?key|"
    r"credential|bearer|auth_?token|access_?token|api_?token|refresh_?token|bot_?token|hf_?token|github_?token|"
    r"connection_?string|(?:^|_)dsn$|license_?key|signing_?key",
    re.IGNORECASE,
)
# "token" and "key" alone name ordinary things in notebooks; there the value must look like a secret too.
_WEAK = re.compile(r"token|(?:^|_)key$|(?:^|_)auth$|(?:^|_)pass$|(?:^|_)sid$", re.IGNORECASE)
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
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PROSE_VALUE = re.compile(r"['\"]?\]?[^\n'\"]{0,60}?(?P<quote>['\"])(?P<value>[^\n]*?)(?P=quote)")
"""What may follow a name in a summary: up to some words, then the value in quotes."""


def mask(key: str) -> str:
    """A key as it may be shown: enough to tell two apart, too little to use."""
    return f"{key[:3]}…{key[-4:]}" if len(key) >= 16 else "…"


def redact_url(url: str) -> str:
    """An address without login and without secret parameters."""
    try:
        has_login = bool(urlsplit(url).username or urlsplit(url).password)
    except ValueError:
        has_login = "@" in url
    if has_login:
        url = re.sub(r"://[^/]*@", f"://{HIDDEN}@", url, count=1)
    return _URL_QUERY.sub(rf"\g<name>{HIDDEN}", url)


class Redactor:
    """Redacts the parts of one prompt; what one part reveals as secret is hidden in all of them.

    First `learn` every part, then `clean` each. ``known`` are values that must never appear, such as the key in use.
    """

    def __init__(self, known: Iterable[str | None] = ()) -> None:
        self._values: set[str] = {value for value in known if value and len(value) >= _SHORTEST}

    def learn(self, source: str) -> None:
        """Note the secrets of a cell's source."""
        for start, end in _literal_spans(source):
            self._note_parts(source[start:end])
        self._learn_formats(source)

    def learn_prose(self, text: str) -> None:
        """Note the secrets of a summary: lines that give names and values."""
        self._learn_formats(text)
        for start, end in _prose_spans(text):
            self._note(text[start:end])

    def _learn_formats(self, text: str) -> None:
        for match in _KNOWN_FORMATS.finditer(text):
            self._note_parts(match.group())
        for match in _URL_LOGIN.finditer(text):
            self._note(match["login"].rpartition(":")[2])
        for match in _URL_QUERY.finditer(text):
            self._note(match["value"])

    def clean(self, source: str) -> str:
        """A cell's source without secrets; its lines keep their numbers."""
        for start, end in reversed(list(_literal_spans(source))):
            lines = source.count("\n", start, end)
            source = source[:start] + HIDDEN + "\n" * lines + source[end:]
        return self._clean_any(source)

    def clean_prose(self, text: str) -> str:
        """A summary's text without secrets."""
        for start, end in reversed(_prose_spans(text)):
            text = text[:start] + HIDDEN + text[end:]
        return self._clean_any(text)

    def _note_parts(self, value: str) -> None:
        """Note a value and its longer parts: shown elsewhere, it may be filled in (f-strings) or broken into lines."""
        self._note(value)
        for part in _PARTS.split(value):
            if len(part.strip()) >= _SHORTEST_PART and not part.startswith("-----"):
                self._note(part)

    def _note(self, value: str) -> None:
        value = value.strip()
        # A plain short word ("default") would be torn out of places where it is no secret.
        if value != HIDDEN and len(value) >= _SHORTEST and (len(value) >= 12 or not value.isalpha()):
            self._values.add(value)

    def _clean_any(self, text: str) -> str:
        text = _URL_LOGIN.sub(lambda match: f"{match['scheme']}{HIDDEN}@", text)
        text = _URL_QUERY.sub(rf"\g<name>{HIDDEN}", text)
        for value in sorted(self._values, key=len, reverse=True):
            text = text.replace(value, HIDDEN + "\n" * value.count("\n"))
        return _KNOWN_FORMATS.sub(lambda match: HIDDEN + "\n" * match.group().count("\n"), text)


def redact(source: str, known: Iterable[str | None] = ()) -> str:
    """One piece of text without secrets."""
    redactor = Redactor(known)
    redactor.learn(source)
    return redactor.clean(source)


def redact_message(text: str, known: Iterable[str | None] = ()) -> str:
    """A message of a server or library, for people and logs."""
    redactor = Redactor(known)
    redactor.learn_prose(text)
    return redactor.clean_prose(text)


# --- code ------------------------------------------------------------------------------------------------------------


def _literal_spans(source: str) -> list[tuple[int, int]]:
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
        if _is_secret(match["name"], value) or (_STRONG.search(match["name"]) and not value.startswith("$")):
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
            if not strong and not _looks_random(body):
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
    strong = bool(_STRONG.search(text)) and len(text) < 60
    if not strong and not (_WEAK.search(text) and len(text) < 40):
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


# --- names and values ------------------------------------------------------------------------------------------------


def _is_secret(name: str, value: str) -> bool:
    if not value or value == HIDDEN:
        return False
    return bool(_STRONG.search(name)) or (bool(_WEAK.search(name)) and _looks_random(value))


def _looks_random(value: str) -> bool:
    """Long, one word, and with digits: a key rather than a name or a sentence."""
    return bool(_RANDOM.fullmatch(value)) and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _prose_spans(text: str) -> list[tuple[int, int]]:
    """Where quoted values stand behind names that sound secret; in order, not overlapping."""
    spans: list[tuple[int, int]] = []
    for name in _NAME.finditer(text):
        if spans and name.start() < spans[-1][1]:
            continue
        if not (_STRONG.search(name.group()) or _WEAK.search(name.group())):
            continue
        match = _PROSE_VALUE.match(text, name.end())
        if match and _is_secret(name.group(), match["value"]):
            spans.append(match.span("value"))
    return spans
