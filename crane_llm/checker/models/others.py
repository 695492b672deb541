"""Models: image files, and the fits of statsmodels."""

from __future__ import annotations

import builtins
import copy
import inspect
import os
import re
import sys
from typing import Any

from ..purity.libraries import is_path
from ..values import Abandon, Value, exact, unknown
from ..watch import run_watched
from .base import Library

MOST_BYTES = 4_000_000  # of an image file that is read to the end
MOST_PIXELS = 6_000_000
FIT_SECONDS = 0.3
MOST_ELEMENTS = 200_000

# --- image files ---------------------------------------------------------------------------------------

_FORMATS = {b"\xff\xd8\xff": "JPEG", b"\x89PNG\r\n": "PNG"}
# How files begin that no reader of images takes: a page or a message that was saved as an image, a pointer of Git LFS.
_NO_IMAGE = (b"<!doctype html", b"<html", b"version https://git-lfs", b"{")


def _path(value: Any) -> str | None:
    if value is None or not value.exact or not is_path(value.obj):
        return None
    return os.fspath(value.obj)


def _head(path: str) -> bytes:
    try:
        with builtins.open(path, "rb") as file:
            return file.read(64)
    except OSError:
        return b"?"


def _format_of(path: str) -> str | None:
    head = _head(path)
    return next((name for magic, name in _FORMATS.items() if head.startswith(magic)), None)


def _open_image(interp: Any, call: Any) -> Value | None:
    """``Image.open``: a missing file raises, and so does one that is certainly no image; a small picture is read."""
    path = _path(call.argument(0, "fp"))
    pil = sys.modules.get("PIL.Image")
    if path is None or pil is None or not interp.world.files or not call.exact or len(call.args) + len(call.kwargs) > 1:
        return None
    if not os.path.isfile(path):
        interp.quiet_call(call.event, lambda: call.func(path))
        return None
    head = _head(path).lstrip().lower()
    own = all(key in _known_plugins(pil) for key in pil.OPEN)
    if own and (not head or head.startswith(_NO_IMAGE)):
        _refuse(interp, call, pil, path)
    kind = _format_of(path)
    if kind is None or kind not in pil.OPEN or os.path.getsize(path) > MOST_BYTES:
        interp.lose(call.node, "the content of an image file")
        return unknown(pil.Image)
    image = _read_image(call, path)
    if image is None:
        interp.lose(call.node, "the content of an image file")
        return unknown(pil.Image)
    return interp.heap.own(image)


def _known_plugins(pil: Any) -> set[str]:
    return {key for key, (factory, _) in pil.OPEN.items() if getattr(factory, "__module__", "").startswith("PIL.")}


def _refuse(interp: Any, call: Any, pil: Any, path: str) -> None:
    """Let Pillow say that a file is no image, without letting it load its readers."""
    state = pil._initialized
    pil._initialized = 2
    try:
        interp.quiet_call(call.event, lambda: call.func(path, formats=[]))
    finally:
        pil._initialized = state


def _read_image(call: Any, path: str) -> Any:
    """The image with its pixels, its file closed again; None where it cannot be read."""
    try:
        image = call.func(path)
        try:
            if image.size[0] * image.size[1] > MOST_PIXELS:
                return None
            image.load()
            return image if getattr(image, "fp", None) is None else None
        finally:
            file = getattr(image, "fp", None)
            if file is not None:
                file.close()
    except Exception:  # a damaged file: what the cell does with it is not known
        return None


def _imread(interp: Any, call: Any) -> Value | None:
    """``cv2.imread`` gives None for a file that is not there."""
    path = _path(call.argument(0, "filename"))
    if path is None or not interp.world.files or not call.complete:
        return None
    if not os.path.exists(path):
        return exact(None)
    if not call.exact or os.path.getsize(path) > MOST_BYTES or not _whole(path):
        interp.lose(call.node, "the content of an image file")
        return unknown()
    args = [value.obj for value in call.args]
    kwargs = {name: value.obj for name, value in call.kwargs.items()}
    if any(type(a) is not int for a in args[1:]) or any(
        type(a) is not int for k, a in kwargs.items() if k != "filename"
    ):
        return None
    return interp.heap.own(interp.quiet_call(call.event, lambda: call.func(*args, **kwargs)))


def _whole(path: str) -> bool:
    """Whether a picture's file begins and ends as it should: reading a damaged one would print."""
    ends = {"JPEG": b"\xff\xd9", "PNG": b"IEND\xaeB`\x82"}
    kind = _format_of(path)
    if kind is None:
        return False
    with builtins.open(path, "rb") as file:
        file.seek(-min(16, os.path.getsize(path)), 2)
        return file.read().endswith(ends[kind])


class PillowLibrary(Library):
    """Hooks for images: what reading an image to the end leaves behind is not what opening it does."""

    roots = ("PIL",)

    def attribute(self, interpreter: Any, event: Any, obj: Any, name: str) -> Value | None:
        if name in ("fp", "tile", "readonly", "decoderconfig", "decodermaxblock") and hasattr(type(obj), "getbands"):
            interpreter.lose(event.node, "the file behind an image")
            return unknown()
        return None


LIBRARY = PillowLibrary()

# --- scipy ---------------------------------------------------------------------------------------------


class _Reached(BaseException):
    """The function to be fitted is called: the data was accepted."""


def _curve_fit(interp: Any, call: Any) -> Value | None:
    """``curve_fit`` looks at its data before it calls the function for the first time."""
    func = call.argument(0, "f")
    if func is None or not func.exact or not call.exact or "f" in call.kwargs or "scipy" in interp.world.unsettled:
        return None
    try:
        signature = inspect.signature(func.obj)
    except (TypeError, ValueError):
        return None
    args = [interp.heap.lower(v) for v in call.args[1:]]
    kwargs = {name: interp.heap.lower(v) for name, v in call.kwargs.items()}
    survey = interp.surveyor.look([*args, *kwargs.values()])
    if survey.opaque or survey.callbacks or survey.domains or sum(map(_size, args)) > MOST_ELEMENTS:
        return None

    def stop(*given: Any, **named: Any) -> Any:
        raise _Reached

    vars(stop)["__signature__"] = signature

    def look() -> None:
        try:
            call.func(stop, *args, **kwargs)
        except _Reached:
            return

    interp.quiet_call(call.event, look)
    return None


# --- statsmodels ---------------------------------------------------------------------------------------


def _known(interp: Any, call: Any, extra: list[Any]) -> bool:
    if not call.exact or "statsmodels" in interp.world.unsettled:
        return False
    survey = interp.surveyor.look([*extra, *(v.obj for v in call.args), *(v.obj for v in call.kwargs.values())])
    return not (survey.opaque or survey.callbacks or survey.domains)


def _fit_model(interp: Any, call: Any) -> Value | None:
    """``fit`` on a copy of the model: a fit keeps its decompositions in the model itself."""
    model = call.receiver
    if model is None or isinstance(model, type) or not _known(interp, call, [model]):
        return None
    design = getattr(model, "exog", None)
    shape: Any = getattr(design, "shape", ())
    if len(shape) != 2 or shape[0] * shape[1] > MOST_ELEMENTS or shape[1] > 100:
        return None
    twin = copy.copy(model)
    twin.data = copy.copy(model.data)
    if "_cache" in vars(twin.data):
        vars(twin.data)["_cache"] = dict(vars(twin.data)["_cache"])
    args = [interp.heap.lower(v) for v in call.args]
    kwargs = {name: interp.heap.lower(v) for name, v in call.kwargs.items()}
    seconds = min(FIT_SECONDS, interp.budget.remaining() * 0.4)
    fit = getattr(twin, call.func.__name__)
    outcome = interp.quiet_call(call.event, lambda: run_watched(lambda: fit(*args, **kwargs), seconds))
    if not outcome.finished:
        return None
    return interp.heap.own(outcome.value)


def _predict(interp: Any, call: Any) -> Value | None:
    """``results.predict`` of a fitted linear model."""
    results = call.receiver
    if results is None or isinstance(results, type) or not _known(interp, call, [results]):
        return None
    args = [interp.heap.lower(v) for v in call.args]
    kwargs = {name: interp.heap.lower(v) for name, v in call.kwargs.items()}
    if sum(_size(a) for a in [*args, *kwargs.values()]) > MOST_ELEMENTS * 5:
        return None
    return interp.heap.wrap(interp.quiet_call(call.event, lambda: call.func(*args, **kwargs)))


def _size(obj: Any) -> int:
    size = getattr(obj, "size", 1)
    return size if type(size) is int else 1


_PATSY = frozenset("C Q I Treatment Sum Poly Diff Helmert center standardize scale bs cr cc te".split())


def _formula(interp: Any, call: Any) -> Value | None:
    """A model from a formula whose names are all columns, or one of whose names is nowhere to be found."""
    formula, data = call.argument(0, "formula"), call.argument(1, "data")
    if not _known(interp, call, []) or formula is None or data is None or not isinstance(formula.obj, str):
        return None
    frame = interp.heap.lower(data)
    if set(call.kwargs) - {"formula", "data", "family"} or len(call.args) > 2 or not hasattr(frame, "_mgr"):
        return None
    text = formula.obj
    if any(ch in text for ch in "'\"[{@") or _size(frame) > MOST_ELEMENTS:
        return None
    outside = {name.partition(".")[0] for name in re.findall(r"[A-Za-z_][\w.]*", text)}
    outside -= {str(column) for column in frame.columns} | _PATSY
    if outside and (interp.module_scope.uncertain or any(_visible(interp, name) for name in outside)):
        return None
    args = [interp.heap.lower(v) for v in call.args]
    kwargs = {name: interp.heap.lower(v) for name, v in call.kwargs.items()}
    made = interp.quiet_call(call.event, lambda: call.func(*args, **kwargs))
    if outside:  # found where the checker itself works: the cell would not find it
        raise Abandon("a name in a formula")
    return interp.heap.own(made)


def _visible(interp: Any, name: str) -> bool:
    return (
        name in interp.namespace or hasattr(builtins, name) or any(name in frame.scope.vars for frame in interp.frames)
    )


_FITS = (
    "regression.linear_model.RegressionModel.fit", "discrete.discrete_model.Logit.fit", "discrete.discrete_model.Probit.fit",
    "discrete.discrete_model.Poisson.fit", "discrete.discrete_model.MNLogit.fit", "genmod.generalized_linear_model.GLM.fit",
)  # fmt: skip

MODELS: dict[str, Any] = {
    "PIL.Image.open": _open_image,
    "cv2.imread": _imread,
    "scipy.optimize._minpack_py.curve_fit": _curve_fit,
    "scipy.optimize.minpack.curve_fit": _curve_fit,
    "statsmodels.base.model.Model.from_formula": _formula,
    "statsmodels.base.model.Results.predict": _predict,
    **{f"statsmodels.{name}": _fit_model for name in _FITS},
}
