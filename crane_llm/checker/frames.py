"""What a call that is not followed can change, and what it leaves alone."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from .purity.libraries import KNOWN, STANDARD, is_user_function
from .values import ATOMS, Value

# Libraries whose functions change nothing they are given but their receiver (and what ``out``, ``inplace`` or a name in _WRITES says).
_READERS = frozenset(
    "pandas numpy sklearn scipy matplotlib seaborn plotly statsmodels IPython PIL cv2 nltk skimage xgboost lightgbm imblearn wordcloud missingno".split()
)
_TENSOR = frozenset("torch tensorflow keras tf_keras torchvision".split())
# Functions of those libraries that do write on an argument.
_WRITES = frozenset(
    "shuffle put place putmask fill_diagonal copyto sort partition setitem insort insort_left insort_right heappush heappop heapify".split()
)
_SILENT_PREFIXES = (
    "builtins.print", "IPython.display.", "IPython.core.display", "matplotlib.", "seaborn.", "time.", "numpy.", "pandas.", "sklearn.", "scipy.", "tqdm.",
)  # fmt: skip
_FILE_NAMES = (
    "save",
    "to_",
    "write",
    "dump",
    "download",
    "mkdir",
    "open",
    "fetch",
    "load_",
    "export",
    "touch",
    "unlink",
    "remove",
    "rename",
    "copy",
)
_SETTERS = frozenset(
    "set_option reset_option option_context set_config config_context seterr set_printoptions set_default_dtype set_default_device "
    "set_floatx set_global_policy set_theme set_style set_context set_palette set use style rc rcdefaults set_grad_enabled "
    "set_default_tensor_type use_deterministic_algorithms run_functions_eagerly set_image_data_format".split()
)
_ENDS = frozenset({"sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit", "_sitebuiltins.Quitter.__call__", "IPython.core.autocall.ExitAutocall.__call__", "IPython.core.autocall.ZMQExitAutocall.__call__", "posix._exit", "posix.abort"})  # fmt: skip
_DYNAMIC = frozenset({"builtins.exec", "builtins.eval", "builtins.globals", "builtins.locals", "builtins.vars"})


class FrameOf:
    """The frame of one call. ``silent``: no file, environment or generator is touched; ``names``: it may bind names of the notebook."""

    def __init__(self, what: str, silent: bool, names: bool = False, unsettles: tuple[str, ...] = ()) -> None:
        self.what = what  # "all", "receiver", "nothing"
        self.silent = silent
        self.names = names
        self.unsettles = unsettles

    def changes(self, call: Any) -> list[Value]:
        """The values that may be changed."""
        if self.what == "nothing":
            return []
        if self.what == "receiver":
            owner = call.receiver
            return [] if owner is None or isinstance(owner, type) else [call.interpreter.heap.wrap(owner)]
        owner = call.func if not isinstance(call.func, (types.FunctionType, types.BuiltinFunctionType, type)) else None
        first = [] if owner is None else [Value("exact", owner)]
        return first + call.operands()


def frame_of(call: Any) -> FrameOf:
    """The frame of a call that is not followed."""
    key: str = call.key
    root = key.partition(".")[0]
    name = key.rpartition(".")[2]
    if key in _DYNAMIC or key.startswith("IPython.core.interactiveshell.InteractiveShell."):
        return FrameOf("all", False, names=True)
    if name in _SETTERS and root in KNOWN:
        return FrameOf("nothing", True, unsettles=(root,))
    if root == "time":
        return FrameOf("nothing", True)
    inplace = call.kwargs.get("inplace")
    harmless = inplace is None or (inplace.exact and inplace.obj is False)
    silent = key.startswith(_SILENT_PREFIXES) and not name.startswith(_FILE_NAMES)
    if root in _READERS and name not in _WRITES and "out" not in call.kwargs and not _given_callbacks(call):
        return FrameOf("receiver" if call.receiver is not None else "nothing", silent and harmless)
    if key == "builtins.print" and not _given_own(call):
        return FrameOf("nothing", True)
    if root in _TENSOR and isinstance(call.func, type) and not _given_callbacks(call):
        return FrameOf("nothing", False)
    return FrameOf("all", False)


def _given_own(call: Any) -> bool:
    from .purity.libraries import is_library_type

    return any(v.known_type is None or not is_library_type(v.known_type) for v in call.operands())


def _given_callbacks(call: Any) -> bool:
    return any(
        v.exact and (is_user_function(v.obj) or getattr(type(v.obj), "__crane_callable__", False))
        for v in call.operands()
    )


def ends_process(key: str) -> bool:
    """Whether the call ends the process: nothing after it is certain."""
    return key in _ENDS


def globals_touched(call: Any, interpreter: Any) -> Iterator[Any]:
    """Mutable objects of the notebook that functions of the notebook, reached by the call, name in their code."""
    seen: set[int] = set()
    queue = [call.func, *(v.obj for v in call.operands() if v.exact)]
    while queue:
        obj = queue.pop()
        # By exact type: asking an object of the person's for an attribute may run their __getattr__.
        func = obj.__func__ if type(obj) is types.MethodType else obj
        if getattr(type(func), "__crane_callable__", False):
            func = getattr(func, "live", None) or func
        if not isinstance(func, types.FunctionType):
            if isinstance(obj, type) and obj.__module__ == "__main__":
                queue.extend(vars(obj).values())
            elif type(obj).__module__ == "__main__" and not isinstance(obj, type):
                queue.append(type(obj))
            continue
        if id(func) in seen or not is_user_function(func):
            continue
        seen.add(id(func))
        for name in _names(func.__code__):
            interpreter.stores_by_calls.add(name) if name in _stored(func.__code__) else None
            if name in func.__globals__:
                found = func.__globals__[name]
                if type(found) in ATOMS or isinstance(found, types.ModuleType):
                    continue
                queue.append(found)
                if not isinstance(found, (types.FunctionType, type)):
                    yield found


def _names(code: types.CodeType) -> set[str]:
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= _names(const)
    return found


def _stored(code: types.CodeType) -> set[str]:
    import dis

    found = {i.argval for i in dis.get_instructions(code) if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")}
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= _stored(const)
    return found


__all__ = ["FrameOf", "STANDARD", "ends_process", "frame_of", "globals_touched"]
