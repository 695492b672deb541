"""Whole numbers that a tensor of unknown values certainly holds: a batch in a random order has each sample's at some time."""

from __future__ import annotations

from typing import Any

from .lazy import is_tensor, torch_module

MOST = 100_000  # numbers of one sample
# Operations whose result holds what they are given.
_CARRY = frozenset(
    "view view_as reshape flatten squeeze unsqueeze transpose permute t contiguous detach clone to long int type cpu ravel unflatten".split()
)


class Contents:
    """What is known of each tensor; a table of (tensor, numbers) by id."""

    def __init__(self) -> None:
        self._table: dict[int, tuple[Any, set[int]]] = {}
        self.columns: list[set[int]] = []  # all the numbers of each column that the data is made of

    def note(self, tensor: Any, values: Any) -> None:
        """``tensor`` holds these, or another one like it does at another time."""
        if type(values) is int:
            numbers = {values}
        else:
            flat = values.reshape(-1)
            if len(flat) > MOST or not len(flat):
                return
            numbers = {int(n) for n in (flat.unique() if is_tensor(flat) else set(flat.tolist())) if n == int(n)}
        self._table.setdefault(id(tensor), (tensor, set()))[1].update(numbers)

    def carry(self, name: str, given: list[Any], results: list[Any]) -> None:
        """After one operation: its result holds what its one argument does, or is not known; what is written to is not."""
        if not self._table:
            return
        if name.endswith("_") and not name.endswith("__") or name == "__setitem__":
            for tensor in given[:1]:
                self._forget(tensor)
            return
        known = self._table.get(id(given[0])) if len(given) == 1 else None
        if known is not None and known[0] is given[0] and name in _CARRY and len(results) == 1:
            self._table[id(results[0])] = (results[0], known[1])

    def _forget(self, tensor: Any) -> None:
        """Numbers are written to ``tensor``: whatever shares its memory is not known any more."""
        place = tensor.untyped_storage().data_ptr() if hasattr(tensor, "untyped_storage") else None
        for key, (other, _) in list(self._table.items()):
            if other is tensor or place is None or other.untyped_storage().data_ptr() == place:
                del self._table[key]
        # What stands for a large tensor may not share memory where the real one would.
        if place is not None and tensor.numel() > 20_000:
            self._table.clear()

    def out_of_range(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """An index or target with a number in it that is certainly out of range; None where there is none, or its words are not certain."""
        if not self._table or len(args) < 2:
            return None
        index, table = (args[0], args[1]) if name == "embedding" else (args[1], args[0])
        known = self._table.get(id(index))
        if known is None or known[0] is not index or index.is_floating_point() or not table.dim() or not index.numel():
            return None
        limit = table.shape[0] if name == "embedding" or table.dim() == 1 else table.shape[1]
        ignored = None if name == "embedding" else kwargs.get("ignore_index", -100)
        wrong = {n for n in known[1] if not 0 <= n < limit and n != ignored}
        if not wrong or name != "embedding" and (len(wrong) > 1 or known[1] not in self.columns):
            return None  # the number that comes first is in the message
        stand = torch_module().zeros(tuple(index.shape), dtype=index.dtype)
        stand.view(-1)[0] = wrong.pop()
        return stand
