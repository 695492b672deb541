"""Cross-validation splitters: their folds, computed when the first is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ...purity.libraries import is_library_type
from ...streams import Stream
from ...values import Abandon, Value, exact
from .runs import data_size

MOST_ROWS = 50_000
MOST_FOLDS = 200


def handle_split(interp: Any, call: Any) -> Value | None:
    """``splitter.split(X, y, groups)``: like the real one it validates at the first fold, not at the call."""
    splitter = call.receiver
    if splitter is None or isinstance(splitter, type) or not is_library_type(type(splitter)) or not call.exact:
        return None
    args = [interp.heap.lower(value) for value in call.args]
    kwargs = {name: interp.heap.lower(value) for name, value in call.kwargs.items()}
    survey = interp.surveyor.look([splitter, *args, *kwargs.values()])
    if survey.opaque or survey.callbacks or survey.domains or not args:
        return None
    if data_size(args[0]) > 20_000_000 or _rows(args[0]) > MOST_ROWS:
        return None
    drawn = vars(splitter).get("random_state", 0) is None and vars(splitter).get("shuffle", True)
    if drawn and not interp.world.random:
        return None

    def folds() -> Iterator[Value]:
        if drawn:
            interp.world.drawn += 1
        for number, fold in enumerate(interp.quiet_call(call.event, lambda: _few(call.func(*args, **kwargs)))):
            if number >= MOST_FOLDS:
                raise Abandon("many folds")
            yield exact(fold)

    return exact(Stream("generator", folds))


def _few(folds: Any) -> list[Any]:
    made = []
    for fold in folds:
        made.append(fold)
        if len(made) > MOST_FOLDS:
            break
    return made


def _rows(data: Any) -> int:
    shape = getattr(data, "shape", None)
    if shape:
        return int(shape[0])
    return len(data) if isinstance(data, (list, tuple)) else sys.maxsize


_CLASSES = (
    "_BaseKFold KFold StratifiedKFold GroupKFold StratifiedGroupKFold TimeSeriesSplit BaseShuffleSplit ShuffleSplit StratifiedShuffleSplit "
    "GroupShuffleSplit LeaveOneOut LeavePOut LeaveOneGroupOut LeavePGroupsOut _RepeatedSplits _UnsupportedGroupCVMixin BaseCrossValidator "
    "_UnsupportedGroupCVMixin GroupsConsumerMixin"
).split()
SPLIT_MODELS: dict[str, Any] = {f"sklearn.model_selection._split.{name}.split": handle_split for name in _CLASSES}
