"""The state that all parts of the interpreter share, declared once; the mixins derive from :class:`Machine`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .budget import Budget
    from .heap import Heap
    from .purity.survey import Surveyor
    from .scope import GlobalScope, Journal
    from .world import World


class Machine:
    """What :class:`.interpreter.Interpreter` sets up. See there for the meaning of each attribute."""

    budget: Budget
    shell: Any
    namespace: dict[str, Any]
    heap: Heap
    journal: Journal
    world: World
    surveyor: Surveyor
    module_scope: GlobalScope
    frames: list[Any]
    uncertain: int
    doubtful: bool
    unsure: int
    operations: int
    followed: int
    lost: dict[int, str]
    fresh_iterators: list[Any]
    facts: list[dict[str, Any]]
    call_nodes: list[Any]
    callback_limit: int | None
