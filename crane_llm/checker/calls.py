"""Who handles a call: a rule that sees it must raise, a model of what it changes, the call for real when it is pure, the notebook's
own code interpreted; otherwise it is unknown, and what it can reach may have changed."""

from __future__ import annotations

import ast
import collections
import types
from typing import Any, Callable

from . import frames
from .binding import binding_error
from .callbacks import interpreted
from .effects import disturb_by_code
from .events import Event
from .generators import GeneratorMethod
from .machine import Machine
from .models import model_for
from .purity.libraries import is_library_type, is_user_function, root_of
from .purity.outputs import writes_on_argument
from .purity.registry import Pure, key_of, registry
from .purity.survey import is_own
from .quiet import imports_blocked
from .streams import Internal, Stream
from .values import ATOMS, EXACT, PARTIAL, Abandon, Raised, Value, exact, unknown


class PartialMethod:
    """A method of a stand-in, not yet called."""

    __slots__ = ("owner", "name")

    def __init__(self, owner: Value, name: str) -> None:
        self.owner = owner
        self.name = name


class Call:
    """One call: the callee and its arguments as values. ``complete`` is False where a starred argument is unknown."""

    __slots__ = ("func", "args", "kwargs", "node", "complete", "key", "event", "interpreter")

    def __init__(
        self, interpreter: Any, func: Any, args: list[Value], kwargs: dict[str, Value], node: Any, complete: bool
    ) -> None:
        self.interpreter = interpreter
        self.func = func
        self.args = args
        self.kwargs = kwargs
        self.node = node
        self.complete = complete
        self.key = key_of(func) or ""
        self.event = Event("call", node, interpreter, key=self.key, operands=self.operands(), args=args, kwargs=kwargs)

    @property
    def receiver(self) -> Any:
        """The object that a bound method is bound to, or None."""
        if isinstance(self.func, type) or not is_library_type(type(self.func)):
            return None  # asking for an attribute might run the person's code
        owner = getattr(self.func, "__self__", None)
        return None if isinstance(owner, types.ModuleType) else owner

    def operands(self) -> list[Value]:
        owner = self.receiver
        first = [] if owner is None else [self.interpreter.heap.wrap(owner)]
        return first + self.args + list(self.kwargs.values())

    @property
    def exact(self) -> bool:
        """Whether every argument is exact (the receiver aside)."""
        return (
            self.complete
            and all(v.kind is EXACT for v in self.args)
            and all(v.kind is EXACT for v in self.kwargs.values())
        )

    def argument(self, position: int, name: str, default: Any = None) -> Any:
        """The value of an argument by position or keyword, or ``default``."""
        if position < len(self.args):
            return self.args[position]
        return self.kwargs.get(name, default)


class Calls(Machine):
    """Mixin: calls."""

    def call_node(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return self.super_value(node)
        func = self.eval(node.func)
        args: list[Value] = []
        kwargs: dict[str, Value] = {}
        complete = True
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                value = self.eval(argument.value)
                self.check_star(value, argument, func if len(node.args) == 1 else None)
                items = self.unpack_all(value, argument)
                if items is None:
                    complete = False
                else:
                    args.extend(items)
            else:
                args.append(self.eval(argument))
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif (
                value.exact
                and isinstance(value.obj, dict)
                and is_library_type(type(value.obj))
                and all(type(key) is str for key in value.obj)
            ):
                kwargs.update((key, self.heap.wrap(item)) for key, item in self.heap.resolve(value.obj).items())
            elif (
                value.exact
                and isinstance(value.obj, collections.UserDict)
                and is_library_type(type(value.obj))
                and type(value.obj.data) is dict
            ):
                kwargs.update(
                    (str(key), self.heap.wrap(item)) for key, item in self.heap.resolve(value.obj.data).items()
                )
            elif value.exact and (type(value.obj) in ATOMS or type(value.obj) in (list, tuple, set)) and func.exact:
                event = Event("call", keyword.value, operands=[value], mechanism="unpack")
                self.attempt(event, lambda value=value: _named_like(func.obj)(**value.obj))
            else:
                complete = False
        return self.call_value(func, args, kwargs, node, complete)

    def check_star(self, value: Value, node: ast.AST, func: Value | None) -> None:
        """Raise what ``*value`` raises where it certainly cannot be iterated; the words name the callee when it is alone."""
        if not value.exact or not is_library_type(type(value.obj)):
            return
        if any(
            "__iter__" in vars(base) or "__getitem__" in vars(base) for base in type(value.obj).__mro__
        ) or isinstance(value.obj, Internal):
            return
        event = Event("call", node, operands=[value], mechanism="unpack")
        if func is None:
            self.attempt(event, lambda: [*value.obj])
        elif func.exact:
            self.attempt(event, lambda: _named_like(func.obj)(*value.obj))

    def call_value(
        self, func: Value, args: list[Value], kwargs: dict[str, Value], node: Any, complete: bool = True
    ) -> Value:
        """Call a value."""
        self.spend()
        if func.kind == PARTIAL:
            event = Event("call", node, self, operands=[func, *args], args=args, kwargs=kwargs)
            result = func.domain.call(self, event, func, args, kwargs) if complete else None
            return (
                result
                if result is not None
                else self.havoc([func, *args, *kwargs.values()], node, "a call of a stand-in")
            )
        if not func.exact:
            return self.havoc([func, *args, *kwargs.values()], node, "a call of something unknown")
        target = func.obj
        if isinstance(target, PartialMethod):
            owner = target.owner
            event = Event("call", node, self, name=target.name, operands=[owner, *args], args=args, kwargs=kwargs)
            result = owner.domain.call_method(self, event, owner, target.name, args, kwargs) if complete else None
            if result is None:
                return self.havoc([owner, *args, *kwargs.values()], node, "a method of a stand-in")
            return result
        if isinstance(target, GeneratorMethod):
            try:
                if not complete:
                    raise Abandon("a starred argument that is not known")
                return target(self, args, kwargs, node)
            except Abandon:
                return self.havoc(
                    [exact(target.owner), *args, *kwargs.values()], node, "a generator that is not followed"
                )
        call = Call(self, target, args, kwargs, node, complete)
        try:
            result = self._dispatch(call)
        except Abandon as reason:
            return self._unknown_call(call, str(reason))
        return result

    def _dispatch(self, call: Call) -> Value:
        func = call.func
        kind = type(func)
        ruled = self.apply_rules(call.event)
        if ruled is not None:
            return ruled
        if isinstance(func, Internal):
            sample = func.sample()
            if sample is None:
                raise Abandon("a call of an iterator")
            return exact(self.attempt(call.event, lambda: sample()))
        if not _callable(kind):
            return exact(self.attempt(call.event, lambda: func()))
        if getattr(kind, "__crane_callable__", False):
            return self.invoke(func, call)
        plain = func.__func__ if kind is types.MethodType else func
        if getattr(type(plain), "__crane_callable__", False):
            return self.invoke(plain, call, self.heap.wrap(func.__self__))
        model = model_for(call.key, func)
        if model is not None:
            result = model(self, call)
            if result is not None:
                return result
        managing = self.managing(plain)
        if managing is not None:
            return self.invoke(managing, call, self.heap.wrap(func.__self__) if kind is types.MethodType else None)
        if is_user_function(plain):
            return self.invoke(
                self.function_of(plain), call, self.heap.wrap(func.__self__) if kind is types.MethodType else None
            )
        if isinstance(func, type):
            if not is_library_type(func):
                return self.instantiate(func, call)
        elif not is_library_type(kind):
            method = self.type_attribute(exact(func), "__call__")
            if method is not None and self.is_interpretable(method) and not is_library_type(_definer(kind, "__call__")):
                return self.call_value(exact(method), [exact(func), *call.args], call.kwargs, call.node, call.complete)
            raise Abandon("an object of the notebook is called")
        spec = registry().find(call.key)
        if spec is not None:
            result = self.pure_call(call, spec)
            if result is not None:
                return result
        if call.complete:
            error = binding_error(func, call)
            if error is not None:
                raise self.fail(error, call.event)
        raise Abandon(f"{_short(call.key)} is not followed")

    # --- pure calls --------------------------------------------------------------------------------

    def pure_call(self, call: Call, spec: Pure) -> Value | None:
        """The call for real; None where it is not pure with these arguments."""
        values = call.args + list(call.kwargs.values())
        lowered = [self.heap.lower(v) for v in call.args]
        named = {name: self.heap.lower(v) for name, v in call.kwargs.items()}
        if any(is_own(type(obj)) for obj in (*lowered, *named.values())):
            raise Abandon("special methods of the notebook's own class may run")
        try:
            if writes_on_argument(call.func, lowered, named) or not spec.allows(lowered, named):
                return None
        except Exception:  # a condition that the arguments do not even let us evaluate
            return None
        receiver = call.receiver
        objects = [receiver, *lowered, *named.values()] if receiver is not None else [*lowered, *named.values()]
        if spec.consumes:
            lowered = [self.materialise(obj, call) for obj in lowered]
            objects = [obj for obj in objects if not isinstance(obj, Stream)] + lowered
        if call.key.endswith(".__call__"):  # an object that is called may hold functions of the notebook
            objects = [call.func, *objects]
        survey = self.surveyor.look(objects)
        result_type = call.func if isinstance(call.func, type) and is_library_type(call.func) else None
        reach = self._roots_of(values)
        if (
            survey.opaque
            or not call.complete
            or call.key.partition(".")[0] in self.world.unsettled
            or (spec.random and not self.world.random)
            or (spec.files and not self.world.files)
            or (survey.callbacks and not spec.callbacks)
        ):
            if survey.callbacks:
                raise Abandon("a call-back into the notebook")
            if survey.own:
                raise Abandon("special methods of the notebook's own class may run")
            if call.complete and survey.opaque:
                error = binding_error(call.func, call)
                if error is not None:
                    raise self.fail(error, call.event)
            self.lose(call.node, f"{_short(call.key)}: {survey.why or 'not known'}")
            return unknown(result_type, reach)
        if survey.domains:
            result = survey.domains[0].call(self, call.event, exact(call.func), call.args, call.kwargs)
            if result is None:
                self.lose(call.node, f"{_short(call.key)} on a stand-in")
            return result if result is not None else unknown(result_type, reach)
        if not self.budget.affords(spec.seconds(objects if receiver is not None else lowered, named, survey.weight)):
            return self._too_costly(call, result_type, reach, survey.callbacks)
        if survey.callbacks:
            data = objects
            plain = [interpreted(self, obj) for obj in (*lowered, *named.values())]
            held = call.func if receiver is None and call.key.endswith(".__call__") else receiver
            if self.surveyor.look([held, *plain]).live:
                raise Abandon("a call-back into the notebook")
            lowered = [interpreted(self, obj, data) for obj in lowered]
            named = {name: interpreted(self, obj, data) for name, obj in named.items()}
        if spec.random:
            self.world.drawn += 1
        made = self._perform(call, lowered, named)
        if spec.holds and not isinstance(made, (int, float, str, bool, type(None))):
            return unknown(type(made), reach)
        return self.heap.own(made) if spec.makes and type(made) in (list, dict, set) else self.heap.wrap(made)

    def _perform(self, call: Call, lowered: list[Any], named: dict[str, Any]) -> Any:
        from .functions import CALLBACK_STEPS

        limit, self.callback_limit = self.callback_limit, self.budget.steps - CALLBACK_STEPS
        lost = self.callbacks_lost
        self.call_nodes.append(call.node)
        reading = self.heap.reading
        func = call.func
        if type(func) is types.MethodType:
            func = types.MethodType(func.__func__, reading(func.__self__))
        lowered = [reading(obj) for obj in lowered]
        named = {name: reading(obj) for name, obj in named.items()}
        try:
            made = self.quiet_call(call.event, lambda: func(*lowered, **named))
        finally:
            self.call_nodes.pop()
            self.callback_limit = limit
        if self.callbacks_lost != lost:
            raise Abandon("a call-back that is not followed")
        return made

    def _too_costly(self, call: Call, result_type: type | None, reach: tuple[Any, ...], callbacks: list[Any]) -> Value:
        from .domains import domain_for

        domain = domain_for(
            [*([self.heap.wrap(call.receiver)] if call.receiver is not None else []), *call.args, *call.kwargs.values()]
        )
        result = domain.call(self, call.event, exact(call.func), call.args, call.kwargs) if domain is not None else None
        if callbacks:
            if result is None:
                raise Abandon("a call-back on too much data")
            disturb_by_code(self, callbacks)
            self.world.disturb()
        if result is not None:
            return result
        self.lose(call.node, f"{_short(call.key)}: too much data")
        return unknown(result_type, reach)

    def quiet_call(self, event: Event, thunk: Callable[[], Any]) -> Any:
        """Perform library code for real: no module is imported on its behalf."""
        with imports_blocked():
            return self.attempt(event, thunk)

    def materialise(self, obj: Any, call: Call) -> Any:
        """A stream's elements as a list that we own (the callee consumes it); other objects as they are."""
        if not isinstance(obj, Stream):
            return obj
        items = []
        for item in obj.take(self):
            items.append(self.heap.lower(item))
            self.spend()
        return items

    def _roots_of(self, values: list[Value]) -> tuple[Any, ...]:
        """What a result made of ``values`` may be, contain or share state with."""
        roots = [root for v in values for root in ((v.obj,) if v.exact else v.reach) if type(root) not in ATOMS]
        return tuple(roots) if len(roots) <= 16 else (self.namespace,)

    # --- unknown calls -----------------------------------------------------------------------------

    def _unknown_call(self, call: Call, why: str) -> Value:
        """The call is not followed: what the callee can change becomes unknown (see :mod:`frames`)."""
        frame = frames.frame_of(call)
        if frames.ends_process(call.key):
            from .control import Ended

            raise Ended()
        changed = list(frame.changes(call))
        self.may_schedule(call.operands())
        self.lose(call.node, why)
        self.heap.soil([v.obj if v.exact else r for v in changed for r in ((v.obj,) if v.exact else v.reach)])
        operands = [r for v in call.operands() for r in ((v.obj,) if v.exact else v.reach)]
        disturb_by_code(self, [call.func, *operands])
        if frame.names:
            self.module_scope.uncertain = True
        if not frame.silent:
            self.world.disturb()
        elif any(value.known_type is None or _may_name_file(value.known_type) for value in call.operands()):
            self.world.files = False
        self.world.random = self.world.random and frame.silent
        for library in frame.unsettles:
            self.world.unsettle(library)
        reach = self._roots_of(call.operands())
        if isinstance(call.func, types.FunctionType) and call.key.startswith("__main__."):
            reach = (call.func, *reach)  # the result may be a generator, or hold the function
        if isinstance(call.func, type) and not is_library_type(call.func):
            reach = (call.func, *reach)  # whoever is given the instance may run the code of its class
        func_type = call.func if isinstance(call.func, type) and root_of(call.func) else None
        plain_type = func_type if func_type is not None and _plain_construction(func_type) else None
        return unknown(plain_type, reach if len(reach) <= 16 else (self.namespace,))


def _named_like(func: Any) -> Any:
    """A function that does nothing and that Python names in errors as it names ``func``."""

    def stand(*args: Any, **kwargs: Any) -> None:
        return None

    stand.__module__ = getattr(func, "__module__", None) or "builtins"
    stand.__qualname__ = getattr(func, "__qualname__", type(func).__name__)
    return stand


def _may_name_file(kind: type) -> bool:
    """Whether a call that is given such an object may write to a file of that name."""
    return issubclass(kind, str) or hasattr(kind, "__fspath__")


def _plain_construction(cls: type) -> bool:
    """Whether calling the class certainly gives an instance of exactly this class."""
    return type(cls) is type and cls.__new__ is object.__new__


def _callable(kind: type) -> bool:
    return any("__call__" in vars(base) for base in kind.__mro__)


def _definer(kind: type, name: str) -> type:
    return next((base for base in kind.__mro__ if name in vars(base)), kind)


def _short(key: str) -> str:
    parts = key.split(".")
    return parts[-1] if len(parts) < 2 or not parts[-2][:1].isupper() else ".".join(parts[-2:])


__all__ = ["Call", "Calls", "PartialMethod", "Raised"]
