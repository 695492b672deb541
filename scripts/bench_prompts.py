#!/usr/bin/env python3
"""Prompts and verdicts for benchmark cases rebuilt from a recipe instead of a notebook, as `crane bench prepare` lays them out.

    python scripts/bench_prompts.py RECIPES --out FOLDER [CASE...]

RECIPES is a folder with a module ``juno.py`` whose ``build(name, variant)`` runs a case's earlier cells and returns the
shell, the target's source and the cells that ran. Run it with the benchmark's own interpreter: each case gets a process
of that interpreter. Afterwards `crane bench tokens FOLDER --against RECIPES/prompts` compares the sizes, and
`crane bench checker FOLDER --replies REPLIES` combines the checker's verdicts with recorded ones.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASE_SECONDS = 300


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipes", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--one", nargs=2, metavar=("CASE", "VARIANT"), help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args()
    sys.path[:0] = [str(ROOT), str(options.recipes.resolve())]
    if options.one:
        return one(options.one[0], options.one[1], options.out)
    import juno

    failed = 0
    for name in options.cases or juno.all_names():
        for variant, suffix in (("buggy", "reproduced"), ("fixed", "fixed")):
            if (options.out / "inspections" / f"{name}_{suffix}.json").exists():
                continue
            command = [
                sys.executable,
                str(Path(__file__).resolve()),
                str(options.recipes.resolve()),
                "--out",
                str(options.out.resolve()),
            ]
            try:
                # The cases write their input files where they run.
                with tempfile.TemporaryDirectory() as folder:
                    done = subprocess.run(
                        [*command, "--one", name, variant],
                        capture_output=True,
                        text=True,
                        timeout=CASE_SECONDS,
                        cwd=folder,
                    )
                problem = done.stderr.strip().splitlines()[-1:] if done.returncode else []
            except subprocess.TimeoutExpired:
                problem = ["timed out"]
            if problem:
                failed += 1
                print(f"{name} {variant}: {problem[0]}", file=sys.stderr)
    return 1 if failed else 0


def one(name: str, variant: str, out: Path) -> int:
    """Write the verdict and both prompts of one case. The process ends here: libraries may have left threads behind."""
    import os

    import juno

    from crane_bridge.prompt import Question, build
    from crane_llm import inspect_cell

    shell, target, cells = juno.build(name, variant)
    found = inspect_cell(target, shell)
    executed = [{"id": None, "order": number, "source": source, "success": True} for number, source in cells]
    stem = f"{name}_{'reproduced' if variant == 'buggy' else 'fixed'}"
    for setting in ("code", "runinfo"):
        with_runtime = setting == "runinfo"
        question = Question(
            target, executed, found["summary"], found["walk"] if with_runtime else None, found["used"], with_runtime
        )
        built = build(question, 1_000_000)
        path = out / "prompts" / setting / f"{stem}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        data = {
            "target": stem,
            "setting": setting,
            "system": built.system,
            "user": built.user,
            "tokens": built.tokens,
        }
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False), encoding="utf-8")
    path = out / "inspections" / f"{stem}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"target": stem, **found}, ensure_ascii=False), encoding="utf-8")
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    raise SystemExit(main())
