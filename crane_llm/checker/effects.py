"""What the notebook's own code, reached by an operation that is not followed, may do when it runs."""

from __future__ import annotations

import ast
import collections
import dis
import functools
import inspect
import io
import types
from collections.abc import Iterable, Iterator
from typing import Any

from . import memory
from .heap import filled
from .heap import parts as heap_parts
from .purity.libraries import is_standard, is_user_function, root_of
from .scope import DELETED, MAYBE
from .streams import Internal
from .values import ATOMS, Hole, Value, is_a, unknown

LIMIT = 2_000  # objects looked at before anything at all is taken to be changed
_SUSPENDED = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
# Where the objects live that Python itself wraps a function in.
_WRAPPING = frozenset(("builtins", "functools", "_functools", "itertools", "operator", "_operator", "collections"))


def disturb_by_code(interpreter: Any, roots: Iterable[Any]) -> None:
    """Functions of the notebook that ``roots`` reach may run: what they name becomes unknown, what they bind is bound anew.

    Reached are functions behind wrappers too: partial objects, cached and vectorised functions, iterators, generators, methods, what a
    dict makes missing values with, the classes of instances. What such a wrapper gives its function may have changed as well.
    """
    seen: dict[int, Any] = {}
    queue = collections.deque(roots)
    while queue:
        obj = queue.popleft()
        if type(obj) in ATOMS or id(obj) in seen:
            continue
        seen[id(obj)] = obj
        if len(seen) > LIMIT:
            interpreter.heap.lose_everything()
            interpreter.world.disturb()
            return
        if getattr(type(obj), "__crane_callable__", False) and obj.live is None:
            queue.extend(_run_defined(interpreter, obj))
            interpreter.world.disturb()
        elif getattr(type(obj), "__crane_callable__", False) or is_a(obj, types.FunctionType):
            queue.extend(_run_live(interpreter, obj.live if getattr(obj, "live", None) is not None else obj))
        elif is_a(obj, _SUSPENDED):
            queue.extend(_run_suspended(interpreter, obj))
        elif is_a(obj, (types.MethodType, functools.partial, Internal)) or _is_iterator(obj):
            interpreter.heap.soil([obj], link=False)
            queue.extend(heap_parts(obj) or ())
        else:
            queue.extend(_behind(obj))


def _is_iterator(obj: Any) -> bool:
    kind = type(obj)
    return is_standard(kind) and hasattr(kind, "__next__") and not is_a(obj, io.IOBase)


def _behind(obj: Any) -> Iterator[Any]:
    """Objects whose code may run when ``obj`` is used."""
    kind = type(obj)
    if kind is Hole:
        yield from obj.value.reach
    elif kind in (list, tuple, set, frozenset, collections.deque) and len(obj) <= 200:
        yield from obj
    elif kind is dict:
        if len(obj) <= 200 and "__builtins__" not in obj:
            yield from obj.values()
    elif is_a(obj, collections.defaultdict):
        yield obj.default_factory
    elif is_a(obj, type):
        for base in inspect.getmro(obj) + inspect.getmro(type(obj)):
            if base.__module__ == "__main__":
                yield from (value for value in vars(base).values() if not is_a(value, type))
    elif kind.__module__ == "__main__":
        yield kind
        # By the object's own dictionary: asking it for an attribute may run its __getattr__.
        try:
            yield from object.__getattribute__(obj, "__dict__").values()
        except Exception:  # an instance without a dictionary
            return
    elif kind.__module__ in _WRAPPING or kind.__name__ in ("ufunc", "vectorize") or _holds_functions(obj, kind):
        yield from memory.referents(obj)


def _holds_functions(obj: Any, kind: type) -> bool:
    """Whether the object is a library's small one that is made with functions: an estimator, a grouping, a style."""
    return root_of(kind) in ("sklearn", "imblearn", "pandas") and not memory.is_buffer(obj)


def _run_live(interpreter: Any, func: types.FunctionType) -> Iterator[Any]:
    """The effect of a live function; gives what it may call in turn."""
    if not is_user_function(func):
        for cell in func.__closure__ or ():  # a wrapper made by a library's decorator
            if filled(cell):
                yield cell.cell_contents
        return
    interpreter.world.disturb()
    loaded, stored = names_of(func.__code__), stored_by(func.__code__)
    yield from _touch(interpreter, interpreter.scope_of_globals(func.__globals__), loaded, stored)
    known = interpreter.known_function(func)
    if known is not None and known.closure is not None:
        yield from _touch_closure(
            interpreter, known.closure, set(func.__code__.co_freevars), stored_cells(func.__code__)
        )
    for cell in func.__closure__ or ():
        if not filled(cell):
            continue
        found = cell.cell_contents
        interpreter.heap.soil([] if _steady(found) else [found], link=False)
        yield found
    interpreter.heap.soil([value for value in func.__defaults__ or () if not _steady(value)], link=False)
    yield from func.__defaults__ or ()


def _run_suspended(interpreter: Any, obj: Any) -> Iterator[Any]:
    """The effect of a live generator or coroutine that goes on."""
    letter = {types.GeneratorType: "gi", types.CoroutineType: "cr", types.AsyncGeneratorType: "ag"}[type(obj)]
    frame, code = getattr(obj, f"{letter}_frame"), getattr(obj, f"{letter}_code")
    if frame is None:
        return
    found = list(frame.f_locals.values())
    if frame.f_globals.get("__name__") == "__main__":
        interpreter.world.disturb()
        interpreter.heap.soil([value for value in found if not _steady(value)], link=False)
        yield from _touch(interpreter, interpreter.scope_of_globals(frame.f_globals), names_of(code), stored_by(code))
    yield from found


def _run_defined(interpreter: Any, func: Any) -> Iterator[Any]:
    """The effect of a function that the cell defined."""
    loaded = {n.id for n in ast.walk(func.node) if is_a(n, ast.Name)}
    stored = {name for n in ast.walk(func.node) if is_a(n, ast.Global) for name in n.names}
    outer = {name for n in ast.walk(func.node) if is_a(n, ast.Nonlocal) for name in n.names}
    if func.closure is not None:
        yield from _touch_closure(interpreter, func.closure, loaded, outer)
    yield from _touch(interpreter, func.globals, loaded - func.names.locals, stored)
    yield from (value.obj for value in (*func.defaults, *func.kwdefaults.values()) if value.exact)


def _touch(interpreter: Any, scope: Any, loaded: set[str], stored: set[str]) -> Iterator[Any]:
    for name in sorted(loaded | stored):
        found = scope.get(name) if scope.bound(name) else None
        if isinstance(found, Value):
            yield from _changed(interpreter, found)
        if name in stored:
            scope.bind(name, unknown(reach=_roots(found)) if isinstance(found, Value) else MAYBE)


def _touch_closure(interpreter: Any, closure: Any, loaded: set[str], stored: set[str]) -> Iterator[Any]:
    scope = closure
    while scope is not None and not hasattr(scope, "namespace"):
        for name in sorted(loaded & set(scope.vars)):
            found = scope.vars[name]
            if isinstance(found, Value):
                yield from _changed(interpreter, found)
            if name in stored and found is not DELETED:
                scope.bind(name, unknown(reach=_roots(found)) if isinstance(found, Value) else MAYBE)
        scope = scope.parent


def _roots(value: Value) -> tuple[Any, ...]:
    return value.reach if value.unknown else (value.obj,)


def _changed(interpreter: Any, value: Value) -> Iterator[Any]:
    for root in _roots(value):
        if not _steady(root):
            interpreter.heap.soil([root], link=False)
        if not is_a(root, types.ModuleType) and root is not interpreter.namespace:
            yield root


def _steady(obj: Any) -> bool:
    """Whether there is nothing in ``obj`` itself that code could change and that we would read back."""
    return (
        type(obj) in ATOMS
        or is_a(obj, (types.ModuleType, types.FunctionType, type))
        or getattr(type(obj), "__crane_callable__", False)
    )


def names_of(code: types.CodeType) -> set[str]:
    """Global names (and attribute names) in a function's code and in those of the functions within."""
    found = set(code.co_names)
    for const in code.co_consts:
        if is_a(const, types.CodeType):
            found |= names_of(const)
    return found


def stored_by(code: types.CodeType) -> set[str]:
    """Global names that a function's code binds or deletes."""
    return _operands(code, ("STORE_GLOBAL", "DELETE_GLOBAL"))


def stored_cells(code: types.CodeType) -> set[str]:
    """Names of enclosing functions that a function's code binds."""
    return _operands(code, ("STORE_DEREF", "DELETE_DEREF")) & set(code.co_freevars)


def _operands(code: types.CodeType, operations: tuple[str, ...]) -> set[str]:
    found = {i.argval for i in dis.get_instructions(code) if i.opname in operations}
    for const in code.co_consts:
        if is_a(const, types.CodeType):
            found |= _operands(const, operations)
    return found


__all__ = ["disturb_by_code", "names_of", "stored_by", "stored_cells"]
