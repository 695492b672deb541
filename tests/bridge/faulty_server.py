"""A model server that misbehaves on demand, over real sockets."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

Answer = Callable[["_Handler"], None]
VERDICT = {
    "reasoning": "df has no column 'price'.",
    "prediction": True,
    "exception": "KeyError",
    "line": 1,
    "variables": ["df"],
    "fix": None,
}


class FaultyServer:
    """``answers`` are used up one per request, the last one stays. ``requests`` keeps what was received."""

    def __init__(self) -> None:
        self.answers: list[Answer] = [chat(json.dumps(VERDICT))]
        self.requests: list[dict[str, Any]] = []
        self.dropped = threading.Event()
        self.lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self._http.owner = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> FaultyServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def _handle(self) -> None:
        owner: FaultyServer = self.server.owner
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length)
        with owner.lock:
            owner.requests.append(
                {
                    "path": self.path,
                    "headers": {k.lower(): v for k, v in self.headers.items()},
                    "body": json.loads(body) if body else None,
                }
            )
            answer = owner.answers.pop(0) if len(owner.answers) > 1 else owner.answers[0]
        try:
            answer(self)
        except (BrokenPipeError, ConnectionResetError):
            owner.dropped.set()

    def send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def status(code: int, message: str = "", error_code: str | None = None, **headers: str) -> Answer:
    """An error in OpenAI's shape."""
    body = json.dumps({"error": {"message": message, "code": error_code, "param": None, "type": "error"}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.send(code, body, "application/json", named)


def html(code: int = 200) -> Answer:
    page = b"<!doctype html><html><body>Please sign in to the network</body></html>"
    return lambda handler: handler.send(code, page, "text/html; charset=utf-8")


def raw(body: bytes, kind: str = "application/json") -> Answer:
    return lambda handler: handler.send(200, body, kind)


def completion(text: str | None, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    """A chat completion as one object."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-model",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def chat(text: str, finish: str = "stop") -> Answer:
    """A well-formed chat answer, streamed when the request asks for a stream."""

    def answer(handler: _Handler) -> None:
        if not handler.server.owner.requests[-1]["body"].get("stream"):
            handler.send(200, json.dumps(completion(text, finish)).encode(), "application/json")
            return
        middle = len(text) // 2
        chunks = [
            _chunk(content=text[:middle]),
            _chunk(content=text[middle:]),
            _chunk(finish=finish),
            _chunk(usage=True),
        ]
        _stream(handler, [json.dumps(chunk) for chunk in chunks] + ["[DONE]"])

    return answer


def whole(data: Any) -> Answer:
    """One JSON object, whatever was asked for."""
    return raw(json.dumps(data).encode())


def broken_stream(events: int = 1) -> Answer:
    """A stream that stops being JSON."""
    return lambda handler: _stream(handler, [json.dumps(_chunk(content="{"))] * events + ["{not json"])


def hang(seconds: float = 30.0) -> Answer:
    """Takes the request and says nothing; notices when the other side goes away."""

    def answer(handler: _Handler) -> None:
        handler.connection.settimeout(seconds)
        try:
            if handler.connection.recv(1) == b"":
                handler.server.owner.dropped.set()
        except TimeoutError:
            pass
        handler.close_connection = True

    return answer


def drip(seconds: float = 30.0) -> Answer:
    """Sends a little now and then, for ever: no single read times out."""

    def answer(handler: _Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            handler.wfile.write(b": still here\n\n")
            handler.wfile.flush()
            time.sleep(0.1)

    return answer


def cut_off() -> Answer:
    """Announces more than it sends, then closes."""

    def answer(handler: _Handler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", "5000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')
        handler.wfile.flush()
        handler.close_connection = True

    return answer


def slam() -> Answer:
    """Closes the connection without a word."""

    def answer(handler: _Handler) -> None:
        handler.close_connection = True
        handler.connection.close()

    return answer


def redirect(url: str, code: int = 307) -> Answer:
    return lambda handler: handler.send(code, b"", "text/plain", {"location": url})


def refuse(reject: Callable[[dict[str, Any]], str | None], otherwise: Answer) -> Answer:
    """Objects (status 400) with the text that ``reject`` returns for the request's body, else answers."""

    def answer(handler: _Handler) -> None:
        text = reject(handler.server.owner.requests[-1]["body"])
        (status(400, text) if text else otherwise)(handler)

    return answer


def response_object(text: str, state: str = "completed", reason: str | None = None) -> dict[str, Any]:
    """A Responses API object."""
    part = {"type": "output_text", "text": text, "annotations": []}
    return {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "model": "served-model",
        "status": state,
        "error": {"code": "server_error", "message": "it broke"} if state == "failed" else None,
        "incomplete_details": {"reason": reason} if reason else None,
        "output": [{"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 21,
            "output_tokens": 9,
            "total_tokens": 30,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def responses(text: str, state: str = "completed", reason: str | None = None) -> Answer:
    """A well-formed answer of the Responses API, streamed."""

    def answer(handler: _Handler) -> None:
        delta = {"type": "response.output_text.delta", "item_id": "m1", "output_index": 0, "content_index": 0}
        end = {"type": f"response.{state}", "sequence_number": 3, "response": response_object(text, state, reason)}
        events = [{**delta, "delta": text, "sequence_number": 1, "logprobs": []}, end]
        _stream(handler, [json.dumps(event) for event in events], named=True)

    return answer


def _chunk(content: str | None = None, finish: str | None = None, usage: bool = False) -> dict[str, Any]:
    choices = [] if usage else [{"index": 0, "delta": {"content": content} if content else {}, "finish_reason": finish}]
    data = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "served-model", "choices": choices}
    if usage:
        data["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return data


def _stream(handler: _Handler, events: list[str], named: bool = False) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()
    for event in events:
        name = f"event: {json.loads(event)['type']}\n" if named else ""
        handler.wfile.write(f"{name}data: {event}\n\n".encode())
        handler.wfile.flush()
    handler.close_connection = True
