"""Real Keras objects as the checker handles them: from values to objects and back, run in the scene, copied before they are changed."""

from __future__ import annotations

import types
from typing import Any, Callable

from ...purity.libraries import is_library_type, is_user_function
from ...shadows import followed
from ...values import ATOMS, PARTIAL, Abandon, Hole, OutOfBudget, Raised, Value, exact, partial, unknown
from .scene import keras_ready, scene_of
from .twins import Copier, Optimizer, keras_class

DEPTH = 6
# What only the checker's way of building can raise: never a finding.
_OURS = ("stateless scope", "symbolic scope", "__crane", "Interpreted", "is out of scope", "symbolic `tf.Tensor`")


def is_graph_object(obj: Any) -> bool:
    """Whether ``obj`` is a layer, a model, an operation or a symbolic tensor of Keras 3."""
    operation, tensor = (
        keras_class("keras.src.ops.operation:Operation"),
        keras_class("keras.src.backend.common.keras_tensor:KerasTensor"),
    )
    return operation is not None and isinstance(obj, (operation, tensor)) or is_graph_tensor(obj)


def is_graph_tensor(obj: Any) -> bool:
    """Whether ``obj`` is a tensor of a TensorFlow graph that is being traced."""
    return type(obj).__name__ == "SymbolicTensor" and type(obj).__module__ == "tensorflow.python.framework.ops"


def is_tensor(obj: Any) -> bool:
    """Whether ``obj`` is a symbolic tensor, of Keras or of a graph that is being traced."""
    if is_graph_tensor(obj):
        return True
    cls = keras_class("keras.src.backend.common.keras_tensor:KerasTensor")
    return cls is not None and isinstance(obj, cls)


def is_layer(obj: Any) -> bool:
    cls = keras_class("keras.src.layers.layer:Layer")
    return cls is not None and isinstance(obj, cls)


def is_model(obj: Any) -> bool:
    cls = keras_class("keras.src.models.model:Model")
    return cls is not None and isinstance(obj, cls)


def from_library(obj: Any) -> bool:
    """Whether the object's class is Keras' own."""
    return is_library_type(type(obj))


class Lowering:
    """Turns values into objects that Keras may be given, collecting the graph objects among them."""

    def __init__(self, interpreter: Any) -> None:
        self.interpreter = interpreter
        self.heap = interpreter.heap
        self.graph: list[Any] = []
        self.functions = False  # whether a function of the notebook is among them

    def value(self, value: Value, depth: int = 0) -> Any:
        if value.kind == PARTIAL and getattr(value.domain, "name", "") != "keras":
            raise Abandon("a stand-in of another library is given to Keras")
        if value.unknown:
            raise Abandon("an unknown value is given to Keras")
        return self.object(self.heap.resolve(value.obj), depth)

    def object(self, obj: Any, depth: int = 0) -> Any:
        kind = type(obj)
        if kind in ATOMS:
            return obj
        if kind is Hole or depth > DEPTH or self.heap.is_dirty(obj):
            raise Abandon("an unknown value is given to Keras")
        obj = self.heap.resolve(obj)
        if is_graph_object(obj):
            self.graph.append(obj)
            return obj
        if kind in (list, tuple):
            return kind(self.object(item, depth + 1) for item in obj)
        if kind is dict:
            return {key: self.object(item, depth + 1) for key, item in obj.items()}
        if isinstance(obj, types.FunctionType) or getattr(kind, "__crane_callable__", False):
            if getattr(kind, "__crane_callable__", False):
                self.functions = True
                return obj
            if is_user_function(obj):
                self.functions = True
                return self.interpreter.function_of(obj)
            return obj
        if isinstance(obj, type):
            if not is_library_type(obj):
                raise Abandon("a class of the notebook is given to Keras")
            return obj
        if not is_library_type(kind):
            from .notebook import derivable

            if not derivable(kind) or not followed(obj) or not self.heap.made(obj):
                raise Abandon("an object of the notebook's own class is given to Keras")
        return obj


def run(interpreter: Any, event: Any, thunk: Callable[[], Any]) -> Any:
    """``thunk`` in the scene. Raises :class:`Raised` for what Keras itself raises and :class:`Abandon` for what only the scene raises."""
    if not keras_ready():
        raise Abandon("Keras does not run on TensorFlow here")
    try:
        from ...quiet import imports_blocked

        with imports_blocked(), scene_of(interpreter).enter():
            return thunk()
    except (Abandon, OutOfBudget, Raised, KeyboardInterrupt, SystemExit):
        raise
    except (RecursionError, MemoryError):
        raise Abandon("a limit of this process, not of the cell") from None
    except BaseException as error:
        if unfaithful(error):
            raise Abandon("an error of the checker's own way of building") from None
        event.mechanism = "Keras call without weights"
        raise interpreter.fail(error, event) from None


def unfaithful(error: BaseException) -> bool:
    """Whether an error may come from the scene, not from the person's code."""
    text = str(error)
    if any(words in text for words in _OURS):
        return True
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.endswith(("common/variables.py", "common\\variables.py")) and code.co_name in (
            "__init__",
            "_deferred_initialize",
        ):
            if "dimension" not in text:
                return True
        trace = trace.tb_next
    return False


def writable(interpreter: Any, objects: list[Any]) -> dict[int, Any]:
    """Make every graph object owned: those that are not are copied with the graphs they belong to. Returns id of original → object."""
    heap = interpreter.heap
    out: dict[int, Any] = {}
    copier = Copier(interpreter)
    for obj in objects:
        current = heap.resolve(obj)
        if heap.owns(current):
            out[id(obj)] = current
            continue
        if not interpreter.budget.affords(0.02):
            raise Abandon("no time to copy a network")
        out[id(obj)] = copier.copy(current)
    _replace(interpreter, copier)
    return out


def _replace(interpreter: Any, copier: Copier) -> None:
    heap = interpreter.heap
    for original, twin in list(copier.made.values()):
        if is_graph_object(original):
            heap.replace(original, twin)
            register(interpreter, twin, (original,))
        else:
            heap.own(twin)


def register(interpreter: Any, obj: Any, reach: tuple[Any, ...] = ()) -> Value:
    """``obj``, a graph object of ours, as a stand-in that is recognised wherever it is found."""
    from .domain import KERAS

    heap = interpreter.heap
    heap.own(obj)
    value = partial(obj, KERAS, type(obj), reach)
    heap.standins[id(obj)] = value
    return value


def wrap(interpreter: Any, obj: Any, reach: tuple[Any, ...] = (), depth: int = 0) -> Value:
    """A result of Keras as a value."""
    kind = type(obj)
    heap = interpreter.heap
    if kind in ATOMS:
        return exact(obj)
    if is_graph_object(obj):
        known = heap.standins.get(id(obj))
        return known if known is not None and known.obj is obj else register(interpreter, obj, reach)
    if depth < DEPTH and len(obj) < 2_000 if kind in (list, tuple, dict) else False:
        if kind is dict:
            return heap.own({key: heap.lower(wrap(interpreter, item, reach, depth + 1)) for key, item in obj.items()})
        items = [heap.lower(wrap(interpreter, item, reach, depth + 1)) for item in obj]
        return exact(tuple(items)) if kind is tuple else heap.own(items)
    if kind.__name__ in ("TensorShape", "DType") and kind.__module__.startswith("tensorflow."):
        return exact(obj)
    if kind.__name__ == "Variable" and kind.__module__.startswith("keras.src.backend"):
        return heap.own(obj)
    return unknown(kind if kind is not Optimizer else None, reach)


def mapped(obj: Any, table: dict[int, Any], depth: int = 0) -> Any:
    """``obj`` with every graph object replaced by the owned one."""
    if id(obj) in table:
        return table[id(obj)]
    kind = type(obj)
    if depth <= DEPTH:
        if kind in (list, tuple):
            return kind(mapped(item, table, depth + 1) for item in obj)
        if kind is dict:
            return {key: mapped(item, table, depth + 1) for key, item in obj.items()}
    return obj
