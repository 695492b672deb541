"""Generators of the notebook: bodies that stop at a ``yield`` and go on when the next element is asked for.

The body is walked by the steps of :mod:`resumable`; what it does between two elements happens just then, as it does in Python.
Where a body cannot be followed, the generator is *lost*: its elements are unknown and what its code names may have changed.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import Any, Union

from .effects import disturb_by_code
from .events import Event
from .streams import Internal, Stream
from .values import Abandon, Raised, Unfinished, Value, exact

BODY_STEPS = 15_000  # that all turns of one generator may take together
Sent = Union[Value, Raised]


class Generator(Stream):
    """One generator. ``steps`` yields its elements and is sent what ``send`` and ``throw`` hand in."""

    __slots__ = ("interpreter", "frame", "steps", "state", "result", "spent", "holders", "cleans_up")

    def __init__(self, interpreter: Any, frame: Any, steps: Any, node: ast.AST, runs: tuple[Any, ...]) -> None:
        super().__init__("generator", self._values, runs)
        self.interpreter = interpreter
        self.frame = frame
        self.steps = steps
        self.state = "new"  # new | suspended | running | done
        self.result: Value = exact(None)
        self.spent = 0
        self.holders = 0  # loops and managers that keep it alive
        self.cleans_up = has_cleanup(node)

    @property
    def started(self) -> bool:
        return self.state != "new"

    def held(self) -> list[Any]:
        found = list(self.runs)
        for value in self.frame.scope.vars.values():
            if isinstance(value, Value):
                found.extend([value.obj] if not value.unknown else value.reach)
        return found

    def take(self, interpreter: Any) -> Iterator[Value]:
        """The elements from here on."""
        if self.lost:
            raise Abandon("a generator that may have been advanced before")
        return self._values()

    def _values(self) -> Iterator[Value]:
        while True:
            item = self.resume(exact(None))
            if item is None:
                return
            yield item

    def resume(self, sent: Sent) -> Value | None:
        """Walk on to the next ``yield``: the element, or None when the body has ended (``result`` holds what it returned).

        Raises what the body raises, and :class:`Unfinished` where it cannot be followed.
        """
        if self.state == "done":
            if isinstance(sent, Raised):
                raise sent
            return None
        if self.state == "running":
            raise self._failed(lambda: _running(), None)
        self.advance(self.interpreter)
        if self.state == "new":
            if isinstance(sent, Raised):
                self.state = "done"
                raise sent
            if not (sent.exact and sent.obj is None):
                raise self._failed(lambda: (_ for _ in ()).send(1), None)  # type: ignore[arg-type]
        return self._walk(sent)

    def _walk(self, sent: Sent) -> Value | None:
        interpreter = self.interpreter
        frames, before = len(interpreter.frames), interpreter.budget.steps
        fresh, self.state = self.state == "new", "running"
        try:
            interpreter.enter(self.frame)
            if self.spent > BODY_STEPS:
                raise Abandon("a generator that takes too long to follow")
            item: Value = next(self.steps) if fresh else self.steps.send(sent)
            self.state = "suspended"
            return item
        except StopIteration as stop:
            self.state, self.result = "done", stop.value if isinstance(stop.value, Value) else exact(None)
            return None
        except Raised as raised:
            self.state = "done"
            if raised.error is not None and issubclass(raised.type, StopIteration):
                raise self._failed(lambda: _raise_stop(), raised) from None
            raise
        except Abandon as reason:
            self.give_up()
            raise Unfinished(str(reason)) from None
        finally:
            del interpreter.frames[frames:]
            self.spent += before - interpreter.budget.steps
            interpreter.keep_in_view(self)

    def give_up(self) -> None:
        """The body is not followed any further: what it can reach may have changed."""
        self.state, self.lost = "done", True
        self.interpreter.heap.soil(self.held(), link=False)
        disturb_by_code(self.interpreter, self.held())
        self.interpreter.world.disturb()

    def close(self) -> None:
        """What ``close`` does: the ``finally`` clauses run."""
        if self.state == "new":
            self.state = "done"
        if self.state != "suspended":
            return
        leaving = Raised(GeneratorExit(), GeneratorExit, self._event())
        try:
            item = self.resume(leaving)
        except Raised as raised:
            if raised is leaving or issubclass(raised.type, (GeneratorExit, StopIteration)):
                return
            raise
        if item is not None:
            raise self._failed(lambda: _refuse_to_close(), None)

    def _event(self) -> Event:
        return Event("call", self.frame.call_node, mechanism="generator")

    def _failed(self, thunk: Any, cause: Raised | None) -> Raised:
        """The error that Python's own generator raises in ``thunk``."""
        event = cause.event if cause is not None else self._event()
        try:
            thunk()
        except Exception as error:
            return self.interpreter.fail(error, event)
        raise Abandon("the running Python does not raise here")


class GeneratorMethod(Internal):
    """``send``, ``throw``, ``close`` or ``__next__`` of a generator, not yet called."""

    __slots__ = ("owner", "name")
    NAMES = ("send", "throw", "close", "__next__")

    def __init__(self, owner: Generator, name: str) -> None:
        self.owner = owner
        self.name = name

    def held(self) -> list[Any]:
        return [self.owner]

    def __call__(self, interpreter: Any, args: list[Value], kwargs: dict[str, Value], node: Any) -> Value:
        event = Event("call", node, operands=args)
        self.owner.frame.call_node = node
        if kwargs or (len(args) != 1 if self.name == "send" else self.name != "throw" and args):
            name, count, named = self.name, len(args), list(kwargs)
            interpreter.attempt(event, lambda: getattr((_ for _ in ()), name)(*[None] * count, **dict.fromkeys(named)))
        if self.name == "close":
            self.owner.close()
            return exact(None)
        sent: Sent = args[0] if self.name == "send" else exact(None)
        if self.name == "throw":
            sent = interpreter.raised_by(args[0], event) if len(args) == 1 else None  # type: ignore[assignment]
            if sent is None:
                raise Abandon("an exception thrown into a generator")
        item = self.owner.resume(sent)
        if item is not None:
            return item
        raise finished(interpreter, self.owner, event)


class GeneratorManager(Internal):
    """What a function under ``contextlib.contextmanager`` gives: a generator that runs up to its ``yield`` and from there on."""

    __slots__ = ("generator",)

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def held(self) -> list[Any]:
        return [self.generator]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise Abandon("a context manager used as a decorator")


def finished(interpreter: Any, generator: Any, event: Any) -> Raised:
    """The StopIteration of a generator that has ended."""
    result = getattr(generator, "result", exact(None))
    if not result.exact:
        return Raised(None, StopIteration, event)
    error: Raised = interpreter.fail(StopIteration() if result.obj is None else StopIteration(result.obj), event)
    if isinstance(generator, Generator):
        generator.result = exact(None)  # it is told once
    return error


def has_cleanup(node: ast.AST) -> bool:
    """Whether a body has code that runs when its generator is closed."""
    return any(isinstance(part, (ast.Try, ast.With, ast.AsyncWith)) for part in ast.walk(node))


def _running() -> None:
    def body() -> Iterator[None]:
        next(made)
        yield None

    made = body()
    next(made)


def _raise_stop() -> None:
    def body() -> Iterator[None]:
        raise StopIteration
        yield None

    next(body())


def _refuse_to_close() -> None:
    def body() -> Iterator[None]:
        while True:
            with contextlib.suppress(GeneratorExit):
                yield None

    made = body()
    next(made)
    made.close()
