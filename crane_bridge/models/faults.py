"""Turns what the client library raises into words for a person, and says what may be tried again."""

from __future__ import annotations

import asyncio
import email.utils
import json
import math
import ssl
import time
from collections.abc import Iterator
from typing import Any

import openai

from ..addresses import host_of, is_local
from ..faults import Fault
from ..redact import redact_message, redact_url

LONGEST_WAIT = 60.0
"""Seconds: a server that asks for a longer pause is not waited for."""


class ModelFault(Fault):
    """A call failed. ``kind`` is one of the protocol's error kinds; ``again`` whether another try may help."""

    def __init__(self, kind: str, message: str, hint: str = "", again: bool = False, wait: float | None = None) -> None:
        super().__init__(message, hint)
        self.kind = kind
        self.again = again
        self.wait = wait


class NotApi(Exception):
    """The endpoint answered, but not as an OpenAI-compatible API does. Raised by our own readers."""

    def __init__(self, what: str, html: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.html = html


def translate(error: BaseException, *, endpoint: str, model: str, style: str, timeout: float, key: str) -> ModelFault:
    """The fault for whatever a call raised. Never holds the key."""
    fault = _translate(error, endpoint, model, style, timeout)
    fault.message, fault.hint = redact_message(fault.message, [key]), redact_message(fault.hint, [key])
    fault.args = (fault.message,)
    return fault


def _translate(error: BaseException, endpoint: str, model: str, style: str, timeout: float) -> ModelFault:
    host, url = host_of(endpoint), redact_url(endpoint)
    if isinstance(error, (openai.APITimeoutError, asyncio.TimeoutError, TimeoutError)):
        return ModelFault(
            "timeout", f"{host} did not answer within {timeout:g} seconds.", "Try again, or allow more (timeout_s)."
        )
    if isinstance(error, NotApi):
        return _not_api(error.what, error.html, url)
    if isinstance(error, openai.APIStatusError):
        return _status(error, host, url, model, style)
    if isinstance(error, openai.APIConnectionError):
        return _connection(error, host, url)
    if isinstance(error, (openai.APIResponseValidationError, json.JSONDecodeError, UnicodeDecodeError)):
        return _not_api("its answer is not the JSON that such an API sends", False, url)
    if isinstance(error, openai.APIError):  # an error event in the middle of a stream
        return ModelFault("server", f"{host} broke off with an error: {_cut(error.message)}", "Try again.", again=True)
    if type(error).__module__.split(".")[0] in ("httpx", "httpx2", "httpcore", "httpcore2", "anyio"):
        return ModelFault("network", f"The connection to {host} broke off.", "Try again.", again=True)
    return ModelFault("internal", f"The call to {host} failed: {type(error).__name__}: {_cut(str(error))}")


def _not_api(what: str, html: bool, url: str) -> ModelFault:
    if html:
        return ModelFault(
            "not_api",
            f"{url} answered with a web page instead of data.",
            "A proxy or a login page may stand in between, or the base URL is wrong (it usually ends in /v1).",
        )
    return ModelFault(
        "not_api",
        f"{url} does not answer as an OpenAI-compatible API: {what}.",
        "Check the base URL (it usually ends in /v1).",
    )


def _status(error: openai.APIStatusError, host: str, url: str, model: str, style: str) -> ModelFault:
    status, said = error.status_code, said_by_server(error)
    detail = f" It says: {said}" if said else ""
    html = is_html(error.response)
    if 300 <= status < 400:
        target = host_of(error.response.headers.get("location", "")) or "another address"
        return ModelFault(
            "not_api",
            f"{host} redirects to {target}; nothing was sent there.",
            "If you trust that address, set it as the base URL.",
        )
    if html and status < 500:
        return _not_api("", True, url)
    if status == 401:
        return ModelFault(
            "auth", f"{host} refused the API key.{detail}", "Set another key, or check which one is in use."
        )
    if status == 403:
        return ModelFault(
            "auth",
            f"{host} does not allow this request with this key.{detail}",
            f"Check that the key may use the model {model!r}, and that no proxy stands in between.",
        )
    code = str(getattr(error, "code", "") or "").lower()
    lowered = said.lower()
    if status == 404:
        if "model" in code or "model" in lowered:
            return ModelFault("model_unknown", f"{host} has no model {model!r}.{detail}", "Choose another model.")
        other = "chat" if style == "responses" else "responses"
        return ModelFault(
            "not_api",
            f"{url} has no such address (404).{detail}",
            f"Check the base URL (it usually ends in /v1); or the server wants api_style {other!r}.",
        )
    if status == 400 and ("model_not_found" in code or "invalid model" in lowered or "model not found" in lowered):
        return ModelFault("model_unknown", f"{host} has no model {model!r}.{detail}", "Choose another model.")
    if status == 413 or "context_length" in code or "context length" in lowered or "context size" in lowered:
        return ModelFault(
            "settings",
            f"The prompt is too long for {model!r}.{detail}",
            "Set a smaller token_budget, or another model.",
        )
    if status == 429:
        return _rate_limit(error, host, code, detail)
    if status >= 500 or status in (408, 409):
        page = " with a web page" if html else ""
        return ModelFault(
            "server",
            f"{host} failed (status {status}){page}.{'' if html else detail}",
            "Try again later.",
            again=True,
            wait=retry_after(error.response.headers),
        )
    return ModelFault("server", f"{host} did not accept the request (status {status}).{detail}", "")


def _rate_limit(error: openai.APIStatusError, host: str, code: str, detail: str) -> ModelFault:
    if "quota" in code or "billing" in code:
        return ModelFault(
            "rate_limit", f"The quota of this key at {host} is used up.{detail}", "Check your plan there."
        )
    wait = retry_after(error.response.headers)
    if wait is not None and wait > LONGEST_WAIT:
        return ModelFault(
            "rate_limit", f"{host} is busy and asks to wait {math.ceil(wait)} seconds.{detail}", "Try again then."
        )
    return ModelFault("rate_limit", f"{host} takes no more requests just now.{detail}", "Try again later.", True, wait)


def _connection(error: openai.APIConnectionError, host: str, url: str) -> ModelFault:
    causes = list(_causes(error))
    text = " ".join(str(cause) for cause in causes).lower()
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "certificate" in text or "ssl" in text:
        return ModelFault(
            "network",
            f"No secure connection to {host}: its certificate or protocol was not accepted.",
            "Behind a proxy with a certificate of its own, name it in the environment variable SSL_CERT_FILE.",
        )
    refused = any(isinstance(cause, ConnectionRefusedError) for cause in causes) or "connection attempts failed" in text
    if refused or "refused" in text:
        hint = "Is the server running?" if is_local(host) else "Check the base URL and your proxy settings."
        return ModelFault("network", f"Nothing answers at {url}.", hint)
    if "name or service" in text or "getaddrinfo" in text or "nodename" in text or "name resolution" in text:
        return ModelFault("network", f"The host {host} was not found.", "Check the base URL and your network.")
    if "proxy" in text:
        return ModelFault("network", f"The proxy did not let the request to {host} through.", "Check HTTPS_PROXY.")
    return ModelFault(
        "network", f"The connection to {host} broke off.", "Check your network, then try again.", again=True
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what caused it, grouped causes included."""
    seen: set[int] = set()
    queue = [error]
    while queue and len(seen) < 40:
        current = queue.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        queue += [current.__cause__, current.__context__, *getattr(current, "exceptions", ())]


def said_by_server(error: openai.APIStatusError) -> str:
    """The server's own words, short; empty when it gave none that a person can read."""
    body: Any = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        text = inner.get("message") if isinstance(inner, dict) else inner
        return _cut(text) if isinstance(text, str) else ""
    return "" if not isinstance(body, str) or "<" in body[:200] else _cut(body)


def is_html(response: Any) -> bool:
    return "html" in response.headers.get("content-type", "").lower()


def retry_after(headers: Any) -> float | None:
    """Seconds that the server asks to wait: a number, or a date."""
    milliseconds, value = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        if value:
            return max(0.0, float(value))
    except ValueError:
        try:
            return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
        except (TypeError, ValueError):
            return None
    return None


def _cut(text: str, limit: int = 240) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
