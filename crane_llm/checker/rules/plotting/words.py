"""Set-up text that the plotting rules share."""

from __future__ import annotations

SETUP = (
    "import matplotlib\nmatplotlib.use('Agg')\nimport numpy as np, pandas as pd, matplotlib.pyplot as plt\nplt.close('all')\n"
    "x, y = np.arange(5), np.arange(4)\ndf = pd.DataFrame({'a': [1., 2, 3, 4], 'b': list('xyzw'), 'c': [1, 0, 1, 0]})\n"
)
SEABORN = SETUP + "import seaborn as sns\n"
LIBRARIES = (
    "matplotlib.",
    "seaborn.",
    "mpl_toolkits.",
    "pandas.plotting.",
    "sklearn.metrics._plot.",
    "statsmodels.graphics.",
    "plotly.",
)


def is_plotting(event: object) -> bool:
    """Whether an event is a call of a plotting function."""
    return str(getattr(event, "key", "") or "").startswith(LIBRARIES)
