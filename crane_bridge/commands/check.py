"""``crane check NOTEBOOK --cell N`` and ``crane check NOTEBOOK --all``."""

from __future__ import annotations

import argparse
import json
import sys

from .. import check, report
from ..notebook import read_notebook

NOTHING, CRASH, FAILURE = 0, 1, 2


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "check",
        help="say whether a notebook cell will crash",
        description=(
            "Runs the code cells before cell N in a kernel of its own, then says whether cell N will crash, without "
            "running it. The cells run for real, in the notebook's folder: what they write stays. Exit status: 0 no crash "
            "found, 1 crash found, 2 the check could not be done; with --all it tells what was predicted, not what happened."
        ),
    )
    parser.add_argument("notebook", metavar="NOTEBOOK", help="the .ipynb file")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--cell", type=_cell_number, metavar="N", help="the code cell to check, counted from 1")
    which.add_argument("--all", action="store_true", help="check each cell and then run it; compare")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--no-model", action="store_true", help="use the built-in checks alone; nothing is sent")
    parser.add_argument("--keep-going", action="store_true", help="with --all: go on after a cell that raises")
    parser.add_argument("--strict", action="store_true", help="with --cell: fail when an earlier cell raises")
    parser.add_argument(
        "--timeout", type=_seconds, default=600.0, metavar="S", help="seconds for each cell that runs (default 600)"
    )
    parser.add_argument("--kernel", metavar="NAME", help="the kernel to use instead of the notebook's own")
    parser.add_argument("--schema-only", action="store_true", help="send no value of your data to the model")
    parser.add_argument("--model", metavar="NAME", help="the model to ask (default: as configured)")
    parser.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible endpoint (default: as configured)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    notebook = read_notebook(options.notebook)
    todo = check.Options(
        timeout=options.timeout,
        keep_going=options.keep_going,
        strict=options.strict,
        kernel=options.kernel,
        schema_only=options.schema_only,
        note=lambda text: print(f"crane: {text}", file=sys.stderr),
        progress=_progress if sys.stderr.isatty() else lambda _: None,
    )
    if not options.no_model:
        todo.model = _model(options)
    return _all(notebook, todo, options.json) if options.all else _one(notebook, options.cell, todo, options.json)


def _one(notebook: check.Notebook, number: int, todo: check.Options, as_json: bool) -> int:
    outcome = check.check_one(notebook, number, todo)
    _progress_end()
    if as_json:
        print(json.dumps(report.one_json(notebook, outcome), indent=2, ensure_ascii=False))
    else:
        print(report.describe(notebook, outcome))
    verdict = outcome.target.verdict
    assert verdict is not None
    if verdict["outcome"] == "unreadable":
        return FAILURE
    return CRASH if verdict["outcome"] == "crash" else NOTHING


def _all(notebook: check.Notebook, todo: check.Options, as_json: bool) -> int:
    outcomes = check.check_all(notebook, todo, lambda _: None)
    _progress_end()
    if as_json:
        print(json.dumps(report.all_json(notebook, outcomes), indent=2, ensure_ascii=False))
    else:
        print(f"{notebook.path}\n")
        print(report.table(outcomes))
    last = outcomes[-1]
    if last.fault is not None:
        print(f"crane: {last.fault}", file=sys.stderr)
        return FAILURE
    left = len(notebook.cells) - len(outcomes)
    if left:
        print(
            f"crane: stopped after cell {last.cell.number}, which raised; {left} more not tried (--keep-going tries them).",
            file=sys.stderr,
        )
    crash = any(item.verdict is not None and item.verdict["outcome"] == "crash" for item in outcomes)
    return CRASH if crash else NOTHING


def _model(options: argparse.Namespace) -> check.Model | None:
    """The configured model, or None when there is none: then only the checks run, and a remark says so."""
    from ..ask import command_line_model

    return command_line_model(model=options.model, base_url=options.base_url, schema_only=options.schema_only)


def _progress(text: str) -> None:
    print(f"\r\x1b[K{text} …", end="", file=sys.stderr, flush=True)


def _progress_end() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _cell_number(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a cell") from None
    if number < 1:
        raise argparse.ArgumentTypeError("cells are counted from 1")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e7:
        raise argparse.ArgumentTypeError("must be a number of seconds above 0")
    return seconds
