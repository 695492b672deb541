"""What is known of calls that change a value in place, by the family of the value's type.

A method counts as a sure change only for a receiver of a family listed here; the same name on an unknown type is a
possible change.
"""

from __future__ import annotations

_SEQUENCE = frozenset(("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"))
_MAPPING = frozenset(("update", "setdefault", "pop", "popitem", "clear"))
_SET = frozenset(
    ("add", "discard", "remove", "pop", "clear", "update", "difference_update", "intersection_update")
    + ("symmetric_difference_update",)
)
_QUEUE = _SEQUENCE | frozenset(("appendleft", "popleft", "extendleft", "rotate"))
_FRAME = frozenset(("insert", "pop", "update"))
_ARRAY = frozenset(("fill", "sort", "resize", "partition", "put", "itemset", "setflags", "setfield", "byteswap"))
_ESTIMATOR = frozenset(("fit", "partial_fit", "fit_transform", "fit_predict", "fit_resample", "set_params", "compile"))
_TORCH = frozenset(
    ("train", "eval", "load_state_dict", "zero_grad", "step", "add_module", "register_buffer", "apply", "backward")
    + ("register_parameter", "append", "extend", "insert")
)
_KERAS = frozenset(
    ("fit", "compile", "build", "add", "pop", "adapt", "load_weights", "set_weights", "train_on_batch", "fit_generator")
    + ("assign", "assign_add", "assign_sub", "assign_add", "reset_states", "reset_state", "update_state")
)
_ITERATOR = frozenset(("send", "throw", "close", "read", "readline", "readlines", "write", "seek", "next", "__next__"))

_BY_TYPE = {
    "list": _SEQUENCE,
    "bytearray": _SEQUENCE,
    "dict": _MAPPING,
    "collections.OrderedDict": _MAPPING | {"move_to_end"},
    "collections.defaultdict": _MAPPING,
    "collections.Counter": _MAPPING | {"subtract"},
    "set": _SET,
    "collections.deque": _QUEUE,
}
_BY_LIBRARY = {
    "pandas": _FRAME,
    "numpy": _ARRAY,
    "sklearn": _ESTIMATOR,
    "imblearn": _ESTIMATOR,
    "xgboost": _ESTIMATOR | {"load_model"},
    "lightgbm": _ESTIMATOR,
    "catboost": _ESTIMATOR,
    "category_encoders": _ESTIMATOR,
    "torch": _TORCH,
    "torchvision": _TORCH,
    "keras": _KERAS,
    "tensorflow": _KERAS,
    "tf_keras": _KERAS,
}
_ANY = frozenset().union(*_BY_TYPE.values(), *_BY_LIBRARY.values(), _ITERATOR)

RETURNS_NONE = (_SEQUENCE - {"pop"}) | {"add", "discard", "update", "shuffle", "show", "info"}
"""Methods that change their receiver and return None; with ``inplace=True`` every pandas method does."""

METADATA_SHOWS = frozenset(
    (
        "drop",
        "dropna",
        "drop_duplicates",
        "rename",
        "reset_index",
        "set_index",
        "set_axis",
        "rename_axis",
        "insert",
        "pop",
    )
)
"""In-place frame methods whose effect always shows in labels or shape: no difference there means no change."""

CHANGES_ARGUMENT = {
    "shuffle": 0,
    "heappush": 0,
    "heappop": 0,
    "heapify": 0,
    "heappushpop": 0,
    "heapreplace": 0,
    "insort": 0,
    "insort_left": 0,
    "insort_right": 0,
    "setattr": 0,
    "delattr": 0,
    "next": 0,
    "copyto": 0,
    "fill_diagonal": 0,
    "putmask": 0,
    "place": 0,
}
"""Functions that change the argument at this position, by the last part of their name."""

_ITERATORS = frozenset(
    (
        "generator",
        "map",
        "zip",
        "filter",
        "enumerate",
        "reversed",
        "list_iterator",
        "tuple_iterator",
        "dict_keyiterator",
    )
    + ("range_iterator", "_io.TextIOWrapper", "_csv.reader", "csv.DictReader", "async_generator")
)


def changes_receiver(kind: str | None, method: str) -> bool | None:
    """Whether a method changes a receiver of the type ``kind``: True surely, False surely not or unheard of, None perhaps.

    ``kind`` is a type name as `stamps.type_name` gives it, or None when it is not known.
    """
    if kind is None:
        return None if method in _ANY or (method.endswith("_") and not method.startswith("_")) else False
    if kind in _BY_TYPE:
        return method in _BY_TYPE[kind]
    library = kind.partition(".")[0]
    if library == "torch" and method.endswith("_") and not method.startswith("_"):
        return True
    if library in _BY_LIBRARY:
        return method in _BY_LIBRARY[library]
    if is_iterator(kind):
        return True if method in _ITERATOR else None
    return None if "." not in kind or method in _ANY else False


def is_iterator(kind: str | None) -> bool:
    """True for values that a loop over them uses up."""
    return kind in _ITERATORS or (kind or "").rpartition(".")[2] in _ITERATORS or (kind or "").endswith("_iterator")
