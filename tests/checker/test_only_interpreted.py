"""A check never runs the person's code: wherever a function or a special method of the notebook hides, only its source is read."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Iterator

import pytest
from hidden_code import KERAS, PLOTTING, PYTHON, SKLEARN, TORCH
from kernel import Kernel

STATE = """
import collections, copy, functools, itertools, json, operator, re, string
import numpy as np, pandas as pd
calls = []
def hit(*a, **k):
    calls.append(a)
    return 1
def sum(a):  # the name of a function that is known to be pure
    calls.append(a)
    return a
class Own:
    def __call__(self, *a): calls.append(a); return 1
    def __len__(self): calls.append('len'); return 3
    def __getitem__(self, i): calls.append(i); return [1, 2, 3][i]
    def __eq__(self, other): calls.append('eq'); return True
    def __hash__(self): calls.append('hash'); return 1
    def __lt__(self, other): calls.append('lt'); return True
    def __array__(self, *a, **k): calls.append('array'); return np.zeros(3)
    def __bool__(self): calls.append('bool'); return True
    def __repr__(self): calls.append('repr'); return 'Own'
    def __format__(self, spec): calls.append('format'); return 'Own'
    def __index__(self): calls.append('index'); return 1
    def __float__(self): calls.append('float'); return 1.0
    def __iter__(self): calls.append('iter'); return iter([1])
    def __contains__(self, x): calls.append('contains'); return True
    def __add__(self, other): calls.append('add'); return 1
    __radd__ = __add__
class Accessor:
    def __init__(self, frame): calls.append('accessor')
    def go(self): return 1
pd.api.extensions.register_dataframe_accessor('mine')(Accessor)
c = Own()
vec, vec_typed = np.vectorize(sum), np.vectorize(hit, otypes=[float])
universal, unary = np.frompyfunc(hit, 2, 1), np.frompyfunc(hit, 1, 1)
filled = collections.defaultdict(hit); filled['k'] = 2
filled_own = collections.defaultdict(c)
part, part_own, nested = functools.partial(hit, 1), functools.partial(c), functools.partial(functools.partial(hit), 2)
cached = functools.lru_cache(hit)
key = functools.cmp_to_key(hit)(1)
s = pd.Series(['k', 'z', 'q']); df = pd.DataFrame({'a': [1, 2, 3], 'b': [1, 1, 2]})
mapped, kept, starred = map(hit, [1, 2, 3]), filter(hit, [1, 2]), itertools.starmap(hit, [(1,)])
until, grouped, summed = iter(hit, 1), itertools.groupby([1, 2], hit), itertools.accumulate([1, 2, 3], hit)
teed, zipped, chained = itertools.tee(map(hit, [1, 2])), zip(map(hit, [1]), [1]), itertools.chain(map(hit, [1]))
gen = (hit(i) for i in range(3))
chain_map = collections.ChainMap(filled, {'a': 1}); user_dict = collections.UserDict({'a': c})
queue = collections.deque([c]); counter = collections.Counter({c: 1})
by = df.groupby(hit)
try:
    styled = df.style.map(hit)
except (AttributeError, ImportError):  # no Jinja here, or an older name
    styled = by
sliced = slice(c)
objects, series = np.array([c, c], dtype=object), pd.Series([c, c])
calls.clear()
"""
CELLS = (
    """
vec(np.arange(3))|vec_typed([1, 2])|df.a.map(vec)|df.apply(vec)|np.apply_along_axis(vec, 0, np.ones((2, 2)))
universal(1, 2)|universal.reduce([1, 2, 3])|universal.accumulate([1, 2, 3])|universal.outer([1, 2], [3])|unary(np.arange(3))
filled['x']|s.map(filled)|s.replace(filled)|'%(x)s' % filled|'{x}'.format_map(filled)|string.Template('$x').substitute(filled)
operator.itemgetter('zz')(filled)|sorted(['a', 'b'], key=filled.__getitem__)|max(['a', 'b'], key=filled.__getitem__)|chain_map['zz']
filled_own['e']|s.map(filled_own)|df.rename(columns=filled)|df.groupby(filled).sum()|df.to_dict(into=filled)|filled.copy()['n']
part(3)|part_own()|nested(1)|s.apply(part)|s.map(part)|df.apply(part)|list(map(part, [1]))|sorted([3, 1], key=part)|re.sub('a', part, 'aaa')
functools.reduce(part, [1, 2, 3])|df.rename(columns=part)|df.sort_values('a', key=part)|df.groupby(part).sum()|df.agg({'a': part})
df.a.where(part)|df.assign(z=part)|df.pipe(part)|df[part]|df.loc[part]|df.iloc[part]|df.a.combine(df.b, part)|df.a.rolling(2).apply(part)
df.transform(part)|s.str.replace('k', part, regex=True)|df.corr(method=part)|df.pivot_table(index='a', aggfunc=part)|df.a.aggregate([part])
np.piecewise(np.arange(3.), [np.array([True, False, True])], [part])|np.apply_along_axis(part, 0, np.ones((2, 2)))|[3, 1].sort(key=part)
cached(3)|s.map(cached)|df.apply(cached)|df.a.sort_values(key=cached)|key < key|sorted([key, key])|min(key, key)
next(mapped)|list(mapped)|list(kept)|list(starred)|next(until)|list(grouped)|list(summed)|list(teed[0])|list(zipped)|list(chained)|list(gen)
pd.Series(mapped)|pd.Series(gen)|np.fromiter(mapped, int)|max(mapped)|set(mapped)|dict.fromkeys(mapped)|','.join(map(str, mapped))|any(mapped)
collections.Counter(mapped)|collections.deque(mapped)|list(itertools.islice(mapped, 2))|list(itertools.chain.from_iterable([mapped]))
c()|len(c)|c[0]|c == 1|{c: 1}|c in [c]|[c].index(1)|[1].count(c)|np.array(c)|np.asarray([c])|pd.Series([c]).unique()|df.a + c|df['a'] == c
not c|str(c)|f'{c}'|f'{c:>3}'|[1, 2, 3][c]|float(c)|1 + c|1 in c|print(*c)|a, *b = c|user_dict['a'] == 1|queue.index(3)|counter[c]|c in counter
[1, 2, 3][:c]|[1, 2, 3][sliced]|np.arange(3)[:c]|np.arange(3)[sliced]|df[:c]|df[sliced]|df.loc[c]|df.a.iloc[c]|np.zeros(c)|range(c)|'a' * c
by.sum()|by.ngroups|len(by)|styled.to_html()|df.mine|df.mine.go()|json.dumps(c, default=hit)|json.loads('{"a": 1}', object_hook=hit)
objects == 1|objects.sum()|objects + 1|np.unique(objects)|series == 1|series.unique()|series.value_counts()|series.astype(str)|series.isin([1])
copy.copy(c)|copy.deepcopy(filled)|copy.deepcopy(c)|df.to_string(formatters={'a': hit})|df.to_csv(float_format=hit)|df.eval('a + @c')|df.isin(c)
math = __import__('math').floor(c)|__import__('random').choice(c)|sorted([c, c])|[c] == [1]|(1, c) == (1, 2)|{1: c} == {1: 2}|min([c, c])
""".replace("\n", "|")
    .strip("|")
    .split("|")
)

SETTINGS = """
import sys, warnings
import numpy as np, pandas as pd
calls = []
def shown(x):
    calls.append('shown')
    return '%.2f' % x
def failed(*a): calls.append('failed')
def warned(*a, **k): calls.append('warned')
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] not in {*sys.stdlib_module_names, 'crane_llm'}: calls.append(name)  # those the checker itself needs
pd.set_option('display.float_format', shown)
np.set_printoptions(formatter={'float': shown})
np.seterrcall(failed); np.seterr(all='call')
warnings.showwarning = warned
sys.meta_path.insert(0, Finder())
df = pd.DataFrame({'a': [1.5, 2.5]}); arr = np.array([1.5, 2.5]); zero = np.array([0.0, 1.0])
str(df), str(arr)
calls.clear()
"""
UNDER_SETTINGS = (
    """
print(df)|str(df)|f'{df}'|df.to_string()|df.describe().to_string()|'%s' % df|print(arr)|str(arr)|f'{arr}'|'%s' % arr|print(repr(arr))
1 / zero|np.log(zero)|df.a / 0|np.exp(arr * 1000)|np.mean([])|warnings.warn('x')|import nosuchmodule|from os import nosuch
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


CASES = [
    pytest.param("pandas", STATE, CELLS, id="objects"),
    pytest.param("pandas", SETTINGS, UNDER_SETTINGS, id="settings"),
    pytest.param("pandas", *PYTHON, id="python"),
    pytest.param("sklearn", *SKLEARN, id="sklearn"),
    pytest.param("matplotlib", *PLOTTING, id="plotting"),
    pytest.param("torch", *TORCH, id="torch", marks=pytest.mark.ml),
    pytest.param("keras", *KERAS, id="keras", marks=pytest.mark.ml),
]


@pytest.fixture(autouse=True)
def settings() -> Iterator[None]:
    """What the states set for the whole process is put back."""
    finders, shown = list(sys.meta_path), warnings.showwarning
    yield
    sys.meta_path[:], warnings.showwarning = finders, shown
    for name in ("mymod", "m2"):
        sys.modules.pop(name, None)
    if "numpy" in sys.modules:
        numpy = sys.modules["numpy"]
        numpy.seterrcall(None)
        numpy.seterr(all="warn", under="ignore")
        numpy.set_printoptions(formatter=None)
    if "pandas" in sys.modules:
        sys.modules["pandas"].reset_option("display.float_format")


@pytest.mark.parametrize(("library", "state", "cells"), CASES)
def test_only_the_source_is_read(library: str, state: str, cells: list[str]) -> None:
    pytest.importorskip(library)
    kernel = Kernel()
    kernel.setup(state)
    calls = kernel.shell.user_ns["calls"]
    calls.clear()  # IPython's own hooks (an extension that another test loaded) look at modules after a cell
    ran = {}
    for cell in cells:
        kernel.check(cell)
        gc.collect()  # what the check made goes now
        if calls:
            ran[cell] = list(calls)
            calls.clear()
    assert not ran


def test_settings_are_what_they_were() -> None:
    pytest.importorskip("pandas")
    kernel = Kernel()
    kernel.setup(SETTINGS)
    kernel.check("text = str(df) + str(arr)\n1 / zero")
    names = "pd.get_option('display.float_format') is shown and np.get_printoptions()['formatter']['float'] is shown and np.geterrcall() is failed"
    assert kernel.run(f"assert {names}") is None


def test_what_a_formatter_makes_is_known() -> None:
    pytest.importorskip("pandas")
    kernel = Kernel()
    kernel.setup(
        "import numpy as np, pandas as pd\ndef shown(x):\n    return '<%.1f>' % x\npd.set_option('display.float_format', shown)\n"
        "df = pd.DataFrame({'a': [1.5]})"
    )
    assert kernel.check("assert '<1.5>' in df.to_string()").finding is None
    report = kernel.check("assert '<1.5>' not in df.to_string()")
    assert report.finding is not None
    assert report.finding.exception == "AssertionError"
