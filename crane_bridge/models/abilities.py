"""What an endpoint turned out to support, found out by asking once and remembered.

A request begins with everything we would like (a JSON schema, streaming, token counts). When the server objects, the
parameter that it objects to is given up and the request sent again; the next call starts from what worked. What was
learnt lies beside the settings file, for a limited time, since servers get better.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from crane_llm import settings_file

_DAYS_KEPT = 14
_FORMAT_WORDS = (
    "response_format",
    "json_schema",
    "json_object",
    "text.format",
    "schema",
    "structured",
    "grammar",
    "json mode",
)
_FORMAT_LEVELS = ("schema", "object", "none")


@dataclass(frozen=True)
class Abilities:
    """``format``: how a JSON reply is asked for: "schema", "object" (any JSON), "none" (in words alone)."""

    format: str = "schema"
    stream: bool = True
    stream_usage: bool = True
    effort: bool = True
    limit_name: str = "max_tokens"
    limit: bool = True


def first_guess(host: str, structured: bool | None) -> Abilities:
    """Where to begin with an endpoint that is not known yet."""
    own = host == "api.openai.com"
    return Abilities(
        format="none" if structured is False else "schema", limit_name="max_completion_tokens" if own else "max_tokens"
    )


def without(abilities: Abilities, objection: str, parameter: str | None) -> Abilities | None:
    """Abilities without what the server objects to in its words (status 400 or 422), or None: nothing can be given up.

    An objection that names nothing is taken to mean the format, the part that servers most often lack.
    """
    said = f"{parameter or ''} {objection}".lower()
    if "stream_options" in said and abilities.stream_usage:
        return replace(abilities, stream_usage=False)
    if ("max_tokens" in said or "max_completion_tokens" in said or "max_output_tokens" in said) and abilities.limit:
        other = "max_completion_tokens" if abilities.limit_name == "max_tokens" else "max_tokens"
        if other in said:
            return replace(abilities, limit_name=other)
        return replace(abilities, limit=False)
    if ("reasoning" in said or "effort" in said) and abilities.effort:
        return replace(abilities, effort=False)
    if "stream" in said and abilities.stream:
        return replace(abilities, stream=False, stream_usage=False)
    position = _FORMAT_LEVELS.index(abilities.format)
    if position + 1 < len(_FORMAT_LEVELS) and (_about_format(said) or "json" in said or not _names_something(said)):
        return replace(abilities, format=_FORMAT_LEVELS[position + 1])
    return None


def _about_format(said: str) -> bool:
    return any(word in said for word in _FORMAT_WORDS)


def _names_something(said: str) -> bool:
    return any(
        word in said for word in ("model", "context", "token", "quota", "key", "billing", "content policy", "safety")
    )


class Memory:
    """Abilities by endpoint and model, in this process and on disk. Trouble with the file is never an error."""

    def __init__(self) -> None:
        self._known: dict[str, Abilities] = {}

    @property
    def _path(self) -> Any:
        return settings_file.config_path().with_name("endpoints.json")

    def recall(self, name: str) -> Abilities | None:
        if name not in self._known:
            with contextlib.suppress(settings_file.SettingsFileError, TypeError, ValueError):
                noted = settings_file.read_config(self._path).get(name)
                if isinstance(noted, dict) and time.time() - float(noted.get("noted", 0)) < _DAYS_KEPT * 86400:
                    self._known[name] = _from_json(noted)
        return self._known.get(name)

    def note(self, name: str, abilities: Abilities) -> None:
        if self._known.get(name) == abilities:
            return
        self._known[name] = abilities
        with contextlib.suppress(settings_file.SettingsFileError):
            settings_file.change_config({name: {**asdict(abilities), "noted": int(time.time())}}, self._path)


def _from_json(noted: dict[str, Any]) -> Abilities:
    given = {item.name: noted[item.name] for item in fields(Abilities) if item.name in noted}
    abilities = Abilities(**given)
    if abilities.format not in _FORMAT_LEVELS or abilities.limit_name not in ("max_tokens", "max_completion_tokens"):
        raise ValueError("unknown ability")
    return abilities
