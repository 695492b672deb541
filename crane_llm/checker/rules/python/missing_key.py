from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import nearest, object_of, short


class MissingKey(Rule):
    """A dict is asked for a key that it does not have.

    Example: ``config["learning_rate"]`` where the key is called ``"lr"``; ``os.environ["TOKEN"]`` when the variable is not set.

    Fix: use the key that exists, or ``.get(key, default)``.
    """

    code = "python.missing-key"
    library = "python"
    exceptions = ("KeyError",)
    order = 60
    CRASHES = [
        ("d = {'lr': 1}", "d['learning_rate']", "KeyError"),
        ("d = {1: 'a'}", "d['1']", "KeyError"),
        ("d = {'a': {'b': 1}}", "d['a']['c']", "KeyError"),
        ("d = {'a': 1}", "d.pop('b')", "KeyError"),
        ("d = {'a': 1}", "del d['b']", "KeyError"),
        ("d = {'a': 1}\nkeys = ['a', 'b']", "[d[k] for k in keys]", "KeyError"),
        ("d = {'a': 1}", "d['b'] += 1", "KeyError"),
        ("s = {1}", "s.remove(2)", "KeyError"),
        ("import os\nos.environ.pop('NOT_SET_HERE', None)", "os.environ['NOT_SET_HERE']", "KeyError"),
        ("d = {'a': 1}", "d.pop('a')\nd['a']", "KeyError"),
        ("from collections import OrderedDict\nd = OrderedDict(a=1)", "d['b']", "KeyError"),
        ("", "'{name}'.format(nom='x')", "KeyError"),
    ]
    RUNS = [
        ("from collections import defaultdict\nd = defaultdict(list)", "d['new'].append(1)"),
        ("from collections import Counter\nc = Counter('aab')", "c['z']"),
        ("d = {'a': 1}", "d['b'] = 2\nd['b']"),
        ("d = {1: 'x'}", "d[1.0]"),
        ("d = {'a': 1}", "d.get('b')\nd.pop('b', None)\nd.setdefault('b', 3)\nd['b']"),
        ("class D(dict):\n    def __missing__(self, k):\n        return k\nd = D()", "d['q']"),
        ("import os", "os.environ['MADE_HERE'] = '1'\nos.environ['MADE_HERE']\ndel os.environ['MADE_HERE']"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        owner = object_of(event)
        return owner is None or type(owner).__module__ in ("builtins", "collections", "os", "__main__")

    def explain(self, event: Any, error: BaseException) -> str:
        owner, key = object_of(event), self._key(event, error)
        if isinstance(owner, dict) and len(owner) <= 1_000:
            close = nearest(key, owner)
            hint = (
                f"; the nearest key is {short(close)}."
                if close
                else f"; its keys are {', '.join(short(k, 20) for k in list(owner)[:8]) or 'none'}."
            )
            return f"The dict has no key {short(key)}{hint}"
        return f"There is no {short(key)} in it."

    def suggest(self, event: Any, error: BaseException) -> str | None:
        owner = object_of(event)
        if event.op == "item" and isinstance(owner, dict) and len(owner) <= 1_000:
            close = nearest(self._key(event, error), owner, 0.75)
            return repr(close) if close else None
        return None

    @staticmethod
    def _key(event: Any, error: BaseException) -> Any:
        return error.args[0] if error.args else None
