"""The order in which a loader reads its samples, and the batches in it that hold values not met before."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

from ...values import Value
from . import lazy
from .datasets import length

MOST = 200_000  # samples of a random order that is drawn in full
LOOK = 2_000_000  # numbers of a column that are looked at
DISTINCT = 60
AHEAD = 6  # batches of new values that are walked


class Order:
    """The batches of one pass over a loader: how many, how large, and of which samples where that is known."""

    def __init__(self, interpreter: Any, loader: Any, count: int) -> None:
        batch_sampler = loader.batch_sampler
        self.size: int = batch_sampler.batch_size
        self.count = count
        self.kind = type(batch_sampler.sampler).__name__
        self.total = _drawn(batch_sampler.sampler, count)
        full, self.rest = divmod(self.total, self.size)
        if batch_sampler.drop_last:
            self.rest = 0
        self.batches = full + bool(self.rest)
        self._known: list[list[int]] = []
        self._more: Iterator[list[int]] | None = None
        self.known = self.kind == "SequentialSampler"
        if not self.known and interpreter.world.random and self.batches and count <= LOOK:
            self._draw(loader)
            self.known = True

    def length(self, number: int) -> int:
        """The number of samples in a batch."""
        return self.rest if self.rest and number == self.batches - 1 else self.size

    def batch(self, number: int) -> list[int] | None:
        """The samples of a batch; None where chance decides that we cannot repeat."""
        if self.kind == "SequentialSampler":
            return list(range(number * self.size, number * self.size + self.length(number)))
        if not self.known:
            return None
        while self._more is not None and len(self._known) <= number:
            self._known.append(next(self._more))
        return self._known[number] if number < len(self._known) else None

    @property
    def every(self) -> bool:
        """Whether each sample certainly comes once."""
        if self.kind == "SubsetRandomSampler" or self.total != self.count:
            return False
        return self.kind != "WeightedRandomSampler" and sum(map(self.length, range(self.batches))) == self.count

    def flat(self) -> list[int] | None:
        """The samples one after the other."""
        if not self.known or self.batches and self.count > MOST and self.kind != "SequentialSampler":
            return None
        if self.batch(self.batches - 1) is None:
            return None
        return list(itertools.chain.from_iterable(self.batch(n) or () for n in range(self.batches)))

    def _draw(self, loader: Any) -> None:
        """Draw the order as the loader will; the generators are put back."""
        torch = lazy.torch_module()
        sampler, batch_sampler = loader.batch_sampler.sampler, loader.batch_sampler
        given = getattr(sampler, "generator", None)
        generators = [g for g in {id(g): g for g in (loader.generator, given)}.values() if g is not None]
        state, saved = torch.random.get_rng_state(), [g.get_state() for g in generators]
        if self.kind == "RandomSampler":  # over numbers, not over the person's dataset: its length is known
            sampler = type(sampler)(range(self.count), sampler.replacement, sampler._num_samples, sampler.generator)
        try:
            walk = iter(type(batch_sampler)(sampler, batch_sampler.batch_size, batch_sampler.drop_last))
            torch.empty((), dtype=torch.int64).random_(
                generator=loader.generator
            )  # the seed of its workers comes first
            self._known.append([int(i) for i in next(walk)])
        finally:
            torch.random.set_rng_state(state)
            for generator, old in zip(generators, saved):
                generator.set_state(old)
        # With a generator of its own the sampler has drawn everything by now, unless it draws with replacement.
        if self.count <= MOST and not (given is not None and getattr(sampler, "replacement", False)):
            self._more = ([int(i) for i in batch] for batch in walk)


def _drawn(sampler: Any, count: int) -> int:
    """How many indices a sampler gives, its data having ``count``."""
    kind = type(sampler).__name__
    if kind == "SubsetRandomSampler":
        return len(sampler.indices)
    wanted = getattr(sampler, "num_samples" if kind == "WeightedRandomSampler" else "_num_samples", None)
    return wanted if isinstance(wanted, int) else count


def columns(interpreter: Any, dataset: Value, count: int) -> list[Any]:
    """The whole numbers that a dataset holds, a row for each sample: its tensors', or those among its attributes."""
    obj = interpreter.heap.resolve(dataset.obj) if dataset.exact else None
    kind = type(obj)
    if interpreter.heap.is_dirty(obj):
        return []
    library = kind.__module__.startswith("torch.utils.data")
    if library and kind.__name__ == "Subset":
        inner, places = interpreter.heap.wrap(obj.dataset), _numbers(interpreter, obj.indices)
        size = length(interpreter, inner, None)
        if places is None or places.ndim != 1 or not size.exact or type(size.obj) is not int:
            return []
        return [column[places] for column in columns(interpreter, inner, size.obj)]
    if library and kind.__name__ == "TensorDataset":
        held = list(obj.tensors)
    else:
        held = list((getattr(obj, "__dict__", None) or {}).values()) if not library else []
    found = [_numbers(interpreter, part) for part in held[:50]]
    return [column.reshape(count, -1) for column in found if column is not None and len(column) == count > 0]


def _numbers(interpreter: Any, part: Any) -> Any:
    """An array of whole numbers of what a dataset holds; None where it holds something else."""
    numpy = sys.modules.get("numpy")
    heap = interpreter.heap
    part = heap.resolve(part)
    if numpy is None or heap.is_dirty(part) or id(part) in heap.standins:
        return None
    if lazy.is_tensor(part):
        if not lazy.is_plain(part) or part.numel() > LOOK or part.requires_grad:
            return None
        made = part.numpy()
    elif type(part) is list or type(part) is range:
        if len(part) > LOOK or not set(map(type, part)) <= {int}:
            return None
        made = numpy.array(part, dtype=numpy.int64)
    elif type(part).__module__.startswith(("numpy", "pandas")) and hasattr(part, "dtype"):
        made = numpy.asarray(part) if getattr(part.dtype, "kind", "O") in "iuf" and part.size <= LOOK else None
    else:
        made = None
    if made is None or made.ndim == 0 or not made.size or made.dtype.kind not in "iuf":
        return None
    if made.dtype.kind == "f" and not (numpy.isfinite(made).all() and (made == numpy.floor(made)).all()):
        return None
    return made


def record_batches(order: Order, found: list[Any], start: int) -> list[int]:
    """Batches from ``start`` on with a number that is larger, or smaller, than all before it, in their order."""
    numpy = sys.modules.get("numpy")
    flat = order.flat() if found and numpy is not None else None
    if not flat:
        return []
    numbers: set[int] = set()
    for column in found:
        rows = column[flat]
        for values, better in ((rows.max(axis=1), numpy.maximum), (-rows.min(axis=1), numpy.maximum)):
            best = better.accumulate(values)
            new = numpy.flatnonzero(values[1:] > best[:-1]) + 1
            numbers.update(int(place) // order.size for place in new)
    return sorted(number for number in numbers if number >= start)[:AHEAD]


def telling_samples(found: list[Any]) -> tuple[list[int], list[set[int]]]:
    """Samples that show the numbers of each column, the largest and smallest at least; and the numbers of those shown in full."""
    numpy = sys.modules["numpy"]
    chosen: set[int] = set()
    shown = []
    for column in found:
        values, first = numpy.unique(column, return_index=True)
        if len(values) <= DISTINCT:
            chosen.update(int(place) // column.shape[1] for place in first)
            shown.append({int(value) for value in values})
        else:
            chosen.update((int(column.max(axis=1).argmax()), int(column.min(axis=1).argmin())))
    return sorted(chosen), shown
