"""pyplot's functions, run for real against the private canvas."""

from __future__ import annotations

import types
from typing import Any

from ...values import Value, exact, unknown
from .axes import STATELESS, cost_of, lowered
from .canvas import Canvas, canvas_of, may_plot, new_figure, private_pyplot, timed

_FIGURE_OPTIONS = ("num", "clear", "FigureClass")
# Functions that only read or write the axes of a known figure.
_KNOWN_ONLY = frozenset(
    "gca colorbar legend subplot sca gci clim cla delaxes twinx twiny subplots_adjust tight_layout setp axes xscale yscale margins autoscale locator_params figtext figlegend subplot2grid".split()
)
_FORGETS = frozenset("show close clf ioff ion pause draw switch_backend figure_mosaic".split())


def handle_pyplot(interp: Any, call: Any) -> Value | None:
    """A function of ``matplotlib.pyplot``."""
    if not isinstance(call.func, types.FunctionType):
        return None
    name = call.func.__name__
    canvas = canvas_of(interp)
    from ...binding import binding_error

    error = binding_error(call.func, call)
    if error is not None:
        raise interp.fail(error, call.event)
    if name in ("figure", "subplots"):
        return _new_figure(interp, call, name)
    if name in _FORGETS:
        return _forget(interp, call, name)
    if name == "gcf":
        return exact(_made(canvas, canvas.current())) if canvas.known and interp.uncertain == 0 else unknown()
    if name not in STATELESS and name not in _KNOWN_ONLY:
        return None
    given = lowered(interp, call)
    if given is None or not may_plot(interp) or not interp.budget.affords(cost_of(name, given[0])):
        _lose_canvas(interp)
        interp.lose(call.node, f"{name} with arguments that are not known")
        return unknown()
    args, kwargs = given
    if canvas.known and interp.uncertain == 0:
        figure = _made(canvas, canvas.current())
        with private_pyplot(figure), timed(interp):
            made = interp.quiet_call(call.event, lambda: call.func(*args, **kwargs))
        return exact(made)
    if name in _KNOWN_ONLY:
        interp.lose(call.node, "the current figure is not known")
        return unknown()
    with private_pyplot(new_figure()), timed(interp):
        made = interp.quiet_call(call.event, lambda: call.func(*args, **kwargs))
    interp.lose(call.node, "the current figure is not known")
    return unknown(type(made))


def _made(canvas: Canvas, figure: Any) -> Any:
    if not any(figure is other for other in canvas.made):
        canvas.made.append(figure)
    return figure


def _new_figure(interp: Any, call: Any, name: str) -> Value | None:
    canvas = canvas_of(interp)
    given = lowered(interp, call)
    if given is None or interp.uncertain or (name == "figure" and (call.args or "num" in call.kwargs)):
        _lose_canvas(interp)
        interp.lose(call.node, "a figure that is not known")
        return unknown()
    args, kwargs = given
    if name == "figure":
        options = {key: value for key, value in kwargs.items() if key not in _FIGURE_OPTIONS}
        figure = interp.quiet_call(call.event, lambda: new_figure(**options))
        canvas.figure, canvas.known = _made(canvas, figure), True
        return exact(figure)
    grid = dict(zip(("nrows", "ncols"), args), **kwargs)
    shape = {
        key: grid.pop(key)
        for key in (
            "nrows",
            "ncols",
            "sharex",
            "sharey",
            "squeeze",
            "width_ratios",
            "height_ratios",
            "subplot_kw",
            "gridspec_kw",
        )
        if key in grid
    }
    count = 1
    for key in ("nrows", "ncols"):
        count *= shape[key] if isinstance(shape.get(key), int) else 1
    if not interp.budget.affords(0.02 * count):
        _lose_canvas(interp)
        interp.lose(call.node, "a grid of many axes")
        return unknown(tuple)
    options = {key: value for key, value in grid.items() if key not in _FIGURE_OPTIONS}

    def make() -> Any:
        figure = new_figure(**options)
        return figure, figure.subplots(**shape)

    figure, axes = interp.quiet_call(call.event, make)
    canvas.figure, canvas.known = _made(canvas, figure), True
    return exact((figure, axes))


def _lose_canvas(interp: Any) -> None:
    canvas = canvas_of(interp)
    canvas.known, canvas.figure = False, None


def _forget(interp: Any, call: Any, name: str) -> Value:
    """After ``show`` or ``close`` there may be a current figure or not: that depends on the backend."""
    _lose_canvas(interp)
    return exact(None) if name in ("show", "close", "clf") else unknown()


PYPLOT_MODELS: dict[str, Any] = {"matplotlib.pyplot.*": handle_pyplot}
