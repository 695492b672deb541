"""Random cells of pandas and NumPy code, written from templates over a fixed kernel state."""

from __future__ import annotations

import random
import re

STATE = """
import numpy as np, pandas as pd
df = pd.DataFrame({'a': [3, 1, 2, 2, 5], 'b': ['x', 'y', 'z', 'x', '1'], 'c': [1.5, np.nan, 2, 3, 0],
                   'd': pd.to_datetime(['2020-01-01', '2020-02-01', '2020-03-01', '2021-01-01', '2021-01-02']),
                   'e': [True, False, True, True, False]})
hom = pd.DataFrame(np.arange(12.).reshape(4, 3), columns=list('pqr'), index=[10, 20, 30, 30])
other = pd.DataFrame({'k': [1, 2, 3], 'a': [5, 6, 7], 'm': ['x', 'y', 'q']})
s, view = df['a'], hom['p']
t = pd.Series(['1', '2', 'x', None])
cat = pd.Series(['u', 'v', 'u']).astype('category')
arr = np.arange(12).reshape(3, 4)
row, v, items = arr[1], np.linspace(0, 1, 4), [1, 2, 3]
"""

# What a placeholder may become. ``<c>`` is a column of the frame chosen last, now and then one that it has not.
PARTS: dict[str, list[str]] = {
    "f": ["df", "df", "df", "hom", "other"],
    "n": ["0", "1", "2", "3", "9", "-1", "-7", "30"],
    "o": ["+", "-", "*", "/", "==", "<", ">=", "&", "%", "**", "!=", "@"],
    "s": ["<f>[<c>]", "<f>[<c>]", "s", "t", "view", "cat"],
    "x": ["arr", "row", "v", "arr.T", "arr[0]", "arr[:, 1]", "np.arange(4)", "np.ones((3, 1))", "df.values", "hom.to_numpy()"],
    "v": ["0", "1.5", "'x'", "None", "np.nan", "[1, 2, 3]", "range(5)", "np.zeros(5)", "np.zeros((5, 2))", "s", "t", "v", "other.k", "True", "df", "arr"],
    "r": ["mean", "sum", "max", "std", "median", "nunique", "count", "idxmax", "describe", "cumsum", "isnull", "dropna", "copy", "abs", "append", "iteritems"],
    "i": ["0", "3", "9", "-4", "0, 0", "0, 9", ":, 1", ":, 9", "[0, 1]", "[0, 9]", "[True, False]", "v > 0", "arr > 5", "...", "'x'", "1.0"],
}  # fmt: skip
COLUMNS = {"df": "abcde", "hom": "pqr", "other": "kam"}
EXPRESSIONS = """
<f>[<c>]; <f>[[<c>, <c>]]; <f>.loc[<n>]; <f>.iloc[<n>]; <f>.loc[:, <c>]; <f>.loc[<n>, <c>]; <f>.iloc[<n>, 1]; <f>.at[<n>, <c>]; <f>.drop(<c>, axis=1); dict(<f>)[<c>]; dict(<s>)
<f>.drop(columns=[<c>, <c>]); <f>.drop([<n>]); <f>.groupby(<c>).<r>(); <f>.groupby(<c>)[<c>].mean(); <f>.sort_values(<c>); <f>.set_index(<c>)
<f>.merge(other, on=<c>); <f>.merge(df, left_on=<c>, right_on='a'); <f>.join(other); <f>.join(hom, rsuffix='_r'); <f>.pivot(index=<c>, columns=<c>, values=<c>)
<f>.pivot_table(index=<c>, columns=<c>, values=<c>); <f>.astype(int); <f>.astype({<c>: float}); <f>.<r>(); <f>.<r>(axis=1); <f>.fillna(<v>); <f>.query('a > 1')
<f>.rename(columns={<c>: 'new'}); <f>[<f>[<c>] <o> <v>]; <f>[<s> > 1]; <f>.loc[<f>[<c>] == <n>, <c>]; <f> <o> <v>; pd.concat([<f>, <v>], axis=1)
pd.get_dummies(<f>, columns=[<c>]); pd.DataFrame(<v>); pd.DataFrame({'a': items, 'b': [1, 2]}); [r[<c>] for _, r in <f>.iterrows()]; <f>.apply(lambda r: r[<c>], axis=1)
[<f>[x].mean() for x in <f>]; bool(<f>); <f>.shape[<n>]; <f>.to_dict()[<c>]; <s>[<n>]; <s>.<r>(); <s>.str.upper(); <s>.str.split(',').str[0]; <s>.str.nope()
<s>.dt.year; <s>.dt.day_name(); <s>.cat.codes; <s>.cat.categories; <s>.astype(float); <s>.astype(int); pd.to_numeric(<s>); pd.to_datetime(<s>); <s> <o> <v>
<s>.apply(lambda x: x + 1); <s>.map(len); <s>.apply(lambda x: items[x]); <s>.iloc[<n>]; <s>.loc[<n>]; int(<s>); sum(<s>); sorted(<s>); [x + 1 for x in <s>]
<s>.value_counts()[<n>]; pd.cut(<s>, [0, 1, 2]); pd.Series(items, index=[1]); 1 if <s> else 0; dict(zip(<s>, <s>)); <x> <o> <x>; <x>[<i>]; <x>.sum(axis=<n>)
<x>.reshape(2, 6); <x>.reshape(5, -1); <x>.astype(int); <x>.dot(<x>); np.concatenate([<x>, <x>]); np.vstack([<x>, <x>]); np.stack([<x>, <x>]); np.dot(<x>, <x>)
np.matmul(<x>, <x>); np.linalg.inv(<x>); np.array([[1, 2], [3]]); np.sqrt(<v>); np.float(<n>); np.where(<x>, <x>, <n>); [q[1] for q in <x>]; len(<x>[0]); int(<x>)
"""
STATEMENTS = """
<f>[<w>] = <v>; <f>[<w>] = <s>; <f>.loc[<n>, <c>] = <n>; <f>.loc[:, <c>] = <v>; <f>.iloc[<n>, 0] = <n>; <f>.columns = list('wxyz'); <f>.columns = list('pqr')
<f>.index = range(5); <f>.drop(columns=[<c>], inplace=True); <f>.dropna(inplace=True); <f>.reset_index(inplace=True); <f>.set_index(<c>, inplace=True)
<f>.rename(columns={<c>: 'new'}, inplace=True); <f>.fillna(0, inplace=True); <f>.insert(0, <w>, 1); <f>.pop(<c>); del <f>[<c>]; <s>.fillna(0, inplace=True); <f>[<c>][<n>] = <n>
arr[<i>] = <n>; v[<i>] += 1; row[:] = <v>; arr.sort(); v.fill(<n>); np.random.shuffle(v); s = <s>; v = <x>; df = <f>; <f>[<c>] += <v>; items.append(<f>); view = hom['p']
for cc in <f>.columns:\\n    <f>[cc] = <f>[cc].astype(float); try:\\n    <f>[<c>]\\nexcept KeyError:\\n    <f>['new'] = 1; if len(<f>) > 4:\\n    <f>[<w>] = 5
y = <f>.copy()\\ny[<w>] = <n>\\ny.loc[0, <c>]; g = <f>.groupby(<c>)\\n<f>[<w>] = 1\\ng.size()
"""


def _templates(text: str) -> list[str]:
    return [part.replace("\\n", "\n") for line in text.strip().splitlines() for part in line.split("; ")]


EXPRESSIONS_, STATEMENTS_ = _templates(EXPRESSIONS), _templates(STATEMENTS)


def _fill(template: str, rng: random.Random) -> str:
    frame = rng.choice(PARTS["f"])

    def choose(match: re.Match[str]) -> str:
        kind = match.group(1)
        if kind == "f":
            return frame
        if kind == "c":
            return repr(rng.choice(COLUMNS[frame]) if rng.random() > 0.12 else "nope")
        if kind == "w":
            return repr(rng.choice([*COLUMNS[frame], "new", "new"]))
        return _fill(rng.choice(PARTS[kind]), rng)

    return re.sub(r"<(\w)>", choose, template)


def cell(rng: random.Random) -> str:
    """A cell of a few statements and expressions."""
    parts = [_fill(rng.choice(STATEMENTS_), rng) for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))]
    return "\n".join(parts + [_fill(rng.choice(EXPRESSIONS_), rng) for _ in range(rng.choice([1, 1, 2, 3]))])
