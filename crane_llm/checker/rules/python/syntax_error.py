from __future__ import annotations

from typing import Any

from ..base import Rule


class InvalidSyntax(Rule):
    """The cell is not valid Python.

    A bracket is not closed, an indent is wrong, a keyword is misplaced, or ``return``, ``yield`` or ``break`` stand where they may not.

    Example: ``return x`` outside a function.

    Fix: correct the line that the message names.
    """

    code = "python.syntax-error"
    library = "python"
    exceptions = ("SyntaxError", "IndentationError", "TabError")
    CRASHES = [
        ("", "print('a'", "SyntaxError"),
        ("", "for i in range(3)\n    print(i)", "SyntaxError"),
        ("", "return 5", "SyntaxError"),
        ("", "if True:\nx = 1", "IndentationError"),
        ("", "x = = 2", "SyntaxError"),
        ("", "break", "SyntaxError"),
        ("", "def f():\n    await g()", "SyntaxError"),
        ("", "f(a=1, 2)", "SyntaxError"),
        ("", "1 = x", "SyntaxError"),
    ]
    RUNS = [
        ("", "!echo hello"),
        ("", "%time 1 + 1"),
        ("", "len?"),
        ("", "import asyncio\nawait asyncio.sleep(0)"),
        ("", "%%capture out\nprint('x')"),
        ("", ""),
        ("", "   # only a comment"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return False  # found before the walk, see check.syntax_finding
