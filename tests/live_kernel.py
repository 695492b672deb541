"""A real ipykernel for tests, driven by execute requests as a front end sends them."""

from __future__ import annotations

import ast
import json
import os
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from jupyter_client.manager import KernelManager

from crane_bridge import payload

LIMIT = 60.0
"""Seconds that any single wait may take."""


@dataclass
class Ran:
    """What one execute request produced."""

    reply: dict
    outputs: list[dict] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.reply["status"] == "ok"

    @property
    def text(self) -> str:
        """Everything printed."""
        return "".join(o["text"] for o in self.outputs if o["kind"] == "stream")

    def mime(self, mime: str) -> list[Any]:
        """The contents of every display with this mime type, in order."""
        return [o["data"][mime] for o in self.outputs if mime in o.get("data", {})]


class LiveKernel:
    """One kernel process and its client. Use as a context manager; every wait is bounded by `LIMIT`."""

    def __init__(
        self, python: str | None = None, cwd: str | None = None, env: dict | None = None, limit: float = LIMIT
    ) -> None:
        self.limit = limit
        self.manager = KernelManager(kernel_name="")
        python = python or os.environ.get("CRANE_KERNEL_PYTHON") or sys.executable
        command = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--HistoryManager.hist_file=:memory:"]
        self.manager._kernel_spec = _spec(command)
        if env is None:
            # A person's kernel does not find this project's folder on its path.
            env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.manager.start_kernel(cwd=cwd, env=dict(env))
        self._connect()
        self.requests = 0

    def _connect(self) -> None:
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=self.limit)

    def __enter__(self) -> LiveKernel:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def restart(self) -> None:
        self.client.stop_channels()
        self.manager.restart_kernel(now=True)
        self._connect()

    def execute(self, code: str, *, cell_id: str | None = None, store_history: bool = True, **extra: Any) -> Ran:
        """Send one request and collect its outputs until the kernel is idle again."""
        content = {
            "code": code,
            "silent": False,
            "store_history": store_history,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": True,
            **extra,
        }
        message = self.client.session.msg("execute_request", content)
        if cell_id is not None:
            message["metadata"]["cellId"] = cell_id
        self.client.shell_channel.send(message)
        ident, outputs = message["header"]["msg_id"], []
        deadline = time.monotonic() + self.limit
        while True:
            got = self.client.get_iopub_msg(timeout=max(0.1, deadline - time.monotonic()))
            if got["parent_header"].get("msg_id") != ident:
                continue
            kind, body = got["msg_type"], got["content"]
            if kind == "status" and body["execution_state"] == "idle":
                break
            if kind not in ("status", "execute_input"):
                outputs.append({"kind": kind, **body})
        while True:
            reply = self.client.get_shell_msg(timeout=max(0.1, deadline - time.monotonic()))
            if reply["parent_header"].get("msg_id") == ident:
                return Ran(reply["content"], outputs)

    def run(self, code: str, cell_id: str | None = None) -> Ran:
        """Run a cell as the person does."""
        return self.execute(code, cell_id=cell_id)

    def tool(self, code: str) -> Ran:
        """Run code as the editor's extensions do: outside the history."""
        return self.execute(code, store_history=False)

    def value(self, expression: str) -> Any:
        """The JSON-able value of an expression, asked without touching history or ``Out``."""
        asked = {"value": f"__import__('json').dumps({expression})"}
        got = self.execute("", store_history=False, user_expressions=asked).reply["user_expressions"]["value"]
        assert got["status"] == "ok", got
        return json.loads(ast.literal_eval(got["data"]["text/plain"]))

    def mount(self) -> Ran:
        return self.tool(payload.mount_code())

    def ask(self, method: str, **params: Any) -> Any:
        """The result of one request to the mounted package; the reply's form is checked on the way."""
        self.requests += 1
        ident = f"r{self.requests}"
        ran = self.tool(payload.call_code({"id": ident, "method": method, "params": params}))
        assert ran.ok, ran.reply
        [answer] = ran.mime(payload.REPLY_MIME)
        assert ran.mime(payload.END_MIME) == [{"id": ident}]
        assert answer["id"] == ident
        if "result" not in answer:
            raise LookupError(json.dumps(answer))
        return answer["result"]


class Session:
    """A kernel in which cells run with ids, as a front end sends them."""

    def __init__(self, kernel: LiveKernel) -> None:
        self.kernel = kernel
        self.cells = {}
        """The notebook's cells as they are now: id → source, in order."""

    def run(self, cell_id: str, source: str):
        """Put the cell into the notebook and run it."""
        self.cells[cell_id] = source
        return self.kernel.run(source, cell_id)

    def origins(self, *names: str, target_id=None, finding=None, cells=True):
        """{name: steps} for the names, each step (action, cell id, line, detail, reason, runs, recorded)."""
        now = [{"id": i, "source": s} for i, s in self.cells.items()] if cells else None
        module = f"__import__('importlib').import_module({payload.module_name() + '.origin.trace'!r})"
        found = self.kernel.value(
            f"{module}.origins_of({list(names)!r}, get_ipython(), {now!r}, {target_id!r}, {finding!r})"
        )
        return {o["variable"]: o["steps"] for o in found}

    def brief(self, name: str, **options):
        """The steps of one name as (action, cell id, line) or, with a reason, (action, cell id, line, reason)."""
        steps = self.origins(name, **options)[name]
        return [(s["action"], s["cell"]["id"], s["line"], *([s["reason"]] if s["reason"] else [])) for s in steps]

    def executed(self, *arguments):
        module = f"__import__('importlib').import_module({payload.module_name() + '.origin.trace'!r})"
        return self.kernel.value(f"{module}.executed_cells(get_ipython(), *{arguments!r})")


def _spec(command: list[str]) -> Any:
    from jupyter_client.kernelspec import KernelSpec

    return KernelSpec(argv=command, display_name="test", language="python")
