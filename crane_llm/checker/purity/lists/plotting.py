"""Allow-list: plotting libraries. What draws is modelled in ``models/plotting``; here is what only computes or builds."""

from __future__ import annotations

from typing import Any

from ..registry import Pure


def _points(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    return 0.08 + weight * 1e-8


_figure = Pure(cost=_points, callbacks=False)

PURE: dict[str, Pure | None] = {
    "plotly.express._chart_types.*": _figure,
    "plotly.express._imshow.*": _figure,
    "plotly.graph_objs.*": _figure,
    "plotly.subplots.make_subplots": _figure,
    "seaborn.palettes.color_palette": Pure(callbacks=False),
    "seaborn.palettes.*": Pure(callbacks=False),
    "seaborn.rcmod.axes_style": Pure(callbacks=False),
    "seaborn.rcmod.plotting_context": Pure(callbacks=False),
    "seaborn.utils.load_dataset": None,
    "matplotlib.colors.*": Pure(callbacks=False),
    "matplotlib.colors.Colormap.*": Pure(callbacks=False),
    "matplotlib.cm.*": None,
    "matplotlib.ticker.*": Pure(callbacks=True),
}
