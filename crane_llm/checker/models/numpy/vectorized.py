"""Functions that ``numpy.vectorize`` makes of the notebook's: called for real over the interpreted original."""

from __future__ import annotations

from typing import Any

from ...callbacks import vectorized_anew
from ...calls import Call
from ...purity.lists import data_costs
from ...purity.registry import Pure
from ...values import Value

_ELEMENTWISE = Pure(cost=data_costs.passes(60))


def _vectorized(interpreter: Any, call: Any) -> Value | None:
    data = [value.obj for value in (*call.args, *call.kwargs.values()) if value.exact]
    anew = vectorized_anew(interpreter, call.func, data)
    made: Value | None = interpreter.pure_call(
        Call(interpreter, anew, call.args, call.kwargs, call.node, call.complete), _ELEMENTWISE
    )
    return made


MODELS = {"numpy.vectorize.__call__": _vectorized, "numpy.lib.function_base.vectorize.__call__": _vectorized}
