"""Values that a training step refuses while it runs: class labels and token numbers out of range, images that cannot be decoded.

These errors exist on the CPU only and come from the running graph, so the first line of their message is all that can be told.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ...values import Value
from .data import Batch
from .scene import on_cpu_alone

SCAN = 4_000_000  # bytes of an array that is read through
FILES = 400  # image files whose headers are read
_MAGIC = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM")


def check_values(interpreter: Any, event: Any, model: Any, batch: Batch, source: Any) -> None:
    """Raise what one pass over all batches certainly raises."""
    if not on_cpu_alone():
        return
    message = _undecodable(interpreter, source) or _labels(model, batch) or _tokens(model, batch)
    if message is not None:
        error = sys.modules["tensorflow"].errors.InvalidArgumentError(
            None, None, "Graph execution error:\n\n" + message
        )
        event.mechanism = "values"
        raise interpreter.fail(error, event)


def _whole(array: Any) -> Any:
    """The array itself where it is real, numeric and small enough to read."""
    numpy = sys.modules.get("numpy")
    if numpy is None or array is None:
        return None
    if hasattr(array, "to_numpy") and hasattr(array, "dtype"):
        array = array.to_numpy()
    if (
        type(array) is not numpy.ndarray
        or array.dtype.kind not in "iuf"
        or array.nbytes > SCAN
        or 0 in array.strides
        or array.size == 0
    ):
        return None
    return array


def _labels(model: Any, batch: Batch) -> str | None:
    """A sparse class label outside of the model's classes."""
    loss = getattr(vars(model).get("_compile_loss"), "_user_loss", None)
    name = loss if isinstance(loss, str) else getattr(loss, "name", None)
    if name not in ("sparse_categorical_crossentropy",) or type(loss).__name__ not in (
        "str",
        "SparseCategoricalCrossentropy",
    ):
        return None
    if getattr(loss, "ignore_class", None) is not None:
        return None
    shape = getattr(model, "output_shape", None)
    labels = _whole(batch.full[1])
    if (
        labels is None
        or labels.dtype.kind == "f"
        or not isinstance(shape, tuple)
        or not isinstance(shape[-1], int)
        or len(shape) != 2
    ):
        return None
    classes = shape[-1]
    low, high = int(labels.min()), int(labels.max())
    if low >= 0 and high < classes:
        return None
    wrong = high if high >= classes else low
    return f"Received a label value of {wrong} which is outside the valid range of [0, {classes})."


def _tokens(model: Any, batch: Batch) -> str | None:
    """A number outside of the vocabulary of an embedding that is fed by an input directly."""
    for array, layer in _embeddings(model, batch):
        values = _whole(array)
        if values is None:
            continue
        size = int(layer.input_dim)
        for number in {_as_index(values.min()), _as_index(values.max())}:
            if number is not None and not -size <= number < size:  # newer versions count negative numbers from the end
                return f"indices = {number + size if number < 0 else number} is not in [0, {size})"
    return None


def _as_index(value: Any) -> int | None:
    """A number as TensorFlow itself makes an index of it on this machine (what it makes of NaN differs)."""
    if value == value:
        return int(value) if abs(value) < 2**31 else None
    tf = sys.modules["tensorflow"]
    return int(tf.cast(tf.constant(float("nan"), "float32"), "int32"))


def _embeddings(model: Any, batch: Batch) -> list[tuple[Any, Any]]:
    """(input array, embedding layer) pairs of a functional or sequential model."""
    inner = vars(model).get("_functional") or model
    inputs = vars(inner).get("_inputs")
    arrays = batch.full[0]
    if not inputs or arrays is None:
        return []
    arrays = list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]
    if isinstance(batch.full[0], dict) or len(arrays) != len(inputs):
        return []
    fed = {id(tensor): array for tensor, array in zip(inputs, arrays)}
    found: list[tuple[Any, Any]] = []
    for node in (node for level in vars(inner).get("_nodes_by_depth", {}).values() for node in level):
        layer = node.operation  # the nodes of a copy still name the original's layers
        if type(layer).__name__ == "Embedding" and str(type(layer).__module__).startswith("keras."):
            found.extend((fed[id(tensor)], layer) for tensor in node.input_tensors if id(tensor) in fed)
    return found


def _undecodable(interpreter: Any, source: Any) -> str | None:
    """An image dataset of files one of which is in no format that TensorFlow decodes."""
    paths = getattr(source, "file_paths", None) if type(source).__module__.startswith("tensorflow.") else None
    if not isinstance(paths, list) or not 0 < len(paths) <= FILES or not interpreter.world.files:
        return None
    for path in paths:
        if type(path) is not str or not os.path.isfile(path):
            return None
        try:
            with open(path, "rb") as file:
                head = file.read(4)
        except OSError:
            return None
        if not head.startswith(_MAGIC):
            return "Unknown image file format. One of JPEG, PNG, GIF, BMP required."
    return None


__all__ = ["Value", "check_values"]
