from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = """from PIL import Image, ImageOps
import numpy as np
im = Image.new("RGB", (8, 6))
grey = Image.new("L", (8, 6))
im.save("a.png")
"""


class ImageOperation(Rule):
    """An operation of Pillow does not fit the image: its mode, its size, or the shape and type of an array.

    Sizes are (width, height) and positive, modes are names such as ``"RGB"`` and ``"L"``, arrays are rows × columns or rows × columns
    × 3 or 4 of ``uint8``.

    Example: ``Image.fromarray(batch)`` with an array of floats between 0 and 1, or with the channels first.

    Fix: ``Image.fromarray((array * 255).astype("uint8"))``; move the channels to the end; convert the mode first.
    """

    code = "others.image-operation"
    library = "others"
    exceptions = ("ValueError", "TypeError", "IndexError", "OSError", "SystemError")
    requires = ("PIL",)
    order = 15
    CRASHES = [
        (_SETUP, "im.convert('GRAY')", "ValueError"),
        (_SETUP, "im.resize((0, 4))", "ValueError"),
        (_SETUP, "im.getpixel((20, 20))", "IndexError"),
        (_SETUP, "Image.fromarray(np.zeros((3, 6, 8)))", "TypeError"),
        (_SETUP, "Image.merge('RGB', [grey, grey])", "ValueError"),
        (_SETUP, "Image.blend(im, Image.new('RGB', (2, 2)), 0.5)", "ValueError"),
        (_SETUP, "picture = Image.open('a.png')\npicture.crop((5, 5, 1, 1))", "ValueError"),
        (_SETUP, "Image.fromarray(np.zeros((6, 8, 3)))", "TypeError"),
    ]
    RUNS = [
        (_SETUP, "im.convert('L').getpixel((7, 5))"),
        (_SETUP, "Image.fromarray(np.zeros((6, 8, 3), 'uint8')).resize((4, 4))"),
        (_SETUP, "Image.merge('RGB', [grey, grey, grey])"),
        (
            _SETUP,
            "with Image.open('a.png') as picture:\n    small = picture.resize((2, 2))\nnp.asarray(small).reshape(2, 2, 3)",
        ),
        (_SETUP, "r, g, b = im.split()\nImageOps.grayscale(im)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        binding = type(error) is TypeError and ("argument" in text and ("required" in text or "unexpected" in text))
        return (event.key or "").startswith("PIL.") and not binding and not getattr(error, "filename", None)

    def explain(self, event: Any, error: BaseException) -> str:
        owner = event.operands[0].obj if event.operands and event.operands[0].exact else None
        what = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
        if hasattr(type(owner), "getbands"):
            return f"The image is {owner.size[0]} × {owner.size[1]} in mode {owner.mode!r}: {what}"
        if hasattr(owner, "dtype") and hasattr(owner, "shape"):
            return f"The array has shape {tuple(owner.shape)} and type {owner.dtype}: {what}"
        return f"Pillow cannot do this with what it is given: {what}"
