"""Reading, writing and deleting attributes without running the person's code."""

from __future__ import annotations

import ast
import functools
import types
from typing import Any

from .effects import disturb_by_code
from .events import Event
from .generators import Generator, GeneratorMethod
from .machine import Machine
from .memory import referents
from .purity.libraries import STANDARD, is_genuine, is_library_type, is_user_function, root_of
from .streams import Internal
from .values import ATOMS, PARTIAL, Abandon, Value, exact, unknown

_MISSING = object()
# Properties of arrays and frames that do not look at the data, however much it is.
_FREE = frozenset(
    "shape ndim size dtype dtypes nbytes itemsize strides columns index axes loc iloc at iat name names empty str dt cat device requires_grad".split()
)
_HISTORY = frozenset(("__cause__", "__context__", "__suppress_context__", "__traceback__"))
_SAMPLES: dict[type, Any] = {
    str: "",
    bytes: b"",
    int: 0,
    float: 0.0,
    bool: False,
    list: [],
    tuple: (),
    dict: {},
    set: set(),
    complex: 0j,
}
_PLAIN_METACLASSES = ("type", "ABCMeta", "EnumMeta", "EnumType", "_ProtocolMeta", "GenericMeta", "NamedTupleMeta")


class Attributes(Machine):
    """Mixin: attribute access."""

    def type_attribute(self, value: Value, name: str) -> Any:
        """What the class of ``value`` (never the instance) defines under ``name``, unbound; None where nothing."""
        kind = value.known_type
        found = static_lookup(kind, name) if kind is not None else _MISSING
        return None if found is _MISSING else found

    def is_interpretable(self, function: Any) -> bool:
        """Whether a callable can be interpreted from its source."""
        return isinstance(function, types.FunctionType) or bool(getattr(type(function), "__crane_callable__", False))

    # --- reading -----------------------------------------------------------------------------------

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """``owner.name``; raises what Python raises where it certainly does."""
        event = Event("attribute", node, operands=[owner], name=name)
        ruled = self.apply_rules(event)
        if ruled is not None:
            return ruled
        owner = self.heap.current(owner)
        if owner.kind == PARTIAL:
            found = owner.domain.attribute(self, event, owner, name)
            return found if found is not None else self._unknown_attribute(owner, event)
        if not owner.exact:
            return self._unknown_attribute(owner, event)
        obj = self.heap.resolve(owner.obj)
        if name == "flags" and type(obj).__name__ == "ndarray":
            flags = self.heap.own(obj.flags)
            self.heap.links[id(flags.obj)] = [flags.obj, obj]  # setting a flag is seen on the array
            return flags
        if self.module_writes and not isinstance(obj, (type, types.ModuleType)):
            for base in type(obj).__mro__:
                if (id(base), name) in self.module_writes:
                    return self.module_writes[(id(base), name)]
        from .domains import library_attribute

        known = library_attribute(self, event, obj, name)
        if known is not None:
            return known
        if isinstance(obj, types.ModuleType):
            return self._module_attribute(obj, event)
        if isinstance(obj, type):
            return self._class_attribute(obj, event)
        if type(obj).__name__ == "SuperProxy":
            return self._super_attribute(obj, event)
        if isinstance(obj, BaseException) and name in _HISTORY:
            raise Abandon("where an exception came from is not followed")
        if isinstance(obj, Generator) and name in GeneratorMethod.NAMES:
            return exact(GeneratorMethod(obj, name))
        if isinstance(obj, Internal):
            sample = obj.sample()
            if sample is not None and not hasattr(sample, name):
                self.attempt(event, lambda: getattr(sample, name))
            raise Abandon("an attribute of an iterator or coroutine")
        if getattr(type(obj), "__crane_callable__", False):
            if name.startswith("__") and name.endswith("__") and hasattr(obj, name):
                return exact(getattr(obj, name))
            raise Abandon("an attribute of a function or iterator")
        return self._instance_attribute(obj, event)

    def _super_attribute(self, proxy: Any, event: Event) -> Value:
        from .domains import library_method

        found = library_method(self, proxy.obj, proxy.find(event.name or ""))
        if found is NotImplemented:
            return exact(
                self.attempt(event, lambda: object.__getattribute__(super(proxy.cls, proxy.obj), event.name or ""))
            )
        if isinstance(found, types.FunctionType) or getattr(type(found), "__crane_callable__", False):
            return exact(types.MethodType(found, proxy.obj))
        if isinstance(found, (types.WrapperDescriptorType, types.MethodDescriptorType, classmethod, staticmethod)):
            kind = proxy.obj if isinstance(proxy.obj, type) else type(proxy.obj)
            return exact(found.__get__(None if isinstance(proxy.obj, type) else proxy.obj, kind))
        if isinstance(found, property) and found.fget is not None:
            return self.call_value(exact(found.fget), [exact(proxy.obj)], {}, event.node)
        if hasattr(type(found), "__get__"):
            raise Abandon("a descriptor behind super()")
        return self.heap.wrap(found)

    def _unknown_attribute(self, owner: Value, event: Event) -> Value:
        kind = owner.known_type
        name = event.name or ""
        if kind is not None and kind in _SAMPLES and static_lookup(kind, name) is _MISSING:
            sample = _SAMPLES[kind]
            self.attempt(event, lambda: getattr(sample, name))
        from .domains import library_unknown_attribute

        known = library_unknown_attribute(self, event, owner) if kind is not None and owner.kind != PARTIAL else None
        if known is not None:
            return known
        self.lose(event.node, "an attribute of an unknown value")
        return unknown(reach=owner.reach or ((owner.obj,) if owner.kind == PARTIAL else ()))

    def _module_attribute(self, module: types.ModuleType, event: Event) -> Value:
        name = event.name or ""
        table = types.ModuleType.__getattribute__(module, "__dict__")
        written = self.module_writes.get((id(module), name))
        if written is not None:
            return written
        if type(module) is types.ModuleType and name in table:
            return self.heap.wrap(table[name])
        if type(module) is not types.ModuleType:
            if name in table:
                return self.heap.wrap(table[name])
            if root_of(type(module)) not in STANDARD and not is_library_type(type(module)):
                raise Abandon("a module with attributes of its own making")
        if not self.world.imports and self._may_be_submodule(table, name):
            raise Abandon("a submodule that may have been imported meanwhile")
        self.must_be_settled(module, name)
        if is_user_function(table.get("__getattr__")):
            return self.call_value(exact(table["__getattr__"]), [exact(name)], {}, event.node)
        return self.heap.wrap(self.quiet_call(event, lambda: getattr(module, name)))

    def must_be_settled(self, module: types.ModuleType, name: str) -> None:
        """Abandon where the cell imports more of the same library on its way: that may give ``module`` the name."""
        table = types.ModuleType.__getattribute__(module, "__dict__")
        root = str(table.get("__name__")).partition(".")[0]
        if name not in table and any(wanted.partition(".")[0] == root for wanted in self.wanted):
            raise Abandon(f"more of {root} is imported meanwhile")

    @staticmethod
    def _may_be_submodule(table: dict[str, Any], name: str) -> bool:
        from importlib.machinery import PathFinder

        path = table.get("__path__")
        if path is None:
            return False
        try:
            return PathFinder.find_spec(f"{table.get('__name__')}.{name}", list(path)) is not None
        except Exception:  # a path that cannot be searched proves nothing
            return True

    def _class_attribute(self, cls: type, event: Event) -> Value:
        name = event.name or ""
        if type(cls).__name__ not in _PLAIN_METACLASSES and not is_library_type(type(cls)):
            raise Abandon("a class with a metaclass of its own")
        found = static_lookup(cls, name)
        meta = static_lookup(type(cls), name)
        written = self.module_writes.get((id(cls), name))
        if written is not None:
            return written
        if found is _MISSING and meta is _MISSING:
            if static_lookup(type(cls), "__getattr__") is not _MISSING and not is_library_type(type(cls)):
                raise Abandon("a metaclass with attributes of its own making")
            return self.heap.wrap(self.quiet_call(event, lambda: getattr(cls, name)))
        if found is not _MISSING and hasattr(type(found), "__get__"):
            if not isinstance(found, (types.FunctionType, classmethod, staticmethod, property)) and not is_library_type(
                type(found)
            ):
                if getattr(type(found), "__crane_callable__", False):
                    return exact(found)
                raise Abandon("a descriptor of the notebook")
        return self.heap.wrap(self.quiet_call(event, lambda: getattr(cls, name)))

    def _instance_attribute(self, obj: Any, event: Event) -> Value:
        name = event.name or ""
        kind = type(obj)
        if self.heap.is_dirty(obj):
            return self._unknown_attribute(unknown(kind, (obj,)), event)
        lookup = static_lookup(kind, "__getattribute__")
        if lookup is not object.__getattribute__ and not _library_made(lookup):
            raise Abandon("a class with attribute access of its own")
        found = static_lookup(kind, name)
        own = instance_dict(obj)
        if name == "__class__":
            return exact(getattr(kind, "__crane_shadow__", None) or kind)
        if name == "__dict__":
            self.lose(event.node, "an instance dictionary")
            return unknown(dict, (obj,))
        if found is not _MISSING and is_data_descriptor(found):
            return self._descriptor(obj, found, event)
        if own is not None and name in own:
            return self.heap.wrap(own[name])
        if found is not _MISSING:
            if hasattr(type(found), "__get__"):
                return self._descriptor(obj, found, event)
            return self.heap.wrap(found)
        fallback = static_lookup(kind, "__getattr__")
        if fallback is _MISSING:
            if lookup is object.__getattribute__:
                return self.heap.wrap(self.attempt(event, lambda: object.__getattribute__(obj, name)))
            return self.heap.wrap(self.quiet_call(event, lambda: getattr(obj, name)))
        if _library_made(fallback):
            if self.surveyor.look([obj]).opaque and not is_library_type(kind) and not self.is_module_like(obj):
                raise Abandon("attributes made by a library on an object of the notebook")
            reader = self.heap.reading(obj)
            return self.heap.wrap(self.quiet_call(event, lambda: getattr(reader, name)))
        return self.call_value(exact(fallback), [exact(obj), exact(name)], {}, event.node)

    def is_module_like(self, obj: Any) -> bool:
        """Whether the instance keeps its parts the way ``torch.nn.Module`` does (its own lookup reads dictionaries only)."""
        return any(base.__module__ == "torch.nn.modules.module" for base in type(obj).__mro__)

    def _descriptor(self, obj: Any, found: Any, event: Event) -> Value:
        kind = type(obj)
        if isinstance(found, property):
            if found.fget is None:
                return exact(self.attempt(event, lambda: found.__get__(obj, kind)))
            if isinstance(found.fget, types.FunctionType) and not (
                is_genuine(found.fget) and _known_function(found.fget)
            ):
                return self.call_value(exact(found.fget), [exact(obj)], {}, event.node)
            if getattr(type(found.fget), "__crane_callable__", False):
                return self.call_value(exact(found.fget), [exact(obj)], {}, event.node)
            return self.heap.wrap(self._read_property(obj, event))
        if isinstance(found, functools.cached_property):
            if isinstance(found.func, types.FunctionType):
                return self.call_value(exact(found.func), [exact(obj)], {}, event.node)
            raise Abandon("a cached property")
        if isinstance(found, types.FunctionType):
            return exact(types.MethodType(found, obj))
        if isinstance(found, types.MethodDescriptorType) and is_library_type(kind):
            return exact(found.__get__(obj, kind))
        if isinstance(found, (classmethod, staticmethod)) or getattr(type(found), "__crane_callable__", False):
            return exact(found.__get__(obj, kind))
        if is_library_type(type(found)):
            survey = self.surveyor.look([found])
            if survey.own or survey.live:
                disturb_by_code(self, referents(found))
                raise Abandon("a descriptor over code of the notebook")
            return self.heap.wrap(self._read_property(obj, event))
        raise Abandon("a descriptor of the notebook")

    def _read_property(self, obj: Any, event: Event) -> Any:
        name = event.name or ""
        if not is_library_type(type(obj)) and not self.is_module_like(obj) and not self.heap.made(obj):
            raise Abandon("a library's property on an object of the notebook")
        survey = self.surveyor.look([obj])
        if survey.opaque and is_library_type(type(obj)) and not self.heap.made(obj):
            raise Abandon(survey.why)
        if name not in _FREE and not self.budget.affords(2e-5 + survey.weight * 2e-9):
            raise Abandon("too much data to read")
        reader = (
            obj if name in ("index", "columns") else self.heap.reading(obj)
        )  # an axis is the very object that the frame holds
        return self.quiet_call(event, lambda: getattr(reader, name))

    # --- writing -----------------------------------------------------------------------------------

    def store_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """``owner.name = value`` on an overlay copy."""
        event = Event("store", node, operands=[owner, value], name=name, mechanism="attribute")
        if self.apply_rules(event) is not None:
            return
        owner = self.heap.current(owner)
        if owner.kind == PARTIAL:
            if not owner.domain.store_attribute(self, event, owner, name, value):
                self.havoc([owner, value], node, "an attribute set on a stand-in")
            return
        if not owner.exact:
            self.havoc([owner, value], node, "an attribute set on an unknown value")
            return
        obj = self.heap.resolve(owner.obj)
        kind = type(obj)
        if isinstance(obj, (types.ModuleType, type)):
            self.write_module(obj, name, value)
            return
        from .domains import library_store_attribute

        if library_store_attribute(self, event, obj, name, value):
            return
        setter = static_lookup(kind, "__setattr__")
        usual = setter is object.__setattr__ or setter is BaseException.__setattr__
        found = static_lookup(kind, name)
        if usual and isinstance(found, property):
            if found.fset is not None and self.is_interpretable(found.fset):
                self.call_value(exact(found.fset), [exact(obj), value], {}, node)
                return
            if found.fset is None and (found.fget is None or isinstance(found.fget, types.FunctionType)):
                self.attempt(event, lambda: object.__setattr__(obj, name, None))
        elif usual and (found is _MISSING or not hasattr(type(found), "__set__")):
            if instance_dict(obj) is None:
                if kind in ATOMS or kind in _SAMPLES or kind.__module__ == "builtins":
                    self.attempt(
                        event, lambda: object.__setattr__(obj, name, None)
                    )  # cannot succeed: there is nowhere to put it
                self.havoc([owner, value], node, "an attribute without a dictionary")
                return
            target = self.heap.writable(obj)
            if target is not None:
                instance_dict(target)[name] = self.heap.lower(value)  # type: ignore[index]
                return
        elif self.is_interpretable(setter) and not _library_made(setter):
            self.call_value(exact(setter), [exact(obj), exact(name), value], {}, node)
            return
        self.havoc([owner, value], node, "an attribute that the object's class handles itself")

    def write_module(self, obj: Any, name: str, value: Value) -> None:
        """A module's or class's attribute is replaced: later reads see ``value``; the live one is left alone."""
        self.lose(None, "a module or class is changed")
        if isinstance(obj, types.ModuleType) or is_library_type(obj):
            self.world.unsettle(root_of(obj) if isinstance(obj, type) else obj.__name__.split(".")[0])
        self.module_writes[(id(obj), name)] = unknown(reach=value.reach)

    def delete_attribute(self, owner: Value, name: str, node: ast.AST) -> None:
        """``del owner.name``."""
        event = Event("delete", node, operands=[owner], name=name)
        if owner.exact and isinstance(owner.obj, (type, types.ModuleType)):
            self.write_module(owner.obj, name, unknown())
        elif owner.exact:
            obj = self.heap.resolve(owner.obj)
            own = instance_dict(obj)
            plain = static_lookup(type(obj), "__delattr__") is object.__delattr__
            if plain and own is not None and static_lookup(type(obj), name) is _MISSING:
                if name not in own:
                    self.attempt(event, lambda: object.__delattr__(obj, name))
                target = self.heap.writable(obj)
                if target is not None:
                    del instance_dict(target)[name]  # type: ignore[union-attr]
                    return
        self.havoc([owner], node, "a deleted attribute")


def static_lookup(kind: Any, name: str) -> Any:
    """The class attribute that instances see under ``name``, unbound; ``_MISSING`` where none."""
    for base in type.__getattribute__(kind, "__mro__"):
        table = type.__getattribute__(base, "__dict__")
        if name in table:
            return table[name]
    return _MISSING


def bare_instance(name: str) -> Any:
    """An empty object whose class has this name, for Python's own words about what a notebook class does not support."""
    return type(name, (), {})()


def is_missing(found: Any) -> bool:
    """Whether :func:`static_lookup` found nothing."""
    return found is _MISSING


def is_data_descriptor(found: Any) -> bool:
    """Whether a class attribute wins over the instance's own."""
    return hasattr(type(found), "__set__") or hasattr(type(found), "__delete__")


def instance_dict(obj: Any) -> dict[str, Any] | None:
    """The instance dictionary, read without the object's help; None where there is none."""
    try:
        found = object.__getattribute__(obj, "__dict__")
    except Exception:  # slots, or an object that is not fully made
        return None
    return found if type(found) is dict else None


def _library_made(function: Any) -> bool:
    if isinstance(function, types.FunctionType):
        return is_genuine(function) and _known_function(function)
    return isinstance(function, (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType))


def _known_function(function: types.FunctionType) -> bool:
    from .purity.libraries import KNOWN

    root = (function.__module__ or "").partition(".")[0]
    return root in KNOWN or root in STANDARD
