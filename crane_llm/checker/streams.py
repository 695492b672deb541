"""Iterators that the checker makes itself: ``zip``, ``enumerate``, ``map``, ``filter``, ``reversed``, generator expressions, generators.

Python's own would hold on to live objects and could be advanced only by running the person's code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

from .values import Abandon


class Stream:
    """A lazy sequence of values. ``kind`` is the name of the type that the cell would see; ``source`` makes the iterator of values."""

    __slots__ = ("kind", "source", "_iterator", "_depth", "bases", "push", "runs", "__weakref__")

    def __init__(
        self,
        kind: str,
        source: Callable[[], Iterator[Any]],
        push: Callable[[Callable[[Any], None]], None] | None = None,
        runs: tuple[Any, ...] = (),
    ) -> None:
        self.kind = kind
        self.source = source
        self.push = push  # runs a generator's body, handing each element to the argument
        self.runs = runs  # functions of the notebook that run as it is advanced
        self._iterator: Iterator[Any] | None = None
        self._depth = 0
        self.bases: list[tuple[Any, int]] = []  # lists that are iterated underneath, with their lengths at first

    def take(self, interpreter: Any) -> Iterator[Any]:
        """The one iterator over the elements: a second loop continues where the first stopped, as Python's iterators do."""
        depth = len(interpreter.heap.layers)
        if self._iterator is None:
            self._iterator = self.source()
            self._depth = depth
        elif depth > self._depth:  # taking it back could not put the elements back
            raise Abandon("an iterator is advanced where the code may not run")
        return self._iterator

    @property
    def started(self) -> bool:
        """Whether an element has been taken."""
        return self._iterator is not None
