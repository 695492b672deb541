"""What would be sent to a model, and where to; also without the packages of the extra ``model``.

The editor shows the exact text before it makes an environment for the bridge. So this module, and all that it imports,
needs the standard library only, and can be run by any supported Python from inside the wheel: ``PredictParams`` of
`crane_bridge.protocol` as JSON on standard input, on standard output ``{"result": PreviewResult}`` or
``{"error": {"message", "kind", "hint"}}``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from . import predict as predicting
from .faults import Fault
from .prompt import Question
from .redact import redact_message
from .settings import Resolved, resolve

_NOT_SETTINGS = ("cwd", "stored_key", "stored_key_host", "confirmed_hosts")


def question_of(params: Mapping[str, Any]) -> Question:
    """The question in ``PredictParams`` as plain JSON."""
    summary = params.get("summary")
    return Question(
        target=params["target"]["source"],
        executed=params.get("executed") or [],
        summary=summary,
        walk=params.get("walk"),
        used=[variable["name"] for variable in summary["variables"]] if summary else [],
        include_runtime=params.get("include_runtime", True),
        schema_only=params.get("schema_only", False),
    )


def settings_of(settings: Mapping[str, Any]) -> Resolved:
    """The settings of a call: what the editor knows first, then what is found elsewhere. Raises `SettingsFault`."""
    return resolve(
        {name: value for name, value in settings.items() if name not in _NOT_SETTINGS},
        explicit_source="editor setting",
        cwd=settings.get("cwd"),
        stored_key=settings.get("stored_key"),
        stored_key_host=settings.get("stored_key_host"),
        confirmed_hosts=settings.get("confirmed_hosts") or (),
    )


def preview_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """``PreviewResult`` as plain JSON. Raises `SettingsFault`."""
    resolved = settings_of(params.get("settings") or {})
    built = predicting.build_prompt(question_of(params), resolved)
    return {
        "prompt": {"system": built.system, "user": built.user},
        "tokens": built.tokens,
        "left_out": built.left_out,
        "destination": resolved.host,
        "model": resolved.model,
    }


def main() -> None:
    """Answer the one question on standard input."""
    params = json.loads(sys.stdin.buffer.read().decode("utf-8", "surrogatepass"))
    answer: dict[str, Any]
    try:
        answer = {"result": preview_of(params)}
    except Fault as fault:
        kind = getattr(fault, "kind", "settings")
        answer = {"error": {"message": fault.message, "kind": kind, "hint": fault.hint}}
    except Exception as error:
        message = f"{type(error).__name__}: {redact_message(str(error))[:300]}"
        answer = {"error": {"message": message, "kind": "internal", "hint": ""}}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
