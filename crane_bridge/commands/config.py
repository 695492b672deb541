"""``crane config show | set NAME VALUE | unset NAME``."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from typing import Any

from crane_llm import settings_file
from crane_llm.checker.limits import scan_limit

from ..settings import SettingsFault, entries, resolve

_NAMES = settings_file.KNOWN_KEYS


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "config",
        help="show and change the settings of the model",
        description="Shows and changes the settings of the model.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="each setting, its value (keys masked), and where it comes from")
    show.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    change = actions.add_parser("set", help="save a setting in the settings file")
    change.add_argument("name", choices=_NAMES, metavar="NAME", help=", ".join(_NAMES))
    change.add_argument("value", nargs="?", metavar="VALUE", help="left out for api_key: asked for, without echo")
    remove = actions.add_parser("unset", help="remove a setting from the settings file")
    remove.add_argument("name", choices=_NAMES, metavar="NAME", help=", ".join(_NAMES))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.action == "show":
        return _show(options.json)
    value = None if options.action == "unset" else _typed(options.name, options.value)
    try:
        present = options.name in settings_file.read_config()
        path = settings_file.change_config({options.name: value})
    except settings_file.SettingsFileError as error:
        raise SettingsFault(str(error)) from error
    if value is not None:
        print(f"Saved {options.name} in {path}.")
    else:
        print(f"Removed {options.name} from {path}." if present else f"{options.name} is not set in {path}.")
    return 0


def _show(as_json: bool) -> int:
    resolved = resolve(cwd=".")
    rows = entries(resolved)
    rows.append(("scan_limit", str(scan_limit()), _scan_limit_source()))
    hosts = ", ".join(sorted(resolved.confirmed_hosts)) or None
    origin = f"settings file {settings_file.config_path()}" if hosts else "default"
    rows.append(("confirmed_hosts", hosts, origin))
    problem = resolved.ready()
    if as_json:
        listed = [{"name": name, "value": value, "source": source} for name, value, source in rows]
        print(json.dumps({"settings": listed, "problem": problem, "remarks": resolved.remarks}, indent=2))
        return 0
    shown = [("setting", "value", "from"), *[(name, value or "-", source) for name, value, source in rows]]
    widths = [max(len(row[column]) for row in shown) for column in range(2)]
    for name, value, source in shown:
        print(f"{name.ljust(widths[0])}  {value.ljust(widths[1])}  {source}")
    for remark in dict.fromkeys([*resolved.remarks, *([problem] if problem else [])]):
        print(f"\n{remark}")
    return 0


def _scan_limit_source() -> str:
    if os.environ.get("CRANE_LLM_SCAN_LIMIT", "").isdigit():
        return "environment variable CRANE_LLM_SCAN_LIMIT"
    return "default" if settings_file.stored_scan_limit() is None else f"settings file {settings_file.config_path()}"


def _typed(name: str, text: str | None) -> Any:
    """The value to save, in the type that the file holds. Raises `SettingsFault` for one that would not work."""
    if text is None:
        if name != "api_key" or not sys.stdin.isatty():
            raise SettingsFault(f"No value for {name} was given.", f"Use: crane config set {name} VALUE")
        text = getpass.getpass("API key: ")
    if not text.strip():
        raise SettingsFault(f"The value for {name} is empty.", f"To remove the setting: crane config unset {name}")
    if name == "confirmed_hosts":
        return [host.strip().lower() for host in text.split(",") if host.strip()]
    if name == "scan_limit":
        if not text.strip().isdigit():
            raise SettingsFault("scan_limit must be a whole number, 0 or more.")
        return int(text)
    # The resolver knows what each setting may be; the environment must not hide the value from it.
    checked = resolve({name: text.strip()}, explicit_source="command line", environ={})
    return checked.settings[name].value if name != "api_key" else text.strip()
