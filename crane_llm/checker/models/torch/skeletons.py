"""Copies of library modules to run: what they write is lost, modules of the notebook inside them are interpreted."""

from __future__ import annotations

from typing import Any

from ...values import Abandon, exact
from . import lazy, trees
from .state import checked, lower, wrap


def skeleton(interpreter: Any, module: Any, node: Any) -> Any:
    """A copy of a library's module to run: writes to its attributes are lost, modules of the notebook inside are interpreted."""
    heap = interpreter.heap

    def child(part: Any) -> Any:
        if heap.is_dirty(part):
            raise Abandon("a module that may have been changed")
        trees.check_followable(part)
        if (
            trees.is_users(part)
            or not trees.forward_of(part)[1]
            and type(part).__name__ not in ("ModuleList", "ModuleDict")
        ):
            return _shim(interpreter, part, node)
        return None

    found = trees.copy_tree(module, heap.resolve, child)
    for original, _ in found.values():
        for tensor in trees.tensors_of(original):
            checked(interpreter, tensor)
    return found[id(heap.resolve(module))][1]


def _shim(interpreter: Any, part: Any, node: Any) -> Any:
    base = trees.module_class()

    class Interpreted(base):  # type: ignore[valid-type,misc]
        """Stands for a module of the notebook inside a library's."""

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            values = [wrap(interpreter, arg) if lazy.is_tensor(arg) else exact(arg) for arg in args]
            named = {key: wrap(interpreter, arg) if lazy.is_tensor(arg) else exact(arg) for key, arg in kwargs.items()}
            return lower(interpreter, interpreter.call_value(exact(part), values, named, node))

    made = Interpreted()
    made.training = part.training
    return made
