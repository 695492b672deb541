"""What a training is set up with: schedulers, devices, class weights. Wrong ones are found, right ones left alone."""

from __future__ import annotations

import pytest
from claims import check_without_trace
from kernel import Kernel

pytestmark = pytest.mark.ml
TORCH = "import numpy as np, torch\nfrom torch import nn, optim\nnet = nn.Linear(4, 2)\nopt = optim.SGD(net.parameters(), lr=0.1)\n"
KERAS = (
    "import numpy as np\nfrom tensorflow import keras\nX = np.random.rand(12, 4); y = np.arange(12) % 3\n"
    "model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation='softmax')])\n"
    "model.compile('adam', 'sparse_categorical_crossentropy')\n"
)
# (state, cell, the same mended, exception)
CASES = {
    "scheduler": (
        TORCH,
        "s = optim.lr_scheduler.ReduceLROnPlateau(opt)\nopt.step()\ns.step()",
        "s.step() => s.step(0.5)",
        "TypeError",
    ),
    "live scheduler": (
        TORCH + "s = optim.lr_scheduler.ReduceLROnPlateau(opt)\n",
        "opt.step()\ns.step()",
        "s.step() => s.step(metrics=0.5, epoch=1)",
        "TypeError",
    ),
    "no metric wanted": (
        TORCH,
        "s = optim.lr_scheduler.StepLR(opt, 2)\nopt.step()\ns.step(metrics=0.5)",
        "metrics=0.5 => epoch=1",
        "TypeError",
    ),
    "device": (TORCH, "where = 'gpu'\nnet = net.to(where)\nnet.train()", "'gpu' => 'cpu'", "RuntimeError"),
    "class weights": (
        KERAS,
        "w = np.ones(3)\nmodel.fit(X, y, class_weight=w, epochs=1, verbose=0)",
        "class_weight=w => class_weight=dict(enumerate(w))",
        "AttributeError",
    ),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_setting_is_judged_as_the_library_does(name: str, kernel: Kernel) -> None:
    state, cell, change, exception = CASES[name]
    pytest.importorskip("tensorflow" if state is KERAS else "torch")
    mended = cell.replace(*change.split(" => "))
    assert mended != cell
    kernel.setup(state)
    quiet = check_without_trace(kernel, mended)
    report = check_without_trace(kernel, cell)
    assert quiet.finding is None, f"false alarm: {quiet.finding}"
    assert report.finding is not None, f"not found; lost at {report.lost}"
    assert report.finding.exception == exception
    error = kernel.run(cell)
    assert type(error).__name__ == exception and report.finding.message == str(error)
    kernel.setup(state + mended)


def test_what_averages_weights_is_no_optimizer(kernel: Kernel) -> None:
    pytest.importorskip("torch")
    kernel.setup(TORCH + "from torch.optim.swa_utils import SWALR, AveragedModel\n")
    cell = "s = SWALR(opt, swa_lr=0.05)\navg = AveragedModel(net)\nopt.step()\ns.step()\navg.update_parameters(net)"
    assert check_without_trace(kernel, cell).finding is None
    kernel.setup(cell)
