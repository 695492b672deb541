"""The second judge for the command line: the configured model, asked when the checker found nothing certain."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from .check import Model
from .faults import MissingExtra, need
from .notebook import CodeCell
from .predict import predict
from .prompt import Question
from .settings import resolve


def command_line_model(*, model: str | None, base_url: str | None, schema_only: bool) -> Model | None:
    """The configured model as a judge, or None when none is configured or its package is not installed (said on stderr).

    Raises `SettingsFault` for settings that cannot be used. Naming a model or an endpoint without a key is such a case;
    naming one without the package is `MissingExtra`.
    """
    resolved = resolve(
        {"model": model, "base_url": base_url}, explicit_source="command line", cwd=".", confirmed_hosts=()
    )
    problem = resolved.ready()
    if problem is not None:
        if model or base_url or resolved.key_refusal:
            resolved.require_key()
        print(f"crane: {problem} Only the built-in checks run.", file=sys.stderr)
        return None
    try:
        need("Asking a model", "model", "openai")
    except MissingExtra as missing:
        if model or base_url:
            raise
        print(f"crane: {missing}\n       Only the built-in checks run.", file=sys.stderr)
        return None
    for remark in resolved.remarks:
        print(f"crane: {remark}", file=sys.stderr)

    def judge(target: CodeCell, inspection: dict[str, Any]) -> dict[str, Any]:
        question = Question(
            target=target.source,
            executed=inspection.get("executed") or [],
            summary=inspection.get("summary"),
            walk=inspection.get("walk"),
            used=inspection.get("used") or [],
            schema_only=schema_only,
        )
        verdict = asyncio.run(predict(question, resolved)).verdict
        if verdict["outcome"] == "crash":
            verdict["origins"] = inspection.get("origins") or []
        return verdict

    return judge
