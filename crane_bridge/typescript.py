"""Writes the TypeScript twin of :mod:`crane_bridge.protocol`.

``python -m crane_bridge.typescript --out FILE`` writes it, ``--check`` fails when the file differs from what would be
written. The output depends on the models alone, so that a difference always means drift.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from . import protocol

DEFAULT_OUT = Path(__file__).resolve().parent.parent / "vscode-extension" / "src" / "protocol.ts"
_CONSTANTS = ("PROTOCOL_VERSION", "MIME_REPLY", "MIME_END", "MIME_REFUSAL", "REQUEST_CANCELLED", "REQUEST_FAILED")
_PRIMITIVES: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}


def type_text(annotation: Any) -> str:
    """The TypeScript spelling of a Python annotation. TypeError for a kind that the protocol does not use."""
    if annotation in _PRIMITIVES:
        return _PRIMITIVES[annotation]
    origin = get_origin(annotation)
    arguments = get_args(annotation)
    if origin is Union:
        return " | ".join(dict.fromkeys(type_text(argument) for argument in arguments))
    if origin is Literal:
        return " | ".join(_quoted(value) for value in arguments)
    if origin is list:
        inner = type_text(arguments[0])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<{type_text(arguments[0])}, {type_text(arguments[1])}>"
    if inspect.isclass(annotation) and issubclass(annotation, (protocol.Message, Enum)):
        return annotation.__name__
    raise TypeError(f"no TypeScript for {annotation!r}")


def render() -> str:
    """The whole file."""
    parts = [
        "// Written by `python -m crane_bridge.typescript`. Do not edit: change crane_bridge/protocol.py instead.\n",
        "\n".join(f"export const {name} = {_quoted(getattr(protocol, name))};" for name in _CONSTANTS) + "\n",
    ]
    for value in vars(protocol).values():
        if not inspect.isclass(value) or value.__module__ != protocol.__name__:
            continue
        if issubclass(value, Enum):
            parts.append(_enum(value))
        elif issubclass(value, protocol.Message) and value not in (protocol.Message, protocol.Params):
            parts.append(_interface(value))
    parts.append(_methods("Requests", "Parameters and result of each request to the bridge."))
    parts.append(
        "/** Parameters of each notification from the bridge. */\nexport interface Notifications {\n"
        + "".join(f"  {name}: {params.__name__};\n" for name, params in protocol.NOTIFICATIONS.items())
        + "}\n"
    )
    return "\n".join(parts)


def _interface(model: type[protocol.Message]) -> str:
    optional = issubclass(model, protocol.Params)
    lines = [_comment(model.__dict__.get("__doc__"), ""), f"export interface {model.__name__} {{\n"]
    for name, field in model.model_fields.items():
        mark = "?" if optional and not field.is_required() else ""
        lines.append(_comment(field.description, "  "))
        lines.append(f"  {name}{mark}: {_field_type(field)};\n")
    return "".join(lines) + "}\n"


def _field_type(field: FieldInfo) -> str:
    return type_text(field.annotation)


def _enum(enum: type[Enum]) -> str:
    return f"export type {enum.__name__} =\n" + "\n".join(f"  | {_quoted(item.value)}" for item in enum) + ";\n"


def _methods(name: str, text: str) -> str:
    lines = [f"/** {text} */\nexport interface {name} {{\n"]
    for method, (params, result) in protocol.REQUESTS.items():
        spelled = [item.__name__ if item else "null" for item in (params, result)]
        lines.append(f"  {method}: {{ params: {spelled[0]}; result: {spelled[1]} }};\n")
    return "".join(lines) + "}\n"


def _comment(text: str | None, indent: str) -> str:
    if not text:
        return ""
    words = " ".join(inspect.cleandoc(text).split()).replace("*/", "* /").replace("``", "`")
    return f"{indent}/** {words} */\n"


def _quoted(value: object) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)


def main(arguments: list[str] | None = None) -> int:
    """0 written or equal, 1 drift."""
    parser = argparse.ArgumentParser(prog="python -m crane_bridge.typescript", description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="the file to write or to compare with")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file differs")
    options = parser.parse_args(arguments)
    text = render()
    if not options.check:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_bytes(text.encode("utf-8"))
        return 0
    found = options.out.read_bytes().decode("utf-8") if options.out.exists() else None
    if found == text:
        return 0
    state = "is missing" if found is None else "differs from crane_bridge/protocol.py"
    print(f"{options.out} {state}: run `python -m crane_bridge.typescript`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
