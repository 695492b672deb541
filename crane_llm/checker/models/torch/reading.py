"""Whether reading samples of a dataset of the notebook certainly changes nothing: its code is looked through."""

from __future__ import annotations

import ast
import builtins
import types
from typing import Any

from ...attributes import static_lookup
from ...purity.libraries import is_library_type, root_of
from ...shadows import interpreted
from ...values import Abandon, Value

_ROOTS = frozenset(("torch", "numpy", "pandas", "math"))
_BUILTINS = frozenset(
    "int float str bool len abs round min max sum sorted range list tuple dict set zip enumerate isinstance".split()
)
# Methods that change nothing, of whatever library's object they are.
_METHODS = frozenset(
    """astype copy to_numpy tolist item unsqueeze squeeze view reshape flatten split strip lower upper replace clone to float long int double half
    bool numpy detach permute transpose size dim get keys values items mean sum min max std argmax argmin type contiguous join startswith endswith
    ravel repeat index_select gather rsplit index count""".split()
)


def only_reads(interpreter: Any, dataset: Any) -> bool:
    """Whether ``dataset[i]`` writes nothing, whatever ``i`` is."""
    kind = type(dataset)
    if is_library_type(kind):
        if kind.__module__.startswith("torch.utils.data") and kind.__name__ == "Subset":
            return only_reads(interpreter, interpreter.heap.resolve(dataset.dataset))
        return kind.__module__.startswith("torch.utils.data") and kind.__name__ == "TensorDataset"
    method = static_lookup(kind, "__getitem__")
    if any(not _kept(static_lookup(kind, name)) for name in ("__getattr__", "__getattribute__")):
        return False
    try:
        func = method if interpreted(method) else interpreter.function_of(method)
    except (Abandon, AttributeError, TypeError):
        return False
    node = func.node
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or func.names.is_generator or func.names.deferred:
        return False
    local = {arg.arg for arg in node.args.args}
    return all(_reads(interpreter, func, part, local) for part in ast.walk(node) if part is not node)


def _kept(found: Any) -> bool:
    return isinstance(found, types.WrapperDescriptorType) or type(found) is object


def _reads(interpreter: Any, func: Any, part: ast.AST, local: set[str]) -> bool:
    if isinstance(
        part, (ast.Global, ast.Nonlocal, ast.Delete, ast.With, ast.Import, ast.ImportFrom, ast.Try, ast.While)
    ):
        return False
    if isinstance(part, (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Yield, ast.Await, ast.AugAssign)):
        return False
    if isinstance(part, (ast.Attribute, ast.Subscript)):
        return isinstance(part.ctx, ast.Load)
    if isinstance(part, ast.Call):
        return _quiet_call(interpreter, func, part.func, local)
    return True


def _quiet_call(interpreter: Any, func: Any, callee: ast.AST, local: set[str]) -> bool:
    if isinstance(callee, ast.Name):
        if callee.id in local:
            return False
        found = func.globals.get(callee.id)
        if found is None:
            return callee.id in _BUILTINS and hasattr(builtins, callee.id)
        return isinstance(found, Value) and found.exact and _of_library(found.obj)
    if not isinstance(callee, ast.Attribute) or callee.attr.endswith("_"):
        return False
    base = callee.value
    while isinstance(base, ast.Attribute):
        base = base.value
    if isinstance(base, ast.Name) and base.id not in local:
        found = func.globals.get(base.id)
        if isinstance(found, Value) and found.exact and isinstance(found.obj, types.ModuleType):
            return found.obj.__name__.partition(".")[0] in _ROOTS
    return callee.attr in _METHODS


def _of_library(obj: Any) -> bool:
    if isinstance(obj, type):
        return root_of(obj) in _ROOTS
    return isinstance(obj, (types.FunctionType, types.BuiltinFunctionType)) and (
        (getattr(obj, "__module__", None) or "").partition(".")[0] in _ROOTS
    )
