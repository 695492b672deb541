"""Where each setting of a model call comes from.

The order, first wins: an explicit argument; ``CRANE_LLM_*`` variables; ``OPENAI_*`` variables; the settings file; for
the key, the editor's secret storage and a hosted notebook's secrets; the default. A ``.env`` file in the working
directory or above it stands in for variables that are not set.

A key goes only to the host that it belongs to. A ``.env`` file comes with a project, so it must not be able to point a
key of the person's own somewhere else; nor is a key that was stored together with an endpoint sent to another one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from crane_llm import settings_file

from .addresses import host_of, is_local
from .faults import Fault
from .redact import mask, redact_url

OPENAI_URL = "https://api.openai.com/v1"
KEYLESS = "not-needed"
"""What is sent as the key to a server that needs none; the client library insists on some text."""

VARIABLES: dict[str, tuple[str, ...]] = {
    "model": ("CRANE_LLM_MODEL",),
    "base_url": ("CRANE_LLM_BASE_URL", "OPENAI_BASE_URL"),
    "api_key": ("CRANE_LLM_API_KEY", "OPENAI_API_KEY"),
    "api_style": ("CRANE_LLM_API_STYLE",),
    "timeout_s": ("CRANE_LLM_TIMEOUT",),
    "max_retries": ("CRANE_LLM_MAX_RETRIES",),
    "structured": ("CRANE_LLM_STRUCTURED",),
    "reasoning_effort": ("CRANE_LLM_REASONING_EFFORT",),
    "token_budget": ("CRANE_LLM_TOKEN_BUDGET",),
}
DEFAULTS: dict[str, Any] = {
    "model": "gpt-5",
    "base_url": None,
    "api_key": None,
    "api_style": None,
    "timeout_s": 120.0,
    "max_retries": 3,
    "structured": None,
    "reasoning_effort": None,
    "token_budget": 24_000,
}
_LIMITS = {"timeout_s": (1.0, 3600.0), "max_retries": (0, 10), "token_budget": (500, 2_000_000)}


class SettingsFault(Fault):
    """A setting cannot be used. ``kind`` is one of the protocol's error kinds."""

    def __init__(self, message: str, hint: str = "", kind: str = "settings") -> None:
        super().__init__(message, hint)
        self.kind = kind


@dataclass(frozen=True)
class Setting:
    """A value and, in words, where it came from."""

    value: Any
    source: str

    @property
    def from_project(self) -> bool:
        """From a file that came with the project, not from the person."""
        return self.source.startswith(".env")


@dataclass
class Resolved:
    """All settings of a model call, each with its source."""

    settings: dict[str, Setting]
    confirmed_hosts: frozenset[str] = frozenset()
    remarks: list[str] = field(default_factory=list)
    key_refusal: str | None = None
    """Why a key that was found is not used for this endpoint."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["settings"][name].value
        except KeyError:
            raise AttributeError(name) from None

    @property
    def endpoint(self) -> str:
        """The base URL in use, always set."""
        return self.settings["base_url"].value or OPENAI_URL

    @property
    def host(self) -> str:
        return host_of(self.endpoint)

    @property
    def style(self) -> str:
        """``responses`` for OpenAI itself; other servers hardly ever have it, so ``chat`` wherever a URL is given."""
        return self.settings["api_style"].value or ("chat" if self.settings["base_url"].value else "responses")

    def require_key(self) -> str:
        """The key to send. Raises `SettingsFault` of kind ``no_key`` when there is none and the server needs one."""
        key = self.settings["api_key"].value
        if key:
            return str(key)
        if self.key_refusal:
            raise SettingsFault(
                self.key_refusal,
                f"If it may go to {self.host}, confirm that host, or store a key for it: "
                f'crane_llm.set_api_key("…", base_url="{redact_url(self.endpoint)}").',
                kind="no_key",
            )
        if is_local(self.host):
            return KEYLESS
        raise SettingsFault(
            f"No API key for {self.host} was found.",
            'Save one with crane_llm.set_api_key("…"), set the environment variable CRANE_LLM_API_KEY, '
            "or choose a local server, which needs none.",
            kind="no_key",
        )

    def ready(self) -> str | None:
        """None when a call has all the settings that it needs, else what is missing, in words."""
        try:
            self.require_key()
        except SettingsFault as fault:
            return fault.message
        return None


def resolve(
    explicit: Mapping[str, Any] | None = None,
    *,
    explicit_source: str = "argument",
    cwd: str | Path | None = None,
    environ: Mapping[str, str] | None = None,
    stored_key: str | None = None,
    stored_key_host: str | None = None,
    confirmed_hosts: tuple[str, ...] | list[str] = (),
) -> Resolved:
    """All settings, in the documented order. ``cwd`` None: no ``.env`` file is read.

    Raises `SettingsFault` for a broken settings file or a value that cannot be used.
    """
    environ = os.environ if environ is None else environ
    explicit = {name: value for name, value in (explicit or {}).items() if value not in (None, "")}
    remarks: list[str] = []
    dotenv, dotenv_source = _read_dotenv(cwd, remarks) if cwd is not None else ({}, "")
    try:
        stored = settings_file.read_config()
    except settings_file.SettingsFileError as error:
        raise SettingsFault(str(error)) from error

    found: dict[str, Setting] = {}
    for name in VARIABLES:
        raw = _first(name, explicit, explicit_source, environ, dotenv, dotenv_source, stored)
        found[name] = Setting(_checked(name, raw), raw.source)
    confirmed = frozenset(str(host).lower() for host in (*confirmed_hosts, *_stored_hosts(stored)))
    resolved = Resolved(found, confirmed, remarks)
    _guard_key(resolved, stored)
    if found["api_key"].value is None and resolved.key_refusal is None:
        _further_keys(resolved, stored_key, stored_key_host)
    return resolved


def _first(
    name: str,
    explicit: Mapping[str, Any],
    explicit_source: str,
    environ: Mapping[str, str],
    dotenv: Mapping[str, str],
    dotenv_source: str,
    stored: Mapping[str, Any],
) -> Setting:
    if name in explicit:
        return Setting(explicit[name], explicit_source)
    for variable in VARIABLES[name]:
        # A variable of .env only fills a gap, so both places are asked for one name before the next name's turn.
        if environ.get(variable, "").strip():
            return Setting(environ[variable].strip(), f"environment variable {variable}")
        if dotenv.get(variable, "").strip():
            return Setting(dotenv[variable].strip(), f"{dotenv_source} ({variable})")
    if stored.get(name) not in (None, ""):
        return Setting(stored[name], f"settings file {settings_file.config_path()}")
    return Setting(DEFAULTS[name], "default")


def _guard_key(resolved: Resolved, stored: Mapping[str, Any]) -> None:
    """Withhold a key that must not go to the endpoint in use."""
    key, url = resolved.settings["api_key"], resolved.settings["base_url"]
    if key.value is None or resolved.host in resolved.confirmed_hosts:
        return
    from_file = key.source.startswith("settings file")
    belongs = host_of(str(stored["base_url"])) if from_file and stored.get("base_url") else None
    if belongs is not None and belongs == resolved.host:
        return
    if belongs is not None:
        reason = f"The API key in the settings file was stored for {belongs}; it is not sent to {resolved.host}."
    elif url.from_project and not key.from_project:
        reason = f"The project's .env file points to {resolved.host}; your API key is not sent there unasked."
    else:
        return
    resolved.settings["api_key"] = Setting(None, "withheld")
    # A local server needs no key, so there it simply goes without.
    if not is_local(resolved.host):
        resolved.key_refusal = reason
    resolved.remarks.append(reason)


def _further_keys(resolved: Resolved, stored_key: str | None, stored_key_host: str | None) -> None:
    if stored_key and stored_key_host and stored_key_host.lower() == resolved.host:
        resolved.settings["api_key"] = Setting(stored_key, "the editor's secret storage")
        return
    if resolved.settings["base_url"].from_project and resolved.host not in resolved.confirmed_hosts:
        return
    if is_local(resolved.host):
        return
    secret = settings_file.hosted_secret()
    if secret is not None:
        resolved.settings["api_key"] = Setting(secret[0], f"{settings_file.hosted_platform()} secret {secret[1]}")


def _read_dotenv(cwd: str | Path, remarks: list[str]) -> tuple[dict[str, str], str]:
    """Our variables from the nearest ``.env`` at ``cwd`` or above, and how to call that file."""
    folder = Path(cwd).resolve()
    path = next((place / ".env" for place in (folder, *folder.parents) if (place / ".env").is_file()), None)
    if path is None:
        return {}, ""
    try:
        from dotenv import dotenv_values
    except ImportError:
        remarks.append(f'{path} was not read: pip install "crane-bridge[model]" brings what reads it.')
        return {}, ""
    try:
        # Not interpolated: a project's file must not be able to weave the person's variables into a URL.
        values = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        remarks.append(f"{path} could not be read: {type(error).__name__}.")
        return {}, ""
    ours = {name for names in VARIABLES.values() for name in names}
    return {name: value for name, value in values.items() if name in ours and value}, f".env file {path}"


def _checked(name: str, setting: Setting) -> Any:
    """The value in its type. Raises `SettingsFault` naming the source when it cannot be one."""
    value, source = setting.value, setting.source
    if value is None:
        return None
    try:
        if name in _LIMITS:
            low, high = _LIMITS[name]
            number = type(low)(value)
            if isinstance(value, bool) or not low <= number <= high:
                raise ValueError
            return number
        if name == "structured":
            return _boolean(value)
    except (TypeError, ValueError):
        allowed = (
            f"a number from {_LIMITS[name][0]:.0f} to {_LIMITS[name][1]:.0f}" if name in _LIMITS else "true or false"
        )
        raise SettingsFault(f"The setting {name} ({source}) must be {allowed}.") from None
    if not isinstance(value, str):
        raise SettingsFault(f"The setting {name} ({source}) must be text.")
    value = value.strip()
    if name == "api_style":
        if value.lower() not in settings_file.API_STYLES:
            raise SettingsFault(f'The setting api_style ({source}) must be "responses" or "chat".')
        return value.lower()
    if name == "base_url":
        return _checked_url(value, source)
    if name == "api_key" and not (value.isascii() and value.isprintable() and " " not in value):
        raise SettingsFault(f"The API key ({source}) holds characters that no key has. Was it copied whole?")
    return value


def _checked_url(value: str, source: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        parts.port  # noqa: B018  (raises for a port that is no number)
    except ValueError:
        usable = False
    if not usable:
        raise SettingsFault(
            f"The setting base_url ({source}) is not an address: {redact_url(value)}",
            "It must begin with http:// or https://, for example http://localhost:11434/v1.",
        )
    return value.rstrip("/")


def _boolean(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text == "auto":
        return None
    if text in ("1", "true", "yes", "on"):
        return True
    if text in ("0", "false", "no", "off"):
        return False
    raise ValueError(text)


def _stored_hosts(stored: Mapping[str, Any]) -> list[str]:
    hosts = stored.get("confirmed_hosts")
    return [host for host in hosts if isinstance(host, str)] if isinstance(hosts, list) else []


def entries(resolved: Resolved) -> list[tuple[str, str | None, str]]:
    """(name, value as text with keys masked, source) of each setting, for people."""
    rows: list[tuple[str, str | None, str]] = []
    for name, setting in resolved.settings.items():
        value, source = setting.value, setting.source
        if name == "api_key":
            value = mask(value) if value else None
        elif name == "base_url":
            value = redact_url(value or OPENAI_URL)
        elif name == "api_style" and value is None:
            value, source = resolved.style, "chosen by base_url"
        elif name == "structured" and value is None:
            value = "auto"
        rows.append(
            (name, None if value is None else str(value).lower() if isinstance(value, bool) else str(value), source)
        )
    return rows
