"""One line for a torch layer, from its plain attributes."""

from __future__ import annotations

from typing import Any

from . import safe, values

# class name -> (template arguments): attributes shown as name or pair
_PAIRS = {
    "Linear": ("in_features", "out_features"),
    "Bilinear": ("in1_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "EmbeddingBag": ("num_embeddings", "embedding_dim"),
    "RNN": ("input_size", "hidden_size"),
    "LSTM": ("input_size", "hidden_size"),
    "GRU": ("input_size", "hidden_size"),
    "RNNCell": ("input_size", "hidden_size"),
    "LSTMCell": ("input_size", "hidden_size"),
    "GRUCell": ("input_size", "hidden_size"),
}
_NUMBERS = (
    "num_features", "normalized_shape", "num_channels", "num_groups", "p", "kernel_size", "stride", "padding", "dilation", "groups",
    "output_size", "num_layers", "bidirectional", "batch_first", "start_dim", "end_dim", "dim", "embed_dim", "num_heads", "scale_factor",
    "size", "mode", "negative_slope", "reduction", "ignore_index", "unflattened_size", "num_classes",
)  # fmt: skip
_SILENT = {
    "stride": (1,), "padding": (0,), "dilation": (1,), "groups": 1, "num_layers": 1, "bidirectional": False, "batch_first": False,
    "reduction": "mean", "ignore_index": -100, "start_dim": 1, "end_dim": -1, "negative_slope": 0.01, "mode": None,
}  # fmt: skip


def layer_text(value: Any) -> str:
    """Such as ``Conv2d(3→64, kernel_size=7, stride=2)`` or ``Linear(4500→500)``; a class of the notebook gives its name."""
    cls = type(value)
    name = safe.class_name(cls)
    if safe.top_package(cls) not in ("torch", "torchvision", "timm") or not safe.genuine(cls):
        return name
    parts = []
    first, second = _PAIRS.get(name, ("in_channels", "out_channels"))
    ends = safe.field(value, first), safe.field(value, second)
    if type(ends[0]) is int and type(ends[1]) is int:
        parts.append(f"{ends[0]}→{ends[1]}")
    for attribute in _NUMBERS:
        if attribute == "mode" and name in _PAIRS:  # a recurrent layer repeats its class there
            continue
        shown = _option(attribute, safe.field(value, attribute, safe.MISSING))
        if shown:
            parts.append(shown)
    return f"{name}({', '.join(parts)})" if parts else name


def _option(name: str, value: Any) -> str | None:
    if value is safe.MISSING or value is None:
        return None
    if (
        type(value) is tuple
        and value
        and all(part == value[0] for part in value if type(part) is int)
        and type(value[0]) is int
    ):
        plain: Any = value[0]
    elif type(value) in (int, float, bool, str) or (type(value) is tuple and all(type(part) is int for part in value)):
        plain = value
    else:
        return None
    silent = _SILENT.get(name, safe.MISSING)
    if plain == silent or (type(silent) is tuple and plain == silent[0]) or (name == "stride" and plain == 1):
        return None
    return f"{name}={values.short(plain)}"
