"""The shapes of results that are too costly to compute, where sizes are reckoned with.

Each function takes the call's arguments as PyTorch does and returns (shape, like) pairs or raises :class:`Doubt` where it sees a
mismatch or does not know: PyTorch itself is asked then. A shape given here must be right: tests compare each with real results.
"""

from __future__ import annotations

from typing import Any, Callable


class Doubt(Exception):
    """The rule cannot vouch for a result."""


def _bind(names: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    order = names.split()
    if len(args) > len(order):
        raise Doubt
    bound = dict(zip(order, args))
    for name, value in kwargs.items():
        if name in bound or name not in order:
            raise Doubt
        bound[name] = value
    return bound


def _each(value: Any, count: int) -> tuple[int, ...]:
    if isinstance(value, bool):
        raise Doubt
    if isinstance(value, int):
        return (value,) * count
    values = tuple(value)
    if len(values) == 1:
        values *= count
    if len(values) != count or not all(type(v) is int for v in values):
        raise Doubt
    return values


def _conv(dims: int, transposed: bool) -> Callable[..., Any]:
    names = (
        "input weight bias stride padding output_padding groups dilation"
        if transposed
        else "input weight bias stride padding dilation groups"
    )

    def shape(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        bound = _bind(names, args, kwargs)
        source, weight, bias = bound["input"], bound["weight"], bound.get("bias")
        groups = bound.get("groups", 1)
        stride, dilation = _each(bound.get("stride", 1), dims), _each(bound.get("dilation", 1), dims)
        extra = _each(bound.get("output_padding", 0), dims)
        if (
            source.dim() not in (dims + 1, dims + 2)
            or weight.dim() != dims + 2
            or source.dtype != weight.dtype
            or not source.is_floating_point()
        ):
            raise Doubt
        if bias is not None and (bias.dtype != weight.dtype or bias.dim() != 1):
            raise Doubt
        kernel = tuple(weight.shape[2:])
        sizes = tuple(source.shape[-dims:])
        channels = source.shape[-dims - 1]
        padding = bound.get("padding", 0)
        if isinstance(padding, str):
            if padding == "valid":
                padding = 0
            elif padding == "same" and not transposed and all(s == 1 for s in stride):
                return _same(source, weight, bias, groups, sizes, channels)
            else:
                raise Doubt
        pads = _each(padding, dims)
        if (
            min(stride) < 1
            or min(dilation) < 1
            or min(pads) < 0
            or type(groups) is not int
            or groups < 1
            or min(source.shape, default=1) < 1
            or min(weight.shape) < 1
        ):
            raise Doubt
        if transposed:
            if channels != weight.shape[0] or channels % groups:
                raise Doubt
            if any(e >= max(s, d) for e, s, d in zip(extra, stride, dilation)) or min(extra) < 0:
                raise Doubt
            out_channels = weight.shape[1] * groups
            outs = tuple(
                (i - 1) * s - 2 * p + d * (k - 1) + e + 1
                for i, s, p, d, k, e in zip(sizes, stride, pads, dilation, kernel, extra)
            )
        else:
            out_channels = weight.shape[0]
            if channels != weight.shape[1] * groups or out_channels % groups:
                raise Doubt
            outs = tuple(
                (i + 2 * p - d * (k - 1) - 1) // s + 1 for i, s, p, d, k in zip(sizes, stride, pads, dilation, kernel)
            )
            if any(i + 2 * p < d * (k - 1) + 1 for i, p, d, k in zip(sizes, pads, dilation, kernel)):
                raise Doubt
        if min(outs) < 1 or (bias is not None and bias.shape[0] != out_channels):
            raise Doubt
        return (*source.shape[: -dims - 1], out_channels, *outs)

    return shape


def _same(source: Any, weight: Any, bias: Any, groups: int, sizes: tuple[int, ...], channels: int) -> Any:
    if (
        channels != weight.shape[1] * groups
        or weight.shape[0] % groups
        or (bias is not None and bias.shape[0] != weight.shape[0])
        or min(source.shape) < 1
    ):
        raise Doubt
    return (*source.shape[: -len(sizes) - 1], weight.shape[0], *sizes)


def _cat(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    bound = _bind("tensors dim", args, {("dim" if k == "axis" else k): v for k, v in kwargs.items()})
    parts, dim = list(bound["tensors"]), bound.get("dim", 0)
    if (
        not parts
        or type(dim) is not int
        or any(p.dim() == 0 or p.dtype != parts[0].dtype or p.dim() != parts[0].dim() for p in parts)
    ):
        raise Doubt
    rank = parts[0].dim()
    if not -rank <= dim < rank:
        raise Doubt
    dim %= rank
    base = list(parts[0].shape)
    total = 0
    for part in parts:
        shape = list(part.shape)
        total += shape[dim]
        shape[dim] = base[dim]
        if shape != base:
            raise Doubt
    base[dim] = total
    return tuple(base)


def _stack(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    bound = _bind("tensors dim", args, {("dim" if k == "axis" else k): v for k, v in kwargs.items()})
    parts, dim = list(bound["tensors"]), bound.get("dim", 0)
    if not parts or type(dim) is not int or any(p.shape != parts[0].shape or p.dtype != parts[0].dtype for p in parts):
        raise Doubt
    shape = list(parts[0].shape)
    rank = len(shape) + 1
    if not -rank <= dim < rank:
        raise Doubt
    shape.insert(dim % rank, len(parts))
    return tuple(shape)


def _layer_norm(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    bound = _bind("input normalized_shape weight bias eps cudnn_enable", args, kwargs)
    source, wanted = bound["input"], tuple(bound["normalized_shape"])
    for name in ("weight", "bias"):
        part = bound.get(name)
        if part is not None and (tuple(part.shape) != wanted or part.dtype != source.dtype):
            raise Doubt
    if not wanted or tuple(source.shape[-len(wanted) :]) != wanted or not source.is_floating_point():
        raise Doubt
    return tuple(source.shape)


def _group_norm(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    bound = _bind("input num_groups weight bias eps cudnn_enabled", args, kwargs)
    source, groups = bound["input"], bound["num_groups"]
    if (
        source.dim() < 2
        or type(groups) is not int
        or groups < 1
        or source.shape[1] % groups
        or not source.is_floating_point()
    ):
        raise Doubt
    count = source.numel() // groups
    for name in ("weight", "bias"):
        part = bound.get(name)
        if part is not None and (tuple(part.shape) != (source.shape[1],) or part.dtype != source.dtype):
            raise Doubt
    if count < 2 * source.shape[0]:
        raise Doubt
    return tuple(source.shape)


def _local_response_norm(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    source = args[0] if args else kwargs["input"]
    if source.dim() < 3 or not source.is_floating_point() or min(source.shape) < 1:
        raise Doubt
    return tuple(source.shape)


def _repeat(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kwargs:
        raise Doubt
    times = tuple(args[1]) if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
    shape = tuple(args[0].shape)
    if len(times) < len(shape) or not all(type(n) is int and n >= 0 for n in times):
        raise Doubt
    shape = (1,) * (len(times) - len(shape)) + shape
    return tuple(a * b for a, b in zip(shape, times))


def _pixel_shuffle(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    bound = _bind("input upscale_factor", args, kwargs)
    source, factor = bound["input"], bound["upscale_factor"]
    if source.dim() < 3 or type(factor) is not int or factor < 1 or source.shape[-3] % (factor * factor):
        raise Doubt
    *lead, channels, height, width = source.shape
    return (*lead, channels // factor**2, height * factor, width * factor)


# Results of one tensor with the dtype of the first tensor given.
ONE: dict[str, Callable[..., Any]] = {
    **{f"conv{n}d": _conv(n, False) for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": _conv(n, True) for n in (1, 2, 3)},
    "cat": _cat,
    "concat": _cat,
    "concatenate": _cat,
    "stack": _stack,
    "layer_norm": _layer_norm,
    "group_norm": _group_norm,
    "local_response_norm": _local_response_norm,
    "repeat": _repeat,
    "pixel_shuffle": _pixel_shuffle,
}


def recurrent(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[int, ...]]:
    """Shapes of ``torch.lstm`` / ``gru`` / ``rnn_*`` results (output, hidden …); raises Doubt for packed input or a dtype mismatch."""
    if (
        kwargs
        or len(args) != 9
        or isinstance(args[2], bool)
        or not isinstance(args[2], (list, tuple))
        or not hasattr(args[0], "dim")
    ):
        raise Doubt
    source, hidden, weights = args[0], args[1], args[2]
    states = list(hidden) if isinstance(hidden, (tuple, list)) else [hidden]
    layers, both = args[4], args[7]
    if (
        source.dim() != 3
        or any(s.dim() != 3 or s.dtype != source.dtype for s in states)
        or any(w.dtype != source.dtype for w in weights)
    ):
        raise Doubt
    batch = source.shape[0] if args[8] else source.shape[1]
    width = states[0].shape[2]
    if (
        any(s.shape[0] != layers * (2 if both else 1) or s.shape[1] != batch for s in states)
        or weights[0].shape[1] != source.shape[2]
        or min(source.shape) < 1
    ):
        raise Doubt
    out = (*source.shape[:2], width * (2 if both else 1))
    return [out, *(tuple(s.shape) for s in states)]
