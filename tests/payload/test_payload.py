"""The packed package in a real kernel: mounted privately, answers requests, leaves nothing behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from live_kernel import LiveKernel

from crane_bridge import payload

MODULE = payload.module_name()

# Everything of the person's that a mount or a call could disturb. Module names are compared without our own.
STATE = (
    "{'names': sorted(globals()), 'ids': [id(v) for k, v in sorted(globals().items()) if k not in ('In', 'Out')], "
    "'In': list(In), 'Out': {str(k): repr(v) for k, v in Out.items()}, '_': repr(_), '__': repr(__), '___': repr(___), "
    "'count': get_ipython().execution_count, 'path': __import__('sys').path, 'cwd': __import__('os').getcwd(), "
    "'raw': list(get_ipython().history_manager.input_hist_raw), "
    "'outputs': {str(k): len(v) for k, v in getattr(get_ipython().history_manager, 'outputs', {}).items()}, "
    "'random': hash(__import__('random').getstate()), 'files': __import__('os').listdir(), "
    "'threads': len(__import__('threading').enumerate()), 'warnings': repr(__import__('warnings').filters), "
    "'modules': sorted(m for m in __import__('sys').modules if not m.startswith('_crane_llm_'))}"
)


def start_work(kernel: LiveKernel) -> None:
    assert kernel.run("x = [1, 2]\nx", "a").ok
    assert kernel.run("'older'", "b").ok
    assert kernel.run("y = 3\n'latest'", "c").ok
    # What transport itself starts is there before the comparison: ZeroMQ collects large messages in a thread of its own.
    kernel.tool("if True:\n    " + repr("x" * 100_000) + "\n    pass")
    kernel.value(STATE)


def test_mount_and_call_leave_the_session_as_it_was(kernel):
    start_work(kernel)
    before = kernel.value(STATE)
    assert kernel.mount().outputs == []
    assert kernel.ask("ping")["crane"] == payload.version()
    assert kernel.ask("recorder", on=None)["on"] in (True, False)
    after = kernel.value(STATE)
    # Standard-library modules that our code needs may be loaded; nothing that a person could import from elsewhere.
    new = set(after.pop("modules")) - set(before.pop("modules"))
    assert {m.split(".")[0] for m in new} <= set(sys.stdlib_module_names)
    assert after == before


@pytest.mark.parametrize("mode", ["all", "last", "last_expr", "last_expr_or_assign"])
def test_nothing_is_displayed_or_kept_under_any_interactivity(kernel, mode):
    start_work(kernel)
    kernel.run(f"get_ipython().ast_node_interactivity = {mode!r}")
    before = kernel.value(STATE)
    kernel.mount()
    kernel.ask("ping")
    after = kernel.value(STATE)
    for state in (before, after):
        state.pop("modules")
    assert after == before


def test_a_call_to_a_kernel_without_the_package_says_missing(kernel):
    ran = kernel.tool(payload.call_code({"id": "r7", "method": "ping", "params": {}}))
    assert ran.ok
    assert ran.mime(payload.REPLY_MIME) == [{"id": "r7", "missing": True}]
    assert ran.mime(payload.END_MIME) == [{"id": "r7"}]


def test_mounting_again_keeps_the_module_and_a_restart_loses_it(kernel):
    kernel.mount()
    first = kernel.value(f"id(__import__('sys').modules[{MODULE!r}])")
    assert kernel.mount().outputs == []
    assert kernel.value(f"id(__import__('sys').modules[{MODULE!r}])") == first
    kernel.restart()
    with pytest.raises(LookupError, match="missing"):
        kernel.ask("ping")
    kernel.mount()
    assert kernel.ask("ping")["crane"] == payload.version()


def test_other_content_under_the_same_version_replaces_the_module(kernel, monkeypatch):
    kernel.mount()
    sources = payload.collect_sources()
    sources["newer.py"] = "ANSWER = 42\n"
    monkeypatch.setattr(payload, "collect_sources", lambda: sources)
    newer = payload.mount_code.__wrapped__()
    assert kernel.tool(newer).outputs == []
    assert kernel.value(f"__import__('importlib').import_module({MODULE!r} + '.newer').ANSWER") == 42
    assert kernel.value("sum(getattr(f, 'package', '').startswith('_crane') for f in __import__('sys').meta_path)") == 1


def test_a_different_crane_llm_in_the_kernel_is_neither_used_nor_disturbed(tmp_path):
    other = tmp_path / "crane_llm"
    other.mkdir()
    (other / "__init__.py").write_text("WHOSE = 'another tool'\n")
    with LiveKernel(cwd=str(tmp_path)) as kernel:
        assert kernel.run("import crane_llm").ok
        kernel.mount()
        assert kernel.ask("ping")["crane"] == payload.version()
        assert kernel.value("crane_llm.WHOSE") == "another tool"
        assert kernel.value("__import__('sys').modules['crane_llm'].__file__") == str(other / "__init__.py")


def test_forget_takes_everything_out(kernel):
    start_work(kernel)
    hooks = "{k: len(v) for k, v in get_ipython().events.callbacks.items()}"
    meta = "len(__import__('sys').meta_path)"
    transformers = "len(get_ipython().ast_transformers)"
    before = [kernel.value(e) for e in (hooks, meta, transformers)]
    kernel.mount()
    kernel.ask("guard", on=True)
    assert kernel.ask("forget") == {"forgotten": True}
    assert [kernel.value(e) for e in (hooks, meta, transformers)] == before
    with pytest.raises(LookupError, match="missing"):
        kernel.ask("ping")


@pytest.mark.parametrize(
    "source",
    ["x = '\u2028%%time'", "π = '😀'", 'a = """\'\'\'\\n\\\\"""', "%%bash\necho '@REQUEST@'", "\x85!ls\x0c", "\ud800"],
)
def test_any_text_arrives_as_it_was_sent(kernel, source):
    kernel.mount()
    echo = f"__import__('sys').modules[{MODULE!r} + '.remote']._METHODS['echo'] = lambda shell, params: params"
    kernel.tool(f"if True:\n    {echo}\n")
    got = kernel.ask("echo", source=source)["source"]
    assert got == source.encode("utf-8", "replace").decode()


def test_results_that_json_cannot_hold_are_made_plain(kernel):
    kernel.mount()
    kernel.tool(
        f"if True:\n    __import__('sys').modules[{MODULE!r} + '.remote']._METHODS['odd'] = "
        "lambda shell, params: {1: float('nan'), 'set': {1}, 'object': object(), 'bool': True, 'inf': float('inf')}\n"
    )
    assert kernel.ask("odd") == {"1": None, "set": [1], "object": "object", "bool": True, "inf": None}


def test_faults_and_interrupts_are_answered_not_raised(kernel):
    kernel.mount()
    with pytest.raises(LookupError, match="no method 'nonsense'"):
        kernel.ask("nonsense")
    for error in ("KeyboardInterrupt", "SystemExit", "ZeroDivisionError"):
        kernel.tool(
            f"if True:\n    def fail(shell, params): raise {error}('why')\n"
            f"    __import__('sys').modules[{MODULE!r} + '.remote']._METHODS['fail'] = fail\n    del fail\n"
        )
        with pytest.raises(LookupError, match=error):
            kernel.ask("fail")
    ran = kernel.tool(payload.call_template().replace(payload.MARKER, json.dumps("not json")))
    assert ran.ok
    assert ran.mime(payload.REPLY_MIME)[0]["error"]["type"] == "JSONDecodeError"


def test_a_mount_that_fails_answers_with_the_reason_and_leaves_nothing(kernel, monkeypatch):
    sources = {**payload.collect_sources(), "remote.py": "import no_such_module_anywhere\n"}
    monkeypatch.setattr(payload, "collect_sources", lambda: sources)
    ran = kernel.tool(payload.mount_code.__wrapped__())
    assert ran.ok
    [answer] = ran.mime(payload.REPLY_MIME)
    assert answer["id"] == "mount" and "no_such_module_anywhere" in answer["error"]["message"]
    assert kernel.value("[m for m in __import__('sys').modules if m.startswith('_crane')]") == []


def test_packed_modules_can_be_listed_and_read(kernel):
    kernel.mount()
    listed = kernel.value(
        f"sorted(m.name for m in __import__('pkgutil').iter_modules(__import__('sys').modules[{MODULE!r}].__path__))"
    )
    assert {"origin", "remote", "guard"} <= set(listed)
    text = kernel.value(f"__import__('inspect').getsource(__import__('sys').modules[{MODULE!r} + '.remote'])")
    assert text == payload.collect_sources()["remote.py"]


def test_the_build_file_holds_what_the_extension_sends(tmp_path):
    out = tmp_path / "deep" / "payload.json"
    done = subprocess.run(
        [sys.executable, "-m", "crane_bridge.payload", "--out", str(out)],
        cwd=Path(payload.__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    built = json.loads(out.read_text("ascii"))
    payload.mount_code.cache_clear()
    assert built == payload.build()
    assert built["call"].count(payload.MARKER) == 1 and built["module"] == MODULE


def test_an_old_python_is_told_so():
    space: dict = {"__name__": "mount"}
    exec((Path(payload.__file__).parent / "_mount.py").read_text(), space)
    space["OLDEST_PYTHON"] = (99, 0)
    with pytest.raises(RuntimeError, match=r"needs Python 99\.0 or newer"):
        space["mount"]("_crane_llm_never", {}, "")
