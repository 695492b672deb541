from __future__ import annotations

from typing import Any

from ..base import Rule


class RaiseReached(Rule):
    """The code certainly reaches its own ``raise``.

    Example: a function that checks its arguments and is called with ones it rejects.

    Fix: call it with what it accepts.
    """

    code = "python.raise-reached"
    library = "python"
    exceptions = (
        "BaseException",
        "Exception",
        "ValueError",
        "RuntimeError",
        "KeyError",
        "TypeError",
        "NotImplementedError",
        "MyError",
        "StopIteration",
        "LookupError",
        "ArithmeticError",
        "OSError",
    )
    order = 10
    CRASHES = [
        ("", "raise ValueError('no')", "ValueError"),
        (
            "def positive(n):\n    if n < 0:\n        raise ValueError(f'{n} is negative')\n    return n",
            "positive(-1)",
            "ValueError",
        ),
        ("class MyError(Exception):\n    pass", "raise MyError('own')", "MyError"),
        (
            "",
            "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise RuntimeError('wrapped') from e",
            "RuntimeError",
        ),
        (
            "class Base:\n    def run(self):\n        raise NotImplementedError\nclass Child(Base):\n    pass",
            "Child().run()",
            "NotImplementedError",
        ),
        ("", "for i in range(5):\n    if i == 3:\n        raise KeyError(i)", "KeyError"),
        ("", "raise 'text'", "TypeError"),
        ("", "try:\n    raise ValueError('again')\nexcept ValueError:\n    raise", "ValueError"),
    ]
    RUNS = [
        ("def positive(n):\n    if n < 0:\n        raise ValueError(n)\n    return n", "positive(1)"),
        ("", "try:\n    raise ValueError('x')\nexcept Exception:\n    pass"),
        ("import contextlib", "with contextlib.suppress(ValueError):\n    raise ValueError('x')"),
        ("", "if len('ab') == 3:\n    raise RuntimeError"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return event.op == "raise"

    def explain(self, event: Any, error: BaseException) -> str:
        return "The code raises this itself, and with the values that are in the kernel now it gets there."
