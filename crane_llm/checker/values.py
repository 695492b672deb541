"""What the checker knows about a value: exact, partial or unknown.

*Exact*: ``obj`` is the very object the cell would see, or one that we computed and that equals it in every respect.
*Partial*: ``obj`` is a stand-in that agrees with the real value in the facts that its ``domain`` vouches for (shape, dtype, schema …);
only the domain may operate on it. *Unknown*: nothing but, perhaps, the type; ``reach`` holds the live objects that the value may be,
contain or share state with, so that a later unknown call on it is known to touch them.

Containers that the checker owns are real lists, dicts and instances. An unknown element is stored as a :class:`Hole`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

EXACT, PARTIAL, UNKNOWN = "exact", "partial", "unknown"


def is_a(obj: Any, kinds: Any) -> bool:
    """``isinstance`` by the real class: what an object says of its class may be the person's code."""
    return issubclass(type(obj), kinds)


class Value:
    """One abstract value; see the module's docstring. Immutable by convention."""

    __slots__ = ("kind", "obj", "type", "domain", "reach")

    def __init__(
        self, kind: str, obj: Any = None, type_: type | None = None, domain: Any = None, reach: tuple[Any, ...] = ()
    ) -> None:
        self.kind = kind
        self.obj = obj
        self.type = type_
        self.domain = domain
        self.reach = reach

    @property
    def exact(self) -> bool:
        return self.kind is EXACT

    @property
    def unknown(self) -> bool:
        return self.kind is UNKNOWN

    @property
    def known_type(self) -> type | None:
        """The class of the real value where it is certain."""
        if self.kind is EXACT:
            return type(self.obj)
        return self.type

    @property
    def roots(self) -> tuple[Any, ...]:
        """The objects that the value is, may be, or may share state with."""
        return (self.obj,) if self.kind is EXACT else self.reach

    def __repr__(self) -> str:  # never touches the object itself: it may be the person's
        return f"<{self.kind} {getattr(self.known_type, '__name__', '?')}>"


def exact(obj: Any) -> Value:
    """The very object."""
    return Value(EXACT, obj)


def unknown(type_: type | None = None, reach: tuple[Any, ...] = ()) -> Value:
    """A value of which at most the type is known."""
    return Value(UNKNOWN, None, type_, None, reach)


def partial(obj: Any, domain: Any, type_: type | None = None, reach: tuple[Any, ...] = ()) -> Value:
    """A stand-in whose facts ``domain`` vouches for. ``type_`` is the real value's class where it is not the stand-in's."""
    return Value(PARTIAL, obj, type_ if type_ is not None else type(obj), domain, reach)


class Abandon(BaseException):
    """The operation under way cannot be followed; its result is unknown. Never an ``Exception``: library code must not catch it."""


class Unfinished(Abandon):
    """Raised by an iteration after the elements that are known: there may be more. A loop goes on without certainty.

    ``rest`` is what is known of any later element, where something is. ``ahead`` makes elements that certainly come, in their order,
    and that differ from those before; only a loop straight over the iterable may use them (see :func:`loops.straight`).
    """

    def __init__(self, why: str = "", rest: Value | None = None, ahead: Iterable[Callable[[], Value]] = ()) -> None:
        super().__init__(why)
        self.rest = rest
        self.ahead = tuple(ahead)


class OutOfBudget(BaseException):
    """The deadline, the step budget or the depth is used up: the check says nothing."""


class Hole:
    """The place of an inexact value inside a container that the checker owns. Whatever looks at it gives up."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def _touched(self, *args: Any, **kwargs: Any) -> Any:
        raise Abandon("an unknown element was looked at")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _touched  # type: ignore[assignment]
    __hash__ = __bool__ = __len__ = __iter__ = __call__ = __str__ = __repr__ = __format__ = _touched  # type: ignore[assignment]
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _touched
    __int__ = __float__ = __index__ = __array__ = __getitem__ = __contains__ = _touched
    __reduce_ex__ = __copy__ = __deepcopy__ = __neg__ = __abs__ = _touched  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        raise Abandon("an attribute of an unknown element was read")


class Raised(Exception):
    """The interpreted code raises ``error`` (an instance, or None where only its class ``type`` is known) at ``node``."""

    def __init__(self, error: BaseException | None, type_: type[BaseException], event: Any) -> None:
        super().__init__()
        self.error = error
        self.type = type_
        self.event = event


# Types whose instances cannot change and reach nothing: exact once, exact for ever.
ATOMS: frozenset[type] = frozenset(
    {int, float, complex, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range, slice}
)
