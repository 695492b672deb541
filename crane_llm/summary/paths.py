"""Follows the paths of a cell (``loader.dataset``, ``model.layers[0]``, ``data["x"]``) on live objects without running anything."""

from __future__ import annotations

import ast
import types
from typing import Any

from . import frame_values, functions, keras_layers, safe, select
from .context import Context
from .select import Uses

MAX_PATHS = 16
_SKIP = frozenset(
    {"T", "values", "shape", "columns", "index", "iloc", "loc", "size", "dtype", "dtypes", "str", "dt", "ndim"}
)


def resolve(node: Any, namespace: dict[str, Any]) -> Any:
    """The live object of a path, or ``safe.MISSING`` where following it would run code."""
    if isinstance(node, ast.Name):
        return namespace.get(node.id, safe.MISSING)
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value if type(node.operand.value) is int else safe.MISSING
    if isinstance(node, ast.Attribute):
        owner = resolve(node.value, namespace)
        return safe.MISSING if owner is safe.MISSING else attribute(owner, node.attr)
    if isinstance(node, ast.Subscript):
        owner = resolve(node.value, namespace)
        if owner is safe.MISSING:
            return safe.MISSING
        inner: Any = node.slice
        inner = getattr(inner, "value", inner) if type(inner).__name__ == "Index" else inner
        return item(owner, resolve(inner, namespace))
    return safe.MISSING


def attribute(owner: Any, name: str) -> Any:
    """A data attribute; for a few known properties of libraries the attribute behind it."""
    found = safe.lookup(owner, name)
    if found is not safe.MISSING:
        return found
    if name == "layers" and safe.field(owner, "built", safe.MISSING) is not safe.MISSING:
        return keras_layers.layers_of(owner)
    hidden = safe.field(owner, f"_{name}", safe.MISSING)
    if hidden is not safe.MISSING and safe.top_package(type(owner)) in ("keras", "tf_keras", "torch"):
        return hidden
    return safe.MISSING


def item(owner: Any, key: Any) -> Any:
    """An item of a built-in container by a plain key."""
    if (
        safe.isinstance_of(owner, dict)
        and safe.one_of(type(key), (str, int))
        and safe.slot(type(owner), "__getitem__") is dict.__getitem__
    ):
        for known, value in safe.items(owner, 2000):
            if type(known) is type(key) and known == key:
                return value
        return safe.MISSING
    if (
        safe.isinstance_of(owner, dict)
        and safe.one_of(type(key), (str, int))
        and safe.class_module(type(owner)) in ("builtins", "collections")
    ):
        return dict.get(owner, key, safe.MISSING)
    if safe.one_of(type(owner), (list, tuple)) and type(key) is int and -len(owner) <= key < len(owner):
        return owner[key]
    if (
        type(key) is int
        and safe.field(owner, "_modules") is not None
        and safe.class_name(type(owner)) in ("Sequential", "ModuleList")
    ):
        children = [child for _, child in safe.items(safe.field(owner, "_modules"), 500)]
        return children[key] if -len(children) <= key < len(children) else safe.MISSING
    return safe.MISSING


def reached(uses: Uses, namespace: dict[str, Any], context: Context) -> list[tuple[str, Any]]:
    """Objects that the cell reaches by a path and that are worth a line of their own, with the path as it is written."""
    found: list[tuple[str, Any]] = []
    seen: set[str] = set()
    for node in uses.paths:
        if len(found) >= MAX_PATHS:
            break
        if isinstance(node, ast.Attribute) and node.attr in _SKIP:
            continue
        text = path_text(node, context)
        if text in seen:
            continue
        seen.add(text)
        owner = resolve(node.value, namespace) if isinstance(node, (ast.Attribute, ast.Subscript)) else safe.MISSING
        value = resolve(node, namespace)
        if value is safe.MISSING or value is owner:
            continue
        if safe.one_of(
            type(value), (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType)
        ):
            continue
        if safe.isinstance_of(value, type) or (
            safe.isinstance_of(owner, types.ModuleType) and not safe.is_notebook_class(type(value)) and not _data(value)
        ):
            continue
        if type(value).__flags__ & (1 << 17):  # a method descriptor
            continue
        found.append((text, value))
    outer = [text for text, _ in found]
    return [
        (text, value)
        for text, value in found
        if not any(other != text and other.startswith(text) for other in outer) or not _plain(value)
    ]


def _plain(value: Any) -> bool:
    return safe.one_of(type(value), (dict, list, tuple))


def _data(value: Any) -> bool:
    return safe.top_package(type(value)) in ("numpy", "pandas", "torch", "builtins") and not callable_of(value)


def callable_of(value: Any) -> bool:
    return safe.slot(type(value), "__call__") is not safe.MISSING


def path_text(node: Any, context: Context) -> str:
    text = ast.unparse(node)
    if context.hide_names or len(text) > 80:
        root = node
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
            root = root.func if isinstance(root, ast.Call) else root.value
        return f"{ast.unparse(root)[:40]}{'[…]' if isinstance(node, ast.Subscript) else '.' + node.attr}"
    return text


def lacking(uses: Uses, namespace: dict[str, Any]) -> dict[str, list[str]]:
    """Attributes that the cell reads of a live object and that it certainly has not, by the path of the object."""
    found: dict[str, list[str]] = {}
    called = {id(call.func) for call in uses.calls}
    for node in uses.paths:
        if not isinstance(node, ast.Attribute):
            continue
        root = select.root_of(node) or ""
        if node.attr in uses.written.get(root, ()):
            continue
        if id(node) not in called and (node.lineno, node.col_offset) > uses.touched.get(root, (1 << 30, 0)):
            continue  # a call before may have added it (as `fit` does); a method does not come into being like that
        owner = resolve(node.value, namespace)
        if owner is safe.MISSING or attribute(owner, node.attr) is not safe.MISSING:
            continue
        text = ast.unparse(node.value)
        if len(text) <= 60 and (
            safe.lacks(owner, node.attr) or _removed(owner, node.attr) or _no_column(owner, node.attr)
        ):
            told = found.setdefault(text, [])
            if node.attr not in told:
                told.append(node.attr)
    return found


def _removed(owner: Any, name: str) -> bool:
    """An alias that NumPy removed and that its module hook answers with AttributeError."""
    if type(owner) is not types.ModuleType or owner is not safe.loaded("numpy"):
        return False
    namespace = safe.dict_of(owner) or {}
    return name not in namespace and any(
        name in namespace.get(table, ())
        for table in ("__former_attrs__", "__expired_attributes__", "__expired_functions__")
    )


def _no_column(owner: Any, name: str) -> bool:
    """Whether a frame or series has neither an attribute nor a label of this name."""
    kind = safe.class_name(type(owner))
    if (
        kind not in ("DataFrame", "Series")
        or safe.top_package(type(owner)) != "pandas"
        or not safe.genuine(type(owner))
    ):
        return False
    if (
        safe.slot(type(owner), name) is not safe.MISSING
        or name.startswith("_")
        or safe.field(owner, name, safe.MISSING) is not safe.MISSING
    ):
        return False
    axes = safe.native(safe.native(owner, "_mgr"), "axes")
    known = frame_values.labels(axes[0], 20000) if axes else None
    return known is not None and len(known) < 20000 and name not in [label for label in known if type(label) is str]


def imports(uses: Uses) -> dict[str | None, Any]:
    """What the cell's own ``from … import …`` will bind, where the module is loaded already."""
    found: dict[str | None, Any] = {}
    for name, module, attribute_name in uses.imports:
        namespace = safe.dict_of(safe.loaded(module)) if safe.loaded(module) is not None else None
        if namespace is not None and attribute_name in namespace:
            found[name] = namespace[attribute_name]
    return found


def misfits(uses: Uses, namespace: dict[str, Any]) -> list[tuple[str, str]]:
    """Library and notebook functions whose signature a call of the cell cannot bind to, with that signature."""
    found: list[tuple[str, str]] = []
    imported = imports(uses)
    for node in uses.calls[:200]:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        function = imported[name] if name in imported else resolve(node.func, namespace)
        if type(function) is not types.FunctionType:
            continue
        inner = functions.unwrapped(function)
        if not _binds(node, inner.__code__):
            entry = (ast.unparse(node.func), functions.signature(inner))
            if entry not in found:
                found.append(entry)
    return found[:6]


def _binds(node: ast.Call, code: types.CodeType) -> bool:
    """False only when the arguments certainly do not fit: too many positional ones, an unknown keyword, one given twice."""
    if any(isinstance(argument, ast.Starred) for argument in node.args) or any(
        word.arg is None for word in node.keywords
    ):
        return True
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    positional = names[: code.co_argcount]
    given = len(node.args)
    if given > code.co_argcount and not code.co_flags & 0x04:
        return False
    words = [word.arg for word in node.keywords]
    if any(word in positional[:given] and word not in code.co_varnames[: code.co_posonlyargcount] for word in words):
        return False
    return bool(code.co_flags & 0x08) or all(word in names for word in words)
