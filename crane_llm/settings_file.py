"""The person's settings file, ``~/.crane_llm/config.json``: read, changed, and found in hosted notebooks' secrets.

Used in the kernel (`set_api_key`) and by the bridge, so it is standard library only. The file holds a key: it is
written with mode 0600 and replaced atomically, and what another version put into it is kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

PATH_VARIABLE = "CRANE_LLM_CONFIG"
KNOWN_KEYS = (
    "api_key",
    "base_url",
    "model",
    "api_style",
    "timeout_s",
    "max_retries",
    "structured",
    "reasoning_effort",
    "token_budget",
    "confirmed_hosts",
    "scan_limit",
)
API_STYLES = ("responses", "chat")
SECRET_NAMES = ("CRANE_LLM_API_KEY", "OPENAI_API_KEY")


class SettingsFileError(ValueError):
    """The settings file exists but cannot be used; the message says why and what to do."""


def config_path() -> Path:
    """Where the file lies; the environment variable ``CRANE_LLM_CONFIG`` names another place."""
    named = os.environ.get(PATH_VARIABLE)
    return Path(named).expanduser() if named else Path.home() / ".crane_llm" / "config.json"


def read_config(path: Path | None = None) -> dict[str, Any]:
    """Everything in the file; empty when there is none. Raises `SettingsFileError` when it cannot be used."""
    path = path or config_path()
    advice = "Correct it or delete it, then try again."
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsFileError(f"The settings file {path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError:
        raise SettingsFileError(f"The settings file {path} is broken: it is not UTF-8 text. {advice}") from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        # Not the parser's own text: it may quote the file, which holds a key.
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise SettingsFileError(f"The settings file {path} is broken: it is not JSON{where}. {advice}") from None
    if not isinstance(data, dict):
        raise SettingsFileError(f"The settings file {path} is broken: it holds no JSON object. {advice}")
    return data


def change_config(changes: dict[str, Any], path: Path | None = None) -> Path:
    """Set each key in ``changes``; None removes it. Everything else stays. Returns the file's path.

    Raises `SettingsFileError` when the present file is broken (it is left as it is) or cannot be written.
    """
    path = path or config_path()
    data = read_config(path)
    for key, value in changes.items():
        if value is None:
            data.pop(key, None)
        else:
            data[key] = value
    try:
        _replace(Path(os.path.realpath(path)), json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise SettingsFileError(f"The settings file {path} cannot be written: {error.strerror or error}.") from error
    return path


def _replace(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` so that a reader sees the old file or the new one, and nobody else can read it."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True, mode=0o700)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".config-", suffix=".tmp")  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def set_api_key(
    key: str | None = None,
    *,
    base_url: str | None = None,
    model: str | None = None,
    api_style: str | None = None,
) -> Path:
    """Save how to reach the model, for every notebook of this account; returns the path of the settings file.

    Only what is given changes; an empty string removes a setting. The key is optional: local servers need none. A kept key
    never follows to another host: when ``base_url`` changes the host and no key is given, the key is removed.

    >>> set_api_key("sk-…")                                                   # doctest: +SKIP
    >>> set_api_key(base_url="http://localhost:11434/v1", model="qwen2.5")    # doctest: +SKIP
    """
    given = {"api_key": key, "base_url": base_url, "model": model, "api_style": api_style}
    changes: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if not isinstance(value, str):
            raise TypeError(f"{name} must be text, not {type(value).__name__}.")
        changes[name] = value.strip() or None
    if not changes:
        raise ValueError("Nothing to save: give a key, a base_url, a model or an api_style.")
    if changes.get("api_style") not in (None, *API_STYLES):
        raise ValueError(f"api_style must be one of: {', '.join(API_STYLES)}.")
    url = changes.get("base_url")
    if url is not None and not url.lower().startswith(("http://", "https://")):
        raise ValueError("base_url must begin with http:// or https://, for example http://localhost:11434/v1.")
    if "base_url" in changes and key is None:
        kept = read_config(config_path())
        if kept.get("api_key") and _host(url) != _host(kept.get("base_url")):
            changes["api_key"] = None
            print(
                f"The key kept for {_host(kept.get('base_url'))} was removed: give the key for {_host(url)} if it needs one."
            )
    return change_config(changes)


def _host(base_url: object) -> str:
    """The host that a base URL leads to; without one, OpenAI's."""
    from urllib.parse import urlsplit

    if not isinstance(base_url, str) or not base_url:
        return "api.openai.com"
    return urlsplit(base_url).netloc.rpartition("@")[2].lower()


_seen_limit: tuple[str, int, int, int | None] | None = None


def stored_scan_limit() -> int | None:
    """``scan_limit`` of the settings file (values, 0 or more), or None when there is none to go by. Never raises.

    A check asks many times, so the file is read again only when it has changed.
    """
    global _seen_limit
    path = config_path()
    try:
        stat = path.stat()
    except (OSError, ValueError):
        return None
    stamp = (str(path), stat.st_mtime_ns, stat.st_size)
    if _seen_limit is None or _seen_limit[:3] != stamp:
        try:
            limit = read_config(path).get("scan_limit")
        except SettingsFileError:
            limit = None
        usable = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
        _seen_limit = (*stamp, limit if usable else None)
    return _seen_limit[3]


def hosted_platform() -> str | None:
    """``"Kaggle"`` or ``"Colab"`` when the process runs there, else None."""
    if os.environ.get("KAGGLE_KERNEL_RUN_TYPE") or os.environ.get("KAGGLE_URL_BASE"):
        return "Kaggle"
    if os.environ.get("COLAB_RELEASE_TAG") or "COLAB_GPU" in os.environ:
        return "Colab"
    return None


def hosted_secret() -> tuple[str, str] | None:
    """(key, name of the secret) from the host's own secret store, or None.

    The hosts' client modules raise for a secret that is missing or not shared with the notebook: both mean None.
    """
    platform = hosted_platform()
    for name in SECRET_NAMES if platform else ():
        try:
            value = _ask_host(str(platform), name)
        except Exception:  # whatever the host's client raises
            continue
        if isinstance(value, str) and value.strip():
            return value.strip(), name
    return None


def _ask_host(platform: str, name: str) -> Any:
    if platform == "Kaggle":
        from kaggle_secrets import UserSecretsClient

        return UserSecretsClient().get_secret(name)
    from google.colab import userdata

    return userdata.get(name)
