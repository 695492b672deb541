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
    ("import xml", "from xml.dom import *\nimport xml.dom.minidom as m\nm.parseString('<a/>')"),
]
CRASHES = [
    ("import sklearn", "from sklearn import datasets\ndatasets.load_irises()", "AttributeError"),
    ("import sklearn.model_selection", "from sklearn.model_selection import nothing_like_it", "ImportError"),
    ("import sklearn", "from sklearn import datasets\nnothing_here", "NameError"),
]


@pytest.mark.parametrize("setup, cell, exception", [*((s, c, None) for s, c in RUNS), *CRASHES])
def test_a_library_that_is_not_loaded_in_full(tmp_path: Path, setup: str, cell: str, exception: str | None) -> None:
    with LiveKernel(cwd=str(tmp_path)) as kernel:
        assert kernel.run(setup).ok
        kernel.mount()
        verdict = kernel.ask("inspect", source=cell)["verdict"]
        assert verdict["exception"] in (exception, None), verdict["message"]
        raised = kernel.run(cell).reply
        assert raised.get("ename") == exception
        if exception is not None and verdict["exception"] is not None:
            assert verdict["message"] == raised["evalue"].partition(" (")[0] or verdict["message"] == raised["evalue"]
