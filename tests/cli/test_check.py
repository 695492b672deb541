"""``crane check`` on real kernels, as a person or a CI job runs it."""

from __future__ import annotations

import json

import pytest

from crane_bridge.protocol import Verdict
from tests.bridge import faulty_server as fault

SETUP = "prices = {'apple': 3}\nbag = ['apple']"
CRASH = "total = 0\ntotal += prices['pear']"


def test_a_certain_crash_as_json(crane):
    name = crane.write(SETUP, CRASH)
    done = crane("check", name, "--cell", 2, "--no-model", "--json")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert (found["outcome"], found["source"], found["exception"], found["message"]) == (
        "crash",
        "checker",
        "KeyError",
        "'pear'",
    )
    assert (found["cell"], found["cell_id"], found["line"]) == (2, "c2", 2)
    assert "prices" in found["variables"] and found["seconds"] > 0
    step = found["origins"][0]["steps"][-1]
    assert (step["cell"]["id"], step["line"], step["action"]) == ("c1", 1, "assigned")
    Verdict.model_validate(found)
    assert [item["happened"] for item in found["before"]] == ["ran"]


def test_a_certain_crash_as_text(crane):
    name = crane.write(SETUP, CRASH)
    done = crane("check", name, "--cell", 2, "--no-model")
    assert done.returncode == 1
    assert "n.ipynb, cell 2: certain crash (built-in check)" in done.stdout
    assert "KeyError: 'pear'" in done.stdout
    assert "line 2 | total += prices['pear']" in done.stdout
    assert "[1], line 1: assigned it | prices = {'apple': 3}" in done.stdout


def test_the_target_does_not_run_and_earlier_cells_run_once(crane):
    name = crane.write(
        "open('log', 'a').write('one ')", "open('log', 'a').write('two ')", "open('log', 'a').write('three ')"
    )
    assert crane("check", name, "--cell", 3, "--no-model").returncode == 0
    assert (crane.folder / "log").read_text() == "one two "


def test_nothing_found_is_no_claim_of_safety(crane):
    done = crane("check", crane.write(SETUP, "n = len(bag)"), "--cell", 2, "--no-model")
    assert done.returncode == 0
    assert "nothing certain found" in done.stdout and "does not mean that the cell is safe" in done.stdout


def test_cells_run_as_in_a_front_end(crane):
    """With history and ids: In, the execution count and the cell's id are as an editor would make them."""
    name = crane.write(
        "from IPython import get_ipython\nseen = []\n"
        "get_ipython().events.register('pre_run_cell', lambda info: seen.append(info.cell_id))",
        "x = 1",
        "x\nassert seen[-2:] == ['c2', 'c3'], seen\nassert In[2] == 'x = 1' and len(In) == 4",
        "{}['no']",
    )
    done = crane("check", name, "--cell", 4, "--no-model", "--json", "--strict")
    assert done.returncode == 1, done.stderr


def test_an_earlier_cell_that_raises(crane):
    name = crane.write("before = 1\nraise LookupError('lost')\nafter = 2", "before + 1", "after + 1")
    done = crane("check", name, "--cell", 2, "--no-model", "--json")
    assert done.returncode == 0
    assert "Cell 1 raised LookupError in its line 2: lost" in done.stderr
    assert json.loads(done.stdout)["before"][0] == {
        "cell": 1,
        "cell_id": "c1",
        "happened": "raised",
        "exception": "LookupError",
        "message": "lost",
        "line": 2,
        "seconds": json.loads(done.stdout)["before"][0]["seconds"],
    }
    assert json.loads(crane("check", name, "--cell", 3, "--no-model", "--json").stdout)["exception"] == "NameError"
    strict = crane("check", name, "--cell", 3, "--no-model", "--strict")
    assert strict.returncode == 2 and "was not checked" in strict.stderr and not strict.stdout


def test_all_cells_as_a_table(crane):
    name = crane.write(SETUP, CRASH, "", {"source": "1/0", "metadata": {"tags": ["raises-exception"]}}, "bag[0]")
    done = crane("check", name, "--all", "--keep-going", "--no-model")
    rows = {
        line.split()[0]: line for line in done.stdout.splitlines() if line[:1].isdigit() and " cells ran" not in line
    }
    assert done.returncode == 1
    assert "certain crash: KeyError, line 2 ('pear')" in rows["2"] and "raised KeyError, line 2" in rows["2"]
    assert rows["2"].endswith("yes")
    assert "skipped: empty" in rows["3"]
    assert "nothing certain found" in rows["4"] and "ZeroDivisionError" in rows["4"] and rows["4"].endswith("-")
    assert rows["5"].endswith("-") and " ran " in rows["5"]
    assert "Crashes predicted: 1, right: 1, false alarms: 0, missed: 0." in done.stdout


def test_all_stops_at_the_first_that_raises(crane):
    name = crane.write(SETUP, CRASH, "open('ran', 'w')")
    done = crane("check", name, "--all", "--no-model", "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert [cell["cell"] for cell in data["cells"]] == [1, 2]
    assert data["totals"]["right"] == 1 and data["cells"][1]["right"] is True
    assert "stopped after cell 2" in done.stderr and "--keep-going" in done.stderr
    assert not (crane.folder / "ran").exists()


def test_the_body_of_a_cell_magic_has_no_known_line(crane):
    name = crane.write("x = 1", "%%time\ny = 2\nx.nope", "import sys\nsys.exit()")
    done = crane("check", name, "--all", "--keep-going", "--no-model", "--json")
    cell = json.loads(done.stdout)["cells"][1]
    assert (cell["verdict"]["line"], cell["exception"], cell["line"]) == (3, "AttributeError", None)
    table = crane("check", name, "--all", "--keep-going", "--no-model").stdout
    assert "raised SystemExit" in table and "()" not in table


def test_a_reason_names_a_class_as_it_is_spelt(crane):
    name = crane.write("class BikeShop:\n    pass\nshop = BikeShop()", "shop.nope")
    assert "Why: A BikeShop has no attribute nope" in crane("check", name, "--cell", 2, "--no-model").stdout


def test_a_missed_crash_is_owned_up_to(crane):
    name = crane.write("import time", "if time.time() > 0: int('x' + str(time.time()))")
    done = crane("check", name, "--all", "--no-model")
    assert done.stdout.count("missed") >= 1 and done.returncode == 0


def test_a_result_that_cannot_be_displayed_is_named(crane):
    name = crane.write("class Shy:\n    def __repr__(self):\n        return str(1 / 0)", "Shy()")
    cell = json.loads(crane("check", name, "--all", "--keep-going", "--no-model", "--json").stdout)["cells"][1]
    # Older IPythons show the traceback and call the cell a success.
    assert (cell["exception"], cell["message"]) in (("ZeroDivisionError", "division by zero"), (None, None))


# --- notebooks and kernels that will not do --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{not json", "is not JSON (line 1"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[1, 2]", "JSON but not a notebook"),
        (b"{}", 'holds no list "cells"'),
        (b'{"worksheets": []}', "before 2015"),
        (b"[" * 100_000, "is not a notebook"),
        (json.dumps({"cells": [], "metadata": {"kernelspec": {"language": "R", "name": "ir"}}}).encode(), "in R"),
        (json.dumps({"cells": [], "metadata": {"language_info": {"name": "julia"}}}).encode(), "in julia"),
    ],
)
def test_files_that_are_no_python_notebook(crane, content, words):
    (crane.folder / "bad.ipynb").write_bytes(content)
    for which in (("--cell", "1"), ("--all",)):
        done = crane("check", "bad.ipynb", *which, "--no-model")
        assert done.returncode == 2 and words in done.stderr and done.stderr.startswith("crane: ")
        assert "Traceback" not in done.stderr and not done.stdout


def test_no_such_file_folder_or_cell(crane):
    assert "There is no file gone.ipynb" in crane("check", "gone.ipynb", "--cell", 1).stderr
    assert "is a folder" in crane("check", ".", "--cell", 1).stderr
    done = crane("check", crane.write("x = 1", "y = 2"), "--cell", 3)
    assert done.returncode == 2 and "has no cell 3: it has 2 code cells" in done.stderr
    empty = crane.write(name="empty.ipynb")
    assert "no code cells" in crane("check", empty, "--cell", 1).stderr
    assert "no code cells" in crane("check", empty, "--all", "--no-model").stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--cell", "0"],
        ["--cell", "x"],
        ["--cell", "1", "--all"],
        ["--cell", "1", "--timeout", "0"],
        ["--cell", "1", "--timeout", "nan"],
    ],
)
def test_wrong_usage(crane, arguments):
    done = crane("check", "n.ipynb", *arguments)
    assert done.returncode == 2 and "usage:" in done.stderr


def test_a_cell_in_another_language(crane):
    script = {"source": "console.log(1)", "metadata": {"vscode": {"languageId": "javascript"}}}
    name = crane.write(script, "1 + 1")
    assert "is in javascript, not Python" in crane("check", name, "--cell", 1, "--no-model").stderr
    assert crane("check", name, "--cell", 2, "--no-model", "--strict").returncode == 0


def test_an_empty_cell_and_a_syntax_error(crane):
    name = crane.write("", "def f(:\n    pass")
    assert crane("check", name, "--cell", 1, "--no-model").returncode == 0
    done = crane("check", name, "--cell", 2, "--no-model", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["exception"] == "SyntaxError"


def test_a_kernel_that_is_not_installed(crane):
    name = crane.write("x = 1", "x + ''", kernelspec={"name": "no-such-env", "language": "python"})
    done = crane("check", name, "--cell", 2, "--no-model")
    assert "'no-such-env' is not installed" in done.stderr
    assert done.returncode == 1 and "TypeError" in done.stdout
    asked = crane("check", name, "--cell", 2, "--no-model", "--kernel", "typo", "--json")
    assert asked.returncode == 2 and "'typo' is not installed" in asked.stderr and "Installed: " in asked.stderr
    assert json.loads(asked.stdout)["error"]["message"] == "The kernel 'typo' is not installed here."


def test_the_line_within_a_function_of_the_cell(crane):
    name = crane.write("def half(x):\n    return x / 0\n\nhalf(1)")
    data = json.loads(crane("check", name, "--all", "--no-model", "--json").stdout)
    assert data["cells"][0]["line"] == data["cells"][0]["verdict"]["line"] == 2


def test_a_kernel_that_dies(crane):
    name = crane.write("import os\nos._exit(3)", "x = 1")
    done = crane("check", name, "--cell", 2, "--no-model")
    assert done.returncode == 2 and "The kernel died while cell 1 ran." in done.stderr
    done = crane("check", name, "--all", "--no-model")
    assert done.returncode == 2 and "The kernel died while cell 1 ran." in done.stdout


def test_a_cell_that_hangs(crane):
    name = crane.write("while True: pass", "x = 1")
    done = crane("check", name, "--cell", 2, "--no-model", "--timeout", "2", timeout=60)
    assert (
        done.returncode == 2 and "Cell 1 did not finish within 2 seconds." in done.stderr and "--timeout" in done.stderr
    )


def test_a_cell_that_hangs_and_does_not_listen(crane):
    name = crane.write("import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(600)", "x = 1")
    done = crane("check", name, "--cell", 2, "--no-model", "--timeout", "1", timeout=60)
    assert done.returncode == 2 and "did not finish within 1 seconds" in done.stderr


def test_what_cells_print_does_not_mix_with_the_answer(crane):
    noise = "import os, sys\nprint('noise' * 1000)\nos.write(1, b'raw noise')\nsys.stderr.write('noise')\nx = 1"
    done = crane("check", crane.write(noise, "x"), "--cell", 2, "--no-model", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["outcome"] == "nothing_certain"


def test_input_is_not_waited_for(crane):
    done = crane("check", crane.write("name = input()", "1 + 1"), "--cell", 2, "--no-model", timeout=60)
    assert "Cell 1 raised StdinNotImplementedError" in done.stderr


# --- with a model ------------------------------------------------------------------------------------------------------


def test_without_a_configured_model_only_the_checks_run(crane):
    done = crane("check", crane.write("x = 1", "x"), "--cell", 2)
    assert done.returncode == 0 and "Only the built-in checks run" in done.stderr
    assert "nothing certain found" in done.stdout


def test_a_model_is_asked_when_nothing_is_certain(crane):
    with fault.FaultyServer() as server:
        crane.environment.update(CRANE_LLM_BASE_URL=server.url, CRANE_LLM_MODEL="test-model")
        name = crane.write("x = 1\nlabel = 'marker-from-the-kernel'", "import time\nopen(label + str(time.time()))")
        done = crane("check", name, "--cell", 2)
        assert done.returncode == 1, done.stderr
        assert "crash predicted (model served-model)" in done.stdout and "KeyError" in done.stdout
        assert "certain" not in done.stdout
        sent = server.requests[0]["body"]["messages"][1]["content"]
        assert "label = 'marker-from-the-kernel'" in sent and "1 | import time" in sent
        server.requests.clear()
        done = crane("check", crane.write(SETUP, CRASH), "--cell", 2)
        assert "certain crash" in done.stdout and server.requests == [], "a certain crash needs no model"
        crane("check", name, "--cell", 2, "--no-model")
        assert server.requests == []


def test_a_model_that_fails_is_said(crane):
    with fault.FaultyServer() as server:
        server.answers = [fault.status(401, "no")]
        crane.environment.update(CRANE_LLM_BASE_URL=server.url)
        done = crane("check", crane.write("x = 1", "x"), "--cell", 2)
        assert done.returncode == 2 and "refused the API key" in done.stderr and "Traceback" not in done.stderr


def test_naming_a_model_without_a_key_is_an_error(crane):
    done = crane("check", crane.write("x = 1", "x"), "--cell", 2, "--model", "gpt-5")
    assert done.returncode == 2 and "No API key for api.openai.com" in done.stderr


def test_a_key_without_the_package_leaves_the_checks(crane):
    name = crane.write("x = 1", "x")
    crane.environment.update(CRANE_LLM_API_KEY="sk-for-nobody")
    arguments = ["check", name, "--cell", "2"]
    done = crane.python("-c", BLOCK.format(blocked=["openai"], arguments=arguments))
    assert done.returncode == 0 and "crane-bridge[model]" in done.stderr and "nothing certain found" in done.stdout
    done = crane.python("-c", BLOCK.format(blocked=["openai"], arguments=[*arguments, "--model", "m"]))
    assert done.returncode == 2 and "crane-bridge[model]" in done.stderr and not done.stdout


# --- what is not installed -----------------------------------------------------------------------------------------------

BLOCK = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
from crane_bridge.cli import main
raise SystemExit(main({arguments!r}))
"""
EXTRAS = ["openai", "pydantic", "pygls", "dotenv", "pandas", "numpy", "scipy", "jupyter_client", "ipykernel", "debugpy"]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--version"], 0, "crane 0."),
        (["config", "show"], 0, "gpt-5"),
        (["check", "n.ipynb", "--cell", "1", "--no-model"], 2, "crane-bridge[cli]"),
        (["check", "n.ipynb", "--all"], 2, "crane-bridge[cli]"),
        (["bench", "score", "."], 2, "crane-bridge[bench]"),
        (["bench", "run", ".", "--replies", "r", "--base-url", "http://127.0.0.1:1/v1"], 2, "crane-bridge[model]"),
        (["serve"], 2, "crane-bridge[model]"),
    ],
)
def test_a_bare_installation_names_the_extra(crane, arguments, status, words):
    crane.write("x = 1")
    code = BLOCK.format(blocked=EXTRAS, arguments=arguments)
    done = crane.python("-c", code)
    assert (done.returncode, words in done.stdout + done.stderr) == (status, True), done.stderr
    assert "Traceback" not in done.stderr


def test_a_flood_of_output_is_survived(crane):
    name = crane.write("for i in range(60_000):\n    print(i, 'x' * 20)\nbig = 'y' * 5_000_000\nbig", "len(big) / 0")
    done = crane("check", name, "--cell", 2, "--no-model", "--json", timeout=200)
    assert done.returncode == 1 and json.loads(done.stdout)["exception"] == "ZeroDivisionError"
