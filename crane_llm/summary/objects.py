"""Objects of the notebook's own classes and of libraries without a describer: their data attributes, a level or two deep."""

from __future__ import annotations

import types
from typing import Any

from . import safe, values
from .context import Context
from .model import Variable

MAX_PLAIN = 8  # attributes shown of a library's object


def notebook_object(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """An instance of a notebook class: its attributes, those that the cell or its functions name first."""
    _bases(variable, value, context)
    members = attributes(value)
    if not members:
        return
    context.nested(variable, [(f".{name}", member) for name, member in _ordered(members, context)], depth)


def attributes(value: Any) -> list[tuple[str, Any]]:
    """Data attributes from the instance dictionary and slots; nothing computed, nothing private by two underscores."""
    found: list[tuple[str, Any]] = []
    namespace = safe.dict_of(value)
    if namespace is not None:
        found += [
            (name, member)
            for name, member in safe.items(namespace, 200)
            if type(name) is str and not name.startswith("__")
        ]
    for cls in safe.mro(value):
        for name, raw in list(safe.class_dict(cls).items()):
            if type(raw) is types.MemberDescriptorType and not name.startswith("__"):
                member = safe.field(value, name, safe.MISSING)
                if member is not safe.MISSING and safe.is_notebook_class(cls):
                    found.append((name, member))
    return found


def _ordered(members: list[tuple[str, Any]], context: Context) -> list[tuple[str, Any]]:
    wanted = set(context.attributes)
    return sorted(members, key=lambda member: member[0] not in wanted)


def _bases(variable: Variable, value: Any, context: Context) -> None:
    bases = [base for base in safe.mro(value)[1:] if base is not object]
    if bases:
        context.note(variable, "R", f"a {safe.class_module(bases[0])}.{safe.class_name(bases[0])}")


def library_object(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """An object of a library without a describer: its class and the plain attributes that it holds."""
    if depth > 1:
        return
    wanted = set(context.attributes)
    shown = []
    nested = []
    for name, member in attributes(value):
        if name.startswith("_") and name not in wanted:
            continue
        if member is None and name not in wanted:
            continue
        if values.is_plain(member) and not values.secret_name(name):
            shown.append((name, member))
        elif name in wanted:
            nested.append((f".{name}", member))
    parts = []
    for name, member in shown[:MAX_PLAIN]:
        told = context.say(member, 24) if context.values else None
        parts.append(name if told is None else f"{name}={told}")
    if parts:
        context.note(variable, "V" if context.values and not context.schema_only else "R", ", ".join(parts))
    if nested:
        context.nested(variable, nested, depth, 6)
