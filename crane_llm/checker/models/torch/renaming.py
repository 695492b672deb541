"""Trying out an operation with every size renamed to a small one.

Most operations look at sizes only to compare them with each other and with one. Such an operation behaves the same when sizes are
renamed one to one, in their order, with zero and one kept; its result's sizes are named back.
"""

from __future__ import annotations

from typing import Any

from ...values import Abandon
from .lazy import is_tensor, mark, memory_order, new, storage, torch_module

SMALL = (3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25)


class Renaming:
    """The plan for one operation: ``lower`` its arguments, ``raise_up`` its result. ``small``: nothing needs to be renamed."""

    def __init__(self, tensors: list[Any], small: bool = False) -> None:
        sizes = sorted({int(n) for tensor in tensors for n in tensor.shape if n > 1})
        if small or (sizes and sizes[-1] <= 4):
            self.down = {size: size for size in sizes}
            self.renames = False
        else:
            if len(sizes) > len(SMALL):
                raise Abandon("too many sizes to rename")
            self.down = dict(zip(sizes, SMALL))
            self.renames = True
        self.up = {low: high for high, low in self.down.items()}
        self.stands: dict[int, tuple[Any, Any]] = {}
        for tensor in tensors:
            if id(tensor) not in self.stands:
                self.stands[id(tensor)] = (tensor, self._stand(tensor))

    def _stand(self, tensor: Any) -> Any:
        shape = tuple(self.down.get(int(n), int(n)) for n in tensor.shape)
        made = storage(shape, tensor.dtype, memory_order(tensor))
        if tensor.requires_grad:
            return made.requires_grad_() if tensor.is_leaf else mark(made)
        return made

    def lower(self, value: Any) -> Any:
        """Arguments with every tensor replaced by its stand-in."""
        if is_tensor(value):
            return self.stands[id(value)][1]
        if type(value) in (list, tuple):
            return type(value)(self.lower(part) for part in value)
        if type(value) is dict:
            return {key: self.lower(part) for key, part in value.items()}
        return value

    def versions(self) -> list[int]:
        return [stand._version for _, stand in self.stands.values()]

    def changed(self, before: list[int]) -> list[Any]:
        """The tensors whose stand-ins were changed in place."""
        return [tensor for (tensor, stand), version in zip(self.stands.values(), before) if stand._version != version]

    def raise_up(self, made: Any) -> Any:
        """The result with its true sizes."""
        if is_tensor(made):
            for tensor, stand in self.stands.values():
                if made is stand:
                    return tensor
            if not self.renames:
                return made
            shape = tuple(self._size(int(n)) for n in made.shape)
            return new(shape, made.dtype, made.requires_grad, memory_order(made))
        if isinstance(made, (tuple, list)):
            parts = [self.raise_up(part) for part in made]
            if type(made) in (tuple, list):
                return type(made)(parts)
            return type(made)(parts)  # a named result such as torch.max's
        if made is None or isinstance(made, (bool, type(torch_module().float32))):
            return made
        raise Abandon("a result that is no tensor")

    def _size(self, low: int) -> int:
        if low <= 1:
            return low
        if low not in self.up:
            raise Abandon("a size that is none of the arguments'")
        return self.up[low]
