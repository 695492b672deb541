from __future__ import annotations

from typing import Any

from ..base import Rule


class AbstractClass(Rule):
    """An object is made of a class that leaves methods open.

    A class with abstract methods is a plan: only subclasses that define all of them can have instances.

    Example: ``class Shape(ABC)`` with ``@abstractmethod def area`` and then ``Shape()``.

    Fix: make a subclass that defines the methods named in the message.
    """

    code = "python.abstract-class"
    library = "python"
    exceptions = ("TypeError",)
    order = 30
    _SETUP = "from abc import ABC, abstractmethod\nclass Shape(ABC):\n    @abstractmethod\n    def area(self):\n        ...\n"
    CRASHES = [
        (_SETUP, "Shape()", "TypeError"),
        (_SETUP + "class Square(Shape):\n    pass", "Square()", "TypeError"),
        (_SETUP + "class Square(Shape):\n    def __init__(self, n):\n        self.n = n", "Square(2)", "TypeError"),
        (_SETUP + "def make():\n    return Shape()", "make()", "TypeError"),
        (_SETUP, "[Shape() for _ in range(2)]", "TypeError"),
    ]
    RUNS = [
        (_SETUP + "class Square(Shape):\n    def area(self):\n        return 1", "Square().area()"),
        (_SETUP, "Shape.__name__"),
        ("from abc import ABC\nclass Free(ABC):\n    pass", "Free()"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        return "instantiate abstract class" in str(error)

    def explain(self, event: Any, error: BaseException) -> str:
        return f"The class leaves methods open that a subclass must define: {error}."
