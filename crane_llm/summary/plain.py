"""Built-in values: numbers, text, lists, tuples, sets, dictionaries, ranges, iterators."""

from __future__ import annotations

import inspect
import types
from itertools import islice
from typing import Any

from . import elements, files, safe, values
from .budget import OBJECT_BYTES, OBJECT_SAMPLE
from .context import Context
from .model import Column, Variable

MAX_KEYS = 20


def scalar(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """int, float, complex, bool, None and bytes: the value."""
    context.note(
        variable,
        "V",
        "value withheld: its name says key" if values.secret_name(variable.name) else values.short(value),
        data=True,
    )


def string(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """str: the text, cut; its length."""
    size = str.__len__(value)
    if values.secret_name(variable.name):
        context.shape(variable, f"length {size}")
        context.note(variable, "V", "text withheld: its name says key")
        return
    if size > 2 * values.TEXT_LIMIT or context.schema_only or not context.values:
        context.shape(variable, f"length {size}")
    context.note(variable, "V", values.text(str.__getitem__(value, slice(None)), 2 * values.TEXT_LIMIT), data=True)
    if depth == 0 and size <= 200:
        files.path_variable(variable, value, context)


def sequence(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """list and tuple (subclasses by their built-in part)."""
    base = list if safe.isinstance_of(value, list) else tuple
    count = base.__len__(value)
    context.shape(variable, f"length {count}")
    _named_tuple(variable, value, context)
    if not count:
        return
    if depth and count > 1000:
        found = [base.__getitem__(value, position) for position in elements.sample_positions(count, 256)]
        exact = False
    else:
        found, exact = elements.pick(value, count, context.budget, base.__getitem__)
    report(variable, elements.look(found, len(found) if exact else count, exact, context.values), found, context, depth)


def _named_tuple(variable: Variable, value: Any, context: Context) -> None:
    names = safe.slot(type(value), "_fields")
    if type(names) is tuple and all(type(name) is str for name in names):
        context.note(variable, "R", f"fields {context.names(names, 10, 'f')}")


def unordered(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """set and frozenset."""
    base = set if safe.isinstance_of(value, set) else frozenset
    count = base.__len__(value)
    context.shape(variable, f"length {count}")
    limit = count if context.budget.afford(count * OBJECT_BYTES) else OBJECT_SAMPLE
    found = list(islice(base.__iter__(value), limit))
    report(variable, elements.look(found, count, len(found) == count, context.values), found, context, depth)


def report(variable: Variable, seen: elements.Elements, found: list[Any], context: Context, depth: int) -> None:
    """Notes on the elements of a collection; the first element of a mixed or nested one is described."""
    if not seen.read:
        return
    inside = "" if seen.exact else " in the sample"
    if not seen.exact:
        variable.sampled = True
        context.note(variable, "V", seen.sampling())
    if len(seen.kinds) == 1:
        context.note(variable, "R", f"of {seen.kinds[0][0]}{inside}")
    else:
        shown = ", ".join(f"{name} {number}" for name, number in seen.kinds[:6])
        context.note(variable, "R", f"of {shown}{', …' if len(seen.kinds) > 6 else ''}{inside}")
    if seen.missing:
        context.note(variable, "V", f"missing {seen.missing}{inside}")
    if seen.shapes:
        describe_shapes(variable, seen, context)
    elif seen.lengths and (seen.length_kind != "str" or seen.lengths[1] > values.TEXT_LIMIT):
        low, high = seen.lengths
        context.note(
            variable,
            "S",
            f"all of length {low}{inside}" if low == high and seen.read > 1 else f"lengths {low}..{high}{inside}",
        )
    small = seen.count <= 8 and all(values.is_plain(value) or values.numpy_scalar(value) is not None for value in found)
    if small:
        body = ", ".join(values.short(value) for value in found)
        context.note(variable, "V", f"[{body}]", data=True)
    else:
        summary(variable, seen, context)
    if seen.shapes and depth < 1 and seen.count <= 4:
        variable.fields = [context.describe(f"[{position}]", item, context, 1) for position, item in enumerate(found)]
    elif not small and depth < 1 and not seen.shapes and any(not values.is_plain(value) for value in found[:3]):
        first = next(value for value in found[:3] if not values.is_plain(value))
        inner = context.describe("[0]" if first is found[0] else "[i]", first, context, depth + 1)
        variable.fields = [*(variable.fields or []), inner]
        if seen.count <= 6:
            for position, value in enumerate(found[1:], start=1):
                variable.fields.append(context.describe(f"[{position}]", value, context, depth + 1))


def describe_shapes(target: Variable | Column, seen: elements.Elements, context: Context) -> None:
    """Shapes of the arrays in a collection: one, a few with their counts, or how many different ones."""
    inside = "" if seen.exact else " in the sample"
    if len(seen.shapes) == 1:
        context.note(target, "S", f"each {seen.shapes[0][0]}{inside}")
        return
    shown = ", ".join(f"{shape} ×{number}" for shape, number in seen.shapes[:4])
    context.note(
        target, "S", f"{len(seen.shapes)} different shapes{inside}: {shown}{', …' if len(seen.shapes) > 4 else ''}"
    )


def summary(target: Variable | Column, seen: elements.Elements, context: Context) -> None:
    """Range or distinct values of plain elements."""
    inside = "" if seen.exact else " in the sample"
    if seen.distinct is not None and seen.exact:
        word = {1: "constant", 2: "binary"}.get(seen.distinct) or f"{seen.distinct} distinct"
        context.note(target, "V", word)
    if seen.numeric_text:
        context.note(target, "V", seen.numeric_text)
    if context.schema_only:
        return
    if seen.odd_text is not None:
        context.note(target, "V", f"not a number: {values.text(seen.odd_text)}", data=True)
    if seen.low is not None:
        if seen.examples and seen.exact and len(seen.examples) <= 6:
            context.note(target, "V", "{" + ", ".join(map(values.short, seen.examples)) + "}", data=True)
        else:
            context.note(target, "V", f"{values.short(seen.low)}..{values.short(seen.high)}{inside}", data=True)
    elif seen.examples:
        few = seen.examples[: 6 if seen.distinct is not None and seen.distinct <= 6 else 3]
        context.note(
            target,
            "V",
            ", ".join(values.short(value, 24) for value in few) + (", …" if len(seen.examples) > len(few) else ""),
            data=True,
        )


def mapping(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """dict: keys with what they hold, those that the cell names first."""
    count = dict.__len__(value)
    context.shape(variable, f"length {count}")
    if not count:
        return
    limit = 1024 if context.budget.afford(min(count, 1024) * OBJECT_BYTES) else 64
    found = safe.items(value, limit)
    seen = elements.look([key for key, _ in found], count, len(found) == count, False)
    kinds = " or ".join(name for name, _ in seen.kinds[:3])
    held = elements.look([item for _, item in found], count, len(found) == count, False)
    held_kinds = " or ".join(name for name, _ in held.kinds[:3]) + (" or …" if len(held.kinds) > 3 else "")
    context.note(variable, "R", f"{kinds} → {held_kinds}")
    if not seen.exact:
        variable.sampled = True
        context.note(variable, "V", f"first {len(found)} of {count} keys read")
    wanted = [pair for pair in found if type(pair[0]) is str and pair[0] in context.words]
    rest = [pair for pair in found if not (type(pair[0]) is str and pair[0] in context.words)]
    named = wanted + rest
    shown = named[: MAX_KEYS if depth == 0 else 6]
    if all(values.is_plain(item) and type(item) is not str for _, item in shown) and count > len(shown):
        report_values(variable, held, [item for _, item in found], context)
    if all(values.is_plain(item) for _, item in shown) or depth >= 1:
        _short_items(variable, shown, context, count)
        return
    for position, (key, item) in enumerate(shown):
        name = f"[{context.label(key, position, 'k')!r}]" if type(key) is str else f"[{_key(key, position, context)}]"
        if depth + 1 > 1 and not values.is_plain(item):
            break
        variable.fields = [*(variable.fields or []), context.describe(name, item, context, depth + 1)]
    if count > len(shown):
        context.note(
            variable, "R", f"more keys: {_key_list([key for key, _ in named[len(shown) : len(shown) + 30]], context)}"
        )
        context.left_out.append(f"{variable.name}: {count - len(shown)} more keys")


def report_values(variable: Variable, held: elements.Elements, found: list[Any], context: Context) -> None:
    """Range of the values of a large flat dictionary."""
    if context.values:
        summary(variable, elements.look(found, held.count, held.exact), context)


def _short_items(variable: Variable, shown: list[tuple[Any, Any]], context: Context, count: int) -> None:
    parts = []
    for position, (key, item) in enumerate(shown):
        told = context.say(item, 24) if context.values and not (type(key) is str and values.secret_name(key)) else None
        name = _key(key, position, context)
        parts.append(f"{name}: {told}" if told is not None else name)
    more = f", … {count - len(shown)} more" if count > len(shown) else ""
    context.note(
        variable, "R" if not context.values or context.schema_only else "V", "{" + ", ".join(parts) + more + "}"
    )


def _key(key: Any, position: int, context: Context) -> str:
    """A dictionary key: a string key is a name, any other key is a value of the user's data."""
    if type(key) is str:
        return repr(context.label(key, position, "k"))
    if context.schema_only or context.hide_names:
        return f"<{safe.class_name(type(key))}>"
    return values.short(key, 24)


def _key_list(keys: list[Any], context: Context) -> str:
    return ", ".join(_key(key, position, context) for position, key in enumerate(keys))


def iterator(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Iterators and generators are consumed by reading: nothing but their kind and state is said."""
    if type(value) is types.GeneratorType:
        name = value.__name__
        context.note(variable, "R", f"of {name}" if type(name) is str else None)
        state = _STATES.get(inspect.getgeneratorstate(value), "started")
        context.note(variable, "V", f"{state}, not read")
    else:
        context.note(variable, "V", "not read: reading would consume it")


_STATES = {"GEN_CREATED": "not started", "GEN_RUNNING": "running", "GEN_CLOSED": "finished"}


def span(variable: Variable, value: range, context: Context, depth: int) -> None:
    """range."""
    size = safe.length(value)  # says as much as its bounds: a value
    context.shape(variable, f"length {size}" if size is not None and not context.schema_only else None)
    context.note(variable, "V", repr(value), data=True)
