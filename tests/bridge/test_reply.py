"""Replies as models write them, readable and not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crane_bridge.protocol import Verdict
from crane_bridge.reply import RawReply, verdict

TARGET = "a = 1\n    b = df['x']  \nc = 3"
FULL = {
    "reasoning": "Why.",
    "prediction": True,
    "exception": "KeyError",
    "line": 2,
    "variables": ["df"],
    "fix": "Use y.",
}
TEXT = json.dumps(FULL)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}```",
        f"Here is my answer:\n\n{TEXT}\n\nI hope this helps {{really}}!",
        f'<think>Perhaps {{"prediction": false}}?</think>\n{TEXT}',
        f'{{"result": {TEXT}}}',
        f'An example would be {{"prediction": false}}. But here:\n{TEXT}',
        TEXT.replace("Why.", "Why.\n"),
        TEXT.replace("true", '"true"'),
        TEXT.replace("prediction", "detection"),
        json.dumps({**FULL, "line": "2", "exception": "pandas.errors.KeyError: 'x'"}),
        "\ufeff" + TEXT,
    ],
)
def test_readable(text):
    found = verdict(RawReply(text, model="m", usage={"input_tokens": 1, "output_tokens": 2}), TARGET)
    assert (found["outcome"], found["source"], found["model"]) == ("crash", "model", "m")
    assert (found["exception"], found["line"], found["column"], found["end_column"]) == ("KeyError", 2, 4, 15)
    assert found["variables"] == ["df"] and "Use y." in found["reasoning"]
    Verdict.model_validate(found)


def test_no_crash_blames_nothing():
    found = verdict(RawReply(json.dumps({**FULL, "prediction": False})), TARGET)
    assert (found["outcome"], found["exception"], found["line"], found["variables"]) == ("no_crash", None, None, [])
    assert found["reasoning"] == "Why."


@pytest.mark.parametrize("line", [0, -1, 4, 10**20, 1.5, True, "two", None, [1]])
def test_a_line_that_is_not_there_is_dropped(line):
    found = verdict(RawReply(json.dumps({**FULL, "line": line})), TARGET)
    assert found["outcome"] == "crash" and found["line"] is None
    Verdict.model_validate(found)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (RawReply(""), "empty"),
        (RawReply("  \n"), "empty"),
        (RawReply("It will crash, I am sure."), "no verdict in JSON"),
        (RawReply('{"reasoning": "a long story', truncated=True), "cut off"),
        (RawReply('{"reasoning": "no decision"}'), "no verdict in JSON"),
        (RawReply('{"prediction": null, "reasoning": ""}'), "does not say"),
        (RawReply('{"prediction": 1}'), "does not say"),
        (RawReply('{"prediction": "maybe"}'), "does not say"),
        (RawReply("", refusal="I can't."), "declined"),
        (RawReply("{" * 5000), "no verdict"),
        (RawReply("[" * 100_000), "no verdict"),
    ],
)
def test_unreadable_is_said_with_its_reason(reply, words):
    found = verdict(reply, TARGET)
    assert found["outcome"] == "unreadable" and words in found["reasoning"]
    Verdict.model_validate(found)


def test_a_truncated_reply_that_holds_its_verdict_counts():
    assert verdict(RawReply(TEXT + " and furthermore", truncated=True), TARGET)["outcome"] == "crash"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda x: st.lists(x) | st.dictionaries(st.text(), x),
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys([*FULL, "detection"], json_values)), st.text())
def test_any_reply_gives_a_valid_verdict(data, around):
    Verdict.model_validate(verdict(RawReply(around + json.dumps(data) + around), TARGET))


@given(st.text())
def test_any_text_gives_a_valid_verdict(text):
    Verdict.model_validate(verdict(RawReply(text), text))
