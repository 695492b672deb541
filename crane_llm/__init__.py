"""CRANE's kernel side: checker, variable summary, run recorder, origins, guard and cell magic. Standard library and IPython only."""

from __future__ import annotations

from typing import Any

from ._version import __version__


def check_report(source: str, shell: Any = None, namespace: "dict[str, Any] | None" = None, deadline: float = 1.5) -> Any:
    """Check a cell and say how far the check went; see :func:`crane_llm.checker.check.check_report`."""
    from .checker import check_report as run

    return run(source, shell, namespace, deadline)


def check_cell(source: str, shell: Any = None, namespace: "dict[str, Any] | None" = None) -> Any:
    """The crash that running ``source`` now is certain to end in, as a :class:`Finding`, or None where nothing is certain.

    ``shell`` is an IPython shell (default: the running one), ``namespace`` a dict to use in place of its own. Never raises.
    """
    if shell is None and namespace is None:
        from IPython import get_ipython

        shell = get_ipython()
    return check_report(source, shell, namespace).finding


__all__ = ["__version__", "check_cell", "check_report"]
