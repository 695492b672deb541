"""``crane bench score FOLDER``: the majority vote of recorded replies against the truth."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..faults import need


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("score", help="score recorded replies: majority vote, paired tests, tokens and time")
    parser.add_argument("replies", type=Path, metavar="FOLDER", help="holds MODEL__SETTING.json or .jsonl files")
    parser.add_argument("--csv", type=Path, metavar="FOLDER", help="also write every table there as CSV")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report there instead of printing it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    need("Scoring", "bench", "pandas", "numpy")
    from .replies import load_folder
    from .tables import summary_markdown

    recordings = load_folder(options.replies)
    frames = all_frames(recordings)
    report = [
        "Majority vote over the recorded replies (precision, recall, F1, accuracy):",
        summary_markdown(recordings),
        *sections(frames),
    ]
    publish("\n\n".join(report), frames, options.markdown, options.csv)
    return 0


def all_frames(recordings):  # list[Recording] -> dict[str, DataFrame]
    from . import tables

    return {
        "overall": tables.overall(recordings),
        "by_library": tables.by_library(recordings),
        "comparisons": tables.comparisons(recordings),
        "costs": tables.costs(recordings),
    }


def sections(frames):  # dict[str, DataFrame] -> list[str]
    from .tables import frame_markdown

    titles = {
        "by_library": "By library:",
        "comparisons": "Paired comparisons (exact McNemar test on the majority votes, Wilcoxon signed-rank test on the "
        "share of right replies, bootstrap interval of the F1 difference):",
        "costs": "Tokens and time per query:",
    }
    parts: list[str] = []
    for name, title in titles.items():
        # Published replies come without tokens and time: then there is nothing to show.
        if name not in frames or not len(frames[name]):
            continue
        if name != "costs" or not frames[name].filter(regex="median|p95").isna().all(axis=None):
            parts += [title, frame_markdown(frames[name])]
    return parts


def publish(report, frames, markdown, csv):
    """Print the report or write it to ``markdown``; write each frame into the folder ``csv``."""
    if markdown is not None:
        markdown.parent.mkdir(parents=True, exist_ok=True)
        markdown.write_text(report + "\n", encoding="utf-8")
    else:
        print(report)
    if csv is not None:
        csv.mkdir(parents=True, exist_ok=True)
        for name, frame in frames.items():
            frame.to_csv(csv / f"{name}.csv", index=False)
