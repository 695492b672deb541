"""Models: datasets: the notebook's own, subsets and splits, and what one sample of each is."""

from __future__ import annotations

import sys
from typing import Any

from ...attributes import static_lookup
from ...values import Abandon, Raised, Value, exact
from . import lazy
from .state import wrap


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


DATASET_MODELS: dict[str, Any] = {"torch.utils.data.dataset.random_split": _split}
