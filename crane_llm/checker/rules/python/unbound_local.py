from __future__ import annotations

from typing import Any

from ..base import Rule


class UnboundLocal(Rule):
    """A function reads a variable of its own before it has a value.

    A name that a function assigns anywhere is local to it in all of its body, even where a variable of the same name exists outside.

    Example: ``def add(): count += 1`` with ``count`` defined in another cell.

    Fix: pass the value in, give it a first value inside the function, or declare it ``global`` or ``nonlocal``.
    """

    code = "python.unbound-local"
    library = "python"
    exceptions = ("UnboundLocalError", "NameError")
    order = 40
    CRASHES = [
        ("count = 0\ndef add():\n    count += 1", "add()", "UnboundLocalError"),
        ("", "def f():\n    print(v)\n    v = 1\nf()", "UnboundLocalError"),
        ("def g(flag):\n    if flag:\n        r = 1\n    return r", "g(False)", "UnboundLocalError"),
        ("", "def h():\n    del t\n    t = 2\nh()", "UnboundLocalError"),
        ("def k(items):\n    for i in items:\n        last = i\n    return last", "k([])", "UnboundLocalError"),
        (
            "",
            "def outer():\n    def inner():\n        return late\n    r = inner()\n    late = 2\n    return r\nouter()",
            "NameError",
        ),
    ]
    RUNS = [
        ("count = 0", "def add():\n    global count\n    count += 1\nadd()"),
        ("def g(flag):\n    if flag:\n        r = 1\n    return r", "g(True)"),
        ("def k(items):\n    for i in items:\n        last = i\n    return last", "k([1, 2])"),
        (
            "",
            "def outer():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return n\n    return up()\nouter()",
        ),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "name" and event.mechanism == "local"

    def explain(self, event: Any, error: BaseException) -> str:
        return f"{event.name} is local to the function, because the function assigns it, and has no value yet where it is read."
