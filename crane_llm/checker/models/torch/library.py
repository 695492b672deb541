"""Hooks for PyTorch's objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...values import Abandon, Value, exact
from ..base import Library
from . import lazy, trees
from .construction import construct_users, store
from .data import loader_items, loader_of
from .datasets import construct_dataset, is_dataset_class
from .domain import TENSORS
from .state import grad_enabled
from .unknowns import unknown_tensor_attribute

_COPY = 2_000_000  # elements of a tensor that is copied in order to write to it


class Torch(Library):
    """PyTorch and torchvision."""

    roots = ("torch", "torchvision")

    def items(self, interpreter: Any, obj: Any, event: Any) -> Iterator[Value] | None:
        if lazy.is_tensor(obj):
            if not lazy.is_plain(obj) or (obj.dim() and obj.shape[0] > 50_000):
                return None
            parts = interpreter.quiet_call(event, lambda: list(iter(obj)))
            return iter([interpreter.heap.wrap(part) for part in parts])
        if loader_of(interpreter, obj) is not None:
            return loader_items(interpreter, obj, event)
        if trees.is_module(obj) and type(obj).__module__ == "torch.nn.modules.container":
            names = type(obj).__name__ == "ModuleDict"
            parts = list(obj._modules) if names else list(obj._modules.values())
            return iter([interpreter.heap.wrap(part) for part in parts])
        if isinstance(obj, tuple):
            return iter([interpreter.heap.wrap(part) for part in tuple.__iter__(obj)])
        return None

    def unknown_attribute(self, interpreter: Any, event: Any, owner: Value) -> Value | None:
        return unknown_tensor_attribute(interpreter, event, owner)

    def operator(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        tensors = [v.obj for v in values if lazy.is_tensor(v.obj)]
        if not tensors:
            return None
        grad_enabled(interpreter)
        if not all(lazy.is_plain(tensor) for tensor in tensors):
            raise Abandon("a tensor that is not an ordinary one on the CPU")
        if any(tensor.requires_grad for tensor in tensors):
            return TENSORS.operate(interpreter, event, function, values)
        return None

    def item_cost(self, obj: Any, index: Any, weight: int) -> float | None:
        if lazy.is_tensor(obj):
            if not lazy.is_plain(obj):
                return None
            parts = index if isinstance(index, tuple) else (index,)
            if all(part is None or part is Ellipsis or type(part) in (int, slice) for part in parts):
                return 2e-5
            return 5e-5 + weight * 3e-9
        if trees.is_module(obj):
            return 2e-5
        if type(obj).__module__.startswith("torch.utils.data"):
            return None
        return 2e-5 + weight * 2e-9

    def copy(self, obj: Any) -> Any:
        if lazy.is_tensor(obj) and lazy.is_plain(obj) and obj.is_leaf and obj.numel() <= _COPY:
            made = obj.detach().clone()
            if obj.requires_grad:
                made.requires_grad_()
            return made if type(made) is type(obj) else None
        return None

    def store_item(self, interpreter: Any, event: Any, obj: Any, index: Value, value: Value) -> bool:
        if not lazy.is_tensor(obj):
            return False
        if not lazy.is_plain(obj) or obj.requires_grad or not value.exact or obj.numel() > _COPY:
            return TENSORS.store_item(interpreter, event, Value("exact", obj), index, value)
        survey = interpreter.surveyor.look([index.obj, value.obj])
        if survey.opaque or survey.domains:
            return TENSORS.store_item(interpreter, event, Value("exact", obj), index, value)
        target = interpreter.heap.writable(obj, self.copy)
        if target is None:
            return False
        interpreter.quiet_call(event, lambda: target.__setitem__(index.obj, value.obj))
        return True

    def store_attribute(self, interpreter: Any, event: Any, obj: Any, name: str, value: Value) -> bool:
        if trees.is_module(obj):
            return store(interpreter, event, obj, name, value)
        if lazy.is_tensor(obj) and lazy.is_plain(obj) and value.exact and name == "requires_grad":
            target = interpreter.heap.writable(obj, self.copy) if obj.is_leaf else None
            if target is None:
                return False
            interpreter.quiet_call(event, lambda: setattr(target, name, value.obj))
            return True
        return False

    def domain(self, values: list[Value]) -> Any:
        if any(v.exact and lazy.is_tensor(v.obj) and lazy.is_plain(v.obj) for v in values):
            return TENSORS
        return None

    def construct(self, interpreter: Any, cls: type, call: Any) -> Value | None:
        if trees.is_module_class(cls):
            return construct_users(interpreter, cls, call)
        if is_dataset_class(cls):
            return construct_dataset(interpreter, cls, call)
        return None

    def class_base(self, cls: type) -> bool:
        return trees.is_module_class(cls) or is_dataset_class(cls)


LIBRARY = Torch()

__all__ = ["LIBRARY", "Abandon", "exact"]
