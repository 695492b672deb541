"""Models: NumPy calls that change an array or a random generator."""

from __future__ import annotations

import copy
import errno
import io
import os
import sys
from typing import Any

from ...domains import copy_for_write
from ...purity.libraries import is_path
from ...values import Value, exact, unknown
from ..filesystem import folder_is_missing, path_of, refuse
from .domain import DOMAIN

_IN_PLACE = ("sort", "fill", "put", "partition", "resize", "itemset", "byteswap")
# Functions that write on their first argument.
_ON_FIRST = ("copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis")
_GENERATORS = ("Generator", "RandomState")


def _array(obj: Any) -> bool:
    np = sys.modules.get("numpy")
    return np is not None and type(obj) is np.ndarray


def _affordable(interp: Any, call: Any, objects: list[Any]) -> bool:
    survey = interp.surveyor.look(objects)
    return not (survey.opaque or survey.callbacks or survey.domains) and interp.budget.affords(
        5e-5 + survey.weight * 4e-8
    )


def _method(name: str) -> Any:
    def handler(interp: Any, call: Any) -> Value | None:
        obj = call.receiver
        if not _array(obj) or not call.exact:
            return None
        if name == "byteswap" and not (call.args or call.kwargs):
            return None
        args, kwargs = [v.obj for v in call.args], {k: v.obj for k, v in call.kwargs.items()}
        if not _affordable(interp, call, [obj, *args, *kwargs.values()]):
            return None
        target = interp.heap.writable(obj, copy_for_write)
        if target is None or (name == "resize"):
            return None
        made = interp.quiet_call(call.event, lambda: getattr(target, name)(*args, **kwargs))
        return exact(target) if made is target else exact(made)

    return handler


def _function(interp: Any, call: Any) -> Value | None:
    """A function of NumPy that writes on its first argument."""
    if not call.exact or not call.args or not _array(call.args[0].obj) or "out" in call.kwargs:
        return None
    args, kwargs = [v.obj for v in call.args], {k: v.obj for k, v in call.kwargs.items()}
    if not _affordable(interp, call, [*args, *kwargs.values()]):
        return None
    target = interp.heap.writable(args[0], copy_for_write)
    if target is None:
        return None
    return exact(interp.quiet_call(call.event, lambda: call.func(target, *args[1:], **kwargs)))


def _with_out(interp: Any, call: Any) -> Value | None:
    """Any function of NumPy with ``out=array``: the result is written to a copy of that array."""
    out = call.kwargs.get("out")
    if out is None or not out.exact or out.obj is None or not call.exact:
        return None
    if not _array(out.obj) or call.key.startswith("numpy.random") or call.key in ("numpy.save", "numpy.savez"):
        return None
    from ...purity.registry import registry

    if registry().find(call.key) is None:
        return None
    args, kwargs = [v.obj for v in call.args], {k: v.obj for k, v in call.kwargs.items()}
    if not _affordable(
        interp, call, [*args, *kwargs.values(), *([call.receiver] if call.receiver is not None else [])]
    ):
        return None
    target = interp.heap.writable(out.obj, copy_for_write)
    if target is None:
        return None
    kwargs["out"] = target
    args = [target if a is out.obj else a for a in args]
    interp.quiet_call(call.event, lambda: call.func(*args, **kwargs))
    return exact(target)


def _draw(interp: Any, call: Any) -> Value | None:
    """A method of a generator object: a copy is advanced in its place."""
    owner = call.receiver
    np = sys.modules.get("numpy")
    if np is None or type(owner).__name__ not in _GENERATORS or not type(owner).__module__.startswith("numpy.random"):
        return None
    if owner is getattr(np.random.mtrand, "_rand", None):
        return _global_draw(interp, call)
    from ...purity.lists.data_costs import numbers

    name = call.key.rpartition(".")[2]
    args, kwargs = [interp.heap.lower(v) for v in call.args], {k: interp.heap.lower(v) for k, v in call.kwargs.items()}
    survey = interp.surveyor.look([*args, *kwargs.values()])
    target = interp.heap.writable(owner, copy.deepcopy, touch=False)
    if name in ("spawn", "set_state") or target is None:
        return None
    if (
        survey.opaque
        or survey.callbacks
        or survey.domains
        or not interp.budget.affords(numbers(args, kwargs, survey.weight))
    ):
        interp.heap.soil([target], link=False)
        interp.lose(call.node, "a draw that is not followed")
        return unknown()
    if name == "shuffle":
        return _shuffle(interp, call, getattr(target, name), args, kwargs)
    return interp.heap.wrap(interp.quiet_call(call.event, lambda: getattr(target, name)(*args, **kwargs)))


def _global_draw(interp: Any, call: Any) -> Value | None:
    """NumPy's global generator: drawn from for real, its state is put back after the check."""
    name = call.key.rpartition(".")[2]
    if name == "shuffle":
        args, kwargs = (
            [interp.heap.lower(v) for v in call.args],
            {k: interp.heap.lower(v) for k, v in call.kwargs.items()},
        )
        survey = interp.surveyor.look([*args, *kwargs.values()])
        if (
            survey.opaque
            or survey.callbacks
            or survey.domains
            or not interp.world.random
            or not interp.budget.affords(survey.weight * 2e-8)
        ):
            return None
        interp.world.drawn += 1
        return _shuffle(interp, call, call.func, args, kwargs)
    if name == "seed":
        return _seed(interp, call)
    return None


def _seed(interp: Any, call: Any) -> Value | None:
    if not call.exact or not call.args or type(call.args[0].obj) is not int:
        return None
    interp.world.drawn += 1
    interp.quiet_call(call.event, lambda: call.func(call.args[0].obj))
    return exact(None)


def _shuffle(interp: Any, call: Any, func: Any, args: list[Any], kwargs: dict[str, Any]) -> Value | None:
    if not args:
        return None
    if type(args[0]) is list:
        target = interp.heap.writable(args[0])
    elif _array(args[0]):
        target = interp.heap.writable(args[0], copy_for_write)
    else:
        return None
    if target is None:
        return None
    return exact(interp.quiet_call(call.event, lambda: func(target, *args[1:], **kwargs)))


def _savetxt(interp: Any, call: Any) -> Value | None:
    """Text is written into memory instead of the file, which is opened before anything is looked at."""
    path, data = call.argument(0, "fname"), call.argument(1, "X")
    if not call.exact or path is None or data is None or not is_path(path.obj) or not interp.world.files:
        return None
    if path_of(path) is not None and folder_is_missing(path.obj) and _options_are_text(call):
        refuse(interp, call, errno.ENOENT, path.obj)
    folder = os.path.dirname(os.path.abspath(os.fspath(path.obj)))
    if (
        not isinstance(folder, str)
        or not os.access(folder, os.W_OK)
        or os.path.isdir(path.obj)
        or str(path.obj).endswith((".gz", ".bz2", ".xz"))
    ):
        return None
    args, kwargs = [v.obj for v in call.args], {k: v.obj for k, v in call.kwargs.items()}
    survey = interp.surveyor.look([*args, *kwargs.values()])
    fails_first = getattr(data.obj, "ndim", 1) > 2  # before a line is written
    if (
        survey.opaque
        or survey.callbacks
        or survey.domains
        or not (fails_first or interp.budget.affords(1e-3 + survey.weight * 1e-7))
    ):
        return None
    memory = io.StringIO()
    if args:
        args[0] = memory
    else:
        kwargs["fname"] = memory
    interp.quiet_call(call.event, lambda: call.func(*args, **kwargs))
    interp.world.files = False
    return exact(None)


def _options_are_text(call: Any) -> bool:
    """Whether nothing is given that ``savetxt`` might refuse before it opens the file."""
    options = [value for name, value in call.kwargs.items() if name not in ("fname", "X")]
    return len(call.args) <= 2 and all(type(value.obj) is str for value in options)


def _any(interp: Any, call: Any) -> Value | None:
    """Every other call of NumPy: ``out=`` writes; stand-ins among the arguments."""
    if "out" in call.kwargs:
        return _with_out(interp, call)
    return None


WRITES: dict[str, Any] = {
    **{f"numpy.ndarray.{name}": _method(name) for name in _IN_PLACE},
    **{f"numpy.{name}": _function for name in _ON_FIRST},
    "numpy.random._generator.Generator.*": _draw,
    **{f"numpy.random.{place}{kind}.*": _draw for place in ("mtrand.", "") for kind in ("RandomState",)},
    **{f"numpy.random.{place}seed": _seed for place in ("mtrand.", "")},
    **{f"numpy.random.{place}shuffle": _global_draw for place in ("mtrand.", "")},
    "numpy.savetxt": _savetxt,
    "numpy.*": _any,
}

__all__ = ["DOMAIN", "WRITES"]
