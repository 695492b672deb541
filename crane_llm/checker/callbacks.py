"""Functions of the notebook that library code is given to call: replaced by ones that are interpreted when they are called.

A function is replaced where it can be seen: as an argument, in a short list, tuple or dict, as a method, behind a partial object or a
vectorised function. What library code would find anywhere else is the person's own function, and would really run:
``Survey.live`` says whether there is such a one.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from .prove import real_function
from .purity.libraries import is_user_function

MOST = 100  # elements of a container that is looked through


def interpreted(interpreter: Any, obj: Any, data: list[Any] | None = None) -> Any:
    """``obj`` with the notebook's functions in it replaced by interpreted ones (or proven pure ones, where ``data`` is large)."""
    kind = type(obj)
    if is_user_function(obj) or kind.__name__ == "InterpretedFunction":
        func = interpreter.function_of(obj) if is_user_function(obj) else obj
        return func if data is None else real_function(interpreter, func, data)
    if kind is types.MethodType and is_user_function(obj.__func__):
        return types.MethodType(interpreter.function_of(obj.__func__), obj.__self__)
    if kind in (list, tuple) and len(obj) <= MOST:
        items = [interpreted(interpreter, item, data) for item in obj]
        return items if kind is list else tuple(items)
    if kind is dict and len(obj) <= MOST:
        return {key: interpreted(interpreter, item, data) for key, item in obj.items()}
    if kind is functools.partial and len(obj.args) + len(obj.keywords) <= MOST:
        # Its arguments come on top of what is given later: the body cannot be proven for the data alone.
        args = [interpreted(interpreter, part) for part in obj.args]
        named = {name: interpreted(interpreter, part) for name, part in obj.keywords.items()}
        return functools.partial(interpreted(interpreter, obj.func), *args, **named)
    if is_vectorized(obj):
        return vectorized_anew(interpreter, obj, data)
    return obj


def is_vectorized(obj: Any) -> bool:
    """Whether ``obj`` is a function that ``numpy.vectorize`` made."""
    kind = type(obj)
    return kind.__name__ == "vectorize" and kind.__module__ in ("numpy", "numpy.lib.function_base")


def vectorized_anew(interpreter: Any, obj: Any, data: list[Any] | None = None) -> Any:
    """A vectorised function over the interpreted original; what the first one has kept of earlier calls is not shared."""
    kept = vars(obj)
    return type(obj)(
        interpreted(interpreter, kept["pyfunc"], data),
        otypes=kept["otypes"],
        excluded=set(kept["excluded"]),
        cache=kept["cache"],
        signature=kept["signature"],
    )
