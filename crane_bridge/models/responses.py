"""One request to OpenAI's Responses API (also Azure's)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..prompt import SCHEMA_NAME, reply_schema
from ..reply import RawReply
from .abilities import Abilities
from .chat import read_json
from .faults import ModelFault, NotApi, is_html

if TYPE_CHECKING:
    from .call import OnStage, Request


async def send(client: Any, request: Request, abilities: Abilities, on_stage: OnStage) -> RawReply:
    """The reply of the model. Raises what the client library raises, `NotApi`, or `ModelFault` for a failed run."""
    asked: dict[str, Any] = {
        "model": request.model,
        "instructions": request.system,
        "input": request.user,
        "store": False,  # the provider keeps nothing for later turns
    }
    if abilities.format == "schema":
        schema = {"name": SCHEMA_NAME, "strict": True, "schema": reply_schema(request.bounded)}
        asked["text"] = {"format": {"type": "json_schema", **schema}}
        if request.bounded:
            # Local servers that build this API upon their chat API look for the schema in the place that it has there.
            asked["extra_body"] = {"response_format": {"type": "json_schema", "json_schema": schema}}
    elif abilities.format == "object":
        asked["text"] = {"format": {"type": "json_object"}}
    if abilities.limit:
        asked["max_output_tokens"] = request.max_output_tokens
    if request.reasoning_effort and abilities.effort:
        asked["reasoning"] = {"effort": request.reasoning_effort}
    if abilities.stream:
        asked["stream"] = True
    answer = await client.responses.with_raw_response.create(**asked)
    kind = answer.headers.get("content-type", "").lower()
    if is_html(answer):
        raise NotApi("", html=True)
    if not abilities.stream or "event-stream" not in kind:
        return whole(await read_json(answer))
    stream = answer.parse()
    async with stream:
        return await _collect(stream, on_stage)


async def _collect(stream: Any, on_stage: OnStage) -> RawReply:
    text = ""
    received = False
    async for event in stream:
        received = True
        if event.type == "response.output_text.delta":
            if not text:
                on_stage("reading_reply", "")
            text += event.delta
        elif event.type in ("response.completed", "response.incomplete", "response.failed"):
            reply = whole(event.response.model_dump())
            reply.text = reply.text or text
            return reply
        elif event.type == "error":
            raise ModelFault(
                "server", f"The server broke off: {getattr(event, 'message', '')}", "Try again.", again=True
            )
    if not received:
        raise NotApi("its stream of events is empty")
    # The stream ended without its closing event: what came is all there is.
    return RawReply(text, truncated=True)


def whole(data: Any) -> RawReply:
    """A finished response. Raises `NotApi` when it is none, `ModelFault` when the server says that it failed."""
    if not isinstance(data, dict) or not isinstance(data.get("output"), list):
        raise NotApi("its answer is JSON, but no response object")
    if data.get("status") == "failed":
        error = data.get("error") or {}
        raise ModelFault(
            "server", f"The model's run failed: {error.get('message') or 'no reason given'}", "Try again.", again=True
        )
    text, refusal = "", ""
    for item in data["output"]:
        for part in (item.get("content") or []) if isinstance(item, dict) and item.get("type") == "message" else []:
            if part.get("type") == "output_text":
                text += part.get("text") or ""
            elif part.get("type") == "refusal":
                refusal += part.get("refusal") or ""
    reason = (data.get("incomplete_details") or {}).get("reason")
    if reason == "content_filter" and not refusal:
        refusal = "the provider's content filter stopped the reply"
    usage = data.get("usage") or {}
    sent, received = usage.get("input_tokens"), usage.get("output_tokens")
    counted = None
    if isinstance(sent, int) and isinstance(received, int):
        counted = {"input_tokens": sent, "output_tokens": received}
    return RawReply(
        text=text,
        model=data.get("model") or "",
        truncated=reason == "max_output_tokens",
        refusal=refusal or None,
        usage=counted,
    )
