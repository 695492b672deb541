from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = """from PIL import Image
from pathlib import Path
import numpy as np
Image.new("RGB", (8, 6)).save("good.png")
open("page.jpg", "w").write("<!DOCTYPE html><p>Not found</p>")
open("empty.png", "w").close()
open("pointer.jpg", "w").write("version https://git-lfs.github.com/spec/v1")
open("message.png", "w").write('{"error": 404}')
"""


class ImageFile(Rule):
    """A file is opened as an image that is none.

    The file exists, but it is empty, or holds something else under an image's name: a web page that was saved in its place, the answer
    of a server, a pointer of Git LFS. It is the first such file in the order of the cell that is named.

    Example: ``Image.open("cat.jpg")`` when the download saved a page that says "not found".

    Fix: fetch the file again, or leave it out of the list of files.
    """

    code = "others.image-file"
    library = "others"
    exceptions = ("UnidentifiedImageError",)
    requires = ("PIL",)
    order = 15
    CRASHES = [
        (_SETUP, "Image.open('empty.png')", "UnidentifiedImageError"),
        (_SETUP, "img = Image.open('page.jpg').convert('RGB')", "UnidentifiedImageError"),
        (_SETUP, "Image.open(Path('.') / 'pointer.jpg')", "UnidentifiedImageError"),
        (_SETUP, "for name in ['good.png', 'message.png']:\n    Image.open(name)", "UnidentifiedImageError"),
        (
            _SETUP + "def load(path):\n    return np.array(Image.open(path))",
            "load('empty.png')",
            "UnidentifiedImageError",
        ),
    ]
    RUNS = [
        (_SETUP, "Image.open('good.png').convert('L').resize((2, 2))"),
        (_SETUP, "try:\n    Image.open('page.jpg')\nexcept OSError:\n    pass"),
        (_SETUP, "Image.new('RGB', (2, 2)).save('empty.png')\nImage.open('empty.png')"),
        (_SETUP, "Image.open('good.png').fp.read()"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return type(error).__name__ == "UnidentifiedImageError"

    def explain(self, event: Any, error: BaseException) -> str:
        import os

        path = event.args[0].obj if event.args and event.args[0].exact else None
        try:
            size = os.path.getsize(path)  # type: ignore[arg-type]
        except (OSError, TypeError):
            return "The file holds no image that Pillow can read."
        return (
            f"The file {os.fspath(path)!r} is empty."  # type: ignore[arg-type]
            if size == 0
            else f"The {size} bytes of {os.fspath(path)!r} are no image: they do not begin as one."  # type: ignore[arg-type]
        )
