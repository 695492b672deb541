"""Finds another installed distribution, or another folder on the path, that also provides the package ``crane_llm``."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path

PACKAGE = "crane_llm"
OURS = "crane-bridge"


def find_clashes() -> list[str]:
    """One sentence for each clash, with the way out; empty when there is none. Never raises."""
    try:
        return [*_distributions(), *_folders()]
    except Exception:  # broken metadata of other packages
        return []


def _distributions() -> list[str]:
    """Other distributions whose file list holds the package."""
    found = {}
    for distribution in metadata.distributions():
        name = (distribution.metadata["Name"] or "").lower().replace("_", "-")
        if name in ("", OURS) or name in found:
            continue
        listed = distribution.read_text("RECORD") or distribution.read_text("SOURCES.txt") or ""
        if f"\n{PACKAGE}/" in "\n" + listed:
            found[name] = distribution.version
    return [
        f"The distribution {name} {version} also provides the package {PACKAGE}, so its files and ours may be mixed. "
        f"Keep one of them: pip uninstall {name}, then install {OURS} again."
        for name, version in sorted(found.items())
    ]


def _folders() -> list[str]:
    """Other folders of that name which come later on the path and would be used if ours went."""
    ours = Path(__file__).resolve().parent
    found = []
    for entry in sys.path:
        folder = Path(entry or os.getcwd()) / PACKAGE
        if (folder / "__init__.py").is_file() and folder.resolve() != ours and folder.resolve() not in found:
            found.append(folder.resolve())
    return [f"There is another package {PACKAGE} in {folder}; the one in use is {ours}." for folder in found]
