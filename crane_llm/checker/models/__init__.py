"""Models of library calls that change their receiver, hold on to arguments, or need more than a call for real.

Each module declares ``MODELS``, a dict from a callable's key (or a prefix ending in ``*``) to ``handler(interpreter, call)``; the handler
returns the call's value, or None to pass. It may also declare ``LIBRARY``, an instance of :class:`base.Library`, with hooks for items,
attributes and iteration of that library's objects.
"""

from __future__ import annotations

import importlib
from typing import Any, Callable

NAMES = (
    "asynchronous",
    "builtins",
    "containers",
    "decorators",
    "exceptions",
    "numpy",
    "pandas",
    "sklearn",
    "torch",
    "tensorflow",
    "plotting",
    "files",
    "filesystem",
    "saving",
    "notebook",
    "others",
)

_exact: dict[str, Any] = {}
_prefixes: list[tuple[str, Any]] = []
_libraries: dict[str, Any] = {}
_loaded = False


def _load() -> None:
    global _loaded
    for name in NAMES:
        module = importlib.import_module("." + name, __name__)
        for pattern, handler in getattr(module, "MODELS", {}).items():
            if pattern.endswith("*"):
                _prefixes.append((pattern[:-1], handler))
            else:
                _exact[pattern] = handler
        library = getattr(module, "LIBRARY", None)
        if library is not None:
            for root in library.roots:
                _libraries[root] = library
    _prefixes.sort(key=lambda item: -len(item[0]))
    _loaded = True


def model_for(key: str, func: Any) -> Callable[..., Any] | None:
    """The handler for a callable's key, or None."""
    if not _loaded:
        _load()
    if key in _exact:
        return _exact[key]
    for prefix, handler in _prefixes:
        if key.startswith(prefix):
            return handler
    return None


def library_of(obj: Any) -> Any:
    """The hooks of the library that ``obj`` is of, by the classes it derives from; None where there are none."""
    return library_of_class(type(obj))


def library_of_class(cls: type) -> Any:
    """The hooks of the library that a class derives from; None where there are none."""
    if not _loaded:
        _load()
    for base in cls.__mro__:
        found = _libraries.get(str(base.__module__ or "").partition(".")[0])
        if found is not None:
            return found
    return None


def all_libraries() -> list[Any]:
    """Every library with hooks, each once."""
    if not _loaded:
        _load()
    return list(dict.fromkeys(_libraries.values()))
