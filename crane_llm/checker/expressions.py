"""Expressions, in Python's evaluation order."""

from __future__ import annotations

import ast
import builtins
from typing import Any, Callable

from .events import Event
from .machine import Machine
from .purity.libraries import is_library_type
from .scope import DELETED, MAYBE, Scope
from .values import Abandon, Raised, Value, exact, unknown

_FORMATS: dict[int, Any] = {115: str, 114: repr, 97: ascii}


class Expressions(Machine):
    """Mixin: ``eval(node)`` gives the value of an expression."""

    def eval(self, node: ast.AST) -> Value:
        self.spend()
        method: Callable[[Any], Value] | None = getattr(self, "eval_" + type(node).__name__, None)
        if method is None:
            return self.havoc([], node, "a kind of expression that is not followed")
        try:
            return method(node)
        except Abandon as reason:
            self.lose(node, str(reason))
            return unknown()

    # --- atoms and names ---------------------------------------------------------------------------

    def eval_Constant(self, node: ast.Constant) -> Value:
        return exact(node.value)

    def eval_Name(self, node: ast.Name) -> Value:
        return self.count(self.lookup(node.id, node))

    def lookup(self, name: str, node: ast.AST) -> Value:
        """The value of a name by Python's scoping; raises what Python raises where it is certainly not bound."""
        frame = self.frame
        scope: Scope | None = frame.scope
        if scope is not frame.globals:
            names = scope.names
            if names is None or name not in names.globals:
                found = self._lookup_local(name, scope, node)
                if found is not None:
                    return found
        found = frame.globals.get(name)
        if found is None or found is DELETED:
            replaced = self.module_writes.get((id(builtins), name))
            if replaced is not None:
                return replaced
            built_in = frame.globals.builtin(name)
            if built_in is not None:
                return built_in
            raise self.name_error(name, node)
        if found is MAYBE:
            self.lose(node, f"{name} may not be bound")
            return unknown(reach=(frame.globals.namespace,))
        return found

    def _lookup_local(self, name: str, scope: Scope | None, node: ast.AST) -> Value | None:
        first = True
        while scope is not None and scope is not self.frame.globals:
            found = scope.vars.get(name)
            if found is MAYBE:
                self.lose(node, f"{name} may not be bound")
                return unknown(reach=(self.namespace,))
            if isinstance(found, Value):
                return self.heap.current(found)
            owns = scope.names is not None and name in scope.names.locals and scope.names.locals is not None
            if owns:
                raise self.unbound_error(name, node, free=not first)
            if scope.names is not None or found is DELETED:
                first = False
            scope = scope.parent
        return None

    def name_error(self, name: str, node: ast.AST) -> Raised:
        error = _real_error(f"{name}", {"__builtins__": {}})
        return self.fail(error, Event("name", node, name=name))

    def unbound_error(self, name: str, node: ast.AST, free: bool) -> Raised:
        if free:
            source = f"def f():\n def g():\n  return {name}\n g()\n {name} = 0\nf()"
        else:
            source = f"def f():\n {name}\n {name} = 0\nf()"
        return self.fail(_real_error(source, {"__builtins__": {}}), Event("name", node, name=name, mechanism="local"))

    # --- displays ----------------------------------------------------------------------------------

    def elements(self, nodes: list[ast.expr]) -> list[Any] | None:
        """The lowered elements of a display or argument list; None where a starred part is unknown."""
        items: list[Any] = []
        complete = True
        for node in nodes:
            if isinstance(node, ast.Starred):
                value = self.eval(node.value)
                self.check_star(value, node, None)
                part = self.unpack_all(value, node)
                if part is None:
                    complete = False
                    continue
                items.extend(self.heap.lower(v) for v in part)
            else:
                items.append(self.heap.lower(self.eval(node)))
        return items if complete else None

    def unpack_all(self, value: Value, node: ast.AST) -> list[Value] | None:
        """Every element of an iterable, or None where they are not known."""
        out: list[Value] = []
        walk = self.iterate(value, node)
        if walk is None:
            return None
        for item in walk:
            out.append(item)
            self.spend()
        return out

    def eval_Tuple(self, node: ast.Tuple) -> Value:
        items = self.elements(node.elts)
        return unknown(tuple, (self.namespace,)) if items is None else exact(tuple(items))

    def eval_List(self, node: ast.List) -> Value:
        items = self.elements(node.elts)
        return unknown(list, (self.namespace,)) if items is None else self.heap.own(items)

    def eval_Set(self, node: ast.Set) -> Value:
        items = self.elements(node.elts)
        if items is None:
            return unknown(set)
        return self.heap.own(
            self.attempt(
                Event("call", node, key="builtins.set", mechanism="display"), lambda: set(self.hashable(items))
            )
        )

    def eval_Dict(self, node: ast.Dict) -> Value:
        made: dict[Any, Any] = {}
        complete = True
        for key_node, value_node in zip(node.keys, node.values):
            if key_node is None:
                other = self.eval(value_node)
                if (
                    other.exact
                    and isinstance(other.obj, dict)
                    and is_library_type(type(other.obj))
                    and self.safe_keys(other.obj)
                ):
                    made.update(other.obj)
                elif other.exact and type(other.obj).__module__ == "builtins":
                    self.attempt(
                        Event("unpack", value_node, operands=[other]), lambda other=other: made.update(**other.obj)
                    )
                else:
                    complete = False
                continue
            key, value = self.eval(key_node), self.eval(value_node)
            if not key.exact or not self.safe_to_hash(key.obj):
                complete = False
                continue
            lowered = self.heap.lower(value)
            event = Event("item", key_node, operands=[key], mechanism="display")
            self.attempt(event, lambda key=key, lowered=lowered: made.__setitem__(key.obj, lowered))
        if not complete:
            self.lose(node, "a dict with unknown keys")
            return unknown(dict, (self.namespace,))
        return self.heap.own(made)

    def eval_JoinedStr(self, node: ast.JoinedStr) -> Value:
        parts: list[str] = []
        known = True
        for piece in node.values:
            if isinstance(piece, ast.Constant):
                parts.append(str(piece.value))
                continue
            value = self.eval(piece)
            if value.exact:
                parts.append(value.obj)
            else:
                known = False
        return exact("".join(parts)) if known else unknown(str)

    def eval_FormattedValue(self, node: ast.FormattedValue) -> Value:
        value = self.eval(node.value)
        spec = self.eval(node.format_spec) if node.format_spec is not None else exact("")
        if not value.exact or not spec.exact:
            return self.count(unknown(str))
        return self.count(self.format_value(value, spec.obj, node.conversion, node))

    def eval_TemplateStr(self, node: Any) -> Value:
        for piece in node.values:
            if hasattr(piece, "value") and not isinstance(piece, ast.Constant):
                self.eval(piece.value)
        return unknown()

    def eval_Starred(self, node: ast.Starred) -> Value:
        return self.eval(node.value)

    # --- operators ---------------------------------------------------------------------------------

    def eval_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.eval(node.left), self.eval(node.right)
        return self.count(self.binary(type(node.op).__name__, left, right, node))

    def eval_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.eval(node.operand)
        if isinstance(node.op, ast.Not):
            known = self.truth(value, node.operand)
            return self.count(unknown(bool) if known is None else exact(not known))
        return self.count(self.unary(type(node.op).__name__, value, node))

    def eval_BoolOp(self, node: ast.BoolOp) -> Value:
        stop_on = isinstance(node.op, ast.Or)
        value = self.eval(node.values[0])
        for index, following in enumerate(node.values[1:], 1):
            known = self.truth(value, node.values[index - 1])
            if known is None:
                rest = (
                    ast.copy_location(ast.BoolOp(node.op, node.values[index:]), following)
                    if index + 1 < len(node.values)
                    else following
                )
                return self.choose([lambda value=value: value, lambda rest=rest: self.eval(rest)], node)
            if known is stop_on:
                return value
            value = self.eval(following)
        return value

    def eval_IfExp(self, node: ast.IfExp) -> Value:
        known = self.truth(self.eval(node.test), node.test)
        if known is None:
            return self.choose([lambda: self.eval(node.body), lambda: self.eval(node.orelse)], node)
        return self.eval(node.body if known else node.orelse)

    def eval_Compare(self, node: ast.Compare) -> Value:
        left = self.eval(node.left)
        result = exact(True)
        for index, (operator, right_node) in enumerate(zip(node.ops, node.comparators)):
            right = self.eval(right_node)
            result = self.count(self.compare(type(operator).__name__, left, right, node))
            if index + 1 < len(node.ops):
                known = self.truth(result, node)
                if known is None:
                    # the rest is evaluated or not; nothing in it is certain
                    rest = node.comparators[index + 1 :]
                    return self.choose([lambda result=result: result, lambda rest=rest: self._eval_rest(rest)], node)
                if not known:
                    return result
            left = right
        return result

    def _eval_rest(self, nodes: list[ast.expr]) -> Value:
        for node in nodes:
            self.eval(node)
        return unknown()

    def eval_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        self.bind_name(node.target.id, value, node.target)
        return value

    # --- attributes and items ----------------------------------------------------------------------

    def eval_Attribute(self, node: ast.Attribute) -> Value:
        owner = self.eval(node.value)
        try:
            return self.count(self.attribute(owner, node.attr, node))
        except Abandon as reason:  # what is unknown now still belongs to its owner
            self.lose(node, str(reason))
            return unknown(reach=owner.reach or ((owner.obj,) if owner.obj is not None else ()))

    def eval_Subscript(self, node: ast.Subscript) -> Value:
        owner = self.eval(node.value)
        index = self.eval(node.slice)
        return self.count(self.item(owner, index, node))

    def eval_Slice(self, node: ast.Slice) -> Value:
        parts = [exact(None) if part is None else self.eval(part) for part in (node.lower, node.upper, node.step)]
        if all(part.exact for part in parts):
            return exact(slice(*(part.obj for part in parts)))
        return unknown(slice)

    # --- calls, functions, comprehensions ----------------------------------------------------------

    def eval_Call(self, node: ast.Call) -> Value:
        return self.count(self.call_node(node))

    def eval_Lambda(self, node: ast.Lambda) -> Value:
        return self.make_function(node, "<lambda>")

    def eval_Yield(self, node: ast.Yield) -> Value:
        raise Abandon("a yield inside an expression")

    eval_YieldFrom = eval_Yield

    # --- small shared helpers ----------------------------------------------------------------------

    def hashable(self, items: list[Any]) -> list[Any]:
        """``items`` where each can be hashed without running the person's code; raises :class:`Abandon` otherwise."""
        for item in items:
            if not self.safe_to_hash(item):
                raise Abandon("an unknown element in a set")
        return items

    def format_value(self, value: Value, spec: str, conversion: int, node: ast.AST) -> Value:
        obj = value.obj
        survey = self.surveyor.look([obj])
        if survey.own:
            return self.havoc([value], node, "text of the notebook's own objects", str)
        if survey.opaque or not self.budget.affords(self.text_cost(obj)) or _wide(spec):
            return unknown(str)
        event = Event("format", node, operands=[value], name=spec)
        convert = _FORMATS.get(conversion)
        return exact(self.quiet_call(event, lambda: builtins.format(convert(obj) if convert else obj, spec)))


def _wide(spec: str) -> bool:
    digits = "".join(ch if ch.isdigit() else " " for ch in spec).split()
    return any(len(part) > 4 for part in digits)


def _real_error(source: str, namespace: dict[str, Any]) -> BaseException:
    """The error that Python itself raises for ``source``, so that its words are those of the running version."""
    try:
        exec(compile(source, "<crane>", "exec"), namespace)  # our own text, names only
    except BaseException as error:
        return error
    raise Abandon("the running Python does not raise here")
