"""What the run recorder and the guard cost: seconds spent in their hooks, per cell.

    python scripts/bench_recorder.py [--largest BYTES] [--repeat N] [--json FILE]

Recorder: cells that read and change data of 1 kB to 1 GB (arrays, frames, lists, dictionaries), in a namespace that holds
fifty other values. Guard: one hundred ordinary cells, checked before each runs. Figures are printed, not asserted; needs
NumPy, pandas and scikit-learn, and about three times the largest size of memory.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any, Callable, Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from IPython.core.interactiveshell import InteractiveShell

from crane_llm import guard
from crane_llm.origin import recorder

SIZES = (10**3, 10**5, 10**6, 10**7, 10**8, 10**9)

OTHERS = """
import numpy as np, pandas as pd, random
from sklearn.linear_model import LinearRegression
others = {}
for i in range(10):
    globals()[f'frame{i}'] = pd.DataFrame({'a': range(1000), 'b': [float(i)] * 1000, 'c': ['x'] * 1000})
    globals()[f'array{i}'] = np.arange(10_000)
    globals()[f'items{i}'] = list(range(1000))
    globals()[f'table{i}'] = {str(k): k for k in range(100)}
    globals()[f'model{i}'] = LinearRegression()
"""

# (what, cell that makes data of `size` bytes, cells that touch it)
TOUCHED = (
    (
        "array",
        "data = np.zeros(max(1, size // 8))",
        ("data[0] += 1", "data[:10].sum()", "part = data[5:]; part[0] = 3", "data.shape", "data[-1] = data[0]"),
    ),
    (
        "frame",
        "data = pd.DataFrame({f'c{i}': np.zeros(max(1, size // 80)) for i in range(10)})",
        (
            "data.shape",
            "data['new'] = 1.0",
            "data.loc[0, 'c1'] = 2",
            "data.columns",
            "del data['new']",
            "data.iloc[:5]",
        ),
    ),
    (
        "list",
        "data = [0.5] * max(1, size // 8)",
        ("data.append(1)", "data[0] = 2", "len(data)", "data.pop()", "data[-1]"),
    ),
    (
        "dictionary",
        "data = dict.fromkeys(range(max(1, min(size, 10**8) // 100)), 1)",
        ("data['new'] = 1", "len(data)", "data.pop('new')", "data.get(0)"),
    ),
    (
        "text frame",
        "data = pd.DataFrame({'t': ['some text'] * max(1, min(size, 10**8) // 60), 'n': 1})",
        ("data.shape", "data['n'] = 2", "data.loc[0, 't'] = 'other'", "data.head()"),
    ),
)

ORDINARY = (
    "df{i} = pd.DataFrame({{'age': [20, 30, 40] * 50, 'price': np.linspace(0, 1, 150), 'city': ['a', 'b', 'c'] * 50}})",
    "df{i}['double'] = df{i}['price'] * 2\ndf{i}.head()",
    "means{i} = df{i}.groupby('city')['price'].mean()\nmeans{i}",
    "for name, value in means{i}.items():\n    text = f'{{name}}: {{value:.2f}}'",
    "X{i} = df{i}[['age', 'double']]\ny{i} = df{i}['price']",
    "reg{i} = LinearRegression().fit(X{i}, y{i})\nreg{i}.score(X{i}, y{i})",
    "def scaled{i}(frame, by=2):\n    result = frame.copy()\n    result['age'] = result['age'] / by\n    return result",
    "smaller{i} = scaled{i}(df{i})\nsmaller{i}.describe()",
    "rows{i} = [r for r in df{i}.itertuples() if r.age > 25]\nlen(rows{i})",
    "counts{i} = {{}}\nfor city in df{i}['city']:\n    counts{i}[city] = counts{i}.get(city, 0) + 1",
    "matrix{i} = X{i}.to_numpy()\nmatrix{i} @ matrix{i}.T",
    "import json, math\ntext = json.dumps(counts{i})\nmath.sqrt(len(text))",
    "if df{i}['age'].max() > 30:\n    oldest{i} = df{i}.loc[df{i}['age'].idxmax()]\nelse:\n    oldest{i} = None",
    "class Tally{i}:\n    def __init__(self):\n        self.n = 0\n    def add(self, k):\n        self.n += k\n        return self",
    "tally{i} = Tally{i}()\nfor k in range(10):\n    tally{i}.add(k)\ntally{i}.n",
    "merged{i} = df{i}.merge(means{i}.rename('mean'), left_on='city', right_index=True)\nmerged{i}.shape",
    "try:\n    value{i} = counts{i}['missing']\nexcept KeyError:\n    value{i} = 0",
    "a, b = np.split(np.arange(10), 2)\nnp.concatenate([a, b]).reshape(2, 5)",
    "df{i} = df{i}.drop(columns=['double'])\ndf{i}.dtypes",
    "with open('/dev/null', 'w') as sink:\n    sink.write(text)",
)


class Clock:
    """Sums the processor seconds that wrapped calls spend in their thread.

    Not the time on the wall: a machine that does other work at the same time would be measured, not the hooks.
    """

    def __init__(self) -> None:
        self.spent = 0.0

    def wrap(self, call: Callable) -> Callable:
        def timed(*arguments: Any) -> Any:
            start = time.thread_time()
            try:
                return call(*arguments)
            finally:
                self.spent += time.thread_time() - start

        return timed

    def take(self) -> float:
        spent, self.spent = self.spent, 0.0
        return spent


def spread(seconds: list) -> dict:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(seconds)
    return {
        "cells": len(ordered),
        "median_ms": round(1000 * statistics.median(ordered), 3),
        "p95_ms": round(1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3),
        "max_ms": round(1000 * ordered[-1], 3),
    }


def show(title: str, figures: dict) -> None:
    print(
        f"{title:28} {figures['cells']:5} cells   median {figures['median_ms']:8.3f} ms   p95 {figures['p95_ms']:8.3f} ms   max {figures['max_ms']:8.3f} ms"
    )


def run(shell: Any, source: str) -> None:
    result = shell.run_cell(source, store_history=True)
    error = result.error_before_exec or result.error_in_exec
    if error is not None:
        raise SystemExit(f"A benchmark cell failed: {source!r}: {error!r}")


def measure_recorder(shell: Any, largest: int, repeat: int) -> dict:
    clock = Clock()
    armed = recorder.arm(shell)
    shell.events.unregister("pre_run_cell", armed.pre_run_cell)
    shell.events.unregister("post_run_cell", armed.post_run_cell)
    before, after = clock.wrap(armed.pre_run_cell), clock.wrap(armed.post_run_cell)
    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)
    figures: dict = {}
    everything = []
    for size in (s for s in SIZES if s <= largest):
        seconds = []
        for _, make, touches in TOUCHED:
            run(shell, f"size = {size}\n{make}")
            clock.take()
            for _ in range(repeat):
                for touch in touches:
                    run(shell, touch)
                    seconds.append(clock.take())
            run(shell, "del data\npart = None")
        figures[f"{size:,} bytes"] = spread(seconds)
        show(f"recorder, {size:,} bytes", figures[f"{size:,} bytes"])
        everything.extend(seconds)
    figures["all"] = spread(everything)
    show("recorder, all", figures["all"])
    shell.events.unregister("pre_run_cell", before)
    shell.events.unregister("post_run_cell", after)
    return figures


def measure_guard(shell: Any) -> dict:
    clock = Clock()
    guard.switch(shell, True)
    transformer = next(t for t in shell.ast_transformers if type(t).__name__ == "Guard")
    transformer.visit = clock.wrap(transformer.visit)
    seconds = []
    for i in range(5):
        for template in ORDINARY:
            run(shell, template.format(i=i))
            seconds.append(clock.take())
    guard.switch(shell, False)
    figures = spread(seconds)
    show("guard, ordinary cells", figures)
    return figures


def main(argv: Optional[list] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="largest data, in bytes (default: 1 GB)")
    parser.add_argument("--repeat", type=int, default=8, help="how often each touching cell runs (default: 8)")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args(argv)
    shell = InteractiveShell.instance()
    hook: Any = shell.displayhook
    hook.write_format_data = lambda *arguments, **named: None  # the cells' values are not what is printed
    hook.write_output_prompt = lambda: None
    hook.finish_displayhook = lambda: None
    run(shell, OTHERS)
    figures = {"recorder": measure_recorder(shell, options.largest, options.repeat), "guard": measure_guard(shell)}
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
