"""A real IPython shell in this process, and a fingerprint of everything that a check may not change."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import random
import signal
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from crane_llm import check_report
from crane_llm.checker.finding import Report

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


_SHELL = ("In", "Out", "exit", "quit", "get_ipython", "open", "display")


class Endless(BaseException):
    """A cell did not come to an end."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise :class:`Endless` in this thread when a cell that the body runs takes longer.

    Again and again, as long as the cell's own code is running: a single exception gets lost in a call-back of the collector.
    """

    def stop(_: int, frame: types.FrameType | None) -> None:
        while frame is not None:
            if "ipython-input" in frame.f_code.co_filename or "/ipykernel_" in frame.f_code.co_filename:
                raise Endless
            frame = frame.f_back

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Kernel:
    """One shell; ``fresh()`` empties its namespace. Cells run through IPython as a person's do."""

    def __init__(self) -> None:
        self.shell = InteractiveShell.instance()
        self.shell.user_ns["display"] = lambda *a, **k: None
        self._own = set(self.shell.user_ns)
        self.printed = ""

    def fresh(self) -> None:
        """Forget every name that cells have bound."""
        for name in list(self.shell.user_ns):
            if name not in self._own and name not in ("In", "Out"):
                del self.shell.user_ns[name]

    def run(self, source: str, seconds: float = 0.0) -> BaseException | None:
        """Run a cell; returns what it raised: :class:`Endless` where it takes longer than ``seconds`` (0: no limit)."""
        if seconds:
            with limited(seconds):
                return self.run(source)
        sink = io.StringIO()
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = self.shell.run_cell(source, store_history=True)
        return result.error_before_exec or result.error_in_exec

    def setup(self, source: str) -> None:
        """Run a cell that must not fail."""
        if source.strip():
            error = self.run(source)
            if error is not None:
                raise AssertionError(f"the setup raised {type(error).__name__}: {error}\n{source}")

    def check(self, source: str) -> Report:
        """Check a cell; a print of the checker's is kept in ``printed``."""
        sink = io.StringIO()
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
            report = check_report(source, shell=self.shell)
        self.printed = sink.getvalue()
        return report

    def fingerprint(self) -> dict[str, Any]:
        """Everything that a check leaves alone, cheap to compare."""
        return fingerprint(self.shell)


def fingerprint(shell: Any) -> dict[str, Any]:
    """The state of the kernel: names, identities, contents, generators, settings, modules, figures, files."""
    ns = shell.user_ns
    found: dict[str, Any] = {
        f"variable {k}": (id(v), content(v)) for k, v in ns.items() if not k.startswith("_") and k not in _SHELL
    }
    found["names"] = sorted(ns)
    found["history"] = (len(ns["In"]), len(ns["Out"]), shell.execution_count, id(ns.get("_")), id(ns.get("__")))
    found["random"] = hash(random.getstate())
    found["filters"] = list(map(str, warnings.filters))
    found["registries"] = {
        name: {k for k in vars(m).get("__warningregistry__", ()) if k != "version"}
        for name, m in list(sys.modules.items())
        if isinstance(m, types.ModuleType) and not name.startswith("crane")
    }
    found["modules"] = frozenset(
        m for m in sys.modules if not m.startswith("crane") and m.split(".")[0] not in sys.stdlib_module_names
    )
    found["path"] = list(sys.path)
    found["hooks"] = [id(f) for f in sys.meta_path]
    found["streams"] = (id(sys.stdout), id(sys.stderr))
    found["cwd"] = os.getcwd()
    found["files"] = sorted(os.listdir("."))
    found["environment"] = hash(frozenset(os.environ.items()))
    _libraries(found)
    return found


def _libraries(found: dict[str, Any]) -> None:
    modules = sys.modules
    if "numpy" in modules:
        numpy = modules["numpy"]
        state = numpy.random.get_state()
        found["numpy random"] = (hash(state[1].tobytes()), state[2:])
        found["numpy errors"] = tuple(sorted(numpy.geterr().items()))
        found["numpy printing"] = str(numpy.get_printoptions())
    if "pandas" in modules:
        found["pandas options"] = [
            modules["pandas"].get_option(o) for o in ("display.max_rows", "display.max_columns", "display.width")
        ]
    if "torch" in modules:
        torch = modules["torch"]
        found["torch"] = (
            hash(torch.random.get_rng_state().numpy().tobytes()),
            torch.is_grad_enabled(),
            torch.get_default_dtype(),
        )
    if "sklearn" in modules:
        found["sklearn"] = str(sorted(modules["sklearn"].get_config().items(), key=str))
    for name in ("keras.src.backend.common.global_state", "keras.backend.common.global_state"):
        tracker = getattr(modules.get(name), "GLOBAL_STATE_TRACKER", None)
        if tracker is not None:
            found["keras names"] = str(sorted((vars(tracker).get("object_name_uids") or {}).items()))
    if "matplotlib" in modules:
        params = dict.items(modules["matplotlib"].rcParams)
        found["rcParams"] = hash(str(sorted((k, str(v)) for k, v in params if k != "backend")))
    if "matplotlib.pyplot" in modules:
        found["figures"] = tuple(modules["matplotlib.pyplot"].get_fignums())


def content(value: Any, depth: int = 0) -> Any:
    """A deep, cheap digest of a value."""
    root = type(value).__module__.split(".")[0]
    name = type(value).__name__
    if value is None or isinstance(value, (int, float, complex, str, bytes)):
        return repr(value)
    if root == "numpy" and name == "ndarray":
        return (
            value.shape,
            str(value.dtype),
            value.flags.writeable,
            repr(value.tolist()) if value.dtype == object else digest(value.tobytes()),
        )
    if root == "pandas" and name in ("DataFrame", "Series"):
        return (value.shape, value.to_string(max_rows=60), str(value.dtypes), sorted(vars(value)))
    if root == "torch" and name in ("Tensor", "Parameter"):
        return (tuple(value.shape), value.requires_grad, value._version, digest(value.detach().cpu().numpy().tobytes()))
    if hasattr(type(value), "state_dict") and root != "builtins":
        return str([(k, content(v, depth + 1)) for k, v in value.state_dict().items()]) + str(
            getattr(value, "training", "")
        )
    if depth > 4:
        return name
    if isinstance(value, (list, tuple)):
        return (name, [content(v, depth + 1) for v in value[:100]])
    if isinstance(value, (set, frozenset)):
        return (name, sorted(map(repr, value)))
    if issubclass(type(value), dict):  # a proxy may only claim to be one
        return (name, [(repr(k)[:60], content(v, depth + 1)) for k, v in list(dict.items(value))[:100]])
    if isinstance(value, (type, types.ModuleType, types.FunctionType, types.GeneratorType)):
        return sorted(vars(value)) if isinstance(value, type) and value.__module__ == "__main__" else name
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except Exception:
        return name
    return (name, [(k, content(v, depth + 1)) for k, v in sorted(attributes.items(), key=str)[:60]])


def digest(data: bytes) -> str:
    return hashlib.md5(data).hexdigest()


def difference(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The parts of the state that differ. Warning registries may only not have grown: Python empties them by itself."""
    old, new = before.get("registries", {}), after.get("registries", {})
    grown = [f"warnings shown in {m}" for m in new if new[m] - old.get(m, set())]
    return grown + sorted(k for k in set(before) | set(after) if k != "registries" and before.get(k) != after.get(k))
