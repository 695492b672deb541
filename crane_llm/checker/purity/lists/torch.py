"""Allow-list: PyTorch on small known tensors on the CPU that need no gradient (the model :mod:`models.torch` sends all others elsewhere)."""

from __future__ import annotations

import os
import sys
from typing import Any

from ...models.torch import names
from ..libraries import is_path
from ..registry import Pure

_TENSOR = ("torch._C.TensorBase", "torch._C._TensorBase", "torch._tensor.Tensor")
_FUNCTION = (
    "torch",
    "torch.functional",
    "torch.nn.functional",
    "torch._C._nn",
    "torch._C._linalg",
    "torch._C._special",
)
_READ = "item tolist numpy nonzero argwhere unique unique_consecutive masked_select bincount histc equal allclose repeat_interleave __array__ isclose"


def _on_cpu(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """No argument lies on an accelerator or asks for one."""
    device = kwargs.get("device")
    if device is not None and not str(device).startswith("cpu"):
        return False
    return all(str(getattr(a, "device", "cpu")).startswith("cpu") for a in args)


def _cost(args: list[Any], kwargs: dict[str, Any], weight: int) -> float:
    sizes = {
        int(n)
        for a in args
        for part in (a if isinstance(a, (list, tuple)) else [a])
        for n in (getattr(part, "shape", None) or ())
        if n > 1
    }
    work = 1.0
    for size in sizes:
        work *= size
    named = 1.0
    for a in args:
        for n in a if isinstance(a, (list, tuple)) and len(a) < 8 else [a]:
            named *= max(1, n) if type(n) is int else 1
    return 3e-5 + weight * 2e-9 + max(work, named) * 1e-9


_plain = Pure(when=_on_cpu, cost=_cost)
_random = Pure(when=_on_cpu, cost=_cost, random="torch")
_kept = (
    names.RENAME
    | names.VIEW
    | names.MAYBE_VIEW
    | names.META
    | names.SMALL_ONLY
    | frozenset(names.SPATIAL)
    | frozenset(_READ.split())
)
_more = frozenset(
    "cat concat concatenate stack layer_norm group_norm repeat pixel_shuffle pad interpolate conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d cpu to".split()
)


def _spec(name: str) -> Pure:
    return _random if name in names.RANDOM else _plain


_LARGEST_FILE = 8_000_000  # bytes of a file that is loaded for real


def _loads(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """A path to nothing, or to a small file that PyTorch's restricted reader reads: it makes tensors and runs no code of the file's."""
    path: Any = args[0] if args else kwargs.get("f")
    where = args[1] if len(args) > 1 else kwargs.get("map_location")
    if not is_path(path) or len(args) > 2 or set(kwargs) - {"f", "map_location", "weights_only"}:
        return False
    if not os.path.lexists(path):
        return True
    if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST_FILE or str(where) not in ("cpu", "None"):
        return False
    return kwargs.get("weights_only") is True or kwargs.get("weights_only") is None and _restricted()


def _restricted() -> bool:
    """Whether loading is restricted unless asked otherwise (it is from PyTorch 2.6 on), and nothing has been allowed beyond that."""
    torch = sys.modules.get("torch")
    version = tuple(int(part) for part in str(getattr(torch, "__version__", "0.0")).split(".")[:2] if part.isdigit())
    forced = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD" in os.environ
    # Asking torch for the list would import modules.
    allowed = getattr(sys.modules.get("torch._weights_only_unpickler"), "_marked_safe_globals_set", None)
    own = allowed is not None and all(str(getattr(item, "__module__", "")).startswith("torch.") for item in allowed)
    return version >= (2, 6) and not forced and own


PURE: dict[str, Pure | None] = {
    **{f"{owner}.{name}": _spec(name) for owner in (*_TENSOR, *_FUNCTION) for name in (_kept | _more)},
    **{f"torch.{name}": _spec(name) for name in names.FACTORY},
    **{f"{owner}.{name}": _plain for owner in _TENSOR for name in names.NEW},
    "torch.multinomial": _random,
    "torch.Tensor": _plain,
    **{f"torch.{name}Tensor": _plain for name in ("Float", "Double", "Long", "Int", "Short", "Byte", "Bool")},
    "torch.serialization.load": Pure(when=_loads, files=True, cost=lambda args, kwargs, weight: 5e-3, callbacks=False),
    "torch.Size": _plain,
    "torch.Size.numel": _plain,
    "torch.device": _plain,
    "torch.is_tensor": _plain,
    "torch.is_grad_enabled": _plain,
    "torch.get_default_dtype": _plain,
    "torch.cuda.device_count": Pure(when=lambda args, kwargs: _no_cuda()),
    "torch.autograd.grad_mode.no_grad": _plain,
    "torch.autograd.grad_mode.enable_grad": _plain,
    "torch.autograd.grad_mode.inference_mode": _plain,
    "torch.nn.functional.boolean_dispatch.<locals>.fn": _plain,
    "torchvision.utils.make_grid": Pure(cost=lambda args, kwargs, weight: 1e-3 + weight * 1e-8),
    "torchvision.transforms.transforms.*": Pure(),
    "torch.optim.*": None,
}


def _no_cuda() -> bool:
    """Whether asking for CUDA cannot start it: this PyTorch has none."""
    version = getattr(sys.modules.get("torch"), "version", None)
    return version is not None and getattr(version, "cuda", None) is None and getattr(version, "hip", None) is None
