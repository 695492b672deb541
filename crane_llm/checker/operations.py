"""Operators, truth, attributes, items and iteration on values."""

from __future__ import annotations

import ast
import operator
import types
from typing import Any

from .attributes import Attributes, bare_instance
from .effects import disturb_by_code
from .events import Event
from .items import Items
from .purity.libraries import is_library_type
from .streams import Internal, Stream
from .values import ATOMS, PARTIAL, Abandon, Value, exact, unknown

BINARY = {
    "Add": ("__add__", "__radd__", operator.add),
    "Sub": ("__sub__", "__rsub__", operator.sub),
    "Mult": ("__mul__", "__rmul__", operator.mul),
    "Div": ("__truediv__", "__rtruediv__", operator.truediv),
    "FloorDiv": ("__floordiv__", "__rfloordiv__", operator.floordiv),
    "Mod": ("__mod__", "__rmod__", operator.mod),
    "Pow": ("__pow__", "__rpow__", operator.pow),
    "LShift": ("__lshift__", "__rlshift__", operator.lshift),
    "RShift": ("__rshift__", "__rrshift__", operator.rshift),
    "BitAnd": ("__and__", "__rand__", operator.and_),
    "BitOr": ("__or__", "__ror__", operator.or_),
    "BitXor": ("__xor__", "__rxor__", operator.xor),
    "MatMult": ("__matmul__", "__rmatmul__", operator.matmul),
}
IN_PLACE = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv, "FloorDiv": operator.ifloordiv,
    "Mod": operator.imod, "Pow": operator.ipow, "LShift": operator.ilshift, "RShift": operator.irshift, "BitAnd": operator.iand,
    "BitOr": operator.ior, "BitXor": operator.ixor, "MatMult": operator.imatmul,
}  # fmt: skip
UNARY = {
    "UAdd": ("__pos__", operator.pos),
    "USub": ("__neg__", operator.neg),
    "Invert": ("__invert__", operator.invert),
}
COMPARE = {
    "Eq": ("__eq__", "__eq__", operator.eq),
    "NotEq": ("__ne__", "__ne__", operator.ne),
    "Lt": ("__lt__", "__gt__", operator.lt),
    "LtE": ("__le__", "__ge__", operator.le),
    "Gt": ("__gt__", "__lt__", operator.gt),
    "GtE": ("__ge__", "__le__", operator.ge),
}
MAX_BITS = 200_000
MAX_REPEAT = 2_000_000


class Operations(Attributes, Items):
    """Mixin: what Python does with values apart from calling them."""

    # --- operators ---------------------------------------------------------------------------------

    def binary(self, name: str, left: Value, right: Value, node: ast.AST, augmented: bool = False) -> Value:
        """``left op right``, or the value of ``left op= right`` for a left side that does not change in place."""
        method, reflected, function = BINARY[name]
        event = Event("binary", node, operands=[left, right], name=name)
        return self.operate(event, IN_PLACE[name] if augmented else function, [left, right], method, reflected)

    def unary(self, name: str, value: Value, node: ast.AST) -> Value:
        method, function = UNARY[name]
        return self.operate(Event("unary", node, operands=[value], name=name), function, [value], method, None)

    def compare(self, name: str, left: Value, right: Value, node: ast.AST) -> Value:
        if name in ("Is", "IsNot"):
            return self._identity(name, left, right)
        if name in ("In", "NotIn"):
            return self._contains(name, left, right, node)
        method, reflected, function = COMPARE[name]
        return self.operate(
            Event("compare", node, operands=[left, right], name=name), function, [left, right], method, reflected
        )

    def operate(self, event: Event, function: Any, values: list[Value], method: str, reflected: str | None) -> Value:
        """Apply an operator for real where every operand is the library's own and known; interpret the notebook's own methods."""
        ruled = self.apply_rules(event)
        if ruled is not None:
            return ruled
        domain = next((v.domain for v in values if v.kind == PARTIAL), None)
        if domain is not None:
            result = domain.operate(self, event, function, values)
            return result if result is not None else self._lost_operator(event, values)
        if not all(v.exact for v in values):
            return self._lost_operator(event, values)
        objects = [v.obj for v in values]
        kinds = [type(obj) for obj in objects]
        if any(isinstance(obj, Internal) for obj in objects):
            return self._internal_operator(event, function, objects)
        if all(kind in ATOMS for kind in kinds):
            self._guard_atoms(event.name or "", objects)
            return exact(self.attempt(event, lambda: function(*objects)))
        own = self._own_operator(event, values, method, reflected)
        if own is not None:
            return own
        if (
            kinds[0] in (list, tuple)
            and event.name in ("Add", "Mult")
            and all(k in (list, tuple, int, bool) for k in kinds)
        ):
            self._guard_repeat(event.name, objects)
            made = self.attempt(event, lambda: function(*objects))
            return self.heap.own(made) if type(made) is list else exact(made)
        from .domains import library_operator

        special = library_operator(self, event, function, values)
        if special is not None:
            return special
        survey = self.surveyor.look(objects)
        if survey.domains and not survey.opaque:
            result = survey.domains[0].operate(self, event, function, values)
            return result if result is not None else self._lost_operator(event, values)
        if survey.opaque or survey.callbacks or not all(is_library_type(kind) for kind in kinds):
            return self._lost_operator(event, values)
        if not self.budget.affords(self.operator_cost(event, objects, survey.weight)):
            return self.standin_operator(event, function, values)
        readers = [self.heap.reading(obj) for obj in objects]
        return self.heap.wrap(self.quiet_call(event, lambda: function(*readers)))

    def _internal_operator(self, event: Event, function: Any, objects: list[Any]) -> Value:
        """An operator on an iterator or coroutine: equality is identity, the rest is refused."""
        if event.name in ("Eq", "NotEq") and all(isinstance(obj, Internal) or type(obj) in ATOMS for obj in objects):
            return exact((objects[0] is objects[1]) is (event.name == "Eq"))
        samples = [obj.sample() if isinstance(obj, Internal) else obj for obj in objects]
        if not all(s is not None and (isinstance(o, Internal) or type(o) in ATOMS) for s, o in zip(samples, objects)):
            raise Abandon("an operator on an iterator or coroutine")
        return exact(self.attempt(event, lambda: function(*samples)))

    def operator_cost(self, event: Event, objects: list[Any], weight: int) -> float:
        """Estimated seconds of an operator over ``weight`` bytes; matrix products by their dimensions."""
        if event.name == "MatMult":
            shapes: list[Any] = [getattr(obj, "shape", ()) for obj in objects]
            if all(shapes):
                flops = 2.0 * float(shapes[1][-1] if len(shapes[1]) > 1 else 1)
                for size in shapes[0]:
                    flops *= float(size)
                return 2e-5 + flops * 3e-10
        left, right = (getattr(obj, "shape", None) for obj in (objects + [None])[:2])
        if left and right and len(left) == len(right) and left != right:  # broadcasting may blow up
            size = 8.0
            for a, b in zip(left, right):
                size *= max(a, b)
            weight = max(weight, int(size))
            if weight > 400_000_000:
                return float("inf")
        return 2e-5 + weight * 3e-9

    def standin_operator(self, event: Event, function: Any, values: list[Value]) -> Value:
        """Too much data to compute: a domain may know the shape of the result."""
        from .domains import domain_for

        domain = domain_for(values)
        result = domain.operate(self, event, function, values) if domain is not None else None
        return result if result is not None else self._lost_operator(event, values)

    def _lost_operator(self, event: Event, values: list[Value]) -> Value:
        if any(self._is_own(v) for v in values):
            return self.havoc(values, event.node, "an operator of the notebook's own class")
        self.lose(event.node, "an operator on a value that is not known")
        disturb_by_code(self, [root for v in values for root in v.roots if root is not self.namespace])
        reach = tuple(r for v in values for r in ((v.obj,) if v.exact and type(v.obj) not in ATOMS else v.reach))
        return unknown(None, reach[:16])

    def _is_own(self, value: Value) -> bool:
        kind = value.known_type
        return kind is not None and not is_library_type(kind)

    def _own_operator(self, event: Event, values: list[Value], method: str, reflected: str | None) -> Value | None:
        """An operator defined by a class of the notebook, interpreted; None where none of the operands is of such a class."""
        if not any(self._is_own(v) for v in values):
            return None
        attempts = [(values[0], method, values[1:])]
        if reflected is not None and len(values) == 2:
            second = (values[1], reflected, values[:1])
            kinds = [v.known_type for v in values]
            if kinds[0] is not kinds[1] or event.op == "compare":
                attempts.append(second)
                if issubclass(kinds[1], kinds[0]) and kinds[1] is not kinds[0]:  # type: ignore[arg-type]
                    attempts.reverse()
        for owner, name, rest in attempts:
            function = self.type_attribute(owner, name)
            if function is None:
                continue
            if isinstance(function, (types.FunctionType,)) or getattr(type(function), "__crane_callable__", False):
                result = self.call_value(exact(function), [owner, *rest], {}, event.node)
                if result.unknown:
                    return result
                if result.exact and result.obj is NotImplemented:
                    continue
                return result
            if name == "__ne__" and function is object.__ne__:  # Python's own asks __eq__ and turns the answer round
                own = self.type_attribute(owner, "__eq__")
                if own is not object.__eq__ and own is not None and self.is_interpretable(own):
                    result = self.call_value(exact(own), [owner, *rest], {}, event.node)
                    if not (result.exact and result.obj is NotImplemented):
                        known = self.truth(result, event.node)
                        return unknown(bool) if known is None else exact(not known)
                continue
            if name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__") and function is getattr(
                object, name
            ):
                continue
            if getattr(owner.known_type, "__module__", "") == "builtins":
                continue  # Python's own types know nothing of the notebook's classes
            raise Abandon("an operator of a mixed class")
        if event.name in ("Eq", "NotEq"):
            same = values[0].obj is values[1].obj
            return exact(same if event.name == "Eq" else not same)
        plain = [v for v in values if not self._is_own(v)]
        if plain and not all(type(v.obj) in ATOMS or type(v.obj) in (list, dict, tuple, set) for v in plain):
            raise Abandon("a library's operator on the notebook's own object")
        objects = [v.obj if not self._is_own(v) else bare_instance(type(v.obj).__name__) for v in values]
        symbol = event.name or ""
        operate: Any = {**BINARY, **COMPARE}.get(symbol, (0, 0, None))[2] or UNARY.get(symbol, (0, None))[1]
        return exact(self.attempt(event, lambda: operate(*objects)))

    def _guard_atoms(self, name: str, objects: list[Any]) -> None:
        if name in ("Pow", "LShift") and all(isinstance(obj, int) for obj in objects):
            base, power = objects[0], objects[1]
            bits = abs(power) * max(1, base.bit_length()) if name == "Pow" else base.bit_length() + max(0, power)
            if bits > MAX_BITS:
                raise Abandon("a number too large to compute")
        elif name == "Mult":
            self._guard_repeat(name, objects)
        elif name == "Mod" and isinstance(objects[0], (str, bytes)):
            if len(objects[0]) > 10_000 or any(
                len(d) > 4 for d in "".join(c if c.isdigit() else " " for c in str(objects[0])).split()
            ):
                raise Abandon("a format too wide")
            if "*" in str(objects[0]):
                raise Abandon("a format of unknown width")

    def _guard_repeat(self, name: str, objects: list[Any]) -> None:
        if name != "Mult":
            return
        sizes = [len(obj) if hasattr(obj, "__len__") else abs(obj) if isinstance(obj, int) else 1 for obj in objects]
        if any(hasattr(obj, "__len__") for obj in objects) and sizes[0] * sizes[1] > MAX_REPEAT:
            raise Abandon("a sequence too long to build")
        if all(isinstance(obj, int) for obj in objects) and sum(obj.bit_length() for obj in objects) > MAX_BITS:
            raise Abandon("a number too large to compute")

    def _identity(self, name: str, left: Value, right: Value) -> Value:
        if left.exact and right.exact:
            a, b = self.heap.resolve(left.obj), self.heap.resolve(right.obj)
            if (
                a is not b
                and type(a) in ATOMS
                and type(b) in ATOMS
                and type(a) is type(b)
                and type(a) not in (bool, type(None))
            ):
                return unknown(bool)  # interning decides
            return exact((a is b) is (name == "Is"))
        known = left.known_type, right.known_type
        for here, there in ((left, known[1]), (right, known[0])):
            if (
                here.exact
                and type(here.obj) in (type(None), bool)
                and there is not None
                and there is not type(here.obj)
            ):
                return exact(name == "IsNot")
        return unknown(bool)

    def _contains(self, name: str, item: Value, container: Value, node: ast.AST) -> Value:
        event = Event("compare", node, operands=[item, container], name=name)
        ruled = self.apply_rules(event)
        if ruled is not None:
            return ruled
        if not container.exact:
            self.lose(node, "membership in an unknown container")
            return unknown(bool)
        obj = container.obj
        if self._is_own(container):
            method = self.type_attribute(container, "__contains__")
            if method is None or not self.is_interpretable(method):
                return self.havoc([container, item], node, "membership in an object of the notebook's own class", bool)
            known = self.truth(self.call_value(exact(method), [container, item], {}, node), node)
            return unknown(bool) if known is None else exact(known is (name == "In"))
        if isinstance(obj, Stream):
            return self.havoc([container, item], node, "membership in an iterator", bool)
        if not item.exact:
            if not hasattr(type(obj), "__contains__") and not hasattr(type(obj), "__iter__"):
                self.attempt(event, lambda: None in obj)
            return unknown(bool)
        if isinstance(obj, dict) and self.safe_to_hash(item.obj) and self.safe_keys(obj):
            return exact(self.attempt(event, lambda: (item.obj in obj) is (name == "In")))
        survey = self.surveyor.look([item.obj, obj])
        if survey.opaque or survey.callbacks or not self.budget.affords(survey.weight * 3e-9):
            if survey.own or survey.live:
                return self.havoc([container, item], node, "membership that the notebook's own code decides", bool)
            return unknown(bool)
        reader = self.heap.reading(obj)
        return exact(self.quiet_call(event, lambda: (item.obj in reader) is (name == "In")))

    # --- truth -------------------------------------------------------------------------------------

    # --- iteration ---------------------------------------------------------------------------------

    # --- hashing -----------------------------------------------------------------------------------
