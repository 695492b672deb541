"""Time and memory of the summary of variables, by kind of object and number of elements, beside those of the published tool.

    python scripts/bench_summary.py [--sizes 1e4 1e6] [--kinds frame list] [--json FILE] [--peer PYTHON | --make-peer | --no-peer]

Each object is built once in a worker process; the summary of a cell that uses it is made REPEATS times. Printed per object: median and
95th percentile in milliseconds, the same of the processor's time alone, peak of memory allocated meanwhile in MiB (one extra run, traced), the peer's median on the same object,
built by the same code in a process of its own that works in turn with ours, and the ratio. Exits with 1 when a limit is exceeded:
median 20 ms, 95th percentile 50 ms, peak 16 MiB. On a machine with more runnable processes than processors the clock measures the
others, too: there, and it is said, the limits hold for the processor's time.

The peer is crane-llm 1.0.1 from the package index, in an environment of its own ($CRANE_CACHE/peer, made by --make-peer). It is run,
nothing else.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from peer import CACHE, PEER, PYTHON, environment, join_search, make_peer, packages

ROOT = Path(__file__).resolve().parent.parent
SIZES = [10_000, 100_000, 1_000_000, 10_000_000, 50_000_000]
REPEATS = 15
LIMITS = {"median": 20.0, "p95": 50.0, "peak": 16.0}
PEER_SECONDS = 20.0  # a peer's object is repeated at most this long
PATIENCE = 180.0  # seconds until a worker that does not answer is given up


# --- objects, built the same way in both processes ---------------------------------------------------------------------------


def floats(size: int) -> Any:
    import numpy as np

    return np.random.RandomState(0).rand(size)


def integers(size: int) -> Any:
    import numpy as np

    return np.arange(size) % 1000


def frame(size: int) -> Any:
    import numpy as np
    import pandas as pd

    rows = size // 10
    made: dict[str, Any] = {f"f{i}": np.random.RandomState(i).rand(rows) for i in range(5)}
    made |= {f"i{i}": np.arange(rows) % (i + 2) for i in range(4)}
    made["when"] = pd.date_range("2000", periods=rows, freq="s")
    return pd.DataFrame(made)


def text_frame(size: int) -> Any:
    import numpy as np
    import pandas as pd

    rows = size // 5
    words = np.array([f"word {i}" for i in range(1000)] + [None], dtype=object)
    made = {f"t{i}": words[(np.arange(rows) * (i + 1)) % len(words)] for i in range(5)}
    return pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in made.items()})


def string_frame(size: int) -> Any:
    import pandas as pd

    return pd.DataFrame(
        {name: column.astype("str" if pd.__version__ >= "3" else "string") for name, column in text_frame(size).items()}
    )


def wide_frame(size: int) -> Any:
    import numpy as np
    import pandas as pd

    columns = 5000
    return pd.DataFrame(
        np.random.RandomState(0).rand(max(1, size // columns), columns), columns=[f"c{i}" for i in range(columns)]
    )


def number_list(size: int) -> Any:
    return list(range(size))


def text_list(size: int) -> Any:
    words = [f"word {i}" for i in range(1000)]
    return words * (size // 1000)


def nested_list(size: int) -> Any:
    return [[i, i + 1] for i in range(size // 2)]


def mapping(size: int) -> Any:
    return {i: i for i in range(size)}


def tensor(size: int) -> Any:
    import torch

    return torch.linspace(0, 1, size).reshape(-1, 100)


# kind -> (builder, cell, largest size that fits in memory comfortably)
KINDS: dict[str, tuple[Any, str, int]] = {
    "float array": (floats, "x.mean()", 50_000_000),
    "int array": (integers, "x.mean()", 50_000_000),
    "frame": (frame, "x['f1'].mean()", 50_000_000),
    "text frame": (text_frame, "x['t1'].value_counts()", 50_000_000),
    "string frame": (string_frame, "x['t1'].value_counts()", 10_000_000),
    "wide frame": (wide_frame, "x['c4000'].mean()", 50_000_000),
    "list": (number_list, "sum(x)", 50_000_000),
    "text list": (text_list, "len(x)", 50_000_000),
    "nested list": (nested_list, "len(x)", 10_000_000),
    "dict": (mapping, "x[5]", 10_000_000),
    "tensor": (tensor, "x.sum()", 50_000_000),
}


# --- worker -----------------------------------------------------------------------------------------------------------------


def worker(side: str) -> None:
    """Answer one JSON line for each JSON line ``{"kind", "size"}`` read; ``side`` is ``ours`` or ``peer``."""
    wire = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is not an answer
    run = ours() if side == "ours" else peer()
    for line in sys.stdin:
        asked = json.loads(line)
        builder, cell, _ = KINDS[asked["kind"]]
        try:
            answer = measure(run, builder(asked["size"]), cell, side)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), file=wire, flush=True)
        gc.collect()


def ours() -> Any:
    sys.path.insert(0, str(ROOT))
    from crane_llm.summary import summarize_cell

    def run(namespace: dict[str, Any], cell: str) -> None:
        summarize_cell(cell, namespace=namespace, deadline=None).to_json()

    return run


def peer() -> Any:
    from crane_llm.nb_extension.runinfo import collect_live_runinfo
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()

    def run(namespace: dict[str, Any], cell: str) -> None:
        shell.user_ns.update(namespace)
        collect_live_runinfo(shell=shell, target_code=cell)

    return run


def measure(run: Any, value: Any, cell: str, side: str) -> dict[str, Any]:
    import tracemalloc

    namespace = {"x": value}
    spent: list[float] = []
    worked: list[float] = []
    begin = time.perf_counter()
    run(namespace, "pass")
    gc.collect()  # what building the object left to collect is not the summary's
    for _ in range(REPEATS):
        start, started = time.perf_counter(), time.thread_time()
        run(namespace, cell)
        spent.append((time.perf_counter() - start) * 1000)
        worked.append((time.thread_time() - started) * 1000)
        if side == "peer" and time.perf_counter() - begin > PEER_SECONDS:
            break
    spent.sort()
    worked.sort()
    late = min(len(spent) - 1, int(len(spent) * 0.95))
    peak = None
    if side == "ours":
        tracemalloc.start()
        run(namespace, cell)
        peak = tracemalloc.get_traced_memory()[1] / (1 << 20)
        tracemalloc.stop()
    return {
        "median": statistics.median(spent),
        "p95": spent[late],
        "cpu": {"median": statistics.median(worked), "p95": worked[late]},
        "peak": peak,
        "runs": len(spent),
    }


class Worker:
    """A worker process; asked one object at a time, replaced when it does not answer."""

    def __init__(self, python: Path, side: str, search: Path | None = None) -> None:
        self.command = [str(python), "-P", str(Path(__file__).resolve()), "--worker", side]
        self.environment = environment(search)
        self.process: subprocess.Popen[str] | None = None

    def ask(self, kind: str, size: int) -> dict[str, Any]:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=self.environment,
                cwd="/",
            )
        process = self.process
        assert process.stdin is not None and process.stdout is not None
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps({"kind": kind, "size": size}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        return json.loads(line) if line else {"error": "no answer"}

    def close(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


# --- main -------------------------------------------------------------------------------------------------------------------


def row(kind: str, size: int, mine: dict[str, Any], theirs: dict[str, Any] | None, busy: bool) -> str:
    if "error" in mine:
        return f"{kind:<14}{size:>11,}  {mine['error']}"
    ratio = peer_text = "–"
    if theirs is not None and "error" not in theirs:
        ratio, peer_text = f"{theirs['cpu']['median'] / mine['cpu']['median']:.1f}×", f"{theirs['cpu']['median']:.1f}"
    elif theirs is not None:
        peer_text = theirs["error"][:40]
    over = exceeded(mine, busy)
    cpu = mine["cpu"]
    return (
        f"{kind:<14}{size:>11,}{mine['median']:>10.1f}{mine['p95']:>8.1f}{cpu['median']:>8.1f}{cpu['p95']:>7.1f}{mine['peak']:>9.2f}"
        f"{peer_text:>12}{ratio:>9}" + (f"   over: {', '.join(over)}" if over else "")
    )


def exceeded(mine: dict[str, Any], busy: bool) -> list[str]:
    """The limits that one object's figures exceed."""
    timed = mine["cpu"] if busy else mine
    held = {"median": timed["median"], "p95": timed["p95"], "peak": mine["peak"]}
    return [name for name, limit in LIMITS.items() if held[name] >= limit]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", choices=["ours", "peer"], help=argparse.SUPPRESS)
    parser.add_argument("--sizes", nargs="+", type=lambda text: int(float(text)), default=SIZES)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--peer", metavar="PYTHON")
    parser.add_argument("--make-peer", action="store_true")
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    if options.worker:
        join_search()
        worker(options.worker)
        return 0
    peer_python = Path(options.peer) if options.peer else make_peer() if options.make_peer else PYTHON
    has_peer = not options.no_peer and peer_python.exists()
    heavy = CACHE / "ml" / "bin" / "python"
    search = packages(peer_python) if has_peer else None
    teams: dict[bool, tuple[Worker, Worker | None]] = {
        False: (Worker(Path(sys.executable), "ours"), Worker(peer_python, "peer") if has_peer else None),
        # the peer's environment has no torch: there it is found behind the heavy environment's own packages
        True: (Worker(heavy, "ours"), Worker(heavy, "peer", search) if has_peer else None),
    }
    if not has_peer and not options.no_peer:
        print(f"no peer at {peer_python}; --make-peer installs {PEER} there")
    busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    if busy:
        print(
            f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors: the limits are held to the processor's time"
        )
    print(
        f"{'object':<14}{'elements':>11}{'median ms':>10}{'p95':>8}{'cpu ms':>8}{'p95':>7}{'peak MiB':>9}{'peer cpu ms':>12}{'ratio':>9}"
    )
    results = []
    for kind in options.kinds:
        _, _, largest = KINDS[kind]
        if kind == "tensor" and not heavy.exists():
            print(f"{kind:<14}  left out: no torch ({heavy} does not exist)")
            continue
        mine, theirs = teams[kind == "tensor"]
        for size in options.sizes:
            if size > largest:
                continue
            answer = mine.ask(kind, size)
            other = theirs.ask(kind, size) if theirs is not None else None
            results.append({"kind": kind, "size": size, "ours": answer, "peer": other})
            print(row(kind, size, answer, other, busy), flush=True)
    for team in teams.values():
        for member in team:
            if member is not None:
                member.close()
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1), encoding="utf-8")
    good = [entry["ours"] for entry in results if "error" not in entry["ours"]]
    pairs = [
        (entry["peer"], entry["ours"])
        for entry in results
        if entry["peer"] and "error" not in entry["peer"] and "error" not in entry["ours"]
    ]
    ratios = [theirs["cpu"]["median"] / mine["cpu"]["median"] for theirs, mine in pairs]
    if good:
        worst = {name: max(entry[name] for entry in good) for name in LIMITS}
        worked = {name: max(entry["cpu"][name] for entry in good) for name in ("median", "p95")}
        print(
            f"worst: median {worst['median']:.1f} ms (processor {worked['median']:.1f}), p95 {worst['p95']:.1f} ms ({worked['p95']:.1f}), peak {worst['peak']:.2f} MiB"
        )
    if ratios:
        print(
            f"peer / ours (processor's time): median {statistics.median(ratios):.1f}×, least {min(ratios):.2f}×, most {max(ratios):.0f}×"
        )
    failed = len(good) < len(results) or any(exceeded(entry, busy) for entry in good)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
