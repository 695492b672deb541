"""What the interpreter was doing when something raised; rules read it to name, explain and mend a crash."""

from __future__ import annotations

import ast
from typing import Any


class Event:
    """One operation: ``op`` is name | attribute | item | call | binary | unary | compare | iterate | unpack | import | raise | assert |
    store | delete | truth | format | bind; ``key`` the callable's key; ``operands`` its values (receiver or callee's self first)."""

    __slots__ = (
        "op",
        "node",
        "key",
        "name",
        "operands",
        "args",
        "kwargs",
        "scope_name",
        "mechanism",
        "outer",
        "interpreter",
    )

    def __init__(self, op: str, node: ast.AST | None, interpreter: Any = None, **details: Any) -> None:
        self.op = op
        self.node = node
        self.interpreter = interpreter
        self.key: str | None = details.get("key")
        self.name: str | None = details.get("name")
        self.operands: list[Any] = details.get("operands", [])
        self.args: list[Any] = details.get("args", [])
        self.kwargs: dict[str, Any] = details.get("kwargs", {})
        self.mechanism: str = details.get("mechanism", op)
        self.outer: ast.AST | None = None
        self.scope_name: str | None = None
