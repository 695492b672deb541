from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import short


class BadConversion(Rule):
    """Text is converted that is not of the form the conversion needs.

    Example: ``int("3.5")``, ``float("n/a")``, ``json.loads("{'a': 1}")`` (JSON wants double quotes).

    Fix: clean the text first; ``int(float(text))`` for a number with a fraction; ``errors="coerce"`` in pandas.
    """

    code = "python.bad-conversion"
    library = "python"
    exceptions = ("ValueError", "TypeError", "JSONDecodeError", "OverflowError")
    order = 50
    CRASHES = [
        ("", "int('3.5')", "ValueError"),
        ("", "float('n/a')", "ValueError"),
        ("import json", "json.loads(\"{'a': 1}\")", "JSONDecodeError"),
        ("", "int(None)", "TypeError"),
        ("v = ['1', 'x']", "[int(s) for s in v]", "ValueError"),
        ("", "list(map(float, '1,2,?'.split(',')))", "ValueError"),
        ("", "int([1])", "TypeError"),
        ("", "int(float('inf'))", "OverflowError"),
        ("", "chr(-1)", "ValueError"),
        ("", "bytes.fromhex('zz')", "ValueError"),
        ("from datetime import datetime", "datetime.strptime('2024-13-01', '%Y-%m-%d')", "ValueError"),
        ("", "complex('a')", "ValueError"),
    ]
    RUNS = [
        ("", "int(' 42 ')"),
        ("", "float('nan')"),
        ("", "int('ff', 16)"),
        ("import json", "json.loads('[1]')"),
        ("", "int(3.9)"),
        ("", "float('1_000')"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        key = event.key or ""
        return event.op == "call" and key.startswith(
            (
                "builtins.int",
                "builtins.float",
                "builtins.complex",
                "builtins.chr",
                "builtins.bytes",
                "json.",
                "datetime.",
                "_strptime",
            )
        )

    def explain(self, event: Any, error: BaseException) -> str:
        given = event.args[0] if event.args else None
        text = short(given.obj) if given is not None and given.exact else "the value"
        return f"{text} does not have the form that {(event.key or '').rpartition('.')[2]} takes: {error}."
