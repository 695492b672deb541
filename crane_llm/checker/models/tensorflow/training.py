"""``fit``, ``evaluate`` and ``predict``: nothing is trained. The contract is checked the way Keras meets it: the data, then one step
(:mod:`step`), then values that the running step refuses (:mod:`labels`).
"""

from __future__ import annotations

import sys
from typing import Any, Callable

from ...generators import Generator
from ...purity.libraries import is_library_type
from ...values import Abandon, Value, exact, is_a, unknown
from . import labels
from .batches import begin_epoch, own_source, used
from .compiling import compile_model
from .data import Leaf, arrays, batch_of, is_dataset, is_py_dataset
from .given import Given, bind, library_step
from .graph import run, writable
from .history import harmless, history_of
from .step import check_step


def _fit(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    given = bind(interpreter, event, model, "fit", args, kwargs)
    logs = _checked(interpreter, event, model, lambda owned: _fit_contract(interpreter, event, owned, given), given)
    return history_of(interpreter, model, given, logs)


def _fit_contract(interpreter: Any, event: Any, model: Any, given: Given) -> Any:
    run(interpreter, event, lambda: model._assert_compile_called("fit"))
    steps, size = given.plain("steps_per_epoch"), given.plain("batch_size")
    split = given.plain("validation_split", 0.0)
    x, y, weight = (arrays(interpreter, given.value(name)) for name in ("x", "y", "sample_weight"))
    validation = given.value("validation_data")
    val = arrays(interpreter, validation)
    if split and val is None:
        (x, y, weight), val = _split(interpreter, event, x, y, weight, split)
    class_weight = given.value("class_weight")
    weights = _weights(interpreter, class_weight)
    batch = batch_of(interpreter, event, x, y, weight, size, steps, weights)
    if given.plain("epochs", 1) <= given.plain("initial_epoch", 0):
        return None
    if class_weight is not None and not (class_weight.exact and class_weight.obj is None):
        batch.weigh()
    begin_epoch(interpreter, event, model, "fit", batch)
    _, logs = check_step(interpreter, event, model, batch, True)
    every_batch = steps is None or batch.batches is not None and steps >= batch.batches
    if every_batch:
        labels.check_values(interpreter, event, model, batch, _source(interpreter, given, "x"))
    if val is None or not harmless(interpreter, given) or own_source(x):  # a later batch may raise before validation
        return logs, None, val is not None
    return logs, _validate(interpreter, event, model, val, given, size), True


def _weights(interpreter: Any, value: Value | None) -> Any:
    """The weights of the classes where they are known: a dictionary, or an array or list, which Keras refuses."""
    if value is None or not value.exact:
        return None
    obj = interpreter.heap.resolve(value.obj)
    plain = type(obj) in (dict, list, tuple) or type(obj).__name__ == "ndarray" and type(obj).__module__ == "numpy"
    return obj if plain and not interpreter.surveyor.look([obj]).opaque else None


def _validate(interpreter: Any, event: Any, model: Any, val: Any, given: Given, size: Any) -> Any:
    parts = val if is_a(val, (tuple, list)) and len(val) in (2, 3) else (val, None, None)
    parts = (*parts, None)[:3]
    batch = batch_of(
        interpreter,
        event,
        parts[0],
        parts[1],
        parts[2],
        given.plain("validation_batch_size") or size,
        given.plain("validation_steps"),
        None,
    )
    if given.plain("validation_freq", 1) != 1:
        return None
    begin_epoch(interpreter, event, model, "evaluate", batch)
    _, logs = check_step(interpreter, event, model, batch, False)
    if given.plain("validation_steps") is None:
        labels.check_values(interpreter, event, model, batch, None)
    return logs


def _split(interpreter: Any, event: Any, x: Any, y: Any, weight: Any, split: Any) -> Any:
    """Keras' own split; large data is only tested for what it refuses."""
    slicing = sys.modules["keras.src.trainers.data_adapters.array_slicing"]
    tree = sys.modules["keras.src.tree"]
    total = sum(int(getattr(part, "nbytes", 0) or 0) for part in tree.flatten((x, y)) if hasattr(part, "shape"))
    if is_a(x, Generator):
        x = x.sample()
    if is_dataset(x) or is_py_dataset(x) or type(x).__name__ == "generator":
        return run(interpreter, event, lambda: slicing.train_validation_split((x, y, weight), validation_split=split))
    leaves = [part for part in tree.flatten((x, y, weight)) if part is not None]
    if (
        total < 4_000_000
        and all(slicing.can_slice_array(part) for part in leaves)
        or not all(slicing.can_slice_array(part) for part in leaves)
    ):
        run(interpreter, event, lambda: slicing.train_validation_split((x, y, weight), validation_split=split))
    count = int(leaves[0].shape[0])
    at = int(count * (1.0 - split))

    def cut(low: int, high: int) -> Callable[[Any], Any]:
        return lambda part: part if part is None else part.iloc[low:high] if hasattr(part, "iloc") else part[low:high]

    return tree.map_structure(cut(0, at), (x, y, weight)), tree.map_structure(cut(at, count), (x, y, weight))


def _evaluate(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    if "_use_cached_eval_dataset" in kwargs:
        return None
    given = bind(interpreter, event, model, "evaluate", args, kwargs)

    def contract(owned: Any) -> Any:
        run(interpreter, event, lambda: owned._assert_compile_called("evaluate"))
        x, y, weight = (arrays(interpreter, given.value(name)) for name in ("x", "y", "sample_weight"))
        steps = given.plain("steps")
        batch = batch_of(interpreter, event, x, y, weight, given.plain("batch_size"), steps, None)
        begin_epoch(interpreter, event, owned, "evaluate", batch)
        _, logs = check_step(interpreter, event, owned, batch, False)
        if steps is None:
            labels.check_values(interpreter, event, owned, batch, _source(interpreter, given, "x"))
        return logs

    logs = _checked(interpreter, event, model, contract, given)
    as_dict = given.value("return_dict")
    if logs is None or (as_dict is not None and not (as_dict.exact and as_dict.obj is False)):
        return unknown()
    if len(logs) == 1:
        return unknown(float)
    return interpreter.heap.own([interpreter.heap.lower(unknown(float)) for _ in logs])


def _predict(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    given = bind(interpreter, event, model, "predict", args, kwargs)
    found: dict[str, Any] = {}

    def contract(owned: Any) -> Any:
        x = arrays(interpreter, given.value("x"))
        batch = batch_of(interpreter, event, x, None, None, given.plain("batch_size"), given.plain("steps"), None)
        if batch.first is None and batch.rows is not None:
            batch.first = min(batch.rows, given.plain("batch_size") or 32)
        batch.begin()
        begin_epoch(interpreter, event, owned, "predict", batch)
        found["rows"] = batch.rows if given.plain("steps") is None else None
        found["leaf"], _ = check_step(interpreter, event, owned, batch, False, predict=True)
        return found["leaf"]

    _checked(interpreter, event, model, contract, given)
    return _prediction(interpreter, found.get("leaf"), found.get("rows"))


def _prediction(interpreter: Any, leaf: Any, rows: int | None) -> Value:
    """The predicted array: shape and type are known, values are not."""
    numpy = sys.modules.get("numpy")
    if not isinstance(leaf, Leaf) or numpy is None:
        return unknown(None if leaf is None or not isinstance(leaf, Leaf) else numpy.ndarray)
    shape = (rows, *leaf.shape[1:])
    if any(part is None for part in shape) or leaf.dtype == "string":
        return unknown(numpy.ndarray)
    twin = numpy.broadcast_to(numpy.zeros((), leaf.dtype), shape)
    from ...domains import domain_for
    from ...values import partial

    domain = domain_for([exact(twin)])
    return partial(twin, domain, numpy.ndarray) if domain is not None else unknown(numpy.ndarray)


def _checked(interpreter: Any, event: Any, model: Any, contract: Callable[[Any], Any], given: Given) -> Any:
    """The contract on an owned copy, which from then on stands for the model: its weights have changed, its shapes have not."""
    result = None
    try:
        if interpreter.heap.is_dirty(model):
            raise Abandon("a model that may have been changed")
        owned = writable(interpreter, [model])[id(model)]
        if not library_step(owned):
            raise Abandon("a model whose code is not followed")
        result = contract(owned)
    except Abandon as reason:
        interpreter.lose(event.node, str(reason))
        if not is_library_type(type(model)):
            interpreter.heap.soil([model], link=False)
    _use(interpreter, given)
    callbacks = given.value("callbacks")
    if callbacks is not None and not (callbacks.exact and callbacks.obj is None):
        interpreter.heap.soil([callbacks.obj] if callbacks.exact else list(callbacks.reach), link=False)
        interpreter.world.files = False
        if not harmless(interpreter, given):
            interpreter.world.disturb()
    interpreter.world.random = False
    return result


def _use(interpreter: Any, given: Given) -> None:
    """The sources of data that run the notebook's code have been used."""
    validation = given.value("validation_data")
    for value in (given.value("x"), validation):
        if value is not None and value.exact:
            obj = interpreter.heap.resolve(value.obj)
            for part in obj if type(obj) in (tuple, list) and value is validation else (obj,):
                used(interpreter, interpreter.heap.resolve(part))


def _source(interpreter: Any, given: Given, name: str) -> Any:
    value = given.value(name)
    return interpreter.heap.resolve(value.obj) if value is not None and value.exact else None


METHODS = {"compile": compile_model, "fit": _fit, "evaluate": _evaluate, "predict": _predict}

__all__ = ["METHODS"]
