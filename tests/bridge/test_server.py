"""The bridge as a process: framing, methods, cancellation, stray output, death."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from crane_bridge.protocol import REQUESTS, ErrorData
from tests.bridge import faulty_server as fault
from tests.bridge.planted import PLANTED

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120.0


class Bridge:
    """A bridge process and a client of it. ``received`` holds every message in order."""

    def __init__(self, *arguments, code=None):
        command = ["-c", code] if code else ["-m", "crane_bridge.server", *arguments]
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self.messages = queue.Queue()
        self.notifications = []
        self.errors = []
        self.count = 0
        self.threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def _read(self):
        while True:
            length = None
            while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
                elif not line.lower().startswith(b"content-"):
                    self.messages.put({"garbage": line})
            if line == b"":
                return
            self.messages.put(json.loads(self.process.stdout.read(length)))

    def send(self, method, params=None, ident=None):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        if ident is not None:
            message["id"] = ident
        body = json.dumps(message, ensure_ascii=False).encode("utf-8")
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def start(self, method, params=None):
        self.count += 1
        self.send(method, params, self.count)
        return self.count

    def answer(self, ident, limit=LIMIT):
        while True:
            message = self.messages.get(timeout=limit)
            assert "garbage" not in message, message
            if message.get("id") == ident:
                return message
            self.notifications.append(message)

    def call(self, method, params=None, limit=LIMIT):
        return self.answer(self.start(method, params), limit)

    def result(self, method, params=None, limit=LIMIT):
        message = self.call(method, params, limit)
        assert "error" not in message, message
        return REQUESTS[method][1].model_validate(message["result"])

    def error(self, method, params=None):
        message = self.call(method, params)
        assert "error" in message, message
        return message["error"]["message"], ErrorData.model_validate(message["error"]["data"])

    def stderr(self):
        return b"".join(self.errors).decode()

    def close(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait(LIMIT)
        for thread in self.threads:
            thread.join(LIMIT)
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture
def bridge(own_settings):
    running = Bridge()
    yield running
    running.close()


def params(url, **more):
    settings = {"base_url": url, "model": "m", "timeout_s": 20, "max_retries": 0, **more.pop("settings", {})}
    return {"id": "p1", "target": {"id": "c9", "source": "df['price']"}, "settings": settings, **more}


def test_initialize(bridge):
    found = bridge.result("initialize", {"client_version": "0.1.0"})
    assert "model" in found.features and found.python.count(".") == 2


def test_a_prediction_with_its_stages(bridge, server):
    executed = [{"id": "a", "order": 1, "source": "df = load()", "success": True, "recorded": True, "runs": 1}]
    summary = {"variables": [{"name": "df"}], "text": "df: DataFrame (3, 1) with ä column", "left_out": []}
    asked = params(server.url, executed=executed, summary=summary)
    preview = bridge.result("preview", asked)
    found = bridge.result("predict", asked)
    assert found.verdict.outcome == "crash" and found.verdict.exception == "KeyError"
    assert found.verdict.model == found.model == "served-model"
    assert found.usage.input_tokens == 11 and json.loads(found.raw_reply) == fault.VERDICT
    assert found.prompt == preview.prompt, "what was previewed is what is sent"
    assert found.prompt.user == server.requests[0]["body"]["messages"][1]["content"]
    assert preview.destination == server.url.split("/")[2] and preview.tokens > 100
    stages = [n["params"]["stage"] for n in bridge.notifications if n["method"] == "stage"]
    assert stages == ["building_prompt", "waiting_for_model", "reading_reply"]
    again = bridge.result("predict", asked)
    assert again.cached and len(server.requests) == 1
    assert not bridge.result("predict", {**asked, "fresh": True}).cached and len(server.requests) == 2


def test_cancelling_closes_the_connection_and_answers(bridge, server):
    server.answers = [fault.hang()]
    ident = bridge.start("predict", params(server.url))
    deadline = time.monotonic() + LIMIT
    while not server.requests and time.monotonic() < deadline:
        time.sleep(0.02)
    bridge.send("$/cancelRequest", {"id": ident})
    assert bridge.answer(ident)["error"]["code"] == -32800
    assert server.dropped.wait(5)
    assert bridge.result("initialize", {"client_version": "x"}), "the bridge lives on"


def test_requests_run_side_by_side(bridge, server):
    server.answers = [fault.hang()]
    slow = bridge.start("predict", params(server.url))
    assert bridge.result("config", {"cwd": None}).entries
    bridge.send("$/cancelRequest", {"id": slow})
    assert "error" in bridge.answer(slow)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (fault.status(401), "auth"),
        (fault.status(404, "model gone", "model_not_found"), "model_unknown"),
        (fault.status(429), "rate_limit"),
        (fault.status(500), "server"),
        (fault.html(), "not_api"),
        (fault.raw(b"{oops"), "not_api"),
        (fault.slam(), "network"),
    ],
)
def test_faults_carry_kind_and_hint(bridge, server, answer, kind):
    server.answers = [answer]
    message, data = bridge.error("predict", params(server.url))
    assert data.kind.value == kind and message and data.hint


def test_a_time_limit_is_kept(bridge, server):
    bridge.result("predict", params(server.url))  # loads the libraries
    server.answers = [fault.hang()]
    started = time.monotonic()
    _, data = bridge.error("predict", params(server.url, fresh=True, settings={"timeout_s": 1}))
    assert data.kind.value == "timeout" and time.monotonic() - started < 10


def test_without_a_key(bridge):
    message, data = bridge.error("predict", {"id": "x", "target": {"source": "1"}})
    assert data.kind.value == "no_key" and "api.openai.com" in message


def test_a_broken_settings_file_is_reported(bridge, own_settings):
    own_settings.write_text("{")
    message, data = bridge.error("config", {"cwd": None})
    assert data.kind.value == "settings" and str(own_settings) in message


def test_config_masks_and_names_sources(bridge):
    key = "sk-0123456789abcdefghij"
    found = bridge.result("config", {"cwd": None, "settings": {"stored_key": key, "stored_key_host": "api.openai.com"}})
    rows = {entry.name: entry for entry in found.entries}
    assert rows["api_key"].value == "sk-…ghij" and rows["api_key"].source == "the editor's secret storage"
    assert found.ready and found.has_key and key not in found.model_dump_json()


def test_models_and_the_key_test(bridge, server):
    server.answers = [fault.whole({"data": [{"id": "m"}]})]
    assert bridge.result("models", {"settings": {"base_url": server.url}}).models == ["m"]
    assert bridge.result("testKey", {"settings": {"base_url": server.url, "model": "m"}}).ok
    server.answers = [fault.status(401)]
    found = bridge.result("testKey", {"settings": {"base_url": server.url, "model": "m"}})
    assert not found.ok and "refused" in found.message


def test_replies_of_the_editors_own_models(bridge):
    raw = "```json\n" + json.dumps(fault.VERDICT) + "\n```"
    found = bridge.result("parseReply", {"raw": raw, "target": {"source": "df['price']"}, "model": "copilot"})
    assert (found.verdict.outcome, found.verdict.model) == ("crash", "copilot")
    assert bridge.result("parseReply", {"raw": "no", "target": {"source": ""}}).verdict.outcome == "unreadable"


def test_wrong_requests(bridge):
    message, data = bridge.error("predict", {"id": 1, "target": {"source": "secret_code()"}})
    assert "secret_code" not in message and data.kind.value == "internal"
    assert bridge.call("noSuchMethod", {})["error"]["code"] == -32601
    assert bridge.result("initialize", {"client_version": "x"})


def test_nothing_of_a_request_reaches_the_log(own_settings, server):
    bridge = Bridge("--log-level", "debug")
    try:
        executed = [{"source": cell, "order": n} for n, (_, cell, _) in enumerate(PLANTED)]
        server.answers = [fault.status(500, "server says hello")]
        asked = params(server.url, executed=executed, settings={"api_key": "sk-inuse-0123456789abcdef"})
        bridge.error("predict", asked)
        bridge.error("predict", {"id": 1, "target": 2, "settings": {"api_key": "sk-inuse-0123456789abcdef"}})
        bridge.result("preview", asked)
    finally:
        bridge.close()
    said = bridge.stderr()
    assert said, "it logs something"
    for secret in ["sk-inuse", "df['price']", "import", *(secret for _, _, secret in PLANTED)]:
        assert secret not in said


def test_stray_prints_go_to_stderr(own_settings):
    code = (
        "import os, sys, threading\n"
        "from crane_bridge import server, predict\n"
        "real = predict.build_prompt\n"
        "def noisy(*a):\n"
        "    print('STRAY'); os.write(1, b'RAW'); os.system('echo CHILD'); return real(*a)\n"
        "predict.build_prompt = noisy\n"
        "server.main([])\n"
    )
    bridge = Bridge(code=code)
    try:
        assert bridge.result("preview", {"id": "x", "target": {"source": "1"}}).tokens
    finally:
        bridge.close()
    for word in ("STRAY", "RAW", "CHILD"):
        assert word in bridge.stderr()


def test_it_ends_with_its_editor(bridge):
    bridge.call("initialize", {"client_version": "x"})
    bridge.process.stdin.close()
    assert bridge.process.wait(10) == 0


def test_it_ends_even_while_a_model_is_asked(bridge, server):
    server.answers = [fault.hang()]
    bridge.start("predict", params(server.url))
    deadline = time.monotonic() + LIMIT
    while not server.requests and time.monotonic() < deadline:
        time.sleep(0.02)
    bridge.process.stdin.close()
    bridge.process.wait(10)


def test_shutdown(bridge):
    assert bridge.call("shutdown")["result"] is None
    assert bridge.process.wait(10) == 0


def test_a_debugger_can_attach(own_settings):
    pytest.importorskip("debugpy")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bridge = Bridge("--debug-port", str(port))
    try:
        assert bridge.result("initialize", {"client_version": "x"})
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            body = b'{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"test"}}'
            connection.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            connection.settimeout(10)
            assert connection.recv(16).startswith(b"Content-Length")
    finally:
        bridge.close()


def test_a_missing_extra_is_named(tmp_path):
    code = "import sys; sys.modules['pygls'] = None\nfrom crane_bridge import server\nraise SystemExit(server.main([]))"
    bridge = Bridge(code=code)
    assert bridge.process.wait(LIMIT) == 2
    bridge.close()
    assert "crane-bridge[model]" in bridge.stderr()
