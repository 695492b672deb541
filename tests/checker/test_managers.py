"""Library managers, magics and the flat iterator of an array: what they let through, what they give, and what they do not hide."""

from __future__ import annotations

import pytest
from claims import expect
from kernel import Kernel

SETUP = "import numpy as np, pandas as pd, matplotlib.pyplot as plt, seaborn as sns, warnings\ndf = pd.DataFrame({'a': [1.0, 2, 3], 'b': [4.0, 5, 6]})\nx = np.arange(3.0)\n"
MANAGERS = [
    ("with sns.axes_style('white'):\n    plt.plot(x)\n    df['c']", "KeyError"),
    ("with sns.plotting_context('talk'):\n    df['c']", "KeyError"),
    ("with sns.color_palette('husl', 8):\n    df['c']", "KeyError"),
    ("with sns.axes_style('nothing'):\n    pass", "ValueError"),
    ("with plt.rc_context({'font.size': 3}):\n    df['c']", "KeyError"),
    ("with plt.rc_context({'no.such.option': 3}):\n    pass", "KeyError"),
    ("with plt.style.context('no-such-style'):\n    pass", "OSError"),
    ("with plt.style.context(['ggplot', 'dark_background']):\n    df['c']", "KeyError"),
    ("with sns.axes_style('dark', {'axes.facecolor': '.9'}) as given:\n    assert given is None\nplt.close()", None),
    ("with plt.style.context('ggplot') as given:\n    assert given is None\nassert plt.rcParams['font.size'] > 0", None),
    ("with warnings.catch_warnings(record=True) as seen:\n    warnings.simplefilter('always')\n    warnings.warn('w')\nassert len(seen) == 1\nseen[0].message", None),
    ("with np.errstate(all='ignore') as given:\n    x / 0\nassert given is None", None),
    ("with pd.option_context('display.max_rows', 5) as given:\n    pass\nassert given is None", None),
]  # fmt: skip
FLAT = [
    ("fig, axes = plt.subplots(2, 2)\nfor ax, name in zip(axes.flat, ['a', 'c']):\n    ax.hist(df[name])", "KeyError"),
    ("fig, axes = plt.subplots(1, 2)\nfor ax in axes.flat:\n    ax.plot(x)\nplt.close()\nx[3]", "IndexError"),
    ("m = np.arange(6).reshape(2, 3)\nit = m.flat\nnext(it)\nassert [int(v) for v in it] == [1, 2, 3, 4, 5]", None),
    ("m = np.arange(6).reshape(2, 3)\nassert list(m.T.flat) == [0, 3, 1, 4, 2, 5]\nm.flat[0] = 9\nassert m[0, 0] == 9", None),
    ("m = np.arange(6).reshape(2, 3)\nfor i, v in enumerate(m.flat):\n    m[1, 2] = 7\nassert v == 7", None),
]  # fmt: skip
MAGICS = [
    ("%no_such_magic", "UsageError"),
    ("a = %no_such_magic 3", "UsageError"),
    ("%load_ext no_such_extension", "ModuleNotFoundError"),
    ("%env CRANE_TEST=1\ndf['c']", "KeyError"),
    ("%load_ext autoreload\n%autoreload 0", None),
    ("try:\n    %no_such_magic\nexcept Exception:\n    pass", None),
    ("from IPython.core.magic import register_line_magic\n@register_line_magic\ndef made_here(line):\n    return 3\n%made_here 4", None),
    ("%alias tell echo\n%tell hello", None),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "exception"), MANAGERS + FLAT + MAGICS)
def test_what_goes_on_inside_counts(cell: str, exception: str | None, kernel: Kernel) -> None:
    for library in ("numpy", "pandas", "matplotlib", "seaborn"):
        pytest.importorskip(library)
    kernel.setup(SETUP)
    expect(kernel, cell, exception)
    kernel.run("plt.close('all')")


def test_a_magic_of_the_notebook_may_do_anything(kernel: Kernel) -> None:
    kernel.setup(
        "from IPython.core.magic import register_line_magic\n@register_line_magic\ndef cd(line):\n    global made\n    made = 4"
    )
    try:
        expect(kernel, "%cd anywhere\nmade", None)
    finally:
        from IPython.core.magics import OSMagics

        kernel.shell.register_magics(OSMagics(kernel.shell))
