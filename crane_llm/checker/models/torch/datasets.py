"""Models: datasets: the notebook's own, subsets and splits, and what one sample of each is."""

from __future__ import annotations

import bisect
import itertools
import sys
from typing import Any

from ...attributes import static_lookup
from ...values import Abandon, Hole, Raised, Value, exact, unknown
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
    if module.startswith("torch.utils.data") and name == "ConcatDataset":
        part = bisect.bisect_right(obj.cumulative_sizes, index)
        if part >= len(obj.datasets):
            raise Abandon("an index beyond joined datasets")
        before = obj.cumulative_sizes[part - 1] if part else 0
        return sample(interpreter, interpreter.heap.wrap(obj.datasets[part]), index - before, event)
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


def length(interpreter: Any, dataset: Value, node: Any) -> Value:
    """``len(dataset)``."""
    obj = interpreter.heap.resolve(dataset.obj) if dataset.exact else None
    if type(obj).__module__.startswith("torch.utils.data") and type(obj).__name__ == "Subset":
        if type(obj.indices) is list and not interpreter.heap.is_dirty(obj):
            return exact(len(interpreter.heap.resolve(obj.indices)))  # which ones they are may not be known
    found: Value = interpreter.call_value(exact(len), [dataset], {}, node)
    return found


def drawn_by_chance(interpreter: Any, dataset: Value) -> bool:
    """Whether a dataset is a part of another one, chosen in a way that is not known."""
    obj = interpreter.heap.resolve(dataset.obj) if dataset.exact else None
    while type(obj).__module__.startswith("torch.utils.data") and type(obj).__name__ == "Subset":
        if type(obj.indices) is list and any(type(index) is Hole for index in obj.indices[:1]):
            return True
        obj = interpreter.heap.resolve(obj.dataset)
    return False


def possible_sample(interpreter: Any, dataset: Value, index: int, event: Any) -> Value:
    """A sample that may be the one at ``index``; where a part was chosen by chance, another one of the whole is as good."""
    obj = interpreter.heap.resolve(dataset.obj) if dataset.exact else None
    if not drawn_by_chance(interpreter, dataset):
        return sample(interpreter, dataset, index, event)
    inner = interpreter.heap.wrap(obj.dataset)
    where = obj.indices[index]
    size = length(interpreter, inner, event.node)
    if type(where) is not int and (not size.exact or type(size.obj) is not int or not size.obj):
        raise Abandon("a dataset of unknown length")
    return possible_sample(interpreter, inner, where if type(where) is int else index % size.obj, event)


def _split(interpreter: Any, call: Any) -> Value | None:
    """``random_split``: subsets of known lengths, of samples that are known where the draw is."""
    dataset, lengths = call.argument(0, "dataset"), call.argument(1, "lengths")
    if dataset is None or lengths is None or dataset.unknown or lengths.unknown or not dataset.exact:
        return None
    count = length(interpreter, dataset, call.node)
    sizes = (
        [interpreter.heap.wrap(n) for n in interpreter.heap.resolve(lengths.obj)]
        if type(lengths.obj) in (list, tuple)
        else []
    )
    if not count.exact or not sizes or not all(s.exact for s in sizes):
        return None
    torch = lazy.torch_module()
    state = torch.random.get_rng_state()
    given = call.argument(2, "generator", exact(None))
    source = _advanced(interpreter, given) if given.kind != "exact" or given.obj is not None else None
    named = {} if source is None else {"generator": source}
    known = interpreter.world.random or source is not None
    try:
        parts = interpreter.quiet_call(call.event, lambda: call.func(range(count.obj), [s.obj for s in sizes], **named))
    finally:
        torch.random.set_rng_state(state)
    if source is None:
        interpreter.world.random = False
    subset = sys.modules["torch.utils.data.dataset"].Subset
    made = [
        subset(dataset.obj, list(part.indices) if known else [Hole(unknown(int)) for _ in part.indices])
        for part in parts
    ]
    for part in made:
        interpreter.heap.own(part)
    return interpreter.heap.own(made)


# --- generators --------------------------------------------------------------------------------------


def _copy_generator(generator: Any) -> Any:
    made = lazy.torch_module().Generator()
    made.set_state(generator.get_state())
    return made


def _advanced(interpreter: Any, given: Value) -> Any:
    """The generator to draw from in place of the one given: the checker's own, which is then as far as that one will be."""
    generator = given.obj if given.exact else None
    if type(generator) is not lazy.torch_module().Generator or generator.device.type != "cpu":
        raise Abandon("a generator that is not known")
    if interpreter.heap.is_dirty(interpreter.heap.resolve(generator)):
        raise Abandon("a generator that may have been drawn from")
    return interpreter.heap.writable(generator, _copy_generator)


def _generator(interpreter: Any, call: Any) -> Value | None:
    """``torch.Generator()``, and ``manual_seed`` of one."""
    if not call.exact:
        return None
    args, kwargs = [v.obj for v in call.args], {name: v.obj for name, v in call.kwargs.items()}
    if isinstance(call.func, type):
        if str(args[0] if args else kwargs.get("device", "cpu")) != "cpu":
            return None
        return interpreter.heap.own(interpreter.quiet_call(call.event, lambda: call.func(*args, **kwargs)))
    target = _advanced(interpreter, exact(call.receiver))
    interpreter.quiet_call(call.event, lambda: target.manual_seed(*args, **kwargs))
    return exact(target)


# --- the library's own datasets ----------------------------------------------------------------------


def _dataset(interpreter: Any, call: Any) -> Value | None:
    """``TensorDataset`` and ``Subset``: made for real, they only hold what they are given."""
    if not isinstance(call.func, type) or not call.complete:
        return None
    values = [*call.args, *call.kwargs.values()]
    if any(v.unknown for v in values):
        return None
    args, kwargs = [v.obj for v in call.args], {name: v.obj for name, v in call.kwargs.items()}
    if call.func.__name__ == "TensorDataset" and any(not lazy.is_tensor(obj) for obj in args):
        if interpreter.surveyor.look(args).opaque:
            return None
    return interpreter.heap.own(interpreter.quiet_call(call.event, lambda: call.func(*args, **kwargs)))


def _joined(interpreter: Any, call: Any) -> Value | None:
    """``ConcatDataset``: the lengths of its parts are asked of the interpreter."""
    given = call.argument(0, "datasets")
    if not isinstance(call.func, type) or given is None or not call.complete:
        return None
    parts = interpreter.unpack_all(given, call.node)
    if not parts or any(part.unknown for part in parts):
        return None
    sizes = [length(interpreter, part, call.node) for part in parts]
    if not all(size.exact and type(size.obj) is int for size in sizes):
        raise Abandon("a dataset of unknown length")
    made: Any = object.__new__(call.func)
    made.datasets = [interpreter.heap.lower(part) for part in parts]
    made.cumulative_sizes = list(itertools.accumulate(size.obj for size in sizes))
    return interpreter.heap.own(made)


_HOME = "torch.utils.data.dataset."
DATASET_MODELS: dict[str, Any] = {
    _HOME + "random_split": _split,
    _HOME + "TensorDataset": _dataset,
    _HOME + "Subset": _dataset,
    _HOME + "ConcatDataset": _joined,
    "torch._C.Generator": _generator,
    "torch._C.Generator.manual_seed": _generator,
}
