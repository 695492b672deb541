"""Classes of the notebook: defining them, and making instances by interpreting ``__init__``."""

from __future__ import annotations

import abc
import ast
import dataclasses
import types
from typing import Any

from .attributes import instance_dict, is_missing, static_lookup
from .binding import stub_for
from .control import Ended
from .events import Event
from .machine import Machine
from .models import library_of_class
from .purity.libraries import is_library_type
from .scope import DELETED, Scope
from .values import Abandon, Value, exact, unknown


class _ClassBox:
    """The class under construction: its functions look it up here when they call ``super()``."""

    def __init__(self, qualname: str) -> None:
        self.qualname = qualname
        self.cls: Any = None


class Classes(Machine):
    """Mixin: classes."""

    def stmt_ClassDef(self, node: ast.ClassDef) -> None:
        decorators = [(self.eval(decorator), decorator) for decorator in node.decorator_list]
        bases = [self.eval(base) for base in node.bases]
        keywords = {keyword.arg: self.eval(keyword.value) for keyword in node.keywords}
        if any(
            _prepares(meta) for meta in [*(type(b.obj) for b in bases if b.exact), *(v.obj for v in keywords.values())]
        ):
            raise Ended()  # the body's names come from the metaclass
        scope = Scope(self.journal, None, self.frame.scope)
        box = _ClassBox(node.name)
        scope.is_class, scope.class_box = True, box  # type: ignore[attr-defined]
        outer, self.frame.scope = self.frame.scope, scope
        try:
            self.block(node.body)
        finally:
            self.frame.scope = outer
        value = self._make_class(node, bases, keywords, scope)
        box.cls = value.obj if value.exact else None
        for decorator, where in reversed(decorators):
            value = self._decorate_class(decorator, value, where)
        self.bind_name(node.name, value, node)

    def _decorate_class(self, decorator: Value, value: Value, node: ast.AST) -> Value:
        return self.call_value(decorator, [value], {}, node)

    def _make_class(self, node: ast.ClassDef, bases: list[Value], keywords: dict[Any, Value], scope: Scope) -> Value:
        if (
            not all(base.exact for base in bases)
            or keywords
            or any(v is not None and v is not DELETED and not isinstance(v, Value) for v in scope.vars.values())
            or any(_named_by_class(v) for v in scope.vars.values())
        ):
            return self._class_not_made(node, bases, keywords, scope)
        real = tuple(base.obj for base in bases)
        event = Event("call", node, operands=bases, mechanism="class")
        if not all(isinstance(base, type) for base in real):
            raise Abandon("a base that is no class")
        for base in real:
            if not self._derivable(base):
                return self._class_not_made(node, bases, keywords, scope)
        body = {name: self.heap.lower(value) for name, value in scope.vars.items() if isinstance(value, Value)}
        body["__module__"] = "__main__"
        body["__qualname__"] = node.name
        made = self.attempt(
            event, lambda: types.new_class(node.name, real, {}, lambda namespace: namespace.update(body))
        )
        return exact(made)

    def _class_not_made(
        self, node: ast.ClassDef, bases: list[Value], keywords: dict[Any, Value], scope: Scope
    ) -> Value:
        """Code of the notebook may run as the class is made: metaclasses, ``__init_subclass__``, ``__set_name__``.

        Where it does, the walk ends: such code keeps lists of classes, and counts them.
        """
        if _runs_as_made(bases, keywords, scope):
            raise Ended()
        body = [value for value in scope.vars.values() if _named_by_class(value)]
        self.havoc([*bases, *keywords.values(), *body], node, "a class that is not made")
        return unknown(type, (self.namespace,))

    def _derivable(self, base: type) -> bool:
        """Whether deriving from ``base`` for real runs nothing of the person's and leaves no trace."""
        if type(base) not in (type, abc.ABCMeta):
            return False
        if (
            not is_missing(static_lookup(base, "__init_subclass__"))
            and static_lookup(base, "__init_subclass__") is not object.__dict__["__init_subclass__"]
        ):
            library = library_of_class(base)
            return library is not None and library.class_base(base)
        if is_library_type(base):
            library = library_of_class(base)
            return (
                base.__module__ in ("builtins", "abc", "collections", "enum")
                and base.__name__ != "Enum"
                or (library is not None and library.class_base(base))
            )
        return True

    # --- instances ---------------------------------------------------------------------------------

    def instantiate(self, cls: type, call: Any) -> Value:
        """An instance of a class of the notebook."""
        if type(cls) not in (type, abc.ABCMeta):
            raise Abandon("a class with a metaclass of its own")
        if not is_missing(static_lookup(cls, "__del__")):
            raise Abandon("a class with a finaliser")
        for base in cls.__mro__:
            if is_library_type(base) and base.__module__ != "builtins":
                library = library_of_class(base)
                made = library.construct(self, cls, call) if library is not None else None
                if made is not None:
                    return made
                if base.__module__ not in ("abc", "typing", "collections.abc", "_collections_abc"):
                    raise Abandon("a class derived from a library's")
        if issubclass(cls, BaseException):
            return self._new_exception(cls, call)
        if not call.complete:
            raise Abandon("a starred argument that is not known")
        if cls.__new__ is not object.__new__:
            return self._new_container(cls, call)
        init = static_lookup(cls, "__init__")
        if init is object.__dict__["__init__"]:
            args = [None] * len(call.args)
            obj = self.attempt(call.event, lambda: object.__new__(cls, *args, **dict.fromkeys(call.kwargs)))
            return self.heap.own(obj)
        obj = self.attempt(call.event, lambda: object.__new__(cls))
        value = self.heap.own(obj)
        self.initialise(cls, init, value, call)
        return value

    def initialise(self, cls: type, init: Any, value: Value, call: Any) -> None:
        """Run ``__init__`` by interpretation."""
        if (
            dataclasses.is_dataclass(cls)
            and isinstance(init, types.FunctionType)
            and init.__code__.co_filename == "<string>"
        ):
            return self._dataclass_init(cls, init, value, call)
        if not self.is_interpretable(init):
            raise Abandon("a class initialised by a library")
        result = self.call_value(exact(init), [value, *call.args], call.kwargs, call.node, call.complete)
        del result
        return None

    def _dataclass_init(self, cls: type, init: Any, value: Value, call: Any) -> None:
        stub = stub_for(init)
        try:
            bound = stub(value, *call.args, **call.kwargs)
        except TypeError as error:
            raise self.fail(error, call.event) from None
        own = instance_dict(value.obj)
        if own is None:
            raise Abandon("a dataclass with slots")
        for field in dataclasses.fields(cls):
            if field.name in bound:
                given = bound[field.name]
                if isinstance(given, Value):
                    own[field.name] = self.heap.lower(given)
                elif field.default_factory is not dataclasses.MISSING:
                    own[field.name] = self.heap.lower(self.call_value(exact(field.default_factory), [], {}, call.node))
                else:
                    own[field.name] = given
        post = static_lookup(cls, "__post_init__")
        if not is_missing(post):
            passed = [bound[name] for name, field in fields_of(cls).items() if _only_passed(field)]
            values = [given if isinstance(given, Value) else exact(given) for given in passed]
            self.call_value(exact(post), [value, *values], {}, call.node)
        return None

    def _new_exception(self, cls: type, call: Any) -> Value:
        init = static_lookup(cls, "__init__")
        own = self.is_interpretable(init)
        known = call.exact and not self.surveyor.look([v.obj for v in call.args]).opaque
        if cls.__new__ not in (BaseException.__new__, Exception.__new__) and not isinstance(
            cls.__new__, types.BuiltinFunctionType
        ):
            raise Abandon("an exception class with a constructor of its own")
        if (
            not known
            or not is_missing(static_lookup(cls, "__str__"))
            and self.is_interpretable(static_lookup(cls, "__str__"))
        ):
            return unknown(cls)
        obj = self.attempt(call.event, lambda: cls.__new__(cls, *[v.obj for v in call.args]))
        value = self.heap.own(obj)
        if own:
            self.call_value(exact(init), [value, *call.args], call.kwargs, call.node)
            if self.heap.is_dirty(value.obj):  # something that is not followed had it: its words are not known
                return unknown(cls)
        return value

    def _new_container(self, cls: type, call: Any) -> Value:
        base = next((b for b in cls.__mro__ if b in (dict, list, set)), None)
        init = static_lookup(cls, "__init__")
        if base is None or cls.__new__ is not base.__new__:
            raise Abandon("a class with a constructor of its own")
        value = self.heap.own(base.__new__(cls))  # type: ignore[call-overload]
        if self.is_interpretable(init):
            self.call_value(exact(init), [value, *call.args], call.kwargs, call.node)
            return value
        raise Abandon("a container class of the notebook")

    # --- super -------------------------------------------------------------------------------------

    def super_value(self, node: ast.Call) -> Value:
        """``super()`` inside an interpreted method."""
        frame = next((f for f in reversed(self.frames) if f.defining_class is not None), None)
        if frame is None or frame.self_value is None or frame.self_value.unknown:
            return self.havoc([], node, "super() of an unknown class")
        return self.super_of(frame.defining_class, frame.self_value.obj)

    def super_of(self, cls: Any, obj: Any) -> Value:
        """``super(cls, obj)``, with the class that stands for ``cls`` in the instance's own line of classes."""
        kind = obj if isinstance(obj, type) else type(obj)
        for base in kind.__mro__:
            if base is cls or vars(base).get("__crane_shadow__") is cls:
                return exact(SuperProxy(base, self.heap.resolve(obj)))
        raise Abandon("super() of a class that is not a base")


def _prepares(meta: Any) -> bool:
    """Whether a metaclass of the notebook gives the class body a namespace of its own."""
    return (
        isinstance(meta, type)
        and not is_library_type(meta)
        and "__prepare__" in {n for b in meta.__mro__[:-2] for n in vars(b)}
    )


def _named_by_class(value: Any) -> bool:
    """Whether a value in a class body has a ``__set_name__`` of the notebook's, which runs when the class is made."""
    if not isinstance(value, Value) or not value.exact or is_library_type(type(value.obj)):
        return False
    return not is_missing(static_lookup(type(value.obj), "__set_name__"))


def _runs_as_made(bases: list[Value], keywords: dict[Any, Value], scope: Scope) -> bool:
    """Whether making the class certainly runs a function of the notebook."""
    known = [base.obj for base in bases if base.exact and isinstance(base.obj, type)]
    metas = [type(base) for base in known] + [value.obj for value in keywords.values() if value.exact]
    if any(isinstance(meta, type) and issubclass(meta, type) and not is_library_type(meta) for meta in metas):
        return True
    if any(_of_notebook(static_lookup(base, "__init_subclass__")) for base in known):
        return True
    return any(_named_by_class(value) for value in scope.vars.values())


def _of_notebook(hook: Any) -> bool:
    function = getattr(hook, "__func__", hook)
    if getattr(type(function), "__crane_callable__", False):
        return True
    return isinstance(function, types.FunctionType) and function.__module__ == "__main__"


def fields_of(cls: type) -> dict[str, Any]:
    """The fields of a dataclass, with those that are only passed on."""
    return vars(cls).get("__dataclass_fields__") or getattr(cls, "__dataclass_fields__", {})


def _only_passed(field: Any) -> bool:
    """Whether a dataclass field is an ``InitVar``: an argument for ``__post_init__``."""
    return getattr(getattr(field, "_field_type", None), "name", "") == "_FIELD_INITVAR"


class SuperProxy:
    """What ``super()`` gives: attributes are looked up behind ``cls`` in the line of classes of ``obj``."""

    def __init__(self, cls: type, obj: Any) -> None:
        self.cls = cls
        self.obj = obj

    def find(self, name: str) -> Any:
        """The class attribute behind ``cls``; ``NotImplemented`` where there is none."""
        kind = self.obj if isinstance(self.obj, type) else type(self.obj)
        line = kind.__mro__
        for base in line[line.index(self.cls) + 1 :]:
            if name in vars(base):
                return vars(base)[name]
        return NotImplemented
