"""What a Keras layer or model says about itself in its data attributes (Keras 2 and 3); no property of it is called."""

from __future__ import annotations

from typing import Any

from . import safe, values

_OPTIONS = (
    "units", "filters", "kernel_size", "strides", "padding", "pool_size", "rate", "input_dim", "output_dim", "input_length",
    "return_sequences", "axis", "target_shape", "num_heads", "key_dim", "n", "max_tokens",
)  # fmt: skip
_SILENT = {"strides": (1, 1), "padding": "valid", "return_sequences": False, "axis": -1}


def text(layer: Any) -> str:
    """Such as ``Dense(5, sigmoid)``, ``Embedding(input_dim=100, output_dim=8)``."""
    name = safe.class_name(type(layer))
    if safe.is_notebook_class(type(layer)):
        return name
    parts = []
    for option in _OPTIONS:
        value = safe.field(layer, option, safe.MISSING)
        if value is safe.MISSING or value is None or not _small(value) or value == _SILENT.get(option, safe.MISSING):
            continue
        if option == "padding" and name.startswith("ZeroPadding"):
            continue
        if type(value) is tuple and len(set(value)) == 1 and option != "target_shape":
            value = value[0]
            if option == "strides" and value == 1:
                continue
        shown = str(value) if type(value) is str else values.short(value)
        parts.append(shown if option in ("units", "filters") else f"{option}={shown}")
    activation = safe.field(layer, "activation")
    word = getattr(activation, "__name__", None) if type(activation).__name__ == "function" else None
    if type(word) is str and word != "linear":
        parts.append(word)
    inner = safe.field(layer, "layer", safe.field(layer, "forward_layer"))
    if inner is not None and safe.field(inner, "built", safe.MISSING) is not safe.MISSING:
        parts.append(text(inner))
    count = len(layers_of(layer))
    if count:
        parts.append(f"model of {count} layers")
    return f"{name}({', '.join(parts)})" if parts else name


def _small(value: Any) -> bool:
    return safe.one_of(type(value), (int, float, bool, str)) or (
        type(value) is tuple and all(type(part) is int for part in value)
    )


def shape_text(shape: Any) -> str | None:
    from .tensorflow_ import shape_of

    return shape_of(shape)


def tensor_shape(tensor: Any) -> str | None:
    """The shape of a symbolic tensor."""
    shape = safe.field(tensor, "_shape", safe.MISSING)
    if shape is safe.MISSING:
        shape = safe.field(tensor, "shape", safe.MISSING)
    if shape is safe.MISSING:
        spec = safe.field(tensor, "_type_spec")
        shape = safe.field(spec, "_shape") if spec is not None else None
    return shape_text(shape)


def _nested(structure: Any) -> str | None:
    structure = safe.unwrap(structure)
    if type(structure) in (list, tuple):
        shapes = [_nested(part) for part in structure]
        return ", ".join(shape for shape in shapes if shape) or None
    if structure is not None and safe.isinstance_of(structure, dict):
        return ", ".join(f"{key}: {_nested(part)}" for key, part in safe.items(structure, 10)) or None
    return tensor_shape(structure) if structure is not None else None


def output_text(layer: Any) -> str | None:
    """``→ (None, 5)`` where the layer has been called."""
    nodes = safe.unwrap(safe.field(layer, "_inbound_nodes", safe.field(layer, "_inbound_nodes_value")))
    if nodes is not None and safe.isinstance_of(nodes, list):
        found = list(list.__iter__(nodes))
        if found:
            outputs = safe.field(found[-1], "output_tensors", safe.field(found[-1], "outputs"))
            told = _nested(outputs)
            return f"→ {told}" if told else None
    return None


def ends(model: Any) -> tuple[str | None, str | None]:
    """Input and output shapes of a functional or built sequential model."""
    inner = safe.field(model, "_functional")
    holder = inner if inner is not None else model
    inputs = safe.field(holder, "_inputs", safe.field(holder, "_nested_inputs", safe.field(holder, "inputs")))
    outputs = safe.field(holder, "_outputs", safe.field(holder, "_nested_outputs", safe.field(holder, "outputs")))
    return _nested(inputs), _nested(outputs)


def layers_of(model: Any) -> list[Any]:
    """The layers in order; a lone input layer is left out."""
    for name in ("_layers", "_self_tracked_trackables"):
        found = safe.unwrap(safe.field(model, name))
        if found is not None and safe.isinstance_of(found, list):
            layers = [
                layer for layer in list.__iter__(found) if safe.field(layer, "built", safe.MISSING) is not safe.MISSING
            ]
            return [layer for layer in layers if safe.class_name(type(layer)) != "InputLayer"]
    return []


def compiled(model: Any) -> str | None:
    """``compiled: loss …, metrics …, optimizer …`` or None when it has not been compiled."""
    holder = safe.field(model, "_compile_loss", safe.field(model, "compiled_loss"))
    if holder is None and safe.field(model, "compiled", safe.field(model, "_is_compiled")) is not True:
        return None
    loss = safe.field(
        holder, "_user_loss", safe.field(holder, "_user_losses", safe.field(model, "_loss", safe.field(model, "loss")))
    )
    metric_holder = safe.field(model, "_compile_metrics", safe.field(model, "compiled_metrics"))
    metrics = safe.field(metric_holder, "_user_metrics") if metric_holder is not None else None
    optimizer = safe.field(model, "optimizer", safe.field(model, "_optimizer"))
    parts = [f"loss {_named(loss)}"]
    if metrics:
        parts.append(f"metrics {_named(metrics)}")
    if optimizer is not None:
        parts.append(f"optimizer {safe.class_name(type(optimizer))}")
    return "compiled: " + ", ".join(parts)


def _named(value: Any) -> str:
    """A loss or metric by name: text, class or function name, lists and dictionaries of them."""
    value = safe.unwrap(value)
    if type(value) is str:
        return value[:40]
    if value is None:
        return "none"
    if safe.isinstance_of(value, list) or safe.isinstance_of(value, tuple):
        return "[" + ", ".join(_named(part) for part in list(safe.elements(value))[:6]) + "]"
    if safe.isinstance_of(value, dict):
        return "{" + ", ".join(f"{key}: {_named(part)}" for key, part in safe.items(value, 6) if type(key) is str) + "}"
    if type(value).__name__ == "function":
        name = value.__name__
        return name if type(name) is str else "function"
    return safe.class_name(type(value))
