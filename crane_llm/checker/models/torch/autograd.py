"""Autograd: what ``backward`` needs, what it frees, and the gradients that it leaves unknown.

The graph behind the stand-ins is kept beside them, operation by operation (:class:`graph.Node`); the graph behind a live tensor is read from
the tensor itself. A graph that one backward has used up cannot be gone through again: whoever asks for that is told so by PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...values import Value, exact, partial
from . import lazy
from .graph import reached
from .state import state_of


def backward(interpreter: Any, event: Any, owner: Value, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """``tensor.backward(...)``: its own conditions; afterwards the gradients of what went in are other ones."""
    if owner.unknown or not lazy.is_tensor(owner.obj):
        after_backward(interpreter)
        return exact(None)
    tensor = owner.obj
    gradient = args[0] if args else kwargs.get("gradient")
    retain = args[1] if len(args) > 1 else kwargs.get("retain_graph")
    if gradient is None or (gradient.exact and gradient.obj is None):
        if not tensor.requires_grad:
            interpreter.quiet_call(
                event,
                lambda: lazy.storage(
                    tuple(tensor.shape), lazy.torch_module().float32 if not tensor.is_floating_point() else tensor.dtype
                ).backward(),
            )
        elif tensor.numel() != 1:
            interpreter.quiet_call(event, lambda: lazy.mark(lazy.storage(tuple(tensor.shape), tensor.dtype)).backward())
    create = args[2] if len(args) > 2 else kwargs.get("create_graph")
    chosen = args[3] if len(args) > 3 else kwargs.get("inputs")
    if tensor.requires_grad and (chosen is None or _falsy(chosen)):
        _go_through(interpreter, event, tensor, _falsy(retain) and _falsy(create))
        if not interpreter.uncertain and len(interpreter.heap.layers) == 1:
            start = state_of(interpreter).graph.node(tensor)
            found = [leaf for node in (reached(start) if start is not None else ()) for leaf in node.leaves]
            state_of(interpreter).gradients.update({id(leaf): leaf for leaf in found})
    interpreter.lose(event.node, "gradients are not computed")
    after_backward(interpreter)
    if owner.exact:
        _leaves(interpreter, tensor)
    return exact(None)


def _falsy(flag: Value | None) -> bool:
    return flag is None or (flag.exact and (flag.obj is None or flag.obj is False))


def _go_through(interpreter: Any, event: Any, tensor: Any, frees: bool) -> None:
    """Raise where part of the graph has been used up; then, where the graph is not kept, it is."""
    state = state_of(interpreter)
    start = state.graph.node(tensor)
    nodes = list(reached(start)) if start is not None else []
    live = [t for node in nodes for t in node.live] if start is not None else [tensor]
    if any(node.saves and node.used for node in nodes) or any(
        id(t) in state.freed or _freed(interpreter, t) for t in live
    ):
        interpreter.quiet_call(event, _twice)
    if not frees or interpreter.uncertain or len(interpreter.heap.layers) > 1:
        return
    for node in nodes:
        node.used = True
    for part in live:
        if _keeps_values(interpreter, part):
            state.freed[id(part)] = part


def _twice() -> None:
    torch = lazy.torch_module()
    seed = torch.ones((), requires_grad=True)
    made = (seed * seed).sum()
    torch.autograd.backward(made)
    torch.autograd.backward(made)


def _freed(interpreter: Any, tensor: Any) -> bool:
    """Whether the graph of a live tensor has been used up already: some node that backward must reach has lost what it saved."""
    return any(state == "lost" for state in _saved_values(interpreter, tensor))


def _keeps_values(interpreter: Any, tensor: Any) -> bool:
    """Whether a node behind a live tensor holds what backward needs, so that it can be lost."""
    return any(state == "kept" for state in _saved_values(interpreter, tensor))


def _saved_values(interpreter: Any, tensor: Any) -> Iterator[str]:
    """``kept`` or ``lost`` for the values saved in the real graph of a live tensor; stops at functions of the notebook's own."""
    if tensor.grad_fn is None or interpreter.heap.made(tensor) or interpreter.heap.standins.get(id(tensor)) is not None:
        return
    seen: set[int] = set()
    queue = [tensor.grad_fn]
    kept = []
    while queue and len(seen) < 300:
        node = queue.pop(0)
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        kept.append(node)
        if not type(node).__module__.startswith(("torch", "builtins")) and type(node).__name__ not in ("", "object"):
            return
        for name in dir(type(node)):
            if name.startswith("_raw_saved_"):
                try:
                    value = getattr(node, "_saved_" + name[len("_raw_saved_") :])
                except RuntimeError as error:
                    if "second time" in str(error):
                        yield "lost"
                    continue
                except Exception:  # a saved value that is not to be shown proves nothing
                    continue
                if lazy.is_tensor(value):
                    yield "kept"
        queue.extend(part for part, _ in node.next_functions)


def after_backward(interpreter: Any) -> None:
    """The ``.grad`` of every tensor that took part is not known any more."""
    from .domain import TENSORS

    state = state_of(interpreter)
    for tensor in list(state.used.values()):
        if id(tensor) not in interpreter.heap.standins:
            interpreter.heap.standins[id(tensor)] = partial(tensor, TENSORS)
            state.kept.append(tensor)


def _leaves(interpreter: Any, tensor: Any) -> None:
    """Leaves below a live tensor get gradients."""
    seen: set[int] = set()
    queue = [tensor.grad_fn]
    state = state_of(interpreter)
    while queue and len(seen) < 5_000:
        node = queue.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        leaf = getattr(node, "variable", None)
        if lazy.is_tensor(leaf):
            state.used[id(leaf)] = leaf
        queue.extend(part for part, _ in node.next_functions)
    if tensor.grad_fn is None:
        state.used[id(tensor)] = tensor
    after_backward(interpreter)


def gradient(interpreter: Any, tensor: Any) -> Value | None:
    """``tensor.grad`` of a stand-in: one of its shape after a backward, None of what is no leaf; None where it is not known."""
    state = state_of(interpreter)
    if id(tensor) in state.given:
        return None
    if id(tensor) in state.gradients:
        from .state import wrap

        return wrap(interpreter, lazy.storage(tuple(tensor.shape), tensor.dtype))
    ours = not any(tensor is kept for kept in state.kept)
    if ours and (not tensor.is_leaf or not tensor.requires_grad):
        return exact(None)
    return None


def without_gradients(interpreter: Any) -> None:
    """Gradients are taken away, or may be other things from now on."""
    state_of(interpreter).gradients.clear()
