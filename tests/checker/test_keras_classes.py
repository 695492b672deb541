"""Keras classes and functions of the notebook: crashes in them are found, cells that use them and run are left alone."""

from __future__ import annotations

import pytest
from claims import check_without_trace
from kernel import Kernel

pytest.importorskip("keras")
pytestmark = pytest.mark.ml

IMPORTS = """import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, Model, Sequential
from tensorflow.keras.layers import BatchNormalization, Dense, Input
from tensorflow.keras.utils import to_categorical
np.random.seed(0)
"""
# name: (state, cell, the same mended, exception)
CRASHES = {
    "custom_layer": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1)
""",
        r"""class MyDense(layers.Layer):
    def __init__(self, units=32, **kwargs):
        super().__init__(**kwargs)
        self.units = units
    def build(self, input_shape):
        self.w = self.add_weight(shape=(self.units, input_shape[-1]), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)
    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b
model = keras.Sequential([keras.Input((10,)), MyDense(8), layers.ReLU(), MyDense(1)])
model.compile("adam", "mse")
model.fit(X, y, epochs=1, verbose=0)
""",
        r"""class MyDense(layers.Layer):
    def __init__(self, units=32, **kwargs):
        super().__init__(**kwargs)
        self.units = units
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)
    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b
model = keras.Sequential([keras.Input((10,)), MyDense(8), layers.ReLU(), MyDense(1)])
model.compile("adam", "mse")
model.fit(X, y, epochs=1, verbose=0)
""",
        "ValueError",
    ),
    "custom_model": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.randint(0, 3, 16)
""",
        r"""class MLP(keras.Model):
    def __init__(self, hidden, n_out):
        super().__init__()
        self.d1 = layers.Dense(hidden, activation="relu")
        self.drop = layers.Dropout(0.2)
        self.d2 = layers.Dense(n_out, activation="softmax")
    def call(self, inputs, training=False):
        x = self.dense1(inputs)
        x = self.drop(x, training=training)
        return self.d2(x)
model = MLP(16, 3)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(X, y, epochs=1, verbose=0)
""",
        r"""class MLP(keras.Model):
    def __init__(self, hidden, n_out):
        super().__init__()
        self.d1 = layers.Dense(hidden, activation="relu")
        self.drop = layers.Dropout(0.2)
        self.d2 = layers.Dense(n_out, activation="softmax")
    def call(self, inputs, training=False):
        x = self.d1(inputs)
        x = self.drop(x, training=training)
        return self.d2(x)
model = MLP(16, 3)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(X, y, epochs=1, verbose=0)
""",
        "AttributeError",
    ),
    "custom_model_labels": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = to_categorical(np.random.randint(0, 3, 16), 3)
""",
        r"""class MLP(tf.keras.Model):
    def __init__(self, n_out):
        super(MLP, self).__init__()
        self.d1 = Dense(16, activation="relu")
        self.bn = BatchNormalization()
        self.d2 = Dense(n_out)
    def call(self, x, training=None):
        x = self.d1(x)
        x = self.bn(x, training=training)
        return self.d2(x)
net = MLP(4)
net.compile(optimizer="sgd", loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
net.fit(X, y, epochs=1, verbose=0, validation_data=(X, y))
""",
        r"""class MLP(tf.keras.Model):
    def __init__(self, n_out):
        super(MLP, self).__init__()
        self.d1 = Dense(16, activation="relu")
        self.bn = BatchNormalization()
        self.d2 = Dense(n_out)
    def call(self, x, training=None):
        x = self.d1(x)
        x = self.bn(x, training=training)
        return self.d2(x)
net = MLP(3)
net.compile(optimizer="sgd", loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
net.fit(X, y, epochs=1, verbose=0, validation_data=(X, y))
""",
        "ValueError",
    ),
    "train_step": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32")
""",
        r"""class CustomModel(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        grads = tape.gradient(loss, self.trainable_vars)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}
inputs = keras.Input(shape=(10,))
outputs = keras.layers.Dense(1)(inputs)
model = CustomModel(inputs, outputs)
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
model.fit(X, y, epochs=1, verbose=0)
""",
        r"""class CustomModel(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}
inputs = keras.Input(shape=(10,))
outputs = keras.layers.Dense(1)(inputs)
model = CustomModel(inputs, outputs)
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
model.fit(X, y, epochs=1, verbose=0)
""",
        "AttributeError",
    ),
    "custom_loss": (
        r"""X = np.random.rand(16, 10); y = np.random.rand(16, 1)
""",
        r"""def rmse_loss(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_pred - y_true)))
def penalty(y_true, y_pred):
    diff = y_true - y_pred
    return rmse_loss(y_true, y_pred) + tf.matmul(diff, y_pred)
model = Sequential([Dense(8, activation="relu"), Dense(1)])
model.compile(optimizer="adam", loss=penalty)
model.fit(X, y, epochs=1, batch_size=8, verbose=0)
""",
        r"""def rmse_loss(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_pred - y_true)))
def penalty(y_true, y_pred):
    diff = y_true - y_pred
    return rmse_loss(y_true, y_pred) + tf.reduce_mean(diff * y_pred)
model = Sequential([Dense(8, activation="relu"), Dense(1)])
model.compile(optimizer="adam", loss=penalty)
model.fit(X, y, epochs=1, batch_size=8, verbose=0)
""",
        "ValueError",
    ),
    "live_model": (
        r"""class Head(keras.Model):
    def __init__(self, n):
        super().__init__()
        self.hidden = Dense(8, activation="relu")
        self.out = Dense(n)
    def call(self, x):
        return self.out(self.hidden(x))
def gap(t, p):
    return tf.reduce_mean(tf.square(t - p))
X = np.random.rand(16, 10).astype("float32"); Y = np.random.rand(16, 3).astype("float32")
model = Head(4); model.compile("adam", gap)
""",
        "model.fit(X, Y, epochs=1, verbose=0)\n",
        "model.fit(X, np.c_[Y, Y[:, 0]], epochs=1, verbose=0)\n",
        "ValueError",
    ),
}
RUNS = {
    "attn": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
seq = np.random.rand(8, 5, 6).astype("float32")
""",
        r"""class Attention(layers.Layer):
    def __init__(self, units=4, **kwargs):
        super(Attention, self).__init__(**kwargs)
        self.units = units
    def build(self, input_shape):
        self.W = self.add_weight(name="att_weight", shape=(input_shape[-1], 1), initializer="normal")
        self.b = self.add_weight(name="att_bias", shape=(input_shape[1], 1), initializer="zeros")
        super().build(input_shape)
    def call(self, x):
        et = keras.ops.squeeze(keras.ops.tanh(keras.ops.dot(x, self.W) + self.b), axis=-1)
        at = keras.ops.softmax(et)
        at = keras.ops.expand_dims(at, axis=-1)
        return keras.ops.sum(x * at, axis=1)
    def compute_output_shape(self, s):
        return (s[0], s[-1])
    def get_config(self):
        c = super().get_config(); c.update({"units": self.units}); return c
inp = Input((5, 6)); h = layers.LSTM(6, return_sequences=True)(inp); h = Attention()(h); m = Model(inp, Dense(1)(h))
m.compile("adam", "mse"); m.fit(seq, np.zeros(8), epochs=1, verbose=0); m.summary()
""",
    ),
    "vae": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""class Sampling(layers.Layer):
    def call(self, inputs):
        m, lv = inputs
        batch = tf.shape(m)[0]
        dim = tf.shape(m)[1]
        eps = tf.random.normal(shape=(batch, dim))
        return m + tf.exp(0.5 * lv) * eps
class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.decoder = decoder
        self.total_tracker = keras.metrics.Mean(name="total_loss")
        self.kl_tracker = keras.metrics.Mean(name="kl")
    @property
    def metrics(self):
        return [self.total_tracker, self.kl_tracker]
    def train_step(self, data):
        if isinstance(data, tuple):
            data = data[0]
        with tf.GradientTape() as tape:
            z_mean, z_log_var, z = self.encoder(data)
            rec = self.decoder(z)
            rl = tf.reduce_mean(tf.reduce_sum(tf.square(data - rec), axis=1))
            kl = -0.5 * (1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var))
            kl = tf.reduce_mean(tf.reduce_sum(kl, axis=1))
            total = rl + kl
        grads = tape.gradient(total, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total_tracker.update_state(total)
        self.kl_tracker.update_state(kl)
        return {"loss": self.total_tracker.result(), "kl": self.kl_tracker.result()}
i = Input((10,)); h = Dense(8, activation="relu")(i); zm = Dense(2, name="zm")(h); zl = Dense(2, name="zl")(h); z = Sampling()([zm, zl])
enc = Model(i, [zm, zl, z], name="enc"); li = Input((2,)); dec = Model(li, Dense(10, activation="sigmoid")(li))
vae = VAE(enc, dec); vae.compile(optimizer=keras.optimizers.Adam()); vae.fit(X, epochs=1, batch_size=8, verbose=0)
""",
    ),
    "gan": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""class GAN(keras.Model):
    def __init__(self, d, g, latent):
        super().__init__()
        self.d, self.g, self.latent = d, g, latent
        self.seen = 0
    def compile(self, d_opt, g_opt, loss_fn):
        super().compile()
        self.d_opt = d_opt; self.g_opt = g_opt; self.loss_fn = loss_fn
        self.dm = keras.metrics.Mean(name="d")
    @property
    def metrics(self):
        return [self.dm]
    def train_step(self, real):
        bs = tf.shape(real)[0]
        z = tf.random.normal((bs, self.latent))
        fake = self.g(z)
        both = tf.concat([fake, real], axis=0)
        lab = tf.concat([tf.ones((bs, 1)), tf.zeros((bs, 1))], axis=0)
        lab += 0.05 * tf.random.uniform(tf.shape(lab))
        with tf.GradientTape() as t:
            p = self.d(both)
            l = self.loss_fn(lab, p)
        gr = t.gradient(l, self.d.trainable_weights)
        self.d_opt.apply_gradients(zip(gr, self.d.trainable_weights))
        self.dm.update_state(l)
        return {"d": self.dm.result()}
d = Sequential([Input((10,)), Dense(1, activation="sigmoid")]); g = Sequential([Input((4,)), Dense(10)])
gan = GAN(d, g, 4); gan.compile(keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3), keras.losses.BinaryCrossentropy())
gan.fit(X, epochs=1, batch_size=8, verbose=0)
""",
    ),
    "blocks": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""class Block(layers.Layer):
    def __init__(self, u, rate=0.1):
        super().__init__()
        self.fc = Dense(u, activation="relu"); self.norm = layers.LayerNormalization(); self.drop = layers.Dropout(rate)
    def call(self, x, training=None):
        h = self.drop(self.fc(x), training=training)
        if training:
            h = h * 1.0
        return self.norm(x + h) if x.shape[-1] == h.shape[-1] else h
class Net(keras.Model):
    def __init__(self, n=3):
        super().__init__()
        self.blocks = [Block(12) for _ in range(n)]
        self.blocks.append(Block(8))
        self.heads = {"a": Dense(3, activation="softmax")}
        self.cfg = {"n": n}
    def call(self, x, training=False):
        for b in self.blocks:
            x = b(x, training=training)
        return self.heads["a"](x)
net = Net(); net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
h = net.fit(X, yc, epochs=1, validation_split=0.25, verbose=0); p = net.predict(X, verbose=0); print(p.shape, h.history["val_accuracy"]); net.evaluate(X, yc, verbose=0)
""",
    ),
    "live_model": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
class MLP(keras.Model):
    def __init__(self):
        super().__init__(); self.a = Dense(4, activation="relu"); self.b = Dense(1)
    def call(self, x): return self.b(self.a(x))
def rmse(t, p): return tf.sqrt(tf.reduce_mean(tf.square(t - p)))
m = MLP(); m.compile("adam", rmse, metrics=[rmse])
""",
        r"""m.fit(X, y, epochs=1, verbose=0, validation_data=(X, y))
print(m.evaluate(X, y, verbose=0), m.predict(X[:3], verbose=0).shape)
m(X[:2])
""",
    ),
    "live_fitted": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
class Scale(layers.Layer):
    def build(self, s): self.s = self.add_weight(shape=(s[-1],), initializer="ones")
    def call(self, x): return x * self.s
m = Sequential([Input((10,)), Scale(), layers.Lambda(lambda t: t * 2), Dense(1)]); m.compile("adam", "mse"); m.fit(X, y, verbose=0)
""",
        r"""m.add(Dense(1)); m.compile("sgd", "mae"); m.fit(X, y, epochs=1, verbose=0)
ext = Model(m.inputs, m.layers[0].output); print(ext.predict(X, verbose=0).shape)
""",
    ),
    "metric_loss": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""class F1(keras.metrics.Metric):
    def __init__(self, name="f1", **kw):
        super().__init__(name=name, **kw)
        self.tp = self.add_weight(name="tp", initializer="zeros")
    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred = tf.cast(y_pred > 0.5, tf.float32)
        self.tp.assign_add(tf.reduce_sum(tf.cast(y_true, tf.float32) * y_pred))
    def result(self):
        return self.tp / 2.0
    def reset_state(self):
        self.tp.assign(0.0)
class Focal(keras.losses.Loss):
    def __init__(self, gamma=2.0, name="focal"):
        super().__init__(name=name)
        self.gamma = gamma
    def call(self, y_true, y_pred):
        y_true = tf.cast(y_true, y_pred.dtype)
        bce = keras.losses.binary_crossentropy(y_true, y_pred)
        return tf.reduce_mean(tf.pow(1 - tf.exp(-bce), self.gamma) * bce)
m = Sequential([Input((10,)), Dense(1, activation="sigmoid")]); m.compile("adam", Focal(), metrics=[F1(), "accuracy"]); m.fit(X, (y > .5).astype(int), epochs=1, verbose=0)
""",
    ),
    "callback": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""class Log(keras.callbacks.Callback):
    def __init__(self, every=1):
        super().__init__()
        self.every = every; self.losses = []
    def on_train_begin(self, logs=None):
        self.losses = []
    def on_epoch_end(self, epoch, logs={}):
        self.losses.append(logs.get("loss"))
        if logs.get("val_loss", 1) < 0: self.model.stop_training = True
cb = Log(); m = Sequential([Input((10,)), Dense(1)]); m.compile("adam", "mse"); m.fit(X, y, epochs=2, callbacks=[cb], verbose=0); print(cb.losses[0], cb.model is m)
""",
    ),
    "sequence": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""class Gen(keras.utils.Sequence):
    def __init__(self, x, t, bs=4, **kw):
        super().__init__(**kw); self.x, self.t, self.bs = x, t, bs; self.on_epoch_end()
    def __len__(self): return len(self.x) // self.bs
    def __getitem__(self, i):
        s = self.idx[i * self.bs:(i + 1) * self.bs]
        return self.x[s], self.t[s]
    def on_epoch_end(self):
        self.idx = np.arange(len(self.x)); np.random.shuffle(self.idx)
g = Gen(X, y); a, b = g[0]; print(a.shape, len(g)); m = Sequential([Input((10,)), Dense(1)]); m.compile("adam", "mse"); m.fit(g, epochs=1, verbose=0)
""",
    ),
    "siamese": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""def l1(v):
    a, b = v
    return keras.ops.abs(a - b)
class Dist(layers.Layer):
    def call(self, a, b): return tf.sqrt(tf.reduce_sum(tf.square(a - b), axis=-1, keepdims=True) + 1e-7)
def contrastive(t, p, margin=1.0):
    return tf.reduce_mean((1 - t) * tf.square(p) + t * tf.square(tf.maximum(margin - p, 0.0)))
base = Sequential([Dense(6, activation="relu"), Dense(4)]); a, b = Input((10,)), Input((10,))
m = Model([a, b], Dist()(base(a), base(b))); m.compile("adam", contrastive); m.fit([X, X], y, epochs=1, verbose=0)
m2 = Model([a, b], layers.Lambda(l1)([base(a), base(b)])); print(m2.output_shape)
""",
    ),
    "embed_pos": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
ids = np.random.randint(0, 20, (8, 6))
""",
        r"""class TokPos(layers.Layer):
    def __init__(self, maxlen, vocab, dim):
        super().__init__()
        self.tok = layers.Embedding(vocab, dim); self.pos = layers.Embedding(maxlen, dim)
    def call(self, x):
        n = tf.shape(x)[-1]
        return self.tok(x) + self.pos(tf.range(start=0, limit=n, delta=1))
class TBlock(layers.Layer):
    def __init__(self, d, h, f):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=h, key_dim=d); self.ffn = keras.Sequential([Dense(f, activation="relu"), Dense(d)])
        self.n1 = layers.LayerNormalization(epsilon=1e-6); self.n2 = layers.LayerNormalization(epsilon=1e-6)
    def call(self, x, training=False):
        o = self.n1(x + self.att(x, x)); return self.n2(o + self.ffn(o))
i = Input((6,)); x = TBlock(8, 2, 16)(TokPos(6, 20, 8)(i)); x = layers.GlobalAveragePooling1D()(x); m = Model(i, Dense(2, activation="softmax")(x))
m.compile("adam", "sparse_categorical_crossentropy"); m.fit(ids, np.zeros(8), epochs=1, verbose=0)
""",
    ),
    "live_regularizer": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32")
def reg(w): return 0.01 * tf.reduce_sum(tf.abs(w))
m = Sequential([Input((10,)), Dense(4, kernel_regularizer=reg), Dense(1)]); m.compile("adam", "mse")
""",
        r"""m.fit(X, y, epochs=1, verbose=0)
print(m.evaluate(X, y, verbose=0))
""",
    ),
    "odd": (
        r"""X = np.random.rand(16, 10).astype("float32"); y = np.random.rand(16, 1).astype("float32"); yc = np.random.randint(0, 3, 16)
""",
        r"""class Odd(keras.Model):
    def __init__(self):
        super().__init__()
        self.l = Dense(1)
        try:
            self.extra = self.nothing
        except AttributeError:
            self.extra = None
        if hasattr(self, "foo"): self.foo = 1
        setattr(self, "late", Dense(2))
        self.names_ = [n for n in ("a", "b")]
    def call(self, x):
        if self.extra is not None: return self.bad(x)
        self.calls = getattr(self, "calls", 0) + 1
        return self.l(self.late(x))
    def __repr__(self): return "odd"
o = Odd(); print(o.names_, o.extra, o.name, o); o.build((None, 10)); print(o.count_params()); o.compile("adam", "mse"); o.fit(X, y, verbose=0); o.summary(); print(o.history.history["loss"])
""",
    ),
}


@pytest.mark.parametrize("name", sorted(CRASHES))
def test_a_crash_in_the_notebooks_own_code_is_found(name: str, kernel: Kernel) -> None:
    state, cell, mended, exception = CRASHES[name]
    kernel.setup(IMPORTS + state)
    quiet = check_without_trace(kernel, mended)
    report = check_without_trace(kernel, cell)
    assert quiet.finding is None, f"false alarm: {quiet.finding}"
    assert report.finding is not None, f"not found; lost at {report.lost}"
    assert report.finding.exception == exception
    error = kernel.run(cell)
    assert type(error).__name__ == exception, f"the cell raises {error!r}"
    kernel.setup(IMPORTS + state + mended)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_code_that_runs_is_left_alone(name: str, kernel: Kernel) -> None:
    state, cell = RUNS[name]
    kernel.setup(IMPORTS + state)
    report = check_without_trace(kernel, cell)
    assert report.finding is None, f"false alarm: {report.finding}"
    error = kernel.run(cell)
    assert error is None, f"the cell raises {error!r}"
