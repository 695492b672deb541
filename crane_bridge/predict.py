"""One prediction, from a question to a verdict: settings, prompt, model, reply. Shared by editor, shell and magic."""

from __future__ import annotations

import hashlib
import os
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Callable

from .faults import need
from .prompt import Built, Question, build
from .reply import RawReply, verdict
from .settings import Resolved

_CACHED_ANSWERS = 64
_SECRET_NAMES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_cache: OrderedDict[str, RawReply] = OrderedDict()


@dataclass
class Prediction:
    """A verdict (plain JSON in the protocol's shape), and everything that it rests on."""

    verdict: dict[str, Any]
    prompt: Built
    reply: RawReply
    seconds: float
    cached: bool


def build_prompt(question: Question, resolved: Resolved) -> Built:
    """The exact prompt that `predict` would send. No key that this process knows can be in it."""
    # Long values only: a short one may be an ordinary word, which would be torn out of the code.
    kept = [text for name, text in os.environ.items() if name.endswith(_SECRET_NAMES) and len(text) >= 12]
    secrets = [resolved.api_key, *kept]
    return build(question, resolved.token_budget, secrets)


async def predict(
    question: Question,
    resolved: Resolved,
    on_stage: Callable[[str, str], None] = lambda stage, detail: None,
    fresh: bool = False,
) -> Prediction:
    """Ask the model. The same question to the same model is answered from memory unless ``fresh``.

    Raises `ModelFault`, `SettingsFault` (no key) or `MissingExtra`.
    """
    need("Asking a model", "model", "openai")
    from .models import ask
    from .models.call import request_for

    started = time.perf_counter()
    on_stage("building_prompt", "")
    prompt = build_prompt(question, resolved)
    request = request_for(resolved, prompt.system, prompt.user)
    identity = [resolved.endpoint, resolved.style, resolved.structured, repr(request)]
    name = hashlib.sha256(repr(identity).encode("utf-8", "surrogatepass")).hexdigest()
    reply = None if fresh else _cache.get(name)
    cached = reply is not None
    if reply is None:
        reply = await ask(resolved, request, on_stage)
    seconds = time.perf_counter() - started
    result = verdict(reply, question.target)
    result["model"] = reply.model or resolved.model
    result["seconds"] = round(seconds, 3)
    if result["outcome"] != "unreadable":
        _cache[name] = reply
        while len(_cache) > _CACHED_ANSWERS:
            _cache.popitem(last=False)
    return Prediction(result, prompt, reply, seconds, cached)
