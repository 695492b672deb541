"""The first batches of the notebook's own sequences and generators, taken in by Keras' own adapters.

Keras asks for two batches before it trains. What the notebook's code raises there passes through as it is; what the batches look like
becomes the signature of all batches, and TensorFlow refuses some signatures. The notebook's code is interpreted, Keras' is run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ...effects import disturb_by_code
from ...generators import Generator
from ...purity.libraries import is_library_type
from ...values import ATOMS, Abandon, Raised, Value, exact, is_a
from ...watch import run_watched
from .data import Batch, adapter_of, arrays, is_py_dataset, of_structure
from .graph import run
from .twins import keras_class

SECONDS = 0.2  # that TensorFlow may take to look at a signature
_BASE = "keras.src.trainers.data_adapters.py_dataset_adapter:PyDataset"


def own_source(obj: Any) -> bool:
    """Whether ``obj`` gives batches by running the notebook's code: one of its sequences, or a generator that can be followed."""
    return is_a(obj, Generator) or is_py_dataset(obj) and not is_library_type(type(obj))


def batch_of_source(interpreter: Any, event: Any, x: Any, **given: Any) -> Batch:
    """What the batches of the notebook's own source look like; raises what it raises, and what Keras raises for what it gives."""
    if is_a(x, Generator) and x.lost:
        raise Abandon("a generator that may have been advanced before")
    source = _Source(interpreter, event, x)
    driver = source.generator() if is_a(x, Generator) else source.sequence()
    try:
        adapter = adapter_of(interpreter, event, driver, **given)
        if not is_a(x, Generator):
            run(interpreter, event, lambda: source.look(adapter))
        run(interpreter, event, lambda: _sign(adapter))
    except Raised as raised:
        if source.vague and raised.event is event:  # its words show values that are not known
            raise Abandon("an error about batches that are not known in full") from None
        raise
    batch = of_structure(adapter._output_signature)
    batch.first, batch.adapter = source.rows(), adapter
    return batch


def begin_epoch(interpreter: Any, event: Any, model: Any, name: str, batch: Batch) -> None:
    """What Keras calls on a sequence before the first step of an epoch; which hooks, depends on the version."""
    from .domain import unwrapped

    adapter = batch.adapter
    hooks = []
    if "reset" in unwrapped(getattr(type(model), name)).__code__.co_names:
        hooks.append("on_epoch_end")
    hooks.append("on_epoch_begin")
    for hook in hooks if adapter is not None else ():
        try:
            run(interpreter, event, getattr(adapter, hook, lambda: None))
        except Abandon as reason:  # all that matters of it here is whether it raises
            interpreter.lose(event.node, str(reason))


class _Source:
    """Asks the notebook's code for batches, by way of the interpreter."""

    def __init__(self, interpreter: Any, event: Any, x: Any) -> None:
        self.interpreter = interpreter
        self.event = event
        self.x = x
        self.taken: dict[int, Any] = {}
        self.vague = False  # whether a batch holds stand-ins

    def generator(self) -> Iterator[Any]:
        """A generator of ours that is advanced as Keras advances the notebook's."""
        self.x.frame.call_node = self.event.node
        while True:
            item = self._asked(lambda: self.x.resume(exact(None)))
            if item is None:
                return
            made = self.taken[len(self.taken)] = self._plain(item)
            yield made

    def sequence(self) -> Any:
        """A sequence of Keras' own class that asks the notebook's."""
        base: Any = keras_class(_BASE)
        body: dict[str, Any] = {}
        for name in ("__getitem__", "__len__", "on_epoch_begin", "on_epoch_end"):
            method = self._method(name, base)
            if method is not None:
                body[name] = self._passed_on(method)
        found = self.interpreter.type_attribute(exact(self.x), "num_batches")
        if found is not vars(base)["num_batches"]:
            raise Abandon("a number of batches that is told in another way")
        return type(base.__name__, (base,), body)()

    def _method(self, name: str, base: Any) -> Any:
        method = self.interpreter.type_attribute(exact(self.x), name)
        if method is None or method is vars(base).get(name):
            return None
        if not self.interpreter.is_interpretable(method):
            raise Abandon("a sequence whose code is not followed")
        return method

    def _passed_on(self, method: Any) -> Any:
        def asked(_: Any, *args: Any) -> Any:
            if args and args[0] in self.taken:
                return self.taken[args[0]]
            owner, values = self.interpreter.heap.wrap(self.x), [exact(arg) for arg in args]
            value = self._asked(
                lambda: self.interpreter.call_value(exact(method), [owner, *values], {}, self.event.node)
            )
            made = self._plain(value)
            if args:
                self.taken[args[0]] = made
            return made

        return asked

    def look(self, adapter: Any) -> None:
        """Take the first batches as Keras does, one after the other, so that the rest of its work asks for nothing new."""
        utils = sys.modules["keras.src.trainers.data_adapters.data_adapter_utils"]
        count = adapter.num_batches
        if count is None:
            raise Abandon("a sequence without an end")
        for index in range(min(count, utils.NUM_BATCHES_FOR_TENSOR_SPEC)):
            adapter._standardize_batch(adapter.py_dataset[index])

    def rows(self) -> int | None:
        """The number of rows of the first batch, where there is one number."""
        tree = sys.modules["keras.src.tree"]
        first = self.taken.get(0)
        leaves = tree.flatten(first[0] if is_a(first, (tuple, list)) and first else first)
        sizes = {leaf.shape[0] for leaf in leaves if getattr(leaf, "shape", ())}
        return int(sizes.pop()) if len(sizes) == 1 else None

    def _asked(self, thunk: Any) -> Any:
        """``thunk`` walks the notebook's code: what that raises, library code gets to see as the exception itself."""
        try:
            return thunk()
        except Raised as raised:
            if raised.error is None:
                raise Abandon("an exception that is not known") from None
            self.interpreter.callback_events[id(raised.error)] = raised.event
            raise raised.error from None

    def _plain(self, value: Value) -> Any:
        made = arrays(self.interpreter, value)
        self.vague = self.vague or _has_standin(made)
        return made


def _has_standin(obj: Any) -> bool:
    if is_a(obj, (list, tuple)):
        return any(map(_has_standin, obj))
    if is_a(obj, dict):
        return any(map(_has_standin, obj.values()))
    return type(obj) not in ATOMS and getattr(obj, "size", 0) != 1 and 0 in (getattr(obj, "strides", None) or ())


def _sign(adapter: Any) -> None:
    """Let the adapter make its dataset, up to where TensorFlow has accepted the signature and begins to work."""

    def works(frame: Any) -> bool:
        return frame.f_code.co_name == "__init__" and type(frame.f_locals.get("self")).__name__ == "_GeneratorState"

    if run_watched(adapter.get_tf_dataset, SECONDS, works).finished or adapter._output_signature is None:
        raise Abandon("a signature that was not looked at")


def used(interpreter: Any, x: Any) -> None:
    """Training, testing or predicting with ``x`` may have run any of its code, any number of times."""
    if is_a(x, Generator):
        x.give_up()
    elif own_source(x):
        interpreter.heap.soil([x], link=False)
        disturb_by_code(interpreter, [x])
        interpreter.world.disturb()


__all__ = ["batch_of_source", "begin_epoch", "own_source", "used"]
