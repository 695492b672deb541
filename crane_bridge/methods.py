"""The methods of the bridge process, on the protocol's types. `crane_bridge.server` gives them a process and a wire."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import os
import platform
from collections.abc import Awaitable
from typing import Any, Callable, TypeVar

from lsprotocol import types as lsp
from pydantic import ValidationError
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import JsonRPCNotification, JsonRPCProtocol, JsonRPCRequestMessage, default_converter
from pygls.server import JsonRPCServer

from . import __version__
from . import predict as predicting
from . import protocol as wire
from .faults import Fault, need
from .preview import preview_of, question_of, settings_of
from .redact import redact_message
from .reply import RawReply, verdict
from .settings import Resolved, entries

_P = TypeVar("_P", bound=wire.Message)
_EXTRAS = {
    "model": ("openai", "pydantic"),
    "cli": ("jupyter_client", "ipykernel"),
    "bench": ("pandas", "scipy"),
    "debug": ("debugpy",),
}
_GRACE_SECONDS = 0.5

log = logging.getLogger("crane_bridge")


class BridgeProtocol(JsonRPCProtocol):
    """Plain JSON parameters; the cancel notification in the shape that the base class expects."""

    def get_message_type(self, method: str) -> type[Any] | None:
        return lsp.CancelNotification if method == lsp.CANCEL_REQUEST else None


def _converter() -> Any:
    """Leaves parameters as the JSON that they are (the library would make objects of them), and lets them be absent."""
    converter = default_converter()
    for kind in (JsonRPCRequestMessage, JsonRPCNotification):
        converter.register_structure_hook(kind, lambda data, cls: cls(**{"params": None, **data}))
    return converter


class BridgeServer(JsonRPCServer):
    def report_server_error(self, error: Exception, source: Any) -> None:
        # The base class would print messages whole; they may hold code. The editor gets the error as its answer.
        log.warning("a request failed: %s", type(error).__name__)


def make_server() -> BridgeServer:
    """A server with all methods of the protocol."""
    server = BridgeServer(BridgeProtocol, _converter)

    def method(name: str, params_type: type[_P]) -> Callable[[Callable[[_P], Awaitable[wire.Message]]], None]:
        def register(handler: Callable[[_P], Awaitable[wire.Message]]) -> None:
            async def answer(raw: Any) -> Any:
                return await _answered(handler, params_type, raw)

            server.feature(name)(answer)

        return register

    @method("initialize", wire.InitializeParams)
    async def initialize(params: wire.InitializeParams) -> wire.InitializeResult:
        log.info("client %s, bridge %s", params.client_version, __version__)
        features = [name for name, modules in _EXTRAS.items() if all(importlib.util.find_spec(m) for m in modules)]
        return wire.InitializeResult(
            version=__version__, protocol=wire.PROTOCOL_VERSION, python=platform.python_version(), features=features
        )

    @method("preview", wire.PredictParams)
    async def preview(params: wire.PredictParams) -> wire.PreviewResult:
        return wire.PreviewResult.model_validate(preview_of(params.model_dump()))

    @method("predict", wire.PredictParams)
    async def predict(params: wire.PredictParams) -> wire.PredictResult:
        def on_stage(stage: str, detail: str) -> None:
            note = wire.StageParams(id=params.id, stage=wire.Stage(stage), detail=detail)
            server.protocol.notify("stage", note.model_dump(mode="json"))

        resolved = _resolved(params.settings)
        question = question_of(params.model_dump())
        result = await predicting.predict(question, resolved, on_stage, fresh=params.fresh)
        return wire.PredictResult(
            verdict=wire.Verdict.model_validate(result.verdict),
            prompt=wire.Prompt(system=result.prompt.system, user=result.prompt.user),
            raw_reply=result.reply.text or result.reply.refusal or "",
            model=result.reply.model or resolved.model,
            destination=resolved.host,
            usage=wire.Usage.model_validate(result.reply.usage) if result.reply.usage else None,
            seconds=result.seconds,
            cached=result.cached,
            left_out=result.prompt.left_out,
        )

    @method("models", wire.ModelsParams)
    async def models(params: wire.ModelsParams) -> wire.ModelsResult:
        need("Asking a model", "model", "openai")
        from .models import list_models

        return wire.ModelsResult(models=await list_models(_resolved(params.settings)))

    @method("config", wire.ConfigParams)
    async def config(params: wire.ConfigParams) -> wire.ConfigResult:
        resolved = _resolved(params.settings, params.cwd)
        problem = resolved.ready()
        return wire.ConfigResult(
            entries=[
                wire.ConfigEntry(name=name, value=value, source=source) for name, value, source in entries(resolved)
            ],
            destination=resolved.host,
            has_key=resolved.api_key is not None,
            ready=problem is None,
            problem=problem,
        )

    @method("testKey", wire.TestKeyParams)
    async def test_key(params: wire.TestKeyParams) -> wire.TestKeyResult:
        need("Asking a model", "model", "openai")
        from .models import try_key

        try:
            return wire.TestKeyResult(ok=True, message=await try_key(_resolved(params.settings)))
        except Fault as fault:
            return wire.TestKeyResult(ok=False, message=str(fault))

    @method("parseReply", wire.ParseReplyParams)
    async def parse_reply(params: wire.ParseReplyParams) -> wire.ParseReplyResult:
        found = verdict(RawReply(params.raw, model=params.model or ""), params.target.source)
        return wire.ParseReplyResult(verdict=wire.Verdict.model_validate(found))

    @server.feature("shutdown")
    async def shutdown(_: Any) -> None:
        # The loop may sit in a blocking read until the editor closes the pipe; it must not keep the process alive.
        asyncio.get_running_loop().call_later(_GRACE_SECONDS, os._exit, 0)

    return server


async def _answered(handler: Callable[[_P], Awaitable[wire.Message]], params_type: type[_P], raw: Any) -> Any:
    """Run a handler on validated parameters; every failure becomes a JSON-RPC error with kind and hint."""
    try:
        params = params_type.model_validate(raw or {})
    except ValidationError as error:
        # Without the input: it may hold code.
        wrong = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_input=False)[:5]
        )
        data = wire.ErrorData(kind=wire.ErrorKind.internal, hint="Editor and bridge may be of different versions.")
        raise JsonRpcInvalidParams(f"Wrong parameters: {wrong}", data=data.model_dump(mode="json")) from None
    try:
        return (await handler(params)).model_dump(mode="json")
    except Fault as fault:
        kind = getattr(fault, "kind", "settings")
        data = wire.ErrorData(kind=wire.ErrorKind(kind), hint=fault.hint)
        raise JsonRpcException(fault.message, code=wire.REQUEST_FAILED, data=data.model_dump(mode="json")) from None
    except Exception as error:
        log.error("internal error: %s", type(error).__name__, exc_info=log.isEnabledFor(5))
        data = wire.ErrorData(kind=wire.ErrorKind.internal, hint="This is a fault of the bridge; please report it.")
        message = f"{type(error).__name__}: {redact_message(str(error))[:300]}"
        raise JsonRpcException(message, code=wire.REQUEST_FAILED, data=data.model_dump(mode="json")) from None


def _resolved(settings: wire.Settings, cwd: str | None = None) -> Resolved:
    return settings_of({**settings.model_dump(), "cwd": cwd or settings.cwd})
