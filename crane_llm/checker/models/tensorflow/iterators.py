"""The contracts of Keras' image iterators: what one batch holds. Their images are not read."""

from __future__ import annotations

from typing import Any

from ...values import Abandon


def batch_of_iterator(iterator: Any, steps: Any = None) -> Any:
    """The first batch of a library iterator; raises :class:`Abandon` for any other sequence."""
    from .data import Batch

    kind = type(iterator)
    if not str(kind.__module__).startswith("keras.src.legacy.preprocessing.image"):
        raise Abandon("a sequence of the notebook's own")
    count = int(iterator.n)
    size = int(iterator.batch_size)
    if count <= 0 or size <= 0:
        raise Abandon("an iterator without images")
    parts = _files(iterator) if hasattr(iterator, "image_shape") else _array(iterator)
    data = parts + (None,) * (3 - len(parts))
    batch = Batch(data, count, batches=-(-count // size))  # type: ignore[arg-type]
    batch.first = min(count, size)
    return batch


def _files(iterator: Any) -> tuple[Any, ...]:
    """Images from a directory or named in a frame."""
    from .data import Leaf

    dtype = str(iterator.dtype)
    images = Leaf((None, *(int(part) for part in iterator.image_shape)), dtype)
    mode = iterator.class_mode
    labels: Any
    if mode is None:
        return (images,)
    if mode == "input":
        labels = images
    elif mode in ("binary", "sparse"):
        labels = Leaf((None,), dtype)
    elif mode == "categorical":
        labels = Leaf((None, len(iterator.class_indices)), dtype)
    elif mode == "raw":
        values = iterator.labels
        if not hasattr(values, "shape") or str(values.dtype) == "object":
            raise Abandon("raw labels that are not an array")
        labels = Leaf((None, *values.shape[1:]), values.dtype.name)
    else:
        raise Abandon("labels of several outputs")
    weight = iterator.sample_weight
    if weight is not None:
        raise Abandon("an iterator with weights")
    return (images, labels)


def _array(iterator: Any) -> tuple[Any, ...]:
    """Batches cut out of an array."""
    from .data import Leaf

    if getattr(iterator, "x_misc", None) or getattr(iterator, "sample_weight", None) is not None:
        raise Abandon("an iterator with more than images")
    images = Leaf((None, *iterator.x.shape[1:]), str(iterator.dtype))
    if iterator.y is None:
        return (images,)
    return (images, Leaf((None, *iterator.y.shape[1:]), iterator.y.dtype.name))
