"""Packs ``crane_llm`` into the text that is sent to a kernel.

A kernel need not have the package installed, and may have another distribution of the same name: the packed sources are
mounted there under a private name that holds the version (``_crane_llm_0_1_0``), by the loader in ``_mount.py``.

Two texts are made here, both plain ASCII statements that leave no name in the person's namespace:

* the *mount* text, sent once per kernel session (about a quarter of the sources' size);
* the *call* text, a few lines around one request; when the package is not mounted it answers ``missing`` by itself.

A kernel's answer is a display of mime type ``application/vnd.crane.reply+json`` followed by the sentinel
``application/vnd.crane.end+json``; see ``crane_llm/remote.py`` for the methods. A mount that fails answers with an error
whose id is ``"mount"``; one that succeeds is silent.

``python -m crane_bridge.payload --out FILE`` writes both texts as JSON for the extension, which has no Python at hand.
Only the standard library is used.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import runpy
import sys
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

REPLY_MIME = "application/vnd.crane.reply+json"
END_MIME = "application/vnd.crane.end+json"
MARKER = "@REQUEST@"
"""Stands in the call template for the request: a JSON string literal, in ASCII, of the request's JSON text."""

_HERE = Path(__file__).resolve().parent
_KERNEL_PACKAGE = _HERE.parent / "crane_llm"

# Runs in the kernel inside exec(), in a namespace of its own. Failures are answered, never raised: an exception would
# show as an error output of the person's notebook. `publish` takes back the entry that newer IPythons make in their
# record of outputs, which belongs to the person's cells.
_PUBLISH = """
def publish(data):
    import IPython
    shell = IPython.get_ipython()
    kept = getattr(getattr(shell, "history_manager", None), "outputs", None)
    before = {k: len(v) for k, v in kept.items()} if isinstance(kept, dict) else None
    shell.display_pub.publish(data=data, metadata={})
    if before is not None:
        for k in [k for k, v in kept.items() if len(v) > before.get(k, 0)]:
            del kept[k][before.get(k, 0):]
            if not kept[k]:
                del kept[k]
"""

_CALL = (
    _PUBLISH
    + """
def call(text):
    import json, sys
    ident = None
    try:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        ident = json.loads(text).get("id")
        remote = sys.modules.get("@MODULE@.remote")
        if remote is not None:
            return remote.handle(text)
        answer = {"id": ident, "missing": True}
    except BaseException as exc:
        answer = {"id": ident, "error": {"type": type(exc).__name__, "message": str(exc)[:2000]}}
    publish({"@REPLY@": answer})
    publish({"@END@": {"id": ident}})
call(request)
"""
)

_MOUNT = (
    _PUBLISH
    + """
def run():
    try:
        import base64, json, zlib
        packed = json.loads(zlib.decompress(base64.b64decode(data)).decode("utf-8"))
        space = {"__name__": "@MODULE@_mount"}
        exec(compile(packed["loader"], "<@MODULE@>/mount", "exec", dont_inherit=True), space)
        space["mount"]("@MODULE@", packed["sources"], packed["digest"])
    except BaseException as exc:
        publish({"@REPLY@": {"id": "mount", "error": {"type": type(exc).__name__, "message": str(exc)[:2000]}}})
run()
"""
)


def version() -> str:
    """The version of the packages, read from the one place that holds it."""
    return str(runpy.run_path(str(_KERNEL_PACKAGE / "_version.py"))["__version__"])


def module_name() -> str:
    """The private name under which the package is mounted in a kernel, for example ``_crane_llm_0_1_0``."""
    return "_crane_llm_" + "".join(c if c.isalnum() else "_" for c in version())


def collect_sources() -> dict[str, str]:
    """The kernel package's sources by path inside the package (``"checker/values.py"``), in a stable order."""
    files = sorted(_KERNEL_PACKAGE.rglob("*.py"))
    if not files:
        raise FileNotFoundError(f"The kernel package is missing: there are no sources in {_KERNEL_PACKAGE}.")
    return {f.relative_to(_KERNEL_PACKAGE).as_posix(): f.read_text(encoding="utf-8") for f in files}


def _fill(template: str) -> str:
    return template.replace("@MODULE@", module_name()).replace("@REPLY@", REPLY_MIME).replace("@END@", END_MIME)


def _statement(script: str, name: str, literal: str) -> str:
    """One compound statement that runs ``script`` with ``name`` bound to ``literal``, outside the person's namespace.

    It is no expression, so no value reaches ``Out`` or ``_`` under any ``ast_node_interactivity``.
    """
    space = f'{{"__name__": "{module_name()}_call", "{name}": {literal}}}'
    return f'if True:\n    __import__("builtins").exec({script!r}, {space})\n    pass\n'


@lru_cache(maxsize=1)
def mount_code() -> str:
    """The text that mounts the package in a kernel and arms its recorder. Sending it again does nothing."""
    sources = collect_sources()
    loader = (_HERE / "_mount.py").read_text(encoding="utf-8")
    digest = hashlib.sha256(json.dumps([loader, sources]).encode("ascii")).hexdigest()
    packed = json.dumps({"loader": loader, "sources": sources, "digest": digest})
    data = base64.b64encode(zlib.compress(packed.encode("ascii"), 9)).decode("ascii")
    return _statement(_fill(_MOUNT), "data", repr(data))


def call_template() -> str:
    """The call text with `MARKER` in place of the request."""
    return _statement(_fill(_CALL), "request", MARKER)


def call_code(request: dict[str, Any]) -> str:
    """The text that hands ``request`` ({"id", "method", "params"}) to the mounted package.

    The request must be JSON-able; ``TypeError`` or ``ValueError`` is raised here, not in the kernel, when it is not.
    """
    text = json.dumps(request, allow_nan=False)
    return call_template().replace(MARKER, json.dumps(text))


def build() -> dict[str, str]:
    """What the extension needs: ``version``, ``module``, the ``mount`` text and the ``call`` template."""
    return {"version": version(), "module": module_name(), "mount": mount_code(), "call": call_template()}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m crane_bridge.payload", description="Write the kernel payload as JSON."
    )
    parser.add_argument("--out", required=True, type=Path, help="the file to write")
    out: Path = parser.parse_args(argv).out
    out.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(build(), indent=1) + "\n"
    out.write_text(text, encoding="ascii", newline="\n") if sys.version_info >= (3, 10) else out.write_bytes(
        text.encode()
    )
    print(f"{out}: {len(text) // 1024} kB, {module_name()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
