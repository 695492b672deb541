"""Allow-list: the standard library."""

from __future__ import annotations

from typing import Any

from ..registry import Pure

_plain = Pure()
_random = Pure(random="random", cost=lambda args, kwargs, weight: 1e-5 + weight * 1e-8)


def _no_catastrophe(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Regular expressions are run only where they cannot backtrack without bound: no quantifier inside or after a quantified group."""
    pattern = args[0] if args else kwargs.get("pattern")
    text = getattr(pattern, "pattern", pattern)
    if not isinstance(text, (str, bytes)):
        return False
    source = text.decode("latin-1") if isinstance(text, bytes) else text
    subjects = [a for a in [*args[1:], *kwargs.values()] if isinstance(a, (str, bytes))]
    if sum(map(len, subjects)) > 100_000 or len(source) > 500:
        return False
    quantifiers = sum(source.count(ch) for ch in "*+{")
    return (
        quantifiers <= 3
        and not any(f"){ch}" in source for ch in "*+{")
        and not any(ch.isdigit() and "\\" + ch in source for ch in source)
    )


_regex = Pure(when=_no_catastrophe)

PURE: dict[str, Pure | None] = {
    "math.*": Pure(
        when=lambda args, kwargs: all(not isinstance(a, int) or abs(a) < 5_000 or True for a in args), consumes=True
    ),
    "math.factorial": Pure(when=lambda args, kwargs: not args or not isinstance(args[0], int) or args[0] < 2_000),
    "math.comb": Pure(when=lambda args, kwargs: all(not isinstance(a, int) or abs(a) < 2_000 for a in args)),
    "math.perm": Pure(when=lambda args, kwargs: all(not isinstance(a, int) or abs(a) < 2_000 for a in args)),
    "cmath.*": _plain,
    "statistics.*": Pure(cost=lambda args, kwargs, weight: 1e-4 + weight * 1e-7, consumes=True),
    "random.Random.random": _random,
    "random.Random.randint": _random,
    "random.Random.randrange": _random,
    "random.Random.uniform": _random,
    "random.Random.choice": _random,
    "random.Random.choices": _random,
    "random.Random.sample": _random,
    "random.Random.gauss": _random,
    "_random.Random.random": _random,
    "re.compile": _regex,
    "re.match": _regex,
    "re.fullmatch": _regex,
    "re.search": _regex,
    "re.sub": _regex,
    "re.subn": _regex,
    "re.split": _regex,
    "re.findall": _regex,
    "re.escape": _plain,
    "re.Match.*": _plain,
    "json.loads": Pure(cost=lambda args, kwargs, weight: 1e-5 + weight * 2e-8, when=lambda args, kwargs: not kwargs),
    "json.dumps": Pure(
        cost=lambda args, kwargs, weight: 1e-5 + weight * 5e-8, when=lambda args, kwargs: "cls" not in kwargs
    ),
    "datetime.*": _plain,
    "datetime.datetime.now": None,
    "datetime.datetime.utcnow": None,
    "datetime.datetime.today": None,
    "datetime.date.today": None,
    "collections.Counter": Pure(consumes=True),
    "collections.Counter.most_common": _plain,
    "collections.Counter.elements": None,
    "collections.OrderedDict": Pure(consumes=True),
    "collections.deque": Pure(consumes=True),
    "collections.defaultdict": Pure(callbacks=True, when=lambda args, kwargs: len(args) <= 1 and not kwargs),
    "collections.namedtuple": None,
    "fractions.*": _plain,
    "decimal.*": _plain,
    "decimal.getcontext": None,
    "decimal.setcontext": None,
    "builtins.maketrans": _plain,
    "string.*": _plain,
    "textwrap.*": Pure(cost=lambda args, kwargs, weight: 1e-4 + weight * 1e-6),
    "operator.*": Pure(when=lambda args, kwargs: False),
    "operator.itemgetter": _plain,
    "operator.attrgetter": _plain,
    "copy.copy": None,
    "contextlib.suppress": _plain,
    "contextlib.nullcontext": _plain,
    "posixpath.join": _plain,
    "posixpath.basename": _plain,
    "posixpath.dirname": _plain,
    "posixpath.splitext": _plain,
    "posixpath.split": _plain,
    "posixpath.normpath": _plain,
    "posixpath.isabs": _plain,
    "posixpath.exists": Pure(files=True),
    "genericpath.exists": Pure(files=True),
    "genericpath.isfile": Pure(files=True),
    "genericpath.isdir": Pure(files=True),
    "genericpath.getsize": Pure(files=True),
    "posixpath.isdir": Pure(files=True),
    "posixpath.isfile": Pure(files=True),
    "posixpath.abspath": Pure(files=True),
    "posixpath.expanduser": Pure(files=True),
    "posix.listdir": Pure(files=True),
    "posix.getcwd": Pure(files=True),
    "posix.stat": Pure(files=True),
    "glob.glob": Pure(files=True, when=lambda args, kwargs: not kwargs.get("recursive")),
    "pathlib.Path": _plain,
    "pathlib.PosixPath": _plain,
    "pathlib.PurePath.*": _plain,
    "pathlib.Path.__new__": _plain,
    "pathlib.Path.exists": Pure(files=True),
    "pathlib.Path.is_file": Pure(files=True),
    "pathlib.Path.is_dir": Pure(files=True),
    "time.strftime": _plain,
    "time.strptime": None,
    "calendar.*": _plain,
    "unicodedata.*": _plain,
    "hashlib.*": _plain,
    "base64.*": _plain,
    "uuid.UUID": _plain,
    "difflib.get_close_matches": _plain,
    "types.SimpleNamespace": _plain,
}
