"""The allow-lists as data: which callables may be called for real, under which conditions, at what estimated cost.

Every library module of this package declares ``PURE``, a dict from patterns to :class:`Pure`. A pattern is the key of a callable
(see :func:`key_of`), such as ``pandas.core.frame.DataFrame.merge``, or a prefix that ends in ``*``. Exact keys win over prefixes and
longer prefixes over shorter ones; a value of None takes a callable out again. Keys are where the function really lives.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any, Callable

SECONDS_PER_BYTE = 1.5e-9


class Pure:
    """A callable whose effect is its result alone.

    ``when(args, kwargs)`` must be true for the call to be pure (default: no ``inplace`` and no ``out``). ``cost(args, kwargs, weight)``
    estimates seconds, ``weight`` being the bytes reached; ``factor`` scales the default estimate of one pass over the data.
    ``random`` names the generator that the call draws from (``"random"``, ``"numpy"``, ``"torch"``): its state is restored after the
    check, and the call is exact only while nothing unknown may have drawn from it. ``files``: it reads the outside world.
    ``callbacks``: it calls functions that it is given, itself and before it returns. ``consumes``: it advances iterators it is given.
    ``makes``: a list, dict or set that it returns is a new one, never an argument or an element of one (``max`` may return either).
    """

    __slots__ = ("when", "cost", "factor", "random", "files", "callbacks", "consumes", "makes", "holds")

    def __init__(
        self,
        *,
        when: Callable[..., bool] | None = None,
        cost: Callable[..., float] | None = None,
        factor: float = 1.0,
        random: str | None = None,
        files: bool = False,
        callbacks: bool = True,
        consumes: bool = False,
        makes: bool = False,
        holds: bool = False,
    ) -> None:
        self.when = when
        self.cost = cost
        self.factor = factor
        self.random = random
        self.files = files
        self.callbacks = callbacks
        self.consumes = consumes
        self.makes = makes
        self.holds = holds

    def allows(self, args: list[Any], kwargs: dict[str, Any]) -> bool:
        """Whether the call is pure with these arguments."""
        for flag in ("inplace", "out"):
            given = kwargs.get(flag)
            if given is not None and given is not False:
                return False
        return self.when is None or bool(self.when(args, kwargs))

    def seconds(self, args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
        """Estimated duration of the call."""
        if self.cost is not None:
            return self.cost(args, kwargs, weight)
        return 2e-5 + weight * SECONDS_PER_BYTE * self.factor


MODULES = (
    "builtins",
    "stdlib",
    "numpy",
    "pandas",
    "sklearn",
    "scipy",
    "scipy_numeric",
    "torch",
    "tensorflow",
    "plotting",
    "images",
    "others",
)


class Registry:
    """All allow-lists, looked up by key."""

    def __init__(self) -> None:
        self.exact: dict[str, Pure | None] = {}
        self.prefixes: list[tuple[str, Pure | None]] = []
        for name in MODULES:
            module = importlib.import_module(f"..lists.{name}", __name__)
            for pattern, spec in module.PURE.items():
                if pattern.endswith("*"):
                    self.prefixes.append((pattern[:-1], spec))
                else:
                    self.exact[pattern] = spec
        self.prefixes.sort(key=lambda item: -len(item[0]))

    def find(self, key: str) -> Pure | None:
        """The entry for a key, or None where the callable is not on any list."""
        if key in self.exact:
            return self.exact[key]
        for prefix, spec in self.prefixes:
            if key.startswith(prefix):
                self.exact[key] = spec
                return spec
        self.exact[key] = None
        return None


def key_of(func: Any) -> str | None:
    """Where a callable really lives: ``module.qualname`` of the function or class; the class that defines it for a method.

    None where it cannot be told. The name is read from the function itself, not from where it was found, so that a replaced
    attribute of a library never passes for the original.
    """
    kind = type(func)
    if kind is types.MethodType:
        func = func.__func__
        kind = type(func)
    if kind is types.FunctionType:
        return f"{func.__module__}.{func.__qualname__}"
    if kind.__name__ == "cython_function_or_method":
        return f"{func.__module__}.{func.__qualname__}"
    if kind is types.BuiltinFunctionType or kind.__name__ in ("builtin_function_or_method", "method-wrapper"):
        owner = func.__self__
        if owner is None or isinstance(owner, types.ModuleType):
            return f"{func.__module__ or _home(func)}.{func.__name__}"
        if kind.__name__ == "method-wrapper":
            defined = func.__objclass__
            return f"{defined.__module__}.{defined.__qualname__}.{func.__name__}"
        cls = owner if isinstance(owner, type) else type(owner)
        for base in cls.__mro__:
            if func.__name__ in vars(base):
                return f"{base.__module__}.{base.__qualname__}.{func.__name__}"
        return None
    if isinstance(func, type):
        return f"{func.__module__}.{func.__qualname__}"
    if kind in (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType):
        return f"{func.__objclass__.__module__}.{func.__objclass__.__qualname__}.{func.__name__}"
    if kind.__name__ == "ufunc" and kind.__module__ == "numpy":
        return _universal(func)
    name = getattr(kind, "__qualname__", "?")
    if kind.__name__ == "_ArrayFunctionDispatcher" and kind.__module__.startswith("numpy"):
        return f"{getattr(func, '__module__', None) or 'numpy'}.{func.__name__}"
    if kind.__module__.split(".")[0] in ("functools",) and hasattr(func, "__wrapped__"):
        return key_of(func.__wrapped__)
    for base in kind.__mro__:
        if "__call__" in vars(base):
            return f"{base.__module__}.{base.__qualname__}.__call__"
    return f"{kind.__module__}.{name}"


def _universal(func: Any) -> str | None:
    """The key of a universal function of NumPy or SciPy; None for one that ``frompyfunc`` made of somebody's own."""
    for name in ("numpy", "scipy.special"):
        if vars(sys.modules.get(name, types)).get(func.__name__) is func:
            return f"{name}.{func.__name__}"
    return None


def _home(func: Any) -> str:
    """The module of a function in C that does not name one: OpenCV's, or Python's own."""
    module = sys.modules.get("cv2")
    return "cv2" if module is not None and vars(module).get(func.__name__) is func else "builtins"


_registry: Registry | None = None


def registry() -> Registry:
    """The one registry, read on first use."""
    global _registry
    if _registry is None:
        _registry = Registry()
    return _registry
