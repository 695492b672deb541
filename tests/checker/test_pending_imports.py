"""Cells that import more of a library than the kernel has loaded: what they bind counts as bound, and nothing is called missing too soon."""

from __future__ import annotations

from pathlib import Path

import pytest
from live_kernel import LiveKernel

RUNS = [
    (
        "import sklearn",
        "from sklearn import datasets\nimport numpy as np\niris = datasets.load_iris()\nX = iris.data[:, [2, 3]]",
    ),
    (
        "import sklearn.model_selection",
        "from sklearn.experimental import enable_halving_search_cv\nfrom sklearn.model_selection import HalvingRandomSearchCV\nHalvingRandomSearchCV",
    ),
    ("import scipy", "from scipy import ndimage, signal as s\nndimage.label\ns.convolve"),
    ("import matplotlib", "import matplotlib.dates as d, matplotlib.units\nmatplotlib.units.registry\nd.date2num"),
    (
        "",
        "try:\n    from sklearn.mixture import GMM\nexcept ImportError:\n    from sklearn.mixture import GaussianMixture as GMM\nGMM(2)",
    ),
    ("", "try:\n    import IPython.html.widgets as w\nexcept ModuleNotFoundError:\n    w = None\nassert w is None"),
    ("", "import scipy.stats, sklearn.cluster\nfrom scipy import special\nscipy.stats.norm.pdf(special.expit(0))"),
    ("import xml", "from xml.dom import *\nimport xml.dom.minidom as m\nm.parseString('<a/>')"),
]
CRASHES = [
    ("import sklearn", "from sklearn import datasets\ndatasets.load_irises()", "AttributeError"),
    ("import sklearn.model_selection", "from sklearn.model_selection import nothing_like_it", "ImportError"),
    ("import sklearn", "from sklearn import datasets\nnothing_here", "NameError"),
    ("", "from sklearn.mixture import GMM\nGMM(4)", "ImportError"),
    ("", "from sklearn.datasets import load_boston", "ImportError"),
    ("", "from sklearn.cross_validation import train_test_split", "ModuleNotFoundError"),
    ("", "from matplotlib.mlab import normpdf", "ImportError"),
    ("", "def f():\n    pass\nfrom IPython.html.widgets import interact\ninteract(f)", "ModuleNotFoundError"),
]


@pytest.mark.parametrize("setup, cell, exception", [*((s, c, None) for s, c in RUNS), *CRASHES])
def test_a_library_that_is_not_loaded_in_full(tmp_path: Path, setup: str, cell: str, exception: str | None) -> None:
    with LiveKernel(cwd=str(tmp_path)) as kernel:
        assert kernel.run(setup).ok
        kernel.mount()
        verdict = kernel.ask("inspect", source=cell)["verdict"]
        # On a busy machine the library's first import may take longer than a check: then nothing is said.
        slow = not setup and verdict["exception"] is None
        assert verdict["exception"] == exception or slow, verdict["message"]
        raised = kernel.run(cell).reply
        assert raised.get("ename") == exception
        if exception is not None and not slow:
            assert verdict["message"] == raised["evalue"].partition(" (")[0] or verdict["message"] == raised["evalue"]
