"""Iterators that the checker makes itself: ``zip``, ``enumerate``, ``map``, ``filter``, ``reversed``, generator expressions, generators; and what waits to be awaited.

Python's own would hold on to live objects and could be advanced only by running the person's code.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Callable

from .values import Abandon, Unfinished

clock = itertools.count()  # tells which of an iterator and a layer of the heap is the older
# Empty iterators of the types that the cell would see, for Python's own words about what they do not support.
_SAMPLES: dict[str, Callable[[], Any]] = {
    "generator": lambda: (_ for _ in ()),
    "zip": zip,
    "map": lambda: map(len, ()),
    "filter": lambda: filter(None, ()),
    "enumerate": lambda: enumerate(()),
    "async_generator": lambda: _async_generator(),
}


class Internal:
    """An object of ours in place of one of Python's that would run the person's code or hold on to it."""

    __slots__ = ()

    def sample(self) -> Any:
        """An object of the type that the cell would see, which holds nothing; None where that type is not known."""
        return None

    def held(self) -> list[Any]:
        """The objects that whoever uses it may change or read."""
        return []


class Stream(Internal):
    """A lazy sequence of values. ``kind`` is the name of the type that the cell would see; ``source`` makes the iterator of values."""

    __slots__ = ("kind", "source", "_iterator", "bases", "runs", "born", "lost", "__weakref__")

    def __init__(self, kind: str, source: Callable[[], Iterator[Any]], runs: tuple[Any, ...] = ()) -> None:
        self.kind = kind
        self.source = source
        self.runs = runs  # what runs or is read as it is advanced: functions of the notebook, iterables
        self._iterator: Iterator[Any] | None = None
        self.bases: list[tuple[Any, int]] = []  # lists that are iterated underneath, with their lengths at first
        self.born = next(clock)
        self.lost = False  # how far it has been advanced is not known

    def take(self, interpreter: Any) -> Iterator[Any]:
        """The one iterator over the elements: a second loop continues where the first stopped, as Python's iterators do."""
        if self.lost or interpreter.heap.is_dirty(self):
            raise Abandon("an iterator that may have been advanced before")
        if self._iterator is None:
            self._iterator = self.source()
        return self._elements(interpreter, self._iterator)

    def _elements(self, interpreter: Any, source: Iterator[Any]) -> Iterator[Any]:
        while True:
            self.advance(interpreter)
            try:
                item = next(source)
            except StopIteration:
                return
            except BaseException:
                self.lost = True  # Python's own goes on after an error, ours cannot
                raise
            yield item

    def advance(self, interpreter: Any) -> None:
        """Note that an element is taken here: where the code may not have run, it cannot be put back."""
        if self.lost or interpreter.heap.is_dirty(self):
            raise Unfinished("an iterator that may have been advanced before")
        interpreter.heap.layers[-1].advanced.append(self)

    def sample(self) -> Any:
        make = _SAMPLES.get(self.kind)
        return None if make is None else make()

    def held(self) -> list[Any]:
        return list(self.runs)

    @property
    def started(self) -> bool:
        """Whether an element has been taken."""
        return self._iterator is not None


class Awaitable(Internal):
    """A coroutine, or what ``asyncio`` makes of several. ``run`` walks it; ``code`` is the notebook's own that runs with it."""

    __slots__ = ("kind", "run", "code", "state")

    def __init__(self, kind: str, run: Callable[[], Any], code: tuple[Any, ...]) -> None:
        self.kind = kind  # coroutine | task | future
        self.run = run
        self.code = code
        self.state = "new"  # new | running | done

    def sample(self) -> Any:
        if self.kind != "coroutine":
            return None
        made = _coroutine()
        made.close()
        return made

    def held(self) -> list[Any]:
        return list(self.code)


async def _coroutine() -> None:
    return None


async def _async_generator() -> Any:
    yield None
