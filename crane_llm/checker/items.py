"""Reading, writing and deleting items."""

from __future__ import annotations

import ast
import collections
import operator
from typing import Any

from .attributes import bare_instance, is_missing, static_lookup
from .effects import disturb_by_code
from .events import Event
from .machine import Machine
from .purity.libraries import is_library_type
from .streams import Internal
from .values import ATOMS, PARTIAL, Abandon, Value, exact, unknown

_SEQUENCES = (list, tuple, str, bytes, range)
_MAPPINGS = (dict, collections.OrderedDict, collections.Counter, collections.defaultdict)


class Items(Machine):
    """Mixin: subscripts."""

    def item(self, owner: Value, index: Value, node: ast.AST) -> Value:
        """``owner[index]``; raises what Python raises where it certainly does."""
        event = Event("item", node, operands=[owner, index])
        ruled = self.apply_rules(event)
        if ruled is not None:
            return ruled
        owner, index = self.heap.current(owner), self.heap.current(index)
        for value in (owner, index):
            if value.kind == PARTIAL:
                found = value.domain.item(self, event, owner, index)
                return found if found is not None else self._unknown_item(owner, index, event)
        if not owner.exact:
            return self._unknown_item(owner, index, event)
        obj = self.heap.resolve(owner.obj)
        kind = type(obj)
        if isinstance(obj, Internal):
            sample = obj.sample()
            if sample is not None:
                self.attempt(event, lambda: sample[0])
            raise Abandon("an item of an iterator")
        if getattr(kind, "__crane_callable__", False):
            self.attempt(event, lambda: operator.getitem(lambda: None, 0))  # type: ignore[call-overload]
        if is_missing(static_lookup(kind, "__getitem__")) and is_library_type(kind) and not isinstance(obj, type):
            self.attempt(event, lambda: operator.getitem(obj, 0))  # cannot succeed: the class has no such method
        if not index.exact:
            if is_missing(static_lookup(kind, "__getitem__")) and not isinstance(obj, type):
                self.attempt(event, lambda: operator.getitem(obj, 0))
            return self._some_item(obj, index, event)
        if kind in _SEQUENCES:
            made = self.attempt(event, lambda: operator.getitem(obj, self._plain_index(index.obj)))
            return self.heap.own(made) if kind is list and type(index.obj) is slice else self.heap.wrap(made)
        if kind in _MAPPINGS:
            return self._mapping_item(obj, index, event)
        if not is_library_type(kind) and not isinstance(obj, type):
            return self._own_item(owner, index, event)
        return self._library_item(owner, obj, index, event)

    def _plain_index(self, index: Any) -> Any:
        parts = (index.start, index.stop, index.step) if type(index) is slice else (index,)
        if not all(is_library_type(type(part)) for part in parts):
            raise Abandon("an index of the notebook's own class")
        return index

    def _mapping_item(self, obj: Any, index: Value, event: Event) -> Value:
        key = index.obj
        if not self.safe_to_hash(key) or not self.safe_keys(obj):
            raise Abandon("keys of the notebook's own class")
        if type(obj) is collections.defaultdict and self.attempt(event, lambda: key not in obj):
            made = (
                exact(None)
                if obj.default_factory is None
                else self.call_value(exact(obj.default_factory), [], {}, event.node)
            )
            if obj.default_factory is not None:
                target = self.heap.writable(obj)
                if target is not None:
                    dict.__setitem__(target, key, self.heap.lower(made))
                return made
        return self.heap.wrap(self.attempt(event, lambda: obj[key]))

    def _own_item(self, owner: Value, index: Value, event: Event) -> Value:
        method = self.type_attribute(owner, "__getitem__")
        if method is None:
            bare = bare_instance(type(owner.obj).__name__)
            return exact(self.attempt(event, lambda: bare[0]))
        if self.is_interpretable(method):
            if getattr(method, "__globals__", None) is not None and is_library_type(
                _owner_of(type(owner.obj), "__getitem__")
            ):
                return self._library_item(owner, owner.obj, index, event)
            return self.call_value(exact(method), [owner, index], {}, event.node)
        return self._library_item(owner, owner.obj, index, event)

    def _library_item(self, owner: Value, obj: Any, index: Value, event: Event) -> Value:
        survey = self.surveyor.look([obj, index.obj])
        if survey.domains and not survey.opaque:
            found = survey.domains[0].item(self, event, owner, index)
            return found if found is not None else self._unknown_item(owner, index, event)
        if survey.opaque or survey.callbacks:
            return self._unknown_item(owner, index, event)
        from .domains import item_cost

        cost = item_cost(obj, index.obj, survey.weight)
        if cost is None or not self.budget.affords(cost):
            from .domains import domain_for

            domain = domain_for([owner, index])
            found = domain.item(self, event, owner, index) if domain is not None else None
            return found if found is not None else self._unknown_item(owner, index, event)
        reader = self.heap.reading(obj)
        return self.heap.wrap(self.quiet_call(event, lambda: reader[index.obj]))

    def _some_item(self, obj: Any, index: Value, event: Event) -> Value:
        """An item under an unknown index: one of the elements."""
        self.lose(event.node, "an unknown index")
        return unknown(reach=(obj,))

    def _unknown_item(self, owner: Value, index: Value, event: Event) -> Value:
        if self._is_own(owner):
            return self.havoc([owner, index], event.node, "an item of an object that is not followed")
        self.lose(event.node, "an item of an unknown value")
        disturb_by_code(self, [root for root in (*owner.roots, *index.roots) if root is not self.namespace])
        return unknown(reach=owner.reach or ((owner.obj,) if owner.exact else ()))

    # --- writing -----------------------------------------------------------------------------------

    def store_item(self, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
        """``owner[index] = value`` on an overlay copy."""
        event = Event("store", node, operands=[owner, index, value], mechanism="item")
        if self.apply_rules(event) is not None:
            return
        owner = self.heap.current(owner)
        if owner.kind == PARTIAL:
            if not owner.domain.store_item(self, event, owner, index, value):
                self.havoc([owner, value], node, "an item set on a stand-in")
            return
        if not owner.exact:
            self.havoc([owner, value], node, "an item set on an unknown value")
            return
        obj = self.heap.resolve(owner.obj)
        kind = type(obj)
        if is_missing(static_lookup(kind, "__setitem__")) and (kind in ATOMS or is_library_type(kind)):
            self.attempt(
                event, lambda: operator.setitem(obj, None, None)
            )  # cannot succeed: the class has no such method
        if kind in (list, *_MAPPINGS) and index.exact:
            if kind is not list and (not self.safe_to_hash(index.obj) or not self.safe_keys(obj)):
                raise Abandon("keys of the notebook's own class")
            if kind is list:
                self._plain_index(index.obj)
                if type(index.obj) is slice:
                    return self._store_slice(owner, obj, index, value, event)
            target = self.heap.writable(obj)
            if target is None:
                self.havoc([owner, value], node, "a container too large to copy")
                return
            lowered = self.heap.lower(value)
            self.attempt(event, lambda: operator.setitem(target, index.obj, lowered))
            return
        from .domains import library_store_item

        if index.exact and library_store_item(self, event, obj, index, value):
            return
        method = self.type_attribute(owner, "__setitem__")
        if method is not None and not is_library_type(kind) and self.is_interpretable(method):
            self.call_value(exact(method), [owner, index, value], {}, node)
            return
        self.havoc([owner, index, value], node, "an item store that is not followed")

    def _store_slice(self, owner: Value, obj: Any, index: Value, value: Value, event: Event) -> None:
        items = self.unpack_all(value, event.node)
        target = self.heap.writable(obj)
        if items is None or target is None:
            self.havoc([owner, value], event.node, "a slice set to an unknown value")
            return
        lowered = [self.heap.lower(item) for item in items]
        self.attempt(event, lambda: operator.setitem(target, index.obj, lowered))

    def delete_item(self, owner: Value, index: Value, node: ast.AST) -> None:
        """``del owner[index]``."""
        event = Event("delete", node, operands=[owner, index])
        if self.apply_rules(event) is not None:
            return
        if owner.exact and index.exact:
            obj = self.heap.resolve(owner.obj)
            kind = type(obj)
            if is_missing(static_lookup(kind, "__delitem__")) and is_library_type(kind):
                self.attempt(event, lambda: operator.delitem(obj, index.obj))
            if kind in (list, *_MAPPINGS) and (kind is list or (self.safe_to_hash(index.obj) and self.safe_keys(obj))):
                target = self.heap.writable(obj)
                if target is not None:
                    self.attempt(event, lambda: operator.delitem(target, self._plain_index(index.obj)))
                    return
            from .domains import library_delete_item

            if library_delete_item(self, event, obj, index):
                return
        self.havoc([owner], node, "a deleted item")


def _owner_of(kind: type, name: str) -> type:
    for base in kind.__mro__:
        if name in vars(base):
            return base
    return kind
