"""What an operation of PyTorch is given: the tensors and numbers in it, how large a result may be, the same with stand-ins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...values import Abandon, Hole
from .lazy import is_tensor, torch_module

LOOK_AT = 1_000_000  # whole numbers of an index or target that are looked at
LOOK = 4_000  # elements of nested arguments looked at


def in_range(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the whole numbers of an index or target lie among the rows or classes (the zeros of a stand-in do)."""
    if name not in ("embedding", "cross_entropy", "nll_loss") or len(args) < 2:
        return True
    index, table = (args[0], args[1]) if name == "embedding" else (args[1], args[0])
    if (
        not is_tensor(index)
        or not is_tensor(table)
        or index.is_floating_point()
        or not 0 < index.numel() <= LOOK_AT
        or not table.dim()
    ):
        return True
    low, high = int(index.min()), int(index.max())
    limit = table.shape[0] if name == "embedding" or table.dim() == 1 else table.shape[1]
    ignored = kwargs.get("ignore_index", -100)
    return (
        high < limit
        and (low >= 0 or (name != "embedding" and low == ignored))
        or (name != "embedding" and high == ignored)
    )


def advanced(source: Any, parts: tuple[Any, ...]) -> int:
    """Elements that a selection by lists, tensors or masks can have at most."""
    count = source.numel()
    for part in parts:
        size = (
            part.numel()
            if is_tensor(part)
            else len(part)
            if isinstance(part, (list, tuple))
            else int(getattr(part, "size", 1) or 1)
        )
        first = max(1, source.shape[0]) if source.dim() else 1
        if not (is_tensor(part) and part.dtype == torch_module().bool):
            count = max(count // first, 1) * max(size, 1)
    return count


def joint(tensors: list[Any]) -> float:
    """A rough upper bound of the multiply-adds of one operation on these tensors: every distinct size once."""
    sizes = {int(n) for t in tensors for n in t.shape if n > 1}
    total = 1.0
    for size in sizes:
        total *= size
    return max(total, float(sum(t.numel() for t in tensors)))


def tensors_in(value: Any, depth: int = 0) -> Iterator[Any]:
    if is_tensor(value):
        yield value
    elif isinstance(value, (list, tuple)) and depth < 4:
        if len(value) > LOOK:
            if isinstance(value[0], (int, float, bool, str)):
                return
            raise Abandon("too many arguments to look at")
        for part in value:
            yield from tensors_in(part, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        for part in value.values():
            yield from tensors_in(part, depth + 1)
    elif isinstance(value, Hole):
        raise Abandon("an unknown argument")


def ints_in(value: Any) -> list[int]:
    if isinstance(value, int):
        return [value]
    if isinstance(value, (list, tuple)):
        return [n for part in value for n in ints_in(part)]
    return [n for part in value.values() for n in ints_in(part)] if isinstance(value, dict) else []


def swap(value: Any, old: Any, stand: Any) -> Any:
    return swap_all(value, {id(old): stand})


def swap_all(value: Any, stands: dict[int, Any]) -> Any:
    if id(value) in stands:
        return stands[id(value)]
    if type(value) in (list, tuple):
        return type(value)(swap_all(part, stands) for part in value)
    if type(value) is dict:
        return {key: swap_all(part, stands) for key, part in value.items()}
    return value
