"""Hits by mechanism: by which of its means the checker knew the crashes that it found.

    python scripts/bench_mechanisms.py [--library NAME]     # on the rules' own crashing cases
    python scripts/bench_mechanisms.py --results FILE       # of a JSON list of objects with `outcome` and `mechanism`

Each crashing case of the rules is set up in one shell, checked, and not run (the tests do that). A mechanism is what
`finding.mechanism` says: the operation that raised, and what it was done on.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MISSED = "(not found)"
Row = tuple[str, str]  # library or outcome, mechanism


def rule_rows(library: str | None) -> list[Row]:
    """(library, mechanism) of every crashing case whose libraries are installed."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("MPLBACKEND", "Agg")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from IPython.core.interactiveshell import InteractiveShell

    from crane_llm.checker.rules import all_rules

    shell = InteractiveShell.instance()
    own = set(shell.user_ns)
    rows = []
    for rule in all_rules():
        if library not in (None, rule.library) or any(importlib.util.find_spec(name) is None for name in rule.requires):
            continue
        for setup, cell, _ in rule.CRASHES:
            for name in set(shell.user_ns) - own:
                del shell.user_ns[name]
            rows.append((rule.library, mechanism_of(shell, setup, cell)))
    return rows


def mechanism_of(shell: Any, setup: str, cell: str) -> str:
    """The mechanism of the finding for ``cell`` after ``setup``."""
    from crane_llm import check_cell

    sink = io.StringIO()
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if setup.strip():
            shell.run_cell(setup).raise_error()
        finding = check_cell(cell, shell=shell)
    return MISSED if finding is None else finding.mechanism


def result_rows(path: Path) -> list[Row]:
    """(outcome, mechanism) of recorded results; those in which nothing was found have none."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [(row["outcome"], row["mechanism"]) for row in rows if row.get("mechanism")]


def table(rows: list[Row]) -> str:
    """A Markdown table: mechanisms by falling count, a column for each library or outcome."""
    columns = list(dict.fromkeys(column for column, _ in rows))
    counts = collections.Counter(rows)
    total = collections.Counter(mechanism for _, mechanism in rows)
    lines = ["| " + " | ".join(["mechanism", *columns, "all"]) + " |", "|---" + "|---:" * (len(columns) + 1) + "|"]
    for mechanism, count in sorted(total.items(), key=lambda item: (item[0] == MISSED, -item[1], item[0])):
        cells = [str(counts[column, mechanism] or "") for column in columns]
        lines.append("| " + " | ".join([mechanism, *cells, str(count)]) + " |")
    sums = collections.Counter(column for column, _ in rows)
    return "\n".join([*lines, "| " + " | ".join(["all", *(str(sums[c]) for c in columns), str(len(rows))]) + " |"])


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", metavar="NAME", help="only the rules of this library")
    parser.add_argument("--results", type=Path, metavar="FILE", help="recorded results instead of the rules' cases")
    options = parser.parse_args()
    if options.results:
        print(table(result_rows(options.results)))
        return 0
    with tempfile.TemporaryDirectory() as folder:  # some cases write files
        os.chdir(folder)
        rows = rule_rows(options.library)
        os.chdir(ROOT)
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
