"""A private canvas: figures that pyplot's own registry never hears of.

pyplot keeps its figures in a registry. While a plotting call runs for real, that registry is replaced by one that holds only the
checker's figure; afterwards the person's is put back as it was. Nothing is drawn, no window and no backend is asked for anything.
"""

from __future__ import annotations

import collections
import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any

from ...values import Abandon


class Canvas:
    """The figure that pyplot would draw on, as far as the cell has made it so.

    ``known``: the cell starts without any figure, or has made one itself; then the state of its axes is known too.
    """

    def __init__(self, known: bool) -> None:
        self.known = known
        self.figure: Any = None
        self.spent = 0.0  # seconds that plotting calls have taken in this check
        self.made: list[Any] = []

    def current(self) -> Any:
        """The current private figure, made on demand."""
        if self.figure is None:
            self.figure = new_figure()
        return self.figure


def new_figure(**options: Any) -> Any:
    """A figure with a canvas that draws nothing."""
    figure_module = sys.modules.get("matplotlib.figure")
    backends = sys.modules.get("matplotlib.backend_bases")
    if figure_module is None or backends is None:
        raise Abandon("matplotlib is not loaded")
    figure = figure_module.Figure(**options)
    backends.FigureCanvasBase(figure)
    return figure


def canvas_of(interp: Any) -> Canvas:
    """The canvas of this check."""
    found = getattr(interp, "canvas", None)
    if found is None:
        helpers = sys.modules.get("matplotlib._pylab_helpers")
        found = interp.canvas = Canvas(helpers is None or not helpers.Gcf.figs)
    return found


PLOTTING_SECONDS = 0.15


def may_plot(interp: Any) -> bool:
    """Whether plotting calls may still be made for real: a loop of plots must leave time for what else it does."""
    return canvas_of(interp).spent < PLOTTING_SECONDS


@contextlib.contextmanager
def timed(interp: Any) -> Iterator[None]:
    """Count the time of a plotting call."""
    began = time.monotonic()
    try:
        yield
    finally:
        took = time.monotonic() - began
        canvas_of(interp).spent += took
        interp.budget.excused += took


def is_private(interp: Any, obj: Any) -> bool:
    """Whether an axes or figure belongs to the checker."""
    figure = obj if type(obj).__name__ == "Figure" else getattr(obj, "figure", None)
    return any(figure is made for made in canvas_of(interp).made)


@contextlib.contextmanager
def private_pyplot(figure: Any) -> Iterator[None]:
    """Inside, ``figure`` is pyplot's only and current figure."""
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    backends = sys.modules.get("matplotlib.backend_bases")
    if helpers is None or backends is None:
        yield
        return
    registry = helpers.Gcf
    saved = registry.figs
    manager = _Manager(figure)
    registry.figs = collections.OrderedDict([(1, manager)])
    try:
        yield
    finally:
        registry.figs = saved


class _Manager:
    """As much of a figure manager as pyplot's plotting functions look at."""

    num = 1

    def __init__(self, figure: Any) -> None:
        self.canvas = figure.canvas
        self.canvas.manager = None

    def destroy(self) -> None:
        """Nothing to close."""
