"""Sending a display from the kernel, with or without leaving it in the shell's own record of outputs."""

from __future__ import annotations

from typing import Any


def publish(shell: Any, data: dict, *, trace: bool = False, **options: Any) -> None:
    """Send one display to whoever asked. Unless ``trace`` is true, it is not kept in the shell's record of outputs.

    Newer IPythons keep displays by execution count; that record belongs to the person's cells.
    """
    kept = getattr(getattr(shell, "history_manager", None), "outputs", None)
    if trace or not isinstance(kept, dict):
        shell.display_pub.publish(data=data, metadata={}, **options)
        return
    before = {k: len(v) for k, v in kept.items()}
    shell.display_pub.publish(data=data, metadata={}, **options)
    for k in [k for k, v in kept.items() if len(v) > before.get(k, 0)]:
        del kept[k][before.get(k, 0) :]
        if not kept[k]:
            del kept[k]
