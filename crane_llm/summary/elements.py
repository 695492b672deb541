"""What a flat collection of Python objects holds: kinds, ranges, lengths, shapes. No method of an element is called."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from . import safe, values
from .budget import CONTAINER_BYTES, OBJECT_BYTES, OBJECT_SAMPLE, Budget, sample_positions
from .scan import FEW

DISTINCT_LIMIT = 20000  # strings and numbers up to this many are put into a set
SHAPE_LIMIT = 2048  # arrays looked at one by one
# What int() and float() accept of ASCII text: group 1 for a whole number.
_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_NUMBER = re.compile(
    rf"\s*[+-]?(?:({_DIGITS})|(?:{_DIGITS}\.?(?:{_DIGITS})?|\.{_DIGITS})(?:e[+-]?{_DIGITS})?|nan|inf(?:inity)?)\s*\Z",
    re.I,
)
_NUMBERS = (int, float, bool)
_NUMBER_IDS = {id(int), id(float), id(bool)}
_SCALAR_IDS = _NUMBER_IDS | {id(str), id(bytes)}


class Elements:
    """Findings on ``read`` of ``count`` elements; ``exact`` when all were read.

    ``kinds`` counts elements by type name (``NoneType`` and ``NaN`` apart), most frequent first.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.read = 0
        self.exact = True
        self.kinds: list[tuple[str, int]] = []
        self.missing = 0  # None, NaN, NaT, pandas.NA
        self.low: Any = None
        self.high: Any = None
        self.lengths: tuple[int, int] | None = None  # of strings or containers
        self.length_kind = ""
        self.distinct: int | None = None
        self.examples: list[Any] = []
        self.shapes: list[tuple[str, int]] = []
        self.numeric_text: str | None = None  # whether strings read as numbers, in words
        self.odd_text: str | None = None  # the first string that does not read as a number, where most do

    def sampling(self) -> str | None:
        return None if self.exact else f"sampled {self.read} of {self.count}"


def pick(sequence: Any, count: int, budget: Budget, get: Any) -> tuple[list[Any], bool]:
    """All elements if the budget allows, else those at fixed positions; ``get(sequence, position)`` reads one."""
    first = get(sequence, 0) if count else None
    price = OBJECT_BYTES if first is None or id(type(first)) in _SCALAR_IDS else CONTAINER_BYTES
    if budget.afford(count * price):
        return [get(sequence, position) for position in range(count)], True
    wanted = OBJECT_SAMPLE if budget.afford(OBJECT_SAMPLE * OBJECT_BYTES) else 64
    return [get(sequence, position) for position in sample_positions(count, wanted)], wanted >= count


def look(found: Sequence[Any], count: int, exact: bool, read_values: bool = True) -> Elements:
    """Describe the elements ``found`` of a collection of ``count``."""
    result = Elements(count)
    result.read, result.exact = len(found), exact
    counted = Counter(map(id, map(type, found)))  # by identity: a metaclass may redefine == and hash
    by_id: dict[int, type] = {}
    for value in found:
        if id(type(value)) not in by_id:
            by_id[id(type(value))] = type(value)
            if len(by_id) == len(counted):
                break
    result.missing = counted.get(id(type(None)), 0)
    if id(float) in counted:
        result.missing += sum(1 for value in found if type(value) is float and value != value)
    for key, cls in by_id.items():
        if safe.class_name(cls) in ("NAType", "NaTType") and safe.top_package(cls) == "pandas":
            result.missing += counted[key]
    names = [(safe.class_name(by_id[key]), number) for key, number in counted.most_common()]
    result.kinds = names
    solid = set(by_id) - {id(type(None))}
    if not read_values and solid <= _SCALAR_IDS:
        return result
    if solid and solid <= _NUMBER_IDS:
        _numbers(found, result)
    elif id(str) in solid and solid <= _SCALAR_IDS - {id(bytes)}:
        _strings(found if len(counted) == 1 else [value for value in found if type(value) is str], result)
    else:
        _shapes(found, result)
        _lengths(found, result)
    return result


def _numbers(found: Sequence[Any], result: Elements) -> None:
    real = [value for value in found if safe.one_of(type(value), _NUMBERS) and value == value]
    if real:
        result.low, result.high = min(real), max(real)
    if len(real) <= DISTINCT_LIMIT:
        distinct = set(real)
        result.distinct = len(distinct)
        if len(distinct) <= FEW:
            result.examples = sorted(distinct)
    if any(type(value) is float and math.isinf(value) for value in (result.low, result.high)):
        result.low = result.high = None


def _strings(found: Sequence[str], result: Elements) -> None:
    if len(found) <= DISTINCT_LIMIT:
        sizes = list(map(len, found))
        result.lengths, result.length_kind = (min(sizes), max(sizes)), "str"
        if sum(sizes) <= 1 << 20:
            seen = dict.fromkeys(found)
            result.distinct = (
                len(seen) if len(found) + result.missing == result.read else None
            )  # only where all is text
            result.examples = list(seen)[:FEW]
    if not result.examples:
        result.examples = list(dict.fromkeys(value[:200] for value in found[:50]))
    numeric_text(found, result)


def numeric_text(found: Sequence[str], result: Elements) -> None:
    """Say whether the strings read as numbers (as ``float``/``int`` would read them)."""
    some = (
        found if len(found) <= DISTINCT_LIMIT else [found[position] for position in sample_positions(len(found), 128)]
    )
    whole = real = 0
    odd: str | None = None
    for value in some:
        kind = read_number(value)
        whole += kind == "int"
        real += kind is not None
        if kind is None and odd is None:
            odd = value
    if not some or not real:
        return
    part = "" if len(some) == result.count - result.missing and result.exact else " in the sample"
    if real == len(some):
        result.numeric_text = f"text reads as {'int' if whole == real else 'float, not all as int' if whole else 'float, none as int'}{part}"
    elif real * 2 >= len(some):
        result.numeric_text = f"{real} of {len(some)} texts read as numbers{part}"
        result.odd_text = odd


def read_number(value: str) -> str | None:
    """``"int"``, ``"float"`` or None, as Python's constructors read the text; very long text is never a number."""
    if len(value) > 64:
        return None
    found = _NUMBER.match(value)
    return None if found is None else "int" if found.group(1) is not None else "float"


def _shapes(found: Sequence[Any], result: Elements) -> None:
    groups: Counter[str] = Counter()
    looked = (
        found
        if len(found) <= SHAPE_LIMIT
        else [found[position] for position in sample_positions(len(found), SHAPE_LIMIT)]
    )
    for value in looked:
        text = shape_of(value)
        if text is None:
            return
        groups[text] += 1
    if len(looked) < len(found):
        result.exact, result.read = False, len(looked)
    result.shapes = groups.most_common()


def shape_of(value: Any) -> str | None:
    """Shape and dtype of an array-like of a known library, without calling code of its own; None for others."""
    cls = type(value)
    top = safe.top_package(cls)
    if top == "numpy" and safe.genuine(cls):
        if safe.class_name(cls) in ("ndarray", "memmap", "MaskedArray"):
            return f"{value.shape} {value.dtype}"
        return f"() {safe.class_name(cls)}" if values.numpy_scalar(value) is not None else None
    if top == "torch" and safe.class_name(cls) in ("Tensor", "Parameter") and safe.genuine(cls):
        return f"{tuple(value.shape)} {str(value.dtype)[6:]}"
    if top == "tensorflow" and safe.class_name(cls) == "EagerTensor" and safe.genuine(cls):
        return f"{tuple(value.shape)} {value.dtype.name}"
    if top == "PIL" and safe.field(value, "_size") is not None:
        return f"{safe.field(value, '_size')} {safe.field(value, '_mode') or safe.field(value, 'mode')}"
    if top == "pandas":
        manager = safe.field(value, "_mgr")
        axes = safe.field(manager, "axes") if manager is not None else None
        if axes:
            return "(" + ", ".join(str(len(axis)) for axis in reversed(axes)) + ("," if len(axes) == 1 else "") + ")"
    return None


def _lengths(found: Sequence[Any], result: Elements) -> None:
    """Shortest and longest of a collection of strings or containers, and what the first holds."""
    sizes = []
    kind = ""
    for value in found:
        size = safe.length(value)
        if size is None:
            return
        sizes.append(size)
        kind = kind or safe.class_name(type(value))
    if sizes:
        result.lengths, result.length_kind = (min(sizes), max(sizes)), kind
