"""The rules: each names, explains and mends one kind of crash; some also see a crash that no call for real can show.

One file per rule, ``rules/<library>/<rule>.py``, holding one subclass of :class:`base.Rule`. See CONTRIBUTING.md, "Adding a rule".
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from .base import Rule

LIBRARIES = ("python", "pandas", "numpy", "sklearn", "plotting", "torch", "keras", "others")
_rules: list[Rule] | None = None
_checking: dict[str, list[Rule]] = {}  # by operation, of the rules in _checking_of
_checking_of: list[Rule] | None = None


def all_rules() -> list[Rule]:
    """Every rule, the more specific ones first."""
    global _rules
    if _rules is None:
        found: list[Rule] = []
        for library in LIBRARIES:
            package = importlib.import_module("." + library, __name__)
            for name in sorted(_modules(package)):
                module = importlib.import_module("." + name, package.__name__)
                for value in vars(module).values():
                    if (
                        isinstance(value, type)
                        and issubclass(value, Rule)
                        and value is not Rule
                        and value.__module__ == module.__name__
                    ):
                        found.append(value())
        _rules = sorted(found, key=lambda rule: rule.order)
    return _rules


def _modules(package: Any) -> list[str]:
    names = getattr(package, "MODULES", None)  # a package mounted from memory lists its modules itself
    if names is not None:
        return list(names)
    return [info.name for info in pkgutil.iter_modules(package.__path__)]


def checking_rules(op: str) -> list[Rule]:
    """Rules that look at an operation before it is done."""
    global _checking, _checking_of
    rules = all_rules()
    if _checking_of is not rules:
        _checking, _checking_of = {}, rules
    if op not in _checking:
        _checking[op] = [rule for rule in rules if op in rule.checks]
    return _checking[op]


def rule_for(event: Any, error: BaseException) -> Rule | None:
    """The rule that explains what an operation raised."""
    for rule in all_rules():
        if type(error).__name__ in rule.exceptions or any(
            base.__name__ in rule.exceptions for base in type(error).__mro__[1:-2]
        ):
            if rule.claims(event, error):
                return rule
    return None
