"""Tensors without a cost: real CPU tensors of any shape, stride and dtype whose memory is zero and not yet touched.

An anonymous mapping is given out page by page only when it is read or written, so a tensor of gigabytes costs nothing until an
operation computes with it. Everything that checks shapes, strides and dtypes is PyTorch's own code.
"""

from __future__ import annotations

import contextlib
import mmap
import sys
from collections.abc import Iterator
from typing import Any

from ...values import Abandon

SMALL = 1 << 16  # bytes below which ordinary zeroed memory is cheaper than a mapping
LARGEST = 1 << 32  # bytes of one stand-in

_marks: dict[int, Any] = {}


def torch_module() -> Any:
    """The loaded ``torch``; raises Abandon where there is none that we can use."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "Tensor") or not hasattr(torch, "frombuffer"):
        raise Abandon("torch is not loaded")
    return torch


def is_tensor(obj: Any) -> bool:
    """Whether ``obj`` is a tensor (looked up in the loaded torch only)."""
    torch = sys.modules.get("torch")
    kind = getattr(torch, "Tensor", None)
    return isinstance(kind, type) and issubclass(type(obj), kind)


def is_plain(tensor: Any) -> bool:
    """Whether a tensor is torch's own, dense and on the CPU: no subclass, no hook of the person's, no accelerator."""
    torch = torch_module()
    kinds = {torch.Tensor, torch.nn.Parameter, getattr(torch.nn, "Buffer", torch.Tensor)}
    if type(tensor) not in kinds:
        return False
    return (
        tensor.device.type == "cpu"
        and tensor.layout is torch.strided
        and not tensor.is_quantized
        and not tensor._backward_hooks
    )


def new(shape: tuple[int, ...], dtype: Any, requires_grad: bool = False, order: tuple[int, ...] | None = None) -> Any:
    """A lazily zeroed tensor that is no leaf where it requires grad. ``order``: dims from the outermost in memory to the innermost."""
    return mark(storage(shape, dtype, order)) if requires_grad else storage(shape, dtype, order)


def storage(shape: tuple[int, ...], dtype: Any, order: tuple[int, ...] | None = None) -> Any:
    """A lazily zeroed tensor without a graph."""
    torch = torch_module()
    count = 1
    for size in shape:
        count *= int(size)
    itemsize = torch.empty((), dtype=dtype).element_size()
    nbytes = count * itemsize
    if nbytes > LARGEST:
        raise Abandon("a tensor too large to stand in for")
    if nbytes <= SMALL:
        flat = torch.zeros(count, dtype=dtype)
    else:
        flat = torch.frombuffer(_pages(nbytes), dtype=dtype, count=count)
    strides = [1] * len(shape)
    step = 1
    for dim in reversed(order if order is not None and len(order) == len(shape) else range(len(shape))):
        strides[dim] = step
        step *= max(1, int(shape[dim]))
    # Not a view of anything: autograd treats views that are changed in place in a way of their own.
    return torch.empty(0, dtype=dtype).set_(flat.untyped_storage(), 0, tuple(int(n) for n in shape), tuple(strides))


def _pages(nbytes: int) -> mmap.mmap:
    try:
        if hasattr(mmap, "MAP_PRIVATE"):
            return mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return mmap.mmap(-1, nbytes)
    except (OSError, ValueError):
        raise Abandon("no room for a stand-in") from None


def mark(tensor: Any) -> Any:
    """``tensor`` as the output of an operation that requires grad: it has a ``grad_fn`` and is neither a leaf nor a view."""
    torch = torch_module()
    function = _marks.get(id(torch))
    if function is None:

        class Computed(torch.autograd.Function):  # type: ignore[name-defined,misc]
            """Stands in the graph for whatever computed the tensor."""

            @staticmethod
            def forward(ctx: Any, seed: Any, made: list[Any]) -> Any:
                return made[0]

            @staticmethod
            def backward(ctx: Any, grad: Any) -> Any:
                return None, None

        function = _marks[id(torch)] = Computed
    enabled = torch.is_grad_enabled()
    torch._C._set_grad_enabled(True)
    try:
        seed = torch.zeros((), requires_grad=True)
        return function.apply(seed, [tensor])
    finally:
        torch._C._set_grad_enabled(enabled)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Inside, PyTorch computes in this thread alone: waiting for others would cost more than our small operations do."""
    torch = torch_module()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def memory_order(tensor: Any) -> tuple[int, ...] | None:
    """The dims from outermost to innermost in memory; None for the ordinary order."""
    if tensor.is_contiguous():
        return None
    strides = tensor.stride()
    order = tuple(sorted(range(tensor.dim()), key=lambda dim: (-strides[dim], dim)))
    return None if order == tuple(range(tensor.dim())) else order


def twin(tensor: Any) -> Any:
    """A lazily zeroed tensor with the shape, order, dtype and grad facts of ``tensor``, sharing nothing with it."""
    made = storage(tuple(tensor.shape), tensor.dtype, memory_order(tensor))
    if tensor.requires_grad:
        return made.requires_grad_() if tensor.is_leaf else mark(made)
    return made
