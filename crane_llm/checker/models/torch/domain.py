"""Stand-ins of tensors: shape, stride, dtype and grad facts are the real ones, the values are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...calls import PartialMethod
from ...values import Abandon, Value, exact, partial, unknown
from ..base import Domain
from . import lazy, names, trees
from .state import drop, follow, lower, stale, state_of, wrap

_KNOWN = frozenset(
    "shape dtype device ndim requires_grad is_leaf is_cuda is_sparse is_quantized layout itemsize nbytes is_meta names".split()
)
_VIEWS = frozenset("T mT H data real imag".split())
_MOST_ITEMS = 4_096


class Tensors(Domain):
    """The domain of tensors."""

    name = "tensor"

    def operate(self, interpreter: Any, event: Any, function: Any, values: list[Value]) -> Value | None:
        if any(v.unknown for v in values):
            return None
        try:
            return follow(interpreter, event, function, [lower(interpreter, v) for v in values], {})
        except Abandon:
            return _tensor_if(values, event)

    def attribute(self, interpreter: Any, event: Any, owner: Value, name: str) -> Value | None:
        tensor = owner.obj
        given = state_of(interpreter).named.get((id(tensor), name))
        if given is not None:
            return given
        if name in _KNOWN:
            return exact(getattr(tensor, name))
        if name in _VIEWS:
            return follow(interpreter, event, lambda: getattr(tensor, name), [], {})
        if name == "grad":
            from .autograd import gradient

            return gradient(interpreter, tensor)
        if name in ("grad_fn", "_version", "__dict__", "__class__"):
            return (
                exact(None)
                if name == "grad_fn" and tensor.grad_fn is None
                else exact(type(tensor))
                if name == "__class__"
                else None
            )
        found = interpreter.quiet_call(event, lambda: getattr(tensor, name))
        if callable(found):
            return exact(PartialMethod(owner, name))
        return None

    def item(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        if owner.kind != "partial" or owner.domain is not self:
            return self._chosen(interpreter, event, owner, index)
        if index.unknown:
            return None
        try:
            return follow(interpreter, event, lambda t, i: t[i], [owner.obj, lower(interpreter, index)], {})
        except Abandon:
            return unknown(type(owner.obj))

    def _chosen(self, interpreter: Any, event: Any, owner: Value, index: Value) -> Value | None:
        """An item of something known that holds stand-ins, or under an index that is one."""
        if not owner.exact:
            return None
        obj = interpreter.heap.resolve(owner.obj)
        if index.exact and (isinstance(obj, tuple) or trees.is_module(obj)) and type(index.obj) in (int, slice, str):
            return interpreter.heap.wrap(interpreter.quiet_call(event, lambda: obj[index.obj]))
        if lazy.is_tensor(obj):
            if index.kind == "partial" and lazy.is_tensor(index.obj):
                try:
                    return follow(
                        interpreter,
                        event,
                        lambda t, i: t[i],
                        [lower(interpreter, owner), lower(interpreter, index)],
                        {},
                    )
                except Abandon:
                    return unknown(lazy.torch_module().Tensor)
            return unknown(type(obj))
        return None

    def store_item(self, interpreter: Any, event: Any, owner: Value, index: Value, value: Value) -> bool:
        if index.unknown or value.unknown:
            stale(interpreter, owner.obj)
            interpreter.lose(event.node, "an unknown part of a tensor is set")
            return True

        def store(target: Any, where: Any, what: Any) -> None:
            target[where] = what

        try:
            follow(interpreter, event, store, [owner.obj, lower(interpreter, index), lower(interpreter, value)], {})
        except Abandon:
            interpreter.lose(event.node, "a part of a tensor is set")
            stale(interpreter, owner.obj)
        return True

    def store_attribute(self, interpreter: Any, event: Any, owner: Value, name: str, value: Value) -> bool:
        if name == "grad":
            state_of(interpreter).given[id(owner.obj)] = owner.obj
            return True
        if name == "requires_grad" and value.exact and value.obj is False and not owner.obj.requires_grad:
            return True
        if name in ("data", "requires_grad", "names"):
            state_of(interpreter).given[id(owner.obj)] = owner.obj
            drop(interpreter, owner.obj)
            return False
        state_of(interpreter).named[(id(owner.obj), name)] = value
        return True

    def iterate(self, interpreter: Any, event: Any, value: Value) -> Iterator[Value] | None:
        tensor = value.obj
        if tensor.dim() and tensor.shape[0] > _MOST_ITEMS:
            return None
        made = follow(interpreter, event, lambda: tensor.unbind(0) if tensor.dim() else iter(tensor), [], {})
        return iter([wrap(interpreter, part) for part in made.obj])

    def truth(self, interpreter: Any, event: Any, value: Value) -> bool | None:
        tensor = value.obj
        if tensor.numel() != 1:
            interpreter.attempt(event, lambda: bool(lazy.storage(tuple(tensor.shape), tensor.dtype)))
        interpreter.lose(event.node, "a condition on a tensor whose values are not known")
        return None

    def call(
        self, interpreter: Any, event: Any, func: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        if func.kind == "partial":
            interpreter.attempt(event, lambda: lazy.storage((), func.obj.dtype)())
            return None
        if func.obj is len:
            return exact(interpreter.attempt(event, lambda: len(args[0].obj)))
        key = str(event.key or "")
        if key.startswith(("torch", "_VariableFunctions")):
            return call_torch(interpreter, event, func.obj, args, kwargs)
        return self._converted(interpreter, event, key, args)

    def _converted(self, interpreter: Any, event: Any, key: str, args: list[Value]) -> Value | None:
        """``float(t)``, ``int(t)`` and NumPy's functions on a stand-in: only the conversion's own conditions are known."""
        name = key.rpartition(".")[2]
        if (
            key.startswith("builtins.")
            and name in ("float", "int", "bool", "complex")
            and len(args) == 1
            and args[0].kind == "partial"
        ):
            tensor = args[0].obj
            if tensor.numel() != 1:
                kind = {"float": float, "int": int, "bool": bool, "complex": complex}[name]
                interpreter.attempt(event, lambda: kind(lazy.storage(tuple(tensor.shape), tensor.dtype)))
            interpreter.lose(event.node, "a number that is not known")
            return unknown({"float": float, "int": int, "bool": bool}.get(name))
        if key.startswith("numpy.") and name in ("array", "asarray") and args and args[0].kind == "partial":
            to_numpy(interpreter, event, args[0].obj)
        return None

    def call_method(
        self, interpreter: Any, event: Any, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        tensor = owner.obj
        event.key = event.key or f"torch.Tensor.{name}"
        if name in names.RESHAPES:
            drop(interpreter, tensor)
            return None
        if name in ("item", "tolist", "numpy", "__array__"):
            return self._read(interpreter, event, name, tensor)
        if name == "backward":
            from .autograd import backward

            return backward(interpreter, event, owner, args, kwargs)
        if name in ("zero_grad", "register_hook", "retain_grad"):
            state_of(interpreter).given[id(tensor)] = tensor
            return exact(None) if name == "retain_grad" else None
        if name == "requires_grad_":
            return self._requires(interpreter, event, owner, args, kwargs)
        if name == "size" or name == "dim":
            return wrap(
                interpreter,
                interpreter.quiet_call(
                    event,
                    lambda: getattr(tensor, name)(
                        *[lower(interpreter, a) for a in args], **{k: lower(interpreter, v) for k, v in kwargs.items()}
                    ),
                ),
            )
        return call_torch(interpreter, event, getattr(tensor, name), args, kwargs, owner=tensor)

    def _read(self, interpreter: Any, event: Any, name: str, tensor: Any) -> Value:
        if name == "item" and tensor.numel() != 1:
            interpreter.attempt(event, lambda: lazy.storage(tuple(tensor.shape), tensor.dtype).item())
        if name in ("numpy", "__array__"):
            return to_numpy(interpreter, event, tensor)
        interpreter.lose(event.node, "a tensor's values are not known")
        kind = float if tensor.dtype.is_floating_point else bool if str(tensor.dtype) == "torch.bool" else int
        return unknown(kind if name == "item" and not tensor.dtype.is_complex else list if tensor.dim() else None)

    def _requires(
        self, interpreter: Any, event: Any, owner: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        flag = args[0] if args else kwargs.get("requires_grad", exact(True))
        state_of(interpreter).given[id(owner.obj)] = owner.obj
        if not flag.exact:
            return None
        if owner.obj.is_leaf and flag.obj and owner.obj.is_floating_point():
            if owner.obj.requires_grad:
                return owner
            made = lazy.storage(tuple(owner.obj.shape), owner.obj.dtype, lazy.memory_order(owner.obj)).requires_grad_()
            value = wrap(interpreter, made)
            interpreter.heap.replace(owner.obj, made)  # it is the same tensor under every name
            return value
        return None


def to_numpy(interpreter: Any, event: Any, tensor: Any) -> Value:
    """``tensor.numpy()`` of a stand-in: refused where the tensor requires grad; else an array of which the class is known."""
    if tensor.requires_grad:
        stand = lazy.storage((1,), tensor.dtype).requires_grad_()
        stand = stand if tensor.is_leaf else lazy.mark(lazy.storage((1,), tensor.dtype))
        interpreter.quiet_call(event, stand.numpy)
    torch = lazy.torch_module()
    import sys

    numpy = sys.modules.get("numpy")
    if numpy is None:
        raise Abandon("numpy is not loaded")
    if tensor.dtype is torch.bfloat16:
        interpreter.quiet_call(event, lazy.storage((1,), tensor.dtype).numpy)
    interpreter.lose(event.node, "an array whose values are not known")
    return _array_standin(interpreter, tensor, numpy)


def _array_standin(interpreter: Any, tensor: Any, numpy: Any) -> Value:
    from .. import library_of

    stand = tensor.detach() if tensor.requires_grad else tensor
    empty = lazy.storage((1,) * stand.dim(), stand.dtype).numpy()
    shaped = (
        numpy.lib.stride_tricks.as_strided(empty, tuple(stand.shape), (0,) * stand.dim(), writeable=False)
        if stand.dim()
        else empty
    )
    library = library_of(empty)
    domain = library.domain([exact(shaped)]) if library is not None else None
    if domain is None:
        return unknown(numpy.ndarray)
    value = partial(shaped, domain, numpy.ndarray)
    interpreter.heap.standins[id(shaped)] = value
    return value


def _tensor_if(values: list[Value], event: Any) -> Value | None:
    """An operator that is not followed gives a tensor all the same."""
    if all(v.kind == "partial" or (v.exact and type(v.obj) in (int, float, bool)) for v in values):
        return unknown(lazy.torch_module().Tensor)
    return None


def call_torch(
    interpreter: Any, event: Any, func: Any, args: list[Value], kwargs: dict[str, Value], owner: Any = None
) -> Value | None:
    """A function or method of PyTorch on stand-ins. An in-place one that is not followed leaves its receiver's values unknown."""
    name = getattr(func, "__name__", "")
    try:
        lowered = [lower(interpreter, v) for v in args]
        named = {key: lower(interpreter, v) for key, v in kwargs.items()}
        return follow(interpreter, event, func, lowered, named)
    except Abandon as reason:
        if owner is not None and name.endswith("_"):
            interpreter.lose(event.node, str(reason))
            stale(interpreter, owner)
            return wrap(interpreter, owner)
        interpreter.lose(event.node, str(reason))
        state = state_of(interpreter)
        state.used.update(
            {
                id(v.obj): v.obj
                for v in (*args, *kwargs.values())
                if v.kind == "partial" and lazy.is_tensor(v.obj) and v.obj.requires_grad
            }
        )
        reach = tuple(
            v.obj
            for v in (*args, *kwargs.values())
            if v.exact and not isinstance(v.obj, (int, float, str, bool, type(None)))
        )
        return unknown(None, reach[:16])


TENSORS = Tensors()
