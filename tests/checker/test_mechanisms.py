"""Each mechanism of the interpreter, on cells that are checked and then run. None stands for a cell that runs."""

from __future__ import annotations

import sys

import pytest
from claims import expect
from kernel import Kernel

ALIASES = [
    ("a = [1]\nb = a", "b.append(2)\na[1]\na[2]", "IndexError"),
    ("a = [1]\nb = [a]", "b[0].append(2)\na[1]", None),
    ("a = {'x': []}\nl = a['x']", "l.append(1)\na['x'][0]\na['x'][1]", "IndexError"),
    ("def put(v):\n    v.append(1)\na = []", "put(a)\na[0]\na[1]", "IndexError"),
    ("a = [1, 2]", "b = a[:]\nb.append(3)\na[2]", "IndexError"),
    ("a = [[0]] * 2", "a[0].append(5)\na[1][1]", None),
    ("class N:\n    items = []\nx, y = N(), N()", "x.items.append(1)\ny.items[0]", None),
    ("def f(v=[]):\n    v.append(1)\n    return v", "f()\nf()[1]\nf()[3]", "IndexError"),
    ("a = [1]\nb = a", "a = a + [2]\nb[1]", "IndexError"),
    ("a = [1]\nb = a", "a += [2]\nb[1]", None),
    ("import numpy as np\nx = np.arange(4)\ny = x[:2]", "y[0] = 9\nassert x[0] == 9", None),
    ("import numpy as np\nx = np.arange(4)\ny = x[:2].copy()", "y[0] = 9\nassert x[0] == 9", "AssertionError"),
    ("d = {'a': 1}\nk = d.keys()", "d['b'] = 2\nassert 'b' in k", None),
]
# ``+=`` of a list: who answers, and what may not be written to stays so.
ADDITIONS = [
    ("", "v = [1]\nv += (2, 3)\nv[3]", "IndexError"),
    ("", "v = [1]\nv += 5", "TypeError"),
    ("import numpy as np", "v = [-1]\nv += np.arange(3)\nv.append(3)", "AttributeError"),
    ("import numpy as np", "v = [-1]\nv += np.int64(5)\nassert v.tolist() == [4]", None),
    ("import pandas as pd", "v = [-1]\nv += pd.Series([1], index=['a'])\nv['b']", "KeyError"),
    ("import pandas as pd", "v = [-1]\nv += pd.Series([1], index=['a'])\nassert v['a'] == 0", None),
    ("class R:\n    def __radd__(self, other):\n        return 'r'\nr = R()", "v = [1]\nv += r\nv.upper()", None),
    ("class R:\n    def __radd__(self, other):\n        return NotImplemented\n    def __iter__(self):\n        return iter([2])\nr = R()", "v = [1]\nv += r\nv[1]", None),
    ("import numpy as np\nx = np.arange(4.)\nx.flags.writeable = False", "np.random.shuffle(x)", "ValueError"),
    ("import numpy as np\nx = np.arange(4.)\nx.flags.writeable = False", "x.sort()", "ValueError"),
    ("import numpy as np\nx = np.arange(4.)", "np.random.shuffle(x)\nx.sort()\nassert x[3] == 3", None),
]  # fmt: skip
BRANCHES = [
    ("import random", "if random.random() < 2:\n    x = 1\nx + 1", None),
    ("import random\nv = [1]", "if random.random() < 0.5:\n    v.append(2)\nv[5]", "IndexError"),
    ("import random", "y = 'a' if random.random() < 0.5 else 'b'\ny + 1", "TypeError"),
    (
        "import random",
        "if random.random() < 0.5:\n    raise ValueError('same')\nelse:\n    raise ValueError('same')",
        "ValueError",
    ),
    ("import random\nv = []", "if random.random() < 2 and v:\n    v[0]", None),
    ("v = []", "v and v[0]\nv or v[0]", "IndexError"),
    ("n = 3", "1 < n < 2 < undefined_name", None),
    ("n = 3", "1 < n < 4 < undefined_name", "NameError"),
    ("import random", "x = 1\nif random.random() < 2:\n    del x\nprint('ok')", None),
    ("import random", "for i in range(3):\n    if random.random() < 2:\n        break\n    nothing_here", None),
    ("import random\ndef f():\n    if random.random() < 2:\n        return 1\n    return nothing_here", "f()", None),
]
LOOPS = [
    ("v = [3, 2, 1, 0]", "for i in v:\n    6 / i", "ZeroDivisionError"),
    ("", "for i in range(3):\n    pass\nelse:\n    nothing_here", "NameError"),
    ("", "for i in range(3):\n    break\nelse:\n    nothing_here", None),
    ("v = [1]", "for i in v:\n    if len(v) < 3:\n        v.append(i)\nv[2]", None),
    ("", "i = 0\nwhile i < 3:\n    i += 1\n[0, 1, 2][i]", "IndexError"),
    ("", "for i, (a, b) in enumerate(zip('ab', [1, 2])):\n    a + b", "TypeError"),
    ("d = {'a': 1}", "for k in d:\n    d[k + 'x']", "KeyError"),
    ("", "for i in []:\n    nothing_here", None),
    ("", "for x in map(int, ['1', 'q']):\n    pass", "ValueError"),
    ("", "for i in range(100000):\n    pass\nnothing_here", "NameError"),
    ("v = []", "total = 0\nfor i in range(10**6):\n    total += i\nv[0]", "IndexError"),
    ("", "for x in reversed([1, 2]):\n    last = x\n[9][last]", "IndexError"),
    ("it = iter([1, 2, 3])", "for x in it:\n    pass\nassert x == 3", None),
]
EXCEPTIONS = [
    ("d = {}", "try:\n    d['a']\nexcept KeyError:\n    d['b'] = 1\nd['b']\nd['a']", "KeyError"),
    ("", "try:\n    1 / 0\nexcept ValueError:\n    pass", "ZeroDivisionError"),
    ("", "try:\n    1 / 0\nexcept (ValueError, ArithmeticError) as e:\n    pass\ne", "NameError"),
    ("", "try:\n    pass\nexcept ValueError:\n    pass\nelse:\n    nothing_here", "NameError"),
    ("", "try:\n    1 / 0\nfinally:\n    nothing_here", "NameError"),
    (
        "exec('def opaque():\\n    raise KeyError(1)')",
        "try:\n    opaque()\n    nothing_here\nexcept KeyError:\n    pass",
        None,
    ),
    (
        "exec('def opaque():\\n    return 1')",
        "try:\n    opaque()\nexcept KeyError:\n    x = 1\nnothing_here",
        "NameError",
    ),
    ("import contextlib", "with contextlib.suppress(ZeroDivisionError):\n    1 / 0\n[][0]", "IndexError"),
    ("", "def f():\n    try:\n        return 1\n    finally:\n        pass\nf().nothing", "AttributeError"),
    ("", "import sys\nsys.exit\ntry:\n    raise SystemExit\nexcept SystemExit:\n    pass\nnothing_here", "NameError"),
    (
        "class Mine(Exception):\n    pass",
        "try:\n    raise Mine('a')\nexcept Exception as e:\n    assert str(e) == 'b'",
        "AssertionError",
    ),
    (
        "class Quiet:\n    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n        return True",
        "with Quiet():\n    1 / 0",
        None,
    ),
    (
        "class Loud:\n    def __enter__(self):\n        return 5\n    def __exit__(self, *a):\n        pass",
        "with Loud() as n:\n    n.nothing",
        "AttributeError",
    ),
]
SWALLOWED = [
    ("import contextlib", "with contextlib.suppress(KeyError):\n    len(3)\n[][0]", "TypeError"),
    (
        "import contextlib\nv = {}",
        "with contextlib.suppress(KeyError, IndexError):\n    v['a']\n    nothing_here\nv['b']",
        "KeyError",
    ),
    (
        "class Maybe:\n    def __enter__(self):\n        return self\n    def __exit__(self, kind, *rest):\n        return kind is KeyError",
        "with Maybe():\n    [][0]\nnothing_here",
        "IndexError",
    ),
    (
        "exec('def opaque():\\n    return 1')",
        "try:\n    opaque()\n    1 / 0\nexcept KeyError:\n    pass\nnothing_here",
        "ZeroDivisionError",
    ),
]
FUNCTIONS = [
    (
        "def outer():\n    x = 1\n    def inner():\n        return x + y\n    y = 'a'\n    return inner",
        "outer()()",
        "TypeError",
    ),
    ("def f(a, *rest, k=1, **more):\n    return rest[1]", "f(1, 2)", "IndexError"),
    ("", "def f(a, *rest, k=1, **more):\n    return more['z']\nf(1, 2, k=3, z=4)\nf(1)", "KeyError"),
    ("def gen():\n    yield 1\n    yield 'a'", "for g in gen():\n    g + 1", "TypeError"),
    ("def gen(n):\n    for i in range(n):\n        yield i", "list(gen(2))[2]", "IndexError"),
    ("def gen():\n    yield 1", "g = gen()\nnext(g)\nassert True", None),
    (
        "import functools\ndef shout(f):\n    @functools.wraps(f)\n    def inner(*a):\n        return f(*a)\n    return inner\n@shout\ndef g(x):\n    return x / 0",
        "g(1)",
        "ZeroDivisionError",
    ),
    ("def fact(n):\n    return 1 if n == 0 else n * fact(n - 1)", "[1][fact(3)]", "IndexError"),
    ("fs = [lambda i=i: 1 / i for i in range(2)]", "fs[1]()\nfs[0]()", "ZeroDivisionError"),
    ("count = 0\ndef bump():\n    global count\n    count += 1", "bump()\nbump()\n[0, 1][count]", "IndexError"),
    ("async def co():\n    return 1", "co().close()", None),
    ("import asyncio", "await asyncio.sleep(0)\nnothing_here", "NameError"),
    ("def f(x):\n    return x.upper()", "sorted(['a', 1], key=f)", "AttributeError"),
    ("def f():\n    return later()\ndef later():\n    return [][0]", "f()", "IndexError"),
    ("f = lambda *a: a[2]", "f(1, 2)", "IndexError"),
    ("", "(lambda: (yield))\nsum(x for x in [1, 'a'])", "TypeError"),
]
CLASSES = [
    (
        "class A:\n    def __init__(self):\n        self.x = 1\nclass B(A):\n    def __init__(self):\n        super().__init__()\n        self.y = self.x + 1",
        "B().y + B().z",
        "AttributeError",
    ),
    (
        "from dataclasses import dataclass, field\n@dataclass\nclass P:\n    n: int\n    v: list = field(default_factory=list)",
        "P(1).v[0]",
        "IndexError",
    ),
    ("from dataclasses import dataclass\n@dataclass\nclass P:\n    n: int", "P()", "TypeError"),
    ("class A:\n    @property\n    def x(self):\n        return self._x", "A().x", "AttributeError"),
    ("class A:\n    @property\n    def x(self):\n        return 1", "A().x = 2", "AttributeError"),
    (
        "class A:\n    @classmethod\n    def make(cls, n):\n        return cls().run(n)\n    def run(self, n):\n        return n / 0",
        "A.make(1)",
        "ZeroDivisionError",
    ),
    (
        "class S:\n    def __getitem__(self, i):\n        return [1, 2][i]\n    def __len__(self):\n        return 2\ns = S()",
        "for x in s:\n    pass\ns[2]",
        "IndexError",
    ),
    ("", "class A:\n    n = 1\n    m = n + 1\n    def f(self):\n        return n\nA().f()", "NameError"),
    ("class A:\n    pass\na = A()", "a.x = 1\na.x\ndel a.x\na.x", "AttributeError"),
    (
        "class A:\n    def __eq__(self, o):\n        return True\na = A()",
        "assert a == 5\nassert a != 5",
        "AssertionError",
    ),
    ("class A:\n    def __call__(self, n):\n        return n[0]\na = A()", "a(3)", "TypeError"),
    (
        "class V:\n    def __init__(self, x):\n        self.x = x\n    def __add__(self, o):\n        return V(self.x + o.x)\nv = V(1)",
        "(v + v).x\nv + 1",
        "AttributeError",
    ),
    ("class A:\n    def __iter__(self):\n        yield 1\n        yield 2\na = A()", "x, y, z = a", "ValueError"),
    ("import enum\nclass C(enum.Enum):\n    RED = 1", "C.RED.value\nC.BLUE", "AttributeError"),
    ("from collections import namedtuple\nP = namedtuple('P', 'x y')\np = P(1, 2)", "p.x\np.z", "AttributeError"),
    ("class A:\n    __slots__ = ('x',)\na = A()", "a.x = 1\na.x", None),
]
DYNAMIC = [
    ("", "exec('q = 1')\nq", None),
    ("", "globals()['w'] = 2\nw", None),
    ("", "from os.path import *\njoin('a', 'b')", None),
    ("class M(dict):\n    def __getattr__(self, n):\n        return 1\nm = M()", "m.anything", None),
    (
        "import json\njson.loads_backup = json.loads\njson.loads = lambda s: 5",
        "json.loads('{')\njson.loads = json.loads_backup\ndel json.loads_backup",
        None,
    ),
    ("", "%time z = 3\nz", None),
    ("import sys", "if len('ab') == 2:\n    pass\nelse:\n    sys.exit()\nnothing_here", "NameError"),
    ("", "!true\nnothing_here", "NameError"),
    ("len = lambda x: 99", "[0][len('a')]", "IndexError"),
    ("import builtins", "str = int\nstr('x')", "ValueError"),
]
pattern_cases = [
    (
        "v = [1, 2]",
        "match v:\n    case [a]:\n        nothing_here\n    case [a, b]:\n        b.nothing",
        "AttributeError",
    ),
    ("d = {'k': 1}", "match d:\n    case {'k': str()}:\n        nothing_here\n    case {'k': n}:\n        pass", None),
    (
        "n = 3",
        "match n:\n    case 1 | 2:\n        nothing_here\n    case x if x > 2:\n        x / 0",
        "ZeroDivisionError",
    ),
]
PATTERNS = pattern_cases if sys.version_info >= (3, 10) else []


@pytest.mark.parametrize(
    ("setup", "cell", "exception"),
    ALIASES + ADDITIONS + BRANCHES + LOOPS + EXCEPTIONS + FUNCTIONS + CLASSES + DYNAMIC + PATTERNS,
)
def test_what_is_found_is_what_happens(setup: str, cell: str, exception: str | None, kernel: Kernel) -> None:
    kernel.setup(setup)
    expect(kernel, cell, exception)


def test_followed_says_how_much_was_exact(kernel: Kernel) -> None:
    assert kernel.check("x = 1\ny = [x, 2]\nlen(y)").complete
    kernel.setup("exec('def opaque():\\n    return 1')")
    lossy = kernel.check("x = 1\nif opaque():\n    x = 2\nx + 1")
    assert not lossy.complete and 0 < lossy.followed < 1 and lossy.lost


def test_exit_ends_what_is_certain(kernel: Kernel) -> None:
    assert kernel.check("import sys\nsys.exit()\nnothing_here").finding is None
    assert kernel.check("raise SystemExit").finding is None
    assert kernel.check("raise KeyboardInterrupt").finding is None


def test_a_changed_input_transformer_is_not_guessed(kernel: Kernel) -> None:
    def rewrite(lines: list[str]) -> list[str]:
        return ["nothing_here = 1\n", *lines]

    kernel.shell.input_transformers_post.append(rewrite)
    try:
        assert kernel.check("nothing_here").finding is None
    finally:
        kernel.shell.input_transformers_post.remove(rewrite)


def test_the_place_of_a_crash_inside_a_function_is_its_call(kernel: Kernel) -> None:
    kernel.setup("def f(x):\n\n\n    return x['a']")
    finding = kernel.check("n = 1\nd = {}\nf(d)").finding
    assert finding is not None and (finding.line, finding.column) == (3, 0)
    assert "d" in finding.variables


def test_columns_are_characters(kernel: Kernel) -> None:
    finding = kernel.check("größe = {'ä': 1}; größe['ö']").finding
    assert finding is not None and (finding.column, finding.end_column) == (18, 28)


def test_a_nearest_name_is_suggested(kernel: Kernel) -> None:
    kernel.setup("learning_rate = 0.1\nconfig = {'epochs': 3}")
    name = kernel.check("print(lerning_rate)").finding
    assert name is not None and name.suggestion is not None and name.suggestion["text"] == "learning_rate"
    key = kernel.check("config['epoch']").finding
    assert key is not None and key.suggestion is not None and key.suggestion["text"] == "'epochs'"
    assert (key.suggestion["column"], key.suggestion["end_column"]) == (7, 14)


@pytest.mark.parametrize(("setup", "cell", "exception"), SWALLOWED)
def test_a_later_crash_is_never_named_for_the_first(setup: str, cell: str, exception: str, kernel: Kernel) -> None:
    kernel.setup(setup)
    report = kernel.check(cell)
    error = kernel.run(cell)
    assert type(error).__name__ == exception, f"the case itself is wrong: {error!r}"
    assert report.finding is None or (report.finding.exception, report.finding.message) == (exception, str(error))
