"""Short text for small values of built-in types; nothing else is ever turned into text."""

from __future__ import annotations

import datetime
import decimal
import fractions
import re
import types
from typing import Any

from . import safe

TEXT_LIMIT = 40
_SECRET_NAME = re.compile(
    r"(api_?key|secret|token|passw(or)?d|passphrase|credential|private_?key|access_?key)s?$", re.IGNORECASE
)
_SECRET_TEXT = re.compile(
    r"\b(sk-[\w-]{12,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|hf_\w{16,}|AIza[\w-]{20,}|AKIA\w{12,}|xox[abpr]-[\w-]{10,}|gsk_\w{16,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}|-----BEGIN)"
)
_EXACT = (bool, int, float, complex, type(None))
_DATES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, decimal.Decimal, fractions.Fraction)
_PLAIN = (*_EXACT, str, bytes, *_DATES)


def secret_name(name: str) -> bool:
    """Whether a variable's name says that its text is a key or password."""
    return bool(_SECRET_NAME.search(name))


def number(value: Any) -> str:
    """A number of a built-in type in at most six significant digits (whole numbers in full up to 15 digits)."""
    if type(value) is int:
        return str(value) if value.bit_length() < 64 else f"int of {value.bit_length()} bits"
    if type(value) is float:
        if value.is_integer() and abs(value) < 1e15:
            return f"{value:.1f}"
        return f"{value:.6g}"
    if type(value) is complex:
        return f"{value:.4g}"
    return repr(value)


def text(value: str, limit: int = TEXT_LIMIT) -> str:
    """A string cut to ``limit`` characters, its full length said when it was cut."""
    size = str.__len__(value)
    head = str.__getitem__(value, slice(0, limit))
    if _SECRET_TEXT.search(str.__getitem__(value, slice(0, 4 * limit))):
        return f"<withheld: looks like a key, length {size}>"
    return repr(head) if size <= limit else f"{repr(head)[:-1]}…' (length {size})"


def is_plain(value: Any) -> bool:
    """Whether the value is of a built-in type whose hash, equality and text are Python's own."""
    return safe.one_of(type(value), _PLAIN)


def date(value: Any) -> str:
    """Text of a date, time, duration, Decimal or Fraction; a user's own time zone object is not asked."""
    zone = value.tzinfo if safe.one_of(type(value), (datetime.datetime, datetime.time)) else None
    if zone is not None and safe.class_module(type(zone)) not in ("datetime", "zoneinfo"):
        return f"{value.replace(tzinfo=None)} <{safe.class_name(type(zone))}>"
    return str(value)


def short(value: Any, limit: int = TEXT_LIMIT) -> str:
    """A value in a few characters if it is of a built-in scalar type, else its type's name in angle brackets."""
    kind = type(value)
    if safe.one_of(kind, _EXACT):
        return number(value)
    if kind is str:
        return text(value, limit)
    if safe.one_of(kind, (bytes, bytearray)):
        return f"{safe.class_name(kind)} of length {len(value)}"
    if safe.one_of(kind, _DATES):
        return date(value)
    if kind is slice:
        return "slice" if not all(is_plain(part) for part in (value.start, value.stop, value.step)) else repr(value)
    if kind is range:
        return repr(value)
    if kind is tuple and tuple.__len__(value) <= 4 and all(is_plain(part) or type(part) is tuple for part in value):
        return "(" + ", ".join(short(part, 20) for part in value) + ("," if len(value) == 1 else "") + ")"
    if kind is list and len(value) <= 4 and all(is_plain(part) for part in value):
        return "[" + ", ".join(short(part, 20) for part in value) + "]"
    if kind is dict and len(value) == 0:
        return "{}"
    scalar = numpy_scalar(value)
    if scalar is not None:
        return short(scalar, limit)
    if safe.isinstance_of(value, str):
        return text(str.__getitem__(value, slice(None)), limit)
    member = enum_member(value)
    if member:
        return member
    if safe.one_of(kind, (types.FunctionType, types.BuiltinFunctionType)):
        return f"<function {value.__name__}>"
    if safe.isinstance_of(value, type):
        return f"<class {safe.class_name(value)}>"
    size = safe.length(value)
    return f"<{safe.class_name(kind)}>" if size is None else f"<{safe.class_name(kind)} of {size}>"


def numpy_scalar(value: Any) -> Any:
    """A NumPy scalar as a built-in value, or None if it is none (or has no small built-in equal)."""
    cls = type(value)
    if safe.class_module(cls) != "numpy" or not safe.genuine(cls):
        return None
    generic = safe.library_class("numpy", "generic")
    if generic is None or not safe.isinstance_of(value, generic):
        return None
    plain = value.item()
    return plain if is_plain(plain) else None


def enum_member(value: Any) -> str | None:
    """``Colour.RED`` for a member of an enum."""
    if any(safe.class_module(base) == "enum" and safe.class_name(base) == "Enum" for base in safe.mro(value)):
        name = safe.field(value, "_name_")
        if type(name) is str:
            return f"{safe.class_name(type(value))}.{name}"
    return None
