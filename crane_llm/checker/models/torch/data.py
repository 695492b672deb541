"""Models: loaders: their batches by contract, without touching a live iterator."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...calls import PartialMethod
from ...effects import disturb_by_code
from ...values import Abandon, Unfinished, Value, exact, partial
from ..base import Domain
from . import lazy
from .batches import batch_of
from .datasets import DATASET_MODELS
from .unknowns import later

FOLLOWED = 0.1  # seconds that one batch may take for the second and the last one to be followed too
_SAMPLERS = ("SequentialSampler", "RandomSampler", "SubsetRandomSampler", "WeightedRandomSampler")


class LoaderFacts:
    """A loader: the real object that knows its options, and the dataset that it reads."""

    def __init__(self, loader: Any, dataset: Value) -> None:
        self.loader = loader
        self.dataset = dataset


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
    count = interpreter.call_value(exact(len), [dataset], {}, call.node)
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
    facts.collate = collate  # type: ignore[attr-defined]
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
    if getattr(loader, "worker_init_fn", None) is not None and loader.num_workers > 0:
        return None
    if kind in ("SequentialSampler", "RandomSampler") and sampler.data_source is not loader.dataset:
        return None
    count = interpreter.call_value(exact(len), [facts.dataset], {}, event.node)
    if not count.exact or type(count.obj) is not int:
        return None
    return _first(interpreter, facts, event, count.obj)


def _first(interpreter: Any, facts: LoaderFacts, event: Any, count: int) -> Iterator[Value]:
    batch_sampler = facts.loader.batch_sampler
    size, total = batch_sampler.batch_size, _drawn(batch_sampler.sampler, count)
    if type(size) is not int or total == 0 or (batch_sampler.drop_last and total < size):
        return
    indices = _indices(interpreter, facts.loader, count)
    interpreter.world.random = False
    batch = batch_of(interpreter, facts, event, indices, min(size, total), count)
    started = interpreter.budget.worked()
    yield batch
    if total <= size or batch_sampler.drop_last and total < 2 * size:
        return
    quick = interpreter.budget.worked() - started < FOLLOWED and not interpreter.uncertain
    if quick:
        ordered = list(range(size, min(2 * size, total))) if _in_order(facts) else None
        yield batch_of(interpreter, facts, event, ordered, min(size, total - size), count)
        if total <= 2 * size or batch_sampler.drop_last and total < 3 * size:
            return
    if facts.dataset.exact:  # reading the other samples runs the dataset's own code again, we know not how often
        disturb_by_code(interpreter, [facts.dataset.obj])
    rest = total % size
    last: Callable[[], Value] | None = None
    if quick and rest and not batch_sampler.drop_last:
        ordered = list(range(total - rest, total)) if _in_order(facts) else None
        last = lambda: batch_of(interpreter, facts, event, ordered, rest, count)  # noqa: E731
    raise Unfinished("later batches are not followed", later(interpreter, batch), last)


def _in_order(facts: LoaderFacts) -> bool:
    return type(facts.loader.batch_sampler.sampler).__name__ == "SequentialSampler"


def _drawn(sampler: Any, count: int) -> int:
    """How many indices a sampler gives, its data having ``count``."""
    kind = type(sampler).__name__
    if kind == "SubsetRandomSampler":
        return len(sampler.indices)
    wanted = getattr(sampler, "num_samples" if kind == "WeightedRandomSampler" else "_num_samples", None)
    return wanted if isinstance(wanted, int) else count


def _indices(interpreter: Any, loader: Any, count: int) -> list[int] | None:
    """The indices of the first batch, or None where chance that we cannot repeat decides."""
    batch_sampler = loader.batch_sampler
    sampler = batch_sampler.sampler
    kind = type(sampler).__name__
    if kind == "SequentialSampler":
        return list(range(min(batch_sampler.batch_size, count)))
    if not interpreter.world.random or count > 2_000_000:
        return None
    torch = lazy.torch_module()
    state = torch.random.get_rng_state()
    generators = [
        g for g in {id(g): g for g in (loader.generator, getattr(sampler, "generator", None))}.values() if g is not None
    ]
    saved = [g.get_state() for g in generators]
    if kind == "RandomSampler":  # over numbers, not over the person's dataset: its length is known
        sampler = type(sampler)(range(count), sampler.replacement, sampler._num_samples, sampler.generator)
    try:
        walk = iter(type(batch_sampler)(sampler, batch_sampler.batch_size, batch_sampler.drop_last))
        torch.empty((), dtype=torch.int64).random_(
            generator=loader.generator
        )  # the loader draws its workers' seed first
        return [int(i) for i in next(walk)]
    finally:
        torch.random.set_rng_state(state)
        for generator, old in zip(generators, saved):
            generator.set_state(old)


DATA_MODELS: dict[str, Any] = {
    "torch.utils.data.dataloader.DataLoader": make_loader,
    **DATASET_MODELS,
}
