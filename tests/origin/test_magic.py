"""The magics in a real kernel and in a terminal IPython, with a model server of the test's own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from live_kernel import LiveKernel

ROOT = str(Path(__file__).resolve().parents[2])
REPLY = {
    "reasoning": "The label is not there.",
    "prediction": True,
    "exception": "KeyError",
    "line": 1,
    "variables": ["table"],
    "fix": None,
}


class Server:
    """A Chat Completions endpoint that records requests and answers as told."""

    def __init__(self) -> None:
        outer = self
        self.requests: list[dict] = []
        self.reply = json.dumps(REPLY)
        self.status = 200
        self.wait = 0.0

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                time.sleep(outer.wait)
                body = {
                    "id": "1",
                    "object": "chat.completion",
                    "created": 1,
                    "model": outer.requests[-1]["model"],
                    "choices": [
                        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": outer.reply}}
                    ],
                    "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12},
                }
                data = json.dumps(body if outer.status == 200 else {"error": {"message": "no such key"}}).encode()
                self.send_response(outer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture()
def server():
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


def environment(tmp_path, **more: str) -> dict:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CRANE_", "OPENAI_"))}
    return {**kept, "PYTHONPATH": ROOT, "CRANE_LLM_CONFIG": str(tmp_path / "config.json"), **more}


@pytest.fixture()
def plain(tmp_path):
    """A kernel with the extension loaded and no model set up."""
    with LiveKernel(cwd=str(tmp_path), env=environment(tmp_path)) as kernel:
        loaded = kernel.run("%load_ext crane_llm", "load")
        assert loaded.ok and loaded.text == ""
        yield kernel


@pytest.fixture()
def modelled(tmp_path, server):
    """A kernel with the extension loaded and the test's server as its model."""
    with LiveKernel(
        cwd=str(tmp_path), env=environment(tmp_path, CRANE_LLM_BASE_URL=server.url, CRANE_LLM_MODEL="m1")
    ) as kernel:
        kernel.run("%load_ext crane_llm", "load")
        yield kernel


def last(ran, mime="text/plain"):
    """The display as it stands in the end: the last of its updates."""
    return [o["data"][mime] for o in ran.outputs if o["kind"] in ("display_data", "update_display_data")][-1]


def test_a_certain_crash_is_shown_with_its_origins_and_the_body_does_not_run(plain):
    plain.run("prices = {'tea': 2}", "a")
    ran = plain.run("%%crane_llm\nran = True\nprices['coffee']", "t")
    assert ran.ok
    text, html = last(ran), last(ran, "text/html")
    assert "The cell was not run." in text
    assert "Certain crash: KeyError: 'coffee'" in text and "[built-in check, certain]" in text
    assert "line 2: prices['coffee']" in text
    assert "assigned in cell [2], line 1" in text
    assert "Certain crash" in html and "<script" not in html and "background:#" not in html
    assert plain.value("'ran' in globals()") is False
    assert plain.value("[In[-1].startswith('get_ipython().run_cell_magic'), list(Out)]") == [True, []]


def test_nothing_certain_without_a_model_says_how_to_set_one_up(plain):
    text = last(plain.run("%%crane_llm\nx = 1"))
    assert "Nothing certain found" in text and "none is set up" in text and "set_api_key" in text
    assert "set up" not in last(plain.run("%%crane_llm --no-llm\nx = 1"))


def test_a_model_that_is_named_but_has_no_key_is_said(plain):
    text = last(plain.run("%%crane_llm gpt-x\nx = 1"))
    assert "No API key for api.openai.com was found." in text
    text = last(plain.run("%%crane_llm gpt-x --no-runinfo\nundefined_thing"))
    assert "[not checked]" in text and "Neither the checks (--no-runinfo) nor a model looked at it." in text


def test_the_model_is_asked_when_nothing_is_certain(modelled, server):
    modelled.run("import time\ntable = {'a': 1}", "a")
    ran = modelled.run("%%crane_llm other-model\ntable[str(time.time_ns())]", "t")
    text, html = last(ran), last(ran, "text/html")
    assert "Crash predicted: KeyError" in text and "prediction of other-model" in text
    assert "The label is not there." in text and "assigned in cell [2], line 2" in text
    for folded in ("Prompt", "Reply", "Runtime information"):
        assert f">{folded}</summary>" in html
    [request] = server.requests
    prompt = request["messages"][-1]["content"]
    assert request["model"] == "other-model"
    assert "table = {'a': 1}" in prompt and "table[str(time.time_ns())]" in prompt
    assert "%%crane_llm" not in prompt and "%load_ext" not in prompt


def test_without_runtime_information_the_model_sees_code_alone_and_no_check_runs(modelled, server):
    modelled.run("secret_number = 8675309", "a")
    text = last(modelled.run("%%crane_llm --no-runinfo\nsecret_number + undefined_thing", "t"))
    assert "Crash predicted" in text and "from the code alone" in text
    assert server.requests[0]["messages"][-1]["content"].count("8675309") == 1  # the code, not the value


def test_no_llm_asks_nobody(modelled, server):
    modelled.run("%%crane_llm --no-llm --no-runinfo\nundefined_thing")
    assert server.requests == []


def test_an_answer_turns_grey_once_another_cell_has_run(plain):
    shown = plain.run("%%crane_llm\nundefined_thing", "t")
    [first] = [o for o in shown.outputs if o["kind"] == "display_data"]
    ident = first["transient"]["display_id"]
    ran = plain.run("undefined_thing = 1", "a")
    [update] = [o for o in ran.outputs if o["kind"] == "update_display_data"]
    assert update["transient"]["display_id"] == ident
    assert "Out of date: another cell has run since" in update["data"]["text/html"]
    assert [o for o in plain.run("x = 2").outputs if o["kind"] == "update_display_data"] == []
    plain.run("%%crane_llm\nundefined_other", "t")
    assert plain.tool("y = 1").outputs == []  # other tools' code makes nothing stale


def test_model_failures_are_words(modelled, server):
    server.status = 401
    ran = modelled.run("%%crane_llm\nx = 1")
    assert ran.ok and "Nothing certain found" in last(ran)
    assert re.search(r"key|refused|401", last(ran))
    server.status, server.reply = 200, "I think it will be fine"
    assert "The model's reply could not be read" in last(modelled.run("%%crane_llm\nx = 2"))


def test_an_interrupt_while_waiting_for_the_model_ends_the_cell(modelled, server):
    server.wait = 30
    timer = threading.Timer(3, modelled.manager.interrupt_kernel)
    timer.start()
    began = time.monotonic()
    ran = modelled.run("%%crane_llm\nx = 1")
    timer.join()
    assert ran.reply["ename"] == "KeyboardInterrupt" and time.monotonic() - began < 20
    server.wait = 0
    assert modelled.run("1 + 1").ok


def test_the_missing_extra_is_named(tmp_path):
    blocked = tmp_path / "site"
    blocked.mkdir()
    (blocked / "openai.py").write_text("raise ImportError('blocked', name='openai')")
    env = environment(tmp_path, CRANE_LLM_API_KEY="k")
    env["PYTHONPATH"] = f"{blocked}{os.pathsep}{ROOT}"
    with LiveKernel(cwd=str(tmp_path), env=env) as kernel:
        kernel.run("%load_ext crane_llm")
        text = last(kernel.run("%%crane_llm\nx = 1"))
    assert 'pip install "crane-bridge[model]"' in text


@pytest.mark.parametrize(
    "line, words",
    [
        ("%%crane_llm --wrong\nx = 1", "no option --wrong"),
        ("%%crane_llm a b\nx = 1", "More than one model"),
        ("%%crane_llm 'a\nx = 1", "No closing quotation"),
        ("%crane_llm nonsense", "does not know"),
        ("%crane_llm scan_limit many", "no scan limit"),
        ("%crane_llm scan_limit -1", "no scan limit"),
    ],
)
def test_wrong_arguments_are_said(plain, line, words):
    ran = plain.run(line)
    assert words in ran.text + json.dumps(ran.reply)


def test_the_guard_switch_works_and_is_remembered(plain, tmp_path):
    assert "off" in plain.run("%crane_llm guard").text
    assert "on" in plain.run("%crane_llm guard on").text
    assert plain.run("undefined_thing").reply["ename"] == "CellRefused"
    plain.restart()
    assert "the guard is on, as you left it" in plain.run("%load_ext crane_llm").text
    assert plain.run("undefined_thing").reply["ename"] == "CellRefused"
    plain.run("%crane_llm guard off")
    assert plain.run("undefined_thing").reply["ename"] == "NameError"
    plain.restart()
    assert plain.run("%load_ext crane_llm").text == ""


def test_the_scan_limit(plain):
    assert "1,000,000" in plain.run("%crane_llm scan_limit").text
    assert "at most 5 values" in plain.run("%crane_llm scan_limit 5").text
    assert plain.run("import crane_llm; crane_llm.set_scan_limit(7)").ok
    assert "at most 7 values" in plain.run("%crane_llm scan_limit").text
    assert "1,000,000" in plain.run("%crane_llm scan_limit default").text


def test_reloading_and_unloading(plain):
    hooks = "sorted((k, len(v)) for k, v in get_ipython().events.callbacks.items())"
    before = plain.value(hooks)
    assert plain.run("%reload_ext crane_llm").ok
    assert plain.value(hooks) == before
    assert plain.run("%unload_ext crane_llm").ok
    assert "not found" in json.dumps(plain.run("%crane_llm guard").outputs) + plain.run("%crane_llm guard").text


def test_a_clash_with_another_distribution_is_said(tmp_path):
    info = tmp_path / "crane_llm_tool-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: crane-llm-tool\nVersion: 1.0\n")
    (info / "RECORD").write_text("crane_llm/__init__.py,,\ncrane_llm_tool-1.0.dist-info/METADATA,,\n")
    env = environment(tmp_path)
    env["PYTHONPATH"] = f"{ROOT}{os.pathsep}{tmp_path}"
    with LiveKernel(env=env) as kernel:
        text = kernel.run("%load_ext crane_llm").text
    assert "crane-llm-tool 1.0 also provides the package crane_llm" in text
    assert "pip uninstall crane-llm-tool" in text


def test_in_a_terminal_the_answer_is_plain_text(tmp_path):
    cells = "\n".join(
        f"shell.run_cell({c!r}, store_history=True)"
        for c in ("%load_ext crane_llm", "prices = {}", "%%crane_llm\nprices['coffee']", "print('next')")
    )
    code = (
        "from IPython.terminal.interactiveshell import TerminalInteractiveShell\n"
        f"shell = TerminalInteractiveShell.instance()\n{cells}\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Certain crash: KeyError: 'coffee'  [built-in check, certain]" in done.stdout
    assert "<div" not in done.stdout and done.stdout.count("Certain crash") == 1


def test_the_mounted_package_and_the_loaded_extension_share_one_recorder_and_one_guard(plain):
    plain.run("x = [1]", "a")
    hooks = "{k: len(v) for k, v in get_ipython().events.callbacks.items()}"
    before = plain.value(hooks)
    plain.mount()
    assert plain.value(hooks) == before
    assert plain.ask("guard", on=True)["armed"]
    assert "on" in plain.run("%crane_llm guard").text
    plain.run("%crane_llm guard on")
    assert plain.value("len(get_ipython().ast_transformers)") == 1
    refused = plain.run("x[5]", "b")
    assert len(refused.mime("application/vnd.crane.refusal+json")) == 1
    assert "assigned in cell [2], line 1" in last(refused)
    plain.run("%crane_llm guard off")
    assert plain.ask("guard", on=None) == {"on": False, "armed": False}
