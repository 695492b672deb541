"""CRANE's kernel side: checker, variable summary, run recorder, origins, guard and cell magic. Standard library and IPython only."""

from __future__ import annotations

from typing import Any

from ._version import __version__


def check_cell(source: str, shell: Any = None, namespace: dict[str, Any] | None = None) -> Any:
    """The crash that running ``source`` now is certain to end in, as a ``Finding``, or None where nothing is certain.

    ``shell`` is an IPython shell (default: the running one), ``namespace`` a dict to use in place of its own. Never raises.
    """
    return check_report(source, shell, namespace).finding


def check_report(source: str, shell: Any = None, namespace: dict[str, Any] | None = None, deadline: float = 1.5) -> Any:
    """Check a cell and say how far the check went, as a ``Report``. ``deadline`` is in seconds."""
    from .checker import check_report as run

    return run(source, _shell(shell) if namespace is None else shell, namespace, deadline)


def summarize_cell(source: str, shell: Any = None, namespace: dict[str, Any] | None = None, **options: Any) -> Any:
    """Describe the variables that a cell uses; options and result as in :func:`crane_llm.summary.summarize_cell`."""
    from .summary import summarize_cell as run

    return run(source, _shell(shell) if namespace is None else shell, namespace, **options)


def inspect_cell(source: str, shell: Any = None, **options: Any) -> dict[str, Any]:
    """Finding, summary, origins and executed cells in one call; options and result as in :mod:`crane_llm.inspect`."""
    from .inspect import inspect_cell as run

    return run(source, _shell(shell), **options)


def set_scan_limit(limit: int | None) -> None:
    """The most values that a check may read one by one: 0 turns such checks off, None restores the default (one million)."""
    from .checker.limits import set_scan_limit as run

    run(limit)


def set_api_key(key: str | None = None, *, base_url: str | None = None, model: str | None = None) -> None:
    """Save how to reach the model in your own settings file, for every notebook of this account.

    Only what is given changes; an empty string removes a setting. The key is optional: local servers need none.
    """
    from .settings_file import set_api_key as run

    run(key, base_url=base_url, model=model)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext crane_llm``: arm the recorder and register the magics."""
    from .magic import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext crane_llm``: take recorder, guard and magics out again."""
    from .magic import unload

    unload(shell)


def _shell(shell: Any) -> Any:
    if shell is None:
        from IPython import get_ipython

        shell = get_ipython()
    return shell


__all__ = [
    "__version__",
    "check_cell",
    "check_report",
    "inspect_cell",
    "set_api_key",
    "set_scan_limit",
    "summarize_cell",
]
