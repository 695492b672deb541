"""A verdict as HTML and as plain text, for the guard's refusals and the cell magic's answers.

The HTML takes its colours from where it stands (light or dark) and has only inline styles, which notebooks do not strip.
Everything that comes from a notebook, a kernel or a model is escaped.
"""

from __future__ import annotations

from html import escape
from typing import Any, Optional

_ACCENTS = {
    ("crash", "checker"): "#d13438",
    ("crash", "model"): "#c77700",
    ("no_crash", "model"): "#2e8b57",
    ("unreadable", "model"): "#c77700",
}
_GREY = "#888888"
_HEADS = {
    ("crash", "checker"): "Certain crash",
    ("crash", "model"): "Crash predicted",
    ("no_crash", "model"): "No crash predicted",
    ("nothing_certain", "checker"): "Nothing certain found",
    ("unreadable", "model"): "The model's reply could not be read",
}
_ACTIONS = {
    "assigned": "assigned in",
    "modified": "modified in",
    "possibly_modified": "possibly modified in",
    "deleted": "deleted in",
    "would_define": "would be defined by",
}
_MOST_STEPS = 12
_LONGEST_LINE = 100


def headline(verdict: dict) -> str:
    """One line: what is said, and of which exception."""
    head = _HEADS.get((verdict["outcome"], verdict["source"]), "Nothing certain found")
    return f"{head}: {error_words(verdict)}" if verdict.get("exception") else head


def error_words(verdict: dict) -> str:
    """``KeyError: 'price'``, as Python words it; the first line of a long message."""
    message = (verdict.get("message") or "").strip().split("\n", 1)[0]
    return f"{verdict['exception']}: {_cut(message, 300)}" if message else str(verdict["exception"])


def badge(verdict: dict, checked: bool = True) -> str:
    """Who says so: the built-in check, or a model by name."""
    if verdict["source"] == "checker":
        if verdict["outcome"] == "crash":
            return "built-in check, certain"
        return "built-in check" if checked else "not checked"
    name = verdict.get("model") or "model"
    return f"prediction of {name}" + (
        ", after the built-in check found nothing certain" if checked else ", from the code alone"
    )


def _cut(text: str, longest: int = _LONGEST_LINE) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _line(source: str, line: Optional[int]) -> str:
    """The text of one line of a cell, for showing."""
    lines = source.splitlines()
    return _cut(lines[line - 1].strip()) if line is not None and 0 < line <= len(lines) else ""


def step_words(step: dict) -> str:
    """``modified in cell [5], line 2 (run 3 times)``."""
    cell = step["cell"]
    where = "a cell that has not run" if cell.get("order") is None else f"cell [{cell['order']}]"
    line = f", line {step['line']}" if step.get("line") else ""
    notes = [f"run {cell['runs']} times"] if cell.get("runs", 1) > 1 else []
    if not cell.get("recorded", True) and cell.get("order") is not None:
        notes.append("known from the history only")
    remark = f" ({', '.join(notes)})" if notes else ""
    return f"{_ACTIONS.get(step['action'], step['action'])} {where}{line}{remark}"


def detail_words(step: dict) -> str:
    """What the step did, where that says more than its action."""
    return "" if step["detail"] == step["action"] else step["detail"]


def as_text(verdict: dict, source: str, notice: str = "", checked: bool = True, code: str = "") -> str:
    """The verdict for a terminal. ``code``: a line that the notice ends in."""
    parts = [f"CRANE: {notice}" if notice else "CRANE"]
    if code:
        parts.append(f"    {code}")
    parts.append(f"  {headline(verdict)}  [{badge(verdict, checked)}]")
    if verdict.get("line"):
        parts.append(f"  line {verdict['line']}: {_line(source, verdict['line'])}")
    if verdict.get("reasoning"):
        parts.extend("  " + line for line in verdict["reasoning"].splitlines())
    for origin in verdict.get("origins") or []:
        for place, step in enumerate(origin["steps"][-_MOST_STEPS:]):
            name = origin["variable"] if place == 0 else ""
            code = _line(step["cell"]["source"], step.get("line"))
            detail = f": {detail_words(step)}" if detail_words(step) else ""
            parts.append(f"    {name:12} {step_words(step)}{detail}" + (f"   | {code}" if code else ""))
    return "\n".join(parts)


def as_html(
    verdict: dict,
    source: str,
    notice: str = "",
    checked: bool = True,
    folded: Any = (),
    stale: str = "",
    code: str = "",
) -> str:
    """The verdict for a notebook.

    ``folded`` are (title, text) pairs shown closed; ``stale`` says why it is out of date; ``code`` is a line that the
    notice ends in.
    """
    accent = _GREY if stale else _ACCENTS.get((verdict["outcome"], verdict["source"]), _GREY)
    faded = "opacity:.55;" if stale else ""
    frame = f"border-left:4px solid {accent};padding:.4em .9em;margin:.2em 0;{faded}"
    parts = [f'<div style="{frame}font-family:system-ui,sans-serif;font-size:13px;line-height:1.5">']
    if stale:
        parts.append(f"<div><em>Out of date: {escape(stale)}</em></div>")
    if notice:
        parts.append(f"<div>{escape(notice)}</div>")
    if code:
        parts.append(f'<pre style="margin:.2em 0 .4em;white-space:pre;overflow-x:auto">{escape(code)}</pre>')
    parts.append(
        f'<div><strong style="color:{accent}">{escape(headline(verdict))}</strong> '
        f'<span style="border:1px solid rgba(128,128,128,.5);border-radius:3px;padding:0 .4em;font-size:11px;display:inline-block">'
        f"{escape(badge(verdict, checked))}</span></div>"
    )
    crashing = _line(source, verdict.get("line"))
    if crashing:
        parts.append(f"<div>line {verdict['line']}: <code>{escape(crashing)}</code></div>")
    if verdict.get("reasoning"):
        parts.append(f'<div style="white-space:pre-wrap">{escape(verdict["reasoning"])}</div>')
    parts.append(_origins_html(verdict.get("origins") or []))
    for title, text in folded:
        parts.append(
            f'<details><summary style="cursor:pointer">{escape(title)}</summary>'
            f'<pre style="white-space:pre-wrap;max-height:30em;overflow:auto">{escape(text)}</pre></details>'
        )
    return "".join([*parts, "</div>"])


def _origins_html(origins: list) -> str:
    rows = []
    for origin in origins:
        for place, step in enumerate(origin["steps"][-_MOST_STEPS:]):
            code = _line(step["cell"]["source"], step.get("line"))
            cells = (
                f"<code>{escape(origin['variable'])}</code>" if place == 0 else "",
                escape(step_words(step)),
                escape(detail_words(step)),
                f"<code>{escape(code)}</code>" if code else "",
            )
            rows.append(
                "".join(f'<td style="text-align:left;padding:0 .8em 0 0;vertical-align:top">{c}</td>' for c in cells)
            )
    if not rows:
        return ""
    body = "".join(f'<tr style="background:transparent">{row}</tr>' for row in rows)
    return f'<div style="margin-top:.3em">Where it comes from</div><table style="border:none;color:inherit;font-size:inherit">{body}</table>'
