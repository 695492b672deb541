from __future__ import annotations

from typing import Any

from ..base import Rule

_SETUP = """import cv2
import numpy as np
img = np.zeros((6, 8, 3), np.uint8)
grey = np.zeros((6, 8), np.uint8)
cv2.imwrite("c.png", img)
"""


class OpencvInput(Rule):
    """A function of OpenCV gets no image, or one of another shape or type than it takes.

    ``cv2.imread`` does not raise for a file that it cannot read: it gives ``None``, and the next call fails. Conversions of colours
    need the right number of channels and ``uint8`` or ``float32``; kernels have odd sizes.

    Example: ``img = cv2.imread("phots/a.jpg")`` and then ``cv2.cvtColor(img, cv2.COLOR_BGR2RGB)``.

    Fix: correct the path; leave out a conversion that was done already; ``astype("float32")`` or ``astype("uint8")``.
    """

    code = "others.opencv-input"
    library = "others"
    exceptions = ("error",)
    requires = ("cv2",)
    order = 15
    CRASHES = [
        (_SETUP, "photo = cv2.imread('none.png')\ncv2.cvtColor(photo, cv2.COLOR_BGR2RGB)", "error"),
        (_SETUP, "for name in ['c.png', 'gone.jpg']:\n    cv2.resize(cv2.imread(name), (4, 4))", "error"),
        (_SETUP, "cv2.cvtColor(grey, cv2.COLOR_BGR2GRAY)", "error"),
        (_SETUP, "cv2.cvtColor(img / 255.0, cv2.COLOR_BGR2GRAY)", "error"),
        (_SETUP, "cv2.GaussianBlur(img, (4, 4), 0)", "error"),
        (_SETUP, "cv2.resize(img, (2.5, 2))", "error"),
        (_SETUP, "cv2.add(img, img[:3])", "error"),
        (_SETUP, "cv2.equalizeHist(img)", "error"),
        (_SETUP, "cv2.threshold(grey, 127)", "error"),
    ]
    RUNS = [
        (_SETUP, "cv2.cvtColor(cv2.imread('c.png'), cv2.COLOR_BGR2GRAY).reshape(48)"),
        (_SETUP, "photo = cv2.imread('none.png')\nif photo is not None:\n    cv2.resize(photo, (2, 2))"),
        (_SETUP, "cv2.imwrite('none.png', img)\ncv2.resize(cv2.imread('none.png'), (2, 2))"),
        (_SETUP, "cv2.rectangle(img, (0, 0), (2, 2), (255, 0, 0), 1)\ncv2.resize(img, None, fx=0.5, fy=0.5)"),
        (_SETUP, "try:\n    cv2.equalizeHist(img)\nexcept cv2.error:\n    pass"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return type(error).__module__.partition(".")[0] == "cv2"

    def explain(self, event: Any, error: BaseException) -> str:
        objects = [value.obj for value in event.operands if value.exact]
        if objects and objects[0] is None:
            return "The image is None: cv2.imread gives None, without an error, where it cannot read the file."
        arrays = [o for o in objects if hasattr(o, "shape") and hasattr(o, "dtype")]
        text = " ".join(str(error).split())
        what = text.partition("error: ")[2][:160] or text[:160]
        facts = " and ".join(f"shape {tuple(a.shape)} of {a.dtype}" for a in arrays[:2])
        return (
            f"OpenCV does not take {facts} here: {what}" if facts else f"OpenCV does not take these arguments: {what}"
        )
