"""Models: torchvision's model builders and transforms."""

from __future__ import annotations

import inspect
import sys
import types
from typing import Any

from ...purity.libraries import is_library_type
from ...values import Abandon, Value, exact, unknown
from . import lazy, trees
from .owned import own_module
from .state import follow, lower, state_of, wrap

# Families whose weights do not change what is built.
_SAME = (
    "resnet",
    "resnext",
    "wide_resnet",
    "vgg",
    "alexnet",
    "densenet",
    "mobilenet",
    "efficientnet",
    "squeezenet",
    "shufflenet",
    "convnext",
    "mnasnet",
    "regnet",
    "vit_",
)
_REFUSED = (
    "torchvision.models.detection",
    "torchvision.models.segmentation",
    "torchvision.models.quantization",
    "torchvision.models.optical_flow",
    "torchvision.models.video",
)


def build(interpreter: Any, call: Any) -> Value | None:
    """``models.resnet18(...)``: the network without its weights, which are neither read nor downloaded."""
    func = call.func
    if not isinstance(func, types.FunctionType):
        return _build_class(interpreter, call) if isinstance(func, type) else None
    if call.key.startswith(_REFUSED) or not call.complete or func.__name__.startswith(("get_", "list_")):
        return None
    kwargs = {name: lower(interpreter, v) for name, v in call.kwargs.items()}
    args = [lower(interpreter, v) for v in call.args]
    weights = (
        kwargs.pop("weights", None)
        or kwargs.pop("pretrained", None)
        or (args.pop(0) if args and isinstance(args[0], bool) else None)
    )
    if args:
        raise Abandon("a model builder with positional arguments")
    if weights:
        if not func.__name__.startswith(_SAME) or set(kwargs) - {"progress"}:
            raise Abandon("a model whose weights decide how it is built")
        interpreter.lose(call.node, "weights that may have to be downloaded")
    kwargs.pop("progress", None)
    takes = inspect.signature(func).parameters
    for name, plain in (("weights", None), ("pretrained", False)):
        if name in takes:
            kwargs[name] = plain
            break
    if "weights_backbone" in takes:
        raise Abandon("a model on another model's weights")
    made = follow(interpreter, call.event, func, [], kwargs)
    if not made.exact or not trees.is_module(made.obj):
        return None
    for part in trees.all_modules(made.obj, interpreter.heap.resolve):
        interpreter.heap.own(part)
    interpreter.world.random = False
    return own_module(interpreter, made.obj)


def _build_class(interpreter: Any, call: Any) -> Value | None:
    if trees.is_module_class(call.func):
        from .construction import construct_library

        return construct_library(interpreter, call)
    return None


def transform(interpreter: Any, call: Any) -> Value | None:
    """A transform of an image or tensor: for real on what is known, its module on shapes else."""
    func = call.func
    if isinstance(func, type):
        if trees.is_module_class(func) and call.exact:
            made = interpreter.quiet_call(
                call.event,
                lambda: func(
                    *[lower(interpreter, v) for v in call.args],
                    **{k: lower(interpreter, v) for k, v in call.kwargs.items()},
                ),
            )
            state_of(interpreter).kept.append(made)
            return exact(made)
        return None
    return None


def compose(interpreter: Any, call: Any) -> Value | None:
    """``Compose([...])(x)``: one transform after the other, those of the notebook interpreted."""
    if len(call.args) != 1 or call.kwargs or isinstance(call.func, type):
        return None
    value = call.args[0]
    steps = interpreter.heap.resolve(call.func.transforms)
    if type(steps) is not list or interpreter.heap.is_dirty(steps) or interpreter.heap.is_dirty(call.func):
        raise Abandon("a transform that may have been changed")
    if _is_image(value):
        survey = interpreter.surveyor.look(steps)
        if not survey.opaque and not survey.callbacks and not survey.domains:
            return image_call(interpreter, call)
    for step in steps:
        value = interpreter.call_value(interpreter.heap.wrap(step), [value], {}, call.node)
        if value.unknown:
            return unknown()
    return value


def _is_image(value: Value) -> bool:
    return value.exact and any(
        base.__module__ == "PIL.Image" and base.__name__ == "Image" for base in type(value.obj).__mro__
    )


def image_call(interpreter: Any, call: Any) -> Value | None:
    """A transform that is called on an image or array, for real. An image that was not read yet is left so: a blank one is used."""
    module = call.func
    if (
        not type(module).__module__.startswith("torchvision.transforms")
        or len(call.args) != 1
        or not call.args[0].exact
    ):
        return None
    obj = call.args[0].obj
    image = _is_image(call.args[0])
    if not image and (type(obj).__module__.partition(".")[0] != "numpy" or interpreter.surveyor.look([obj]).opaque):
        return None
    size: Any = getattr(obj, "size", None)
    area = size[0] * size[1] if isinstance(size, tuple) and len(size) == 2 else int(size or 0)
    if area > 4_000_000 or not is_library_type(type(obj)):
        raise Abandon("a large image, or one of the notebook's own class")
    blank = image and not _was_read(obj)
    given = _blank(obj) if blank else obj
    torch = lazy.torch_module()
    state = torch.random.get_rng_state()
    try:
        with lazy.one_thread():
            made = interpreter.quiet_call(call.event, lambda: module(given))
        drawn = torch.random.get_rng_state()
    finally:
        torch.random.set_rng_state(state)
    chance = not torch.equal(drawn, state) or "Random" in str(
        [type(s).__name__ for s in getattr(module, "transforms", [module])]
    )
    if chance:
        interpreter.world.random = False
    if blank or chance:
        if not lazy.is_tensor(made):
            raise Abandon("an image that is not known")
        return wrap(interpreter, made)
    return interpreter.heap.wrap(made)


def _was_read(image: Any) -> bool:
    """Whether the pixels of an image are in memory already, so that using it reads no file and changes nothing in it."""
    table = getattr(image, "__dict__", {})
    return table.get("_im", table.get("im")) is not None and not table.get("tile") and table.get("fp") is None


def _blank(image: Any) -> Any:
    new = getattr(sys.modules.get("PIL.Image"), "new", None)
    if new is None or image.mode not in ("L", "RGB", "RGBA", "1", "CMYK", "F", "I"):
        raise Abandon("an image that was not read yet")
    return new(image.mode, image.size)


VISION_MODELS: dict[str, Any] = {
    "torchvision.models.*": build,
    "torchvision.transforms.*": transform,
    "torchvision.transforms.transforms.Compose.__call__": compose,
    "torchvision.transforms.transforms.ToTensor.__call__": image_call,
}
