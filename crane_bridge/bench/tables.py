"""Tables of scores, as pandas frames, and their Markdown."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from .metrics import Scores, score
from .replies import Recording, is_buggy, library_of, setting_rank
from .significance import compare, holm

if TYPE_CHECKING:
    import pandas

FIGURES = ("precision", "recall", "f1", "accuracy")


def scores_of(recording: Recording, library: str | None = None) -> Scores:
    """Scores of the majority vote, on the targets of one library or on all."""
    chosen = [target for target in recording.answers if library is None or library_of(target) == library]
    return score((is_buggy(target), recording.majority(target)) for target in chosen)


def overall(recordings: list[Recording]) -> pandas.DataFrame:
    """One row per model and setting: figures, counts, number of targets."""
    return _frame([{"model": item.model, "setting": item.setting, **_row(scores_of(item))} for item in recordings])


def by_library(recordings: list[Recording]) -> pandas.DataFrame:
    """One row per library, model and setting."""
    libraries = sorted({library_of(target) for item in recordings for target in item.answers})
    rows = []
    for library, item in itertools.product(libraries, recordings):
        scores = scores_of(item, library)
        if scores.total:
            rows.append({"library": library, "model": item.model, "setting": item.setting, **_row(scores)})
    return _frame(rows)


def costs(recordings: list[Recording]) -> pandas.DataFrame:
    """Tokens and seconds per query, where they were recorded: median and 95th percentile."""
    import numpy

    rows = []
    for item in recordings:
        answers = [answer for replies in item.answers.values() for answer in replies]
        row: dict[str, Any] = {"model": item.model, "setting": item.setting, "replies": len(answers)}
        row["unreadable"] = sum(answer.vote is None for answer in answers)
        for name in ("input_tokens", "output_tokens", "seconds"):
            recorded: list[Any] = [getattr(answer, name) for answer in answers]
            values = [value for value in recorded if value is not None]
            row[f"{name} median"] = float(numpy.median(values)) if values else math.nan
            row[f"{name} p95"] = float(numpy.percentile(values, 95)) if values else math.nan
        rows.append(row)
    return _frame(rows)


def comparisons(recordings: list[Recording]) -> pandas.DataFrame:
    """Paired tests: the settings of each model against each other, and the models in each setting.

    McNemar's p values are also given corrected for all rows of the table (Holm).
    """
    rows: list[dict[str, Any]] = []
    for first, second in itertools.combinations(recordings, 2):
        if (first.model == second.model) == (first.setting == second.setting):
            continue
        common = sorted(set(first.answers) & set(second.answers))
        if not common:
            continue
        truth = [is_buggy(target) for target in common]
        result = compare(
            truth,
            [first.majority(target) for target in common],
            [second.majority(target) for target in common],
            [_share_right(first, target) for target in common],
            [_share_right(second, target) for target in common],
        )
        same = first.model == second.model
        rows.append(
            {
                "within": first.model if same else first.setting,
                "first": first.setting if same else first.model,
                "second": second.setting if same else second.model,
                "targets": len(common),
                "only first right": result.only_first,
                "only second right": result.only_second,
                "McNemar p": result.p_mcnemar,
                "Wilcoxon p": result.p_wilcoxon,
                "F1 difference": result.f1_difference,
                "95 % low": result.f1_low,
                "95 % high": result.f1_high,
            }
        )
    for row, corrected in zip(rows, holm([row["McNemar p"] for row in rows])):
        row["McNemar p (Holm)"] = corrected
    return _frame(rows)


def _share_right(recording: Recording, target: str) -> float:
    answers = recording.answers[target]
    return sum(answer.vote is is_buggy(target) for answer in answers) / len(answers) if answers else 0.0


def _row(scores: Scores) -> dict[str, Any]:
    return {
        **dict(zip(FIGURES, scores.figures())),
        "hits": scores.hits,
        "false alarms": scores.false_alarms,
        "misses": scores.misses,
        "targets": scores.total,
    }


def _frame(rows: list[dict[str, Any]]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame(rows)


# --- Markdown --------------------------------------------------------------------------------------------------------


def summary_markdown(recordings: list[Recording]) -> str:
    """The table of the study: a row per model, a column per setting; precision, recall, F1, accuracy in each cell."""
    settings = sorted({item.setting for item in recordings}, key=setting_rank)
    models = list(dict.fromkeys(item.model for item in recordings))
    found = {(item.model, item.setting): " ".join(figure(x) for x in scores_of(item).figures()) for item in recordings}
    rows = [[model, *(found.get((model, setting), "–") for setting in settings)] for model in models]
    return markdown(["model", *settings], rows)


def frame_markdown(frame: pandas.DataFrame) -> str:
    """Any of the frames above as a Markdown table."""
    rows = [[_cell(name, value) for name, value in zip(frame.columns, row)] for row in frame.itertuples(index=False)]
    return markdown(list(frame.columns), rows)


def markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def figure(value: float) -> str:
    """``.763``; ``1.000``; a dash where there is none."""
    if math.isnan(value):
        return "–"
    text = f"{value:.3f}"
    return text[1:] if text.startswith("0.") else f"-{text[2:]}" if text.startswith("-0.") else text


def _cell(column: str, value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "–"
    if "tokens" in column:
        return f"{value:.0f}"
    if "seconds" in column:
        return f"{value:.2f}"
    return figure(value)
