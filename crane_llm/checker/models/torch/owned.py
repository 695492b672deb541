"""Modules that the checker owns: registered with all below them, copied before they are written to."""

from __future__ import annotations

from typing import Any

from ...values import Abandon, Value, exact, partial
from . import trees


def own_module(interpreter: Any, module: Any) -> Value:
    """Register a module that we made, with all modules below; its parameters are stand-ins."""
    from .domain import TENSORS

    heap = interpreter.heap
    for part in trees.all_modules(module, heap.resolve):
        if not heap.made(part) and part is not module:
            continue
        heap.own(part)
    for part in trees.all_modules(module, heap.resolve):
        for tensor in trees.tensors_of(part):
            if heap.made(part) and id(tensor) not in heap.standins:
                heap.standins[id(tensor)] = partial(tensor, TENSORS)
    return exact(module)


def writable_module(interpreter: Any, module: Any) -> Any:
    """The module to write to in place of ``module``: an owned copy of the whole tree, seen by every later read."""
    heap = interpreter.heap
    obj = heap.resolve(module)
    if heap.is_dirty(obj):
        raise Abandon("a module that may have been changed")
    if heap.owns(obj):
        return obj
    found = trees.copy_tree(obj, heap.resolve, lambda part: part if heap.owns(part) else None)
    top = heap.layers[-1]
    for original, made in found.values():
        if made is original:
            continue
        top.overlay[id(original)] = made
        top.originals[id(original)] = original
        top.owned[id(made)] = made
    return found[id(obj)][1]
