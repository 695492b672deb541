"""Methods of axes and figures: on private ones for real, on live ones their arguments are tried on fresh axes."""

from __future__ import annotations

from typing import Any

from ...purity.libraries import is_library_type
from ...values import Value, exact, unknown
from .canvas import canvas_of, is_private, may_plot, new_figure, private_pyplot, timed

# What these do with their arguments does not depend on what is on the axes already.
STATELESS = frozenset(
    "plot scatter bar barh hist boxplot violinplot imshow matshow pie fill_between fill_betweenx errorbar contour contourf pcolormesh pcolor stem step "
    "hexbin hist2d axhline axvline axhspan axvspan hlines vlines text annotate title xlabel ylabel xlim ylim xticks yticks grid suptitle "
    "set_title set_xlabel set_ylabel set_xlim set_ylim set_xticks set_yticks eventplot stackplot semilogx semilogy loglog plot_date "
    "specgram psd acorr quiver barbs tick_params set_axis_off axis set ecdf spy table".split()
)
PER_ITEM = {
    "bar": 8e-4,
    "barh": 8e-4,
    "boxplot": 3e-6,
    "pie": 1.5e-3,
    "text": 1e-4,
    "annotate": 1e-3,
    "stem": 1e-4,
    "contour": 2e-7,
    "contourf": 2e-7,
    "violinplot": 1e-5,
}


def plotted_items(values: list[Any]) -> int:
    """The number of data points in the arguments."""
    total = 0
    for value in values:
        shape = getattr(value, "shape", None)
        if shape is not None:
            size = 1
            for dimension in shape:
                size *= int(dimension)
            total += size
        elif isinstance(value, (list, tuple, range)):
            total += len(value)
    return total


def cost_of(name: str, values: list[Any]) -> float:
    """Estimated seconds of a plotting call."""
    items = plotted_items(values)
    first = (
        len(values[0])
        if values and isinstance(values[0], (list, tuple))
        else getattr(values[0], "shape", (1,))[:1]
        if values
        else 1
    )
    count = first if isinstance(first, int) else (first[0] if first else 1)
    return 3e-3 + items * 4e-8 + count * PER_ITEM.get(name, 0.0)


def lowered(interp: Any, call: Any) -> tuple[list[Any], dict[str, Any]] | None:
    """The arguments as objects where all are known and the library's own; None otherwise."""
    if not call.exact:
        return None
    args = [interp.heap.lower(value) for value in call.args]
    kwargs = {name: interp.heap.lower(value) for name, value in call.kwargs.items()}
    survey = interp.surveyor.look([a for a in [*args, *kwargs.values()] if not _is_artist(a)])
    return None if survey.opaque or survey.callbacks or survey.domains else (args, kwargs)


def _is_artist(obj: Any) -> bool:
    return type(obj).__module__.startswith("matplotlib.")


def handle_axes(interp: Any, call: Any) -> Value | None:
    """A method of an axes, a figure or another artist."""
    owner = call.receiver
    if owner is None or isinstance(owner, type) or not is_library_type(type(owner)):
        return None
    name = call.func.__name__
    if name.startswith(("savefig", "show", "canvas", "draw")) or name in ("add_callback", "set_animated"):
        return None
    given = lowered(interp, call)
    private = is_private(interp, owner)
    if given is None or not may_plot(interp) or not interp.budget.affords(cost_of(name, given[0])):
        return _unseen(interp, call, private)
    args, kwargs = given
    if private and interp.uncertain == 0:
        with timed(interp):
            made = interp.quiet_call(call.event, lambda: call.func(*args, **kwargs))
        return exact(made)
    if not hasattr(owner, "transData") or name not in STATELESS:
        return _unseen(interp, call, private)
    figure = new_figure()
    twin = figure.add_subplot(projection=getattr(owner, "name", None) or "rectilinear")
    with private_pyplot(figure), timed(interp):
        made = interp.quiet_call(call.event, lambda: getattr(twin, name)(*args, **kwargs))
    interp.lose(call.node, "axes whose state is not known")
    return unknown(type(made))


def _unseen(interp: Any, call: Any, private: bool) -> Value:
    """Plotting leaves its data alone; the axes are no longer known."""
    from ...binding import binding_error

    error = binding_error(call.func, call)
    if error is not None:
        raise interp.fail(error, call.event)
    if private:
        interp.heap.soil([call.receiver], link=False)
        canvas_of(interp).made = [
            m for m in canvas_of(interp).made if m is not getattr(call.receiver, "figure", call.receiver)
        ]
    interp.lose(call.node, f"{call.func.__name__} with arguments that are not known")
    return unknown()


AXES_MODELS: dict[str, Any] = {
    "matplotlib.axes.*": handle_axes,
    "matplotlib.figure.*": handle_axes,
    "matplotlib.artist.*": handle_axes,
    "matplotlib.axis.*": handle_axes,
    "matplotlib.patches.*": handle_axes,
    "matplotlib.lines.*": handle_axes,
    "matplotlib.text.*": handle_axes,
    "matplotlib.spines.*": handle_axes,
    "matplotlib.legend.*": handle_axes,
    "mpl_toolkits.mplot3d.axes3d.*": handle_axes,
}
