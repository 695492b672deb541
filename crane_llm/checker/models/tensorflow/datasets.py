"""``tf.data`` datasets: what a loop over one yields. No element is computed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ...values import Unfinished, Value, exact, unknown
from .data import is_dataset
from .scene import on_cpu_alone

# Classes that give at least one element when what they read from has one, and that cannot be empty for another reason.
_KEEPING = frozenset(
    "_PrefetchDataset _MapDataset _ParallelMapDataset _CacheDataset _ShuffleDataset _OptionsDataset _ModelDataset _BatchDataset _ParallelBatchDataset".split()
)
# Classes that hand on the first element of what they read from.
_FIRST = frozenset("_PrefetchDataset _CacheDataset _OptionsDataset _ModelDataset _RepeatDataset _TakeDataset".split())


def items(interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
    """The first element of a dataset that certainly has one, by type only; what follows is not known."""
    if type(obj).__name__ == "EagerTensor" and type(obj).__module__.startswith("tensorflow."):
        return _rows(interpreter, obj, event)
    if not is_dataset(obj) or interpreter.heap.is_dirty(obj) or not certainly_full(obj):
        return None
    return _first(interpreter, obj)


def _rows(interpreter: Any, tensor: Any, event: Any) -> Iterator[Value] | None:
    """The rows of a small tensor."""
    shape = tensor.shape
    if (
        not on_cpu_alone()
        or shape.rank != 0
        and (shape[0] > 200 or tensor.dtype.size * shape.num_elements() > 1_000_000)
    ):
        return None
    rows = interpreter.attempt(event, lambda: list(iter(tensor)))
    return iter([exact(row) for row in rows])


def certainly_full(dataset: Any, depth: int = 0) -> bool:
    """Whether a dataset has at least one element, told from how it was made."""
    name = type(dataset).__name__
    if depth > 12:
        return False
    if depth == 0 and on_cpu_alone():
        known = _cardinality(dataset)
        if known is not None:
            return known
    if name in _KEEPING:
        if (
            "Batch" in name
            and getattr(dataset, "_drop_remainder", None) is not None
            and _static(getattr(dataset, "_drop_remainder", None)) is not False
        ):
            return False
        inner = getattr(dataset, "_input_dataset", None)
        return inner is not None and certainly_full(inner, depth + 1)
    if name == "_TensorDataset":
        return True
    if name == "_TensorSliceDataset":
        tensors = getattr(dataset, "_tensors", None) or []
        return bool(tensors) and all(t.shape.rank and (t.shape[0] or 0) > 0 for t in tensors)
    return False


def _cardinality(dataset: Any) -> bool | None:
    """Whether TensorFlow itself knows the number of elements to be at least one; None where it does not know it."""
    count = _count(dataset)
    return None if count is None else count != 0


def _count(dataset: Any) -> int | None:
    """The number of elements where TensorFlow itself knows it (-1: there is no end)."""
    try:
        count = int(dataset.cardinality().numpy())  # read from how the dataset was made: no element is computed
    except Exception:
        return None
    return count if count != -2 else None


def first_rows(dataset: Any, depth: int = 0) -> int | None:
    """The number of rows of the first batch, where it is told by how the dataset was made."""
    inner = getattr(dataset, "_input_dataset", None)
    if inner is None or depth > 12 or not on_cpu_alone():
        return None
    if type(dataset).__name__ in _FIRST:
        return first_rows(inner, depth + 1)
    if type(dataset).__name__ not in ("_BatchDataset", "_ParallelBatchDataset"):
        return None
    size, count = (
        sys.modules["tensorflow.python.framework.tensor_util"].constant_value(dataset._batch_size),
        _count(inner),
    )
    if size is None or count is None or count == 0:
        return None
    return int(size) if count < 0 else min(int(size), count)


def _static(flag: Any) -> Any:
    try:
        return bool(flag.numpy()) if hasattr(flag, "numpy") else flag
    except Exception:  # a symbolic flag
        return None


def _first(interpreter: Any, dataset: Any) -> Iterator[Value]:
    yield element(interpreter, dataset.element_spec)
    raise Unfinished("the rest of a dataset")


def element(interpreter: Any, spec: Any) -> Value:
    """One element as a value: tensors of which the class is known."""
    if type(spec) is tuple:
        return exact(tuple(interpreter.heap.lower(element(interpreter, part)) for part in spec))
    if type(spec) is dict:
        return interpreter.heap.own(
            {key: interpreter.heap.lower(element(interpreter, part)) for key, part in spec.items()}
        )
    return unknown()


def method(interpreter: Any, call: Any) -> Value | None:
    """A method of a dataset: it makes another dataset and leaves this one alone."""
    receiver = call.receiver
    if receiver is None or isinstance(receiver, type) or not is_dataset(interpreter.heap.resolve(receiver)):
        return None
    name = call.key.rpartition(".")[2]
    if (
        name
        in ("take", "skip", "batch", "shuffle", "prefetch", "repeat", "cache", "unbatch", "enumerate", "with_options")
        and call.exact
    ):
        interpreter.lose(call.node, "a dataset that is not made")
        return unknown(None, (receiver,))
    return None


__all__ = ["certainly_full", "items", "method"]
