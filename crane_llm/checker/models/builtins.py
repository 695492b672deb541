"""Models: built-in functions that iterate, reflect, or act on the notebook's own objects."""

from __future__ import annotations

import ast
import builtins
import itertools
import types
from collections.abc import Iterator
from typing import Any, Callable

from ..control import Leaving
from ..loops import lists_under
from ..purity.libraries import is_library_type
from ..streams import Stream
from ..values import PARTIAL, Abandon, Hole, Raised, Unfinished, Value, exact, unknown


def _own_method(interp: Any, value: Value, name: str) -> Any:
    """An interpretable method of an object of the notebook's own class, or None."""
    kind = value.known_type
    if kind is None or is_library_type(kind):
        return None
    method = interp.type_attribute(value, name)
    return method if method is not None and interp.is_interpretable(method) else None


def _fits(call: Any, least: int, most: int, keywords: tuple[str, ...] = ()) -> bool:
    return call.complete and least <= len(call.args) <= most and set(call.kwargs) <= set(keywords)


def _len(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 1, 1):
        return None
    value = call.args[0]
    if value.kind == PARTIAL:
        return value.domain.call(interp, call.event, exact(len), call.args, {})
    if not value.exact:
        interp.lose(call.node, "the length of something unknown")
        return unknown(int)
    obj = interp.heap.resolve(value.obj)
    if type(obj) in (list, tuple, dict, set, frozenset, str, bytes, range):
        return exact(len(obj))
    method = _own_method(interp, value, "__len__")
    if method is not None:
        return interp.call_value(exact(method), [value], {}, call.node)
    if not is_library_type(type(obj)) and interp.type_attribute(value, "__len__") is None:
        bare = type(type(obj).__name__, (), {})()
        interp.attempt(call.event, lambda: len(bare))
    return None


def _stream(
    kind: str, least: int, most: int, make: Callable[..., Iterator[Value]], keywords: tuple[str, ...] = ()
) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if not _fits(call, least, most, keywords):
            return None
        walks: list[Any] = []
        sources = (
            call.args[1:]
            if kind in ("map", "filter")
            else call.args[:1]
            if kind in ("enumerate", "reversed")
            else call.args
        )
        ahead = [value for value in sources if _is_generator(value)]
        if ahead and kind == "enumerate" and len(call.args) == 1 and not call.kwargs:
            return exact(_pushed_enumerate(interp, ahead[0].obj))
        if ahead:  # running it ahead would show what the loop around it does too early or too late
            raise Abandon("a generator of the notebook between iterators")
        for value in sources:
            walk = interp.iterate(value, call.node)
            if walk is None:
                return unknown(getattr(builtins, kind), (interp.namespace,))
            walks.append(walk)
        made = Stream(kind, lambda: make(interp, call, walks))
        made.bases = [base for value in sources for base in lists_under(interp, value)]
        return exact(made)

    return handler


def _is_generator(value: Value) -> bool:
    """Whether a value is a generator made by a function of the notebook, not advanced yet."""
    return value.exact and isinstance(value.obj, Stream) and value.obj.push is not None and not value.obj.started


def _pushed_enumerate(interp: Any, source: Stream) -> Stream:
    """``enumerate`` over a generator: each element is handed on as soon as it is yielded."""

    def push(on_item: Callable[[Value], None]) -> None:
        numbers = itertools.count()
        source.take(interp)
        source.push(lambda item: on_item(exact((next(numbers), interp.heap.lower(item)))))  # type: ignore[misc]

    def items() -> Iterator[Value]:
        raise Abandon("a numbered generator outside a loop")
        yield

    made = Stream("enumerate", items, push)
    made.runs = source.runs
    return made


def _enumerate(interp: Any, call: Any, walks: list[Iterator[Value]]) -> Iterator[Value]:
    start = call.argument(1, "start", exact(0))
    if not start.exact or not isinstance(start.obj, int):
        raise Abandon("an unknown start")
    try:
        for number, item in enumerate(walks[0], start.obj):
            yield exact((number, interp.heap.lower(item)))
    except Unfinished as more:
        if more.rest is None:
            raise
        raise Unfinished(str(more), exact((Hole(unknown(int)), interp.heap.lower(more.rest)))) from None


def _zip(interp: Any, call: Any, walks: list[Iterator[Value]]) -> Iterator[Value]:
    strict = call.kwargs.get("strict")
    if strict is not None and not (strict.exact and not strict.obj):
        raise Abandon("a strict zip")
    for items in zip(*walks):
        yield exact(tuple(interp.heap.lower(item) for item in items))


def _map(interp: Any, call: Any, walks: list[Iterator[Value]]) -> Iterator[Value]:
    for items in zip(*walks):
        yield interp.call_value(call.args[0], list(items), {}, call.node)


def _filter(interp: Any, call: Any, walks: list[Iterator[Value]]) -> Iterator[Value]:
    test = call.args[0]
    for item in walks[0]:
        result = item if test.exact and test.obj is None else interp.call_value(test, [item], {}, call.node)
        known = interp.truth(result, call.node)
        if known is None:
            raise Abandon("a filter that is not known")
        if known:
            yield item


def _progress(interp: Any, call: Any) -> Value | None:
    """``tqdm(items)``: a bar around the elements; nothing is drawn."""
    if not call.complete or len(call.args) != 1:
        return None
    walk = interp.iterate(call.args[0], call.node)
    return exact(Stream("tqdm", lambda: walk)) if walk is not None else None


def _reversed(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 1, 1):
        return None
    value = call.args[0]
    if value.exact and type(value.obj) in (list, tuple, range, str):
        items = [interp.heap.wrap(item) for item in reversed(interp.heap.resolve(value.obj))]
        return exact(Stream("reversed", lambda: iter(items)))
    return None


def _iter(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 1, 1):
        return None
    value = call.args[0]
    if value.exact and isinstance(value.obj, Stream):
        return value
    walk = interp.iterate(value, call.node)
    if walk is None:
        return unknown(None, tuple(v.obj for v in call.args if v.exact))
    return exact(Stream("iterator", lambda: walk))


def _next(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 1, 2) or not call.args[0].exact:
        return None
    stream = call.args[0].obj
    if not isinstance(stream, Stream):
        if not any("__next__" in vars(base) for base in type(stream).__mro__) and is_library_type(type(stream)):
            interp.attempt(call.event, lambda: next(stream))
        method = _own_method(interp, call.args[0], "__next__")
        return interp.call_value(exact(method), [call.args[0]], {}, call.node) if method is not None else None
    if stream.push is not None and not stream.started:
        if any(_cleans_up(func) for func in stream.runs):
            return None  # what it does when it is closed comes at a time that is not known
        return _first_of(interp, stream)
    for item in stream.take(interp):
        return item
    if len(call.args) == 2:
        return call.args[1]
    interp.attempt(call.event, lambda: next(iter(())))
    return None


class _Enough(Leaving):
    pass


def _cleans_up(func: Any) -> bool:
    """Whether a generator has code that runs when it is closed."""
    kinds = (ast.Try, ast.With, ast.AsyncWith)
    return any(isinstance(node, kinds) for node in ast.walk(getattr(func, "node", None) or ast.Pass()))


def _first_of(interp: Any, stream: Stream) -> Value:
    """The first element of a generator: its body is walked up to the first ``yield`` and not resumed."""
    found: list[Value] = []

    def on_item(item: Value) -> None:
        found.append(item)
        raise _Enough

    depth = len(interp.frames)
    try:
        stream.push(on_item)  # type: ignore[misc]
    except _Enough:
        del interp.frames[depth:]

        def rest() -> Iterator[Value]:
            raise Abandon("a generator that was advanced by hand")
            yield

        stream.source, stream.push = rest, None
        return found[0]
    raise Abandon("a generator without elements")


def _collect(kind: type) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if not _fits(call, 0, 1):
            return None
        if not call.args:
            return interp.heap.own(kind()) if kind is not tuple else exact(())
        walk = interp.iterate(call.args[0], call.node)
        if walk is None:
            return unknown(kind, call.args[0].reach or tuple(v.obj for v in call.args if v.exact))
        items = []
        for item in walk:
            interp.spend()
            items.append(interp.hash_checked(item, call.node) if kind is set else interp.heap.lower(item))
        if kind is set and any(not interp.safe_to_hash(item) for item in items):
            return unknown(set)
        made = kind(items)
        return exact(made) if kind is tuple else interp.heap.own(made)

    return handler


def _dict(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 0, 1, tuple(call.kwargs)):
        return None
    made: dict[Any, Any] = {}
    if call.args:
        value = call.args[0]
        obj = interp.heap.resolve(value.obj) if value.exact else None
        if isinstance(obj, dict) and is_library_type(type(obj)):
            made.update(obj)
        else:
            walk = interp.iterate(value, call.node)
            if walk is None:
                return unknown(dict, (interp.namespace,))
            for position, pair in enumerate(walk):
                parts = interp.unpack_all(pair, call.node)
                if parts is None:
                    return unknown(dict, (interp.namespace,))
                if len(parts) != 2:
                    filler = [(0, 0)] * position + [tuple(range(len(parts)))]
                    interp.attempt(call.event, lambda filler=filler: dict(filler))
                key = interp.hash_checked(parts[0], call.node)
                if isinstance(key, Hole) or not interp.safe_to_hash(key):
                    return unknown(dict, (interp.namespace,))
                made[key] = interp.heap.lower(parts[1])
    made.update({name: interp.heap.lower(value) for name, value in call.kwargs.items()})
    return interp.heap.own(made)


def _logic(stop: bool) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if not _fits(call, 1, 1) or not call.args[0].exact:
            return None
        obj = call.args[0].obj
        if not isinstance(obj, (Stream, list, tuple)):
            return None
        walk = interp.iterate(call.args[0], call.node)
        if walk is None:
            return unknown(bool)
        for item in walk:
            known = interp.truth(item, call.node)
            if known is None:
                return unknown(bool)
            if known is stop:
                return exact(stop)
        return exact(not stop)

    return handler


def _print(interp: Any, call: Any) -> Value | None:
    if not call.complete:
        return None
    allowed = {"sep", "end", "file", "flush"}
    if not set(call.kwargs) <= allowed:
        name = next(iter(set(call.kwargs) - allowed))
        interp.attempt(call.event, lambda: print(**{name: None}))  # type: ignore[call-overload]
    if "file" in call.kwargs:
        return None
    for value in call.args:
        if _as_text(interp, value, call) is None and value.exact and interp.surveyor.look([value.obj]).own:
            interp.havoc([value], call.node, "text of the notebook's own objects")
    return exact(None)


def _as_text(interp: Any, value: Value, call: Any) -> Value | None:
    """``str(value)`` for an object of the notebook's own class, interpreted; None for any other."""
    for name in ("__str__", "__repr__"):
        method = _own_method(interp, value, name)
        if method is not None:
            return interp.call_value(exact(method), [value], {}, call.node)
    return None


def _str(interp: Any, call: Any) -> Value | None:
    if _fits(call, 1, 1):
        return _as_text(interp, call.args[0], call)
    return None


def _type(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 1, 1):
        return None
    kind = call.args[0].known_type
    if kind is None:
        return unknown(type)
    if isinstance(call.args[0].obj, Stream):
        return exact(getattr(builtins, call.args[0].obj.kind, types.GeneratorType))
    if getattr(kind, "__crane_callable__", False):
        return exact(types.FunctionType)
    return exact(vars(kind).get("__crane_shadow__") or kind)


def _isinstance(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 2, 2):
        return None
    value, wanted = call.args
    kind = value.known_type
    if not wanted.exact or kind is None:
        return unknown(bool)
    classes = wanted.obj if isinstance(wanted.obj, tuple) else (wanted.obj,)
    if not all(
        isinstance(c, type)
        and type(c).__name__ in ("type", "ABCMeta", "EnumType", "EnumMeta", "_TensorMeta", "ParameterMeta")
        for c in classes
    ):
        if value.exact and not any(isinstance(c, type) or hasattr(c, "__args__") for c in classes):
            interp.attempt(call.event, lambda: isinstance(None, wanted.obj))
        return unknown(bool)
    if isinstance(value.obj, Stream) or getattr(kind, "__crane_callable__", False):
        kind = types.FunctionType if getattr(kind, "__crane_callable__", False) else types.GeneratorType
    line = {vars(base).get("__crane_shadow__") or base for base in kind.__mro__} | set(kind.__mro__)
    if any(c in line for c in classes):
        return exact(True)
    if any(type(c).__name__ in ("_TensorMeta", "ParameterMeta") for c in classes):
        return unknown(bool) if value.exact and "torch" in kind.__module__ else exact(False)
    if all(type(c) is type for c in classes):
        return exact(False)
    if not is_library_type(kind) or not all(is_library_type(c) for c in classes):
        return unknown(bool)  # classes can be registered with the notebook's abstract ones
    return exact(issubclass(kind, classes))


def _getattr(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 2, 3) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    unsure = interp.unsure
    try:
        return interp.attribute(call.args[0], call.args[1].obj, call.node)
    except Raised as raised:
        if len(call.args) == 3 and issubclass(raised.type, AttributeError) and interp.unsure == unsure:
            return call.args[2]
        raise


def _hasattr(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 2, 2) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    unsure = interp.unsure
    try:
        found = interp.attribute(call.args[0], call.args[1].obj, call.node)
    except Raised as raised:
        return exact(False) if issubclass(raised.type, AttributeError) and interp.unsure == unsure else unknown(bool)
    return exact(True) if found.exact or (interp.unsure == unsure and not found.unknown) else unknown(bool)


def _setattr(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 3, 3) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    interp.store_attribute(call.args[0], call.args[1].obj, call.args[2], call.node)
    return exact(None)


def _delattr(interp: Any, call: Any) -> Value | None:
    if not _fits(call, 2, 2) or not call.args[1].exact or type(call.args[1].obj) is not str:
        return None
    interp.delete_attribute(call.args[0], call.args[1].obj, call.node)
    return exact(None)


def _callable(interp: Any, call: Any) -> Value | None:
    if _fits(call, 1, 1) and call.args[0].exact:
        kind = type(call.args[0].obj)
        return exact(
            bool(getattr(kind, "__crane_callable__", False)) or any("__call__" in vars(base) for base in kind.__mro__)
        )
    return None


def _super(interp: Any, call: Any) -> Value | None:
    if _fits(call, 2, 2) and call.args[0].exact and call.args[1].exact:
        return interp.super_of(call.args[0].obj, call.args[1].obj)
    return None


def _input(interp: Any, call: Any) -> Value:
    interp.lose(call.node, "what a person will type")
    return unknown(str)


def _build_class(interp: Any, call: Any) -> Value | None:
    """``property``, ``staticmethod`` and ``classmethod`` called by hand: nothing runs yet."""
    if call.exact:
        return exact(call.func(*[v.obj for v in call.args], **{k: v.obj for k, v in call.kwargs.items()}))
    return None


def _sum(interp: Any, call: Any) -> Value | None:
    """A sum over objects of the notebook is interpreted step by step."""
    if not _fits(call, 1, 2, ("start",)) or not call.args[0].exact:
        return None
    obj = call.args[0].obj
    if not isinstance(obj, (list, tuple, Stream)):
        return None
    total = call.argument(1, "start", exact(0))
    walk = interp.iterate(call.args[0], call.node)
    if walk is None:
        return None
    for item in walk:
        interp.spend()
        total = interp.binary("Add", total, item, call.node)
        if total.unknown:
            return unknown()
    return total


def _dir(interp: Any, call: Any) -> Value:
    return unknown(list)


MODELS: dict[str, Any] = {
    "builtins.len": _len,
    "builtins.enumerate": _stream("enumerate", 1, 2, _enumerate, ("start",)),
    "builtins.zip": _stream("zip", 0, 64, _zip, ("strict",)),
    "builtins.map": _stream("map", 2, 64, _map),
    "builtins.filter": _stream("filter", 2, 2, _filter),
    "builtins.reversed": _reversed,
    "builtins.iter": _iter,
    "tqdm.std.tqdm": _progress,
    "tqdm.asyncio.tqdm_asyncio": _progress,
    "tqdm.notebook.tqdm_notebook": _progress,
    "tqdm.auto.tqdm": _progress,
    "builtins.next": _next,
    "builtins.list": _collect(list),
    "builtins.tuple": _collect(tuple),
    "builtins.set": _collect(set),
    "builtins.dict": _dict,
    "builtins.any": _logic(True),
    "builtins.all": _logic(False),
    "builtins.sum": _sum,
    "builtins.print": _print,
    "builtins.str": _str,
    "builtins.repr": _str,
    "builtins.type": _type,
    "builtins.isinstance": _isinstance,
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr,
    "builtins.delattr": _delattr,
    "builtins.callable": _callable,
    "builtins.super": _super,
    "builtins.input": _input,
    "ipykernel.kernelbase.Kernel.raw_input": _input,
    "builtins.property": _build_class,
    "builtins.staticmethod": _build_class,
    "builtins.classmethod": _build_class,
    "builtins.dir": _dir,
}
