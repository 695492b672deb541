"""Functions of the notebook: defining, finding their source, binding arguments, interpreting calls, generators, comprehensions."""

from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import types
from typing import Any

from .binding import stub_for
from .control import Ended, Exit, Region
from .generators import GeneratorManager
from .machine import Machine
from .models import library_of_class
from .scope import GlobalScope, Names, Scope
from .source import find_source
from .streams import Awaitable
from .values import ATOMS, Abandon, OutOfBudget, Raised, Value, exact, unknown
from .watch import unwatched

CALLBACK_STEPS = 20_000


def _stub_body() -> Any:
    yield None


class InterpretedFunction:
    """A function of the notebook as the interpreter sees it: defined by the cell, or a live one with its source.

    Library code may be given one as a call-back: calling it interprets the body on exact arguments.
    """

    __crane_callable__ = True

    def __init__(
        self, interpreter: Any, node: Any, name: str, closure: Scope | None, globals_: GlobalScope, live: Any = None
    ) -> None:
        self.interpreter = interpreter
        self.node = node
        self.closure = closure
        self.globals = globals_
        self.live = live
        self.names = Names(node)
        self.in_cell = live is None and interpreter.frame.in_cell
        self.owner: Any = getattr(interpreter.frame.scope, "class_box", None)
        self.defaults: tuple[Value, ...] = ()
        self.kwdefaults: dict[str, Value] = {}
        self.under: Value | None = None  # the manager that a decorator enters around each call
        self.manages = False  # a generator function under ``contextlib.contextmanager``
        self.__name__ = name
        self.__qualname__ = live.__qualname__ if live is not None else _qualname(interpreter, name)
        self.__module__ = "__main__"
        self.__doc__ = None if isinstance(node, ast.Lambda) else ast.get_docstring(node)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.interpreter.run_callback(self, args, kwargs)

    def __get__(self, obj: Any, owner: Any = None) -> Any:
        return self if obj is None else types.MethodType(self, obj)

    def held(self) -> list[Any]:
        """The objects that its code reaches apart from global names."""
        found: list[Any] = []
        for value in (*self.defaults, *self.kwdefaults.values()):
            found.extend([value.obj] if value.exact else value.reach)
        scope = self.closure
        while scope is not None and scope is not self.globals:
            for value in scope.vars.values():
                if isinstance(value, Value):
                    found.extend([value.obj] if not value.unknown else value.reach)
            scope = scope.parent
        return found

    @property
    def stub(self) -> Any:
        """A function with the same parameters that returns its arguments."""
        base = self.live if self.live is not None else _stub_function(self.node, self.__name__)
        made = stub_for(base)
        made.__qualname__ = self.__qualname__
        made.__defaults__ = self.defaults or None
        made.__kwdefaults__ = self.kwdefaults or None
        return made

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.live if self.live is not None else _stub_function(self.node, self.__name__))


class Functions(Machine):
    """Mixin: functions."""

    def setup_functions(self) -> None:
        self.regions: list[Region] = [Region()]
        self.managers: list[Value] = []  # of the with statements that are being walked
        self.module_writes: dict[tuple[int, str], Value] = {}
        self.call_nodes: list[Any] = []
        self.waiting: list[Any] = []  # generators that are suspended inside a ``try`` or ``with``
        self.callback_limit: int | None = None
        self.callbacks_lost = 0  # calls from library code that were not followed to their end
        self._live_functions: dict[int, InterpretedFunction] = {}
        self._cell_scopes: dict[int, Scope] = {}  # closure cells of live functions
        self._kept: list[Any] = []

    # --- definitions -------------------------------------------------------------------------------

    def stmt_FunctionDef(self, node: Any) -> None:
        decorators = [(self.eval(decorator), decorator) for decorator in node.decorator_list]
        value = self.make_function(node, node.name)
        for decorator, where in reversed(decorators):
            value = self._decorate(decorator, value, where)
        self.bind_name(node.name, value, node)

    stmt_AsyncFunctionDef = stmt_FunctionDef

    def _decorate(self, decorator: Value, value: Value, node: ast.AST) -> Value:
        if decorator.exact and decorator.obj in (property, staticmethod, classmethod):
            return exact(decorator.obj(value.obj))
        key = getattr(decorator.obj, "__module__", "") if decorator.exact else ""
        if (
            decorator.exact
            and str(key).startswith("torch")
            and any(
                word in type(decorator.obj).__name__ + str(getattr(decorator.obj, "__name__", ""))
                for word in ("no_grad", "inference_mode", "enable_grad")
            )
        ):
            if isinstance(value.obj, InterpretedFunction):
                value.obj.under = Value(
                    "partial", None, decorator.obj if isinstance(decorator.obj, type) else type(decorator.obj)
                )
            return value
        if decorator.exact and isinstance(decorator.obj, types.MethodType):  # @name.setter of a property being built
            owner = decorator.obj.__self__
            if isinstance(owner, property):
                return exact(getattr(owner, decorator.obj.__name__)(value.obj))
        if (
            decorator.exact
            and isinstance(decorator.obj, types.BuiltinMethodType)
            and isinstance(getattr(decorator.obj, "__self__", None), property)
        ):
            return exact(decorator.obj(value.obj))
        return self.call_value(decorator, [value], {}, node)

    def make_function(self, node: Any, name: str) -> Value:
        """The function that a ``def`` or ``lambda`` makes here."""
        scope = self.frame.scope
        defaults = tuple(self.eval(default) for default in node.args.defaults)
        kwdefaults = {
            arg.arg: self.eval(default)
            for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults)
            if default is not None
        }
        closure: Scope | None = scope
        while closure is not None and getattr(closure, "is_class", False):
            closure = closure.parent
        made = InterpretedFunction(
            self, node, name, None if closure is self.frame.globals else closure, self.frame.globals
        )
        made.defaults, made.kwdefaults = defaults, kwdefaults
        return exact(made)

    def function_of(self, func: types.FunctionType) -> InterpretedFunction:
        """A live function of the notebook, ready to be interpreted; raises :class:`Abandon` where its source is not to be had."""
        found = self._live_functions.get(id(func))
        if found is not None:
            return found
        node = self.source_of(func)
        if node is None:
            raise Abandon(f"the source of {func.__name__} is not known")
        scope = self.scope_of_globals(func.__globals__)
        closure = self._live_closure(func)
        made = InterpretedFunction(self, node, func.__name__, closure, scope, live=func)
        made.owner = _class_cell(func)
        made.defaults = tuple(exact(default) for default in func.__defaults__ or ())
        made.kwdefaults = {name: exact(default) for name, default in (func.__kwdefaults__ or {}).items()}
        self._live_functions[id(func)] = made
        self._kept.append(func)
        return made

    def managing(self, func: Any) -> InterpretedFunction | None:
        """The function behind one that ``contextlib.contextmanager`` made, ready to be interpreted; None for any other."""
        inner = getattr(func, "__wrapped__", None) if isinstance(func, types.FunctionType) else None
        if not isinstance(inner, types.FunctionType) or func.__code__ not in _MANAGING:
            return None
        made = copy.copy(self.function_of(inner))
        made.manages = True
        return made

    def _live_closure(self, func: types.FunctionType) -> Scope:
        """The scope of a live function's free names: functions that share a cell share the scope that stands for it."""
        cells = [(n, c) for n, c in zip(func.__code__.co_freevars, func.__closure__ or ()) if n != "__class__"]
        scopes = {id(s): s for s in (self._cell_scopes.get(id(cell)) for _, cell in cells) if s is not None}
        closure = next(iter(scopes.values()), None) or Scope(self.journal)
        if len(scopes) > 1:
            raise Abandon("functions that share variables in more than one way")
        for name, cell in cells:
            if id(cell) in self._cell_scopes:
                continue
            if name in closure.vars:
                raise Abandon("functions that share variables of the same name")
            self._cell_scopes[id(cell)] = closure
            try:
                closure.vars[name] = exact(cell.cell_contents)
            except ValueError:
                continue
        return closure

    def known_function(self, func: types.FunctionType) -> InterpretedFunction | None:
        """The live function as it has been interpreted before, or None."""
        return self._live_functions.get(id(func))

    def scope_of_globals(self, namespace: dict[str, Any]) -> GlobalScope:
        """The scope of a live function's global names."""
        if namespace is self.namespace:
            return self.module_scope
        return GlobalScope(self.journal, namespace, self.heap)

    def source_of(self, func: Any) -> Any:
        """The syntax tree of a function, or None."""
        if isinstance(func, InterpretedFunction):
            return func.node
        return find_source(func) if isinstance(func, types.FunctionType) else None

    # --- calls -------------------------------------------------------------------------------------

    def invoke(self, func: InterpretedFunction, call: Any, self_value: Value | None = None) -> Value:
        """Interpret a call of a notebook function."""
        if not call.complete:
            raise Abandon("a starred argument that is not known")
        args = call.args if self_value is None else [self_value, *call.args]
        try:
            bound = func.stub(*args, **call.kwargs)
        except TypeError as error:
            raise self.fail(error, call.event) from None
        return self.run_function(func, bound, call.node)

    def run_function(self, func: InterpretedFunction, bound: dict[str, Any], node: Any) -> Value:
        """Interpret a function's body with its parameters bound."""
        scope = Scope(self.journal, func.names, func.closure)
        for name, value in bound.items():
            if isinstance(value, Value):
                scope.vars[name] = value
            elif isinstance(value, tuple):
                scope.vars[name] = exact(tuple(self.heap.lower(item) for item in value))
            else:
                scope.vars[name] = self.heap.own({key: self.heap.lower(item) for key, item in value.items()})
        if func.names.is_generator:
            made = self.generator_of(func, scope, node)
            return exact(GeneratorManager(made) if func.manages else made)
        if func.names.deferred:
            frame = self.frame_of_call(func, scope, node)
            held = (func, *(r for v in scope.vars.values() for r in ((v.obj,) if v.exact else v.reach)))
            return exact(Awaitable("coroutine", lambda: self._activation(func, frame), held))
        frame = self.frame_of_call(func, scope, node)
        if func.under is None:
            return self._activation(func, frame)
        self.managers.append(func.under)
        try:
            return self._activation(func, frame)
        finally:
            self.managers.pop()

    def frame_of_call(self, func: InterpretedFunction, scope: Scope, node: Any) -> Any:
        """The activation of a call."""
        from .interpreter import Frame

        frame = Frame(scope, func.globals, func.in_cell, node)
        frame.defining_class = getattr(func.owner, "cls", func.owner)
        first = next(iter(scope.vars.values()), None)
        frame.self_value = first if isinstance(first, Value) else None
        return frame

    def _activation(self, func: InterpretedFunction, frame: Any) -> Value:
        self.enter(frame)
        depth = len(self.frames)
        try:
            if isinstance(func.node, ast.Lambda):
                return self.eval(func.node.body)
            result, maybe = self.region(lambda: self.block(func.node.body))
        finally:
            del self.frames[depth - 1 :]
        values = [found.value for found in maybe if found.kind == "return" and found.value is not None]
        if result is None:
            values.append(exact(None))
        elif result.kind == "return" and result.value is not None:
            values.append(result.value)
        elif result.kind == "end":
            raise Ended()
        if not values:
            return unknown(reach=(self.namespace,))
        return self.heap.current(values[0]) if len(values) == 1 else self.join_values(values)

    def run_callback(self, func: InterpretedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Called by library code that was given ``func``: interpret it and hand back a real object."""
        with unwatched():
            try:
                return self._run_callback(func, args, kwargs)
            except (Abandon, OutOfBudget):
                self.callbacks_lost += 1  # the library may go on all the same
                raise

    def _run_callback(self, func: InterpretedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.callback_limit is not None and self.budget.steps < self.callback_limit:
            raise Abandon("a call-back that is called too often")
        given = (*args, *kwargs.values())  # the library may hand out one object again and again, changed
        self.heap.readers.forget(given)
        before = [self.heap.resolve(arg) for arg in given]
        values = [self._received(arg) for arg in args]
        named = {name: self._received(arg) for name, arg in kwargs.items()}
        node = self.call_nodes[-1] if self.call_nodes else None
        stub = func.stub
        try:
            bound = stub(*values, **named)
        except TypeError as error:  # the library gives it other arguments than it takes
            raise error.with_traceback(None) from None
        try:
            result = self.run_function(func, bound, node)
        except Raised as raised:
            if raised.error is None:
                raise Abandon("a call-back raises something not known") from None
            self.callback_events[id(raised.error)] = raised.event
            self._kept.append(raised.error)
            raise raised.error from None
        except Exception:  # the library would take our own error for one of the cell's
            raise Abandon("a call-back that is not followed") from None
        finally:
            self.heap.readers.forget(given)
        if any(self.heap.resolve(arg) is not old or self.heap.is_dirty(old) for arg, old in zip(given, before)):
            raise Abandon("a call-back changes what it is given")  # the library holds the object itself
        if result.unknown:
            raise Abandon("a call-back gives an unknown value")
        if result.exact and self.surveyor.look([result.obj]).opaque:
            raise Abandon("a call-back gives a value that is not known in full")
        return result.obj

    def _received(self, obj: Any) -> Value:
        """What library code hands to a call-back, as a value."""
        library = library_of_class(type(obj)) if type(obj) not in ATOMS else None
        found: Value | None = library.received(self, obj) if library is not None else None
        return found if found is not None else self.heap.wrap(obj)


# The code of what contextlib's decorators make of a generator function.
_MANAGING = tuple(
    decorate(_stub_body).__code__ for decorate in (contextlib.contextmanager, contextlib.asynccontextmanager)
)


def _qualname(interpreter: Any, name: str) -> str:
    scope = interpreter.frame.scope
    box = getattr(scope, "class_box", None)
    if box is not None:
        return f"{box.qualname}.{name}"
    for frame in reversed(interpreter.frames):
        if frame.scope is not frame.globals and frame.scope.names is not None:
            return f"{getattr(frame, 'qualname', None) or 'f'}.<locals>.{name}"
    return name


def _class_cell(func: types.FunctionType) -> Any:
    for name, cell in zip(func.__code__.co_freevars, func.__closure__ or ()):
        if name == "__class__":
            try:
                return cell.cell_contents
            except ValueError:
                return None
    return None


_stub_functions: dict[int, tuple[Any, Any]] = {}


def _stub_function(node: Any, name: str) -> Any:
    """A real function with the parameters of a ``def`` or ``lambda`` (every default None), for binding."""
    found = _stub_functions.get(id(node))
    if found is not None and found[0] is node:
        return found[1]
    none = ast.Constant(None)
    source = node.args
    args = ast.arguments(
        posonlyargs=_bare(source.posonlyargs),
        args=_bare(source.args),
        vararg=_bare([source.vararg])[0] if source.vararg else None,
        kwonlyargs=_bare(source.kwonlyargs),
        kw_defaults=[none if default is not None else None for default in source.kw_defaults],
        kwarg=_bare([source.kwarg])[0] if source.kwarg else None,
        defaults=[none] * len(source.defaults),
    )
    lambda_ = ast.fix_missing_locations(ast.Expression(ast.Lambda(args, none)))
    made = eval(compile(lambda_, "<crane>", "eval"), {})  # parameters only: nothing of the cell runs
    made.__name__ = made.__qualname__ = name
    if len(_stub_functions) > 500:
        _stub_functions.clear()
    _stub_functions[id(node)] = (node, made)
    return made


def _bare(arguments: list[Any]) -> list[ast.arg]:
    return [ast.arg(argument.arg, None) for argument in arguments]


__all__ = ["Exit", "Functions", "InterpretedFunction"]
