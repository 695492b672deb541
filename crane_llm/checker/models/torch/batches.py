"""Models: one batch of a loader: which samples are in it, and what collating them gives."""

from __future__ import annotations

import sys
from typing import Any

from ...values import Abandon, Value, exact, unknown
from . import lazy
from .datasets import drawn_by_chance, possible_sample, sample
from .orders import telling_samples
from .state import follow, state_of, wrap

SAMPLES = 6  # samples looked at where the order is not known
BATCH = 256  # samples of one batch that are looked at one by one
SECONDS = 0.15  # for reading samples


def batch_of(interpreter: Any, facts: Any, event: Any, indices: list[int] | None, size: int, count: int) -> Value:
    started = interpreter.budget.elapsed()
    samples: list[Value] = []
    exact_order = indices is not None and not drawn_by_chance(interpreter, facts.dataset)
    read = sample if exact_order else possible_sample
    if not exact_order:
        indices = None
    if indices is None and getattr(facts.loader.batch_sampler.sampler, "indices", None) is not None:
        raise Abandon("chosen samples in an order that is not known")
    if indices is None:
        indices = sorted({0, count // 2, count - 1, count // 3, 2 * count // 3, min(1, count - 1)})[:SAMPLES]
    limit = BATCH if len(indices) <= BATCH else SAMPLES
    heap = interpreter.heap
    heap.push()
    changed: list[Any] = []
    try:
        for index in indices[:limit]:
            samples.append(read(interpreter, facts.dataset, index, event))
            if samples[-1].unknown:
                raise Abandon("a sample that is not known")
            if interpreter.budget.elapsed() - started > SECONDS:
                break
    finally:
        changed = heap.layers[-1].touched()
        if facts.loader.num_workers:
            heap.pop()  # the copy of the dataset that a worker has changes, not this one
            facts.changing, changed = facts.changing or bool(changed), []
        else:
            heap.commit()
    if changed and not (exact_order and len(samples) == len(indices)):
        heap.soil(changed)  # other samples are read than were looked at: what reading them writes is not known
    complete = exact_order and len(samples) == len(indices)
    collate = facts.collate
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


def holding_batch(interpreter: Any, facts: Any, event: Any, found: list[Any], order: Any) -> Value:
    """A batch of samples that are not known, save that each of some is in one like it: their whole numbers are noted.

    ``found``: the numbers that the data is made of, see :func:`orders.columns`.
    """
    chosen, numbers = telling_samples(found)
    batch = batch_of(interpreter, facts, event, None, order.size, order.count)
    contents = state_of(interpreter).contents
    contents.columns = numbers
    for index in chosen:
        _note(interpreter, contents, batch, sample(interpreter, facts.dataset, index, event))
    return batch


def _note(interpreter: Any, contents: Any, batch: Value, part: Value) -> None:
    heap = interpreter.heap
    if batch.unknown or part.unknown:
        return
    made = heap.resolve(batch.obj) if batch.exact else batch.obj
    held = heap.resolve(part.obj) if part.exact else part.obj
    if lazy.is_tensor(made) and part.exact and (lazy.is_tensor(held) or type(held) is int or hasattr(held, "dtype")):
        contents.note(made, held)
    elif type(made) in (list, tuple) and type(held) in (list, tuple) and len(made) == len(held):
        for one, other in zip(made, held):
            _note(interpreter, contents, heap.wrap(one), heap.wrap(other))
    elif type(made) is dict and type(held) is dict:
        for key in made.keys() & held.keys():
            _note(interpreter, contents, heap.wrap(made[key]), heap.wrap(held[key]))


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


def _collate(interpreter: Any, samples: list[Value], size: int, complete: bool, event: Any, kind: type = list) -> Value:
    """``default_collate`` of a batch of ``size`` samples, of which the first are known; they come as a list or tuple, see ``kind``."""
    values = [interpreter.heap.resolve(s.obj) if s.exact else s.obj for s in samples]
    first = values[0]
    if type(first) is dict:
        made = {key: interpreter.heap.lower(_column(interpreter, values, key, size, complete, event)) for key in first}
        return interpreter.heap.own(made)
    if type(first) in (tuple, list):
        if any(type(v) is not type(first) or len(v) != len(first) for v in values):
            raise Abandon("samples of several lengths")
        columns = [
            interpreter.heap.lower(_column(interpreter, values, i, size, complete, event, tuple))
            for i in range(len(first))
        ]
        return interpreter.heap.own(columns)
    return _leaf(interpreter, samples, size, complete, event, kind)


def _column(
    interpreter: Any, values: list[Any], key: Any, size: int, complete: bool, event: Any, kind: type = list
) -> Value:
    parts = [interpreter.heap.wrap(value[key]) for value in values]
    if any(part.unknown for part in parts):
        return unknown(reach=(interpreter.namespace,))
    return _collate(interpreter, parts, size, complete, event, kind)


def _leaf(interpreter: Any, parts: list[Value], size: int, complete: bool, event: Any, kind: type) -> Value:
    objects = [part.obj for part in parts]
    home = sys.modules["torch.utils.data._utils.collate"]
    if any(type(obj) in (str, bytes) for obj in objects):
        if kind is tuple:
            return exact(tuple(objects)) if complete else unknown(tuple)
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
