"""One request to the Chat Completions API, which nearly every server has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..prompt import SCHEMA_NAME, reply_schema
from ..reply import RawReply
from .abilities import Abilities
from .faults import NotApi, is_html

if TYPE_CHECKING:
    from .call import OnStage, Request


async def send(client: Any, request: Request, abilities: Abilities, on_stage: OnStage) -> RawReply:
    """The reply of the model. Raises what the client library raises, or `NotApi`."""
    asked: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}],
    }
    if abilities.format == "schema":
        schema = {"name": SCHEMA_NAME, "strict": True, "schema": reply_schema(request.bounded)}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif abilities.format == "object":
        asked["response_format"] = {"type": "json_object"}
    if abilities.limit:
        asked[abilities.limit_name] = request.max_output_tokens
    if request.reasoning_effort and abilities.effort:
        asked["reasoning_effort"] = request.reasoning_effort
    if abilities.stream:
        asked["stream"] = True
        if abilities.stream_usage:
            asked["stream_options"] = {"include_usage": True}
    answer = await client.chat.completions.with_raw_response.create(**asked)
    kind = answer.headers.get("content-type", "").lower()
    if is_html(answer):
        raise NotApi("", html=True)
    if not abilities.stream or "event-stream" not in kind:
        # Some servers ignore "stream" and answer at once.
        return whole(await read_json(answer))
    stream = answer.parse()
    async with stream:
        return await _collect(stream, on_stage)


async def read_json(answer: Any) -> Any:
    """The JSON body of a raw answer. Raises `NotApi` when it is none."""
    body = answer.http_response
    text = (await body.aread()).decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        raise NotApi("its answer is not JSON", html=text.lstrip()[:1] == "<") from None


async def _collect(stream: Any, on_stage: OnStage) -> RawReply:
    reply = RawReply("")
    refusal = ""
    received = False
    async for chunk in stream:
        received = True
        reply.model = getattr(chunk, "model", None) or reply.model
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            reply.usage = _usage(usage.model_dump())
        for choice in getattr(chunk, "choices", None) or []:
            delta = choice.delta
            if delta is not None and delta.content:
                if not reply.text:
                    on_stage("reading_reply", "")
                reply.text += delta.content
            refusal += getattr(delta, "refusal", None) or ""
            reply.truncated = reply.truncated or choice.finish_reason == "length"
            if choice.finish_reason == "content_filter":
                refusal = refusal or "the provider's content filter stopped the reply"
    if not received:
        raise NotApi("its stream of events is empty")
    reply.refusal = refusal or None
    return reply


def whole(data: Any) -> RawReply:
    """A reply that came in one piece. Raises `NotApi` when it is no chat completion."""
    try:
        choice = data["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
    except (TypeError, KeyError, IndexError, AttributeError):
        raise NotApi("its answer is JSON, but no chat completion") from None
    if isinstance(content, list):  # some servers send parts
        content = "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    finish = choice.get("finish_reason")
    if finish == "content_filter" and not refusal:
        refusal = "the provider's content filter stopped the reply"
    return RawReply(
        text=content if isinstance(content, str) else "",
        model=data.get("model") or "",
        truncated=finish == "length",
        refusal=refusal or None,
        usage=_usage(data.get("usage")),
    )


def _usage(data: Any) -> dict[str, int] | None:
    if not isinstance(data, dict):
        return None
    sent, received = data.get("prompt_tokens"), data.get("completion_tokens")
    if not isinstance(sent, int) or not isinstance(received, int):
        return None
    return {"input_tokens": sent, "output_tokens": received}
