"""Reads a model's reply into a verdict.

Accepted: the JSON object asked for, alone, in a code fence, or wrapped in prose; ``detection`` in place of
``prediction``. Of several objects the last that holds a verdict counts, since models reason first. Whatever cannot be
read gives the outcome ``unreadable`` with the reason; the raw text is shown all the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from .lines import code_lines

_KEYS = ("prediction", "detection")
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_EXCEPTION = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_WORDS = {"true": True, "yes": True, "crash": True, "false": False, "no": False, "no_crash": False, "no crash": False}


@dataclass
class RawReply:
    """What came back from an endpoint. ``refusal``: the model's words when it declined. ``truncated``: cut at a limit."""

    text: str
    model: str = ""
    truncated: bool = False
    refusal: str | None = None
    usage: dict[str, int] | None = None


def verdict(reply: RawReply, target: str) -> dict[str, Any]:
    """A verdict in the protocol's shape, as plain JSON. Never raises."""
    if reply.refusal:
        return _unreadable(reply, f"The model declined to answer: {_cut(reply.refusal)}")
    data = find_object(reply.text)
    if data is None:
        if reply.truncated:
            return _unreadable(reply, "The reply was cut off before its end, so it holds no verdict.")
        if not reply.text.strip():
            return _unreadable(reply, "The model's reply was empty.")
        return _unreadable(reply, "The reply holds no verdict in JSON.")
    crash = prediction_of(data)
    if crash is None:
        return _unreadable(reply, "The reply is JSON, but it does not say whether the cell will crash.")
    reasoning = data.get("reasoning")
    result = _empty(reply, "crash" if crash else "no_crash", str(reasoning).strip() if reasoning else "")
    if crash:
        result["exception"] = _exception(data.get("exception"))
        result.update(_place(data.get("line"), target))
        variables = data.get("variables")
        if isinstance(variables, list):
            result["variables"] = [name for name in variables if isinstance(name, str) and name.strip()][:20]
    fix = data.get("fix")
    if crash and isinstance(fix, str) and fix.strip():
        result["reasoning"] += f"{' ' if result['reasoning'] else ''}Suggested: {fix.strip()}"
    return result


def find_object(text: str) -> dict[str, Any] | None:
    """The last JSON object in ``text`` that holds a verdict; failing that, None."""
    text = _THINKING.sub("", text) if "</think" in text.lower() or not text.lstrip().startswith("{") else text
    found: dict[str, Any] | None = None
    decoder = json.JSONDecoder(strict=False)  # models put raw line breaks into strings
    position = text.find("{")
    tries = 0
    while position != -1 and tries < 2000:
        tries += 1
        try:
            data, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position = text.find("{", position + 1)
            continue
        data = _unwrap(data)
        if data is not None:
            found = data
        position = text.find("{", end)
    return found


def _unwrap(data: Any) -> dict[str, Any] | None:
    """The object itself, or the one that a model put under a key such as "result"."""
    if not isinstance(data, dict):
        return None
    if any(key in data for key in _KEYS):
        return data
    for value in data.values():
        if isinstance(value, dict) and any(key in value for key in _KEYS):
            return value
    return None


def prediction_of(data: dict[str, Any]) -> bool | None:
    """True crash, False none, None unsaid. Words for a boolean are taken; numbers are not."""
    value = next((data[key] for key in _KEYS if key in data), None)
    if isinstance(value, bool):
        return value
    return _WORDS.get(value.strip().lower()) if isinstance(value, str) else None


def _exception(value: Any) -> str | None:
    match = _EXCEPTION.match(value.strip()) if isinstance(value, str) else None
    name = match.group().rsplit(".", 1)[-1] if match else None
    return None if name in (None, "None", "null", "") else name


def _place(value: Any, target: str) -> dict[str, Any]:
    """Line and span in the target, when the line exists."""
    if isinstance(value, str) and value.strip().isdigit():
        value = int(value)
    lines = code_lines(target)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= len(lines):
        return {}
    text = lines[value - 1]
    start = len(text) - len(text.lstrip())
    return {"line": value, "column": start, "end_line": value, "end_column": len(text.rstrip())}


def _unreadable(reply: RawReply, why: str) -> dict[str, Any]:
    return _empty(reply, "unreadable", why)


def _empty(reply: RawReply, outcome: str, reasoning: str) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "source": "model",
        "model": reply.model or None,
        "exception": None,
        "message": None,
        "line": None,
        "column": None,
        "end_line": None,
        "end_column": None,
        "reasoning": reasoning,
        "variables": [],
        "rule": None,
        "suggestion": None,
        "origins": [],
        "seconds": 0.0,
        "usage": reply.usage,
    }


def _cut(text: str, limit: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
