"""What IPython makes of a cell of one line that names a magic without its ``%``: ``ls``, ``pip install x``, ``time f()``.

IPython decides that by the names there are, after the rewriting that needs the text alone. Its own code for it may read
attributes of the user's objects and keeps notes in the shell, so the decision is made here instead, from looks at names.
"""

from __future__ import annotations

import builtins
import keyword
from typing import Any, Optional

_MRO = type.__dict__["__mro__"].__get__  # a metaclass may redefine the attribute


def one_line(code: str, shell: Any) -> Optional[str]:
    """``code`` as it will be compiled; None where that cannot be told. Cells of several lines are as they are."""
    manager = getattr(shell, "prefilter_manager", None)
    if manager is None or len(code.splitlines()) != 1:
        return code
    if not _own(manager) or getattr(shell, "autocall", False):
        return None
    from IPython.core.splitinput import LineInfo

    info = LineInfo(code.splitlines()[0])
    name, rest = info.ifun, info.the_rest
    if not info.line.strip() or not name:
        return code
    if _acts_by_itself(shell.user_ns.get(name)):
        return None
    if rest[:1] in ("=", ",") or not _is_magic(shell, name) or _shadowed(shell, name.split(".", 1)[0]):
        return code
    return f"{info.pre_whitespace}get_ipython().run_line_magic({name!r}, {rest!r})\n"


def _own(manager: Any) -> bool:
    """Whether all that may rewrite a line comes from IPython itself."""
    parts = [*getattr(manager, "_checkers", ()), *getattr(manager, "_transformers", ())]
    return all(type(part).__module__ == "IPython.core.prefilter" for part in parts)


def _acts_by_itself(value: Any) -> bool:
    """A macro, or an object that IPython calls when a line begins with its name (``exit``)."""
    from IPython.core.autocall import IPyAutocall
    from IPython.core.macro import Macro

    return any(cls is Macro or cls is IPyAutocall for cls in _MRO(type(value)))


def _is_magic(shell: Any, name: str) -> bool:
    if not getattr(shell, "automagic", False):
        return False
    magics = shell.magics_manager.magics.get("line", {})
    return name in magics


def _shadowed(shell: Any, name: str) -> bool:
    return name in shell.user_ns or name in shell.user_global_ns or name in vars(builtins) or keyword.iskeyword(name)
