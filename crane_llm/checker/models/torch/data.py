"""Models: datasets and loaders: the first batch by contract, without touching a live iterator."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ...attributes import static_lookup
from ...calls import PartialMethod
from ...effects import disturb_by_code
from ...values import Abandon, Raised, Unfinished, Value, exact, partial, unknown
from ..base import Domain
from . import lazy
from .state import follow, wrap
from .unknowns import later

SAMPLES = 6  # samples looked at where the order is not known
BATCH = 256  # samples of one batch that are looked at one by one
SECONDS = 0.15  # for reading samples
_SAMPLERS = ("SequentialSampler", "RandomSampler", "SubsetRandomSampler", "WeightedRandomSampler")


def _dataset_class() -> Any:
    return getattr(sys.modules.get("torch.utils.data.dataset"), "Dataset", None)


def is_dataset_class(cls: Any) -> bool:
    base = _dataset_class()
    iterable: Any = getattr(sys.modules.get("torch.utils.data.dataset"), "IterableDataset", None)
    return base is not None and isinstance(cls, type) and issubclass(cls, base) and not issubclass(cls, iterable)


def construct_dataset(interpreter: Any, cls: type, call: Any) -> Value | None:
    """An instance of a dataset class of the notebook."""
    if cls.__new__ is not object.__new__ and not str(getattr(cls.__new__, "__module__", "")).startswith("typing"):
        raise Abandon("a dataset class with a constructor of its own")
    if not call.complete:
        raise Abandon("a starred argument that is not known")
    value = interpreter.heap.own(object.__new__(cls))
    init = static_lookup(cls, "__init__")
    if init is object.__init__:
        return value if not call.args and not call.kwargs else None
    interpreter.initialise(cls, init, value, call)
    return value


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
    batch = _batch(interpreter, facts, event, indices, min(size, total), count)
    yield batch
    if total <= size:
        return
    if facts.dataset.exact:  # reading the other samples runs the dataset's own code again, we know not how often
        disturb_by_code(interpreter, [facts.dataset.obj])
    raise Unfinished("later batches are not followed", later(interpreter, batch))


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


def _batch(interpreter: Any, facts: LoaderFacts, event: Any, indices: list[int] | None, size: int, count: int) -> Value:
    started = interpreter.budget.elapsed()
    samples: list[Value] = []
    exact_order = indices is not None
    if indices is None and getattr(facts.loader.batch_sampler.sampler, "indices", None) is not None:
        raise Abandon("chosen samples in an order that is not known")
    if indices is None:
        indices = sorted({0, count // 2, count - 1, count // 3, 2 * count // 3, min(1, count - 1)})[:SAMPLES]
    limit = BATCH if len(indices) <= BATCH else SAMPLES
    for index in indices[:limit]:
        samples.append(sample(interpreter, facts.dataset, index, event))
        if samples[-1].unknown:
            raise Abandon("a sample that is not known")
        if interpreter.budget.elapsed() - started > SECONDS:
            break
    complete = exact_order and len(samples) == len(indices)
    collate = getattr(facts, "collate", None)
    function = collate if collate is not None else exact(facts.loader.collate_fn)
    if not _is_default(function):
        if not complete:
            raise Abandon("a collate function on samples that are not all known")
        return interpreter.call_value(
            function, [interpreter.heap.own([interpreter.heap.lower(s) for s in samples])], {}, event.node
        )
    shapes = [_signature(interpreter, s) for s in samples]
    if not exact_order and any(shape != shapes[0] for shape in shapes):
        raise Abandon("samples of several shapes in an unknown order")
    return _collate(interpreter, samples, size, complete, event)


def _is_default(function: Value) -> bool:
    home = sys.modules.get("torch.utils.data._utils.collate")
    return function.exact and (function.obj is None or function.obj is getattr(home, "default_collate", 0))


def _signature(interpreter: Any, value: Value) -> Any:
    if value.unknown:
        raise Abandon("a sample that is not known")
    obj = interpreter.heap.resolve(value.obj) if value.exact else value.obj
    if lazy.is_tensor(obj):
        return ("tensor", tuple(obj.shape), str(obj.dtype))
    if type(obj) in (tuple, list):
        return (type(obj).__name__, *[_signature(interpreter, interpreter.heap.wrap(part)) for part in obj])
    if type(obj) is dict:
        return ("dict", *[(key, _signature(interpreter, interpreter.heap.wrap(part))) for key, part in obj.items()])
    return (type(obj).__name__, tuple(getattr(obj, "shape", ())), str(getattr(obj, "dtype", "")))


def _collate(interpreter: Any, samples: list[Value], size: int, complete: bool, event: Any) -> Value:
    """``default_collate`` of a batch of ``size`` samples, of which the first are known."""
    values = [interpreter.heap.resolve(s.obj) if s.exact else s.obj for s in samples]
    first = values[0]
    if type(first) is dict:
        made = {key: interpreter.heap.lower(_column(interpreter, values, key, size, complete, event)) for key in first}
        return interpreter.heap.own(made)
    if type(first) in (tuple, list):
        if any(type(v) is not type(first) or len(v) != len(first) for v in values):
            raise Abandon("samples of several lengths")
        columns = [
            interpreter.heap.lower(_column(interpreter, values, i, size, complete, event)) for i in range(len(first))
        ]
        return interpreter.heap.own(columns)
    return _leaf(interpreter, samples, size, complete, event)


def _column(interpreter: Any, values: list[Any], key: Any, size: int, complete: bool, event: Any) -> Value:
    parts = [interpreter.heap.wrap(value[key]) for value in values]
    if any(part.unknown for part in parts):
        return unknown(reach=(interpreter.namespace,))
    return _collate(interpreter, parts, size, complete, event)


def _leaf(interpreter: Any, parts: list[Value], size: int, complete: bool, event: Any) -> Value:
    objects = [part.obj for part in parts]
    home = sys.modules["torch.utils.data._utils.collate"]
    if any(type(obj) in (str, bytes) for obj in objects):
        return interpreter.heap.own(objects) if complete else unknown(list)
    if not all(
        lazy.is_tensor(o) or isinstance(o, (int, float)) or type(o).__module__ == "numpy" or o is None or part.exact
        for o, part in zip(objects, parts)
    ):
        raise Abandon("samples of another kind")
    if interpreter.surveyor.look(objects).opaque:
        raise Abandon("samples of another kind")
    weight = sum(
        int(getattr(o, "numel", lambda: 1)()) if lazy.is_tensor(o) else int(getattr(o, "size", 1) or 1) for o in objects
    )
    if complete and weight <= 20_000 and all(part.exact for part in parts):
        return interpreter.heap.wrap(interpreter.quiet_call(event, lambda: home.default_collate(objects)))
    if any(part.exact and lazy.is_tensor(part.obj) and not lazy.is_plain(part.obj) for part in parts):
        raise Abandon("samples on an accelerator")
    batch = (objects + [objects[-1]] * max(0, size - len(objects)))[:size]
    made = follow(interpreter, event, home.default_collate, [batch], {})
    return made if made.kind == "partial" else wrap(interpreter, made.obj)


def sample(interpreter: Any, dataset: Value, index: int, event: Any) -> Value:
    """``dataset[index]``: the library's own datasets by their contracts, the notebook's interpreted."""
    obj = interpreter.heap.resolve(dataset.obj) if dataset.exact else None
    kind = type(obj)
    name, module = kind.__name__, kind.__module__
    if module.startswith("torch.utils.data") and name == "TensorDataset":
        return exact(tuple(interpreter.heap.lower(_row(interpreter, t, index, event)) for t in obj.tensors))
    if module.startswith("torch.utils.data") and name == "Subset":
        inner = interpreter.heap.wrap(obj.dataset)
        where = interpreter.item(interpreter.heap.wrap(obj.indices), exact(index), event.node)
        if where.kind == "exact" and type(where.obj) is int:
            return sample(interpreter, inner, where.obj, event)
        where = _number(interpreter, where, obj.indices, index, event)
        return sample(interpreter, inner, where, event)
    if module.startswith("torchvision.datasets"):
        return _real_sample(interpreter, obj, index, event)
    return interpreter.item(dataset, exact(index), event.node)


def _number(interpreter: Any, where: Value, indices: Any, index: int, event: Any) -> int:
    """An index that is itself an item of a library's sequence (a subset of a range, a tensor of numbers)."""
    found = sample(interpreter, interpreter.heap.wrap(indices), index, event) if where.unknown else where
    if not found.exact:
        raise Abandon("an index that is not known")
    try:
        return (
            int(found.obj)
            if isinstance(found.obj, int) or getattr(found.obj, "shape", None) == ()
            else found.obj.__index__()
        )
    except Exception:
        raise Abandon("an index that is not a number") from None


def _row(interpreter: Any, tensor: Any, index: int, event: Any) -> Value:
    held = interpreter.heap.wrap(tensor)
    if held.unknown:
        return held
    if held.exact and lazy.is_plain(tensor):
        return interpreter.heap.wrap(interpreter.quiet_call(event, lambda: tensor[index]))
    return interpreter.item(held, exact(index), event.node)


def _real_sample(interpreter: Any, obj: Any, index: int, event: Any) -> Value:
    """A sample of torchvision's own dataset, read for real: files are only read, random transforms are put back."""
    survey = interpreter.surveyor.look(
        [getattr(obj, "transform", None), getattr(obj, "target_transform", None), getattr(obj, "loader", None)]
    )
    if (
        survey.opaque
        or survey.callbacks
        or survey.domains
        or interpreter.heap.is_dirty(obj)
        or not interpreter.world.files
    ):
        raise Abandon("a transform of the notebook")
    for name in ("data", "targets", "samples", "imgs"):
        part = getattr(obj, name, None)
        if part is not None and interpreter.heap.is_dirty(part):
            raise Abandon("a dataset that may have been changed")
    samples = getattr(obj, "samples", None)
    if samples is not None and type(samples) is list:
        import os

        try:
            if os.path.getsize(samples[index][0]) > 1_000_000:
                raise Abandon("a large image")
        except (OSError, IndexError, TypeError):
            raise Abandon("an image that is not there") from None
    torch = lazy.torch_module()
    state = torch.random.get_rng_state()
    drawn = torch.random.get_rng_state()
    try:
        with lazy.one_thread():
            made = interpreter.quiet_call(event, lambda: type(obj).__getitem__(obj, index))
        drawn = torch.random.get_rng_state()
    except Raised:
        raise
    finally:
        torch.random.set_rng_state(state)
    if not torch.equal(drawn, state):
        return wrap(interpreter, made)
    return interpreter.heap.wrap(made)


def _split(interpreter: Any, call: Any) -> Value | None:
    """``random_split``: subsets of known lengths in an order that is not known."""
    dataset, lengths = call.argument(0, "dataset"), call.argument(1, "lengths")
    if dataset is None or lengths is None or dataset.unknown or lengths.unknown or not dataset.exact:
        return None
    count = interpreter.call_value(exact(len), [dataset], {}, call.node)
    sizes = (
        [interpreter.heap.wrap(n) for n in interpreter.heap.resolve(lengths.obj)]
        if type(lengths.obj) in (list, tuple)
        else []
    )
    if not count.exact or not sizes or not all(s.exact for s in sizes):
        return None
    torch = lazy.torch_module()
    state = torch.random.get_rng_state()
    generator = call.kwargs.get("generator")
    if generator is not None and not (generator.exact and generator.obj is None):
        raise Abandon("a generator that is given")
    try:
        parts = interpreter.quiet_call(call.event, lambda: call.func(range(count.obj), [s.obj for s in sizes]))
    finally:
        torch.random.set_rng_state(state)
    interpreter.world.random = False
    subset = sys.modules["torch.utils.data.dataset"].Subset
    made = [subset(dataset.obj, list(part.indices)) for part in parts]
    for part in made:
        interpreter.heap.own(part)
    return interpreter.heap.own(made)


DATA_MODELS: dict[str, Any] = {
    "torch.utils.data.dataloader.DataLoader": make_loader,
    "torch.utils.data.dataset.random_split": _split,
}
