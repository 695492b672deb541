from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import nearest


class MissingModule(Rule):
    """A module is imported that is not installed, or does not exist.

    No importer of the kernel's Python finds the module. The package is not installed in the environment that the kernel runs in, or the
    name is misspelt.

    Example: ``import sklern``.

    Fix: install the package into the kernel's environment, or correct the name.
    """

    code = "python.missing-module"
    library = "python"
    exceptions = ("ModuleNotFoundError",)
    CRASHES = [
        ("", "import no_such_package_here", "ModuleNotFoundError"),
        ("", "import jsn", "ModuleNotFoundError"),
        ("", "from no_such_package_here import thing", "ModuleNotFoundError"),
        ("import json", "import json.nothing", "ModuleNotFoundError"),
        ("import math", "import math.sub", "ModuleNotFoundError"),
        ("", "def load():\n    import never_there\n    return never_there\nload()", "ModuleNotFoundError"),
    ]
    RUNS = [
        ("", "try:\n    import no_such_package_here\nexcept ImportError:\n    ok = 1"),
        ("", "import xml.dom"),
        ("", "def lazy():\n    import no_such_package_here\n"),
        ("import sys, types\nsys.modules['made_by_hand'] = types.ModuleType('made_by_hand')", "import made_by_hand"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "import"

    def explain(self, event: Any, error: BaseException) -> str:
        import sys

        close = nearest(event.name, [m for m in sys.modules if "." not in m and not m.startswith("_")], 0.8)
        hint = f" Did you mean {close}?" if close else ""
        return f"The kernel's Python finds no module named {event.name}.{hint}"
