"""Truth, iteration and hashing of values."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

from .attributes import bare_instance
from .effects import disturb_by_code
from .events import Event
from .generators import Generator
from .machine import Machine
from .purity.libraries import is_library_type
from .streams import Internal, Stream
from .unstarted import generator_behind
from .values import ATOMS, PARTIAL, Abandon, Hole, Raised, Value, exact

_VIEWS = ("dict_keys", "dict_values", "dict_items")


class Iteration(Machine):
    """Mixin: whether a value is true, what its elements are, whether it may be hashed."""

    def truth(self, value: Value, node: ast.AST) -> bool | None:
        """Whether a value counts as true; None where that is not known."""
        event = Event("truth", node, operands=[value])
        if value.kind == PARTIAL:
            return value.domain.truth(self, event, value)
        if not value.exact:
            if value.type is not None and value.type in (types.FunctionType, type, types.ModuleType):
                return True
            self.lose(node, "a condition that is not known")
            return None
        obj = self.heap.resolve(value.obj)
        kind = type(obj)
        if kind in ATOMS or kind in (list, dict, tuple, set, frozenset):
            return bool(obj)
        if kind in (types.FunctionType, types.MethodType, types.ModuleType, types.BuiltinFunctionType) or isinstance(
            obj, Internal
        ):
            return True
        if getattr(kind, "__crane_callable__", False):
            return True
        if not is_library_type(kind):
            for name in ("__bool__", "__len__"):
                method = self.type_attribute(value, name)
                if method is not None:
                    if not self.is_interpretable(method):
                        raise Abandon("truth by a mixed class")
                    return self.truth(self.call_value(exact(method), [value], {}, node), node)
            return True
        survey = self.surveyor.look([obj])
        if (survey.opaque or survey.callbacks) and self._has_truth(kind):
            self.lose(node, "a condition that is not known")
            return None
        if not self._has_truth(kind):
            return True
        return self.quiet_call(event, lambda: bool(obj))

    @staticmethod
    def _has_truth(kind: type) -> bool:
        return any("__bool__" in vars(base) or "__len__" in vars(base) for base in kind.__mro__)

    def text_cost(self, obj: Any) -> float:
        """Estimated seconds of turning an object into text (pandas and NumPy abbreviate)."""
        if isinstance(obj, (list, tuple, dict, set)):
            return 1e-6 * len(obj)
        return 2e-3

    def iterate(self, value: Value, node: ast.AST) -> Iterator[Value] | None:
        """The elements of an iterable, lazily; None where they are not known. Raises what ``iter()`` raises."""
        event = Event("iterate", node, operands=[value])
        ruled = self.apply_rules(event)
        if ruled is not None:
            return None
        if value.kind == PARTIAL:
            return value.domain.iterate(self, event, value)
        if not value.exact:
            self.lose(node, "iteration over an unknown value")
            disturb_by_code(self, [root for root in value.roots if root is not self.namespace])
            return None
        obj = generator_behind(self, self.heap.resolve(value.obj), node)
        kind = type(obj)
        if isinstance(obj, Stream):
            if isinstance(obj, Generator):
                obj.frame.call_node = node
            return obj.take(self)
        if isinstance(obj, Internal):
            sample = obj.sample()
            if sample is None:
                raise Abandon("iteration that is not followed")
            self.attempt(event, lambda: iter(sample))
        if kind is list:
            return self._list_items(value)
        if (
            kind in (tuple, str, bytes, range, frozenset, set)
            or issubclass(kind, dict)
            and is_library_type(kind)
            or kind.__name__ in _VIEWS
        ):
            return self._fixed_items(obj, event)
        if not is_library_type(kind):
            return self._own_items(value, node)
        if any(obj is fresh for fresh in self.fresh_iterators):
            self.fresh_iterators = [fresh for fresh in self.fresh_iterators if fresh is not obj]
        elif hasattr(kind, "__next__"):  # consuming a live iterator would be seen
            self.lose(node, "an iterator of the kernel")
            disturb_by_code(self, [obj])
            return None
        if not any("__iter__" in vars(base) or "__getitem__" in vars(base) for base in kind.__mro__):
            self.attempt(event, lambda: iter(obj))
        from .domains import library_items

        items = library_items(self, obj, event)
        if items is None:
            self.lose(node, "iteration that is not followed")
        return items

    def _list_items(self, value: Value) -> Iterator[Value]:
        index = 0
        while True:
            current = self.heap.resolve(value.obj)
            if self.heap.is_dirty(current):
                raise Abandon("the list under iteration was changed")
            if index >= len(current):
                return
            yield self.heap.wrap(current[index])
            index += 1

    def _fixed_items(self, obj: Any, event: Event) -> Iterator[Value]:
        walk = iter(obj)
        done = object()
        while True:
            item = self.attempt(event, lambda: next(walk, done))  # a dictionary that the loop changes raises here
            if item is done:
                return
            yield self.heap.wrap(item)
            if type(obj) not in (tuple, str, bytes, range) and (
                self.heap.resolve(obj) is not obj or self.heap.is_dirty(obj)
            ):
                raise Abandon("the container under iteration was changed")

    def _own_items(self, value: Value, node: ast.AST) -> Iterator[Value] | None:
        method = self.type_attribute(value, "__iter__")
        if method is not None and self.is_interpretable(method):
            return self.iterate(self.call_value(exact(method), [value], {}, node), node)
        getter = self.type_attribute(value, "__getitem__")
        if method is None and getter is not None and self.is_interpretable(getter):
            return self._by_index(value, getter, node)
        if method is None and getter is None:
            event = Event("iterate", node, operands=[value])
            bare = bare_instance(type(value.obj).__name__)
            self.attempt(event, lambda: iter(bare))
        self.havoc([value], node, "iteration by a class that is not followed")
        return None

    def _by_index(self, value: Value, getter: Any, node: ast.AST) -> Iterator[Value]:
        index = 0
        while True:
            try:
                yield self.call_value(exact(getter), [value, exact(index)], {}, node)
            except Raised as raised:
                if issubclass(raised.type, IndexError):
                    return
                raise
            index += 1

    def safe_to_hash(self, obj: Any) -> bool:
        """Whether hashing ``obj`` runs none of the person's code and looks at nothing unknown."""
        kind = type(obj)
        if kind is tuple or kind is frozenset:
            return all(self.safe_to_hash(item) for item in obj)
        if kind is Hole or obj is None and kind is Hole:
            return False
        if kind in ATOMS or kind in (list, dict, set):
            return True
        if isinstance(obj, type):
            return type(obj).__module__ in ("builtins", "abc", "enum")
        return is_library_type(kind) or kind is types.FunctionType or kind.__hash__ is object.__hash__

    def safe_keys(self, mapping: dict[Any, Any]) -> bool:
        """Whether comparing with the keys of ``mapping`` runs none of the person's code."""
        return all(kind in ATOMS or kind is tuple or is_library_type(kind) for kind in set(map(type, mapping)))
