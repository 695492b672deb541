from __future__ import annotations

from typing import Any

from ..base import Rule
from .words import SETUP, is_plotting


class NotAnImage(Rule):
    """An array is shown that is no image.

    ``imshow`` takes rows × columns, with 3 or 4 channels in the last place. Frameworks that keep channels first, and batches, need a
    transpose or an index.

    Example: ``plt.imshow(batch[0])`` with shape (3, 224, 224).

    Fix: ``np.transpose(img, (1, 2, 0))``, ``img.squeeze()``, or one image of the batch.
    """

    code = "plotting.not-an-image"
    library = "plotting"
    exceptions = ("TypeError", "ValueError")
    requires = ("matplotlib", "pandas")
    order = 20
    CRASHES = [
        (SETUP, "plt.imshow(np.zeros((3, 24, 24)))", "TypeError"),
        (SETUP, "plt.imshow(np.zeros((2, 8, 8, 3)))", "TypeError"),
        (SETUP, "plt.imshow(x)", "TypeError"),
        (SETUP, "plt.imshow(df)", "TypeError"),
        (SETUP, "fig, ax = plt.subplots()\nax.imshow(np.zeros((8, 8, 2)))", "TypeError"),
        (SETUP + "img = np.array([['a', 'b']])", "plt.imshow(img)", "TypeError"),
    ]
    RUNS = [
        (SETUP, "plt.imshow(np.zeros((8, 8)))\nplt.close('all')"),
        (SETUP, "plt.imshow(np.zeros((8, 8, 1)))\nplt.close('all')"),
        (SETUP, "plt.imshow(np.zeros((3, 8, 8)).transpose(1, 2, 0))\nplt.close('all')"),
        (SETUP, "plt.imshow([[0, 1], [1, 0]], cmap='gray')\nplt.close('all')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        text = str(error)
        return is_plotting(event) and ("image data" in text or "Image data" in text)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The array is no image: {str(error)[:160]}"
