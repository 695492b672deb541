"""Recorded replies of models: several per target, read into votes.

Two layouts are read: ``MODEL__SETTING.json`` with ``{target: [reply, …]}`` as published with the study, and
``MODEL__SETTING.jsonl`` as ``crane bench run`` writes it, one line per reply with tokens and time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..faults import Fault
from ..reply import find_object, prediction_of

BUGGY, FIXED = "_reproduced", "_fixed"

_MODELS = {
    "gemini_2_5_flash": "Gemini 2.5 Flash",
    "gpt_5": "GPT-5",
    "qwen_2_5_32b_instruct": "Qwen 2.5 Coder 32B",
}
_SETTINGS = {
    "code": "code only",
    "code_runinfo": "with runtime information",
    "runinfo": "with runtime information",
    "runinfo_rv": "runtime information without structure",
    "runinfo_sv": "runtime information without representation",
    "runinfo_sr": "runtime information without values",
}
_SETTING_ORDER = list(dict.fromkeys(_SETTINGS.values()))


@dataclass
class Answer:
    """One reply: True crash, False none, None unreadable. Tokens and seconds are None where they were not recorded."""

    vote: bool | None
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None


@dataclass
class Recording:
    """All replies of one model in one setting, by target."""

    model: str
    setting: str
    answers: dict[str, list[Answer]] = field(default_factory=dict)

    def majority(self, target: str) -> bool:
        """Whether more than half of the target's replies say "crash"; a reply that cannot be read does not say so."""
        answers = self.answers[target]
        return 2 * sum(answer.vote is True for answer in answers) > len(answers)


def is_buggy(target: str) -> bool:
    """The truth about a target, by its name. Raises `Fault` for a name that tells nothing."""
    if target.endswith(BUGGY):
        return True
    if target.endswith(FIXED):
        return False
    raise Fault(f"The target {target!r} is neither …{BUGGY} nor …{FIXED}.", "Is this a folder of recorded replies?")


def case_of(target: str) -> str:
    """``pandas_3`` for ``pandas_3_reproduced``."""
    return (
        target[: -len(BUGGY)] if target.endswith(BUGGY) else target[: -len(FIXED)] if target.endswith(FIXED) else target
    )


def library_of(target: str) -> str:
    """``pandas`` for ``pandas_3_reproduced``."""
    return case_of(target).rpartition("_")[0] or case_of(target)


def display_setting(stem: str) -> str:
    name = stem.removeprefix("crash_detection_") if hasattr(stem, "removeprefix") else stem
    return _SETTINGS.get(name.lower(), name.replace("_", " "))


def display_model(stem: str) -> str:
    return _MODELS.get(stem.lower(), stem)


def setting_rank(setting: str) -> tuple[int, str]:
    """Sort key: the known settings in their usual order, then the others by name."""
    known = setting in _SETTING_ORDER
    return (_SETTING_ORDER.index(setting) if known else len(_SETTING_ORDER), setting)


def load_folder(folder: Path) -> list[Recording]:
    """All recordings in ``folder``, sorted by model and setting. Raises `Fault` for one that cannot be read."""
    if not folder.is_dir():
        raise Fault(f"There is no folder {folder}.")
    recordings = []
    for path in sorted(folder.iterdir()):
        if path.suffix in (".json", ".jsonl") and "__" in path.stem:
            model, _, setting = path.stem.partition("__")
            recording = Recording(display_model(model), display_setting(setting))
            (_load_lines if path.suffix == ".jsonl" else _load_published)(path, recording)
            recordings.append(recording)
    if not recordings:
        raise Fault(
            f"{folder} holds no recorded replies.", "They are called MODEL__SETTING.json or MODEL__SETTING.jsonl."
        )
    return sorted(recordings, key=lambda item: (item.model.lower(), setting_rank(item.setting)))


def _load_published(path: Path, recording: Recording) -> None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Fault(f"{path} cannot be read: {error}.") from error
    if not isinstance(data, dict):
        raise Fault(f"{path} holds no JSON object of targets.")
    for target, replies in data.items():
        if not isinstance(replies, list):
            raise Fault(f"{path}: {target} holds no list of replies.")
        recording.answers[target] = [Answer(vote_of(reply)) for reply in replies]


def _load_lines(path: Path, recording: Recording) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            usage = data.get("usage") or {}
            answer = Answer(
                vote_of(data["raw"]), usage.get("input_tokens"), usage.get("output_tokens"), data.get("seconds")
            )
            recording.answers.setdefault(data["target"], []).append(answer)
        except (ValueError, KeyError, AttributeError) as error:
            raise Fault(
                f"{path}, line {number}, is no reply record.", "If a run broke off there, delete that line."
            ) from error


def vote_of(reply: Any) -> bool | None:
    """The verdict of a raw reply: text as the model sent it, or an object already read."""
    if isinstance(reply, str):
        reply = find_object(reply)
    return prediction_of(reply) if isinstance(reply, dict) else None
