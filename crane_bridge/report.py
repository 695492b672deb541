"""Prints what ``crane check`` found: for people as text, for programs as one JSON object."""

from __future__ import annotations

import textwrap
from typing import Any

from .check import CellOutcome, CheckOutcome, Verdict
from .lines import code_lines
from .notebook import CodeCell, Notebook

_WIDTH = 100
_HEADLINES = {
    "crash": "crash predicted",
    "no_crash": "no crash predicted",
    "nothing_certain": "nothing certain found",
    "unreadable": "the model's reply could not be read",
}
_ACTIONS = {
    "assigned": "assigned it",
    "modified": "modified it",
    "possibly_modified": "may have modified it",
    "deleted": "deleted it",
    "would_define": "would define it",
}
_REASONS = {
    "not_run": "has not run",
    "raised_before": "raised before it got there",
    "edited_since": "was edited since it ran",
    "branch_not_run": "that branch did not run",
}


def headline(verdict: Verdict) -> str:
    """The verdict in a few words; certain and predicted crashes never read alike."""
    if verdict["outcome"] == "crash" and verdict["source"] == "checker":
        return "certain crash"
    return _HEADLINES[verdict["outcome"]]


def badge(verdict: Verdict) -> str:
    """Who says so."""
    if verdict["source"] == "checker":
        return "built-in check"
    return f"model {verdict.get('model') or 'unknown'}"


def describe(notebook: Notebook, outcome: CheckOutcome) -> str:
    """The answer about one cell, as text."""
    cell, verdict = outcome.target.cell, outcome.target.verdict
    assert verdict is not None
    lines = [f"{notebook.path}, cell {cell.number}: {headline(verdict)} ({badge(verdict)})"]
    if verdict["outcome"] == "nothing_certain":
        lines.append("  Only the built-in checks ran. This does not mean that the cell is safe.")
    lines += _details(cell, verdict)
    return "\n".join(lines)


def _details(cell: CodeCell, verdict: Verdict) -> list[str]:
    lines: list[str] = []
    if verdict.get("exception"):
        lines.append(_wrapped(f"{verdict['exception']}: {verdict.get('message') or ''}".rstrip(": "), "  "))
    if verdict.get("line"):
        lines += _quote(cell.source, verdict)
    if verdict.get("reasoning") and verdict["outcome"] != "nothing_certain":
        lines.append(_wrapped(f"Why: {verdict['reasoning']}", "  "))
    for origin in verdict.get("origins") or []:
        if not origin["steps"]:
            continue
        lines.append(f"  Where {origin['variable']} comes from:")
        lines += [f"    {_step(step)}" for step in origin["steps"]]
    suggestion = verdict.get("suggestion")
    if suggestion:
        lines.append(f"  Suggestion: {suggestion['title']}")
    usage = verdict.get("usage")
    tokens = f", {usage['input_tokens']} + {usage['output_tokens']} tokens" if usage else ""
    lines.append(f"  ({verdict.get('seconds', 0.0) * 1000:.0f} ms{tokens})")
    return lines


def _quote(source: str, verdict: Verdict) -> list[str]:
    """The line blamed, with the span underlined where it is known."""
    rows = code_lines(source)
    line, column, end = verdict["line"], verdict.get("column"), verdict.get("end_column")
    if not 1 <= line <= len(rows):
        return [f"  line {line}"]
    text = rows[line - 1].replace("\t", " ")
    lines = [f"  line {line} | {text}"]
    if column is not None and 0 <= column <= len(text):
        same_line = verdict.get("end_line") in (None, line)
        width = (end if end is not None and same_line else len(text)) - column
        lines.append(" " * (len(f"  line {line} ") - 1) + " | " + " " * column + "^" * max(1, width))
    return lines


def _step(step: dict[str, Any]) -> str:
    cell = step["cell"]
    order = cell.get("order")
    name = f"[{order}]" if order is not None else "a cell that has not run"
    line = f", line {step['line']}" if step.get("line") else ""
    text = f"{name}{line}: {_ACTIONS.get(step['action'], step['action'])}"
    rows = code_lines(cell.get("source") or "")
    if step.get("line") and 1 <= step["line"] <= len(rows):
        text += f" | {rows[step['line'] - 1].strip()}"
    detail = step.get("detail") or ""
    notes = ["" if detail == step["action"] else detail, _REASONS.get(step.get("reason") or "", "")]
    if not cell.get("recorded", True) and order is not None:
        notes.append("known from the history only")
    if (cell.get("runs") or 1) > 1:
        notes.append(f"ran {cell['runs']} times")
    said = "; ".join(note for note in notes if note)
    return f"{text} ({said})" if said else text


def _wrapped(text: str, indent: str) -> str:
    rows = text.splitlines() or [""]
    return "\n".join(
        wrapped
        for row in rows[:20]
        for wrapped in textwrap.wrap(row, _WIDTH, initial_indent=indent, subsequent_indent=indent + "  ") or [""]
    )


# --- all cells -------------------------------------------------------------------------------------------------------


def table(outcomes: list[CellOutcome]) -> str:
    """One row per cell: what was predicted, what happened, whether that was right; and a line of totals."""
    rows = [("cell", "predicted", "happened", "right?")]
    rows += [(str(item.cell.number), predicted(item), happened(item), judgement(item)) for item in outcomes]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    drawn = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    drawn.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*drawn, "", totals_text(outcomes)])


def predicted(item: CellOutcome) -> str:
    if item.verdict is None:
        return "-"
    said = headline(item.verdict)
    if item.verdict["outcome"] == "crash":
        where = f", line {item.verdict['line']}" if item.verdict.get("line") else ""
        message = _short(item.verdict.get("message"), 48)
        said += f": {item.verdict.get('exception') or 'an exception'}{where}" + (f" ({message})" if message else "")
    return said


def happened(item: CellOutcome) -> str:
    if item.skipped:
        return f"skipped: {item.skipped}"
    if item.fault is not None:
        return item.fault.message
    if item.result is None:
        return "did not run"
    if item.result.success:
        return "ran"
    where = f", line {item.result.line}" if item.result.line else ""
    told = item.verdict is not None and item.verdict.get("message") == item.result.message
    message = "" if told or not item.result.message else f" ({_short(item.result.message)})"
    return f"raised {item.result.exception}{where}{message}"


def judgement(item: CellOutcome) -> str:
    if item.right is True:
        return "yes"
    if item.right is False:
        assert item.result is not None
        if item.result.success:
            return "no: false alarm"
        crash = item.verdict is not None and item.verdict["outcome"] == "crash"
        return "no: another exception" if crash else "no: missed"
    if item.missed:
        return "missed" if not item.cell.may_raise else "-"
    return "-"


def totals(outcomes: list[CellOutcome]) -> dict[str, int]:
    """Counts over all cells that were checked and ran."""
    done = [item for item in outcomes if item.verdict is not None and item.result is not None]
    crashes = [item for item in done if item.verdict is not None and item.verdict["outcome"] == "crash"]
    return {
        "cells": len(done),
        "crashed": sum(1 for item in done if item.result is not None and not item.result.success),
        "predicted": len(crashes),
        "right": sum(1 for item in crashes if item.right),
        "wrong_cause": sum(1 for item in crashes if item.right is False and item.result and not item.result.success),
        "false_alarms": sum(1 for item in crashes if item.result is not None and item.result.success),
        "missed": sum(1 for item in done if item.missed and not item.cell.may_raise),
    }


def totals_text(outcomes: list[CellOutcome]) -> str:
    count = totals(outcomes)
    text = (
        f"{count['cells']} {'cell' if count['cells'] == 1 else 'cells'} ran, {count['crashed']} of them crashed. "
        f"Crashes predicted: {count['predicted']}, right: {count['right']}, "
        f"false alarms: {count['false_alarms']}, missed: {count['missed']}."
    )
    if count["wrong_cause"]:
        text += f" Right cell but another exception: {count['wrong_cause']}."
    return text


def _short(text: str | None, limit: int = 40) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


# --- JSON ------------------------------------------------------------------------------------------------------------


def one_json(notebook: Notebook, outcome: CheckOutcome) -> dict[str, Any]:
    """The verdict on one cell, with where it stands and what became of the cells before it."""
    verdict = outcome.target.verdict
    assert verdict is not None
    inspection = outcome.target.inspection or {}
    return {
        "notebook": str(notebook.path),
        "cell": outcome.target.cell.number,
        "cell_id": outcome.target.cell.id,
        **verdict,
        "walk": inspection.get("walk"),
        "kernel": inspection.get("kernel"),
        "before": [_happened_json(item) for item in outcome.before],
    }


def all_json(notebook: Notebook, outcomes: list[CellOutcome]) -> dict[str, Any]:
    return {
        "notebook": str(notebook.path),
        "cells": [
            {**_happened_json(item), "verdict": item.verdict, "judgement": judgement(item), "right": item.right}
            for item in outcomes
        ],
        "totals": totals(outcomes),
    }


def _happened_json(item: CellOutcome) -> dict[str, Any]:
    result = item.result
    if result is None:
        status = "skipped" if item.skipped else "failed" if item.fault is not None else "not_run"
        return {"cell": item.cell.number, "cell_id": item.cell.id, "happened": status, "why": happened(item)}
    return {
        "cell": item.cell.number,
        "cell_id": item.cell.id,
        "happened": "ran" if result.success else "raised",
        "exception": result.exception,
        "message": result.message,
        "line": result.line,
        "seconds": round(result.seconds, 3),
    }
