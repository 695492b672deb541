"""The bridge: model calls, settings and prompts for the editor, and the ``crane`` command line.

It runs in a process of its own, never in the person's kernel. What runs in the kernel is :mod:`crane_llm`.
"""

from __future__ import annotations

from crane_llm._version import __version__

__all__ = ["__version__"]
