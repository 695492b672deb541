"""Asks a model: retries with bounded waits, gives up what an endpoint lacks, and closes the connection when cancelled."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from typing import Any, Callable

import openai

from ..addresses import is_local
from ..reply import RawReply
from ..settings import Resolved
from . import chat, responses
from .abilities import Abilities, Memory, first_guess, without
from .faults import LONGEST_WAIT, ModelFault, NotApi, said_by_server, translate

OnStage = Callable[[str, str], None]
"""Told the stage (see the protocol) and a detail in words."""

_FIRST_WAIT = 0.5
_REASONING_MODELS = ("gpt-5", "o1", "o3", "o4", "deepseek-r", "gemini-2.5", "gemini-3", "qwq", "grok-4", "grok-3-mini")
_memory = Memory()


@dataclass(frozen=True)
class Request:
    """What is asked of which model. ``bounded``: the reply's schema limits lengths (see `reply_schema`)."""

    model: str
    system: str
    user: str
    max_output_tokens: int
    reasoning_effort: str | None = None
    bounded: bool = False


def request_for(resolved: Resolved, system: str, user: str) -> Request:
    """The request, with a room for the reply that suits the model: what reasons first needs more of it."""
    name = str(resolved.model).rsplit("/", 1)[-1].lower()
    reasons = name.startswith(_REASONING_MODELS) or "think" in name or "reason" in name
    room = 16_000 if reasons else 4_000
    return Request(resolved.model, system, user, room, resolved.reasoning_effort, bounded=is_local(resolved.host))


async def ask(resolved: Resolved, request: Request, on_stage: OnStage = lambda stage, detail: None) -> RawReply:
    """The model's reply. Raises `ModelFault`, or `SettingsFault` when there is no key.

    Bounded: an attempt takes at most ``timeout_s`` seconds, all waits between attempts together as many again.
    Cancelling the task closes the connection.
    """
    key = resolved.require_key()
    name = f"{resolved.endpoint} {resolved.style} {request.model}"
    abilities = _begin(resolved, name)
    send = responses.send if resolved.style == "responses" else chat.send
    waited, tries = 0.0, 0
    async with _client(resolved, key) as client:
        # The library loads its parts when they are first named; that must not count against the time limit.
        _ = client.responses if resolved.style == "responses" else client.chat.completions
        while True:
            tries += 1
            on_stage("waiting_for_model", f"{request.model} at {resolved.host}")
            try:
                attempt = send(client, request, abilities, on_stage)
                reply = await asyncio.wait_for(attempt, timeout=resolved.timeout_s)
            except ModelFault as error:
                fault = error
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                reduced = without(abilities, said_by_server(error), error.param)
                fault = _translated(error, resolved, request.model, key)
                if reduced is not None and fault.kind not in ("model_unknown", "settings"):
                    abilities, tries = reduced, tries - 1
                    on_stage("retrying", "without a feature that the endpoint lacks")
                    continue
            except (openai.OpenAIError, NotApi, asyncio.TimeoutError, OSError, ValueError) as error:
                fault = _translated(error, resolved, request.model, key)
            except Exception as error:  # the transport's own errors escape the client library in the middle of a stream
                fault = _translated(error, resolved, request.model, key)
            else:
                _memory.note(name, abilities)
                reply.model = reply.model or request.model
                return reply
            wait = _pause(fault, tries)
            if not fault.again or tries > resolved.max_retries or waited + wait > resolved.timeout_s:
                raise fault
            on_stage("retrying", f"{fault.message} Next try in {wait:.0f} s ({tries} of {resolved.max_retries}).")
            await asyncio.sleep(wait)
            waited += wait


def _begin(resolved: Resolved, name: str) -> Abilities:
    known = _memory.recall(name)
    if known is None or resolved.structured is not None:
        return first_guess(resolved.host, resolved.structured)
    return known


def _pause(fault: ModelFault, tries: int) -> float:
    """Seconds before the next attempt: what the server asks for, else doubling, with a spread so that many do not meet."""
    if fault.wait is not None:
        return min(fault.wait, LONGEST_WAIT)
    return min(_FIRST_WAIT * 2 ** (tries - 1), 8.0) * (0.75 + random.random() / 2)


def _translated(error: BaseException, resolved: Resolved, model: str, key: str) -> ModelFault:
    return translate(
        error, endpoint=resolved.endpoint, model=model, style=resolved.style, timeout=resolved.timeout_s, key=key
    )


def _client(resolved: Resolved, key: str) -> Any:
    # Every address and key is given, so that the library looks for none in the environment. A redirect would carry the
    # prompt to another host, so none is followed. Proxies and certificates come from the usual variables.
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=resolved.endpoint,
        max_retries=0,
        timeout=resolved.timeout_s,
        http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False, timeout=resolved.timeout_s),
    )


async def list_models(resolved: Resolved) -> list[str]:
    """The names of the models that the endpoint offers, sorted. Raises `ModelFault`."""
    key = resolved.require_key()
    try:
        async with _client(resolved, key) as client:
            answer = await asyncio.wait_for(client.models.with_raw_response.list(), timeout=min(resolved.timeout_s, 30))
            data = await chat.read_json(answer)
    except Exception as error:
        raise _translated(error, resolved, resolved.model, key) from error
    listed = data.get("data") if isinstance(data, dict) else None
    if not isinstance(listed, list):
        raise _translated(NotApi("its list of models is none"), resolved, resolved.model, key)
    return sorted({item["id"] for item in listed if isinstance(item, dict) and isinstance(item.get("id"), str)})


async def try_key(resolved: Resolved) -> str:
    """Words for a key that works. Raises `ModelFault` or `SettingsFault`. Costs nothing: it lists the models."""
    started = time.monotonic()
    names = await list_models(resolved)
    spent = time.monotonic() - started
    if names and resolved.model not in names and f"models/{resolved.model}" not in names:
        return f"{resolved.host} accepts the key ({spent:.1f} s), but does not list the model {resolved.model!r}."
    return f"{resolved.host} accepts the key ({spent:.1f} s)."
