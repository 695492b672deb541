"""Frames too large to compute with: what is written to their stand-ins is seen by every later read, through whatever name."""

from __future__ import annotations

import warnings

import pytest
from claims import expect
from kernel import Kernel

pytest.importorskip("pandas")

STATE = """
import numpy as np, pandas as pd
rng = np.random.default_rng(1)
n = 300_000
days = pd.date_range('2013-01-01', '2015-12-31').strftime('%d.%m.%Y')
sales = pd.DataFrame({'date': rng.choice(days, n), 'shop': rng.integers(0, 60, n), 'item': rng.integers(0, 2000, n),
                      'price': (rng.random(n) * 1000).round(2), 'count': rng.integers(1, 10, n)})
items = pd.DataFrame({'item': np.arange(2000), 'name': [f'item {i}' for i in range(2000)], 'category': rng.integers(0, 84, 2000)})
"""
DATES = "sales['date'] = pd.to_datetime(sales['date'], format='%d.%m.%Y')\n"

CELLS: list[tuple[str, str | None]] = [
    (DATES + "sales['year'] = sales['date'].dt.year\nprint(sales.groupby('year')['count'].sum())", None),
    (DATES + "sales['y'] = sales['date'].dt.year\nsales['m'] = sales['date'].dt.month\nsales[['y', 'm']].max()", None),
    (DATES + "sales['y'] = 1\nsales['m'] = 2\nsales['y'] + sales['m']\nsales['d']", "KeyError"),
    (DATES + "kept = [sales]\nother = sales\nsales['y'] = 1\nother['y']\nkept[0]['y']\nkept[0]['z']", "KeyError"),
    (
        DATES
        + "def enrich(d):\n    d['y'] = d['date'].dt.year\n    d['m'] = d['y'] * 12\nenrich(sales)\nfor part in [sales]:\n    part['q'] = part['m']\nsales[['y', 'm', 'q']].max()",
        None,
    ),
    (
        DATES
        + "class Store:\n    def __init__(self, d):\n        self.d = d\n    def add(self):\n        self.d['y'] = self.d['date'].dt.year\n        self.d['w'] = self.d['y']\n        return self\nStore(sales.sort_values('price')).add().d['w']",
        None,
    ),
    (
        DATES + "late = sales.sort_values('price')\nif late['date'].min().year > 2000:\n    late['y'] = 1\nlate['y']",
        None,
    ),
    (DATES + "late = sales.sort_values('price')\nlate['y'] = 1\nlate.groupby('year')", "KeyError"),
    (DATES + "sales.drop(columns=['price'], inplace=True)\nsales['y'] = 1\nsales['price']", "KeyError"),
]


@pytest.mark.parametrize(("cell", "exception"), CELLS)
def test_what_is_written_is_there(cell: str, exception: str | None, kernel: Kernel) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kernel.setup(STATE)
        expect(kernel, cell, exception)
