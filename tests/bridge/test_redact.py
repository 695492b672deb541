"""No secret leaves: planted in every form, looked for in everything that goes out."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crane_bridge.predict import predict
from crane_bridge.prompt import Question, build
from crane_bridge.redact import Redactor, mask, redact, redact_message, redact_url
from crane_bridge.settings import resolve
from tests.bridge import faulty_server as fault
from tests.bridge.planted import INNOCENT, OPENAI, PLANTED


@pytest.mark.parametrize(("cell", "secret"), [pytest.param(c, s, id=name) for name, c, s in PLANTED])
def test_a_planted_secret_is_hidden(cell, secret):
    cleaned = redact(cell)
    assert secret not in cleaned
    assert "[redacted]" in cleaned
    assert cleaned.count("\n") == cell.count("\n"), "line numbers must stay"


@pytest.mark.parametrize("cell", INNOCENT)
def test_ordinary_code_stays_as_it_is(cell):
    assert redact(cell) == cell


def test_what_one_cell_reveals_is_hidden_everywhere():
    redactor = Redactor()
    redactor.learn('password = "correct-horse-7"')
    assert "correct-horse-7" not in redactor.clean('print("correct-horse-7")')
    assert "correct-horse-7" not in redactor.clean_prose("conn: str 'user correct-horse-7'")


def test_a_summary_shows_no_secret():
    text = (
        "api_key: str, 12 characters: 'hunter2-hunter'\nconfig: dict {'password': 'swordfish', 'n': 3}\nname: str 'Ada'"
    )
    cleaned = redact_message(text)
    assert "hunter2" not in cleaned and "swordfish" not in cleaned
    assert "'Ada'" in cleaned and "'n': 3" in cleaned


def everything_planted():
    return [{"id": str(i), "order": i, "source": cell, "success": True} for i, (_, cell, _) in enumerate(PLANTED, 1)]


def test_no_planted_secret_reaches_a_prompt():
    summary = {
        "text": "\n".join(f"value_{i}: str {secret!r}" for i, (_, _, secret) in enumerate(PLANTED)),
        "left_out": [],
    }
    walk = {"facts": [{"line": 1, "text": f"x is {OPENAI!r}"}], "lost": [{"line": 2, "what": f"call with {OPENAI}"}]}
    target = "\n".join(cell for _, cell, _ in PLANTED[:12])
    built = build(Question(target, everything_planted(), summary, walk), 1_000_000)
    for name, _, secret in PLANTED:
        assert secret not in built.user + built.system, name


def test_no_planted_secret_goes_over_the_wire_or_into_a_fault(server, capfd):
    key = OPENAI.replace("Ab3", "Zz9")
    resolved = resolve({"base_url": server.url, "model": "m", "api_key": key, "max_retries": 0}, environ={})
    asyncio.run(predict(Question('print("x")', everything_planted()), resolved))
    sent = json.dumps(server.requests[-1]["body"])
    for name, _, secret in PLANTED:
        assert secret not in sent, name
    assert key not in sent
    server.answers = [fault.status(400, f"bad request with key {key} and model not found")]
    with pytest.raises(Exception) as caught:
        asyncio.run(predict(Question("print(1)", everything_planted()), resolved, fresh=True))
    shown = str(caught.value) + "".join(capfd.readouterr())
    assert key not in shown
    for name, _, secret in PLANTED:
        assert secret not in shown, name


def test_the_key_in_use_never_appears_even_in_code():
    built = build(Question('x = "odd looking key"', [], None, None), 10_000, secrets=["odd looking key"])
    assert "odd looking key" not in built.user


def test_addresses():
    assert redact_url("https://me:pw@host.example/v1") == "https://[redacted]@host.example/v1"
    assert "s3cret" not in redact_url("https://h/v1?api_key=s3cret&x=1")
    assert redact_url("http://localhost:11434/v1") == "http://localhost:11434/v1"


def test_masks_show_little():
    assert mask("short") == "…"
    assert len(mask(OPENAI)) < 10 and OPENAI[5:-5] not in mask(OPENAI)


@given(st.text(max_size=300))
def test_any_text_is_survived(text):
    cleaned = redact(text)
    assert redact_message(text) is not None
    assert cleaned.count("\n") == text.count("\n")


@given(
    st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789-_", min_size=8, max_size=40),
    st.sampled_from(
        [
            "api_key = {!r}",
            "f(password={!r})",
            "d = {{'secret': {!r}}}",
            "os.environ['X_TOKEN_SECRET'] = {!r}",
            "self.auth_token={!r}",
        ]
    ),
)
def test_any_value_given_to_a_secret_name_is_hidden(value, form):
    assert repr(value) not in redact(form.format(value))
