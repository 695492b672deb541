from __future__ import annotations

from typing import Any

from ..base import Rule
from ..words import nearest
from .shared import SETUP, object_of


class MissingAttribute(Rule):
    """A name is used that NumPy or its arrays do not have.

    It is misspelt, belongs to lists (``append``) or DataFrames (``head``), or was removed (``np.float``, ``np.bool``, ``np.product``).

    Example: ``x.append(3)``; ``np.float(1)``.

    Fix: ``np.append(x, 3)``; ``float`` or ``np.float64``; the name that the message gives.
    """

    code = "numpy.missing-attribute"
    library = "numpy"
    exceptions = ("AttributeError",)
    requires = ("numpy",)
    order = 24
    CRASHES = [
        (SETUP, "v.append(4)", "AttributeError"),
        (SETUP, "np.float(1)", "AttributeError"),
        (SETUP, "a.head()", "AttributeError"),
        (SETUP, "np.int", "AttributeError"),
        (SETUP, "v.length", "AttributeError"),
        (SETUP, "np.arrange(3)", "AttributeError"),
        (SETUP, "v.len()", "AttributeError"),
        (SETUP, "a.columns", "AttributeError"),
        (SETUP, "v[0].append(1)", "AttributeError"),
        (SETUP, "np.random.rnd(3)", "AttributeError"),
        (SETUP, "np.linalg.inverse(a)", "AttributeError"),
        (SETUP, "a.mean().shapes", "AttributeError"),
    ]
    RUNS = [
        (SETUP, "np.append(v, 4)\nnp.float64(1)"),
        (SETUP, "a.T\na.real\nv.size"),
        (SETUP, "hasattr(v, 'append')"),
        (SETUP, "np.random.rand(3)\nnp.linalg.norm(v)"),
    ]

    def claims(self, event: Any, error: BaseException) -> bool:
        obj = object_of(event)
        module = getattr(obj, "__name__", "") if type(obj).__name__ == "module" else ""
        return event.op == "attribute" and (
            str(type(obj).__module__) == "numpy" or str(module).partition(".")[0] == "numpy"
        )

    def explain(self, event: Any, error: BaseException) -> str:
        close = self._close(event)
        what = (
            "NumPy" if type(object_of(event)).__name__ == "module" else f"A {type(object_of(event)).__name__} of NumPy"
        )
        return f"{what} has no {event.name}" + (f"; the nearest name is {close}." if close else ".")

    def suggest(self, event: Any, error: BaseException) -> str | None:
        return self._close(event)

    @staticmethod
    def _close(event: Any) -> str | None:
        obj = object_of(event)
        name = event.name or ""
        if name in ("float", "int", "bool", "complex", "object", "str") and f"{name}_" in dir(obj):
            return f"{name}_"
        names = (
            list(vars(obj)) if type(obj).__name__ == "module" else [n for base in type(obj).__mro__ for n in vars(base)]
        )
        return nearest(name, [n for n in names if not n.startswith("_")], 0.7)
