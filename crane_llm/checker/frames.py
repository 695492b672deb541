"""What a call that is not followed can change, and what it leaves alone."""

from __future__ import annotations

import types
from typing import Any

from .purity.libraries import KNOWN, STANDARD, is_user_function
from .purity.outputs import writes_on_argument
from .values import Value, is_a

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
            return [] if owner is None or is_a(owner, type) else [call.interpreter.heap.wrap(owner)]
        owner = call.func if not is_a(call.func, (types.FunctionType, types.BuiltinFunctionType, type)) else None
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
    given = [v.obj if v.exact or v.kind == "partial" else None for v in call.args]
    named = {name: v.obj if v.exact else v for name, v in call.kwargs.items()}
    if root in _READERS and writes_on_argument(call.func, given, named):
        return FrameOf("all", silent and harmless)
    if root in _READERS and name not in _WRITES and "out" not in call.kwargs and not _given_callbacks(call):
        return FrameOf("receiver" if call.receiver is not None else "nothing", silent and harmless)
    if key == "builtins.print" and not _given_own(call):
        return FrameOf("nothing", True)
    if root in _TENSOR and is_a(call.func, type) and not _given_callbacks(call):
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


__all__ = ["FrameOf", "STANDARD", "ends_process", "frame_of"]
