"""Allow-list: TensorFlow's eager operations on small tensors, Keras' array helpers.

Eager operations run only where the person's code has started the runtime, and only on the CPU.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ..registry import Pure

_LIMIT = 2_000_000  # elements of one operand or result
_RANDOM_NONE = None


def _started() -> bool:
    live = getattr(sys.modules.get("tensorflow.python.eager.context"), "_context", None)
    devices = getattr(live, "_logical_devices", None)
    return (
        getattr(live, "_context_handle", None) is not None
        and bool(devices)
        and all(d.device_type == "CPU" for d in devices)
    )


def _size(obj: Any) -> int:
    if type(obj).__name__ == "EagerTensor":
        total = 1
        for part in obj.shape:
            total *= int(part or 1)
        return total
    if isinstance(obj, (list, tuple)):
        return sum(_size(item) for item in obj[:200]) + len(obj)
    return int(getattr(obj, "size", 1) or 1) if not callable(getattr(obj, "size", 1)) else 1


def _sizes(args: list[Any], kwargs: dict[str, Any]) -> int:
    return sum(_size(obj) for obj in [*args, *kwargs.values()])


def _eager(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return _started() and _sizes(args, kwargs) <= _LIMIT and "name" not in kwargs


def _shaped(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """The result's size is given by an argument."""
    total = 1
    for obj in [*args, *kwargs.values()]:
        parts = obj if isinstance(obj, (list, tuple)) else [obj]
        for part in parts:
            if type(part) is int:
                total *= max(1, abs(part))
    return total <= _LIMIT and _eager(args, kwargs)


def _matrix(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return _eager(args, kwargs) and _sizes(args, kwargs) <= 200_000


def _small(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return _sizes(args, kwargs) <= _LIMIT


def _cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    return 3e-4 + _sizes(args, kwargs) * 4e-9


_op = Pure(when=_eager, cost=_cost, callbacks=False)
_made = Pure(when=_shaped, cost=_cost, callbacks=False)
_product = Pure(when=_matrix, cost=lambda args, kwargs, weight: 1e-3 + _sizes(args, kwargs) * 2e-7, callbacks=False)


def _category_cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    labels = args[0] if args else kwargs.get("x", kwargs.get("y"))
    classes = args[1] if len(args) > 1 else kwargs.get("num_classes") or 100
    return 1e-4 + _size(labels) * (float(classes) if isinstance(classes, (int, float)) else 100.0) * 6e-9


def _padded_cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    sequences: Any = args[0] if args else kwargs.get("sequences")
    width = args[1] if len(args) > 1 else kwargs.get("maxlen")
    count = len(sequences) if hasattr(sequences, "__len__") else 10
    return 1e-4 + count * 6e-6 + count * (width if type(width) is int else 200) * 4e-9 + weight * 2e-8


def _no_folder(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """The images are listed in a folder that is not there: the call fails before it reads or prints anything."""
    path = args[0] if args else kwargs.get("directory")
    listed = len(args) <= 1 and not {"class_names", "labels", "classes", "format"} & set(kwargs)
    return type(path) is str and listed and "://" not in path and not os.path.lexists(path)


_listing = Pure(when=_no_folder, files=True, cost=lambda args, kwargs, weight: 1e-3, callbacks=False)

_ARRAYS = (
    "reshape concat expand_dims_v2 squeeze_v2 transpose_v2 where_v2 gather_v2 zeros_like_v2 ones_like_v2 split shape_v2 size_v2 rank one_hot slice "
    "strided_slice pad_v2 reverse_v2 identity boolean_mask_v2 rank_v2 unique sequence_mask"
)
_MATH = (
    "cast reduce_sum reduce_mean reduce_max reduce_min reduce_any reduce_all reduce_prod reduce_std reduce_variance argmax_v2 argmin_v2 add subtract "
    "multiply divide pow sqrt exp log square abs maximum minimum equal not_equal less greater less_equal greater_equal logical_and logical_or "
    "logical_not sigmoid tanh round floor ceil add_n cumsum to_float floordiv mod truediv"
)

PURE: dict[str, Pure | None] = {
    "tensorflow.python.framework.constant_op.constant": _op,
    "tensorflow.python.framework.tensor_conversion.convert_to_tensor_v2_with_dispatch": _op,
    **{f"tensorflow.python.ops.array_ops.{name}": _op for name in _ARRAYS.split()},
    **{f"tensorflow.python.ops.array_ops.{name}": _made for name in ("zeros", "ones", "fill")},
    **{f"tensorflow.python.ops.math_ops.{name}": _op for name in _MATH.split()},
    **{
        f"tensorflow.python.ops.gen_math_ops.{name}": _op
        for name in ("sqrt", "exp", "log", "square", "maximum", "minimum", "less", "greater", "floor", "tanh")
    },
    "tensorflow.python.ops.math_ops.range": _made,
    "tensorflow.python.ops.math_ops.matmul": _product,
    "tensorflow.python.ops.math_ops.tensordot": _product,
    "tensorflow.python.ops.array_ops_stack.stack": _op,
    "tensorflow.python.ops.array_ops_stack.unstack": _op,
    "tensorflow.python.ops.gen_array_ops.tile": None,
    "tensorflow.python.ops.nn_ops.softmax_v2": _op,
    "tensorflow.python.ops.gen_nn_ops.relu": _op,
    "tensorflow.python.ops.clip_ops.clip_by_value": _op,
    "tensorflow.python.ops.confusion_matrix.confusion_matrix": _op,
    "tensorflow.python.framework.ops._EagerTensorBase.numpy": Pure(
        when=lambda args, kwargs: _started(), cost=lambda args, kwargs, weight: 1e-4 + _sizes(args, kwargs) * 2e-9
    ),
    "tensorflow.python.eager.context.executing_eagerly": Pure(),
    "keras.src.utils.numerical_utils.to_categorical": Pure(when=_small, cost=_category_cost, callbacks=False),
    "keras.src.utils.numerical_utils.normalize": Pure(when=_small, callbacks=False),
    "keras.src.utils.sequence_utils.pad_sequences": Pure(when=_small, cost=_padded_cost, callbacks=False),
    "keras.src.utils.image_dataset_utils.image_dataset_from_directory": _listing,
    "keras.src.utils.text_dataset_utils.text_dataset_from_directory": _listing,
    "keras.src.legacy.preprocessing.image.ImageDataGenerator.flow_from_directory": _listing,
    "keras.src.legacy.preprocessing.image.ImageDataGenerator": Pure(callbacks=False),
    "keras.src.utils.image_utils.load_img": Pure(files=True, cost=lambda args, kwargs, weight: 0.02),
}
