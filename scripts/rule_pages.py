"""Writes docs/rules from the rules' docstrings, or with --check says whether what is there differs.

Usage: python scripts/rule_pages.py [--check]
"""

from __future__ import annotations

import argparse
import inspect
import sys
from pathlib import Path
from typing import Any

from crane_llm.checker.rules import LIBRARIES, all_rules

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"


def page(rule: Any) -> str:
    """One rule's page, as Markdown. Raises ValueError where its docstring has no example or fix."""
    text = inspect.cleandoc(type(rule).__doc__ or "")
    title, _, body = text.partition("\n\n")
    if "Example:" not in body or "Fix:" not in body:
        raise ValueError(f"{rule.code}: the docstring needs a line 'Example: …' and a line 'Fix: …'")
    raises = ", ".join(f"`{name}`" for name in sorted({case[2] for case in rule.CRASHES}))
    setup, cell, _ = min(rule.CRASHES, key=lambda case: len(case[0]) + len(case[1]))
    runs_setup, runs, *_ = min((c for c in rule.RUNS if c[1].strip()), key=lambda case: len(case[0]) + len(case[1]))
    lines = [
        f"# {rule.code}",
        "",
        f"**{title}** Raises {raises}.",
        "",
        body.strip(),
        "",
        "## A cell that is reported",
        "",
        _code(setup, cell),
    ]
    return "\n".join([*lines, "", "## A cell that is not", "", _code(runs_setup, runs)]) + "\n"


def _code(setup: str, cell: str) -> str:
    parts = [part.strip("\n") for part in (setup, cell) if part.strip()]
    return "```python\n" + "\n\n# next cell\n".join(parts) + "\n```"


def index(rules: list[Any]) -> str:
    """The list of all rules."""
    lines = [
        "# Rules",
        "",
        "Each names a kind of crash that the checker reports when it is certain. The cases of every rule are run for real by the tests.",
        "",
    ]
    for library in LIBRARIES:
        own = sorted((rule for rule in rules if rule.library == library), key=lambda rule: rule.code)
        if own:
            lines += [f"## {library}", "", "| rule | crash |", "|---|---|"]
            lines += [
                f"| [{rule.code}]({rule.code}.md) | {inspect.cleandoc(type(rule).__doc__ or '').splitlines()[0]} |"
                for rule in own
            ]
            lines.append("")
    return "\n".join(lines)


def main() -> int:
    """Write the pages, or compare them; exit status 1 on a difference or a gap."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail when a page is missing, left over or different"
    )
    check = parser.parse_args().check
    rules = all_rules()
    pages = {f"{rule.code}.md": page(rule) for rule in rules} | {"README.md": index(rules)}
    if not check:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for old in FOLDER.glob("*.md"):
            if old.name not in pages:
                old.unlink()
        for name, text in pages.items():
            (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"{len(pages)} pages")
        return 0
    present = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    wrong = sorted(name for name in pages.keys() | present.keys() if pages.get(name) != present.get(name))
    for name in wrong:
        print(f"docs/rules/{name} differs from its rule: run python scripts/rule_pages.py", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
