"""``crane bench checker VERDICTS [--replies FOLDER]``: the checker alone, and together with recorded models.

Two ways to combine are scored: a crash if either judge says so; and, for study, the same but with the model overruled
where the checker followed the whole cell on exact values (``complete``) and found nothing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..faults import Fault, need
from .replies import BUGGY, FIXED, Answer, Recording

_SAID_CRASH = ("hit", "wrong cause", "false alarm")
CHECKER = "checker"


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("checker", help="score the checker, alone and with recorded models")
    parser.add_argument(
        "verdicts",
        type=Path,
        metavar="VERDICTS",
        help="what `crane bench prepare` wrote, or a JSON list of objects with case, variant and outcome",
    )
    parser.add_argument("--replies", type=Path, metavar="FOLDER", help="recorded replies to combine with")
    parser.add_argument("--csv", type=Path, metavar="FOLDER", help="also write every table there as CSV")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report there instead of printing it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    need("Scoring", "bench", "pandas", "numpy")
    from . import tables
    from .replies import load_folder
    from .score_command import publish, sections

    verdicts = load_verdicts(options.verdicts)
    recordings = [as_recording(verdicts)]
    if options.replies:
        for model in load_folder(options.replies):
            recordings += combined(verdicts, model)
    frames = {
        "overall": tables.overall(recordings),
        "by_library": tables.by_library(recordings),
        "comparisons": tables.comparisons(recordings),
    }
    head = f"The checker's verdicts on {len(verdicts)} targets, alone and with the majority vote of recorded replies:"
    report = [head, tables.frame_markdown(frames["overall"]), *sections(frames)]
    publish("\n\n".join(report), frames, options.markdown, options.csv)
    return 0


def load_verdicts(path: Path) -> dict[str, tuple[bool, bool]]:
    """(says crash, followed the whole cell) by target. Raises `Fault`."""
    try:
        if path.is_dir():
            folder = path / "inspections" if (path / "inspections").is_dir() else path
            data = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
            found = {item["target"]: _from_inspection(item) for item in data}
        else:
            found = dict(_from_row(row) for row in json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise Fault(f"There is no {path}.") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Fault(f"{path} holds no verdicts that can be read ({type(error).__name__}).") from error
    if not found:
        raise Fault(f"{path} holds no verdicts.")
    return found


def _from_inspection(item: dict[str, Any]) -> tuple[bool, bool]:
    return item["verdict"]["outcome"] == "crash", bool((item.get("walk") or {}).get("complete"))


def _from_row(row: dict[str, Any]) -> tuple[str, tuple[bool, bool]]:
    suffix = {"buggy": BUGGY, "fixed": FIXED}[row["variant"]]
    return f"{row['case']}{suffix}", (row["outcome"] in _SAID_CRASH, bool(row.get("complete")))


def as_recording(verdicts: dict[str, tuple[bool, bool]], setting: str = "alone") -> Recording:
    """The checker as if it were a model that was asked once."""
    return Recording(CHECKER, setting, {target: [Answer(crash)] for target, (crash, _) in verdicts.items()})


def combined(verdicts: dict[str, tuple[bool, bool]], model: Recording) -> list[Recording]:
    """The model alone and both combinations, all on the targets that both judges were asked about."""
    common = sorted(set(verdicts) & set(model.answers))
    if not common:
        raise Fault(f"The replies of {model.model} are about other targets than the verdicts.")
    name = f"{model.model}, {model.setting}"
    votes = {target: model.majority(target) for target in common}
    either = {target: verdicts[target][0] or votes[target] for target in common}
    overruled = {target: verdicts[target][0] or (votes[target] and not verdicts[target][1]) for target in common}
    return [
        Recording(name, setting, {target: [Answer(vote)] for target, vote in said.items()})
        for setting, said in (
            ("alone", votes),
            ("crash if checker or model says so", either),
            ("the same, model overruled where the walk is complete", overruled),
        )
    ]
