"""TensorFlow and Keras objects."""

import os

import pytest

np = pytest.importorskip("numpy")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")


def test_tensor_and_variable(line):
    assert line(tf.reshape(tf.range(100), (10, 10))).startswith("x: EagerTensor (10, 10) int32; 100 distinct 0..99")
    assert "(3,) float32" in line(tf.Variable([1.0, 2.0, 3.0]))
    assert "string" in line(tf.constant(["a", "b"]))


def test_dataset_is_not_iterated(line):
    def source():
        raise AssertionError("iterated")
        yield 1

    made = tf.data.Dataset.from_generator(source, output_signature=tf.TensorSpec((28, 28), tf.float32)).batch(8)
    told = line(made)
    assert "elements (None, 28, 28) float32" in told and "Batch" in told
    pairs = tf.data.Dataset.from_tensor_slices((np.zeros((9, 4), "float32"), np.zeros(9))).batch(4)
    assert "elements ((None, 4) float32, (None,) float64)" in line(pairs)


def test_models(line, summary):
    inputs = keras.Input((50,))
    hidden = keras.layers.Embedding(100, 8)(inputs)
    outputs = keras.layers.Dense(5, activation="sigmoid")(keras.layers.Flatten()(hidden))
    model = keras.Model(inputs, outputs)
    assert "not compiled" in line(model)
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    told = summary("model.fit(x); model.predict_classes(x)", model=model, x=np.zeros((3, 259))).to_text()
    assert "input (None, 50); output (None, 5)" in told
    assert "compiled: loss categorical_crossentropy, metrics [accuracy], optimizer Adam" in told
    assert (
        "Embedding(input_dim=100, output_dim=8), → (None, 50, 8)" in told and "Dense(5, sigmoid), → (None, 5)" in told
    )
    assert "no attribute predict_classes" in told and "no attribute fit" not in told


def test_sequential_built_and_not(line):
    made = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(2)])
    assert "not built; not compiled" in line(made) and "Dense(4, relu)" in line(made)
    made.build((None, 7))
    assert "input (None, 7); output (None, 2)" in line(made)
    nested = keras.Sequential([keras.Input((7,)), made])
    assert "model of 2 layers" in line(nested)


def test_history_and_paths(summary):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    history = model.fit(np.zeros((4, 2)), np.zeros((4, 1)), epochs=2, verbose=0)
    told = summary("history.history['val_loss']; model.layers[0]", history=history, model=model).to_text()
    assert "2 epochs; history keys loss" in told
    assert "model.layers[0]: Dense" in told


def test_symbolic(line):
    assert "(None, 3) float32; symbolic" in line(keras.Input((3,)))


def test_image_iterator(line, tmp_path):
    image = pytest.importorskip("PIL.Image")
    preprocessing = pytest.importorskip("keras.src.legacy.preprocessing.image")
    for label in ("a", "b"):
        (tmp_path / label).mkdir()
        for index in range(5):
            image.new("RGB", (20, 20)).save(tmp_path / label / f"{index}.png")
    flow = preprocessing.ImageDataGenerator().flow_from_directory(str(tmp_path), target_size=(32, 32), batch_size=4)
    before = flow.batch_index, flow.total_batches_seen
    told = line(flow)
    assert "10 samples; batch size 4; 2 classes; 3 batches; class_mode categorical" in told
    assert "yields images (batch, 32, 32, 3), labels (batch, 2)" in told and "image files 20×20 rgb" in told
    assert (flow.batch_index, flow.total_batches_seen) == before


def test_names_are_not_counted_up(line):
    state = pytest.importorskip("keras.src.backend.common.global_state")
    model = keras.Sequential([keras.layers.Dense(2)])
    before = dict(state.get_global_attribute("object_name_uids") or {})
    line(model)
    assert dict(state.get_global_attribute("object_name_uids") or {}) == before
