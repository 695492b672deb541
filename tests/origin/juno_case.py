"""Runs inside the benchmark's kernel: one case's files, prelude and cells, with the benchmark's own replacements."""

from __future__ import annotations

import os
import sys
import warnings


def prepare(folder: str, name: str) -> dict:
    """Write the case's files into the working directory; its prelude, executed cells, other cells and target as text.

    ``others`` are cells that only the fixed notebook ran: cells of the same notebook that were skipped in the buggy run.
    """
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    try:
        import juno
    finally:
        sys.path.remove(folder)
    for variable, value in (("MPLBACKEND", "Agg"), ("TF_CPP_MIN_LOG_LEVEL", "3"), ("CUDA_VISIBLE_DEVICES", "-1")):
        os.environ.setdefault(variable, value)
    warnings.simplefilter("ignore")
    case = juno.load_case(name)
    cells, _, target = juno.parse(name, "buggy")
    fixed, _, _ = juno.parse(name, "fixed")
    if hasattr(case, "make_files"):
        case.make_files()
    replaced = {**(getattr(case, "REPLACE", None) or {}), **(getattr(case, "REPLACE_BUGGY", None) or {})}
    executed = [(str(n), replaced.get(n, source)) for n, source in cells]
    numbers = {n for n, _ in executed}
    return {
        "prelude": getattr(case, "PRELUDE", ""),
        "executed": [(n, source) for n, source in executed if source and source.strip()],
        "others": [(str(n), source) for n, source in fixed if str(n) not in numbers],
        "target": target,
    }
