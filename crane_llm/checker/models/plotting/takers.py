"""Functions of other libraries that draw on axes: given private ones, they run for real under watch."""

from __future__ import annotations

import copy
from typing import Any

from ...values import Value, unknown
from ...watch import run_watched
from .axes import lowered, plotted_items
from .canvas import may_plot, new_figure, private_pyplot, timed

SECONDS = 0.4
MOST_ITEMS = 300_000

# seaborn's functions that draw on one axes (``ax``), by the modules that they live in since 0.9.
_SEABORN = frozenset(
    "barplot boxplot boxenplot violinplot countplot pointplot stripplot swarmplot scatterplot lineplot histplot kdeplot ecdfplot rugplot "
    "heatmap regplot residplot distplot".split()
)


def _run(interp: Any, call: Any, func: Any, receiver: Any = None) -> Value | None:
    given = lowered(interp, call)
    if receiver is not None and interp.surveyor.look([receiver]).opaque:
        given = None
    if given is None:
        return _unseen(interp, call)
    args, kwargs = given
    if (
        plotted_items([*args, *kwargs.values(), receiver]) > MOST_ITEMS
        or not may_plot(interp)
        or not interp.budget.affords(0.1)
    ):
        return _unseen(interp, call)
    figure = new_figure()
    if "ax" in kwargs or kwargs.get("ax", 0) is None:
        if not hasattr(kwargs["ax"], "transData") and kwargs["ax"] is not None:
            return _unseen(interp, call)
    kwargs = {**kwargs, "ax": figure.add_subplot()}
    interp.world.drawn += 1  # confidence intervals are bootstrapped
    seconds = min(SECONDS, interp.budget.remaining() * 0.5)
    with private_pyplot(figure), timed(interp):
        outcome = interp.quiet_call(call.event, lambda: run_watched(lambda: func(*args, **kwargs), seconds))
    interp.lose(call.node, "a plot on axes whose state is not known")
    return unknown(type(outcome.value) if outcome.finished else None)


def _unseen(interp: Any, call: Any) -> Value:
    from ...binding import binding_error

    error = binding_error(call.func, call)
    if error is not None:
        raise interp.fail(error, call.event)
    interp.lose(call.node, "a plot with arguments that are not known")
    interp.world.random = False
    return unknown()


def handle_seaborn(interp: Any, call: Any) -> Value | None:
    """An axes-level function of seaborn."""
    if getattr(call.func, "__name__", "") not in _SEABORN:
        return None
    from ...binding import binding_error

    error = binding_error(call.func, call)
    if error is not None:
        raise interp.fail(error, call.event)
    return _run(interp, call, call.func)


def handle_display(interp: Any, call: Any) -> Value | None:
    """``plot`` of a scikit-learn display: it notes what it drew on itself, so a copy draws."""
    receiver = call.receiver
    name = getattr(call.func, "__name__", "")
    if isinstance(receiver, type) and name in ("from_estimator", "from_predictions"):
        return _run(interp, call, call.func)
    if receiver is None or isinstance(receiver, type) or name != "plot":
        return None
    twin = copy.copy(receiver)
    return _run(interp, call, lambda *args, **kwargs: call.func.__func__(twin, *args, **kwargs), receiver)


def handle_graphics(interp: Any, call: Any) -> Value | None:
    """A plotting function of statsmodels that takes ``ax``."""
    import inspect

    try:
        parameters = inspect.signature(call.func).parameters
    except (TypeError, ValueError):
        return None
    if "ax" not in parameters:
        return None
    position = list(parameters).index("ax")
    return _run(interp, call, call.func) if len(call.args) <= position else None


def handle_pandas_plot(interp: Any, call: Any) -> Value | None:
    """``df.plot(...)`` on one axes."""
    if call.kwargs.get("subplots") is not None or call.func.__class__.__name__ == "type":
        return None
    accessor = call.receiver if call.receiver is not None else call.func
    parent = getattr(accessor, "_parent", None)
    return _run(interp, call, call.func, parent) if parent is not None else None


TAKER_MODELS: dict[str, Any] = {
    "seaborn.*": handle_seaborn,
    "sklearn.metrics._plot.*": handle_display,
    "statsmodels.graphics.*": handle_graphics,
    "pandas.plotting._core.PlotAccessor.*": handle_pandas_plot,
    "pandas.plotting.PlotAccessor.*": handle_pandas_plot,
}
