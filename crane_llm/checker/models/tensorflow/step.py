"""One step of training, testing or prediction, traced as Keras traces it.

Training traces one step of the model, its loss and its metrics into a graph before it computes anything; shapes and types that do not fit
raise there. The checker traces the same step, from the same entry, on a copy whose weights have no values, and stops after the metrics.
"""

from __future__ import annotations

import sys
from typing import Any

from ...attributes import static_lookup
from ...purity.libraries import is_library_type, is_user_function
from ...shadows import followed, interpreted
from ...values import Abandon, Raised
from .data import Batch, Leaf
from .graph import run

LAYERS = 400  # layers of the largest model whose step is traced


def check_step(interpreter: Any, event: Any, model: Any, batch: Batch, training: bool, predict: bool = False) -> Any:
    """Trace one step of an owned model. Returns (shape and dtype of the prediction, names of the logs); raises what the step raises."""
    layers = model._flatten_layers()
    if len(list(layers)) > LAYERS:
        raise Abandon("a model too large to trace")
    trace = sys.modules["tensorflow.python.framework.func_graph"].func_graph_from_py_func
    tf = sys.modules["tensorflow"]
    tree = sys.modules["keras.src.tree"]
    unpack = sys.modules["keras.src.trainers.data_adapters.data_adapter_utils"].unpack_x_y_sample_weight
    found: dict[str, Any] = {}

    def spec(leaf: Leaf | None) -> Any:
        return None if leaf is None else tf.TensorSpec(leaf.shape, leaf.dtype)

    own_step = overridden(model, "train_step" if training else "predict_step" if predict else "test_step")

    def step(data: Any) -> None:
        if own_step:
            getattr(model, own_step)(data)
            return
        x, y, weight = unpack(data)
        predicted = model(x, training=training) if model._call_has_training_arg else model(x)
        found["prediction"] = tree.map_structure(lambda t: Leaf(tuple(t.shape.as_list()), t.dtype.name), predicted)
        if predict or not loss_known(model):
            return
        loss = model._compute_loss(x=x, y=y, y_pred=predicted, sample_weight=weight, training=training)
        del loss
        found["logs"] = list(model.compute_metrics(x, y, predicted, sample_weight=weight))

    earlier = _traced(model, "predict" if predict else "fit" if training else "evaluate", batch)
    specs = tree.map_structure(spec, batch.element)
    if not interpreter.budget.affords(0.02 + 0.002 * len(list(model._flatten_layers()))):
        raise Abandon("no time to trace a model")
    build = getattr(type(model), "_symbolic_build", None)
    if build is not None and _builds_first(model, training, predict) and loss_known(model):
        samples = tree.map_structure(lambda leaf: leaf and _Sample(leaf), batch.element)
        run(interpreter, event, lambda: model._symbolic_build(data_batch=samples))
    try:
        run(interpreter, event, lambda: trace("one_step_on_data", step, (specs,), {}, arg_names=["data"]))
    except Raised:
        if earlier:  # a step that was traced before is traced again with looser shapes: what that raises is not known
            raise Abandon("a step that was traced with other shapes") from None
        event.mechanism = "traced step of training"
        raise
    return found.get("prediction"), found.get("logs")


def overridden(model: Any, name: str) -> str | None:
    """``name`` where the model's class is the notebook's and has a step of its own."""
    return name if interpreted(static_lookup(type(model), name)) else None


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


def _builds_first(model: Any, training: bool, predict: bool) -> bool:
    """Whether this version builds the model from the first batch before it traces the step."""
    from .domain import unwrapped

    name = "predict" if predict else "fit" if training else "evaluate"
    if vars(model).get("_distribute_strategy") is None:
        return False
    return "_maybe_symbolic_build" in unwrapped(getattr(type(model), name)).__code__.co_names


def loss_known(model: Any) -> bool:
    """Whether loss and metrics are Keras' own or interpreted, and regularizers its own."""
    if vars(model).get("_crane_unknown_loss"):
        return False
    for name in ("_compile_loss", "_compile_metrics"):
        part = vars(model).get(name)
        for user in (
            (vars(part).get("_user_loss"), vars(part).get("_user_metrics"), vars(part).get("_user_weighted_metrics"))
            if part is not None
            else ()
        ):
            if not all_library(user):
                return False
    # A live variable holds the notebook's function itself, and the scene has no value to hand to it.
    regularizers = [getattr(v, "regularizer", None) for v in model.trainable_weights]
    return not any(interpreted(user) or followed(user) or not all_library(user) for user in regularizers)


def all_library(user: Any, depth: int = 0) -> bool:
    if isinstance(user, (list, tuple)):
        return depth < 4 and all(all_library(item, depth + 1) for item in user)
    if isinstance(user, dict):
        return depth < 4 and all(all_library(item, depth + 1) for item in user.values())
    return (
        interpreted(user)
        or followed(user)
        or not is_user_function(user)
        and is_library_type(user if isinstance(user, type) else type(user))
    )
