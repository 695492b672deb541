"""Takes secrets out of text before it goes into a prompt, a log or a file.

Three nets, one behind the other: texts that look like a known kind of key wherever they stand; what code assigns to
names that sound like a secret; and every value that one of these caught, wherever else it occurs (a summary shows the
same value that a cell assigned). In doubt something is hidden: a model can do without a literal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from .secret_code import HIDDEN, STRONG, WEAK, is_secret, literal_spans

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
        for start, end in literal_spans(source):
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
        for start, end in reversed(list(literal_spans(source))):
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


def _prose_spans(text: str) -> list[tuple[int, int]]:
    """Where quoted values stand behind names that sound secret; in order, not overlapping."""
    spans: list[tuple[int, int]] = []
    for name in _NAME.finditer(text):
        if spans and name.start() < spans[-1][1]:
            continue
        if not (STRONG.search(name.group()) or WEAK.search(name.group())):
            continue
        match = _PROSE_VALUE.match(text, name.end())
        if match and is_secret(name.group(), match["value"]):
            spans.append(match.span("value"))
    return spans
