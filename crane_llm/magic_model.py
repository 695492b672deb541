"""Asking the model from a notebook: through the bridge's own code, in this process, in a thread of its own.

A notebook's main thread already runs an event loop, so the call has one in a thread that ends with it; an interrupt by
the person cancels the call.
"""

from __future__ import annotations

import os
import threading
from typing import Any, NamedTuple, Optional

_POLL_SECONDS = 0.1


class Answer(NamedTuple):
    """A model's verdict, the prompt and the raw reply; or, with ``verdict`` None, why there is none (``problem``)."""

    verdict: Optional[dict]
    prompt: str = ""
    reply: str = ""
    problem: str = ""
    remarks: tuple = ()


def settle(model: Optional[str]) -> Any:
    """The settings of the call, with ``model`` before all others. Raises what `explain` can word."""
    from crane_bridge.settings import resolve

    return resolve({"model": model}, explicit_source="magic", cwd=os.getcwd())


def ask(resolved: Any, body: str, inspection: dict, with_runtime: bool) -> Answer:
    """Ask about the cell ``body``. A failure is an `Answer` with its problem in words; an interrupt is raised on."""
    try:
        from crane_bridge.predict import predict
        from crane_bridge.prompt import Question

        question = Question(
            target=body,
            executed=inspection["executed"],
            summary=inspection["summary"] if with_runtime else None,
            walk=inspection["walk"] if with_runtime else None,
            used=inspection["used"],
            include_runtime=with_runtime,
        )
        prediction = _in_thread(lambda: predict(question, resolved))
    except Exception as error:
        return Answer(None, problem=explain(error))
    prompt = f"{prediction.prompt.system}\n\n{prediction.prompt.user}"
    return Answer(prediction.verdict, prompt, prediction.reply.text, remarks=tuple(resolved.remarks))


def explain(error: BaseException) -> str:
    """A failure in words for a person; the missing extra is named."""
    if isinstance(error, ImportError):
        return (
            f"Asking a model needs {error.name or 'packages'}, which is not installed. "
            'Install it with: pip install "crane-bridge[model]"'
        )
    hint = getattr(error, "hint", "")
    message = getattr(error, "message", None) or f"{type(error).__name__}: {error}"
    return f"{message} {hint}".strip()


def _in_thread(make: Any) -> Any:
    """Run a coroutine to its end in a thread with an event loop of its own."""
    import asyncio

    box: dict = {}
    started = threading.Event()

    def work() -> None:
        async def main() -> None:
            box["loop"], box["task"] = asyncio.get_running_loop(), asyncio.current_task()
            started.set()
            box["result"] = await make()

        try:
            asyncio.run(main())
        except BaseException as error:
            box["error"] = error
        finally:
            started.set()

    thread = threading.Thread(target=work, name="crane-model", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
    except BaseException:
        started.wait(_POLL_SECONDS)
        if "loop" in box and not box["loop"].is_closed():
            box["loop"].call_soon_threadsafe(box["task"].cancel)
        raise
    if "error" in box:
        raise box["error"]
    return box["result"]
