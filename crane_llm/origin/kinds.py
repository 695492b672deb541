"""Asking for a value's type and a class's parts without running any code of the person's.

``isinstance`` reads ``value.__class__``, and reading an attribute of a class asks its metaclass: both may be theirs. Here
everything goes through ``type``'s own descriptors.
"""

from __future__ import annotations

import types
from typing import Any

mro_of = type.__dict__["__mro__"].__get__
dict_of = type.__dict__["__dict__"].__get__
flags_of = type.__dict__["__flags__"].__get__
_module_of = type.__dict__["__module__"].__get__
_name_of = type.__dict__["__name__"].__get__
_dict_offset_of = type.__dict__["__dictoffset__"].__get__
_MANAGED_DICT = 1 << 4
"""Type flag (3.12 and later): instances have a dictionary at a place that ``__dictoffset__`` does not tell."""
HEAP_TYPE = 1 << 9

IMMUTABLE = frozenset(
    (int, float, complex, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range, slice, frozenset)
)
_CODE = frozenset((types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType, type))


def is_a(value: Any, *classes: type) -> bool:
    """Whether the value's real type is one of the classes or derives from one."""
    mro = mro_of(type(value))
    return any(c in mro for c in classes)


def is_class(value: Any) -> bool:
    return type in mro_of(type(value))


def module_of(kind: type) -> str:
    module = _module_of(kind)
    return module if type(module) is str else ""


def name_of(kind: type) -> str:
    return str(_name_of(kind))


def type_name(value: Any) -> str:
    """``module.Class`` of a value, from its type alone; without the module for builtins and classes of the notebook."""
    kind = type(value)
    module = module_of(kind)
    return name_of(kind) if module in ("builtins", "__main__") else f"{module}.{name_of(kind)}"


def family(value: Any) -> str:
    """`type_name`, but for an instance of a notebook's class the library class that it derives from, if there is one."""
    for kind in mro_of(type(value)):
        module = module_of(kind)
        if module != "__main__":
            return f"{module}.{name_of(kind)}" if module != "builtins" else type_name(value)
    return type_name(value)


def has_dict(kind: type) -> bool:
    """Whether instances have a dictionary of attributes."""
    return bool(_dict_offset_of(kind)) or bool(flags_of(kind) & _MANAGED_DICT)


def watchable(value: Any) -> bool:
    """False for values that cannot be changed in place, and for functions, classes and modules."""
    kind = type(value)
    if kind in IMMUTABLE:
        return False
    mro = mro_of(kind)
    return not any(c in IMMUTABLE or c in _CODE for c in mro)


def is_code(value: Any) -> bool:
    """Functions, methods, classes, modules."""
    return any(c in _CODE for c in mro_of(type(value)))


def instance_dict(value: Any) -> Any:
    """The dictionary of attributes of an instance. Raises ``AttributeError`` where there is none or it is not plain."""
    for kind in mro_of(type(value)):
        found = dict_of(kind).get("__dict__")
        if found is not None:
            if type(found) is not types.GetSetDescriptorType:  # a property of the person's
                raise AttributeError("__dict__")
            return found.__get__(value)
    raise AttributeError("__dict__")
