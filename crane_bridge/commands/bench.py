"""``crane bench prepare | run | score | checker | tokens``: the experiments of the study, repeatable."""

from __future__ import annotations

import argparse
import importlib

_ACTIONS = ("prepare", "run", "score", "checker", "tokens")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "bench",
        help="experiments on a benchmark of notebook pairs",
        description="The experiments of the study, repeatable.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name in _ACTIONS:
        importlib.import_module(f"..bench.{name}_command", __package__).add(actions)
