"""Small frames and series of a few rows that stand for ones that are too large, or not known, and what may be concluded from them.

A conclusion about labels (columns, the names of the index) is drawn only where the operation takes them from the labels it is given;
an error is believed only where labels decide it, and only when samples of every height raise it in the same words.
"""

from __future__ import annotations

from typing import Any

from ...purity.libraries import is_user_function
from ...quiet import imports_blocked
from ...readers import undisturbed_copy
from ...values import Value
from .kinds import is_frame, is_series, pandas, size

LARGE_BYTES = 2_000_000
LARGE_ROWS = 20_000
ROWS = 3
_BY_LABELS = (
    "cannot insert ",
    "columns overlap but no suffix specified",
    "No common columns to perform merge on",
    "Length mismatch: Expected axis has",
)


class NotPlain(Exception):
    """An argument is not known well enough to be used on a sample."""


def is_large(obj: Any) -> bool:
    """Whether a frame or series is worth a stand-in."""
    if is_frame(obj):
        return len(obj.columns) < 5_000 and (len(obj) > LARGE_ROWS or size(obj) > LARGE_BYTES)
    return is_series(obj) and len(obj) > LARGE_ROWS


def sample_of(value: Value) -> Any:
    """A few rows that stand for an exact frame or series, or for a stand-in."""
    return value.obj if value.kind == "partial" else undisturbed_copy(value.obj, False).iloc[:ROWS].copy()


def cut(sample: Any, rows: int) -> Any:
    """A lower witness of the same labels."""
    return sample.iloc[:rows]


def confirmed(interpreter: Any, event: Any, action: Any, believe: Any = None) -> Any:
    """``action(rows)`` for the tallest witnesses; raises the error that witnesses of every height raise alike, None for any other.

    ``believe(error)`` says which errors do not depend on values, beside those that labels decide.
    """
    try:
        with imports_blocked():
            return action(ROWS)
    except Exception as error:
        if not (_labels_decide(error) or believe is not None and believe(error)):
            return None
        for rows in (1, 2):
            try:
                with imports_blocked():
                    action(rows)
            except Exception as other:
                if type(other) is not type(error) or str(other) != str(error):
                    return None
            else:
                return None
        raise interpreter.fail(error, event) from None


def _labels_decide(error: Exception) -> bool:
    return isinstance(error, (KeyError, AttributeError)) or (
        isinstance(error, ValueError) and str(error).startswith(_BY_LABELS)
    )


def filled(sample: Any) -> Any:
    """One row of placeholders with the labels of ``sample``, a frame or series."""
    pd = pandas()
    names = list(sample.index.names)
    index = (
        pd.MultiIndex.from_tuples([(0,) * len(names)], names=names) if len(names) > 1 else pd.Index([0], name=names[0])
    )
    if is_series(sample):
        return pd.Series([0.0], index=index, name=sample.name)
    return pd.DataFrame(0.0, index=index, columns=sample.columns)


def argument(interpreter: Any, value: Value, functions: list[Any] | None = None) -> Any:
    """The object to hand over for ``value`` with a sample; where ``functions`` is given, functions of the notebook are replaced by ones
    of the same name that give a number, and noted there. Raises :class:`NotPlain`."""
    if value.kind == "partial" and value.domain.name == "pandas" and (is_frame(value.obj) or is_series(value.obj)):
        return value.obj
    if not value.exact:
        raise NotPlain
    obj = value.obj
    kind = type(obj)
    if is_frame(obj) or is_series(obj):
        return sample_of(value)
    if kind in (list, tuple) and len(obj) <= 200:
        return kind(argument(interpreter, interpreter.heap.wrap(item), functions) for item in obj)
    if kind is dict and len(obj) <= 200:
        return {key: argument(interpreter, interpreter.heap.wrap(item), functions) for key, item in obj.items()}
    if functions is not None and (is_user_function(obj) or getattr(kind, "__crane_callable__", False)):
        functions.append(obj)
        return _number(str(getattr(obj, "__name__", "<lambda>")))
    return _plain(interpreter, obj)


def _number(name: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> float:
        return 0.0

    function.__name__ = function.__qualname__ = name
    return function


def _plain(interpreter: Any, obj: Any) -> Any:
    survey = interpreter.surveyor.look([obj])
    if survey.opaque or survey.callbacks or survey.domains or survey.weight > 100_000:
        raise NotPlain
    return interpreter.heap.reading(obj)


def arguments(
    interpreter: Any, args: list[Value], kwargs: dict[str, Value], functions: list[Any] | None = None
) -> tuple[list[Any], dict[str, Any]]:
    """All arguments of a call, each as :func:`argument` gives it."""
    return [argument(interpreter, value, functions) for value in args], {
        name: argument(interpreter, value, functions) for name, value in kwargs.items()
    }
