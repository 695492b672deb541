"""Allow-list: images (Pillow, OpenCV)."""

from __future__ import annotations

import math
import os
from typing import Any

from ..libraries import is_path
from ..registry import Pure
from . import data_costs as cost

MOST_PIXELS = 4_000_000  # of an image that an operation may make
MOST_BYTES = 5_000_000  # of a file that is to be displayed


def _pixels(obj: Any) -> float:
    """Pixels of a Pillow image or an array; of a list of them together."""
    if isinstance(obj, (list, tuple)):
        return sum(_pixels(item) for item in obj[:100])
    size = getattr(obj, "size", None)
    if type(size) is tuple and len(size) == 2:
        return float(size[0]) * float(size[1])
    shape = getattr(obj, "shape", None)
    return float(math.prod(shape)) if type(shape) is tuple else 1.0


def _image_cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    return 1e-4 + sum(_pixels(a) for a in [*args, *kwargs.values()]) * 6e-8


def _loaded(image: Any) -> bool:
    """Whether a Pillow image's pixels are in memory: reading them on first use would change the object."""
    if not any(base.__module__ == "PIL.ImageFile" for base in type(image).__mro__):
        return True
    own = vars(image)
    return own.get("fp", None) is None and not own.get("tile")


def _in_memory(args: list[Any], kwargs: dict[str, Any]) -> bool:
    return all(_loaded(a) for a in [*args, *kwargs.values()] if hasattr(type(a), "getbands"))


def _size_given(value: Any) -> bool:
    """Whether a requested size is small enough, or no size at all (the call will say so)."""
    if not isinstance(value, (tuple, list)):
        return True
    numbers = [n for n in value if isinstance(n, (int, float)) and not isinstance(n, bool)]
    return len(numbers) != len(value) or abs(math.prod(numbers)) <= MOST_PIXELS


def _sized(position: int, name: str) -> Any:
    def when(args: list[Any], kwargs: dict[str, Any]) -> bool:
        given = args[position] if len(args) > position else kwargs.get(name)
        return _in_memory(args, kwargs) and _size_given(given)

    return when


def _cv(arrays: int = 1, size: int | None = None) -> Pure:
    """An OpenCV function that takes ``arrays`` arrays to read; one more would be written to."""

    def when(args: list[Any], kwargs: dict[str, Any]) -> bool:
        if (
            kwargs.get("dst") is not None
            or sum(hasattr(a, "shape") and getattr(a, "shape", ()) != () for a in args) > arrays
        ):
            return False
        if size is None:
            return True
        given = args[size] if len(args) > size else kwargs.get("dsize")
        scaled = [kwargs.get(k) for k in ("fx", "fy")] + list(args[3:5])
        return _size_given(given) and all(s is None or not isinstance(s, (int, float)) or s <= 8 for s in scaled)

    return Pure(when=when, cost=_image_cost, callbacks=False)


def _unseen(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Writing no image: the call raises before it touches the file."""
    return len(args) > 1 and args[1] is None


_pil = Pure(when=_in_memory, cost=_image_cost, callbacks=False)
_plain = Pure(cost=lambda args, kwargs, weight: 2e-5, callbacks=False)


def _local(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a display object is made of data or of a file of moderate size: of a URL it would be fetched."""
    data = args[0] if args else kwargs.get("data")
    if len(args) > 1 or kwargs.get("url") is not None or (isinstance(data, str) and data.startswith("http")):
        return False
    return all(_moderate(path) for path in (data, kwargs.get("filename")) if is_path(path))


def _moderate(path: Any) -> bool:
    """Whether a path names nothing, or a file that may be read within a check."""
    return not os.path.exists(path) or (os.path.isfile(path) and os.path.getsize(path) < MOST_BYTES)


def _picture(args: list[Any], kwargs: dict[str, Any]) -> bool:
    path: Any = args[0] if args else kwargs.get("fname")
    return is_path(path) and "://" not in os.fspath(path) and _moderate(path)


PURE: dict[str, Pure | None] = {
    **{
        f"matplotlib.{module}.imread": Pure(when=_picture, files=True, cost=lambda args, kwargs, weight: 0.05)
        for module in ("pyplot", "image")
    },
    **{
        f"IPython.core.display.{name}": Pure(when=_local, files=True)
        for name in ("Image", "HTML", "Markdown", "Latex", "Math", "SVG", "JSON")
    },
    "PIL.Image.new": Pure(when=lambda a, k: _size_given(a[1] if len(a) > 1 else k.get("size")), cost=lambda a, k, w: 5e-3, callbacks=False),
    "PIL.Image.fromarray": Pure(cost=cost.passes(10), callbacks=False),
    **{f"PIL.Image.{name}": _pil for name in "merge blend composite alpha_composite".split()},
    **{f"PIL.Image.Image.{name}": _pil for name in "convert crop rotate transpose split getpixel getbands getbbox copy filter histogram getextrema getchannel quantize point getcolors tobytes".split()},
    "PIL.Image.Image.point": None,
    **{f"PIL.Image.Image.{name}": Pure(when=_sized(1, "size"), cost=_image_cost, callbacks=False) for name in ("resize", "reduce", "transform")},
    "PIL.Image.Image.transform": None,
    **{f"PIL.ImageOps.{name}": _pil for name in "grayscale invert autocontrast equalize flip mirror posterize solarize exif_transpose".split()},
    **{f"PIL.ImageOps.{name}": Pure(when=_sized(1, "size"), cost=_image_cost, callbacks=False) for name in ("fit", "pad", "contain", "cover")},
    **{f"PIL.ImageChops.{name}": _pil for name in "difference add subtract multiply invert lighter darker screen".split()},
    **{f"PIL.ImageFilter.{name}": _plain for name in "GaussianBlur BoxBlur UnsharpMask MedianFilter MinFilter MaxFilter ModeFilter".split()},
    **{f"PIL.ImageEnhance.{name}": _pil for name in "Contrast Brightness Color Sharpness".split()},
    "PIL.ImageEnhance._Enhance.enhance": Pure(cost=lambda a, k, w: 1e-4 + _pixels(getattr(a[0], "image", None)) * 6e-8, callbacks=False),
    **{f"cv2.{name}": _cv() for name in "cvtColor GaussianBlur blur medianBlur boxFilter threshold adaptiveThreshold Canny Sobel Scharr Laplacian flip rotate bitwise_not split copyMakeBorder normalize equalizeHist convertScaleAbs transpose countNonZero findNonZero contourArea arcLength boundingRect minAreaRect minMaxLoc inRange moments reduce".split()},
    **{f"cv2.{name}": _cv(2) for name in "dilate erode morphologyEx filter2D bitwise_and bitwise_or bitwise_xor add subtract multiply divide addWeighted absdiff".split()},
    "cv2.inRange": _cv(3),
    "cv2.reduce": None,
    "cv2.merge": _cv(1), "cv2.hconcat": _cv(1), "cv2.vconcat": _cv(1),
    "cv2.resize": _cv(1, 1), "cv2.warpAffine": _cv(2, 2), "cv2.warpPerspective": _cv(2, 2),
    **{f"cv2.{name}": _plain for name in "getRotationMatrix2D getStructuringElement getGaussianKernel".split()},
    "cv2.imwrite": Pure(when=_unseen, cost=lambda a, k, w: 1e-4, callbacks=False),
}  # fmt: skip
