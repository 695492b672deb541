"""Where settings come from, which key goes where, and the settings file."""

from __future__ import annotations

import json
import os
import stat
import sys
import types

import pytest

from crane_bridge import cli
from crane_bridge.addresses import host_of, is_local
from crane_bridge.settings import KEYLESS, SettingsFault, entries, resolve
from crane_llm import settings_file
from crane_llm.checker import limits

KEY = "sk-0123456789abcdefghij"


def store(**values):
    settings_file.change_config(values)


# --- order -----------------------------------------------------------------------------------------------------------


def test_the_order_of_sources(tmp_path, monkeypatch, own_settings):
    """Take the winners away one by one; the next in the documented order must come up."""
    project = tmp_path / "project" / "deep"
    project.mkdir(parents=True)
    (tmp_path / "project" / ".env").write_text("OPENAI_API_KEY=from-dotenv\nCRANE_LLM_MODEL=dotenv-model\n")
    store(api_key="from-file", model="file-model")
    monkeypatch.setenv("CRANE_LLM_API_KEY", "from-crane-variable")
    monkeypatch.setenv("OPENAI_API_KEY", "from-openai-variable")
    monkeypatch.setenv("KAGGLE_KERNEL_RUN_TYPE", "Interactive")
    monkeypatch.setitem(sys.modules, "kaggle_secrets", kaggle({"OPENAI_API_KEY": "from-kaggle"}))
    editor = {"stored_key": "from-editor", "stored_key_host": "api.openai.com"}

    def now(explicit=None, **more):
        resolved = resolve(explicit, cwd=project, **{**editor, **more})
        return resolved.api_key, resolved.settings["api_key"].source

    assert now({"api_key": "given"}) == ("given", "argument")
    assert now() == ("from-crane-variable", "environment variable CRANE_LLM_API_KEY")
    monkeypatch.delenv("CRANE_LLM_API_KEY")
    assert now() == ("from-openai-variable", "environment variable OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_API_KEY")
    assert now()[0] == "from-dotenv" and ".env" in now()[1]
    (tmp_path / "project" / ".env").unlink()
    assert now()[0] == "from-file"
    store(api_key=None)
    assert now() == ("from-editor", "the editor's secret storage")
    assert now(stored_key=None) == ("from-kaggle", "Kaggle secret OPENAI_API_KEY")
    monkeypatch.delenv("KAGGLE_KERNEL_RUN_TYPE")
    assert now(stored_key=None) == (None, "default")


def test_a_crane_variable_in_dotenv_wins_over_an_openai_variable(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("CRANE_LLM_API_KEY=ours\n")
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    assert resolve(cwd=tmp_path).api_key == "ours"


def test_dotenv_is_not_read_in_an_untrusted_place(tmp_path):
    (tmp_path / ".env").write_text("CRANE_LLM_MODEL=evil\n")
    assert resolve(cwd=None).model == "gpt-5"
    assert resolve(cwd=tmp_path).model == "evil"


def test_dotenv_does_not_reach_the_environment_or_weave_it_in(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_THING", "do-not-tell")
    (tmp_path / ".env").write_text("CRANE_LLM_MODEL=${SECRET_THING}\nPATH=/evil\n")
    assert resolve(cwd=tmp_path).model == "${SECRET_THING}"
    assert "CRANE_LLM_MODEL" not in os.environ and os.environ["PATH"] != "/evil"


def test_a_dotenv_that_cannot_be_read_is_said(tmp_path):
    (tmp_path / ".env").write_bytes(b"CRANE_LLM_MODEL=\xff\xfe\x00")
    resolved = resolve(cwd=tmp_path)
    assert resolved.model == "gpt-5" and "could not be read" in resolved.remarks[0]


def test_styles():
    assert resolve({}).style == "responses"
    assert resolve({"base_url": "http://localhost:1/v1"}).style == "chat"
    assert resolve({"base_url": "https://x.openai.azure.com/v1", "api_style": "Responses"}).style == "responses"


# --- which key goes where ----------------------------------------------------------------------------------------------


def test_a_project_cannot_point_the_persons_key_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / ".env").write_text("CRANE_LLM_BASE_URL=https://evil.example/v1\n")
    resolved = resolve(cwd=tmp_path)
    assert resolved.api_key is None
    with pytest.raises(SettingsFault, match=r"evil\.example") as caught:
        resolved.require_key()
    assert caught.value.kind == "no_key" and KEY not in str(caught.value)
    assert resolve(cwd=tmp_path, confirmed_hosts=["evil.example"]).api_key == KEY
    (tmp_path / ".env").write_text("CRANE_LLM_BASE_URL=https://evil.example/v1\nCRANE_LLM_API_KEY=its-own\n")
    assert resolve(cwd=tmp_path).require_key() == "its-own"


def test_a_hosted_secret_does_not_follow_a_projects_address(tmp_path, monkeypatch):
    monkeypatch.setenv("COLAB_RELEASE_TAG", "1")
    monkeypatch.setitem(sys.modules, "google", types.ModuleType("google"))
    monkeypatch.setitem(sys.modules, "google.colab", colab({"CRANE_LLM_API_KEY": KEY}))
    assert resolve(cwd=tmp_path).api_key == KEY
    (tmp_path / ".env").write_text("CRANE_LLM_BASE_URL=https://evil.example/v1\n")
    assert resolve(cwd=tmp_path).api_key is None


def test_a_stored_key_goes_only_to_the_endpoint_that_it_was_stored_with(monkeypatch):
    store(api_key=KEY, base_url="https://openrouter.ai/api/v1")
    assert resolve({}).api_key == KEY
    other = resolve({"base_url": "https://api.groq.com/openai/v1"})
    with pytest.raises(SettingsFault, match=r"stored for openrouter\.ai"):
        other.require_key()
    local = resolve({"base_url": "http://localhost:11434/v1"})
    assert local.require_key() == KEYLESS
    store(confirmed_hosts=["api.groq.com"])
    assert resolve({"base_url": "https://api.groq.com/openai/v1"}).api_key == KEY


def test_the_editors_key_is_for_its_host_only():
    assert resolve({"base_url": "https://a.example/v1"}, stored_key=KEY, stored_key_host="b.example").api_key is None
    assert resolve({"base_url": "https://a.example/v1"}, stored_key=KEY, stored_key_host="A.example").api_key == KEY


def test_hosts():
    assert host_of("https://API.openai.com/v1") == "api.openai.com"
    assert host_of("https://h:443/x") == "h" and host_of("http://h:443/x") == "h:443"
    assert host_of("http://u:p@[::1]:8080/v1") == "[::1]:8080"
    for name in (
        "localhost",
        "127.0.0.1:1",
        "[::1]:80",
        "192.168.1.5",
        "10.0.0.1:99",
        "host.docker.internal",
        "box.local",
    ):
        assert is_local(name), name
    for name in ("api.openai.com", "8.8.8.8", "localhost.evil.com", "127.0.0.1.nip.io", ""):
        assert not is_local(name), name


# --- values that cannot be used ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"api_style": "soap"}, "api_style"),
        ({"base_url": "localhost:11434"}, "not an address"),
        ({"base_url": "http://h:port/v1"}, "not an address"),
        ({"base_url": "file:///etc/passwd"}, "not an address"),
        ({"timeout_s": "soon"}, "timeout_s"),
        ({"timeout_s": 0.1}, "timeout_s"),
        ({"max_retries": 1000}, "max_retries"),
        ({"structured": "perhaps"}, "structured"),
        ({"api_key": "two words"}, "characters that no key has"),
        ({"api_key": "sk-\u2026abcd"}, "characters that no key has"),
        ({"model": 3}, "must be text"),
    ],
)
def test_a_wrong_value_is_named_with_its_source(values, words):
    with pytest.raises(SettingsFault, match=words) as caught:
        resolve(values, explicit_source="the command line", environ={})
    assert "the command line" in str(caught.value)


def test_every_setting_has_its_source_and_keys_are_masked(monkeypatch):
    monkeypatch.setenv("CRANE_LLM_API_KEY", KEY)
    monkeypatch.setenv("CRANE_LLM_BASE_URL", "https://me:pw-secret@h.example/v1")
    rows = {name: (value, source) for name, value, source in entries(resolve({"model": "m"}))}
    assert KEY not in str(rows) and "pw-secret" not in str(rows)
    assert rows["model"] == ("m", "argument")
    assert rows["api_key"] == ("sk-…ghij", "environment variable CRANE_LLM_API_KEY")
    assert rows["api_style"] == ("chat", "chosen by base_url")


# --- the settings file -------------------------------------------------------------------------------------------------


def test_set_api_key_writes_privately_and_keeps_the_rest(own_settings):
    own_settings.write_text('{"future": {"x": 1}, "model": "old"}')
    os.chmod(own_settings, 0o644)
    path = settings_file.set_api_key("  sk-new  ", base_url="https://h.example/v1")
    assert path == own_settings
    assert json.loads(own_settings.read_text()) == {
        "future": {"x": 1},
        "model": "old",
        "api_key": "sk-new",
        "base_url": "https://h.example/v1",
    }
    assert stat.S_IMODE(own_settings.stat().st_mode) == 0o600
    settings_file.set_api_key("")
    assert "api_key" not in json.loads(own_settings.read_text())
    assert [p.name for p in own_settings.parent.iterdir()] == [own_settings.name], "no leftovers"


def test_set_api_key_makes_the_folder_and_follows_a_link(tmp_path, monkeypatch):
    target = tmp_path / "dotfiles" / "crane.json"
    target.parent.mkdir()
    target.write_text("{}")
    link = tmp_path / "new" / "config.json"
    monkeypatch.setenv("CRANE_LLM_CONFIG", str(link))
    settings_file.set_api_key(model="m")
    assert stat.S_IMODE(link.parent.stat().st_mode) == 0o700
    link.unlink()
    link.symlink_to(target)
    settings_file.set_api_key(model="n")
    assert link.is_symlink() and json.loads(target.read_text()) == {"model": "n"}


def test_a_kept_key_does_not_follow_to_another_host(own_settings, capsys):
    settings_file.set_api_key(KEY)
    settings_file.set_api_key(base_url="https://api.groq.com/openai/v1", model="m")
    assert "api_key" not in json.loads(own_settings.read_text())
    assert "was removed" in capsys.readouterr().out and KEY not in capsys.readouterr().out
    settings_file.set_api_key(KEY)
    settings_file.set_api_key(base_url="https://api.groq.com/other/v1")
    assert json.loads(own_settings.read_text())["api_key"] == KEY


def test_set_api_key_says_what_is_wrong():
    for arguments, error in (
        ({}, ValueError),
        ({"key": 3}, TypeError),
        ({"api_style": "soap"}, ValueError),
        ({"base_url": "localhost:11434/v1"}, ValueError),
    ):
        with pytest.raises(error):
            settings_file.set_api_key(**arguments)


@pytest.mark.parametrize("content", ["{not json", "[1]", '{"api_key": "sk-secret-12345', "\x00"])
def test_a_broken_file_is_reported_and_left_alone(own_settings, content):
    own_settings.write_text(content)
    with pytest.raises(SettingsFault, match="broken") as caught:
        resolve({})
    assert str(own_settings) in str(caught.value) and "sk-secret" not in str(caught.value)
    with pytest.raises(settings_file.SettingsFileError):
        settings_file.set_api_key("sk-new")
    assert own_settings.read_text() == content


def test_a_failed_write_leaves_the_old_file(own_settings, monkeypatch):
    own_settings.write_text('{"model": "old"}')

    def broken(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(settings_file.os, "replace", broken)
    with pytest.raises(settings_file.SettingsFileError, match="No space"):
        settings_file.set_api_key("sk-new")
    assert own_settings.read_text() == '{"model": "old"}'
    assert len(list(own_settings.parent.iterdir())) == 1


def test_the_scan_limit(monkeypatch, own_settings):
    assert limits.scan_limit() == 1_000_000
    store(scan_limit=0)
    assert limits.scan_limit() == 0
    monkeypatch.setenv("CRANE_LLM_SCAN_LIMIT", "77")
    assert limits.scan_limit() == 77
    monkeypatch.setenv("CRANE_LLM_SCAN_LIMIT", "many")
    assert limits.scan_limit() == 0
    for wrong in (-1, 1.5, True, "3"):
        store(scan_limit=wrong)
        assert limits.scan_limit() == 1_000_000
    own_settings.write_text("broken")
    assert limits.scan_limit() == 1_000_000


# --- hosted notebooks, with stand-ins for their client modules -----------------------------------------------------------


def kaggle(secrets):
    module = types.ModuleType("kaggle_secrets")

    class UserSecretsClient:
        def get_secret(self, name):
            if name not in secrets:
                raise RuntimeError("no such secret")
            return secrets[name]

    module.UserSecretsClient = UserSecretsClient
    return module


def colab(secrets):
    module = types.ModuleType("google.colab")
    module.userdata = types.SimpleNamespace(get=lambda name: secrets[name])
    return module


def test_hosted_clients_are_imported_only_on_their_hosts(monkeypatch):
    class Trap(types.ModuleType):
        def __getattr__(self, name):
            raise AssertionError("asked outside its host")

    monkeypatch.setitem(sys.modules, "kaggle_secrets", Trap("kaggle_secrets"))
    monkeypatch.setitem(sys.modules, "google.colab", Trap("google.colab"))
    assert settings_file.hosted_secret() is None


def test_a_secret_that_is_not_shared_means_none(monkeypatch):
    monkeypatch.setenv("COLAB_RELEASE_TAG", "1")
    monkeypatch.setitem(sys.modules, "google", types.ModuleType("google"))
    monkeypatch.setitem(sys.modules, "google.colab", colab({}))
    assert settings_file.hosted_secret() is None


# --- the command -------------------------------------------------------------------------------------------------------


def test_crane_config(capsys, own_settings, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["config", "set", "api_key", KEY]) == 0
    assert cli.main(["config", "set", "timeout_s", "30"]) == 0
    assert cli.main(["config", "set", "confirmed_hosts", "a.example, B.example"]) == 0
    assert json.loads(own_settings.read_text()) == {
        "api_key": KEY,
        "timeout_s": 30.0,
        "confirmed_hosts": ["a.example", "b.example"],
    }
    assert cli.main(["config", "show"]) == 0
    shown = capsys.readouterr().out
    assert KEY not in shown and "sk-…ghij" in shown and str(own_settings) in shown and "default" in shown
    assert cli.main(["config", "unset", "api_key"]) == 0
    assert "api_key" not in json.loads(own_settings.read_text())
    assert cli.main(["config", "show", "--json"]) == 0
    out = capsys.readouterr().out
    data = json.loads(out[out.index("{") :])
    assert data["problem"] and {row["name"] for row in data["settings"]} >= {"model", "scan_limit"}


@pytest.mark.parametrize(
    "arguments",
    [["set", "timeout_s", "soon"], ["set", "base_url", "nowhere"], ["set", "api_key"], ["set", "model", " "]],
)
def test_crane_config_refuses_what_would_not_work(capsys, own_settings, arguments):
    assert cli.main(["config", *arguments]) == 2
    assert capsys.readouterr().err.startswith("crane: ")
    assert not own_settings.exists()
