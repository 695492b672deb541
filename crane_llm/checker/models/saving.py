"""Models: saving to a file whose folder is missing. Each library opens the file before, or whatever, it writes; nothing is written here."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

from ..values import Value
from .filesystem import folder_is_missing, path_of, refuse
from .plotting.canvas import canvas_of

_FIGURES = frozenset({".png", ".jpg", ".jpeg", ".pdf", ".svg"})
_IMAGES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"})
_FIGURE_OPTIONS = frozenset("dpi bbox_inches pad_inches transparent".split())
_MOST_PIXELS = 10_000  # of one side: a larger canvas may not be drawn at all
_COMPRESSED = (".z", ".gz", ".bz2", ".xz", ".lzma", ".lz4")


def _target(interp: Any, call: Any, name: str, options: frozenset[str] = frozenset()) -> str | None:
    """The path that the call saves to, where its folder is missing and no option but ``options`` is given."""
    path = path_of(call.argument(0, name))
    if path is None or not call.complete or not interp.world.files or set(call.kwargs) - options - {name}:
        return None
    text = os.fspath(path)
    return text if "://" not in text and folder_is_missing(text) else None


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _figure(interp: Any, call: Any) -> Value | None:
    """``savefig`` draws, then opens the file. What is drawn must not fail: texts with mathematics may."""
    path = _target(interp, call, "fname", _FIGURE_OPTIONS)
    if path is not None and len(call.args) <= 1 and _suffix(path) in _FIGURES and _is_drawn(interp, call):
        refuse(interp, call, errno.ENOENT, path)
    return None


def _is_drawn(interp: Any, call: Any) -> bool:
    """Whether nothing is known that drawing may stumble over: a resolution that is none, a canvas too large, texts with mathematics."""
    dpi = call.kwargs.get("dpi")
    value = dpi.obj if dpi is not None and dpi.exact else 100
    if dpi is not None and not (dpi.exact and type(value) in (int, float) and 0 < value <= 2_000):
        return False
    figures = canvas_of(interp).made
    return all(max(figure.get_size_inches()) * value < _MOST_PIXELS for figure in figures) and not _has_mathematics(
        interp
    )


def _has_mathematics(interp: Any) -> bool:
    return any("$" in text.get_text() for made in canvas_of(interp).made for text in made.findobj(_is_text))


def _is_text(artist: Any) -> bool:
    return hasattr(artist, "get_text") and hasattr(artist, "get_fontsize")


def _array(interp: Any, call: Any) -> Value | None:
    """``np.save`` and ``np.savez`` add their suffix where it is missing."""
    name = call.key.rpartition(".")[2]
    path = _target(interp, call, "file", frozenset({"arr", *call.kwargs} if name == "save" else call.kwargs))
    ending = ".npy" if name == "save" else ".npz"
    if path is None or (name == "save" and len(call.args) != 2) or any(k.startswith("arr_") for k in call.kwargs):
        return None
    refuse(interp, call, errno.ENOENT, path if path.endswith(ending) else path + ending)
    return None


def _dump(interp: Any, call: Any) -> Value | None:
    """``joblib.dump`` without compression."""
    path = path_of(call.argument(1, "filename"))
    if path is None or len(call.args) + len(call.kwargs) != 2 or not call.complete or not interp.world.files:
        return None
    if folder_is_missing(path) and _suffix(os.fspath(path)) not in _COMPRESSED:
        refuse(interp, call, errno.ENOENT, os.fspath(path))
    return None


def _image(interp: Any, call: Any) -> Value | None:
    """``Image.save``: the suffix decides the format, then the file is opened."""
    path = _target(interp, call, "fp", frozenset({"quality", "optimize"}))
    image = call.receiver
    loaded = image is not None and not isinstance(image, type) and getattr(image, "fp", None) is None
    if path is not None and loaded and len(call.args) == 1 and _suffix(path) in _IMAGES:
        refuse(interp, call, errno.ENOENT, path)
    return None


def _write_path(interp: Any, call: Any) -> Value | None:
    """``Path.write_text``, ``Path.write_bytes`` and ``Path.touch``."""
    path = path_of(interp.heap.wrap(call.receiver)) if not isinstance(call.receiver, type) else None
    if path is None or not interp.world.files or call.kwargs or not call.complete or not folder_is_missing(path):
        return None
    kinds = {"write_text": (str,), "write_bytes": (bytes,), "touch": ()}[call.key.rpartition(".")[2]]
    if tuple(value.known_type for value in call.args) == kinds:
        refuse(interp, call, errno.ENOENT, os.fspath(path))
    return None


def _module(interp: Any, call: Any) -> Value | None:
    """``torch.save`` opens its archive before it writes; its own words say that the folder is missing."""
    path = path_of(call.argument(1, "f"))
    writer = getattr(sys.modules.get("torch.serialization"), "_open_zipfile_writer_file", None)
    if path is None or writer is None or len(call.args) + len(call.kwargs) != 2 or not interp.world.files:
        return None
    text = os.fspath(path)
    if folder_is_missing(text) and text.isascii():
        interp.quiet_call(call.event, lambda: writer(text))
    return None


MODELS: dict[str, Any] = {
    "matplotlib.pyplot.savefig": _figure,
    "matplotlib.figure.Figure.savefig": _figure,
    **{f"numpy.{name}": _array for name in ("save", "savez", "savez_compressed")},
    "joblib.numpy_pickle.dump": _dump,
    "PIL.Image.Image.save": _image,
    **{
        f"{module}.Path.{name}": _write_path
        for module in ("pathlib", "pathlib._local")
        for name in ("write_text", "write_bytes", "touch")
    },
    "torch.serialization.save": _module,
}
