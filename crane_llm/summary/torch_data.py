"""Lengths and sample shapes of torch datasets, from what they hold; no user's ``__len__`` or ``__getitem__`` is called."""

from __future__ import annotations

from typing import Any

from . import elements, safe, values

_IMAGE = ("Resize", "CenterCrop", "RandomCrop", "RandomResizedCrop")


def length(value: Any, level: int = 0) -> int | None:
    """Number of samples of a dataset of torch or torchvision, or of a plain list or array; None for a user's own."""
    if level > 4 or value is None:
        return None
    own = safe.top_package(type(value)) in ("torch", "torchvision") and safe.genuine(type(value))
    name = safe.class_name(type(value))
    size = safe.length(value) if safe.class_module(type(value)) == "builtins" else None
    if size is not None:
        return size
    if safe.top_package(type(value)) == "numpy" and name == "ndarray":
        return int(value.shape[0]) if value.ndim else None
    if not own:
        return _own_length(value)
    if name == "TensorDataset":
        tensors = safe.field(value, "tensors")
        return (
            int(tensors[0].shape[0]) if type(tensors) is tuple and tensors and safe.genuine(type(tensors[0])) else None
        )
    if name == "Subset":
        indices = safe.field(value, "indices")
        return (
            length(indices, level + 1)
            if safe.class_module(type(indices)) in ("builtins", "numpy")
            else int(indices.shape[0])
            if safe.class_name(type(indices)) == "Tensor"
            else None
        )
    if name == "ConcatDataset":
        sizes = safe.field(value, "cumulative_sizes")
        return sizes[-1] if type(sizes) is list and sizes and type(sizes[-1]) is int else None
    for attribute in ("samples", "data", "targets"):
        found = safe.field(value, attribute)
        if found is not None:
            return length(found, level + 1) if safe.class_name(type(found)) != "Tensor" else int(found.shape[0])
    return None


def _own_length(value: Any) -> int | None:
    """The length that a notebook's dataset returns where its ``__len__`` is just ``len(self.x)``, by its code."""
    method = safe.slot(type(value), "__len__")
    code = getattr(method, "__code__", None) if type(method).__name__ == "function" else None
    if code is None or len(code.co_names) != 2 or code.co_names[0] != "len" or code.co_consts not in ((None,), ()):
        return None
    held = safe.field(value, code.co_names[1])
    if held is None:
        return None
    size = safe.length(held) if safe.class_module(type(held)) == "builtins" else None
    if (
        size is None
        and safe.top_package(type(held)) in ("numpy", "torch")
        and safe.class_name(type(held)) in ("ndarray", "Tensor")
        and safe.genuine(type(held))
    ):
        size = int(held.shape[0]) if len(held.shape) else None
    if size is None and safe.top_package(type(held)) == "pandas":
        shape = elements.shape_of(held)
        size = int(shape.strip("(").split(",")[0]) if shape else None
    return size


def batched(shape: str, batch: int) -> str:
    """``(32, 3, 8) float32`` for a batch of 32 of ``(3, 8) float32``."""
    inner, _, rest = shape.lstrip("(").partition(")")
    inner = inner.rstrip(",")
    return f"({batch}, {inner}){rest}" if inner else f"({batch},){rest}"


def sample_shapes(value: Any, level: int = 0) -> list[str]:
    """Shapes and dtypes of the fields of every sample, where the dataset's own data says them; else an empty list."""
    if level > 4:
        return []
    name = safe.class_name(type(value))
    own = safe.top_package(type(value)) in ("torch", "torchvision") and safe.genuine(type(value))
    if own and name == "TensorDataset":
        tensors = safe.field(value, "tensors") or ()
        return [f"{_tail(tensor.shape)} {str(tensor.dtype)[6:]}" for tensor in tensors if safe.genuine(type(tensor))]
    if own and name == "Subset":
        return sample_shapes(safe.field(value, "dataset"), level + 1)
    if safe.one_of(type(value), (list, tuple)) and 0 < len(value) <= 2000:
        first = _fields(value[0])
        return first if all(_fields(sample) == first for sample in value) else []
    if own:
        return _vision_shapes(value)
    return []


def _tail(shape: Any) -> str:
    rest = tuple(shape)[1:]
    return "(" + ", ".join(map(str, rest)) + ("," if len(rest) == 1 else "") + ")"


def _fields(sample: Any) -> list[str]:
    parts = sample if safe.one_of(type(sample), (tuple, list)) else [sample]
    found = []
    for part in parts[:6]:
        shape = elements.shape_of(part)
        found.append(
            shape
            if shape is not None
            else f"() {safe.class_name(type(part))}"
            if values.is_plain(part)
            else safe.class_name(type(part))
        )
    return found


def _vision_shapes(value: Any) -> list[str]:
    """An image dataset of torchvision whose transform fixes the size and makes a tensor."""
    steps = transform_steps(safe.field(value, "transform"))
    if not steps or not any(name in ("ToTensor", "PILToTensor") for name, _ in steps):
        return []
    size: Any = None
    channels: Any = 3 if safe.class_name(type(value)) in ("ImageFolder", "CIFAR10", "CIFAR100", "SVHN") else None
    data = safe.field(value, "data")
    if data is not None and safe.top_package(type(data)) in ("numpy", "torch"):
        shape = tuple(data.shape)
        size = shape[1:3] if len(shape) in (3, 4) and shape[-1] in (1, 3) or len(shape) == 3 else None
        channels = 1 if len(shape) == 3 else channels
    for name, step in steps:
        if name in _IMAGE:
            found = safe.field(step, "size")
            if type(found) in (tuple, list) and len(found) == 2:
                size = tuple(found)
            elif type(found) is int and name != "Resize":
                size = (found, found)
            elif type(found) is int or (type(found) in (tuple, list) and len(found) == 1):
                size = (found, found) if type(found) is int and size and size[0] == size[1] else None
        elif name == "Grayscale":
            channels = safe.field(step, "num_output_channels", 1)
        elif name in ("Lambda",) or "Pad" in name or "Rotat" in name or "Affine" in name or "Perspective" in name:
            if "Pad" in name or name == "Lambda":
                return []
    if size is None or channels is None:
        return []
    return [f"({channels}, {size[0]}, {size[1]}) float32", "() int"]


def transform_steps(value: Any) -> list[tuple[str, Any]]:
    """The steps of a Compose (or the one transform), by class name; an empty list when any is not torchvision's own."""
    if value is None:
        return []
    parts = safe.field(value, "transforms") if safe.class_name(type(value)) == "Compose" else [value]
    if type(parts) is not list or not all(safe.top_package(type(part)) == "torchvision" for part in parts):
        return []
    return [(safe.class_name(type(part)), part) for part in parts]


def transform_text(value: Any) -> str:
    """A transform in words: ``Compose[Resize(size=(100, 100)), ToTensor]``."""
    parts = safe.field(value, "transforms") if safe.class_name(type(value)) == "Compose" else None
    if type(parts) is list:
        return "[" + ", ".join(transform_text(part) for part in parts[:12]) + "]"
    name = safe.class_name(type(value))
    for attribute in ("size", "num_output_channels", "padding", "degrees"):
        found = safe.field(value, attribute)
        if type(found) in (int, float, tuple, list):
            return f"{name}({attribute}={values.short(found)})"
    return name
