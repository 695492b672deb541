"""``crane bench prepare DATASET``: run each notebook's earlier cells and write what the judges would see.

Writes ``inspections/TARGET.json`` (the checker's verdict, its walk, the summary, the cells that ran) and
``prompts/SETTING/TARGET.json`` for the settings code, runinfo, and runinfo without one of the three categories.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..faults import Fault, need
from ..kernels import Kernel, KernelFault
from ..prompt import Question, build
from .dataset import Case, find_pairs, load_pair

SETTINGS: dict[str, str | None] = {
    "code": None,
    "runinfo": "SRV",
    "runinfo_rv": "RV",
    "runinfo_sv": "SV",
    "runinfo_sr": "SR",
}
"""Name of each setting, and the categories of its summary (structure, representation, values); None: code alone."""


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("prepare", help="run the notebooks of a dataset and write the prompts")
    parser.add_argument(
        "dataset", type=Path, metavar="DATASET", help="holds NAME_reproduced.ipynb and NAME_fixed.ipynb"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="where to write; a second run goes on"
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this pair (repeatable)")
    parser.add_argument("--kernel", metavar="NAME", help="the kernel to use instead of the notebooks' own")
    parser.add_argument("--timeout", type=float, default=600.0, metavar="S", help="seconds for each cell that runs")
    parser.add_argument("--token-budget", type=int, default=1_000_000, metavar="N", help="largest prompt")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    need("Running a notebook's cells", "cli", "jupyter_client", "ipykernel")
    done = failed = 0
    for stem in find_pairs(options.dataset):
        if options.only and Path(stem).name not in options.only:
            continue
        try:
            pair = load_pair(stem)
        except Fault as fault:
            failed += 1
            print(f"crane: {fault}", file=sys.stderr)
            continue
        for case in pair:
            target = options.out / "inspections" / f"{case.name}.json"
            if target.exists():
                done += 1
                continue
            try:
                _prepare(case, options)
            except Fault as fault:
                failed += 1
                print(f"crane: {case.name}: {fault}", file=sys.stderr)
            else:
                done += 1
                print(f"{case.name}: written")
    print(f"{done} targets prepared in {options.out}, {failed} failed.")
    return 0 if done and not failed else 2


def _prepare(case: Case, options: argparse.Namespace) -> None:
    """Write all files of one target; the inspection last, since its presence says that the target is done."""
    folder = case.notebook.path.resolve().parent
    raised: list[str] = []
    summaries: dict[str, Any] = {}
    with Kernel(
        options.kernel or case.notebook.kernel_name, folder, lambda text: print(text, file=sys.stderr)
    ) as kernel:
        for cell in case.executed:
            result = kernel.run_cell(cell.source, cell.id, options.timeout)
            if not result.success:
                raised.append(f"cell {cell.number}: {result.exception}: {result.message}")
        common: dict[str, Any] = {
            "cells": [{"id": cell.id, "source": cell.source} for cell in case.notebook.cells],
            "target_id": case.target.id,
        }
        inspection = kernel.inspect(case.target.source, **common)
        for setting, categories in SETTINGS.items():
            if categories is not None:
                asked = kernel.inspect(case.target.source, check=False, categories=categories, **common)
                summaries[setting] = asked.get("summary")
    if not isinstance(inspection.get("verdict"), dict):
        raise KernelFault("The check gave no verdict.")
    for setting, categories in SETTINGS.items():
        question = Question(
            target=case.target.source,
            executed=inspection.get("executed") or [],
            summary=summaries.get(setting),
            # The walk belongs to the full setting: it holds facts of all three categories.
            walk=inspection.get("walk") if categories == "SRV" else None,
            used=inspection.get("used") or [],
            include_runtime=categories is not None,
        )
        built = build(question, options.token_budget)
        prompt = {"target": case.name, "setting": setting, "system": built.system, "user": built.user}
        write_json(
            options.out / "prompts" / setting / f"{case.name}.json",
            {**prompt, "tokens": built.tokens, "left_out": built.left_out},
        )
    write_json(
        options.out / "inspections" / f"{case.name}.json",
        {"target": case.name, "source": case.target.source, "raised_before": raised, **inspection},
    )


def write_json(path: Path, data: Any) -> None:
    """Write whole or not at all, so that an interrupted run leaves nothing half done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    temporary.replace(path)
