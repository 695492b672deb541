"""Reading numbers: NaN, range and distinct values of a NumPy array, exactly within the budget, else from a fixed sample.

Arrays are read in chunks that stay in the cache, so the memory used does not depend on their size. Only functions of NumPy on plain
``ndarray`` views are called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import safe
from .budget import CACHE_LINE, SAMPLE, Budget, sample_blocks, sample_positions

CHUNK = 1 << 15  # elements read at once
SORT_LIMIT = 4096  # arrays up to this many elements are sorted to count distinct values
SPAN_LIMIT = 1 << 12  # whole numbers within this span are counted in a table
FEW = 20  # at most so many distinct values make a category


class Stats:
    """What was read: ``read`` of ``count`` elements. ``exact`` is True when everything was read.

    ``low``/``high`` leave NaN and infinity out. ``distinct`` is exact or None; ``many`` says that there are certainly more than FEW.
    ``values`` are the distinct values when there are few and all were read.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.read = 0
        self.exact = True
        self.nan = 0
        self.infinite = 0
        self.low: Any = None
        self.high: Any = None
        self.distinct: int | None = None
        self.many = False
        self.values: list[Any] | None = None

    def sampling(self) -> str | None:
        """The mark of a sample, None when exact."""
        return None if self.exact else f"sampled {self.read} of {self.count}"


def element_cost(array: Any) -> int:
    """Bytes of memory touched per element (a strided element drags a cache line along)."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return max(1, array.itemsize)
    steps = [abs(step) for step, size in zip(array.strides, array.shape) if size > 1]
    nearest = min(steps) if steps else array.itemsize
    return max(array.itemsize, min(nearest, CACHE_LINE), 1)


def plain(array: Any) -> Any:
    """The same memory as a base ``ndarray`` (a subclass's hooks are not run)."""
    numpy = safe.loaded("numpy")
    return numpy.ndarray.view(array, numpy.ndarray) if type(array) is not numpy.ndarray else array


def scan(array: Any, budget: Budget, count_distinct: bool = True) -> Stats | None:
    """Statistics of a numeric, boolean or date array; None when nothing may be read or the dtype has no order."""
    numpy = safe.loaded("numpy")
    array = plain(array)
    stats = Stats(array.size)
    if array.size == 0:
        return stats
    if array.dtype.kind not in "biufmMc":
        return None
    if array.dtype.kind in "mM":
        array, dates = array.view("int64"), array.dtype
    else:
        dates = None
    if not array.dtype.isnative:
        return None
    stats.exact = budget.afford(array.size * element_cost(array))
    with numpy.errstate(all="ignore"):
        if stats.exact:
            _read(array, stats, numpy, dates is not None, count_distinct)
        else:
            wanted = SAMPLE
            while wanted > 64 and not budget.afford(wanted * array.itemsize * 2):
                wanted //= 4
            if wanted <= 64 or budget.expired():
                return None
            _read(sample(array, wanted), stats, numpy, dates is not None, count_distinct)
            stats.values = None
            stats.distinct = None
    stats.low, stats.high = _unbox(stats.low, dates, numpy), _unbox(stats.high, dates, numpy)
    if stats.values is not None and dates is not None:
        stats.values = None
    return stats


def sample(array: Any, wanted: int) -> Any:
    """``wanted`` elements of the array at fixed positions, as a small one-dimensional copy."""
    numpy = safe.loaded("numpy")
    flat = _flat(array)
    if flat is not None:
        return numpy.concatenate([flat[begin:end] for begin, end in sample_blocks(flat.size, wanted)])
    positions = numpy.array(sample_positions(array.size, wanted, 8), dtype="int64")
    return array[numpy.unravel_index(positions, array.shape)]


def chunks(array: Any) -> Iterator[Any]:
    """The array in pieces of about CHUNK elements, views only."""
    flat = _flat(array)
    if flat is not None:
        for begin in range(0, flat.size, CHUNK):
            yield flat[begin : begin + CHUNK]
        return
    row = array.size // array.shape[0]
    if row > CHUNK:
        for part in array:
            yield from chunks(part)
        return
    step = max(1, CHUNK // max(1, row))
    for begin in range(0, array.shape[0], step):
        yield array[begin : begin + step]


def _flat(array: Any) -> Any:
    """A one-dimensional view, or None if only a copy could be one."""
    if array.ndim == 1:
        return array
    if array.flags.c_contiguous:
        return array.reshape(-1)
    if array.flags.f_contiguous:
        return array.T.reshape(-1)
    return None


def _read(array: Any, stats: Stats, numpy: Any, is_date: bool, count_distinct: bool) -> None:
    stats.read = int(array.size)
    kind = array.dtype.kind
    if kind == "b":
        ones = sum(int(numpy.count_nonzero(part)) for part in chunks(array))
        stats.low, stats.high = ones == stats.read, ones > 0
        stats.distinct = 1 if ones in (0, stats.read) else 2
        stats.values = [False, True] if stats.distinct == 2 else [bool(ones)]
        return
    if kind == "c":
        stats.nan = sum(int(numpy.count_nonzero(part != part)) for part in chunks(array))
        return
    for part in chunks(array):
        _range(part, stats, numpy, kind, is_date)
    if count_distinct and stats.low is not None and not is_date:
        _distinct(array, stats, numpy, kind)


def _range(part: Any, stats: Stats, numpy: Any, kind: str, is_date: bool) -> None:
    low, high = numpy.minimum.reduce(part, axis=None), numpy.maximum.reduce(part, axis=None)
    if is_date and low == numpy.iinfo("int64").min:
        real = part[part != low]
        stats.nan += part.size - real.size
        if real.size == 0:
            return
        low, high = numpy.minimum.reduce(real), numpy.maximum.reduce(real)
    elif kind == "f" and not (numpy.isfinite(low) and numpy.isfinite(high)):
        nan = int(numpy.count_nonzero(part != part))
        finite = part[numpy.isfinite(part)]
        stats.nan += nan
        stats.infinite += part.size - finite.size - nan
        if finite.size == 0:
            return
        low, high = numpy.minimum.reduce(finite), numpy.maximum.reduce(finite)
    low, high = (float(low), float(high)) if kind == "f" else (low.item(), high.item())
    stats.low = low if stats.low is None or low < stats.low else stats.low
    stats.high = high if stats.high is None or high > stats.high else stats.high


def _distinct(array: Any, stats: Stats, numpy: Any, kind: str) -> None:
    """Distinct finite values: by sorting small arrays, by a table for whole numbers in a small span, else only whether there are many."""
    if array.size <= SORT_LIMIT:
        found = numpy.unique(array[numpy.isfinite(array)] if kind == "f" else array)
        _keep(found, stats)
        return
    probe = numpy.unique(sample(array, 2048))
    stats.many = int(numpy.count_nonzero(probe == probe)) > FEW
    span = stats.high - stats.low
    if span > SPAN_LIMIT or (kind == "f" and stats.many):
        return
    if kind == "f" and not bool(numpy.all((probe == numpy.floor(probe)) | ~numpy.isfinite(probe))):
        return
    seen = numpy.zeros(int(span) + 1, dtype=bool)
    low = numpy.array(stats.low, dtype=array.dtype)
    for part in chunks(array):
        if kind == "f":
            part = part[numpy.isfinite(part)]
            if not bool(numpy.all(part == numpy.floor(part))):
                return
        # signed numbers are widened before the subtraction, unsigned after it: neither may wrap around
        offset = (part - low).astype(numpy.intp) if kind == "u" else part.astype(numpy.intp) - int(stats.low)
        seen[offset] = True
    positions = numpy.flatnonzero(seen)
    stats.distinct = int(positions.size)
    stats.many = stats.distinct > FEW
    if stats.distinct <= FEW:
        first = int(stats.low)
        whole = [first + int(position) for position in positions]
        stats.values = [float(value) for value in whole] if kind == "f" else whole


def _keep(found: Any, stats: Stats) -> None:
    stats.distinct = int(found.size)
    stats.many = stats.distinct > FEW
    if stats.distinct <= FEW:
        stats.values = found.tolist()


def _unbox(value: Any, dates: Any, numpy: Any) -> Any:
    """A date from its integer, as ISO text; other values unchanged."""
    if dates is None or value is None:
        return value
    boxed = numpy.array(value, dtype="int64").view(dates)
    text = str(boxed)
    return DateText(text[:-9] if text.endswith("T00:00:00") else text.rstrip("0").rstrip(".") if "." in text else text)


class DateText(str):
    """A date or duration of NumPy in words (to be shown without quotes)."""

    __slots__ = ()
