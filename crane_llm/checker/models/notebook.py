"""Models: what IPython adds to a cell, namely magics, shell lines and ``display``."""

from __future__ import annotations

from typing import Any

from ..values import Value, exact, unknown

# Line magics that neither bind names nor change anything that the checker relies on.
_HARMLESS = frozenset(
    "matplotlib config autosave precision pylab who whos lsmagic pwd history pdef pdoc pinfo psource debug tb colors xmode".split()
)


def _line_magic(interp: Any, call: Any) -> Value | None:
    name = call.argument(0, "magic_name")
    if name is not None and name.exact and name.obj in _HARMLESS and name.obj != "pylab":
        interp.lose(call.node, f"%{name.obj}")
        return unknown() if name.obj != "matplotlib" else exact(None)
    return None


def _system(interp: Any, call: Any) -> Value:
    """A shell line: files and installed packages may change, names do not."""
    interp.lose(call.node, "a shell command")
    interp.world.disturb()
    return unknown()


def _display(interp: Any, call: Any) -> Value | None:
    for value in call.args:
        kind = value.known_type
        if kind is None or kind.__module__ == "__main__":
            return None
    return exact(None)


def _shell(interp: Any, call: Any) -> Value | None:
    """``get_ipython()``: the shell itself, which magics and shell lines are called on."""
    return exact(interp.shell) if interp.shell is not None and not call.args and not call.kwargs else None


_SHELL = "IPython.core.interactiveshell.InteractiveShell."
MODELS: dict[str, Any] = {
    _SHELL + "run_line_magic": _line_magic,
    _SHELL + "system": _system,
    _SHELL + "get_ipython": _shell,
    "IPython.core.getipython.get_ipython": _shell,
    _SHELL + "getoutput": _system,
    "ipykernel.zmqshell.ZMQInteractiveShell.system_piped": _system,
    _SHELL + "system_raw": _system,
    _SHELL + "system_piped": _system,
    "IPython.core.display_functions.display": _display,
}
