"""How long a check takes, by library, beside the published tool's checker on the same states.

    python scripts/bench_checker.py [--runs N] [--peer PYTHON | --make-peer | --no-peer] [--hostile]

The states and cells are the rules' own cases. Each side answers in a process of its own, in turn, since the two packages share a name.
The peer is crane-llm 1.0.1 from an environment of its own ($CRANE_CACHE/peer, made by --make-peer). It is run, never read.
Printed: median and 95th percentile in milliseconds, and the ratio peer / ours of the medians of cells that both answered. Then, what
a check of hostile cells takes: endless loops, deep recursion, huge ranges, powers, large data; the deadline is 1.5 s.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from peer import PEER, PYTHON, environment, join_search, make_peer, packages

ROOT = Path(__file__).resolve().parent.parent

HOSTILE = {
    "endless loop": ("", "while True:\n    pass"),
    "endless generator": ("def gen():\n    while True:\n        yield 1", "sum(gen())"),
    "deep recursion": ("def f(n):\n    return f(n + 1)", "f(0)"),
    "huge range": ("", "total = 0\nfor i in range(10**12):\n    total += i"),
    "list of a huge range": ("", "list(range(10**12))"),
    "power": ("", "9 ** 9 ** 9"),
    "long text": ("", "'x' * 10**11"),
    "pattern that backtracks": ("import re\ns = 'a' * 40", "re.match('(a+)+b', s)"),
    "nested data": ("v = []\nfor _ in range(5000):\n    v = [v]", "str(v)\nv == v"),
    "cyclic data": ("v = []\nv.append(v)", "v == v\nstr(v)\nv[0][0][0].nope"),
    "ten million items": ("v = list(range(10**7))", "sorted(v)\nv[10**7]"),
    "ten million rows": ("import numpy as np, pandas as pd\ndf = pd.DataFrame({'a': np.arange(10**7), 'b': np.zeros(10**7)})", "df.groupby('a').sum()\ndf.sort_values('b')\ndf['c']"),
    "2 GB array": ("import numpy as np\nx = np.zeros(250_000_000)", "y = x * 2 + x\nx.reshape(3, 3)"),
    "hostile object": ("class H:\n    def __getattr__(self, n):\n        while True:\n            pass\n    def __len__(self):\n        raise RuntimeError\n    __repr__ = __bool__ = __eq__ = __hash__ = __len__\nh = H()", "h.x\nlen(h)\nh == 1\n[h]\nstr(h)"),
}  # fmt: skip


def worker(side: str) -> None:
    """Answer one JSON line for each line ``{"setup", "cell", "runs"}``: ``{"ms": [...], "found": bool}`` or ``{"error"}``."""
    wire = os.fdopen(os.dup(1), "w")
    sys.stdout = io.StringIO()
    os.environ.setdefault("MPLBACKEND", "Agg")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    own = set(shell.user_ns)
    check = _ours() if side == "ours" else _peer()
    for line in sys.stdin:
        request = json.loads(line)
        for name in set(shell.user_ns) - own:
            del shell.user_ns[name]
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                if request["setup"].strip():
                    shell.run_cell(request["setup"]).raise_error()
                times, found = [], False
                for _ in range(request["runs"] + 1):
                    begin = time.perf_counter()
                    found = bool(check(request["cell"], shell))
                    times.append((time.perf_counter() - begin) * 1000)
            answer: dict[str, Any] = {"ms": times[1:] or times, "found": found}
        except BaseException as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), file=wire, flush=True)


def _ours() -> Any:
    sys.path.insert(0, str(ROOT))
    from crane_llm import check_cell

    return lambda source, shell: check_cell(source, shell=shell)


def _peer() -> Any:
    join_search()
    from crane_llm.nb_extension.checker.walker import run_checks  # type: ignore[import-not-found]

    return lambda source, shell: run_checks(source, shell.user_ns, shell)


class Worker:
    """One side, in its own process; a request that takes longer than ``limit`` seconds ends it and starts another."""

    def __init__(self, side: str, search: Path | None = None, limit: float = 60.0) -> None:
        self.command = [sys.executable, str(Path(__file__).resolve()), "--worker", side]
        self.environment = environment(search)
        self.limit = limit
        self.folder = tempfile.TemporaryDirectory()  # cells write files
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=self.folder.name,
            env=self.environment,
        )

    def ask(self, setup: str, cell: str, runs: int) -> dict[str, Any]:
        """The answer, or {"error"}."""
        import select

        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the worker has no pipes")
        try:
            print(json.dumps({"setup": setup, "cell": cell, "runs": runs}), file=stdin, flush=True)
            if select.select([stdout], [], [], self.limit)[0]:
                line = stdout.readline()
                if line:
                    return json.loads(line)
        except (OSError, ValueError):
            pass
        self.close()
        self.process = self._start()
        return {"error": "no answer"}

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def quantile(values: list[float], share: float) -> float:
    """The value at ``share`` (0 to 1) of the sorted list."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def bench_rules(mine: Worker, theirs: Worker | None, runs: int) -> None:
    """Median and p95 by library over the rules' cases."""
    import importlib.util

    sys.path.insert(0, str(ROOT))
    from crane_llm.checker.rules import LIBRARIES, all_rules

    print(
        f"{'library':<10}{'cells':>6}{'median ms':>11}{'p95 ms':>9}{'max ms':>9}{'peer median':>13}{'peer / ours':>13}"
    )
    for library in LIBRARIES:
        times: list[float] = []
        other: list[float] = []
        ratios: list[float] = []
        for rule in all_rules():
            if rule.library != library or any(importlib.util.find_spec(name) is None for name in rule.requires):
                continue
            for case in [*rule.CRASHES, *rule.RUNS]:
                answer = mine.ask(case[0], case[1], runs)
                if "error" in answer:
                    continue
                own = statistics.median(answer["ms"])
                times.append(own)
                if theirs is not None:
                    reply = theirs.ask(case[0], case[1], runs)
                    if "error" not in reply:
                        other.append(statistics.median(reply["ms"]))
                        ratios.append(other[-1] / own)
        if times:
            peer = (
                f"{statistics.median(other):>13.2f}{statistics.median(ratios):>12.2f}×"
                if other
                else f"{'–':>13}{'–':>13}"
            )
            print(
                f"{library:<10}{len(times):>6}{statistics.median(times):>11.2f}{quantile(times, 0.95):>9.1f}{max(times):>9.1f}{peer}",
                flush=True,
            )


def bench_hostile(mine: Worker) -> None:
    """How long a check of hostile cells takes."""
    print(f"\n{'hostile cell':<26}{'ms':>9}  answer")
    slowest: list[float] = []
    for name, (setup, cell) in HOSTILE.items():
        answer = mine.ask(setup, cell, 1)
        if "error" in answer:
            print(f"{name:<26}{'–':>9}  {answer['error']}")
            continue
        slowest.append(max(answer["ms"]))
        print(f"{name:<26}{slowest[-1]:>9.1f}  {'a crash' if answer['found'] else 'nothing certain'}", flush=True)
    if slowest:
        print(
            f"p95 {quantile(slowest, 0.95):.0f} ms, maximum {max(slowest):.0f} ms; the deadline of a check is 1,500 ms"
        )


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", choices=["ours", "peer"], help=argparse.SUPPRESS)
    parser.add_argument(
        "--runs", type=int, default=3, metavar="N", help="timed runs of each cell after a first (default 3)"
    )
    parser.add_argument("--peer", metavar="PYTHON", help="an interpreter that has the peer")
    parser.add_argument("--make-peer", action="store_true", help="install the peer where it is absent")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--hostile", action="store_true", help="only the hostile cells")
    options = parser.parse_args()
    if options.worker:
        worker(options.worker)
        return 0
    peer_python = Path(options.peer) if options.peer else make_peer() if options.make_peer else PYTHON
    has_peer = not options.no_peer and peer_python.exists()
    if not has_peer and not options.no_peer:
        print(f"no peer at {peer_python}; --make-peer installs {PEER} there")
    mine = Worker("ours")
    theirs = Worker("peer", packages(peer_python)) if has_peer else None
    try:
        if not options.hostile:
            bench_rules(mine, theirs, options.runs)
        bench_hostile(mine)
    finally:
        mine.close()
        if theirs is not None:
            theirs.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
