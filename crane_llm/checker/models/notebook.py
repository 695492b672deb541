"""Models: what IPython adds to a cell, namely magics, shell lines and ``display``."""

from __future__ import annotations

import glob
import importlib
import os
import sys
from typing import Any

from ..purity.libraries import is_user_function
from ..values import Value, exact, unknown

# Line magics that neither bind names nor change anything that the checker relies on.
_HARMLESS = frozenset(
    "matplotlib config autosave precision pylab who whos lsmagic pwd history pdef pdoc pinfo psource debug tb colors xmode".split()
)

# Extensions that IPython brings, or names by a short name.
_BUNDLED = frozenset("autoreload storemagic cythonmagic rmagic".split())

# Line magics that act on the world outside the notebook: files, packages, the environment.
_OUTSIDE = frozenset(
    "pip conda mamba micromamba uv cd pushd popd env set_env ls cat cp mv rm mkdir rmdir touch".split()
)


def _line_magic(interp: Any, call: Any) -> Value | None:
    given = call.argument(0, "magic_name")
    if given is None or not given.exact or type(given.obj) is not str:
        return None
    name = given.obj
    if name in _HARMLESS and name != "pylab":
        interp.lose(call.node, f"%{name}")
        return unknown() if name != "matplotlib" else exact(None)
    if interp.world.imports:
        _missing_magic(interp, call, name)
        if name == "load_ext":
            _missing_extension(interp, call)
    if name in _OUTSIDE and not _redefined(call.receiver, name):
        return _system(interp, call)
    return None


def _redefined(shell: Any, name: str) -> bool:
    """Whether a line magic may be the notebook's own, which may do anything. Nothing is looked up that IPython would load for it."""
    found = shell.magics_manager.magics.get("line", {}).get(name)
    spec = getattr(found, "spec", None)  # of one that is loaded on first use
    if isinstance(spec, str):
        return not spec.startswith(("IPython.", "ipykernel."))
    return found is None or is_user_function(getattr(found, "__func__", found)) or type(found).__module__ == "__main__"


def _missing_magic(interp: Any, call: Any, name: str) -> None:
    """A line magic that nobody has registered: the shell looks for it first and says so in its own words."""
    manager = getattr(call.receiver, "magics_manager", None)
    if manager is None or name in manager.magics.get("line", {}) or name in getattr(manager, "lazy_magics", {}):
        return
    interp.attempt(call.event, lambda: call.receiver.run_line_magic(name, ""))


def _missing_extension(interp: Any, call: Any) -> None:
    """``%load_ext`` of a module that is not installed."""
    line = call.argument(1, "line")
    if line is None or not line.exact or type(line.obj) is not str or not interp.imports_settled():
        return
    module = line.obj.strip()
    if not all(part.isidentifier() for part in module.split(".")) or module in _BUNDLED or module in sys.modules:
        return
    folder = getattr(getattr(call.receiver, "extension_manager", None), "ipython_extension_dir", "")
    place = os.path.join(folder, module.partition(".")[0])
    if not os.path.exists(place) and not glob.glob(glob.escape(place) + ".*") and interp.certainly_missing(module):
        interp.attempt(call.event, lambda: importlib.import_module(module))


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
