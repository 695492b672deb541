"""The TypeScript twin follows the models, and drift is noticed."""

from __future__ import annotations

import re
from typing import Optional

import pytest

from crane_bridge import protocol, typescript
from crane_bridge.payload import END_MIME, REPLY_MIME


def test_the_written_file_is_up_to_date():
    assert typescript.main(["--check"]) == 0


def test_drift_is_noticed(tmp_path, capsys, monkeypatch):
    out = tmp_path / "p.ts"
    assert typescript.main(["--check", "--out", str(out)]) == 1 and "is missing" in capsys.readouterr().err
    assert typescript.main(["--out", str(out)]) == 0
    assert typescript.main(["--check", "--out", str(out)]) == 0
    out.write_text(out.read_text().replace("seconds: number", "seconds: string", 1))
    assert typescript.main(["--check", "--out", str(out)]) == 1 and "differs" in capsys.readouterr().err


def test_every_model_and_method_is_there():
    text = typescript.render()
    for name, value in vars(protocol).items():
        if isinstance(value, type) and issubclass(value, protocol.Message) and name not in ("Message", "Params"):
            assert f"export interface {name} {{" in text
            for field in value.model_fields:
                assert re.search(rf"^  {field}\??: ", text, re.M), (name, field)
    for method in protocol.REQUESTS:
        assert re.search(rf"^  {method}: {{ params: \w+; result: \w+ }};$", text, re.M)
    assert text == typescript.render()


def test_only_what_the_editor_writes_may_be_left_out():
    text = typescript.render()
    assert "  timeout_s?: number | null;" in text
    verdict = text[text.index("interface Verdict") :].split("}")[0]
    assert "?:" not in verdict


def test_types():
    assert typescript.type_text(Optional[list[Optional[int]]]) == "(number | null)[] | null"
    assert typescript.type_text(dict[str, list[str]]) == "Record<string, string[]>"
    with pytest.raises(TypeError):
        typescript.type_text(set[int])


def test_the_kernels_mime_types_are_the_same():
    assert (protocol.MIME_REPLY, protocol.MIME_END) == (REPLY_MIME, END_MIME)


def test_a_newer_peer_is_understood():
    found = protocol.Verdict.model_validate({"outcome": "crash", "source": "checker", "from_the_future": 1})
    assert "from_the_future" not in found.model_dump()
