"""Finds the describer of an object by its real type's qualified name, and never raises."""

from __future__ import annotations

import types
from typing import Any

from . import functions, misc, numpy_, objects, pandas_, plain, safe, sklearn_, tensorflow_, torch_
from .context import Context, Handler
from .model import Note, Variable

# top-level package -> class name -> describer; the first class along the MRO that is listed decides
LIBRARIES: dict[str, dict[str, Handler]] = {
    "numpy": numpy_.HANDLERS,
    "pandas": pandas_.HANDLERS,
    "torch": torch_.HANDLERS,
    "torchvision": torch_.VISION,
    "tensorflow": tensorflow_.HANDLERS,
    "keras": tensorflow_.HANDLERS,
    "tf_keras": tensorflow_.HANDLERS,
    "sklearn": sklearn_.HANDLERS,
    "xgboost": sklearn_.BOOSTERS,
    "lightgbm": sklearn_.BOOSTERS,
    "catboost": sklearn_.BOOSTERS,
    **misc.LIBRARIES,
}

_BUILTINS: list[tuple[type, Handler]] = [
    (bool, plain.scalar),
    (int, plain.scalar),
    (float, plain.scalar),
    (complex, plain.scalar),
    (type(None), plain.scalar),
    (str, plain.string),
    (bytes, plain.scalar),
    (bytearray, plain.scalar),
    (list, plain.sequence),
    (tuple, plain.sequence),
    (dict, plain.mapping),
    (set, plain.unordered),
    (frozenset, plain.unordered),
    (range, plain.span),
    (types.FunctionType, functions.function),
    (types.MethodType, functions.method),
    (types.BuiltinFunctionType, functions.builtin),
    (types.ModuleType, functions.module),
    (types.GeneratorType, plain.iterator),
    (type, functions.a_class),
]
_CONSUMED = frozenset(
    {
        "zip",
        "map",
        "filter",
        "enumerate",
        "reversed",
        "list_iterator",
        "tuple_iterator",
        "dict_keyiterator",
        "callable_iterator",
    }
)


def find(value: Any) -> Handler:
    """The describer of an object."""
    for cls in safe.mro(value):
        table = LIBRARIES.get(safe.top_package(cls))
        handler = table.get(safe.class_name(cls)) if table is not None else None
        if handler is not None and safe.genuine(cls):
            return handler
        for base, builtin in _BUILTINS:
            if cls is base:
                return builtin
    if safe.class_module(type(value)) == "builtins" and safe.class_name(type(value)) in _CONSUMED:
        return plain.iterator
    if safe.is_notebook_class(type(value)):
        return objects.notebook_object
    return objects.library_object


def describe(name: str, value: Any, context: Context, depth: int = 0) -> Variable:
    """Describe one object. Whatever it does, the answer holds at least its type."""
    value = safe.unwrap(value)
    variable = context.variable(name, value)
    if context.budget.over():
        variable.notes.append(Note("R", "not looked at: out of time"))
        context.left_out.append(f"{name}: out of time")
        return variable
    if depth <= 1:
        context.described.add(id(value))
    try:
        find(value)(variable, value, context, depth)
        if safe.is_notebook_class(type(value)) and variable.fields is None and depth == 0:
            _own_attributes(variable, value, context, depth)
    except Exception as error:
        # A half-built object, an unknown layout, data changed by another thread: the type still helps.
        variable.notes.append(Note("R", f"could not be read in full ({safe.class_name(type(error))})"))
    return variable


def _own_attributes(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A notebook class derived from a library's: the attributes that the cell names, besides what the library's describer said."""
    wanted = set(context.attributes)
    members = [
        (f".{name}", member)
        for name, member in objects.attributes(value)
        if name in wanted and not name.startswith("_")
    ]
    if members:
        context.nested(variable, members, depth, 6)
