"""Every fault of a model server, over real sockets, with the message that a person sees; and what is done about it."""

from __future__ import annotations

import asyncio
import json
import socket
import time

import pytest

from crane_bridge.models import ModelFault, Request, ask, list_models, try_key
from crane_bridge.reply import verdict
from crane_bridge.settings import resolve
from tests.bridge import faulty_server as fault

KEY = "sk-test-0123456789abcdefghij"


def settings(server_or_url, **changes):
    url = getattr(server_or_url, "url", server_or_url)
    values = {"base_url": url, "model": "m", "api_key": KEY, "timeout_s": 15, "max_retries": 2, **changes}
    return resolve(values, environ={})


def run(resolved, stages=None, limit=100):
    request = Request(resolved.model, "SYSTEM", "USER", limit, resolved.reasoning_effort)
    note = (lambda stage, detail: stages.append((stage, detail))) if stages is not None else lambda *_: None
    return asyncio.run(ask(resolved, request, note))


def failing(resolved, stages=None):
    started = time.monotonic()
    with pytest.raises(ModelFault) as caught:
        run(resolved, stages)
    # An attempt and the waits each take timeout_s at most; the rest is a busy machine's time to load the library.
    assert time.monotonic() - started < 2 * resolved.timeout_s + 20, "took longer than it may"
    assert KEY not in str(caught.value)
    return caught.value


@pytest.fixture(params=["chat", "responses"])
def style(request):
    return request.param


def good(style):
    text = json.dumps(fault.VERDICT)
    return fault.chat(text) if style == "chat" else fault.responses(text)


# --- what works ------------------------------------------------------------------------------------------------------


def test_a_streamed_answer(server, style):
    server.answers = [good(style)]
    stages = []
    reply = run(settings(server, api_style=style), stages)
    found = verdict(reply, "df['price']")
    assert (found["outcome"], found["exception"], found["line"]) == ("crash", "KeyError", 1)
    assert reply.model == "served-model"
    assert reply.usage == (
        {"input_tokens": 11, "output_tokens": 7} if style == "chat" else {"input_tokens": 21, "output_tokens": 9}
    )
    assert [stage for stage, _ in stages] == ["waiting_for_model", "reading_reply"]
    sent = server.requests[0]
    assert sent["path"] == ("/v1/chat/completions" if style == "chat" else "/v1/responses")
    assert sent["headers"]["authorization"] == f"Bearer {KEY}"
    assert "schema" in json.dumps(sent["body"])
    assert sent["body"].get("store") is (None if style == "chat" else False)


def test_a_server_that_does_not_stream(server):
    server.answers = [fault.whole(fault.completion(json.dumps(fault.VERDICT)))]
    assert verdict(run(settings(server)), "x")["outcome"] == "crash"


def test_retries_stop_at_success(server, style):
    server.answers = [fault.status(429, "slow down", retry_after="0.1"), fault.status(503), good(style)]
    stages = []
    run(settings(server, api_style=style), stages)
    assert len(server.requests) == 3
    assert [stage for stage, _ in stages].count("retrying") == 2


def test_retry_after_is_waited_for(server):
    server.answers = [fault.status(429, retry_after="1.2"), good("chat")]
    started = time.monotonic()
    run(settings(server))
    assert 1.1 < time.monotonic() - started < 3


# --- what fails, and how it reads ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (fault.status(401, f"Incorrect API key provided: {KEY}"), "auth", "refused the API key"),
        (fault.status(403, "Project has no access"), "auth", "does not allow"),
        (fault.status(404, "The model `m` does not exist", "model_not_found"), "model_unknown", "has no model 'm'"),
        (fault.status(404, "nope"), "not_api", "404"),
        (fault.status(400, "Invalid model: m"), "model_unknown", "has no model 'm'"),
        (fault.status(400, "This model's maximum context length is 10 tokens"), "settings", "too long"),
        (fault.status(429, "busy"), "rate_limit", "takes no more requests"),
        (fault.status(429, "pay first", "insufficient_quota"), "rate_limit", "quota"),
        (fault.status(429, "busy", retry_after="4000"), "rate_limit", "asks to wait 4000 seconds"),
        (fault.status(500, "boom"), "server", "status 500"),
        (fault.html(502), "server", "status 502"),
        (fault.html(200), "not_api", "web page"),
        (fault.html(404), "not_api", "web page"),
        (fault.html(403), "not_api", "web page"),
        (fault.raw(b"{not json"), "not_api", "not JSON"),
        (fault.raw(b"<html>hello", "application/json"), "not_api", "web page"),
        (fault.raw(b"{}"), "not_api", "OpenAI-compatible"),
        (fault.raw(b"[1]"), "not_api", "OpenAI-compatible"),
        (fault.raw(b"", "text/event-stream"), "not_api", "empty"),
        (fault.broken_stream(), "not_api", "OpenAI-compatible"),
        (fault.hang(), "timeout", "within 2 seconds"),
        (fault.drip(), "timeout", "within 2 seconds"),
        (fault.cut_off(), "network", "broke off"),
        (fault.slam(), "network", "broke off"),
        (fault.redirect("https://elsewhere.example/v1/chat/completions"), "not_api", "redirects to elsewhere.example"),
    ],
)
def test_faults(server, style, answer, kind, words):
    server.answers = [answer]
    found = failing(settings(server, api_style=style, timeout_s=2 if kind == "timeout" else 15, max_retries=1))
    assert (found.kind, words in found.message) == (kind, True), found.message
    assert found.hint or kind == "server"


def test_hopeless_faults_are_not_retried(server, style):
    for answer in (fault.status(401), fault.status(429, "", "insufficient_quota"), fault.html(), fault.hang()):
        server.answers = [answer]
        server.requests.clear()
        failing(settings(server, api_style=style, timeout_s=4, max_retries=5))
        assert len(server.requests) == 1


def test_retries_are_bounded(server):
    server.answers = [fault.status(500)]
    failing(settings(server, max_retries=2, timeout_s=60))
    assert len(server.requests) == 3


def test_waits_never_exceed_the_time_limit(server):
    server.answers = [fault.status(429, retry_after="30")]
    assert failing(settings(server, timeout_s=2, max_retries=10)).kind == "rate_limit"


def test_nothing_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    found = failing(settings(url))
    assert found.kind == "network" and "Nothing answers" in found.message and "running" in found.hint


def test_an_unknown_host():
    found = failing(settings("http://no-such-host.invalid/v1", timeout_s=20))
    assert found.kind == "network"
    assert "no-such-host.invalid" in found.message


def test_a_redirect_sends_nothing_elsewhere(server):
    with fault.FaultyServer() as other:
        server.answers = [fault.redirect(f"{other.url}/chat/completions", 308)]
        failing(settings(server))
        assert other.requests == []


def test_a_server_that_fails_in_the_middle(server):
    server.answers = [fault.responses("{", state="failed")]
    found = failing(settings(server, api_style="responses", max_retries=0))
    assert (found.kind, "it broke" in found.message) == ("server", True)


# --- replies that are no verdict -------------------------------------------------------------------------------------


def test_truncation_is_said(server, style):
    server.answers = [
        fault.chat('{"reasoning": "a long', "length")
        if style == "chat"
        else fault.responses('{"reasoning": "a long', "incomplete", "max_output_tokens")
    ]
    reply = run(settings(server, api_style=style))
    found = verdict(reply, "x")
    assert found["outcome"] == "unreadable" and "cut off" in found["reasoning"]


def test_refusals_and_empty_replies_are_said(server):
    server.answers = [fault.whole(fault.completion(None, refusal="I cannot help with that."))]
    assert "declined" in verdict(run(settings(server)), "x")["reasoning"]
    server.answers = [fault.whole(fault.completion(""))]
    assert "empty" in verdict(run(settings(server)), "x")["reasoning"]
    server.answers = [fault.whole(fault.completion("", "content_filter"))]
    assert "filter" in verdict(run(settings(server)), "x")["reasoning"]


# --- what an endpoint supports is found out and remembered -------------------------------------------------------------


def objections(*lacking):
    """A server that lacks some parameters and says so as servers do."""

    def reject(body):
        text = json.dumps(body)
        if "schema" in lacking and "json_schema" in text:
            return "response_format type json_schema is not supported"
        if "object" in lacking and "json_object" in text:
            return "Unsupported value: response_format"
        if "stream_options" in lacking and "stream_options" in body:
            return "Unrecognized request argument supplied: stream_options"
        if "max_tokens" in lacking and "max_tokens" in body:
            return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        if "effort" in lacking and "reasoning_effort" in body:
            return "reasoning_effort is not supported"
        if "vague" in lacking and "json_schema" in text:
            return "Bad Request"
        return None

    return reject


@pytest.mark.parametrize(
    "lacking",
    [
        ("schema",),
        ("schema", "object"),
        ("stream_options",),
        ("max_tokens",),
        ("effort",),
        ("vague",),
        ("schema", "object", "stream_options", "max_tokens", "effort"),
    ],
)
def test_what_is_lacking_is_given_up_once(server, lacking):
    server.answers = [fault.refuse(objections(*lacking), good("chat"))]
    resolved = settings(server, reasoning_effort="low", max_retries=0)
    assert verdict(run(resolved), "x")["outcome"] == "crash"
    first = len(server.requests)
    assert 1 < first < 8
    run(resolved)
    assert len(server.requests) == first + 1, "the endpoint was not remembered"


def test_memory_outlives_the_process(server, own_settings, monkeypatch):
    server.answers = [fault.refuse(objections("schema"), good("chat"))]
    resolved = settings(server)
    run(resolved)
    monkeypatch.setattr("crane_bridge.models.call._memory._known", {})
    before = len(server.requests)
    run(resolved)
    assert len(server.requests) == before + 1
    noted = own_settings.with_name("endpoints.json")
    assert noted.exists() and KEY not in noted.read_text()
    noted.write_text("{broken")
    monkeypatch.setattr("crane_bridge.models.call._memory._known", {})
    run(resolved)


def test_structured_can_be_turned_off(server):
    run(settings(server, structured="false"))
    assert "response_format" not in server.requests[0]["body"]


# --- cancellation, keys, proxies ---------------------------------------------------------------------------------------


def test_cancelling_closes_the_connection(server, style):
    server.answers = [fault.hang()]
    resolved = settings(server, api_style=style, timeout_s=30)

    async def cancelled():
        task = asyncio.ensure_future(ask(resolved, Request("m", "S", "U", 10)))
        while not server.requests:
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(cancelled(), 10))
    assert server.dropped.wait(3), "the server still sees an open connection"


def test_nothing_is_taken_from_the_environment_behind_our_back(server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other-0123456789abcdefgh")
    run(settings(server))
    assert server.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"


def test_a_local_server_needs_no_key(server):
    run(resolve({"base_url": server.url, "model": "m"}, environ={}))
    assert len(server.requests) == 1


def test_proxies_come_from_the_usual_variables(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", server.url.removesuffix("/v1"))
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
    run(settings("http://models.example/v1"))
    assert server.requests[0]["path"].startswith("http://models.example/v1/chat")


def test_listing_models_and_trying_a_key(server):
    server.answers = [fault.whole({"object": "list", "data": [{"id": "b"}, {"id": "a"}, {"nope": 1}]})]
    assert asyncio.run(list_models(settings(server))) == ["a", "b"]
    assert "does not list the model 'm'" in asyncio.run(try_key(settings(server)))
    assert "accepts the key" in asyncio.run(try_key(settings(server, model="a")))
    server.answers = [fault.status(401, "no")]
    with pytest.raises(ModelFault, match="refused the API key"):
        asyncio.run(try_key(settings(server)))
    server.answers = [fault.whole({"data": None})]
    with pytest.raises(ModelFault, match="OpenAI-compatible"):
        asyncio.run(list_models(settings(server)))
