"""Context managers: which are known to let exceptions through, and what entering gives."""

from __future__ import annotations

import ast
import builtins
import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

from .attributes import bare_instance
from .control import Ended
from .events import Event
from .generators import Generator, GeneratorManager
from .purity.libraries import is_library_type
from .values import PARTIAL, Abandon, Raised, Value, exact, unknown

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
        "seaborn.rcmod._AxesStyle", "seaborn.rcmod._PlottingContext", "seaborn.palettes._ColorPalette", "torch.amp.autocast_mode.autocast", "torch.cuda.amp.autocast_mode.autocast", "concurrent.futures.thread.ThreadPoolExecutor",
    }
)  # fmt: skip
# Of these, the ones whose ``__enter__`` returns the manager itself; what the others give is not known.
_GIVES_ITSELF = frozenset(
    {
        "_io.TextIOWrapper", "_io.BufferedReader", "_io.BufferedWriter", "_io.BufferedRandom", "_io.FileIO", "_io.StringIO", "_io.BytesIO",
        "tqdm.std.tqdm", "tqdm.notebook.tqdm_notebook", "tqdm.asyncio.tqdm_asyncio", "zipfile.ZipFile", "tarfile.TarFile", "PIL.Image.Image",
        "PIL.JpegImagePlugin.JpegImageFile", "PIL.PngImagePlugin.PngImageFile", "tensorflow.python.eager.backprop.GradientTape",
        "pandas.io.excel._base.ExcelWriter", "concurrent.futures.thread.ThreadPoolExecutor", "seaborn.palettes._ColorPalette",
    }
)  # fmt: skip


class Restoring:
    """Stands for a library's manager that sets options and puts them back, made by a generator: see the models that give it."""

    def __enter__(self) -> None: ...

    def __exit__(self, *details: Any) -> None: ...


class Entered:
    """A manager whose block has been entered. ``value`` is what ``as`` binds; ``known``: what it does with exceptions is known."""

    known = True
    may_swallow = False  # it lets some exceptions pass and stops others

    def __init__(self, interpreter: Any, manager: Value, node: ast.AST, value: Value) -> None:
        self.interpreter = interpreter
        self.manager = manager
        self.node = node
        self.value = value

    @property
    def holds_mode(self) -> bool:
        """Whether it sets a mode of the whole process until it is left."""
        kind = self.manager.known_type
        return kind is not None and str(kind.__module__).partition(".")[0] in ("torch", "warnings", "decimal", "numpy")

    def leave(self, raised: Raised | None) -> bool:
        """Leave the block, with what its body raised: whether that goes no further. Raises what leaving raises."""
        return False


class _Suppress(Entered):
    may_swallow = True

    def leave(self, raised: Raised | None) -> bool:
        if raised is None:
            return False
        if issubclass(raised.type, _GROUP):
            raise Ended()  # newer Pythons take groups apart
        return issubclass(raised.type, self.manager.obj._exceptions)


class _Unknown(Entered):
    known = False

    def leave(self, raised: Raised | None) -> bool:
        kind = self.manager.known_type
        if kind in (contextlib.ExitStack, contextlib.AsyncExitStack):
            raise Ended()  # it runs what it was given, whatever that is
        self.interpreter.havoc([self.manager], self.node, "an unknown context manager")
        return False


class _Own(Entered):
    """A manager of a class of the notebook: ``__exit__`` is interpreted."""

    def __init__(self, interpreter: Any, manager: Value, node: ast.AST, value: Value, names: tuple[str, str]) -> None:
        super().__init__(interpreter, manager, node, value)
        self.method = interpreter.type_attribute(manager, names[1])
        self.asynchronous = names[1] == "__aexit__"
        self.may_swallow = _may_swallow(interpreter, self.method)

    def leave(self, raised: Raised | None) -> bool:
        interpreter = self.interpreter
        given = [exact(None)] * 3
        if raised is not None:
            error = exact(raised.error) if raised.error is not None else unknown(raised.type)
            given = [exact(raised.type), error, unknown(types.TracebackType)]
        result = interpreter.call_value(exact(self.method), [self.manager, *given], {}, self.node)
        if self.asynchronous:
            result = interpreter.await_value(result, self.node)
        if raised is None:
            return False
        known = interpreter.truth(result, self.node)
        if known is None:
            raise Ended()
        return bool(known)


class _Generated(Entered):
    def __init__(self, interpreter: Any, manager: Value, node: ast.AST, value: Value) -> None:
        super().__init__(interpreter, manager, node, value)
        self.generator: Generator = manager.obj.generator
        self.may_swallow = self.generator.cleans_up
        self.generator.holders += 1

    def leave(self, raised: Raised | None) -> bool:
        generator = self.generator
        generator.holders -= 1
        generator.frame.call_node = self.node
        if raised is None:
            if generator.resume(exact(None)) is not None:
                raise _protocol_error(self, "generator didn't stop")
            return False
        if raised.error is None or issubclass(raised.type, StopIteration):
            raise Ended()
        try:
            item = generator.resume(raised)
        except Raised as other:
            if other.error is raised.error:
                return False
            raise
        if item is not None:
            raise _protocol_error(self, "generator didn't stop after throw()")
        return True


_GROUP: Any = getattr(builtins, "BaseExceptionGroup", ())


def _protocol_error(entered: Entered, words: str) -> Raised:
    event = Event("call", entered.node, mechanism="manager")
    return entered.interpreter.fail(RuntimeError(words), event)  # type: ignore[no-any-return]


def enter(interpreter: Any, manager: Value, node: ast.AST, asynchronous: bool) -> Entered:
    """Enter a block under ``manager``; raises what entering certainly raises."""
    kind = manager.known_type
    if manager.kind == PARTIAL and hasattr(manager.obj, "entered"):
        manager.obj.entered = True
    if manager.exact and isinstance(manager.obj, GeneratorManager):
        if (manager.obj.generator.kind == "async_generator") is not asynchronous:
            raise Abandon("a manager entered the other way")
        return _enter_generator(interpreter, manager, node)
    if kind is None or asynchronous and is_library_type(kind):
        interpreter.havoc([manager], node, "an unknown context manager")
        return _Unknown(interpreter, manager, node, unknown(reach=manager.reach))
    if manager.exact and kind is contextlib.suppress:
        return _Suppress(interpreter, manager, node, exact(None))
    names = ("__aenter__", "__aexit__") if asynchronous else ("__enter__", "__exit__")
    if not asynchronous and not any("__enter__" in vars(b) for b in kind.__mro__) and is_library_type(kind):
        if manager.exact:
            _no_manager(interpreter, manager, node)
    if not is_library_type(kind) and manager.exact:
        own = _enter_own(interpreter, manager, node, names)
        if own is not None:
            return own
    if not issubclass(kind, Restoring) and f"{kind.__module__}.{kind.__qualname__}" not in TRANSPARENT:
        interpreter.havoc([manager], node, "an unknown context manager")
        return _Unknown(interpreter, manager, node, unknown(reach=(manager.obj,) if manager.exact else manager.reach))
    itself = f"{kind.__module__}.{kind.__qualname__}" in _GIVES_ITSELF
    return Entered(interpreter, manager, node, manager if itself else unknown(reach=manager.reach))


def _enter_own(interpreter: Any, manager: Value, node: ast.AST, names: tuple[str, str]) -> Entered | None:
    begin, end = (interpreter.type_attribute(manager, name) for name in names)
    if begin is None or end is None:
        bare = bare_instance(type(manager.obj).__name__)
        interpreter.attempt(Event("call", node, operands=[manager], mechanism="manager"), lambda: _use(bare, names))
    if not interpreter.is_interpretable(begin) or not interpreter.is_interpretable(end):
        return None
    if getattr(begin, "__module__", "") == "contextlib":  # of the abstract class: it gives the manager itself
        value = manager
    else:
        value = interpreter.call_value(exact(begin), [manager], {}, node)
        if names[0] == "__aenter__":
            value = interpreter.await_value(value, node)
    if getattr(end, "__module__", "") == "contextlib":
        return Entered(interpreter, manager, node, value)
    return _Own(interpreter, manager, node, value, names)


def _enter_generator(interpreter: Any, manager: Value, node: ast.AST) -> Entered:
    entered = _Generated(interpreter, manager, node, exact(None))
    entered.generator.frame.call_node = node
    try:
        value = entered.generator.resume(exact(None))
    except Abandon:
        return _Unknown(interpreter, manager, node, unknown(reach=(interpreter.namespace,)))
    if value is None:
        raise _protocol_error(entered, "generator didn't yield")
    entered.value = value
    return entered


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
    """Whether an ``__exit__`` of the notebook may return something true."""
    source = interpreter.source_of(leave)
    if source is None:
        return True
    returned = [n.value for n in ast.walk(source) if isinstance(n, ast.Return) and n.value is not None]
    return any(not (isinstance(value, ast.Constant) and not value.value) for value in returned)


def _no_manager(interpreter: Any, manager: Value, node: ast.AST) -> None:
    obj = manager.obj

    def enter() -> None:
        with obj:
            pass

    interpreter.attempt(Event("call", node, operands=[manager], mechanism="manager"), enter)


def _use(obj: Any, names: tuple[str, str]) -> None:
    """Python's own words for an object that is no manager."""
    if names[0] == "__enter__":
        with obj:
            return

    async def body() -> None:
        async with obj:
            return

    run = body()
    try:
        run.send(None)
    finally:
        run.close()
