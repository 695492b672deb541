"""Context managers: which are known to let exceptions through, and what entering gives."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from .purity.libraries import is_library_type
from .values import PARTIAL, Abandon, Value, exact, unknown

# Managers (by class) whose exit never swallows an exception and whose entry changes nothing that the checker relies on.
TRANSPARENT = frozenset(
    {
        "_io.TextIOWrapper", "_io.BufferedReader", "_io.BufferedWriter", "_io.BufferedRandom", "_io.FileIO", "_io.StringIO", "_io.BytesIO",
        "torch.autograd.grad_mode.no_grad", "torch.autograd.grad_mode.inference_mode", "torch.autograd.grad_mode.enable_grad",
        "torch.autograd.grad_mode.set_grad_enabled", "warnings.catch_warnings", "contextlib.nullcontext", "contextlib.redirect_stdout",
        "contextlib.redirect_stderr", "tqdm.std.tqdm", "tqdm.notebook.tqdm_notebook", "tqdm.asyncio.tqdm_asyncio", "zipfile.ZipFile",
        "tarfile.TarFile", "tempfile.TemporaryDirectory", "threading.Lock", "decimal._ContextManager", "PIL.Image.Image", "PIL.JpegImagePlugin.JpegImageFile",
        "PIL.PngImagePlugin.PngImageFile",
        "tensorflow.python.eager.backprop.GradientTape", "tensorflow.python.framework.ops.device", "tempfile._TemporaryFileWrapper",
        "numpy.ufunc.errstate", "numpy.errstate", "numpy._core._ufunc_config.errstate", "numpy.core._ufunc_config.errstate",
        "pandas._config.config.option_context", "pandas.io.excel._base.ExcelWriter", "torch.autograd.anomaly_mode.detect_anomaly",
        "torch.amp.autocast_mode.autocast", "torch.cuda.amp.autocast_mode.autocast", "concurrent.futures.thread.ThreadPoolExecutor",
    }
)  # fmt: skip
# Functions whose result is a manager that lets exceptions through (generator-based managers without a handler of their own).
TRANSPARENT_CALLS = frozenset(
    "pandas.option_context matplotlib.pyplot.style.context matplotlib.style.core.context matplotlib.rc_context sklearn._config.config_context joblib.parallel.parallel_backend".split()
)
_OPENING = frozenset(
    {
        "_io.TextIOWrapper",
        "_io.BufferedReader",
        "_io.BufferedWriter",
        "PIL.Image.Image",
        "torch.autograd.grad_mode.no_grad",
    }
)


def suppressed_by(manager: Value) -> tuple[type[BaseException], ...] | None:
    """The exceptions that a ``contextlib.suppress`` swallows; None for any other manager."""
    import contextlib

    if not manager.exact or type(manager.obj) is not contextlib.suppress:
        return None
    return tuple(manager.obj._exceptions)


def entered(interpreter: Any, manager: Value, node: ast.AST) -> tuple[Value, bool]:
    """(what ``as`` binds, whether the manager certainly lets exceptions through)."""
    kind = manager.known_type
    if hasattr(manager.obj, "entered") and manager.kind == PARTIAL:
        manager.obj.entered = True
    if kind is None:
        interpreter.havoc([manager], node, "an unknown context manager")
        return unknown(reach=manager.reach), False
    if not any("__enter__" in vars(base) for base in kind.__mro__) and is_library_type(kind) and manager.exact:
        _no_manager(interpreter, manager, node)
    name = f"{kind.__module__}.{kind.__qualname__}"
    if name not in TRANSPARENT:
        own = interpreter.type_attribute(manager, "__enter__")
        if manager.exact and own is not None and not is_library_type(kind) and interpreter.is_interpretable(own):
            value = interpreter.call_value(exact(own), [manager], {}, node)
            leave = interpreter.type_attribute(manager, "__exit__")
            return value, not _may_swallow(interpreter, leave)
        interpreter.havoc([manager], node, "an unknown context manager")
        return unknown(reach=(manager.obj,) if manager.exact else manager.reach), False
    if manager.kind == PARTIAL or manager.exact or name in _OPENING:
        return manager, True
    return unknown(kind, manager.reach), True


@contextlib.contextmanager
def grad_mode_of(interpreter: Any) -> Iterator[None]:
    """Inside, PyTorch records gradients or not as the ``with`` statements that are being walked say; then as before."""
    torch = sys.modules.get("torch")
    setter = getattr(getattr(torch, "_C", None), "_set_grad_enabled", None)
    mode = walked_grad_mode(interpreter)
    if setter is None or mode is None:
        yield
        return
    enabled = torch.is_grad_enabled()  # type: ignore[union-attr]
    setter(mode)
    try:
        yield
    finally:
        setter(enabled)


def walked_grad_mode(interpreter: Any) -> bool | None:
    """What the open ``with`` statements of the walk say about gradients; None where they say nothing. Raises Abandon if not known."""
    for manager in reversed(interpreter.managers):
        kind = manager.known_type
        if kind is None or not str(kind.__module__).startswith("torch"):
            continue
        if kind.__name__ in ("no_grad", "inference_mode"):
            return False
        if kind.__name__ == "enable_grad":
            return True
        if kind.__name__ == "set_grad_enabled":
            mode = getattr(manager.obj, "mode", None)
            if not isinstance(mode, bool):
                raise Abandon("a grad mode that is not known")
            return mode
    for made in reversed(getattr(getattr(interpreter, "torch_state", None), "modes", ())):
        if not made.entered:  # called as a statement: it holds from then on
            if not isinstance(made.mode, bool):
                raise Abandon("a grad mode that is not known")
            return bool(made.mode)
    return None


def _may_swallow(interpreter: Any, leave: Any) -> bool:
    """Whether an ``__exit__`` of the notebook may return something true: its source has a return with a value."""
    source = interpreter.source_of(leave)
    return source is None or any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(source))


def _no_manager(interpreter: Any, manager: Value, node: ast.AST) -> None:
    from .events import Event

    obj = manager.obj

    def enter() -> None:
        with obj:
            pass

    interpreter.attempt(Event("call", node, operands=[manager], mechanism="manager"), enter)
