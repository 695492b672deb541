"""PyTorch's Python code runs for real; what would compute is answered from shapes.

While a call is followed, a function mode stands between PyTorch's Python code and its kernels. Every operation reaches
:meth:`Engine.handle`: metadata and views are real (they cost nothing), small operations are real on twins, others are tried out with every
size renamed to a small one or answered by a shape rule. Nothing of the person's is written to. An operation that would fail is asked of
PyTorch again with tensors of the true shape, stride and dtype: only what that raises is raised.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator
from typing import Any

from ...values import Abandon
from . import names, shapes
from .arguments import in_range, joint, swap_all, tensors_in
from .contents import Contents
from .graph import Graph
from .kinds import REAL, Kinds
from .lazy import is_plain, torch_module, twin
from .modes import default_elsewhere, function_mode

_KEEPS = (
    names.VIEW
    | names.MAYBE_VIEW
    | names.FACTORY
    | names.NEW
    | frozenset(("to", "cpu", "__getitem__", "long", "int", "clone", "__get__"))
)


class Engine(Kinds):
    """One followed call."""

    def __init__(
        self, unknown: dict[int, Any] | None = None, graph: Graph | None = None, contents: Contents | None = None
    ) -> None:
        self.unknown = unknown if unknown is not None else {}  # stand-ins, by id: their values are not known
        self.made: dict[int, Any] = {}  # tensors that came out of operations
        self.known: dict[int, Any] = {}  # those of them whose values are the real ones
        self.written: list[Any] = []  # tensors that the call changes in place
        self.used: dict[int, Any] = {}  # tensors that require grad and went in
        self.drew = False
        self.unranged = (
            False  # an index or target went in whose numbers are not known: they may lie outside of the range
        )
        self.graph = graph if graph is not None else Graph()
        self.contents = contents if contents is not None else Contents()

    @contextlib.contextmanager
    def running(self, grad: bool) -> Iterator[None]:
        """Inside, PyTorch's operations come here; grad mode and random state are put back."""
        torch = torch_module()
        overrides = getattr(torch, "overrides", None)
        if overrides is None or not hasattr(overrides, "TorchFunctionMode") or default_elsewhere(torch):
            raise Abandon("this torch has no function modes")
        enabled, state = torch.is_grad_enabled(), torch.random.get_rng_state()
        threads = (
            torch.get_num_threads()
        )  # our operations are small: waiting for other threads would cost more than they do
        torch._C._set_grad_enabled(grad)
        torch.set_num_threads(1)
        try:
            with function_mode(torch)(self):
                yield
        finally:
            torch.set_num_threads(threads)
            torch._C._set_grad_enabled(enabled)
            torch.random.set_rng_state(state)

    # --- one operation -----------------------------------------------------------------------------

    def step(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One operation, and whether the values of its result are known."""
        made = self.handle(func, args, kwargs)
        name = getattr(func, "__name__", "") or ""
        given = list(tensors_in([args, kwargs]))
        sure = (
            name in _KEEPS
            and name not in names.RANDOM
            and not name.startswith("empty")
            and all(self.knows(t) for t in given)
        )
        results = list(tensors_in(made if isinstance(made, (tuple, list)) else [made]))
        if torch_module().is_grad_enabled():
            self.graph.record(name, given, results)
        self.contents.carry(name, given, results)
        for tensor in results:
            if any(tensor is other for other in given):
                continue
            self.made[id(tensor)] = tensor
            if sure and tensor.numel() <= REAL:
                self.known[id(tensor)] = tensor
        return made

    def knows(self, tensor: Any) -> bool:
        """Whether the values of a tensor are the real ones."""
        return id(tensor) in self.known or (id(tensor) not in self.made and id(tensor) not in self.unknown)

    def _zeroed(self, value: Any, tensors: list[Any]) -> Any:
        """Arguments with zeros in the place of every tensor whose values are not known: no value of ours may decide anything."""
        return swap_all(value, {id(t): twin(t) for t in tensors if not self.knows(t)})

    def handle(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of one operation, without computing where that would cost."""
        torch = torch_module()
        name = getattr(func, "__name__", "") or ""
        module = str(getattr(func, "__module__", "") or "")
        if name in ("__get__", "__set__", "__delete__"):
            return self._property(func, name, args)
        if module == "torch.nn.init":
            self.drew = True
            target = args[0] if args else kwargs.get("tensor")
            self.written.append(target)
            return target
        tensors = list(tensors_in([args, kwargs]))
        for tensor in tensors:
            if not is_plain(tensor):
                raise Abandon("a tensor that is not an ordinary one on the CPU")
            if tensor.requires_grad:
                self.used[id(tensor)] = tensor
        if kwargs.get("out") is not None:
            raise Abandon("a result written to an argument")
        self.drew = self.drew or name in names.RANDOM
        if (
            not tensors
            and module in ("torch", "builtins", "")
            and name in ("device", "dtype", "Size", "finfo", "iinfo", "get_default_dtype", "Generator")
        ):
            return func(*args, **kwargs)
        if (
            name in names.META
            or name != "is_nonzero"
            and name.startswith(("_set_grad", "_get_", "is_"))
            or (not tensors and module.startswith("torch._C") and name.startswith("_"))
        ):
            return func(*args, **kwargs)
        if name in names.FACTORY or name in names.NEW:
            return self._factory(name, func, args, kwargs)
        if name in names.DATA:
            raise Abandon(f"{name} depends on values")
        if name in names.VIEW:
            return func(*args, **kwargs)
        if name == "retain_grad":
            return None
        if name == "to" or name in ("cpu", "cuda"):
            return self._to(func, args, kwargs)
        if name in names.MAYBE_VIEW:
            return self._maybe_view(name, func, args, kwargs)
        if name in ("__getitem__", "__setitem__"):
            return self._item(name, func, args, kwargs, tensors)
        if name in names.RESHAPES:
            raise Abandon("a tensor that takes another shape in place")
        if name.endswith("_") and not name.endswith("__"):
            return self._renamed(name, func, args, kwargs, tensors)
        if name in names.RENAME:
            if name in names.VALUES and not all(self.knows(t) for t in tensors if not t.is_floating_point()):
                self.unranged = True
                wrong = self.contents.out_of_range(name, args, kwargs)
                if wrong is not None:
                    index = args[0] if name == "embedding" else args[1]
                    stands = {id(index): wrong}
                    return self._witness(func, swap_all(args, stands), swap_all(kwargs, stands), [*tensors, wrong])
            if (
                name in names.VALUES
                and sum(t.numel() for t in tensors) <= 50 * REAL
                and kwargs.get("max_norm") is None
                and joint(tensors) < 5e6
            ):
                return func(*self._zeroed(args, tensors), **self._zeroed(kwargs, tensors))
            if name == "where" and len(args) + len(kwargs) == 1:
                raise Abandon("where depends on values")
            if all(self.knows(t) for t in tensors if not t.is_floating_point()) and not in_range(name, args, kwargs):
                return self._witness(func, args, kwargs, tensors)
            return self._renamed(name, func, args, kwargs, tensors)
        if name in names.SPATIAL or name in ("interpolate", "pad", "upsample", "upsample_bilinear", "upsample_nearest"):
            return self._spatial(name, func, args, kwargs, tensors)
        if name in shapes.ONE:
            return self._formula(name, func, args, kwargs, tensors)
        if name in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
            return self._recurrent(name, func, args, kwargs, tensors)
        if name in names.SMALL_ONLY:
            if sum(t.numel() for t in tensors) > 5 * REAL or joint(tensors) > 5e6:
                raise Abandon(f"{name} on much data")
            if (
                name == "one_hot"
                and not all(self.knows(t) for t in tensors)
                and (len(args) < 2 or args[1] == -1)
                and "num_classes" not in kwargs
            ):
                raise Abandon("one_hot depends on values")
            return func(*self._zeroed(args, tensors), **self._zeroed(kwargs, tensors))
        if (
            isinstance(func, types.FunctionType)
            and module.startswith("torch.nn.functional")
            and torch.nn.functional.__dict__ is func.__globals__
        ):
            return self._descend(func, args, kwargs)
        raise Abandon(f"torch's {name} is not followed")

    def _property(self, func: Any, name: str, args: tuple[Any, ...]) -> Any:
        owner = getattr(func, "__self__", None)
        attribute = getattr(owner, "__name__", "")
        if name != "__get__" or attribute in ("grad", "_grad", "_backward_hooks"):
            raise Abandon(f"the attribute {attribute} of a tensor")
        return func(*args)

    def _descend(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a Python function of PyTorch with its operations coming here; its own question for overrides is answered no."""
        no = lambda *a, **k: False  # noqa: E731
        table = {
            **func.__globals__,
            "has_torch_function": no,
            "has_torch_function_unary": no,
            "has_torch_function_variadic": no,
        }
        copy = types.FunctionType(func.__code__, table, func.__name__, func.__defaults__, func.__closure__)
        copy.__kwdefaults__ = func.__kwdefaults__
        with function_mode(torch_module())(self):
            return copy(*args, **kwargs)
