"""Code of the notebook that runs out of sight leaves its effects: what it may have changed is claimed no more.

Each form uses an object of the kernel that hides a function; the statement after it fails only where that function did not run.
"""

from __future__ import annotations

import pytest
from kernel import Kernel

STATE = """
import collections, functools, itertools, json, operator
import numpy as np, pandas as pd
seen, kept, lst, n = [], {}, [], 0
def hit(*a, **k):
    global n
    n += 1
    seen.append(1); kept['k'] = 1
    return 1
def put(into, *a):
    into.append(5)
    return 1
vec = np.vectorize(hit, otypes=[int])
universal, unary = np.frompyfunc(hit, 2, 1), np.frompyfunc(hit, 1, 1)
filled = collections.defaultdict(hit); filled['k'] = 2
part, putting = functools.partial(hit, 1), functools.partial(put, lst)
cached = functools.lru_cache(hit)
key = functools.cmp_to_key(hit)(1)
s = pd.Series(['k', 'z', 'q']); df = pd.DataFrame({'a': [1, 2, 3], 'b': [1, 1, 2]})
by = df.groupby(hit)
class Accessor:
    def __init__(self, frame): hit()
    def go(self): return 1
pd.api.extensions.register_dataframe_accessor('mine')(Accessor)
class Lazy:
    x = property(hit)
    @functools.cached_property
    def y(self): return hit()
    @functools.singledispatchmethod
    def z(self, a): return hit()
    @staticmethod
    def w(): return hit()
@functools.singledispatch
def dispatched(a): return hit()
@functools.wraps(len)
def wrapped(a): return hit()
class Iterable:
    def __iter__(self):
        hit()
        return iter([1])
each = Iterable()
def counting():
    global n
    for i in range(3):
        n += 1; seen.append(i); kept['k'] = i
        yield i
def filling(into):
    for i in range(3):
        into.append(i)
        yield i
def fresh():
    global mapped, chosen, starred, until, groups, summed, teed, zipped, numbered, chained, gen, counted, filler, lazy, n
    mapped, chosen, starred, until = map(hit, [1, 2, 3]), filter(hit, [1, 2]), itertools.starmap(hit, [(1,)]), iter(hit, 1)
    groups, summed, teed = itertools.groupby([1, 2], hit), itertools.accumulate([1, 2, 3], hit), itertools.tee(map(hit, [1, 2]))
    zipped, numbered, chained = zip(map(hit, [1, 2]), [1, 2]), enumerate(map(hit, [1, 2])), itertools.chain(map(hit, [1]))
    gen, counted, filler, lazy = (hit(i) for i in range(3)), counting(), filling(lst), Lazy()
    n = 0
    seen.clear(); kept.clear(); lst.clear(); cached.cache_clear()
"""
FORMS = (
    """
vec(np.arange(3))|list(map(vec, [1]))|df.a.map(vec)|universal(1, 2)|universal.reduce([1, 2, 3])|universal.outer([1], [2])|unary([1])|filled['x']
s.map(filled)|'%(x)s' % filled|'{x}'.format_map(filled)|sorted(['a', 'b'], key=filled.__getitem__)|part()|s.map(part)|df.apply(part)|sorted([2, 1], key=part)
cached(7)|s.map(cached)|functools.reduce(part, [1, 2])|next(mapped)|list(mapped)|sum(mapped)|pd.Series(mapped)|set(mapped)|print(*mapped)|x, *y = mapped
max(mapped)|[q for q in mapped]|list(chosen)|any(chosen)|list(starred)|next(until)|[k for k, _ in groups]|list(summed)|list(teed[0])|next(teed[1])|list(zipped)
dict(zipped)|list(numbered)|list(chained)|next(gen)|list(gen)|sum(gen)|pd.Series(gen)|max(gen)|next(counted)|list(counted)|set(counted)|np.fromiter(counted, int)
','.join(map(str, counted))|df.mine|df.mine.go()|by.apply(hit)|by.agg(hit)|key < key|sorted([key, key])|lazy.x|lazy.y|lazy.z(1)|lazy.w()|Lazy.w()|dispatched(1)|wrapped(1)
list(each)|first, = each|collections.Counter(counted)|collections.deque(counted, maxlen=2)|itertools.chain(counted).__next__()|next(itertools.islice(counted, 2))
list(zip(counted, [1]))|list(enumerate(counted))|all(counted)|1 in counted|1 in each|tuple(counted)|sorted(counted)|dict.fromkeys(counted)|min(counted)|list(map(int, counted))
functools.reduce(lambda a, b: a, counted)|''.join(str(q) for q in counted)|np.array(list(counted))|pd.DataFrame({'a': list(counted)})|json.dumps(list(counted))
np.apply_along_axis(part, 0, np.ones((2, 2)))|np.piecewise(np.arange(3.), [np.array([True, False, True])], [part])|df.pipe(part)|df.assign(c=part)|df.groupby(part).sum()
df.rolling(2).apply(part)|df.sort_values('a', key=lambda c: (hit(), c)[1])|operator.methodcaller('__call__')(part)
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
LISTS = (
    """
putting()|s.map(putting)|sorted([1], key=putting)|next(filler)|list(filler)|sum(filler)|pd.Series(filler)|np.fromiter(filler, int)|df.apply(putting)|functools.reduce(putting, [1, 2])
json.dumps(list(filler))|print(list(filler))|exec('putting()')|eval('putting()')|putting.func(putting.args[0])|list(itertools.starmap(putting, [()]))
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
CELLS = [f"{form}\n{tail}" for form in FORMS for tail in ("seen[0]", "assert n > 0", "kept['k']")]
CELLS += [f"{form}\nlst[0]" for form in LISTS]
OWN = [
    ("", "it = iter([1, 2])\nassert 1 in it\nnext(it)\n[0][0]", None),
    ("", "it = iter([1, 2])\nassert 1 in it\n{2: 'b'}[next(it)]", None),
    ("", "it = iter([1, 2])\n3 in it\nnext(it)", "StopIteration"),
    ("", "import collections\nit = iter([1, 2])\ncollections.deque(it, maxlen=0)\nnext(it)", "StopIteration"),
    ("import numpy as np", "it = iter([1, 2, 3])\nnp.fromiter(it, int, 2)\n{3: 'c'}[next(it)]", None),
    ("import pandas as pd", "it = map(str, [1, 2])\npd.Series(it)\nassert list(it) == []", None),
    ("", "it = iter([1, 2])\nexec('next(it)')\n{2: 'b'}[next(it)]", None),
    ("take = [next]", "it = (i for i in [1, 2])\ntake[0](it)\n{2: 'b'}[next(it)]", None),
    ("import subprocess\ndef f(i):\n    subprocess.os.getpid()\n    next(i)", "it = iter([1, 2])\nf(it)\n{2: 'b'}[next(it)]", None),
    ("", "import itertools\nit = iter([1, 2, 3])\nlist(itertools.islice(it, 2))\n{3: 'b'}[next(it)]", None),
    ("", "it = iter([1, 2, 3])\nlist(zip(it, it))\nassert list(it) == []", None),
    ("acc = []\ndef f(x, into=acc):\n    into.append(x)\n    return x\nimport functools\ng = functools.lru_cache(f)", "g(1)\nacc[0]", None),
    ("import pandas as pd\nclass T:\n    def __init__(self): self.t = []\n    def m(self, x): self.t.append(x); return x\no = T(); h = [o.m]\ns = pd.Series(range(5000))", "s.map(h[0])\no.t[0]", None),
]  # fmt: skip


def test_effects_of_hidden_code_are_seen() -> None:
    pytest.importorskip("pandas")
    kernel = Kernel()
    kernel.setup(STATE)
    wrong = {}
    for cell in CELLS:
        kernel.setup("fresh()")
        finding = kernel.check(cell).finding
        error = kernel.run(cell)
        told = None if finding is None else (finding.exception, finding.message)
        if told is not None and told != (type(error).__name__, str(error)):
            wrong[cell] = (told, repr(error))
    assert not wrong


@pytest.mark.parametrize(("state", "cell", "exception"), OWN)
def test_effects_on_what_is_handed_on(state: str, cell: str, exception: str | None) -> None:
    if "pandas" in state:
        pytest.importorskip("pandas")
    kernel = Kernel()
    kernel.setup(state or "pass")
    finding = kernel.check(cell).finding
    error = kernel.run(cell)
    assert (None if error is None else type(error).__name__) == exception
    assert finding is None or (finding.exception, finding.message) == (exception, str(error))
