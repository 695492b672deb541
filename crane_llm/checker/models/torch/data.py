"""Models: loaders: their batches by contract, without touching a live iterator."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...calls import PartialMethod
from ...effects import disturb_by_code
from ...values import Abandon, Raised, Unfinished, Value, exact, partial
from ..base import Domain
from .batches import batch_of, holding_batch
from .datasets import DATASET_MODELS, length
from .orders import Order, columns, record_batches
from .reading import only_reads
from .unknowns import later

FOLLOWED = 0.1  # seconds for which batches are followed one by one, in steps FOLLOWED_STEPS
FOLLOWED_STEPS = 6_000
AHEAD_SECONDS = 0.5  # that must be left for batches further on to be followed
_SAMPLERS = ("SequentialSampler", "RandomSampler", "SubsetRandomSampler", "WeightedRandomSampler")


class LoaderFacts:
    """A loader: the real object that knows its options, and the dataset that it reads."""

    def __init__(self, loader: Any, dataset: Value) -> None:
        self.loader = loader
        self.dataset = dataset
        self.collate: Value | None = None  # a function given to a loader that the cell makes
        self.source: Any = None  # the dataset at the beginning of a pass
        self.changing = False  # reading a sample changes the dataset, or what its code reaches


def loader_of(interpreter: Any, obj: Any) -> LoaderFacts | None:
    """The facts of a live loader; None for other objects."""
    kind = getattr(sys.modules.get("torch.utils.data.dataloader"), "DataLoader", None)
    if kind is None or type(obj) is not kind:
        return None
    return LoaderFacts(obj, interpreter.heap.wrap(obj.dataset))


class _Loaders(Domain):
    name = "loader"

    def iterate(self, interpreter: Any, event: Any, value: Value) -> Iterator[Value] | None:
        return batches(interpreter, value.obj, event)

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        if name == "dataset":
            return owner.obj.dataset
        if name in ("batch_size", "drop_last", "num_workers", "pin_memory", "timeout"):
            return exact(getattr(owner.obj.loader, name))
        if callable(getattr(type(owner.obj.loader), name, None)):
            return exact(PartialMethod(owner, name))
        if not hasattr(owner.obj.loader, name):
            interpreter.attempt(event, lambda: getattr(owner.obj.loader, name))
        return None

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if func.exact and func.obj is len:
            return exact(len(args[0].obj.loader))
        return None


LOADERS = _Loaders()


def make_loader(interpreter: Any, call: Any) -> Value | None:
    """``DataLoader(dataset, …)``: its own checks on a stand-in of the same length."""
    if not isinstance(call.func, type) or not call.complete:
        return None
    dataset = call.argument(0, "dataset")
    if dataset is None or dataset.unknown:
        return None
    count = length(interpreter, dataset, call.node)
    if not count.exact or type(count.obj) is not int:
        raise Abandon("a dataset of unknown length")
    rest = {k: v for k, v in call.kwargs.items() if k != "dataset"}
    collate = rest.pop("collate_fn", None)
    if not all(v.exact for v in [*call.args[1:], *rest.values()]):
        raise Abandon("options that are not known")
    if (
        interpreter.surveyor.look([*[v.obj for v in call.args[1:]], *[v.obj for v in rest.values()]]).opaque
        or len(call.args) > 3
    ):
        raise Abandon("options that are not known")
    named = {k: v.obj for k, v in rest.items()}
    loader = interpreter.quiet_call(
        call.event, lambda: call.func(range(count.obj), *[v.obj for v in call.args[1:]], **named)
    )
    facts = LoaderFacts(loader, dataset)
    facts.collate = collate
    return partial(facts, LOADERS, call.func)


def loader_items(interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
    """The batches of a live loader: the first one, then no more that are known."""
    facts = loader_of(interpreter, obj)
    return batches(interpreter, facts, event) if facts is not None else None


def batches(interpreter: Any, facts: LoaderFacts | None, event: Any) -> Iterator[Value] | None:
    if facts is None or facts.dataset.unknown:
        return None
    loader = facts.loader
    batch_sampler = loader.batch_sampler
    sampler = getattr(batch_sampler, "sampler", None)
    kind = type(sampler).__name__
    library = all(type(part).__module__.startswith("torch.utils.data") for part in (batch_sampler, sampler))
    if not library or type(batch_sampler).__name__ != "BatchSampler" or kind not in _SAMPLERS:
        return None
    if loader.num_workers > 0 and (getattr(loader, "worker_init_fn", None) is not None or not _forked(loader)):
        return None
    if kind in ("SequentialSampler", "RandomSampler") and sampler.data_source is not loader.dataset:
        return None
    count = length(interpreter, facts.dataset, event.node)
    if not count.exact or type(count.obj) is not int:
        return None
    if type(batch_sampler.batch_size) is not int:
        return None
    return _walk(interpreter, facts, event, count.obj)


def _walk(interpreter: Any, facts: LoaderFacts, event: Any, count: int) -> Iterator[Value]:
    order = Order(interpreter, facts.loader, count)
    facts.source = interpreter.heap.resolve(facts.dataset.obj) if facts.dataset.exact else None
    interpreter.world.random = False
    started, steps = interpreter.budget.worked(), interpreter.budget.steps
    walked, batch = 0, None
    while walked < order.batches:
        batch = _read(interpreter, facts, event, order, walked)
        walked += 1
        yield batch
        spent = interpreter.budget.worked() - started >= FOLLOWED or steps - interpreter.budget.steps > FOLLOWED_STEPS
        if spent or interpreter.uncertain or walked == 2 and not (order.known and facts.loader.num_workers == 0):
            break
    if batch is None or walked == order.batches:
        return
    ahead: list[Callable[[], Value]] = []
    if not interpreter.uncertain and interpreter.budget.remaining() > AHEAD_SECONDS:
        ahead = _ahead(interpreter, facts, event, order, walked)
    if facts.dataset.exact and not only_reads(
        interpreter, facts.source
    ):  # reading the other samples runs the dataset's own code again, we know not how often
        disturb_by_code(interpreter, [facts.dataset.obj])
    raise Unfinished("later batches are not followed", later(interpreter, batch), ahead)


def _ahead(interpreter: Any, facts: LoaderFacts, event: Any, order: Order, walked: int) -> list[Callable[[], Value]]:
    """Batches that certainly come after those that were walked: with numbers not met before, and a smaller last one."""
    found = columns(interpreter, facts.dataset, order.count) if facts.loader.num_workers == 0 else []
    numbers = record_batches(order, found, walked) if order.known else []
    if order.rest and order.batches - 1 not in numbers:
        numbers.append(order.batches - 1)
    ahead: list[Callable[[], Value]] = [
        lambda number=number: _read(interpreter, facts, event, order, number)  # type: ignore[misc]
        for number in numbers
    ]
    if found and not order.known and order.every:
        ahead.insert(0, lambda: holding_batch(interpreter, facts, event, found, order))
    return ahead


def _read(interpreter: Any, facts: LoaderFacts, event: Any, order: Order, number: int) -> Value:
    """One batch. What a worker process raises comes in other words, and what it writes stays with it."""
    workers = facts.loader.num_workers
    if not workers:
        return batch_of(interpreter, facts, event, order.batch(number), order.length(number), order.count)
    if facts.changing or interpreter.heap.resolve(facts.dataset.obj) is not facts.source:
        raise Abandon("a dataset that differs from one process to the other")
    try:
        return batch_of(interpreter, facts, event, order.batch(number), order.length(number), order.count)
    except Raised as raised:
        raise interpreter.fail(_from_worker(raised, number % workers if order.known else None), event) from None


def _from_worker(raised: Raised, worker: int | None) -> BaseException:
    """The error as the loader raises it again: its message begins like this, a traceback follows."""
    kind = raised.type
    if worker is None or kind.__module__ != "builtins" or issubclass(kind, (UnicodeError, OSError)):
        raise Abandon("an error of a worker process")
    words: str = f"Caught {kind.__name__} in DataLoader worker process {worker}."
    return kind(sys.modules["torch._utils"].KeyErrorMessage(words) if kind is KeyError else words)


def _forked(loader: Any) -> bool:
    """Whether workers begin as copies of the kernel: otherwise they do not know the classes of the notebook."""
    context = getattr(loader, "multiprocessing_context", None)
    if context is not None:
        return bool(context.get_start_method() == "fork")
    chosen = multiprocessing.get_start_method(allow_none=True)
    return chosen == "fork" or chosen is None and sys.platform == "linux" and sys.version_info < (3, 14)


DATA_MODELS: dict[str, Any] = {
    "torch.utils.data.dataloader.DataLoader": make_loader,
    **DATASET_MODELS,
}
