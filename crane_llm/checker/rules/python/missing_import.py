from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import nearest, object_of


class MissingImport(Rule):
    """A name is imported from a module that does not have it.

    The module is there, but it defines no such name and has no such submodule: the name is misspelt, lives elsewhere, or was removed in
    the installed version.

    Example: ``from math import squareroot``.

    Fix: import the name that the installed version has.
    """

    code = "python.missing-import"
    library = "python"
    exceptions = ("ImportError",)
    order = 55
    CRASHES = [
        ("import math", "from math import squareroot", "ImportError"),
        ("import json", "from json import load, parse", "ImportError"),
        ("import collections", "from collections import Mapping", "ImportError"),
        ("import os", "from os.path import joint", "ImportError"),
        ("import re", "def f():\n    from re import findal\nf()", "ImportError"),
        ("", "from . import helpers", "ImportError"),
    ]
    RUNS = [
        ("import math", "from math import sqrt"),
        ("import xml", "from xml import dom"),
        ("import math", "try:\n    from math import squareroot\nexcept ImportError:\n    squareroot = None"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "import"

    def explain(self, event: Any, error: BaseException) -> str:
        name = (event.name or "").rpartition(".")[2]
        module = object_of(event)
        close = nearest(name, vars(module)) if module is not None else None
        hint = f"; the nearest name there is {close}." if close else "."
        return (
            f"The module has no {name}{hint}"
            if name
            else "The cell is no part of a package, so nothing can be imported relative to it."
        )
