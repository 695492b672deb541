"""Errors that a person reads: what happened, to which thing, and what to do next."""

from __future__ import annotations

import importlib


class Fault(Exception):
    """A failure with words for a person. ``hint`` says what to do next; it may be empty."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class MissingExtra(Fault):
    """A feature needs packages that are not installed."""

    def __init__(self, feature: str, extra: str, module: str) -> None:
        super().__init__(
            f"{feature} needs the package {module.split('.', maxsplit=1)[0]!r}, which is not installed.",
            f'Install it with: pip install "crane-bridge[{extra}]"',
        )
        self.extra = extra


def need(feature: str, extra: str, *modules: str) -> None:
    """Raise `MissingExtra` unless all ``modules`` can be imported."""
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise MissingExtra(feature, extra, getattr(error, "name", None) or module) from error
