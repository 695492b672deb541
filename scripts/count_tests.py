"""Adds up JUnit reports and ends with the line `N passed, N failed` (`, N skipped` if any).

    python scripts/count_tests.py DIRECTORY [--broken SUITE]...

DIRECTORY holds one XML file per suite. `--broken` names a suite that ended badly: when its report shows no failure (it
is missing, cut short, or the runner itself fell over) the suite counts as one failure of its own. Exit status 1 unless
something passed and nothing failed.
"""

from __future__ import annotations

import argparse
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple


class Count(NamedTuple):
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def plus(self, other: Count) -> Count:
        return Count(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


def count(report: Path) -> Count:
    """The test cases of one report; an unreadable report counts nothing."""
    try:
        # Node copies control characters of a failure's text into its report, which XML does not allow.
        text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", report.read_text(encoding="utf-8", errors="replace"))
        cases = list(ElementTree.fromstring(text.encode()).iter("testcase"))
    except (ElementTree.ParseError, OSError):
        return Count()
    failed = sum(1 for case in cases if case.find("failure") is not None or case.find("error") is not None)
    skipped = sum(1 for case in cases if case.find("skipped") is not None)
    return Count(len(cases) - failed - skipped, failed, skipped)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--broken", action="append", default=[], metavar="SUITE")
    options = parser.parse_args(arguments)
    suites = {report.stem: count(report) for report in sorted(options.directory.glob("*.xml"))}
    for name in options.broken:
        seen = suites.get(name, Count())
        if seen.failed == 0:
            suites[name] = seen.plus(Count(failed=1))
    total = Count()
    for name, seen in suites.items():
        print(f"  {name:<12} {seen}")
        total = total.plus(seen)
    print(total)
    return 0 if total.passed and not total.failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
