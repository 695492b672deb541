"""How much a summary may read, and how it samples what is more than that.

The unit is bytes of memory touched: an element of a strided view costs up to a cache line, a Python object a fixed price. The cost
of a reading is known before it starts; what does not fit is sampled at fixed positions (no random state is drawn from).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

DEFAULT_BYTES = 16 << 20
# Price of looking at one Python object: what reading so many bytes of an array would take, some 0.4 µs.
OBJECT_BYTES = 768
CONTAINER_BYTES = 2 * OBJECT_BYTES  # of one whose own length or shape is looked at, too
CACHE_LINE = 64
SAMPLE = 8192  # elements of a numeric sample
OBJECT_SAMPLE = 1024  # elements of a sample of Python objects
BLOCK = 64  # neighbouring elements read together in a sample


class Budget:
    """Bytes that may be read in one summary, shared among its variables, and a deadline in seconds."""

    def __init__(self, total: int = DEFAULT_BYTES, deadline: float | None = None) -> None:
        self.left = max(0, int(total))
        self.share = self.left
        now = time.monotonic()
        self.end = None if deadline is None else now + max(0.0, deadline)
        self.stop = None if deadline is None else now + max(0.0, 2 * deadline)

    def divide(self, parts: int) -> None:
        """Give the next reader its fair share of what is left (``parts`` readers are still to come)."""
        self.share = self.left // max(1, parts)

    def afford(self, cost: int) -> bool:
        """Whether a reading of ``cost`` bytes fits; if so it is charged."""
        if self.expired() or cost > self.share:
            return False
        self.share -= cost
        self.left -= cost
        return True

    def portions(self, parts: int) -> Iterator[int]:
        """Split the current share into ``parts`` equal portions, one a turn; what a turn leaves goes to the later ones."""
        rest = self.share
        for index in range(parts):
            portion = rest // (parts - index)
            self.share = portion
            yield index
            rest -= portion - self.share
        self.share = rest

    def expired(self) -> bool:
        """Past the deadline nothing more is read: what costs nothing (types, shapes, names) is still told."""
        return self.end is not None and time.monotonic() > self.end

    def over(self) -> bool:
        """Past twice the deadline not even that."""
        return self.stop is not None and time.monotonic() > self.stop


def sample_blocks(count: int, wanted: int, block: int = BLOCK) -> list[tuple[int, int]]:
    """Half-open ranges of at most ``wanted`` of ``count`` positions, evenly spread, first and last included; deterministic."""
    if count <= wanted:
        return [(0, count)]
    block = max(1, min(block, wanted))
    blocks = max(1, wanted // block)
    if blocks == 1:
        return [(0, block)]
    last = count - block
    starts = sorted({last * index // (blocks - 1) for index in range(blocks)})
    ranges: list[tuple[int, int]] = []
    for start in starts:
        begin = max(start, ranges[-1][1]) if ranges else start
        if begin < start + block:
            ranges.append((begin, start + block))
    return ranges


def sample_positions(count: int, wanted: int, block: int = 1) -> list[int]:
    """The positions of ``sample_blocks`` one by one."""
    return [position for begin, end in sample_blocks(count, wanted, block) for position in range(begin, end)]
