"""TensorFlow tensors and datasets; Keras models, layers, iterators, histories (Keras 2 and 3)."""

from __future__ import annotations

from typing import Any

from . import keras_layers, numpy_, objects, safe, values
from .context import Context, Handler
from .model import Column, Variable

MAX_LAYERS = 30


def shape_of(shape: Any) -> str | None:
    """Text of a TensorShape, tuple or list; unknown sizes are None."""
    if shape is None:
        return None
    if safe.class_name(type(shape)) == "TensorShape" and safe.genuine(type(shape)):
        return "(?)" if shape.rank is None else numpy_.shape_text(tuple(shape.as_list()))
    if type(shape) in (tuple, list):
        if all(type(size) is int or size is None for size in shape):
            return numpy_.shape_text(tuple(shape))
        return ", ".join(filter(None, (shape_of(part) for part in shape))) or None
    return None


def tensor(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Eager tensors and tf.Variables: shape, dtype, values when small and on the CPU."""
    if safe.top_package(type(value)) != "tensorflow" and "EagerTensor" not in safe.class_name(type(value)):
        return
    context.shape(variable, shape_of(value.shape))
    context.dtype(variable, value.dtype.name)
    if "EagerTensor" not in safe.class_name(type(value)):
        return
    device = value.device
    if "GPU" in device or "TPU" in device:
        context.note(variable, "R", f"on {device.rsplit('/', 1)[-1]}")
        return
    if not context.values or value.dtype.name in ("variant", "resource", "string", "bfloat16"):
        return
    size = value.shape.num_elements() or 0
    if size and context.budget.afford(4 * size * value.dtype.size) and size * value.dtype.size <= 4 << 20:
        numpy_.contents(variable, value.numpy(), context, depth)
    elif size:
        context.note(variable, "V", "values not read")


def symbolic(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """KerasTensor and other symbolic tensors."""
    shape = safe.field(value, "_shape", safe.field(value, "shape", safe.MISSING))
    context.shape(variable, shape_of(shape if shape is not safe.MISSING else None))
    dtype = safe.field(value, "_dtype", safe.field(value, "dtype"))
    context.dtype(variable, dtype if type(dtype) is str else None)
    spec = safe.field(value, "_type_spec")
    if spec is not None:
        context.shape(variable, shape_of(safe.field(spec, "_shape")))
    context.note(variable, "R", "symbolic")


def dataset(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """tf.data.Dataset: element spec and the chain of steps; never iterated, its size not computed."""
    if safe.top_package(type(value)) != "tensorflow":
        return
    spec = value.element_spec
    told = spec_text(spec, context)
    context.note(variable, "R", f"elements {told}" if told else None)
    steps = []
    current: Any = value
    for _ in range(10):
        name = safe.class_name(type(current)).replace("DatasetV2", "").replace("Dataset", "").strip("_")
        steps.append(name)
        current = safe.field(current, "_input_dataset")
        if current is None:
            break
    context.note(variable, "R", "steps " + " ← ".join(steps) if len(steps) > 1 else None)
    names = safe.field(value, "class_names")
    if type(names) is list:
        context.note(variable, "S", f"{len(names)} classes")
        context.note(variable, "V", ", ".join(values.short(name, 20) for name in names[:10]), data=True)
    paths = safe.unwrap(safe.field(value, "file_paths"))
    if type(paths) is list and context.values:
        from .files import image_sizes

        context.note(variable, "S", image_sizes([path for path in paths if type(path) is str], context))


def spec_text(spec: Any, context: Context) -> str | None:
    """An element spec: ``((None, 28, 28) float32, (None,) int64)``."""
    if type(spec) in (tuple, list):
        return "(" + ", ".join(str(spec_text(part, context)) for part in spec) + ")"
    if safe.isinstance_of(spec, dict):
        return (
            "{"
            + ", ".join(
                f"{context.label(key, i, 'k')}: {spec_text(part, context)}"
                for i, (key, part) in enumerate(safe.items(spec, 20))
            )
            + "}"
        )
    shape, dtype = safe.field(spec, "_shape"), safe.field(spec, "_dtype")
    if shape is None and dtype is None:
        return safe.class_name(type(spec))
    return f"{shape_of(shape)} {dtype.name if dtype is not None and safe.top_package(type(dtype)) == 'tensorflow' else ''}".strip()


def model(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A Keras model: input and output shapes, built, compiled with which loss and metrics, layers."""
    ends = keras_layers.ends(value)
    context.note(variable, "S", f"input {ends[0]}" if ends[0] else None)
    context.note(variable, "S", f"output {ends[1]}" if ends[1] else None)
    built = safe.field(value, "built", safe.MISSING)
    context.note(variable, "V", "not built" if built is False else None)
    compiled = keras_layers.compiled(value)
    context.note(variable, "R" if compiled else "V", compiled or "not compiled")
    layers = keras_layers.layers_of(value)
    if depth > 1 or not layers:
        return
    variable.columns = []
    shown = layers if len(layers) <= MAX_LAYERS else [*layers[: MAX_LAYERS // 2], *layers[-MAX_LAYERS // 2 :]]
    for position, layer in enumerate(shown if depth == 0 else layers[-4:]):
        name = safe.field(layer, "_name", safe.field(layer, "name"))
        column = Column(context.label(name if type(name) is str else "?", position, "layer"))
        context.dtype(column, keras_layers.text(layer))
        context.note(column, "S", keras_layers.output_text(layer))
        variable.columns.append(column)
    if len(layers) > len(variable.columns):
        context.note(variable, "S", f"{len(layers)} layers")
        context.left_out.append(f"{variable.name}: {len(layers) - len(variable.columns)} more layers")
    if not context.representation:
        variable.columns = None


def layer(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A Keras layer: its sizes, built or not, weight shapes."""
    context.note(variable, "R", keras_layers.text(value))
    context.note(variable, "S", keras_layers.output_text(value))
    context.note(variable, "V", "not built" if safe.field(value, "built") is False else None)


def history(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """A History callback: recorded metrics, epochs."""
    record = safe.field(value, "history")
    epochs = safe.field(value, "epoch")
    context.note(variable, "S", f"{len(epochs)} epochs" if type(epochs) is list else None)
    if record is not None and safe.isinstance_of(record, dict):
        found = safe.items(record, 40)
        context.note(
            variable,
            "R",
            f"history keys {context.names([name for name, _ in found], 20, 'k')}" if found else "history empty",
        )
        for name, series in found[:6]:
            if type(series) is list and series and all(type(x) is float for x in series):
                context.note(variable, "V", f"{context.label(name, 0)} last {values.number(series[-1])}", data=True)


_ITERATOR = (("n", "samples"), ("batch_size", "batch size"), ("num_classes", "classes"))


def iterator(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """An image or sequence iterator of Keras: samples, classes, batch size, image shape, what a batch looks like (not iterated)."""
    samples = safe.field(value, "n", safe.field(value, "samples"))
    batch = safe.field(value, "batch_size")
    classes = safe.field(value, "num_classes")
    for attribute, word in _ITERATOR:
        found = safe.field(value, attribute)
        context.note(
            variable,
            "S",
            f"{found} {word}"
            if type(found) is int and word != "batch size"
            else f"batch size {found}"
            if type(found) is int
            else None,
        )
    if type(samples) is int and type(batch) is int and batch:
        context.note(variable, "S", f"{-(-samples // batch)} batches")
    indices = safe.field(value, "class_indices")
    if classes is None and type(indices) is dict:
        context.note(variable, "S", f"{len(indices)} classes")
        classes = len(indices)
    shape = safe.field(value, "image_shape")
    mode = safe.field(value, "class_mode")
    if type(mode) is str:
        context.note(variable, "R", f"class_mode {mode}")
    x = safe.field(value, "x")
    if shape is None and x is not None and safe.top_package(type(x)) == "numpy":
        shape = tuple(x.shape[1:])
    if type(shape) is tuple:
        labels = {
            "categorical": f", labels (batch, {classes})",
            "binary": ", labels (batch,)",
            "sparse": ", labels (batch,)",
        }.get(mode if type(mode) is str else "", "")
        context.note(variable, "S", f"yields images (batch, {', '.join(map(str, shape))}){labels}")
    if type(indices) is dict:
        context.note(
            variable,
            "V",
            f"class indices {values.short(None) if not indices else ', '.join(f'{values.short(k, 20)}: {values.short(v)}' for k, v in list(indices.items())[:10])}",
            data=True,
        )
    names = safe.field(value, "_filepaths")
    if type(names) is list and context.values:
        from .files import image_sizes

        context.note(variable, "S", image_sizes([name for name in names if type(name) is str], context))


def sequence(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """Sequence, PyDataset and generators of a notebook class: attributes; no item is asked for."""
    if safe.is_notebook_class(type(value)):
        objects.notebook_object(variable, value, context, depth)
    else:
        iterator(variable, value, context, depth)


def loss(variable: Variable, value: Any, context: Context, depth: int) -> None:
    name = safe.field(value, "name")
    context.note(variable, "R", f"named {name}" if type(name) is str else None)


def dtype(variable: Variable, value: Any, context: Context, depth: int) -> None:
    context.note(variable, "R", value.name)


def tokenizer(variable: Variable, value: Any, context: Context, depth: int) -> None:
    """The text tokenizer of Keras: words known."""
    index = safe.field(value, "word_index")
    context.note(variable, "S", f"{len(index)} words known" if type(index) is dict else "not fitted")
    limit = safe.field(value, "num_words")
    context.note(variable, "V", f"num_words {limit}" if type(limit) is int else None, data=True)


HANDLERS: dict[str, Handler] = {
    "Tensor": tensor,
    "EagerTensor": tensor,
    "_EagerTensorBase": tensor,
    "BaseResourceVariable": tensor,
    "KerasTensor": symbolic,
    "DatasetV2": dataset,
    "Model": model,
    "Layer": layer,
    "Operation": layer,
    "History": history,
    "Iterator": iterator,
    "TimeseriesGenerator": iterator,
    "Sequence": sequence,
    "PyDataset": sequence,
    "Loss": loss,
    "Metric": loss,
    "Optimizer": loss,
    "DType": dtype,
    "Tokenizer": tokenizer,
}
