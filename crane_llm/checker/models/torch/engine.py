"""PyTorch's Python code runs for real; what would compute is answered from shapes.

While a call is followed, a function mode stands between PyTorch's Python code and its kernels. Every operation reaches
:meth:`Engine.handle`: metadata and views are real (they cost nothing), small operations are real on twins, others are tried out with every
size renamed to a small one or answered by a shape rule. Nothing of the person's is written to. An operation that would fail is asked of
PyTorch again with tensors of the true shape, stride and dtype: only what that raises is raised.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

from ...values import Abandon, Hole
from . import names, shapes
from .lazy import is_plain, is_tensor, memory_order, new, storage, torch_module, twin
from .renaming import Renaming

REAL = 20_000  # elements up to which an operation is simply done (PyTorch starts no threads for so few)
WITNESS = 5e9  # multiply-adds that a second witness may cost, if it should not fail at once
_KEEPS = (
    names.VIEW
    | names.MAYBE_VIEW
    | names.FACTORY
    | names.NEW
    | frozenset(("to", "cpu", "__getitem__", "long", "int", "clone", "__get__"))
)
LOOK_AT = 1_000_000  # whole numbers of an index or target that are looked at
LOOK = 4_000  # elements of nested arguments looked at


class Engine:
    """One followed call."""

    def __init__(self, unknown: dict[int, Any] | None = None) -> None:
        self.unknown = unknown if unknown is not None else {}  # stand-ins, by id: their values are not known
        self.made: dict[int, Any] = {}  # tensors that came out of operations
        self.known: dict[int, Any] = {}  # those of them whose values are the real ones
        self.written: list[Any] = []  # tensors that the call changes in place
        self.used: dict[int, Any] = {}  # tensors that require grad and went in
        self.drew = False
        self.saves = False  # whether a node of the graph keeps what backward needs (and loses it after one backward)

    @contextlib.contextmanager
    def running(self, grad: bool) -> Iterator[None]:
        """Inside, PyTorch's operations come here; grad mode and random state are put back."""
        torch = torch_module()
        overrides = getattr(torch, "overrides", None)
        if overrides is None or not hasattr(overrides, "TorchFunctionMode") or _default_elsewhere(torch):
            raise Abandon("this torch has no function modes")
        enabled, state = torch.is_grad_enabled(), torch.random.get_rng_state()
        threads = (
            torch.get_num_threads()
        )  # our operations are small: waiting for other threads would cost more than they do
        torch._C._set_grad_enabled(grad)
        torch.set_num_threads(1)
        try:
            with _mode(torch)(self):
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
        given = list(_tensors([args, kwargs]))
        sure = (
            name in _KEEPS
            and name not in names.RANDOM
            and not name.startswith("empty")
            and all(self.knows(t) for t in given)
        )
        for tensor in _tensors(made if isinstance(made, (tuple, list)) else [made]):
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
        return _swap_all(value, {id(t): twin(t) for t in tensors if not self.knows(t)})

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
        tensors = list(_tensors([args, kwargs]))
        for tensor in tensors:
            if not is_plain(tensor):
                raise Abandon("a tensor that is not an ordinary one on the CPU")
            if tensor.requires_grad:
                self.used[id(tensor)] = tensor
        if kwargs.get("out") is not None:
            raise Abandon("a result written to an argument")
        self.drew = self.drew or name in names.RANDOM
        if name in names.SAVING and torch.is_grad_enabled() and any(t.requires_grad for t in tensors):
            self.saves = True
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
            if (
                name in names.VALUES
                and sum(t.numel() for t in tensors) <= 50 * REAL
                and kwargs.get("max_norm") is None
                and _joint(tensors) < 5e6
            ):
                return func(*self._zeroed(args, tensors), **self._zeroed(kwargs, tensors))
            if name == "where" and len(args) + len(kwargs) == 1:
                raise Abandon("where depends on values")
            if all(self.knows(t) for t in tensors if not t.is_floating_point()) and not _in_range(name, args, kwargs):
                return self._witness(func, args, kwargs, tensors)
            return self._renamed(name, func, args, kwargs, tensors)
        if name in names.SPATIAL or name in ("interpolate", "pad", "upsample", "upsample_bilinear", "upsample_nearest"):
            return self._spatial(name, func, args, kwargs, tensors)
        if name in shapes.ONE:
            return self._formula(name, func, args, kwargs, tensors)
        if name in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
            return self._recurrent(name, func, args, kwargs, tensors)
        if name in names.SMALL_ONLY:
            if sum(t.numel() for t in tensors) > 5 * REAL or _joint(tensors) > 5e6:
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
        with _mode(torch_module())(self):
            return copy(*args, **kwargs)

    # --- kinds of operations -----------------------------------------------------------------------

    def _factory(self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        torch = torch_module()
        device = kwargs.get("device")
        if device is not None and torch.device(device).type != "cpu":
            raise Abandon("a tensor on an accelerator")
        if name in ("tensor", "as_tensor", "new_tensor", "from_numpy", "asarray"):
            if any(is_tensor(a) and a.numel() > REAL for a in args):
                return (
                    new(tuple(args[0].shape), kwargs.get("dtype") or args[0].dtype)
                    if name == "tensor" and is_tensor(args[0])
                    else func(*args, **kwargs)
                )
            return func(*args, **kwargs)
        sizes = (
            [a for a in args[1:] if isinstance(a, int)]
            if name in names.NEW
            else [a for a in args if isinstance(a, int)]
        )
        for candidate in (*args, kwargs.get("size")):
            if isinstance(candidate, (tuple, list)) and all(type(n) is int for n in candidate):
                sizes = list(candidate)
        count = 1
        for size in sizes:
            count *= max(0, size)
        if count <= REAL:
            return func(*args, **kwargs)
        if name not in (
            "empty",
            "zeros",
            "ones",
            "rand",
            "randn",
            "full",
            "new_zeros",
            "new_ones",
            "new_empty",
            "new_full",
            "randint",
        ):
            raise Abandon(f"a large {name}")
        dtype = kwargs.get("dtype") or (
            args[0].dtype if name in names.NEW else torch.int64 if name == "randint" else None
        )
        if dtype is None:
            if name == "full":
                raise Abandon("a large full tensor")
            dtype = torch.get_default_dtype()
        made = storage(tuple(sizes), dtype)
        return made.requires_grad_() if kwargs.get("requires_grad") else made

    def _to(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        torch = torch_module()
        source, dtype = args[0], kwargs.get("dtype")
        device = kwargs.get("device")
        for value in args[1:]:
            if isinstance(value, torch.dtype):
                dtype = value
            elif is_tensor(value):
                dtype, device = value.dtype, value.device
            elif isinstance(value, (str, torch.device, int)) and not isinstance(value, bool):
                device = value
        if func.__name__ == "cuda" or (device is not None and torch.device(device).type != "cpu"):
            raise Abandon("a tensor moves to an accelerator")
        if source.numel() <= REAL:
            return func(*args, **kwargs)
        if dtype is None or dtype == source.dtype:
            return (
                source
                if not kwargs.get("copy")
                else new(tuple(source.shape), source.dtype, source.requires_grad, memory_order(source))
            )
        grad = source.requires_grad and torch.is_grad_enabled() and dtype.is_floating_point
        return new(tuple(source.shape), dtype, grad, memory_order(source))

    def _maybe_view(self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        source = args[0] if args else kwargs["input"]
        if source.is_contiguous() or source.numel() <= REAL:
            return func(*args, **kwargs)
        stand = storage(tuple(source.shape), source.dtype)
        arguments = (stand, *args[1:]) if args else args
        made = func(*arguments, **(kwargs if args else {**kwargs, "input": stand}))
        return new(tuple(made.shape), made.dtype, source.requires_grad and torch_module().is_grad_enabled())

    def _item(self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Any]) -> Any:
        source, index = args[0], args[1]
        parts = index if isinstance(index, tuple) else (index,)
        if name == "__setitem__":
            if source.numel() > 50 * REAL:
                self.written.append(source)
                return None
            func(twin(source), *self._zeroed(args[1:], tensors))
            self.written.append(source)
            return None
        if any(
            is_tensor(part) and part.dtype in (torch_module().bool, torch_module().uint8) and not self.knows(part)
            for part in parts
        ):
            raise Abandon("a selection by a mask that is not known")
        if (
            all(part is None or part is Ellipsis or type(part) in (int, slice, bool) for part in parts)
            or _advanced(source, parts) <= 5 * REAL
        ):
            return func(source, self._zeroed(index, tensors))
        raise Abandon("a large selection")

    def _renamed(self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Any]) -> Any:
        if not tensors:
            raise Abandon("no tensor to reason about")
        plan = Renaming(tensors, small=sum(t.numel() for t in tensors) <= REAL and _joint(tensors) <= 50 * REAL)
        small_args, small_kwargs = plan.lower(args), plan.lower(kwargs)
        before = plan.versions()
        try:
            made = func(*small_args, **small_kwargs)
        except (Abandon, RecursionError):
            raise
        except Exception:
            return self._witness(func, args, kwargs, tensors)
        self.written.extend(plan.changed(before))
        return plan.raise_up(made)

    def _spatial(self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Any]) -> Any:
        source = tensors[0] if len(tensors) == 1 else None
        if source is None:
            raise Abandon("pooling of several tensors")
        if source.numel() <= REAL:
            return func(*args, **kwargs)
        last = names.SPATIAL.get(name)
        if last is None:
            pads = kwargs.get("pad", args[1] if name == "pad" and len(args) > 1 else None)
            last = source.dim() - 2 if name != "pad" else len(pads) // 2 if isinstance(pads, (tuple, list)) else None
        if last is None or not 0 < last < source.dim() or min(source.shape) < 1:
            return self._witness(func, args, kwargs, tensors)
        lead = tuple(source.shape[: source.dim() - last])
        kept = tuple(source.shape[source.dim() - last :])
        stand = storage(tuple(min(n, 2) for n in lead) + kept, source.dtype)
        if stand.numel() > 2e6 or max(_ints([args[1:], kwargs]), default=0) > 4096:
            raise Abandon("much space to pool")
        try:
            made = func(*_swap(args, source, stand), **_swap(kwargs, source, stand))
        except (Abandon, RecursionError):
            raise
        except Exception:
            return self._witness(func, args, kwargs, tensors)
        grad = source.requires_grad and torch_module().is_grad_enabled()

        def up(part: Any) -> Any:
            return new(lead + tuple(part.shape[len(lead) :]), part.dtype, grad and part.is_floating_point())

        return tuple(up(part) for part in made) if isinstance(made, tuple) else up(made)

    def _formula(self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Any]) -> Any:
        try:
            shape = shapes.ONE[name](args, kwargs)
        except (shapes.Doubt, KeyError, TypeError, AttributeError, IndexError, ValueError):
            return self._witness(func, args, kwargs, tensors)
        grad = torch_module().is_grad_enabled() and any(t.requires_grad for t in tensors)
        return new(shape, tensors[0].dtype, grad and tensors[0].is_floating_point())

    def _recurrent(
        self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Any]
    ) -> Any:
        try:
            made = shapes.recurrent(name, args, kwargs)
        except (shapes.Doubt, TypeError, AttributeError, IndexError):
            return self._witness(func, args, kwargs, tensors)
        grad = torch_module().is_grad_enabled() and any(t.requires_grad for t in tensors)
        return tuple(new(shape, tensors[0].dtype, grad) for shape in made)

    def _witness(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Any]) -> Any:
        """PyTorch's own answer for tensors of the true shapes, which nothing of the person's can be changed by."""
        joins = getattr(func, "__name__", "") in ("cat", "concat", "concatenate", "stack", "hstack", "vstack")
        if not joins and _joint(tensors) > WITNESS or sum(t.numel() for t in tensors) > 2e8:
            raise Abandon("too costly to ask")
        stands = {
            id(t): (t if not t.is_floating_point() and t.numel() <= LOOK_AT and self.knows(t) else twin(t))
            for t in tensors
        }
        before = {key: stand._version for key, stand in stands.items()}
        try:
            made = func(*_swap_all(args, stands), **_swap_all(kwargs, stands))
        except (MemoryError, RecursionError):
            raise Abandon("a limit of this process") from None
        except RuntimeError as error:
            if "memory" in str(error):
                raise Abandon("a limit of this process") from None
            raise
        back = {id(stand): t for t in tensors for stand in (stands[id(t)],)}
        self.written.extend(t for t in tensors if stands[id(t)] is not t and stands[id(t)]._version != before[id(t)])
        return back.get(id(made), made)


def _in_range(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the whole numbers of an index or target lie among the rows or classes (the zeros of a stand-in do)."""
    if name not in ("embedding", "cross_entropy", "nll_loss") or len(args) < 2:
        return True
    index, table = (args[0], args[1]) if name == "embedding" else (args[1], args[0])
    if (
        not is_tensor(index)
        or not is_tensor(table)
        or index.is_floating_point()
        or not 0 < index.numel() <= LOOK_AT
        or not table.dim()
    ):
        return True
    low, high = int(index.min()), int(index.max())
    limit = table.shape[0] if name == "embedding" or table.dim() == 1 else table.shape[1]
    ignored = kwargs.get("ignore_index", -100)
    return (
        high < limit
        and (low >= 0 or (name != "embedding" and low == ignored))
        or (name != "embedding" and high == ignored)
    )


def _default_elsewhere(torch: Any) -> bool:
    """Whether new tensors are made on another device than the CPU (asking torch would import a module where nobody set one)."""
    if "torch.utils._device" not in sys.modules:
        return False
    return torch.get_default_device().type != "cpu" if hasattr(torch, "get_default_device") else True


def _advanced(source: Any, parts: tuple[Any, ...]) -> int:
    """Elements that a selection by lists, tensors or masks can have at most."""
    count = source.numel()
    for part in parts:
        size = (
            part.numel()
            if is_tensor(part)
            else len(part)
            if isinstance(part, (list, tuple))
            else int(getattr(part, "size", 1) or 1)
        )
        first = max(1, source.shape[0]) if source.dim() else 1
        if not (is_tensor(part) and part.dtype == torch_module().bool):
            count = max(count // first, 1) * max(size, 1)
    return count


def _joint(tensors: list[Any]) -> float:
    """A rough upper bound of the multiply-adds of one operation on these tensors: every distinct size once."""
    sizes = {int(n) for t in tensors for n in t.shape if n > 1}
    total = 1.0
    for size in sizes:
        total *= size
    return max(total, float(sum(t.numel() for t in tensors)))


def _tensors(value: Any, depth: int = 0) -> Iterator[Any]:
    if is_tensor(value):
        yield value
    elif isinstance(value, (list, tuple)) and depth < 4:
        if len(value) > LOOK:
            if isinstance(value[0], (int, float, bool, str)):
                return
            raise Abandon("too many arguments to look at")
        for part in value:
            yield from _tensors(part, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        for part in value.values():
            yield from _tensors(part, depth + 1)
    elif isinstance(value, Hole):
        raise Abandon("an unknown argument")


def _ints(value: Any) -> list[int]:
    if isinstance(value, int):
        return [value]
    if isinstance(value, (list, tuple)):
        return [n for part in value for n in _ints(part)]
    return [n for part in value.values() for n in _ints(part)] if isinstance(value, dict) else []


def _swap(value: Any, old: Any, stand: Any) -> Any:
    return _swap_all(value, {id(old): stand})


def _swap_all(value: Any, stands: dict[int, Any]) -> Any:
    if id(value) in stands:
        return stands[id(value)]
    if type(value) in (list, tuple):
        return type(value)(_swap_all(part, stands) for part in value)
    if type(value) is dict:
        return {key: _swap_all(part, stands) for key, part in value.items()}
    return value


_modes: dict[int, Any] = {}


def _mode(torch: Any) -> Any:
    """The function mode that hands operations to an engine (a class of the loaded torch's)."""
    made = _modes.get(id(torch))
    if made is None:

        class Following(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined,misc]
            def __init__(self, engine: Engine) -> None:
                super().__init__()
                self.engine = engine

            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return self.engine.step(func, tuple(args), dict(kwargs or {}))

        made = _modes[id(torch)] = Following
    return made
