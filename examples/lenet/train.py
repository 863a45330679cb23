#!/usr/bin/env python3
"""Trains LeNet-5 with JAX and writes what the example compares with.

Data: the handwritten 8x8 digits that examples/digits splits into 1,347 to train with and 450 held out; each
pixel becomes 3x3 pixels, with a margin of 2: 28x28. All seeds are fixed.

Written to data/ (numbers are little endian, arrays row-major):
  weights.f32  conv1 [5,5,1,6], its bias, conv2 [5,5,6,16], its bias, fc1 [400,120], fc2 [120,84],
               fc3 [84,10], each followed by its bias
  classes.i32  [450]     what JAX's network says of the held-out images
  logits.f32   [450,10]  its outputs
  losses.f32   [10]      the losses of ten steps of gradient descent that start from other weights
               (initial_weights) and use the first 64 held-out images

The held-out images and what was written in them are in ../digits/data.

Needs jax, numpy and scikit-learn. Other versions of them may give slightly different weights; the files
that are checked in belong together.
"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = pathlib.Path(__file__).resolve().parent
NUM_TEST = 450
STEP_BATCH, NUM_STEPS, STEP_RATE = 64, 10, 0.03
SHAPES = [(5, 5, 1, 6), (6,), (5, 5, 6, 16), (16,), (400, 120), (120,), (120, 84), (84,), (84, 10), (10,)]


def enlarge(images):
    """[N,64] -> [N,28,28,1]"""
    large = np.kron(images.reshape(-1, 8, 8), np.ones((1, 3, 3)))
    return np.pad(large, ((0, 0), (2, 2), (2, 2)))[..., None].astype(np.float32)


def load():
    digits = load_digits()
    train_x, test_x, train_y, test_y = train_test_split(
        digits.data / 16.0, digits.target, test_size=NUM_TEST, random_state=7, stratify=digits.target)
    return enlarge(train_x), enlarge(test_x), train_y.astype(np.int32), test_y.astype(np.int32)


def convolve(x, w, b, padding):
    dimensions = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, w, (1, 1), padding, dimension_numbers=dimensions) + b


def pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def network(weights, x):
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = weights
    x = pool(jax.nn.relu(convolve(x, w1, b1, "SAME")))
    x = pool(jax.nn.relu(convolve(x, w2, b2, "VALID")))
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(x @ w3 + b3)
    x = jax.nn.relu(x @ w4 + b4)
    return x @ w5 + b5


def loss_of(weights, x, y):
    logs = jax.nn.log_softmax(network(weights, x))
    return -jnp.mean(jnp.take_along_axis(logs, y[:, None], axis=1))


@jax.jit
def step(weights, x, y, rate):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
    return loss, [w - rate * g for w, g in zip(weights, gradients)]


def initial_weights():
    """Numbers that a few lines of any language make: a linear congruential generator, uniform within
    sqrt(6 / inputs of a unit). Biases are 0."""
    state, weights = 1, []
    for shape in SHAPES:
        weight = np.zeros(shape, np.float32)
        if len(shape) > 1:
            bound = np.sqrt(np.float32(6) / np.float32(np.prod(shape[:-1])))
            flat = weight.reshape(-1)
            for i in range(flat.size):
                state = (state * 1664525 + 1013904223) % 2**32
                flat[i] = (np.float32(state >> 8) / np.float32(1 << 23) - np.float32(1)) * bound
        weights.append(weight)
    return weights


def train(x, y):
    rng = np.random.default_rng(3)
    weights = [rng.standard_normal(s).astype(np.float32) * (2 / np.prod(s[:-1])) ** 0.5 * (len(s) > 1)
               for s in SHAPES]
    weights = [w.astype(np.float32) for w in weights]
    for epoch in range(40):
        order = rng.permutation(len(x))
        for begin in range(0, len(x), 32):
            batch = order[begin:begin + 32]
            _, weights = step(weights, x[batch], y[batch], 0.1 if epoch < 30 else 0.02)
    return weights


def main():
    train_x, test_x, train_y, test_y = load()
    digits = HERE.parent / "digits" / "data"
    assert (enlarge(np.fromfile(digits / "images.u8", "u1").reshape(-1, 64) / 16.0) == test_x).all()
    assert (np.fromfile(digits / "labels.i32", "<i4") == test_y).all()

    weights = train(train_x, train_y)
    with jax.default_matmul_precision("float32"):
        logits = np.asarray(network(weights, test_x))
    classes = logits.argmax(axis=1)

    losses, current = [], initial_weights()
    for _ in range(NUM_STEPS):
        loss, current = step(current, test_x[:STEP_BATCH], test_y[:STEP_BATCH], STEP_RATE)
        losses.append(float(loss))

    data = HERE / "data"
    data.mkdir(exist_ok=True)
    np.concatenate([np.asarray(w).ravel() for w in weights]).astype("<f4").tofile(data / "weights.f32")
    classes.astype("<i4").tofile(data / "classes.i32")
    logits.astype("<f4").tofile(data / "logits.f32")
    np.array(losses, "<f4").tofile(data / "losses.f32")
    top = np.sort(logits, axis=1)
    print(f"{(classes == test_y).sum()} of {NUM_TEST} held-out digits right, "
          f"smallest margin {(top[:, -1] - top[:, -2]).min():.3f}, losses {losses}")


if __name__ == "__main__":
    main()
