"""Random kernel states and random small cells over them, as hypothesis strategies.

The pieces are chosen so that a good part of the cells run, the others crash in many ways, and what is not decidable (conditions on
random numbers, functions without source) stands among what is.
"""

from __future__ import annotations

from hypothesis import strategies as st

INTS = ["n", "m"]
TEXTS = ["s", "t"]
LISTS = ["v", "w"]
DICTS = ["d", "e"]
FRAMES = ["df", "g"]
ARRAYS = ["x", "y"]
NAMES = INTS + TEXTS + LISTS + DICTS
COLUMNS = ["a", "b", "c", "k", "a", "k"]

PRELUDE = """
import random, math, json, contextlib
import numpy as np, pandas as pd
exec("def opaque(*args):\\n    return None")
exec("def grow(items):\\n    items.append(7)\\n    return items")
def twice(z):
    return z + z
def pick(items, i=0):
    return items[i]
def total(items):
    out = 0
    for item in items:
        out += item
    return out
def shout(word, *, end='!'):
    return word.upper() + end
class Box:
    def __init__(self, value):
        self.value = value
        self.log = []
    def put(self, item):
        self.log.append(item)
        return self
    @property
    def size(self):
        return len(self.log)
    def __add__(self, other):
        return Box(self.value + other)
box = Box(1)
"""

small = st.integers(-1, 3)
column = st.sampled_from(COLUMNS)
key = st.sampled_from(["'p'", "'q'", "'p'", "1", "'r'"])


def name(*pools: list[str]) -> st.SearchStrategy[str]:
    return st.sampled_from([n for pool in pools for n in pool])


@st.composite
def states(draw: st.DrawFn) -> str:
    """Statements that bind most of the names."""
    lines = [
        f"n, m = {draw(small)}, {draw(small)}",
        f"s, t = {draw(st.sampled_from(['', 'ab', '12', '3.5', 'a,b,c']))!r}, {draw(st.sampled_from(['x', '7', 'Ab c']))!r}",
        f"v = {draw(st.lists(small, min_size=1, max_size=5))!r}",
        f"w = {draw(st.sampled_from(['v', '[1, 2]', '[[1], [2, 3]]', repr(['a', 'b']), '[v, v]', '[]', '[None, 1]']))}",
        f"d = {draw(st.dictionaries(st.sampled_from(['p', 'q', 1]), small, max_size=3))!r}",
        f"e = {draw(st.sampled_from(['d', '{}', repr({'p': [1]}), repr({'q': {'r': 2}})]))}",
        "df = pd.DataFrame({"
        + ", ".join(f"{c!r}: {draw(_cells)}" for c in sorted({"a", "k", *draw(st.sets(column, max_size=2))}))
        + "})",
        f"g = {draw(st.sampled_from(['df', 'df.copy()', 'df[df.columns[:1]]', 'df.head(1)', 'pd.DataFrame()']))}",
        f"x = np.array({draw(st.sampled_from(['[1, 2, 3]', '[[1, 2], [3, 4]]', '[0.5, 1.5]', '[]', repr(['a', 'b']), '[1, 2, 3, 4]']))})",
        f"y = {draw(st.sampled_from(['x', 'x[:2]', 'np.zeros(3)', 'np.ones((2, 3))', 'np.arange(4)']))}",
    ]
    gone = draw(st.sampled_from(["", "", "", "del m", "del t", "box.put(3)", "v2 = v"]))
    return PRELUDE + "\n".join([*lines, gone])


_cells = st.sampled_from(
    ["[1, 2, 3]", "[1.0, None, 3.0]", repr(["u", "v", "u"]), repr(["1", "2", "x"]), "[0, 1, 0]", "[True, False, True]"]
)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> str:
    """An expression over the names."""
    if depth == 0:
        return draw(st.one_of(name(NAMES), small.map(str), key))
    inner = expressions(depth - 1)
    shape = draw(st.integers(0, 27))
    a, b = draw(name(LISTS)), draw(name(DICTS))
    f, x = draw(name(FRAMES)), draw(name(ARRAYS))
    c, i = draw(column), draw(small)
    if shape == 0:
        left, right = (draw(inner), draw(inner)) if draw(st.integers(0, 3)) == 0 else (draw(name(INTS)), draw(small))
        return f"({left} {draw(st.sampled_from(['+', '-', '*', '/', '//', '%', '==', '<']))} {right})"
    if shape == 1:
        return f"{b}[{draw(key)}]"
    if shape == 2:
        return f"{a}[{i}]"
    if shape == 3:
        return f"len({draw(name(LISTS, DICTS, TEXTS))})"
    if shape == 4:
        return f"[q * 2 for q in {draw(name(LISTS, DICTS))}]"
    if shape == 5:
        return f"twice({draw(name(INTS, TEXTS, LISTS))})"
    if shape == 6:
        return f"pick({a}, {i})"
    if shape == 7:
        return f"total({a})"
    if shape == 8:
        return f"{draw(name(TEXTS))}.{draw(st.sampled_from(['upper()', 'split(chr(44))', 'index(chr(97))', 'nope', 'strip()', 'title()', 'find(chr(97))', 'lower()']))}"
    if shape == 9:
        return f"int({draw(name(TEXTS))})"
    if shape == 10:
        return f"{f}[{c!r}]"
    if shape == 11:
        return f"{f}[{c!r}].{draw(st.sampled_from(['sum()', 'mean()', 'astype(int)', 'str.upper()', 'unique()', 'tolist()', 'fillna(0)', 'map(len)']))}"
    if shape == 12:
        return f"{f}.drop(columns=[{c!r}])"
    if shape == 13:
        return f"{f}.groupby({c!r}).size()"
    if shape == 14:
        return f"{x}.{draw(st.sampled_from(['sum()', 'reshape(2, 2)', 'shape', 'T', 'mean(axis=1)', 'astype(float)', 'max()']))}"
    if shape == 15:
        return f"({x} + {draw(name(ARRAYS))})"
    if shape == 16:
        return f"{x}[{i}]"
    if shape == 17:
        return f"np.concatenate([{x}, {draw(name(ARRAYS))}])"
    if shape == 18:
        return f"({draw(inner)} if {draw(name(NAMES))} else {draw(inner)})"
    if shape == 19:
        return f"Box({draw(inner)}).{draw(st.sampled_from(['value', 'size', 'put(1).size', 'nothing', 'log']))}"
    if shape == 20:
        return f"sorted({draw(name(LISTS, DICTS))})"
    if shape == 21:
        return f"{b}.get({draw(key)}, {i})"
    if shape == 22:
        return f"(lambda z: z and z[0])({a})"
    if shape == 23:
        return f"dict(zip({a}, {draw(name(LISTS))}))"
    if shape == 24:
        return f"{f}.loc[{i}]"
    if shape == 25:
        return f"{f}.iloc[{i}]"
    if shape == 26:
        return f"f'{{{draw(name(NAMES))}:{draw(st.sampled_from(['', '>4', '.1f', 'd']))}}}'"
    return f"max({draw(name(LISTS))})"


@st.composite
def statements(draw: st.DrawFn, depth: int = 2) -> list[str]:
    """A statement, as lines."""
    shape = draw(st.integers(0, 24 if depth else 14))
    value = draw(expressions())
    a, b, f, x = draw(name(LISTS)), draw(name(DICTS)), draw(name(FRAMES)), draw(name(ARRAYS))
    c, i = draw(column), draw(small)
    simple = {
        0: f"{draw(name(NAMES))} = {value}",
        1: value,
        2: f"{a}.append({draw(expressions(1))})",
        3: f"{b}[{draw(key)}] = {draw(expressions(1))}",
        4: f"{f}[{c!r}] = {draw(st.sampled_from(['1', '[1, 2, 3]', '[1, 2]', 'n', 'v', f'{f}.index']))}",
        5: f"{a}.pop()",
        6: f"del {draw(st.sampled_from(['n', 'v[0]', 'd[1]', 's', 'v[:]', 'w[1:]', 'm']))}",
        7: draw(
            st.sampled_from(
                [f"{draw(name(INTS))} += {draw(small)}", f"{a} += [{draw(small)}]", f"{a} += {draw(expressions(1))}"]
            )
        ),
        8: f"n, m = {draw(st.sampled_from(['m, n', 'm, n', 'v', 'd', 's', '(1, 2)', '[2, 0]', 'w']))}",
        9: f"{x}[{i}] = {draw(small)}",
        10: f"{f} = {f}.rename(columns={{{c!r}: {draw(column)!r}}})",
        11: f"box.{draw(st.sampled_from(['put(n)', 'value = s', 'extra = 1', 'log.clear()', 'log.pop()']))}",
        12: f"opaque({draw(name(NAMES, FRAMES))})",
        13: f"{draw(name(LISTS))} = grow({a})",
        14: f"{f}.drop(columns={c!r}, inplace=True)",
    }
    if shape in simple:
        return [simple[shape]]
    body = ["    " + line for line in draw(statements(depth - 1))]
    other = ["    " + line for line in draw(statements(depth - 1))]
    if shape == 15:
        return [f"if random.random() < {draw(st.sampled_from(['0.5', '2', '-1']))}:", *body]
    if shape == 16:
        return [f"if {draw(expressions(1))}:", *body, "else:", *other]
    if shape == 17:
        return [f"for n in {draw(name(LISTS))}:", *body]
    if shape == 18:
        return [f"for n in range({draw(small)}):", *body, "else:", *other]
    if shape == 19:
        wrong = draw(st.sampled_from(["Exception", "KeyError", "(ValueError, TypeError)", "IndexError"]))
        return ["try:", *body, f"except {wrong}:", *other]
    if shape == 20:
        return ["def local(p, q=1):", *body, "    return p", f"local({draw(expressions(1))})"]
    if shape == 21:
        return [f"while {draw(st.sampled_from(['v', 'n < 3', 'random.random() < 0.3']))}:", *body, "    break"]
    if shape == 22:
        return ["with contextlib.suppress(KeyError, IndexError):", *body]
    if shape == 23:
        return ["try:", *body, "finally:", *other]
    return [f"for n in {draw(name(LISTS))}:", "    if random.random() < 0.5:", "        continue", *body]


@st.composite
def cells(draw: st.DrawFn) -> str:
    """A cell of a few statements."""
    return "\n".join(line for part in draw(st.lists(statements(), min_size=1, max_size=3)) for line in part)


cases = st.tuples(states(), cells())
