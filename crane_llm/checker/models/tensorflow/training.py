"""``compile``, ``fit``, ``evaluate`` and ``predict``: nothing is trained. The contract is checked the way Keras meets it.

Training traces one step of the model, its loss and its metrics into a graph before it computes anything; shapes and types that do not fit
raise there. The checker traces the same step, from the same entry, on a copy whose weights have no values, and stops after the metrics.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any, Callable

from ...purity.libraries import is_library_type, is_user_function
from ...values import Abandon, Raised, Value, exact, unknown
from . import labels
from .data import Batch, Leaf, arrays, batch_of, is_dataset, is_py_dataset
from .graph import Lowering, mapped, run, wrap, writable
from .twins import Optimizer, keras_class

LAYERS = 400  # layers of the largest model whose step is traced
_NO_KEYS = frozenset(
    "EarlyStopping ModelCheckpoint TensorBoard CSVLogger TerminateOnNaN BackupAndRestore History ProgbarLogger".split()
)


class Given:
    """The arguments of a call by name, with the defaults of the real signature."""

    def __init__(self, bound: dict[str, Any]) -> None:
        self.bound = bound

    def value(self, name: str) -> Value | None:
        """The argument as a value; None where it was not given."""
        found = self.bound.get(name)
        return found if isinstance(found, Value) else None

    def plain(self, name: str, default: Any = None) -> Any:
        """The argument as a number, text or None; raises :class:`Abandon` where it is something else."""
        found = self.value(name)
        if found is None:
            return default
        if not found.exact or type(found.obj) not in (int, float, str, bool, type(None)):
            kind = type(found.obj) if found.exact else None
            if kind is not None and kind.__module__ == "numpy":
                return found.obj.item() if found.obj.shape == () else default
            raise Abandon(f"{name} is not known")
        return found.obj


def bind(interpreter: Any, event: Any, model: Any, name: str, args: list[Value], kwargs: dict[str, Value]) -> Given:
    """Arguments bound to the method's own signature; raises its TypeError."""
    from .domain import _bind, unwrapped

    _bind(interpreter, event, model, name, args, kwargs)
    signature = inspect.signature(unwrapped(getattr(type(model), name)))
    try:
        return Given(signature.bind(model, *args, **kwargs).arguments)
    except TypeError:
        raise Abandon("arguments that do not bind") from None


def library_step(model: Any) -> bool:
    """Whether the training step is Keras' own: no class of the notebook, no replaced method."""
    return is_library_type(type(model)) and not any(
        name in vars(model) for name in ("train_step", "test_step", "call", "compute_loss")
    )


# --- compile -------------------------------------------------------------------------------------------


def _compile(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    given = bind(interpreter, event, model, "compile", args, kwargs)
    if not library_step(model):
        return None
    named: dict[str, Any] = {}
    lowering = Lowering(interpreter)
    unknown_loss = False
    optimizer = given.value("optimizer")
    if optimizer is not None:
        named["optimizer"] = _optimizer(interpreter, event, optimizer)
    for name in given.bound:
        if name in ("self", "optimizer") or not isinstance(given.bound[name], Value):
            continue
        try:
            named[name] = lowering.value(given.bound[name])
        except Abandon:
            if name not in ("loss", "metrics", "weighted_metrics"):
                raise
            unknown_loss = True
    table = writable(interpreter, [model, *lowering.graph])
    target = table[id(model)]
    if unknown_loss:
        named = {
            name: item
            for name, item in named.items()
            if name not in ("loss", "metrics", "weighted_metrics", "loss_weights")
        }
    run(interpreter, event, lambda: target.compile(**mapped(named, table)))
    vars(target).update(_crane_unknown_loss=unknown_loss, _crane_traced=set(), _crane_functions=())
    return exact(None)


def _optimizer(interpreter: Any, event: Any, value: Value) -> Any:
    """An object that passes for the optimizer; raises what Keras raises for one that it cannot make."""
    base = keras_class("keras.src.optimizers.optimizer:Optimizer")
    if value.exact and isinstance(value.obj, (str, dict)) or value.exact and not is_optimizer(value.obj):
        get = sys.modules["keras.src.optimizers"].get
        if value.exact and type(value.obj) is str:
            try:
                made = run(interpreter, event, lambda: get(value.obj))
            except Abandon:
                made = blank(base)
            return made if not is_optimizer(made) else blank(base)
        if value.exact and type(value.obj) in (int, float, type(None)):
            return run(interpreter, event, lambda: get(value.obj))
        raise Abandon("an optimizer that is not known")
    if value.unknown and (value.type is None or not issubclass(value.type, base)):
        raise Abandon("an optimizer that is not known")
    return blank(base)


def is_optimizer(obj: Any) -> bool:
    base = keras_class("keras.src.optimizers.base_optimizer:BaseOptimizer")
    return base is not None and isinstance(obj, base)


def blank(cls: type) -> Any:
    """An instance without variables."""
    made: Any = object.__new__(cls)
    vars(made).update({"_lock": False, "built": True, "name": "optimizer", "loss_scale_factor": None})
    return made


# --- the step ------------------------------------------------------------------------------------------


def check_step(interpreter: Any, event: Any, model: Any, batch: Batch, training: bool, predict: bool = False) -> Any:
    """Trace one step of an owned model. Returns (shape and dtype of the prediction, names of the logs); raises what the step raises."""
    layers = model._flatten_layers()
    if len(list(layers)) > LAYERS:
        raise Abandon("a model too large to trace")
    trace = sys.modules["tensorflow.python.framework.func_graph"].func_graph_from_py_func
    tf = sys.modules["tensorflow"]
    tree = sys.modules["keras.src.tree"]
    found: dict[str, Any] = {}

    def spec(leaf: Leaf | None) -> Any:
        return None if leaf is None else tf.TensorSpec(leaf.shape, leaf.dtype)

    def step(data: Any) -> None:
        x, y, weight = (*data, None, None)[:3]
        predicted = model(x, training=training) if model._call_has_training_arg else model(x)
        found["prediction"] = tree.map_structure(lambda t: Leaf(tuple(t.shape.as_list()), t.dtype.name), predicted)
        if predict or not _loss_known(model):
            return
        loss = model._compute_loss(x=x, y=y, y_pred=predicted, sample_weight=weight, training=training)
        del loss
        found["logs"] = list(model.compute_metrics(x, y, predicted, sample_weight=weight))

    count = 3 if batch.data[2] is not None else 2 if batch.data[1] is not None else 1
    earlier = _traced(model, "predict" if predict else "fit" if training else "evaluate", batch)
    specs = tuple(tree.map_structure(spec, part) for part in batch.data[:count])
    if not interpreter.budget.affords(0.02 + 0.002 * len(list(model._flatten_layers()))):
        raise Abandon("no time to trace a model")
    build = getattr(type(model), "_symbolic_build", None)
    if build is not None and _builds_first(model, training, predict) and _loss_known(model):
        run(
            interpreter,
            event,
            lambda: model._symbolic_build(data_batch=tree.map_structure(_Sample, _concrete(batch, count))),
        )
    try:
        run(interpreter, event, lambda: trace("one_step_on_data", step, (specs,), {}))
    except Raised:
        if earlier:  # a step that was traced before is traced again with looser shapes: what that raises is not known
            raise Abandon("a step that was traced with other shapes") from None
        raise
    return found.get("prediction"), found.get("logs")


_FUNCTIONS = {"fit": "train_function", "evaluate": "test_function", "predict": "predict_function"}


def _traced(model: Any, name: str, batch: Batch) -> bool:
    """Whether the model's step of this kind has been traced before; from now on it has."""
    known = vars(model).setdefault("_crane_traced", set())
    found = name in known or _FUNCTIONS[name] in (vars(model).get("_crane_functions") or ())
    known.add(name)
    return found


class _Sample:
    """What Keras reads of the first batch to build a model."""

    def __init__(self, leaf: Leaf) -> None:
        self.shape = leaf.shape
        self.dtype = leaf.dtype


def _concrete(batch: Batch, count: int) -> Any:
    tree = sys.modules["keras.src.tree"]

    def leaf(item: Leaf) -> Leaf:
        return Leaf(item.shape, item.dtype)

    return tuple(tree.map_structure(leaf, part) for part in batch.data[:count])


def _builds_first(model: Any, training: bool, predict: bool) -> bool:
    """Whether this version builds the model from the first batch before it traces the step."""
    from .domain import unwrapped

    name = "predict" if predict else "fit" if training else "evaluate"
    if vars(model).get("_distribute_strategy") is None:
        return False
    return "_maybe_symbolic_build" in unwrapped(getattr(type(model), name)).__code__.co_names


def _loss_known(model: Any) -> bool:
    """Whether loss and metrics are Keras' own."""
    if vars(model).get("_crane_unknown_loss"):
        return False
    for name in ("_compile_loss", "_compile_metrics"):
        part = vars(model).get(name)
        for user in (
            (vars(part).get("_user_loss"), vars(part).get("_user_metrics"), vars(part).get("_user_weighted_metrics"))
            if part is not None
            else ()
        ):
            if not _all_library(user):
                return False
    return True


def _all_library(user: Any, depth: int = 0) -> bool:
    if isinstance(user, (list, tuple)):
        return depth < 4 and all(_all_library(item, depth + 1) for item in user)
    if isinstance(user, dict):
        return depth < 4 and all(_all_library(item, depth + 1) for item in user.values())
    return (
        not is_user_function(user)
        and is_library_type(user if isinstance(user, type) else type(user))
        and not hasattr(user, "__crane_callable__")
    )


# --- fit, evaluate, predict ------------------------------------------------------------------------------


def _fit(interpreter: Any, event: Any, model: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    given = bind(interpreter, event, model, "fit", args, kwargs)
    logs = _checked(interpreter, event, model, lambda owned: _fit_contract(interpreter, event, owned, given), given)
    return _history(interpreter, model, given, logs)


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
    weights = (
        class_weight.obj if class_weight is not None and class_weight.exact and type(class_weight.obj) is dict else None
    )
    batch = batch_of(interpreter, event, x, y, weight, size, steps, weights)
    if given.plain("epochs", 1) <= given.plain("initial_epoch", 0):
        return None
    if (
        class_weight is not None
        and not (class_weight.exact and class_weight.obj is None)
        and batch.data[2] is None
        and batch.data[1] is not None
    ):
        batch.data = (
            (batch.data[0], batch.data[1], Leaf((batch.data[1].shape[0],), "float32"))
            if isinstance(batch.data[1], Leaf)
            else batch.data
        )
    _, logs = check_step(interpreter, event, model, batch, True)
    every_batch = steps is None or batch.batches is not None and steps >= batch.batches
    if every_batch:
        labels.check_values(interpreter, event, model, batch, _source(interpreter, given, "x"))
    if val is None or not _harmless(interpreter, given):
        return logs, None, val is not None
    return logs, _validate(interpreter, event, model, val, given, size), True


def _validate(interpreter: Any, event: Any, model: Any, val: Any, given: Given, size: Any) -> Any:
    parts = val if isinstance(val, (tuple, list)) and len(val) in (2, 3) else (val, None, None)
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
    _, logs = check_step(interpreter, event, model, batch, False)
    if given.plain("validation_steps") is None:
        labels.check_values(interpreter, event, model, batch, None)
    return logs


def _split(interpreter: Any, event: Any, x: Any, y: Any, weight: Any, split: Any) -> Any:
    """Keras' own split; large data is only tested for what it refuses."""
    slicing = sys.modules["keras.src.trainers.data_adapters.array_slicing"]
    tree = sys.modules["keras.src.tree"]
    total = sum(int(getattr(part, "nbytes", 0) or 0) for part in tree.flatten((x, y)) if hasattr(part, "shape"))
    if is_dataset(x) or is_py_dataset(x) or type(x).__name__ in ("generator", "Stream"):
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
        _first_rows(batch, given.plain("batch_size") or 32)
        found["rows"] = batch.rows if given.plain("steps") is None else None
        found["leaf"], _ = check_step(interpreter, event, owned, batch, False, predict=True)
        return found["leaf"]

    _checked(interpreter, event, model, contract, given)
    return _prediction(interpreter, found.get("leaf"), found.get("rows"))


def _first_rows(batch: Batch, size: int) -> None:
    """Prediction hands the first batch over as it is: its number of rows is part of the shape."""
    if batch.rows is None:
        return
    tree = sys.modules["keras.src.tree"]
    rows = min(batch.rows, size)
    batch.data = tuple(
        tree.map_structure(lambda leaf: leaf and Leaf((rows, *leaf.shape[1:]), leaf.dtype), part) for part in batch.data
    )


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
        if not library_step(model) or interpreter.heap.is_dirty(model):
            raise Abandon("a model of the notebook's own class")
        owned = writable(interpreter, [model])[id(model)]
        result = contract(owned)
    except Abandon as reason:
        interpreter.lose(event.node, str(reason))
        if not library_step(model):
            interpreter.heap.soil([model], link=False)
    callbacks = given.value("callbacks")
    if callbacks is not None and not (callbacks.exact and callbacks.obj is None):
        interpreter.heap.soil([callbacks.obj] if callbacks.exact else list(callbacks.reach), link=False)
        interpreter.world.files = False
        if not _harmless(interpreter, given):
            interpreter.world.disturb()
    interpreter.world.random = False
    return result


def _source(interpreter: Any, given: Given, name: str) -> Any:
    value = given.value(name)
    return interpreter.heap.resolve(value.obj) if value is not None and value.exact else None


def _harmless(interpreter: Any, given: Given) -> bool:
    """Whether no callback can end training early, raise, or put keys of its own into the logs."""
    value = given.value("callbacks")
    if value is None or (value.exact and value.obj is None):
        return True
    obj = interpreter.heap.resolve(value.obj) if value.exact else None
    items = obj if isinstance(obj, (list, tuple)) else [obj]
    kinds = []
    for item in items:
        kind = interpreter.heap.wrap(item).known_type
        kinds.append(kind)
    return all(
        kind is not None and kind.__name__ in _NO_KEYS and str(kind.__module__).startswith("keras.") for kind in kinds
    )


def _history(interpreter: Any, model: Any, given: Given, logs: Any) -> Value:
    """What ``fit`` returns: a History whose keys are known where the logs are, and whose numbers are not."""
    cls = keras_class("keras.src.callbacks.history:History")
    if cls is None or logs is None or logs[0] is None or not _harmless(interpreter, given):
        return unknown(cls)
    train, val, validated = logs
    if validated and val is None:
        return unknown(cls)
    keys = list(train) + [f"val_{name}" for name in (val or [])]
    lower = interpreter.heap.lower
    made = cls()
    made.history = interpreter.heap.own({key: lower(unknown(list)) for key in keys}).obj
    made.epoch = lower(unknown(list))
    made.params = lower(unknown(dict))
    vars(made)["_model"] = lower(interpreter.heap.wrap(model))
    return interpreter.heap.own(made)


METHODS = {"compile": _compile, "fit": _fit, "evaluate": _evaluate, "predict": _predict}

__all__ = ["METHODS", "Optimizer", "Raised", "blank", "check_step", "is_optimizer", "wrap"]
