"""Built-in functions that make or advance iterators."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from typing import Any, Callable

from ...generators import Generator, finished
from ...loops import lists_under
from ...purity.libraries import is_library_type
from ...streams import Stream
from ...unstarted import generator_behind
from ...values import Abandon, Hole, Unfinished, Value, exact, unknown
from .shared import fits, own_method


def _stream(
    kind: str, least: int, most: int, make: Callable[..., Iterator[Value]], keywords: tuple[str, ...] = ()
) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        if not fits(call, least, most, keywords):
            return None
        walks: list[Any] = []
        sources = (
            call.args[1:]
            if kind in ("map", "filter")
            else call.args[:1]
            if kind in ("enumerate", "reversed")
            else call.args
        )
        for value in sources:
            walk = interp.iterate(value, call.node)
            if walk is None:
                return unknown(getattr(builtins, kind), (interp.namespace,))
            walks.append(walk)
        made = Stream(kind, lambda: make(interp, call, walks), tuple(r for v in call.args for r in _roots(v)))
        made.bases = [base for value in sources for base in lists_under(interp, value)]
        return exact(made)

    return handler


def _roots(value: Value) -> Iterable[Any]:
    """What advancing an iterator over ``value`` reads or runs."""
    return (value.obj,) if value.exact else value.reach


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
        numbered = lambda item: exact((Hole(unknown(int)), interp.heap.lower(item)))  # noqa: E731
        ahead = [lambda make=make: numbered(make()) for make in more.ahead]  # type: ignore[misc]
        raise Unfinished(str(more), numbered(more.rest), ahead) from None


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
    return exact(Stream("tqdm", lambda: walk, tuple(_roots(call.args[0])))) if walk is not None else None


def _reversed(interp: Any, call: Any) -> Value | None:
    if not fits(call, 1, 1):
        return None
    value = call.args[0]
    if value.exact and type(value.obj) in (list, tuple, range, str):
        items = [interp.heap.wrap(item) for item in reversed(interp.heap.resolve(value.obj))]
        return exact(Stream("reversed", lambda: iter(items)))
    return None


def _iter(interp: Any, call: Any) -> Value | None:
    if not fits(call, 1, 1):
        return None
    value = call.args[0]
    if value.exact and isinstance(value.obj, Stream):
        return value
    walk = interp.iterate(value, call.node)
    if walk is None:
        return unknown(None, tuple(v.obj for v in call.args if v.exact))
    return exact(Stream("iterator", lambda: walk, tuple(_roots(value))))


def _next(interp: Any, call: Any) -> Value | None:
    if not fits(call, 1, 2) or not call.args[0].exact:
        return None
    stream = generator_behind(interp, interp.heap.resolve(call.args[0].obj), call.node)
    if not isinstance(stream, Stream):
        if not any("__next__" in vars(base) for base in type(stream).__mro__) and is_library_type(type(stream)):
            interp.attempt(call.event, lambda: next(stream))
        method = own_method(interp, call.args[0], "__next__")
        return interp.call_value(exact(method), [call.args[0]], {}, call.node) if method is not None else None
    if isinstance(stream, Generator):
        stream.frame.call_node = call.node
    for item in stream.take(interp):
        return item
    if len(call.args) == 2:
        return call.args[1]
    raise finished(interp, stream, call.event)


ITERATOR_MODELS: dict[str, Any] = {
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
}
