"""``crane bench run FOLDER``: ask a model several times per prepared prompt, and keep the raw replies.

Replies are appended one line each as they come. A run that stopped, for whatever reason, goes on where it was: what
is recorded is not asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..faults import Fault, need
from ..redact import redact_message
from ..settings import Resolved, resolve

_FAULTS_IN_A_ROW = 5
_HOPELESS = ("auth", "model_unknown", "no_key", "not_api", "settings")


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("run", help="ask a model about prepared prompts; resumable")
    parser.add_argument("prepared", type=Path, metavar="FOLDER", help="what `crane bench prepare` wrote")
    parser.add_argument("--replies", type=Path, required=True, metavar="FOLDER", help="where to keep the replies")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME", help="only this setting (repeatable)")
    parser.add_argument("--model", metavar="NAME", help="the model to ask (default: as configured)")
    parser.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible endpoint (default: as configured)")
    parser.add_argument("--times", "-n", type=int, default=5, metavar="N", help="replies per prompt (default 5)")
    parser.add_argument("--per-minute", type=float, default=60.0, metavar="N", help="most requests per minute")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="most requests at a time")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    need("Asking a model", "model", "openai")
    resolved = resolve({"model": options.model, "base_url": options.base_url}, explicit_source="command line", cwd=".")
    resolved.require_key()
    folder = options.prepared / "prompts"
    settings = (
        options.setting or sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    )
    if not settings:
        raise Fault(f"{options.prepared} holds no prompts.", "Make them with: crane bench prepare DATASET --out FOLDER")
    complete = True
    for setting in settings:
        prompts = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / setting).glob("*.json"))]
        if not prompts:
            raise Fault(f"There are no prompts in {folder / setting}.")
        path = options.replies / f"{file_name(str(resolved.model))}__{setting}.jsonl"
        complete = asyncio.run(_ask_all(prompts, path, resolved, options)) and complete
    return 0 if complete else 2


def file_name(model: str) -> str:
    """A model's name as part of a file name."""
    return re.sub(r"[^A-Za-z0-9.-]+", "_", model)


@dataclass
class _Pace:
    """Lets requests start no more often than so many a minute."""

    per_minute: float
    next_start: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def turn(self) -> None:
        async with self.lock:
            delay = self.next_start - time.monotonic()
            if delay > 0:
                await asyncio.sleep(delay)
            self.next_start = max(time.monotonic(), self.next_start) + 60.0 / self.per_minute


async def _ask_all(prompts: list[dict[str, Any]], path: Path, resolved: Resolved, options: argparse.Namespace) -> bool:
    """Fill up the file of one setting. True when every reply is there; faults that will not pass stop the run."""
    recorded = recorded_counts(path)
    todo = [prompt for prompt in prompts for _ in range(options.times - recorded[prompt["target"]])]
    print(f"{path.name}: {sum(recorded.values())} replies recorded, {len(todo)} to ask for")
    pace, places = _Pace(options.per_minute), asyncio.Semaphore(max(1, options.jobs))
    in_a_row = 0
    stop: list[Fault] = []
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:

        async def one(prompt: dict[str, Any]) -> bool:
            nonlocal in_a_row
            async with places:
                if stop:
                    return False
                await pace.turn()
                try:
                    record = await _record(prompt, resolved)
                except Fault as fault:
                    in_a_row += 1
                    print(f"crane: {prompt['target']}: {fault.message}", file=sys.stderr)
                    if getattr(fault, "kind", "") in _HOPELESS or in_a_row >= _FAULTS_IN_A_ROW:
                        stop.append(fault)
                    return False
                in_a_row = 0
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                file.flush()
                return True

        results = await asyncio.gather(*(one(prompt) for prompt in todo))
    if stop:
        raise Fault(f"Stopped: {stop[0].message}", f"{stop[0].hint} Run the same command again to go on.".strip())
    return all(results)


async def _record(prompt: dict[str, Any], resolved: Resolved) -> dict[str, Any]:
    from ..models import ask
    from ..models.call import request_for

    started = time.perf_counter()
    reply = await ask(resolved, request_for(resolved, prompt["system"], prompt["user"]))
    return {
        "target": prompt["target"],
        "raw": redact_message(reply.text, [resolved.api_key]),
        "model": reply.model,
        "truncated": reply.truncated,
        "refusal": reply.refusal,
        "usage": reply.usage,
        "seconds": round(time.perf_counter() - started, 3),
    }


def recorded_counts(path: Path) -> Counter[str]:
    """Replies recorded per target. A last line that was cut off in the middle is removed from the file."""
    counts: Counter[str] = Counter()
    if not path.exists():
        return counts
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) != len(data):
        path.write_bytes(whole)
    for number, line in enumerate(whole.decode("utf-8").splitlines(), start=1):
        try:
            counts[json.loads(line)["target"]] += 1
        except (ValueError, KeyError, TypeError):
            raise Fault(f"{path}, line {number}, is no reply record.", "Delete that line to go on.") from None
    return counts
