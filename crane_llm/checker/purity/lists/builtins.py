"""Allow-list: built-in functions, types and their methods that change nothing."""

from __future__ import annotations

from typing import Any

from ..registry import Pure

_ITEM = 4e-8


def _length(obj: Any) -> int:
    try:
        return len(obj)
    except Exception:  # no length: an iterator that we made, short by construction
        return 1_000


def _per_item(factor: float, makes: bool = False) -> Pure:
    return Pure(
        cost=lambda args, kwargs, weight: (
            1e-5 + factor * _ITEM * sum(_length(a) for a in args if hasattr(a, "__len__") or isinstance(a, range))
        ),
        consumes=True,
        makes=makes,
    )


def _repeat_cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    width = max([a for a in args if isinstance(a, int)] + [0])
    return 1e-6 + (weight + width) * 2e-9 if width < 10_000_000 else float("inf")


_text = Pure(cost=_repeat_cost)
_plain = Pure()
_walk = _per_item(1)
_collect = _per_item(1, makes=True)
_sort = _per_item(6, makes=True)

PURE: dict[str, Pure | None] = {
    **{f"builtins.{name}": _plain for name in "abs bin bool bytes bytearray callable chr complex float frozenset hash hex int oct ord range round slice str repr ascii format divmod object id".split()},
    **{f"builtins.{name}": _walk for name in "all any max min sum tuple len".split()},
    **{f"builtins.{name}": _collect for name in "list set dict".split()},
    "builtins.sorted": _sort,
    "builtins.pow": Pure(when=lambda args, kwargs: all(type(a) is float or (type(a) is int and abs(a) < 10_000) for a in args)),
    "builtins.str.*": _text,
    "builtins.str.join": Pure(consumes=True),
    "builtins.str.format": Pure(when=lambda args, kwargs: True),
    "builtins.str.maketrans": _plain,
    "builtins.bytes.*": _text,
    "builtins.int.*": _plain,
    "builtins.float.*": _plain,
    "builtins.complex.*": _plain,
    "builtins.bool.*": _plain,
    "builtins.tuple.*": _plain,
    "builtins.frozenset.*": Pure(consumes=True),
    "builtins.range.*": _plain,
    "builtins.slice.*": _plain,
    "builtins.object.__init__": _plain,
    "builtins.object.__eq__": _plain,
    "builtins.object.__hash__": _plain,
    **{f"builtins.list.{name}": _plain for name in ("count", "index", "copy", "__len__", "__getitem__", "__contains__")},
    **{f"builtins.dict.{name}": _plain for name in ("get", "keys", "values", "items", "copy", "fromkeys", "__len__", "__getitem__", "__contains__")},
    **{
        f"builtins.set.{name}": Pure(consumes=True, makes=True)
        for name in ("union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint", "copy", "__len__", "__contains__")
    },
    **{f"builtins.{name}": _plain for name in dir(__import__("builtins")) if isinstance(getattr(__import__("builtins"), name), type) and issubclass(getattr(__import__("builtins"), name), BaseException)},
}  # fmt: skip
