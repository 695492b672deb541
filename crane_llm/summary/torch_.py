"""PyTorch tensors, modules, data loaders, datasets, optimizers; torchvision transforms and folders."""

from __future__ import annotations

import types
from typing import Any

from . import numpy_, objects, safe, values
from .context import Context, Handler
from .model import Column, Variable
from .torch_layers import layer_text

MAX_LAYERS = 30


def exact_tensor(value: Any) -> bool:
    """A tensor of torch's own class: nothing of a user's (``__torch_function__``, ``__torch_dispatch__``) runs when it is read."""
    return safe.class_module(type(value)) in ("torch", "torch.nn.parameter") and safe.genuine(type(value))


def tensor(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Tensor and Parameter: shape, dtype, device, gradient, values when they lie in plain memory."""
    if not exact_tensor(value):
        context.note(variable, "R", "tensor subclass; not read")
        return
    context.shape(variable, numpy_.shape_text(tuple(value.shape)))
    context.dtype(variable, str(value.dtype).replace("torch.", ""))
    device = str(value.device)
    context.note(variable, "R", f"on {device}" if device != "cpu" else None)
    context.note(variable, "R", "requires_grad" if value.requires_grad else None)
    if value.requires_grad and not value.is_leaf:
        context.note(variable, "R", "has a graph (not a leaf)")
    if context.values:
        array = as_array(value)
        if array is None:
            context.note(variable, "V", "values not read" if value.numel() else "empty")
        else:
            numpy_.contents(variable, array, context, depth)


def as_array(value: Any) -> Any:
    """A NumPy view of a tensor's memory, or None where reading would copy, move, dispatch or compute."""
    torch = safe.loaded("torch")
    core = safe.loaded("torch._C")
    if core is None or safe.loaded("numpy") is None or torch is None:
        return None
    if (
        str(value.layout) != "torch.strided"
        or value.device.type != "cpu"
        or value.is_quantized
        or value.is_neg()
        or value.is_conj()
    ):
        return None
    for probe in ("_len_torch_dispatch_stack", "_len_torch_function_stack"):
        count = getattr(core, probe, None)
        if count is not None and count() > 0:  # somebody's mode would see what we do
            return None
    if getattr(core, "_functorch", None) is not None and core._functorch.maybe_current_level() is not None:
        return None
    if str(value.dtype) in ("torch.bfloat16",) or "float8" in str(value.dtype) or "bits" in str(value.dtype):
        return None
    return value.detach().numpy()


def module(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A Module: mode, device, number of parameters, its layers with their sizes, forward's signature."""
    if safe.top_package(type(value)) not in ("torch", "torchvision") and not safe.is_notebook_class(type(value)):
        context.note(variable, "R", f"a torch Module of {safe.top_package(type(value))}")
    children = _children(value)
    loss = safe.class_module(type(value)) == "torch.nn.modules.loss"
    text = layer_text(value)
    if not children:
        context.note(variable, "R", text if text != safe.class_name(type(value)) else None)
    training = safe.field(value, "training")
    if type(training) is bool and not loss:
        context.note(variable, "V", "training mode" if training else "evaluation mode")
    if loss:
        return
    count, devices, types, frozen = _parameters(value)
    if count:
        context.note(variable, "S", f"{count} parameters")
        context.note(variable, "R", f"on {', '.join(sorted(devices))}" if devices != {"cpu"} else None)
        context.note(variable, "R", f"dtype {', '.join(sorted(types))}" if types != {"float32"} else None)
        context.note(variable, "V", "no parameter requires grad" if frozen else None)
    forward = safe.slot(type(value), "forward")
    if safe.is_notebook_class(type(value)) and hasattr(forward, "__code__"):
        from .functions import signature

        context.note(variable, "R", f"forward{signature(forward, context, skip_first=True)}")
    if depth <= 1 and children:
        _layers(variable, value, context, MAX_LAYERS if depth == 0 else 12)


def _children(value: Any) -> list[tuple[str, Any]]:
    found = safe.field(value, "_modules")
    if found is None or not safe.isinstance_of(found, dict):
        return []
    return [(name, child) for name, child in safe.items(found, 200) if type(name) is str and child is not None]


def _layers(variable: Variable, value: Any, context: Context, limit: int) -> None:
    """The tree of layers, opened as deep as ``limit`` lines allow (at least one level)."""
    opened = _walk(value, 0)
    for level in (1, 2):
        deeper = _walk(value, level)
        if len(deeper) > limit:
            break
        opened = deeper
    variable.columns = [_layer(name, text, context, position) for position, (name, text) in enumerate(opened[:limit])]
    if not context.representation:
        variable.columns = None
    left = len(opened) - limit
    if left > 0:
        context.left_out.append(f"{variable.name}: {left} more layers")
        context.note(variable, "S", f"{left} more layers")


def _walk(value: Any, depth: int) -> list[tuple[str, str]]:
    """Name and text of the layers of a module, containers opened down to ``depth``; an opened plain container has no line."""
    found: list[tuple[str, str]] = []
    stack = [(name, child, 0) for name, child in reversed(_children(value))]
    while stack and len(found) < 500:
        name, child, level = stack.pop()
        inner = _children(child)
        kind = safe.class_name(type(child))
        if inner and level < depth:
            if kind not in ("Sequential", "ModuleList", "ModuleDict"):
                found.append((name, kind))
            stack += [(f"{name}.{part}", grandchild, level + 1) for part, grandchild in reversed(inner)]
        else:
            found.append((name, layer_text(child) if not inner else f"{kind} of {len(inner)} layers"))
    return found


def _layer(name: str, text: str, context: Context, position: int) -> Column:
    column = Column(context.label(name, position, "layer") if not name.replace(".", "").isdigit() else name)
    context.dtype(column, text)
    return column


def _parameters(value: Any) -> tuple[int, set[str], set[str], bool]:
    count, devices, types, frozen = 0, set(), set(), True
    stack, visited = [value], 0
    while stack and visited < 2000:
        current = stack.pop()
        visited += 1
        held = safe.field(current, "_parameters")
        for _, parameter in safe.items(held, 50) if held is not None and safe.isinstance_of(held, dict) else []:
            if parameter is not None and exact_tensor(parameter):
                count += parameter.numel()
                devices.add(str(parameter.device))
                types.add(str(parameter.dtype).replace("torch.", ""))
                frozen = frozen and not parameter.requires_grad
        stack += [child for _, child in _children(current)]
    return count, devices, types, frozen


def loader(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A DataLoader: batch size, batches, workers, what its dataset yields (never iterated)."""
    from .torch_data import batched, length, sample_shapes

    batch = safe.field(value, "batch_size")
    dataset = safe.field(value, "dataset")
    count = length(dataset) if dataset is not None else None
    context.note(
        variable,
        "S",
        f"batch size {batch}" if type(batch) is int else "batching by a batch sampler" if batch is None else None,
    )
    if count is not None and type(batch) is int and batch > 0:
        drop = safe.field(value, "drop_last") is True
        batches = count // batch if drop else -(-count // batch)
        context.note(variable, "S", f"{batches} batches of {count} samples")
        last = count % batch
        if last and not drop:
            context.note(variable, "S", f"last batch {last}")
    workers = safe.field(value, "num_workers")
    context.note(variable, "R", f"{workers} workers" if type(workers) is int and workers else None)
    sampler = safe.field(value, "sampler")
    context.note(
        variable,
        "R",
        f"sampler {safe.class_name(type(sampler))}"
        if sampler is not None and safe.class_name(type(sampler)) not in ("SequentialSampler", "RandomSampler")
        else None,
    )
    context.note(variable, "R", "shuffled" if safe.class_name(type(sampler)) == "RandomSampler" else None)
    collate = safe.field(value, "collate_fn")
    own_collate = False
    if type(collate) is types.FunctionType:
        own_collate = collate.__module__ != "torch.utils.data._utils.collate"
        context.note(variable, "R", f"collate_fn {collate.__qualname__}" if own_collate else None)
    elif collate is not None:
        own_collate = True
        context.note(variable, "R", f"collate_fn {safe.class_name(type(collate))}")
    if dataset is None:
        return
    shapes = sample_shapes(dataset)
    if shapes and type(batch) is int and not own_collate:
        context.note(variable, "S", f"batches of {', '.join(batched(shape, batch) for shape in shapes)}")
    context.nested(variable, [(".dataset", dataset)], depth)


def dataset(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A Dataset: length and sample shapes where they are known without calling it, and its attributes."""
    from .torch_data import length, sample_shapes

    count = length(value)
    context.shape(variable, f"length {count}" if count is not None else None)
    shapes = sample_shapes(value)
    context.note(variable, "S", f"sample {', '.join(shapes)}" if shapes else None)
    inner = safe.field(value, "dataset")
    if inner is not None and safe.class_name(type(value)) == "Subset":
        context.nested(variable, [(".dataset", inner)], depth)
        return
    members = [
        (f".{name}", member)
        for name, member in objects.attributes(value)
        if not name.startswith("_")
        and name not in ("samples", "imgs", "loader", "extensions", "target_transform", "transforms")
        and member is not None
    ]
    context.nested(variable, members, depth, 8)
    image_files(variable, value, context)


def image_files(variable: Variable, value: Any, context: Context) -> None:
    from .files import image_sizes

    samples = safe.field(value, "samples")
    if type(samples) is list and samples and type(samples[0]) is tuple and context.values:
        paths = [entry[0] for entry in samples if type(entry) is tuple and type(entry[0]) is str]
        context.note(variable, "S", image_sizes(paths, context))


def optimizer(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """An optimizer: learning rate and other numbers, how many parameters it holds."""
    groups = safe.field(value, "param_groups")
    if type(groups) is not list or not groups:
        return
    count = sum(len(group.get("params", ())) for group in groups if type(group) is dict)
    context.note(variable, "S", f"{count} parameter tensors" + (f" in {len(groups)} groups" if len(groups) > 1 else ""))
    first = groups[0] if type(groups[0]) is dict else {}
    shown = [
        f"{name}={values.short(first[name])}" for name in ("lr", "momentum", "weight_decay", "betas") if first.get(name)
    ]
    context.note(variable, "V", ", ".join(shown), data=True)


def device(variable: Variable, value: Any, context: Context, depth: int) -> None:
    context.note(variable, "R", str(value))


def dtype(variable: Variable, value: Any, context: Context, depth: int) -> None:
    context.note(variable, "R", str(value))


def transform(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A torchvision transform: what it does, in order."""
    from .torch_data import transform_text

    context.note(variable, "R", transform_text(value))


HANDLERS: dict[str, Handler] = {
    "Tensor": tensor,
    "Module": module,
    "DataLoader": loader,
    "Dataset": dataset,
    "Optimizer": optimizer,
    "device": device,
    "dtype": dtype,
}
VISION: dict[str, Handler] = dict.fromkeys(
    ("Compose", "ToTensor", "PILToTensor", "Lambda", "RandomApply", "RandomOrder", "RandomChoice"), transform
)
