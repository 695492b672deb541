"""Cells that once misled the checker: effects that come early, late or through the side door. Each is checked and then run."""

from __future__ import annotations

import sys

import pytest
from claims import expect
from kernel import Kernel

LATE = [
    ("c = 0\ndef gen():\n    global c\n    c = 1\n    yield 1\n    c = 2\n    yield 2", "g = gen()\nnext(g)\nassert c == 1\nnext(g)\nassert c == 2", None),
    ("seen = []\ndef gen():\n    try:\n        yield 1\n        yield 2\n    finally:\n        seen.append('end')", "for v in gen():\n    break\nseen[0]", None),
    ("seen = []\ndef gen():\n    try:\n        yield 1\n    except ValueError as e:\n        seen.append(str(e))\n        yield 5", "g = gen()\nnext(g)\ng.throw(ValueError('q'))\nseen[0]", None),
    ("def gen():\n    yield 1\n    raise ValueError('later')", "a, = [x for _, x in zip([0], gen())]\nassert a == 1", None),
    ("out = []\nasync def co(x):\n    out.append(x)\n    return x", "await co(1)\nout[0]", None),
    ("import asyncio\nout = []\nasync def co(x):\n    out.append(x)", "await asyncio.gather(co(2), co(3))\nout[1]", None),
    ("class A:\n    async def __aenter__(self):\n        return 4\n    async def __aexit__(self, *e):\n        return True", "async with A() as v:\n    b = v\n    1 / 0\nb", None),
]  # fmt: skip
BEHIND = [
    ("import functools\ncalls = []\n@functools.lru_cache(maxsize=None)\ndef f(x):\n    calls.append(x)\n    return x", "f(1)\nf(1)\nf(2)\ncalls[1]", None),
    ("import functools\nc = 0\n@functools.lru_cache\ndef f(v):\n    global c\n    c += 1\n    return v", "f(1)\nassert c == 1", None),
    ("from concurrent.futures import ThreadPoolExecutor\nres = []\ndef w(i):\n    res.append(i)", "with ThreadPoolExecutor(2) as ex:\n    list(ex.map(w, [1, 2]))\nres[1]", None),
    ("def mk():\n    c = 0\n    def inc():\n        nonlocal c\n        c += 1\n    def get():\n        return c\n    return inc, get\ninc, get = mk()", "inc()\ninc()\nassert get() == 2\n[0][get()]", "IndexError"),
    ("class M(type):\n    @classmethod\n    def __prepare__(m, n, b):\n        return {'injected': 5}", "class S(metaclass=M):\n    x = injected + 1\nS.x", None),
    ("reg = {}\nclass B:\n    def __init_subclass__(cls, tag=None, **k):\n        reg[tag] = cls", "class X(B, tag='x'):\n    pass\nreg['x']", None),
    ("log = []\nclass D:\n    def __set_name__(self, o, n):\n        self.n = n\n        log.append(n)\nd = D()", "class T:\n    q = d\nd.n\nlog[0]", None),
    ("from dataclasses import dataclass, InitVar\n@dataclass\nclass P:\n    x: int\n    s: InitVar[int] = 3\n    def __post_init__(self, s):\n        self.x *= s", "assert P(2, 4).x == 8\nP(2, 4).s.nothing", "AttributeError"),
    ("", "try:\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n        raise KeyError('b') from e\nexcept KeyError as k:\n    assert type(k.__cause__) is ZeroDivisionError\n    assert k.__context__ is not None", None),
    ("", "d = {1: 1}\nfor k in d:\n    d[k + 1] = 1", "RuntimeError"),
    ("import builtins", "kept = builtins.len\nbuiltins.len = lambda x: 99\nassert len([]) == 99\nbuiltins.len = kept", None),
    ("class A:\n    x = 1\na = A()", "del A.x\nassert not hasattr(A, 'x')", None),
]  # fmt: skip
FRAME = "import numpy as np\nimport pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'z']})\n"
PANDAS = [
    (FRAME, "e = df.apply(lambda row: row['a'] * 2, axis=1)\nassert e.tolist() == [2, 4, 6]", None),
    (FRAME, "seen = []\ndef f(row):\n    seen.append(row['a'])\n    return 0\ndf.apply(f, axis=1)\nassert seen[2] == 3", None),
    (FRAME, "def f(row):\n    row['n'] = row['a'] + 1\n    return row\nassert df.apply(f, axis=1)['n'].tolist() == [2, 3, 4]", None),
    (FRAME, "e = df.assign(k=lambda d: d.a * 2)\ne.k\ne['k']\ne.pipe(lambda d: d[d.k > 2])\ne.z", "AttributeError"),
    (FRAME, "df.to_csv('out.csv', index=False)\nx = pd.read_csv('out.csv')\nx['a']", None),
    (FRAME, "df.to_string('out.txt')\nopen('out.txt').read()", None),
    (FRAME, "kept = pd.DataFrame.head\npd.DataFrame.head = lambda self, n=5: 'patched'\nassert df.head() == 'patched'\npd.DataFrame.head = kept", None),
    (FRAME, "pd.DataFrame.extra = lambda self: 7\ndf.extra()\ndel pd.DataFrame.extra", None),
]  # fmt: skip
NUMPY = [
    ("import numpy as np\na = np.arange(3.)\no = np.zeros(3)", "np.add(a, 1, o)\nassert o[2] == 3", None),
    ("import numpy as np\na = np.arange(3.)\no = np.zeros(3)", "np.cumsum(a, 0, None, o)\nassert o[2] == 3\na.cumsum(0, None, o)\nassert o[1] == 1", None),
    ("import numpy as np\na = np.arange(3.)\no = np.zeros(3)", "np.dot(np.eye(3), a, o)\nassert o[2] == 2\na.clip(0, 1, o)\nassert o[2] == 1", None),
    ("import numpy as np\no = np.zeros(3)", "np.add.reduce(np.ones((3, 3)), 0, None, o)\nassert o[2] == 3", None),
    ("import numpy as np\no = np.array([np.nan, 1.])", "np.nan_to_num(o, False)\nassert o[0] == 0", None),
    ("import numpy as np\na = np.arange(3)\na.flags.writeable = False", "a[0] = 5", "ValueError"),
    ("import numpy as np\na = np.arange(3)\na.flags.writeable = False", "a.flags.writeable = True\na[0] = 5", None),
    ("import numpy as np\na = np.arange(3)\na.flags.writeable = False", "b = a.copy()\nb[0] = 1\na.setflags(write=True)\na[0] = 7", None),
    ("import numpy as np", "b = bytearray(b'ab')\ne = np.frombuffer(b, dtype='u1')\nb[0] = 99\nassert e[0] == 99", None),
]  # fmt: skip
TORCH = [
    ("import torch", "w = torch.ones(2, requires_grad=True)\nz = (w * 2).sum()\nz.backward()\nw.grad.tolist()", None),
    ("import torch", "a = torch.zeros(3)\nb = a.view(3, 1)\nb[0] = 5\na.add_(1)\nassert b.flatten().tolist() == [6, 1, 1]", None),
]  # fmt: skip
SHARED = "v = [0]\nw = [v, v]\nd = {'a': v}\n"  # what a call gives back may be one of its arguments, or hold one
GIVEN_BACK = [
    (SHARED, f"z = {call}\nz.append(1)\nassert v == [0, 1]\nv[2]", "IndexError")
    for call in (
        "max(w)", "min(w)", "max(w, key=len)", "max([-1], v)", "sum([], v)", "max(d.values())", "min([], default=v)", "next(iter(w))",
        "d.get('a')", "d.setdefault('a', 3)", "sorted(w)[0]", "list(w)[0]", "(w + w)[3]", "list(zip(w, w))[0][1]",
    )
]  # fmt: skip
UNKNOWN = [
    ("", "buf, sizes = [], []\ndef h():\n    for i in range(3):\n        buf.append(i)\n        yield buf\nfor k, b in enumerate(h()):\n    sizes.append(len(b))\nsizes[2]", None),
]  # fmt: skip
SPECIAL = [
    ('lim = 2\ndef g():\n    for i in range(5):\n        if i >= lim:\n            return\n        yield i', 'for k, v in enumerate(g()):\n    lim = 5\nassert v == 4', None),
    ('def h():\n    row = []\n    yield row\n    row.append(1)\n    yield 5', 'for i, r in enumerate(h()):\n    if i == 0:\n        assert len(r) == 0', None),
    ('def h():\n    row = []\n    yield row\n    row.append(1)\n    yield row', 'for a, r in zip([1, 2], h()):\n    assert len(r) == a - 1', None),
    ("l = [0] * 9\nclass R:\n    def __repr__(self):\n        l.append(1)\n        return 'r'\nr = R()", 'print([r])\nl[9]', None),
    ("l = [0] * 9\nclass R:\n    def __repr__(self):\n        l.append(1)\n        return 'r'\nr = R()", "f'{r}'\nl[9]", None),
    ("l = [0] * 9\nclass R:\n    def __repr__(self):\n        l.append(1)\n        return 'r'\nr = R()", "str({'a': r})\nl[9]", None),
    ('l = [0] * 9\nclass R:\n    def __lt__(self, o):\n        l.append(1)\n        return True\nr = R()', 'sorted([r, r])\nl[9]', None),
    ('import abc\nclass B(abc.ABC):\n    pass', 'B.register(int)\nassert isinstance(3, B)', None),
    ('from sklearn.base import BaseEstimator, TransformerMixin\nfrom sklearn.pipeline import make_pipeline\nfrom sklearn.linear_model import LinearRegression\ncalls = []\nX, y = [[1.], [2.], [3.]], [1, 2, 3]', "class Tr(BaseEstimator, TransformerMixin):\n    def __init__(self, n=1):\n        self.n = n\n    def fit(self, X, y=None):\n        calls.append('fit')\n        return self\n    def transform(self, X):\n        calls.append('t')\n        return X\np = make_pipeline(Tr(2), LinearRegression())\np.fit(X, y)\np.predict(X)\ncalls[2]", None),
]  # fmt: skip
NEW = [
    ("from dataclasses import dataclass, KW_ONLY\n@dataclass\nclass P:\n    x: int\n    _: KW_ONLY\n    t: int = 5", "P(1, t=2).t\nP(1, 2)", "TypeError"),
] if sys.version_info >= (3, 10) else []  # fmt: skip


@pytest.mark.parametrize(
    ("setup", "cell", "exception"), LATE + BEHIND + PANDAS + NUMPY + TORCH + GIVEN_BACK + UNKNOWN + SPECIAL + NEW
)
def test_nothing_is_said_that_does_not_happen(setup: str, cell: str, exception: str | None, kernel: Kernel) -> None:
    for library in ("numpy", "pandas", "torch", "sklearn"):
        if f"import {library}" in setup:
            pytest.importorskip(library)
    kernel.setup(setup)
    expect(kernel, cell, exception)
