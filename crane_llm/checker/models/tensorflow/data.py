"""What one batch of the data given to ``fit``, ``evaluate`` or ``predict`` looks like, without reading the data.

Arrays, frames, tensors: Keras' own adapter decides (it looks at shapes only), its conversion is run on two rows. Datasets: the element
specification. Image iterators: their documented contract. The notebook's own sequences and generators: see :mod:`batches`. Everything
else is not known.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from ...generators import Generator
from ...memory import is_buffer
from ...purity.libraries import is_library_type
from ...unstarted import generator_behind
from ...values import ATOMS, PARTIAL, Abandon, Hole, Value, is_a
from .graph import run
from .scene import runtime_started
from .twins import keras_class

ROWS = 2
_NO_DATA: tuple[type, ...] = (
    types.FunctionType,
    zip,
    map,
    filter,
    enumerate,
    type(iter(())),
    type(iter([])),
)  # Keras shows them with their address
OBJECT_LIMIT = 200_000  # elements of an object array that is converted as a whole


class Batch:
    """``data`` is a structure (x, y, sample_weight) of (shape, dtype name) leaves; ``rows`` the number of samples, where known;
    ``full`` holds the real arrays behind the leaves, where there are any; ``first`` is the number of rows of the first batch, where known;
    ``element`` is what is handed to the step of training, where that is not the tuple of the parts that are there."""

    def __init__(
        self,
        data: tuple[Any, Any, Any],
        rows: int | None = None,
        full: tuple[Any, Any, Any] = (None, None, None),
        batches: int | None = None,
        element: Any = None,
    ) -> None:
        self.data = data
        self.rows = rows
        self.full = full
        self.batches = batches
        self.first: int | None = None
        self.adapter: Any = None  # of one of the notebook's own sources
        self._element = element

    @property
    def element(self) -> Any:
        """What the step of training is handed."""
        if self._element is not None:
            return self._element
        return self.data[: 3 if self.data[2] is not None else 2 if self.data[1] is not None else 1]

    def weigh(self) -> None:
        """Weights of the samples are put beside the labels."""
        x, y, weight = self.data
        if weight is None and isinstance(y, Leaf):
            self.data = (x, y, Leaf((y.shape[0],), "float32"))
            self._element = None

    def begin(self) -> None:
        """The first batch is handed over as it is: its number of rows, where known, is part of the shape."""
        if self.first is not None:
            tree, rows = sys.modules["keras.src.tree"], self.first
            self._element = tree.map_structure(
                lambda leaf: leaf and Leaf((rows, *leaf.shape[1:]), leaf.dtype), self.element
            )


class Leaf:
    """Shape and dtype of one tensor of a batch; ``raw``: it is handed over as it is."""

    __slots__ = ("shape", "dtype")

    def __init__(self, shape: tuple[Any, ...], dtype: str) -> None:
        self.shape = shape
        self.dtype = dtype


def arrays(interpreter: Any, value: Value | None, depth: int = 0) -> Any:
    """A value as a structure of arrays; raises :class:`Abandon` where it is not known. Stand-ins count for shape and dtype."""
    if value is None:
        return None
    if value.kind == PARTIAL:
        numpy = sys.modules.get("numpy")
        if numpy is not None and type(value.obj) is numpy.ndarray and value.obj.dtype != object:
            return value.obj
        raise Abandon("data that is not known")
    if value.unknown:
        raise Abandon("data that is not known")
    return _arrays(interpreter, interpreter.heap.resolve(value.obj), depth)


def _arrays(interpreter: Any, obj: Any, depth: int) -> Any:
    kind = type(obj)
    heap = interpreter.heap
    if kind in ATOMS:
        return obj
    if kind is Hole:
        return arrays(interpreter, obj.value, depth + 1)
    if is_a(obj, (Generator, types.GeneratorType)):
        return generator_behind(interpreter, obj, None)
    if heap.is_dirty(obj) or depth > 4 or not is_library_type(kind) and not is_py_dataset(obj):
        raise Abandon("data that is not known")
    standin = heap.standins.get(id(obj))
    if standin is not None and standin.obj is obj:
        return arrays(interpreter, standin, depth + 1)
    if kind in (list, tuple):
        if len(obj) > 64:
            interpreter.surveyor.look([obj])
            return obj if all(type(item) in ATOMS for item in obj[:64]) and set(map(type, obj)) <= ATOMS else _long(obj)
        return kind(_arrays(interpreter, heap.resolve(item), depth + 1) for item in obj)
    if kind is dict:
        return {key: _arrays(interpreter, heap.resolve(item), depth + 1) for key, item in obj.items()}
    return obj


def _long(obj: Any) -> Any:
    raise Abandon("a long list of objects")


def is_dataset(obj: Any) -> bool:
    """Whether ``obj`` is a ``tf.data`` dataset."""
    module = sys.modules.get("tensorflow.python.data.ops.dataset_ops")
    cls = getattr(module, "DatasetV2", None)
    return cls is not None and is_a(obj, cls)


def is_py_dataset(obj: Any) -> bool:
    """Whether ``obj`` is a Keras sequence (image iterators included)."""
    cls = keras_class("keras.src.trainers.data_adapters.py_dataset_adapter:PyDataset")
    return cls is not None and is_a(obj, cls)


def batch_of(
    interpreter: Any, event: Any, x: Any, y: Any, weight: Any, batch_size: Any, steps: Any, class_weight: Any
) -> Batch:
    """The first batch of the given data; raises what Keras raises when it takes the data in, :class:`Abandon` where it is not known."""
    from . import batches, datasets

    given = {"y": y, "sample_weight": weight, "batch_size": batch_size, "steps_per_epoch": steps}
    if is_dataset(x):
        if y is not None or weight is not None:
            adapter_of(interpreter, event, x, **given)
            raise Abandon("a dataset with labels of its own")
        batch = of_structure(x.element_spec)
        batch.first = datasets.first_rows(x)
        return batch
    if batches.own_source(x):
        return batches.batch_of_source(interpreter, event, x, **given, class_weight=class_weight)
    if is_py_dataset(x):
        from .iterators import batch_of_iterator

        return batch_of_iterator(x, steps)
    if not _plain(x) and not (type(x) in _NO_DATA and not interpreter.heap.made(x)):
        raise Abandon("a source of data that is not known")
    if class_weight is not None and not (hasattr(y, "shape") and y.shape and y.shape[0] <= 50_000):
        class_weight = None
    adapter = adapter_of(interpreter, event, x, **given, class_weight=class_weight)
    if type(adapter).__name__ != "ArrayDataAdapter":
        raise Abandon("a source of data that is not known")
    return _of_arrays(interpreter, event, adapter)


def adapter_of(interpreter: Any, event: Any, x: Any, **given: Any) -> Any:
    """Keras' own adapter of the data; raises what it raises when it takes the data in."""
    get = getattr(sys.modules.get("keras.src.trainers.data_adapters"), "get_data_adapter", None)
    if get is None:
        raise Abandon("a source of data that is not known")
    return run(interpreter, event, lambda: get(x=x, shuffle=False, **given))


def _plain(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return all(_plain(item) for item in x[:64])
    if isinstance(x, dict):
        return all(_plain(item) for item in x.values())
    return type(x) in ATOMS or is_buffer(x) or _is_tensor(x)


def _is_tensor(x: Any) -> bool:
    return type(x).__name__ == "EagerTensor" and type(x).__module__.startswith("tensorflow.")


def _of_arrays(interpreter: Any, event: Any, adapter: Any) -> Batch:
    tree = sys.modules["keras.src.tree"]
    size, rows = adapter._batch_size, adapter._num_samples
    if not isinstance(rows, int) or rows <= 0:
        raise Abandon("no samples")
    leading = size if rows % size == 0 else None

    def leaf(obj: Any) -> Leaf | None:
        return None if obj is None else _leaf(interpreter, event, obj, leading)

    data = tree.map_structure(leaf, adapter._inputs)
    padded = tuple(data) + (None,) * (3 - len(data)) if isinstance(data, tuple) else (data, None, None)
    full = (
        tuple(adapter._inputs) + (None,) * (3 - len(adapter._inputs))
        if isinstance(adapter._inputs, tuple)
        else (adapter._inputs, None, None)
    )
    return Batch(padded, rows, full, adapter._size)  # type: ignore[arg-type]


def _leaf(interpreter: Any, event: Any, obj: Any, leading: int | None) -> Leaf:
    slicing = sys.modules["keras.src.trainers.data_adapters.array_slicing"]
    if _is_tensor(obj):
        name = obj.dtype.name
        shape = tuple(obj.shape)
    else:
        rows = obj[:ROWS] if not hasattr(obj, "iloc") else obj.iloc[:ROWS]
        made = run(interpreter, event, lambda: slicing.convert_to_sliceable(rows.copy(), target_backend="tensorflow"))
        shape = tuple(made.shape)
        name = str(getattr(made.dtype, "name", made.dtype))
        if name == "object":
            _convert_objects(interpreter, event, obj, made)
            name = "string"
        elif name.startswith(("str", "bytes", "<U")):
            name = "string"
    return Leaf((leading, *shape[1:]), name)


def _convert_objects(interpreter: Any, event: Any, obj: Any, made: Any) -> None:
    """An array of Python objects becomes text or cannot be converted: TensorFlow's own conversion says which."""
    tf = sys.modules.get("tensorflow")
    size = 1
    for part in obj.shape:
        size *= int(part)
    if tf is None or not runtime_started() or interpreter.surveyor.look([obj]).opaque or size > OBJECT_LIMIT:
        raise Abandon("objects that are not looked at")
    whole = obj.to_numpy() if hasattr(obj, "to_numpy") else obj
    interpreter.quiet_call(event, lambda: tf.convert_to_tensor(whole))


def of_structure(spec: Any) -> Batch:
    """Batches of one element specification, as Keras unpacks them."""
    tree = sys.modules["keras.src.tree"]
    unpack = sys.modules["keras.src.trainers.data_adapters.data_adapter_utils"].unpack_x_y_sample_weight

    def leaf(part: Any) -> Leaf | None:
        if type(part).__name__ == "OptionalSpec":  # Keras' way to say that a part is not there
            return None
        if type(part).__name__ != "TensorSpec" or part.shape.rank is None:
            raise Abandon("a dataset of elements without a shape")
        return Leaf(tuple(part.shape.as_list()), part.dtype.name)

    element = tree.map_structure(leaf, spec)
    refused = isinstance(element, tuple) and len(element) not in (1, 2, 3)
    return Batch((None, None, None) if refused else unpack(element), element=element)


__all__ = ["Batch", "Leaf", "adapter_of", "arrays", "batch_of", "is_dataset", "is_py_dataset", "of_structure"]
