"""Operations of PyTorch by kind: real ones, ones tried out small, ones answered by a rule of shapes, ones asked of PyTorch again."""

from __future__ import annotations

from typing import Any

from ...values import Abandon
from . import names, shapes
from .arguments import LOOK_AT, advanced, ints_in, joint, swap, swap_all
from .lazy import is_tensor, memory_order, new, storage, torch_module, twin
from .renaming import Renaming

REAL = 20_000  # elements up to which an operation is simply done (PyTorch starts no threads for so few)
WITNESS = 5e9  # multiply-adds that a second witness may cost, if it should not fail at once


class Kinds:
    """Mixin of the engine."""

    written: list[Any]

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
            or advanced(source, parts) <= 5 * REAL
        ):
            return func(source, self._zeroed(index, tensors))
        raise Abandon("a large selection")

    def _renamed(self, name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Any]) -> Any:
        if not tensors:
            raise Abandon("no tensor to reason about")
        plan = Renaming(tensors, small=sum(t.numel() for t in tensors) <= REAL and joint(tensors) <= 50 * REAL)
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
        if stand.numel() > 2e6 or max(ints_in([args[1:], kwargs]), default=0) > 4096:
            raise Abandon("much space to pool")
        try:
            made = func(*swap(args, source, stand), **swap(kwargs, source, stand))
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
        if not joins and joint(tensors) > WITNESS or sum(t.numel() for t in tensors) > 2e8:
            raise Abandon("too costly to ask")
        stands = {
            id(t): (t if not t.is_floating_point() and t.numel() <= LOOK_AT and self.knows(t) else twin(t))
            for t in tensors
        }
        before = {key: stand._version for key, stand in stands.items()}
        try:
            made = func(*swap_all(args, stands), **swap_all(kwargs, stands))
        except (MemoryError, RecursionError):
            raise Abandon("a limit of this process") from None
        except RuntimeError as error:
            if "memory" in str(error):
                raise Abandon("a limit of this process") from None
            raise
        back = {id(stand): t for t in tensors for stand in (stands[id(t)],)}
        self.written.extend(t for t in tensors if stands[id(t)] is not t and stands[id(t)]._version != before[id(t)])
        return back.get(id(made), made)
