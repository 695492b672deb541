"""The autograd graph behind stand-ins: which operations a tensor came from, and which of them keep values for one backward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import names

_LIKE = frozenset(
    "view_as expand_as reshape_as type_as to where copysign".split()
)  # not every argument gets a gradient; that of an embedding may be sparse
MOST = 20_000  # operations of one check's graph


class Node:
    """One operation in the graph. ``saves``: it keeps values that backward needs, and loses them after one; ``used``: one has come by."""

    __slots__ = ("parents", "live", "leaves", "saves", "used")

    def __init__(self, parents: list[Node], live: list[Any], leaves: list[Any], saves: bool) -> None:
        self.parents = parents
        self.leaves = leaves  # tensors that a backward gives a gradient
        self.live = live  # tensors of the kernel that went in with a graph of their own
        self.saves = saves
        self.used = False


class Graph:
    """The graph of one check: a node for every tensor that came out of a followed operation and requires grad."""

    def __init__(self) -> None:
        self._nodes: dict[int, tuple[Any, Node]] = {}

    def node(self, tensor: Any) -> Node | None:
        """The operation that a stand-in came from."""
        found = self._nodes.get(id(tensor))
        return found[1] if found is not None and found[0] is tensor else None

    def record(self, name: str, given: list[Any], made: list[Any]) -> None:
        """Note that the operation ``name`` on ``given`` gave ``made`` (an operation in place gives what it was given)."""
        if len(self._nodes) >= MOST:
            return
        sources = [tensor for tensor in given if tensor.requires_grad]
        for tensor in made:
            changed = any(tensor is other for other in given)
            if not tensor.requires_grad or (self.node(tensor) is not None and not changed):
                continue
            if changed and tensor.is_leaf:
                continue  # without gradients: it is being filled
            if changed and not name.endswith("_") and not name.startswith("__i"):
                continue  # handed back as it was
            parents = [node for node in map(self.node, sources) if node is not None]
            live = [t for t in sources if self.node(t) is None and t.grad_fn is not None]
            leaves = (
                []
                if name.startswith("embedding")
                else [t for t in (sources if name not in _LIKE else sources[:1]) if t.is_leaf]
            )
            self._nodes[id(tensor)] = (tensor, Node(parents, live, leaves, saves(name, given)))


def saves(name: str, given: list[Any]) -> bool:
    """Whether the operation's node certainly keeps values for backward."""
    if name in names.SAVING:
        return any(tensor.requires_grad for tensor in given)
    if name in names.PRODUCTS:  # each factor is what the other one's gradient needs
        return len(given) >= 2 and any(tensor.requires_grad for tensor in given[:2])
    return False


def reached(start: Node) -> Iterator[Node]:
    """Every node that a backward from ``start`` goes through."""
    seen: set[int] = set()
    queue = [start]
    while queue:
        node = queue.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            queue.extend(node.parents)
