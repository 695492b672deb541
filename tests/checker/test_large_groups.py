"""What is made of frames too large to compute with (groups, joins, longer and shorter tables) has labels that are known."""

from __future__ import annotations

import warnings

import pytest
from claims import check_without_trace, expect
from kernel import Kernel

pytest.importorskip("pandas")

STATE = """
import numpy as np, pandas as pd
rng = np.random.default_rng(7)
n = 400_000
rides = pd.DataFrame({'id': np.arange(n), 'vendor': rng.integers(1, 3, n), 'flag': rng.choice(['Y', 'N'], n), 'lat': rng.normal(size=n), 'lon': rng.normal(size=n),
                      'duration': rng.integers(60, 5000, n)})
zones = pd.DataFrame({'vendor': [1, 2], 'title': ['CMT', 'VeriFone']})
"""
MEANS = "means = rides.groupby('vendor')['duration'].mean().reset_index()\n"
JOINED = "full = rides.merge(zones, on='vendor', how='left', suffixes=('', '_zone'))\n"

CRASHES: list[tuple[str, str]] = [
    (
        "g = rides.groupby('vendor').agg(avg=('duration', 'median'), n=('id', 'nunique')).reset_index()\ng['count']",
        "KeyError",
    ),
    (
        "g = rides.groupby(['vendor', 'flag']).agg({'duration': ['median', 'std'], 'lat': 'max'})\ng.columns = ['_'.join(c) for c in g.columns]\ng['duration_mean']",
        "KeyError",
    ),
    ("g = rides.groupby('vendor').agg({'duration': lambda s: s.max() - s.min()})\ng['vendor']", "KeyError"),
    (MEANS + "means.columns = ['v', 'avg']\nmeans.merge(zones, on='vendor')", "KeyError"),
    (
        MEANS
        + "full = rides.merge(means, on='vendor', suffixes=('', '_mean'))\nfull['x'] = full['duration'] - full['mean_duration']",
        "KeyError",
    ),
    (MEANS + "means.average", "AttributeError"),
    ("rides.groupby('vendor')[['duration', 'distance']].median()", "KeyError"),
    ("g = rides.groupby('vendor').median()", "TypeError"),
    (
        "rides['m'] = rides.groupby('vendor')['lat'].transform('median')\nrides['r'] = rides['lat'] - rides['mean']",
        "KeyError",
    ),
    ("big = pd.concat([rides, rides], ignore_index=True)\nbig.drop_duplicates(subset=['ride'])", "KeyError"),
    (
        "long = pd.concat([rides, rides]).melt(id_vars=['id'], value_vars=['lat', 'lon'], var_name='axis', value_name='deg')\nlong['value']",
        "KeyError",
    ),
    (JOINED + "full = full.drop(columns=['vendor'])\nfull.groupby('vendor')['lat'].mean()", "KeyError"),
    (
        "sizes = rides.groupby(['vendor', 'flag'])['lat'].median().reset_index(name='mid')\nsizes.pivot(index='vendor', columns='flag', values='lat')",
        "KeyError",
    ),
    (
        "g = rides.groupby('vendor')['lat'].median().reset_index()\ng.insert(0, 'k', 1)\nh = rides.groupby('vendor')['lat'].median().reset_index()\nh['k']",
        "KeyError",
    ),
]
RUNS: list[str] = [
    "g = rides.groupby(['vendor', 'flag'], as_index=False).agg({'duration': 'median', 'lat': 'max'})\ng[['vendor', 'flag', 'duration', 'lat']]",
    "g = rides.groupby('vendor', as_index=False).size()\ng['size']",
    "g = rides.groupby('vendor').agg({'duration': ['median', lambda s: s.max()]})\ng['duration']['<lambda_0>']",
    "g = rides.groupby('flag')['duration'].agg(lambda s: s.max() - s.min()).reset_index(name='spread')\ng['spread']",
    "log = []\nrides.groupby('vendor')['lat'].agg(lambda s: log.append(len(s)) or s.median())\nlog[0]",
    "state = {}\ndef f(s):\n    state['n'] = len(s)\n    return s.max()\nrides.groupby('vendor').agg({'lat': f})\nstate['n']",
    "seen = []\nrides.apply(lambda r: seen.append(1) or r['lat'], axis=1)\nseen[0]",
    JOINED + "seen = []\nfull.assign(x=lambda d: seen.append(1) or d['lat'])\nseen[0]",
    "rides['flag'] = rides['flag'].astype('category')\ng = rides.groupby(['flag', 'vendor'], observed=False)['duration'].median().reset_index()\ng['flag'].cat.categories",
    "m = rides.merge(rides[['id', 'lat']], on='id')\nm['lat_x'], m['lat_y']\nm = m.rename(columns={'lat_x': 'lat'})\nm['lat']",
    "m = rides.merge(zones.rename(columns={'vendor': 'v'}), left_on='vendor', right_on='v', indicator=True)\nm[['vendor', 'v', '_merge', 'title']]",
    "m = rides.join(zones.set_index('vendor'), on='vendor')\nm['title'].str.upper()",
    "c = pd.concat([rides['id'], rides['lat'].rename('la')], axis=1)\nc['la']",
    "c = pd.concat({'a': rides, 'b': rides})\nc.loc['a']['lat']\npd.concat([rides, rides], keys=['x', 'y'], names=['k', 'i']).reset_index()['k']",
    "g = rides.groupby(['vendor', 'flag']).size().unstack()\ng['Y']",
    "g = rides.groupby(rides['lat'].round())['lon'].median().reset_index()\ng['lat']",
    JOINED + "full['z'] = full['lat'] + full['lon']\nfull.select_dtypes('number')['z']\nfull.loc[full['lat'] > 0, 'north'] = 1\nfull['north']",
    JOINED + "s = full['lat']\ns.name = 'la'\ns.reset_index()['la']\n(full['lat'] - full['lon']).to_frame()[0]",
    JOINED + "top = full[(full['lat'] > 0) & (full['lon'] < 1)].groupby('title')['lat'].agg(['median', 'count'])\ntop[top['count'] > 5]['median']",
    "e = rides[rides['duration'] > 10**9]\ne.groupby('vendor')['lat'].median().reset_index()['lat']",
    "d = pd.DataFrame(np.zeros((300_000, 3)), columns=['a', 'b', 'a'])\nd.merge(pd.DataFrame({'b': [0.0], 'k': [1]}), on='b')['a'].shape",
    "d = pd.DataFrame(np.arange(900_000).reshape(-1, 3), columns=pd.MultiIndex.from_tuples([('x', 'a'), ('x', 'b'), ('y', 'a')]))\nd.groupby(('y', 'a')).median()['x']['b']",
    "d = pd.DataFrame(np.arange(900_000).reshape(-1, 3))\nd.groupby(0)[1].median().reset_index()[1]",
    "y = rides.groupby('flag')['duration'].median()\ny['Y'], y.Y",
    "g = rides.groupby('vendor').agg({'duration': 'median'}).rename(columns={'duration': 'avg'}).reset_index()\nm = rides.merge(g, on='vendor', how='left')\nm['duration'] / m['avg']",
]  # fmt: skip


@pytest.fixture
def tables(kernel: Kernel) -> Kernel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kernel.setup(STATE)
    return kernel


@pytest.mark.parametrize(("cell", "exception"), CRASHES)
def test_a_label_that_is_not_there(cell: str, exception: str, tables: Kernel) -> None:
    expect(tables, cell, exception)


@pytest.mark.parametrize("cell", RUNS)
def test_labels_that_are_there(cell: str, tables: Kernel) -> None:
    expect(tables, cell, None)


def test_a_stand_in_is_of_labels_alone(tables: Kernel) -> None:
    report = check_without_trace(
        tables, JOINED + "full['title'].str.upper()\nfull.dtypes['lat'].kind\nfull['lat'].mean() > 0"
    )
    assert report.finding is None
