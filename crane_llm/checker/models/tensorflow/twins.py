"""Copies of live Keras objects that the checker may wire, build and compile in place of the person's.

A layer knows its nodes, the nodes its tensors, and so on: the whole connected graph is copied at once. Variables, weights, initialisers
and functions are shared: nothing that runs in the :mod:`scene` assigns to them.
"""

from __future__ import annotations

import collections
import sys
import types
from typing import Any

from ...purity.libraries import finalizes, is_library_type, is_user_function
from ...shadows import shadow_of
from ...values import ATOMS, Abandon

LIMIT = 60_000  # objects of one graph
_DROPPED = frozenset({"train_function", "test_function", "predict_function", "_eval_epoch_iterator", "history"})
_SHARED_CONTAINERS = frozenset({"_compile_config", "_auto_config", "_build_shapes_dict"})


def keras_class(name: str) -> Any:
    """A class of Keras by ``module:name``; None where it is not loaded."""
    module, _, attribute = name.partition(":")
    return getattr(sys.modules.get(module), attribute, None)


def graph_classes() -> tuple[type, ...]:
    """Classes whose instances belong to a graph and hold state that building changes."""
    names = (
        "keras.src.ops.operation:Operation",
        "keras.src.ops.node:Node",
        "keras.src.ops.symbolic_arguments:SymbolicArguments",
        "keras.src.backend.common.keras_tensor:KerasTensor",
        "keras.src.utils.tracking:Tracker",
        "keras.src.metrics.metric:Metric",
        "keras.src.losses.loss:Loss",
        "keras.src.trainers.compile_utils:CompileMetrics",
        "keras.src.trainers.compile_utils:MetricsList",
    )
    return tuple(cls for cls in map(keras_class, names) if cls is not None)


class Optimizer:
    """Stands for an optimizer in a copied model; the contract of fitting asks it nothing but that it is there."""

    built = True


class Copier:
    """Copies one connected graph. ``made`` maps the id of each original to (original, copy)."""

    def __init__(self, interpreter: Any = None) -> None:
        self.interpreter = interpreter
        self.made: dict[int, tuple[Any, Any]] = {}
        self._queue: list[tuple[Any, Any]] = []
        self._trackers: list[Any] = []
        self._classes = graph_classes()
        self._tracked = tuple(
            c for c in (keras_class("keras.src.utils.tracking:Tracked" + n) for n in ("List", "Dict", "Set")) if c
        )
        self._operation = keras_class("keras.src.ops.operation:Operation")

    def copy(self, root: Any) -> Any:
        """The copy of ``root``; raises :class:`Abandon` where the graph is too large."""
        twin = self._shell(root)
        while self._queue:
            self._fill(*self._queue.pop())
        for tracker in self._trackers:  # trackers know what they hold by its address
            vars(tracker)["stored_ids"] = {
                name: {id(item) for item in store} for name, (_, store) in tracker.config.items()
            }
        self._trackers.clear()
        return twin

    def _shell(self, obj: Any) -> Any:
        kind = type(obj)
        if kind in ATOMS or isinstance(
            obj, (type, types.FunctionType, types.MethodType, types.ModuleType, types.BuiltinFunctionType)
        ):
            return (
                self._method(obj)
                if kind is types.MethodType
                else self._function(obj)
                if kind is types.FunctionType
                else obj
            )
        known = self.made.get(id(obj))
        if known is not None:
            return known[1]
        if kind is tuple:
            return tuple(self._shell(item) for item in obj)
        if isinstance(obj, tuple):
            return kind(*(self._shell(item) for item in obj)) if hasattr(kind, "_fields") else obj
        if kind in (list, dict, set, collections.OrderedDict) or kind in self._tracked:
            twin: Any = kind.__new__(kind)  # type: ignore[call-overload]
        elif kind is collections.defaultdict:
            twin = collections.defaultdict(obj.default_factory)
        elif isinstance(obj, self._classes):
            twin = self._instance(obj, kind)
        else:
            return obj
        if len(self.made) > LIMIT:
            raise Abandon("a network too large to copy")
        self.made[id(obj)] = (obj, twin)
        self._queue.append((obj, twin))
        return twin

    def _method(self, method: Any) -> Any:
        owner = self.made.get(id(method.__self__))
        return types.MethodType(method.__func__, owner[1]) if owner is not None else method

    def _function(self, func: Any) -> Any:
        """The interpreted function in place of a live one of the notebook, where its source is to be had."""
        if self.interpreter is None or not is_user_function(func):
            return func
        try:
            return self.interpreter.function_of(func)
        except Abandon:
            return func

    def _instance(self, obj: Any, kind: type) -> Any:
        if finalizes(kind):
            raise Abandon("a copy would run the notebook's code when it goes")
        if self.interpreter is not None and not is_library_type(kind):
            kind = shadow_of(self.interpreter, kind)
        if (
            self._operation is not None
            and isinstance(obj, self._operation)
            and (hasattr(obj, "_layers") or not getattr(obj, "built", True))
        ):
            return kind.__new__(kind)  # type: ignore[call-overload]  # wraps ``build`` for the new instance
        return object.__new__(kind)

    def _fill(self, obj: Any, twin: Any) -> None:
        if isinstance(obj, (list, dict, set)):
            return self._fill_container(obj, twin)
        own = vars(twin)
        wrapped = own.get("build")
        for name, value in vars(obj).items():
            if name in _DROPPED:
                own[name] = None
                if value is not None and name.endswith("_function"):
                    own["_crane_functions"] = (*own.get("_crane_functions", ()), name)
            elif name == "build" or name == "quantize":
                continue
            elif name == "optimizer" or name == "_optimizer":
                own[name] = None if value is None else Optimizer()
            elif name in ("_crane_functions", "_crane_traced"):
                own[name] = type(value)((*own.get(name, ()), *value))
            elif name in _SHARED_CONTAINERS:
                own[name] = value
            elif name == "stored_ids":
                self._trackers.append(twin)
            else:
                own[name] = self._shell(value)
        if wrapped is not None:
            own["build"] = wrapped
        return None

    def _fill_container(self, obj: Any, twin: Any) -> None:
        if isinstance(obj, self._tracked):
            twin.tracker = self._shell(obj.tracker)
        if isinstance(obj, list):
            list.extend(twin, [self._shell(item) for item in list.__iter__(obj)])
        elif isinstance(obj, dict):
            for key, value in dict.items(obj):
                dict.__setitem__(twin, key, self._shell(value))
        else:
            for item in set.__iter__(obj):
                set.add(twin, self._shell(item))


def has_own_code(obj: Any) -> bool:
    """Whether a graph object is of a class that the notebook defines."""
    return not str(type(obj).__module__).startswith("keras.")
