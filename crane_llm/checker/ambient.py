"""The notebook's functions that libraries call of their own accord: formatters that a person set for printing, NumPy's error call-back.

They are given to the library as settings, not with a call, so no look at arguments shows them. While a check runs, an interpreted
function stands in the place of each.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from .purity.libraries import is_user_function


@contextlib.contextmanager
def interpreted_settings(interpreter: Any) -> Iterator[None]:
    """Inside, no library setting holds a function of the notebook."""
    with contextlib.ExitStack() as stack:
        if "pandas" in sys.modules:
            _options(
                interpreter, vars(sys.modules.get("pandas._config.config", contextlib)).get("_global_config"), stack
            )
        if "numpy" in sys.modules:
            _numpy(interpreter, sys.modules["numpy"], stack)
        yield


def _options(interpreter: Any, options: Any, stack: contextlib.ExitStack) -> None:
    """pandas keeps its options in nested dicts."""
    if type(options) is not dict:
        return
    for name, value in list(options.items()):
        if type(value) is dict:
            _options(interpreter, value, stack)
        elif is_user_function(value):
            options[name] = interpreter.function_of(value)
            stack.callback(options.__setitem__, name, value)


def _numpy(interpreter: Any, numpy: Any, stack: contextlib.ExitStack) -> None:
    kept = numpy.get_printoptions()
    formatter = kept.get("formatter")
    if type(formatter) is dict and any(map(is_user_function, formatter.values())):
        standing = {k: interpreter.function_of(f) if is_user_function(f) else f for k, f in formatter.items()}
        numpy.set_printoptions(formatter=standing)
        stack.callback(numpy.set_printoptions, **kept)
    called = numpy.geterrcall()
    if is_user_function(called):
        numpy.seterrcall(interpreter.function_of(called))
        stack.callback(numpy.seterrcall, called)
    elif called is not None:  # an object that is written to
        modes = numpy.geterr()
        numpy.seterr(**{kind: "ignore" if mode == "log" else mode for kind, mode in modes.items()})
        stack.callback(numpy.seterr, **modes)
