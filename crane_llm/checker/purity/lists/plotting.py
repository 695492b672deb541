"""Allow-list: plotting."""

from __future__ import annotations

from ..registry import Pure

PURE: "dict[str, Pure | None]" = {}
