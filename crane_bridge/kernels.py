"""A kernel of our own, for the command line and the benchmark.

Cells are sent as a front end sends them (with history, with their ids); requests to the packed package travel as the
editor sends them. Every wait is bounded, and a kernel that dies or hangs is an exception with words for a person.
"""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from . import payload
from .faults import Fault, need

MIME_REPLY = payload.REPLY_MIME
MIME_END = payload.END_MIME
START_SECONDS = 60.0
CALL_SECONDS = 60.0
"""Longest wait for an answer of the packed package, which bounds itself far below this."""
INTERRUPT_SECONDS = 5.0
_POLL_SECONDS = 0.2
_STRAGGLER_SECONDS = 5.0

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_CHAINED = re.compile(
    r"^(?:The above exception was the direct cause|During handling of the above exception)", re.MULTILINE
)


class KernelFault(Fault):
    """The kernel could not be started, died, or did not answer."""


class KernelDied(KernelFault):
    pass


class CellTimeout(KernelFault):
    """A cell did not finish in time. ``interrupted``: it stopped when asked to, so the kernel is still usable."""

    def __init__(self, message: str, hint: str, interrupted: bool) -> None:
        super().__init__(message, hint)
        self.interrupted = interrupted


@dataclass
class RunResult:
    """What happened to a cell that ran. ``line`` is the line of the cell that raised, where the traceback tells."""

    exception: str | None
    message: str | None
    line: int | None
    traceback: str
    seconds: float

    @property
    def success(self) -> bool:
        return self.exception is None


class Kernel:
    """A running kernel; use as a context manager. The package is mounted, so the recorder sees every cell."""

    def __init__(
        self, name: str | None, cwd: Path, note: Callable[[str], None] = lambda _: None, insist: bool = False
    ) -> None:
        """Start the kernel called ``name`` in ``cwd``; None, or one that is not installed: this interpreter's.

        With ``insist`` a kernel that is not installed is a fault. ``note`` takes remarks for the person. Raises
        `KernelFault`, or `MissingExtra`.
        """
        need("Running a notebook's cells", "cli", "jupyter_client", "ipykernel")
        from jupyter_client.manager import KernelManager

        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the kernel)
        self._requests = 0
        self._manager = KernelManager()
        self._choose(name, note, insist)
        try:
            self._manager.start_kernel(cwd=str(cwd), stdout=subprocess.DEVNULL, stderr=self._log)
        except Exception as error:
            self._log.close()
            raise KernelFault(f"The kernel {self.name!r} could not be started: {error}.") from error
        try:
            self._client = self._manager.blocking_client()
            self._client.start_channels()
            self._client.wait_for_ready(timeout=START_SECONDS)
            self._mount()
        except KernelFault:
            self.close()
            raise
        except Exception as error:
            tail = self._stderr_tail()
            self.close()
            raise KernelFault(f"The kernel {self.name!r} did not come up: {error}.", tail) from error

    def _choose(self, name: str | None, note: Callable[[str], None], insist: bool) -> None:
        from ipykernel.kernelspec import get_kernel_dict
        from jupyter_client.kernelspec import KernelSpec, NoSuchKernel

        self.name = name or "python3"
        if name:
            try:
                spec = self._manager.kernel_spec_manager.get_kernel_spec(name)
            except NoSuchKernel:
                if insist:
                    there = ", ".join(sorted(self._manager.kernel_spec_manager.find_kernel_specs()))
                    raise KernelFault(
                        f"The kernel {name!r} is not installed here.", f"Installed: {there or 'none'}."
                    ) from None
                note(f"The kernel {name!r} is not installed here; used {sys.executable} instead.")
            else:
                if spec.language and spec.language.lower() != "python":
                    raise KernelFault(f"The kernel {name!r} runs {spec.language}, not Python.")
                self._manager.kernel_name = name
                return
        self.name = "python3"
        # Not by name: a "python3" found in the person's Jupyter folders may be another interpreter.
        self._manager._kernel_spec = KernelSpec(**get_kernel_dict())

    def __enter__(self) -> Kernel:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the kernel at once. Safe to call twice."""
        if getattr(self, "_client", None) is not None:
            self._client.stop_channels()
        if self._manager.has_kernel:
            self._manager.shutdown_kernel(now=True)
        self._manager.cleanup_resources()
        self._log.close()

    # --- cells -------------------------------------------------------------------------------------------------------

    def run_cell(self, source: str, cell_id: str | None, timeout: float) -> RunResult:
        """Run a cell as a front end does. ``timeout`` in seconds. Raises `CellTimeout` or `KernelDied`."""
        started = time.monotonic()
        errors: list[dict[str, Any]] = []

        def note(message: dict[str, Any]) -> None:
            if message["msg_type"] == "error":
                errors.append(message["content"])

        reply = self._execute(source, note, started + timeout, store_history=True, cell_id=cell_id)
        seconds = time.monotonic() - started
        if reply is None:
            stopped = self._interrupt()
            raise CellTimeout(
                f"did not finish within {timeout:g} seconds.", "Allow more with --timeout.", interrupted=stopped
            )
        if reply.get("status") == "ok":
            return RunResult(None, None, None, "", seconds)
        # A result that cannot be displayed fails the cell too, but the reply then names no exception: "NoneType".
        named = reply.get("ename") not in (None, "", "NoneType")
        error = reply if named else (errors[0] if errors else {"ename": "Aborted", "evalue": ""})
        trace = _ANSI.sub("", "\n".join(error.get("traceback") or []))
        # The body of a cell magic is compiled apart: what the traceback counts are not the lines of the cell.
        line = None if source.lstrip().startswith("%%") else _line_of(trace, reply.get("execution_count"))
        return RunResult(str(error["ename"]), _ANSI.sub("", str(error.get("evalue", ""))), line, trace, seconds)

    # --- the packed package ------------------------------------------------------------------------------------------

    def call(self, method: str, params: dict[str, Any], timeout: float = CALL_SECONDS) -> Any:
        """The answer of the mounted package to one request. Raises `KernelFault`."""
        self._requests += 1
        ident = f"r{self._requests}"
        code = payload.call_code({"id": ident, "method": method, "params": params})
        answer = self._send(code, ident, timeout)
        if answer.get("missing"):
            self._mount()
            answer = self._send(code, ident, timeout)
        if answer.get("error"):
            error = answer["error"]
            raise KernelFault(f"The check failed inside the kernel: {error.get('type')}: {error.get('message')}")
        if "result" not in answer:
            raise KernelFault("The kernel gave no answer to the check.", self._stderr_tail())
        return answer["result"]

    def inspect(self, source: str, **options: Any) -> dict[str, Any]:
        """`crane_llm.inspect_cell` on ``source``, which does not run; see there for the options and the answer."""
        result = self.call("inspect", {"source": source, **options})
        if not isinstance(result, dict):
            raise KernelFault("The kernel's answer to the check could not be read.")
        return result

    def _mount(self) -> None:
        answer = self._send(payload.mount_code(), "mount", START_SECONDS, sentinel=False)
        if answer.get("error"):
            error = answer["error"]
            raise KernelFault(f"The checker could not be set up in the kernel: {error.get('message')}")

    def _send(self, code: str, ident: str, timeout: float, sentinel: bool = True) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        ended: list[bool] = []

        def note(message: dict[str, Any]) -> None:
            if message["msg_type"] != "display_data":
                return
            data = message["content"].get("data", {})
            reply, end = _json(data.get(MIME_REPLY)), _json(data.get(MIME_END))
            if isinstance(reply, dict) and reply.get("id") in (ident, None):
                answer.update(reply)
            if isinstance(end, dict) and end.get("id") == ident:
                ended.append(True)

        reply = self._execute(code, note, time.monotonic() + timeout, store_history=False)
        if reply is None:
            raise KernelFault(f"The kernel did not answer the check within {timeout:g} seconds.", self._stderr_tail())
        if sentinel and not ended:
            raise KernelFault("The kernel's answer to the check was cut short.", self._stderr_tail())
        return answer

    # --- messages ----------------------------------------------------------------------------------------------------

    def _execute(
        self,
        code: str,
        note: Callable[[dict[str, Any]], None],
        deadline: float,
        *,
        store_history: bool,
        cell_id: str | None = None,
    ) -> dict[str, Any] | None:
        """Content of the execute reply, or None when ``deadline`` (monotonic seconds) passed first."""
        content = {
            "code": code,
            "silent": False,
            "store_history": store_history,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        metadata = {"cellId": cell_id} if cell_id else {}
        message = self._client.session.msg("execute_request", content, metadata=metadata)
        self._client.shell_channel.send(message)
        return self._collect(message["header"]["msg_id"], note, deadline)

    def _collect(self, msg_id: str, note: Callable[[dict[str, Any]], None], deadline: float) -> dict[str, Any] | None:
        reply: dict[str, Any] | None = None
        idle = False
        while reply is None or not idle:
            if time.monotonic() > deadline:
                return reply
            try:
                message = self._client.get_iopub_msg(timeout=_POLL_SECONDS if not idle else 0.01)
            except queue.Empty:
                self._must_live()
            else:
                if message["parent_header"].get("msg_id") == msg_id:
                    idle = idle or (message["msg_type"] == "status" and message["content"]["execution_state"] == "idle")
                    note(message)
            while reply is None:
                try:
                    message = self._client.get_shell_msg(timeout=_POLL_SECONDS if idle else 0)
                except queue.Empty:
                    break
                if message["parent_header"].get("msg_id") == msg_id:
                    reply = message["content"]
                    # Outputs under way may be lost when there are very many; the reply alone is enough.
                    deadline = min(deadline, time.monotonic() + _STRAGGLER_SECONDS)
        return reply

    def _must_live(self) -> None:
        if not self._manager.is_alive():
            raise KernelDied("The kernel died.", self._stderr_tail())

    def _interrupt(self) -> bool:
        """Interrupt what runs. True when the kernel is then idle again, False when it had to be given up."""
        self._manager.interrupt_kernel()
        try:
            return (
                self._execute("pass", lambda _: None, time.monotonic() + INTERRUPT_SECONDS, store_history=False)
                is not None
            )
        except KernelDied:
            return False

    def _stderr_tail(self) -> str:
        if self._log.closed:
            return ""
        self._log.seek(0)
        told = self._log.read().decode("utf-8", "replace").strip().splitlines()
        # What ipykernel says about itself at every start explains nothing.
        lines = [line for line in told if not line.startswith("[IPKernelApp] WARNING")]
        return "\n".join(["The kernel's last words:", *lines[-8:]]) if lines else ""


def _line_of(trace: str, count: int | None) -> int | None:
    """The line of the cell with this execution count that raised, as IPython's traceback (without colours) tells it."""
    last = _CHAINED.split(trace)[-1]
    lines = re.findall(rf"Cell In\[{count}\], line (\d+)", last)
    if not lines:  # IPython 7 marks the line with an arrow instead
        lines = re.findall(rf"<ipython-input-{count}-[0-9a-f]+> in [^\n]*\n(?:[^\n]*\n)*?-+> (\d+)", last)
    return int(lines[-1]) if lines else None  # the last: where a function of the cell itself raised


def _json(value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        try:
            return json.loads(value)
        except ValueError:
            return None
    return value
