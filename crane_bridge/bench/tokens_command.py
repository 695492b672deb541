"""``crane bench tokens FOLDER [--against FOLDER]``: how long the prompts are, and how other prompts compare.

All sizes are estimated with the same estimator, the one by which prompts are trimmed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from ..faults import Fault, need
from ..prompt import SYSTEM, estimate_tokens

_INFO = "# Current relevent runtime information:"
"""The heading, as published (with its spelling), under which the study's prompts hold the runtime information."""


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("tokens", help="compare the sizes of prompts")
    parser.add_argument("prepared", type=Path, metavar="FOLDER", help="what `crane bench prepare` wrote")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="published prompts: TARGET.txt files")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    need("Comparing prompts", "bench", "numpy")
    import numpy

    from .tables import markdown

    sizes = dict(_prepared(options.prepared))
    if not sizes:
        raise Fault(f"{options.prepared} holds no prompts.", "Make them with: crane bench prepare DATASET --out FOLDER")
    if options.against:
        targets = {target for by_target in sizes.values() for target in by_target}
        sizes.update(_published(options.against, targets))
    rows = [
        [name, str(len(by_target)), *(f"{x:.0f}" for x in numpy.percentile(list(by_target.values()), [50, 95, 100]))]
        for name, by_target in sizes.items()
    ]
    print(f"Estimated tokens per prompt (ours include {estimate_tokens(SYSTEM)} of instructions and reply schema):\n")
    print(markdown(["prompts", "targets", "median", "p95", "largest"], rows))
    return 0


def _prepared(folder: Path) -> Iterator[tuple[str, dict[str, int]]]:
    for place in sorted((folder / "prompts").glob("*")):
        found = {
            path.stem: json.loads(path.read_text(encoding="utf-8"))["tokens"] for path in sorted(place.glob("*.json"))
        }
        if found:
            yield f"ours, {place.name}", found


def _published(folder: Path, targets: set[str]) -> Iterator[tuple[str, dict[str, int]]]:
    """Sizes of the published prompts on the same targets: whole, and without their runtime information."""
    texts = {
        path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.txt")) if path.stem in targets
    }
    if not texts:
        raise Fault(f"{folder} holds no prompts of the same targets.", "They are called TARGET.txt.")
    yield "published, with runtime information", {name: estimate_tokens(text) for name, text in texts.items()}
    yield "published, code only", {name: estimate_tokens(_without_info(text)) for name, text in texts.items()}


def _without_info(text: str) -> str:
    head, found, rest = text.partition(_INFO)
    tail = rest[rest.find("# Target Cell") :] if found else ""
    return head + tail
