"""The decisive facts of real crashes, written down by hand from the benchmark's diagnoses, stand in the summary.

Reads the benchmark only from the folder that CRANE_JUNO names (it holds juno.py, cases/ and prompts/). Each case is built in a process of
its own by the interpreter CRANE_JUNO_PYTHON (default: ~/.cache/crane-dev/juno/bin/python), which has the benchmark's old libraries.
CRANE_JUNO_CASES limits the cases (comma separated); CRANE_JUNO_TABLE names a file that gets the table of facts.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FACTS = json.loads((HERE / "decisive_facts.json").read_text(encoding="utf-8"))
FOLDER = os.environ.get("CRANE_JUNO")
PYTHON = Path(os.environ.get("CRANE_JUNO_PYTHON", Path.home() / ".cache/crane-dev/juno/bin/python"))
SECONDS = 300  # to build one case: it runs a notebook

pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="the benchmark's folder is not named in CRANE_JUNO"),
    pytest.mark.skipif(not PYTHON.exists(), reason=f"no interpreter with the benchmark's libraries at {PYTHON}"),
    pytest.mark.timeout(SECONDS + 30),
    pytest.mark.nightly,
]

BUILD = """
import json, os, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import juno
shell, target, _ = juno.build(sys.argv[3], sys.argv[4])
from crane_llm.summary import summarize_cell
import time
summarize_cell("pass", shell)
juno.fingerprint(shell)
before = juno.fingerprint(shell)
start = time.perf_counter()
found = summarize_cell(target, shell, deadline=None)
spent = time.perf_counter() - start
answer = {"text": found.to_text(), "json": found.to_json(), "seconds": spent}
after = juno.fingerprint(shell)
answer["changed"] = sorted(k for k in set(before) | set(after) if before.get(k) != after.get(k))
print("ANSWER " + json.dumps(answer))
sys.stdout.flush()
os._exit(0)
"""


def build(name: str, variant: str) -> dict:
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "MPLBACKEND": "Agg"}
    command = [str(PYTHON), "-c", BUILD, str(ROOT), str(FOLDER), name, variant]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment)
    line = next((line for line in done.stdout.splitlines() if line.startswith("ANSWER ")), None)
    assert line is not None, done.stderr[-2000:]
    return json.loads(line[7:])


def published(name: str) -> str:
    """The runtime information of the benchmark's prompt."""
    spec = importlib.util.spec_from_file_location("juno_reader", Path(str(FOLDER)) / "juno.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.parse(name, "buggy")[1]


def tokens(text: str) -> int:
    """A model's tokens, estimated: words in pieces of four letters, numbers in pieces of three digits, every sign by itself."""
    return len(re.findall(r"[A-Za-z]{1,4}|\d{1,3}|[^\sA-Za-z\d]", text))


CHOSEN = [name for name in os.environ.get("CRANE_JUNO_CASES", "").split(",") if name] or list(FACTS)
ROWS: list[dict] = []


@pytest.mark.parametrize("name", CHOSEN)
def test_decisive_facts_are_told(name):
    answer = build(name, "buggy")
    theirs = published(name)
    assert answer["changed"] == [], "the summary left a trace in the kernel"
    missing = []
    for fact in FACTS[name]["facts"]:
        ours = all(re.search(pattern, answer["text"]) for pattern in fact["ours"])
        known = all(re.search(pattern, theirs) for pattern in fact["published"])
        ROWS.append({"case": name, "fact": fact["fact"], "ours": ours, "published": known})
        if not ours:
            missing.append(fact["fact"])
    ROWS.append({"case": name, "tokens": (tokens(answer["text"]), tokens(theirs)), "seconds": answer["seconds"]})
    assert not missing, f"not in the summary: {missing}\n{answer['text']}"


@pytest.mark.parametrize("name", CHOSEN)
def test_no_trace_in_the_repaired_notebook(name):
    assert build(name, "fixed")["changed"] == []


def test_every_case_has_facts_or_a_reason():
    names = sorted(path.stem for path in (Path(str(FOLDER)) / "cases").glob("*.py"))
    assert sorted(FACTS) == names
    assert all(bool(case["facts"]) or case.get("in_code") for case in FACTS.values())


@pytest.fixture(scope="module", autouse=True)
def table():
    yield
    facts = [row for row in ROWS if "fact" in row]
    sizes = [row["tokens"] for row in ROWS if "tokens" in row]
    if not sizes:
        return
    lines = ["| case | fact | this summary | published prompt |", "|---|---|---|---|"]
    lines += [
        f"| {row['case']} | {row['fact']} | {'yes' if row['ours'] else 'no'} | {'yes' if row['published'] else 'no'} |"
        for row in facts
    ]
    lines.append("")
    lines.append(
        f"{len(facts)} facts: {sum(row['ours'] for row in facts)} in this summary, {sum(row['published'] for row in facts)} in the published prompts"
    )
    lines.append(
        f"tokens (estimated), median: {statistics.median(size[0] for size in sizes)} of ours, {statistics.median(size[1] for size in sizes)} published"
    )
    told = "\n".join(lines)
    if os.environ.get("CRANE_JUNO_TABLE"):
        Path(os.environ["CRANE_JUNO_TABLE"]).write_text(told + "\n", encoding="utf-8")
    print("\n" + told, file=sys.stderr)
