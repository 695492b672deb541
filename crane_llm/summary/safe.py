"""Looking at an object without running any code of its own.

Everything here goes through ``object.__getattribute__`` / ``type.__getattribute__`` and the C slots of built-in types, so that a
user's ``__getattr__``, property, ``__len__``, ``__repr__``, ``__eq__``, ``__hash__``, ``__class__`` or metaclass is never called.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "MISSING"})()

_DATA_GETTERS = (types.GetSetDescriptorType, types.MemberDescriptorType)
_MODULE_DICT: Any = type.__getattribute__(types.ModuleType, "__dict__")["__dict__"]
# Attribute hooks that are known not to invent names (they read the containers that `lookup` reads, too).
_KNOWN_HOOKS = {"torch.nn.modules.module"}


def mro(obj: Any) -> tuple[type, ...]:
    """The classes of ``obj``'s real type, whatever its ``__class__`` claims."""
    return type.__getattribute__(type(obj), "__mro__")


def class_name(cls: type) -> str:
    """The qualified name inside the module (never a user's override)."""
    name = type.__getattribute__(cls, "__qualname__")
    return name if type(name) is str else "?"


def class_module(cls: type) -> str:
    module = type.__getattribute__(cls, "__module__")
    return module if type(module) is str else "?"


def class_dict(cls: type) -> Any:
    return type.__getattribute__(cls, "__dict__")


def type_name(obj: Any) -> str:
    """``module.Class`` of the real type; builtins without their module."""
    cls = type(obj)
    module = class_module(cls)
    return class_name(cls) if module == "builtins" else f"{module}.{class_name(cls)}"


def top_package(cls: type) -> str:
    return class_module(cls).partition(".")[0]


def genuine(cls: type) -> bool:
    """Whether an imported module really holds this class under the name that it claims (a look-alike does not count)."""
    module = sys.modules.get(class_module(cls))
    if module is None:
        return False
    holder: Any = dict_of(module)
    for part in class_name(cls).split("."):
        if holder is None or part not in holder:
            return False
        found = holder[part]
        if found is cls:
            return True
        holder = class_dict(found) if isinstance_of(found, type) else None
    return False


def slot(cls: type, name: str) -> Any:
    """The raw class attribute ``name`` along the MRO, unbound; ``MISSING`` if there is none."""
    for base in type.__getattribute__(cls, "__mro__"):
        namespace = class_dict(base)
        if name in namespace:
            return namespace[name]
    return MISSING


def dict_of(obj: Any) -> dict[str, Any] | None:
    """The instance dictionary, or None. A ``__dict__`` that a class redefines as a property is not trusted."""
    getter: Any = _MODULE_DICT if isinstance_of(obj, types.ModuleType) else slot(type(obj), "__dict__")
    if not one_of(type(getter), _DATA_GETTERS):
        return None
    try:
        found = getter.__get__(obj)
    except (AttributeError, TypeError):
        return None
    return found if isinstance_of(found, dict) else None


def field(obj: Any, name: str, default: Any = None) -> Any:
    """A data attribute of the instance (dictionary or ``__slots__``), never a computed one."""
    namespace = dict_of(obj)
    if namespace is not None and dict.__contains__(namespace, name):
        return dict.__getitem__(namespace, name)
    raw = slot(type(obj), name)
    if type(raw) is types.MemberDescriptorType:
        try:
            return raw.__get__(obj)
        except (AttributeError, TypeError):
            return default
    return default


def native(obj: Any, name: str, default: Any = None) -> Any:
    """Like `field`, and attributes that a library's C code exposes (a user's class can have none of those)."""
    found = field(obj, name, MISSING)
    if found is not MISSING:
        return found
    raw = slot(type(obj), name)
    if type(raw) is types.GetSetDescriptorType:
        try:
            return raw.__get__(obj)
        except (AttributeError, TypeError, ValueError):
            return default
    return default


def lookup(obj: Any, name: str, default: Any = MISSING) -> Any:
    """A data attribute of the instance, else a plain class attribute (no descriptor is run)."""
    found = field(obj, name, MISSING)
    if found is not MISSING:
        return found
    for holder in ("_modules", "_parameters", "_buffers"):  # torch modules keep their children apart
        children = field(obj, holder, None)
        if isinstance_of(children, dict) and dict.__contains__(children, name):
            return dict.__getitem__(children, name)
    raw = slot(type(obj), name)
    if raw is MISSING or slot(type(raw), "__get__") is not MISSING:
        return default
    return raw


def lacks(obj: Any, name: str) -> bool:
    """True only when reading ``obj.name`` certainly raises AttributeError, as far as the classes alone can tell."""
    cls = type(obj)
    if isinstance_of(obj, type):
        return False
    if isinstance_of(obj, types.ModuleType):
        namespace = dict_of(obj)
        return (
            namespace is not None
            and type(obj) is types.ModuleType
            and name not in namespace
            and "__getattr__" not in namespace
        )
    if slot(cls, name) is not MISSING or lookup(obj, name) is not MISSING:
        return False
    hook = slot(cls, "__getattr__")
    if hook is not MISSING and (type(hook) is not types.FunctionType or hook.__module__ not in _KNOWN_HOOKS):
        return False
    # anything but Python's own reading makes us unsure; the C types of these libraries use it, too
    reader = slot(cls, "__getattribute__")
    generic = reader is object.__dict__["__getattribute__"] or (
        top_package(cls) in ("numpy", "torch", "builtins") and type(reader) is types.WrapperDescriptorType
    )
    return generic and (dict_of(obj) is not None or slot(cls, "__dict__") is MISSING)


def items(mapping: dict[Any, Any], limit: int) -> list[tuple[Any, Any]]:
    """At most ``limit`` items of a dict or dict subclass, read by dict's own iterator."""
    try:
        return list(islice(dict.items(mapping), limit))
    except RuntimeError:  # another thread changed it while we read
        return []


def elements(sequence: Any) -> Iterator[Any]:
    """The elements of a list, tuple, set or deque subclass by the built-in's own iterator."""
    for base in (list, tuple, set, frozenset):
        if isinstance_of(sequence, base):
            return base.__iter__(sequence)
    return iter(())


def unwrap(obj: Any) -> Any:
    """The list or dict behind TensorFlow's tracking wrappers (their built-in part may be empty); other objects unchanged."""
    cls = type(obj)
    if top_package(cls) != "tensorflow" or class_name(cls) not in ("ListWrapper", "_DictWrapper", "_TupleWrapper"):
        return obj
    inner = field(obj, "_storage", MISSING)
    if inner is MISSING:
        inner = native(obj, "__wrapped__", MISSING)
    return obj if inner is MISSING or not one_of(type(inner), (list, dict, tuple)) else inner


def isinstance_of(obj: Any, cls: type) -> bool:
    """``isinstance`` that asks the real type only (``__class__`` and ``__instancecheck__`` are not consulted)."""
    return any(base is cls for base in mro(obj))


def one_of(cls: type, classes: Iterable[type]) -> bool:
    """Whether ``cls`` is one of ``classes`` by identity (``in`` would call a metaclass's ``__eq__``)."""
    return any(cls is other for other in classes)


def length(obj: Any) -> int | None:
    """Length by the built-in container's own slot; None for anything else."""
    for base in (list, tuple, dict, set, frozenset, str, bytes, bytearray):
        if isinstance_of(obj, base):
            return base.__len__(obj)
    if type(obj) is range and max(abs(obj.start), abs(obj.stop)) < 1 << 62:
        return len(obj)
    return None


def all_of(found: Iterable[Any], *classes: type) -> bool:
    """Whether every element is exactly of one of these classes."""
    return set(map(id, map(type, found))) <= set(map(id, classes))


def is_notebook_class(cls: type) -> bool:
    """Whether a class was defined in the notebook itself."""
    return class_module(cls) in ("__main__", "builtins.__main__") and cls is not type


def loaded(name: str) -> Any:
    """An already imported module, or None. Nothing is ever imported here."""
    return sys.modules.get(name)


def library_class(module: str, name: str) -> type | None:
    """A class of an already imported library, read from the module's dictionary (lazy module hooks do not fire)."""
    found = sys.modules.get(module)
    namespace = dict_of(found) if found is not None else None
    value = namespace.get(name) if namespace else None
    return value if value is not None and isinstance_of(value, type) else None


def version_of(package: str) -> str | None:
    found = sys.modules.get(package)
    namespace = dict_of(found) if found is not None else None
    version = namespace.get("__version__") if namespace else None
    return version if type(version) is str else None
