#!/usr/bin/env python3
"""Trains LeNet-5 with NumPy in float64, as examples/eager does op by op: gradient descent from the weights of
examples/lenet (initial_weights), on the first 64 held-out digits. lenet_losses.txt has the loss before each of 20
steps; lenet_test compares those of a GPU with it.

    lenet_losses.py                writes lenet_losses.txt
    lenet_losses.py --check N      compares the first N losses with the file

Needs numpy.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
DIGITS = HERE.parents[3] / "examples" / "digits" / "data"
TABLE = HERE / "lenet_losses.txt"
BATCH, STEPS, RATE = 64, 20, np.float64(np.float32(0.03))
SHAPES = [(5, 5, 1, 6), (6,), (5, 5, 6, 16), (16,), (400, 120), (120,), (120, 84), (84,), (84, 10), (10,)]
# Sums in another order differ in the last digits.
TOLERANCE = 1e-12


def images_and_labels():
    """[64,28,28,1], [64]: each pixel as 3x3 pixels, with a margin of 2."""
    small = np.fromfile(DIGITS / "images.u8", "u1").reshape(-1, 8, 8)[:BATCH] / 16.0
    large = np.kron(small, np.ones((1, 3, 3)))
    return np.pad(large, ((0, 0), (2, 2), (2, 2)))[..., None], np.fromfile(DIGITS / "labels.i32", "<i4")[:BATCH]


def initial_weights():
    """Those of examples/lenet/train.py: a linear congruential generator, rounded to f32; biases are 0."""
    state, weights = 1, []
    for shape in SHAPES:
        weight = np.zeros(shape, np.float32)
        if len(shape) > 1:
            bound = np.sqrt(np.float32(6) / np.float32(np.prod(shape[:-1])))
            flat = weight.reshape(-1)
            for i in range(flat.size):
                state = (state * 1664525 + 1013904223) % 2**32
                flat[i] = (np.float32(state >> 8) / np.float32(1 << 23) - np.float32(1)) * bound
        weights.append(weight.astype(np.float64))
    return weights


def patches(x):
    """[N,H,W,C] -> [N,H-4,W-4,5,5,C]"""
    return np.lib.stride_tricks.sliding_window_view(x, (5, 5), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)


def convolve(x, w):
    return np.tensordot(patches(x), w, 3)


def filter_gradient(x, d):
    return np.tensordot(patches(x), d, ((0, 1, 2), (0, 1, 2)))


def image_gradient(w, d):
    """Of the convolution without padding: the full one with the filter turned round."""
    wide = np.pad(d, ((0, 0), (4, 4), (4, 4), (0, 0)))
    return convolve(wide, w[::-1, ::-1].transpose(0, 1, 3, 2))


def windows(x):
    """[N,H,W,C] -> [N,H/2,W/2,C,4], the pixels of each 2x2 window row by row"""
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 5, 2, 4).reshape(n, h // 2, w // 2, c, 4)


def pool(x):
    return windows(x).max(axis=-1)


def pool_gradient(x, d):
    """To the first of the largest pixels of each window."""
    n, h, w, c = x.shape
    parts = np.zeros(d.shape + (4,))
    np.put_along_axis(parts, windows(x).argmax(axis=-1)[..., None], d[..., None], axis=-1)
    return parts.reshape(n, h // 2, w // 2, c, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(x.shape)


def step(weights, images, labels):
    """Returns the loss, and the weights after the step."""
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = weights
    padded = np.pad(images, ((0, 0), (2, 2), (2, 2), (0, 0)))
    conv1 = np.maximum(convolve(padded, w1) + b1, 0)
    pool1 = pool(conv1)
    conv2 = np.maximum(convolve(pool1, w2) + b2, 0)
    pool2 = pool(conv2)
    flat = pool2.reshape(len(images), -1)
    fc1 = np.maximum(flat @ w3 + b3, 0)
    fc2 = np.maximum(fc1 @ w4 + b4, 0)
    logits = fc2 @ w5 + b5

    shifted = logits - logits.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    rows = np.arange(len(labels))
    loss = -logs[rows, labels].mean()
    d = np.exp(logs)
    d[rows, labels] -= 1
    d /= len(labels)

    dw5, db5 = fc2.T @ d, d.sum(axis=0)
    d = (d @ w5.T) * (fc2 > 0)
    dw4, db4 = fc1.T @ d, d.sum(axis=0)
    d = (d @ w4.T) * (fc1 > 0)
    dw3, db3 = flat.T @ d, d.sum(axis=0)
    d = pool_gradient(conv2, (d @ w3.T).reshape(pool2.shape)) * (conv2 > 0)
    dw2, db2 = filter_gradient(pool1, d), d.sum(axis=(0, 1, 2))
    d = pool_gradient(conv1, image_gradient(w2, d)) * (conv1 > 0)
    dw1, db1 = filter_gradient(padded, d), d.sum(axis=(0, 1, 2))
    gradients = (dw1, db1, dw2, db2, dw3, db3, dw4, db4, dw5, db5)
    return loss, [w - RATE * g for w, g in zip(weights, gradients)]


def losses(count):
    images, labels = images_and_labels()
    weights = initial_weights()
    for _ in range(count):
        loss, weights = step(weights, images, labels)
        yield loss


def main():
    if len(sys.argv) == 1:
        TABLE.write_text("".join(f"{loss:.17g}\n" for loss in losses(STEPS)))
    elif len(sys.argv) == 3 and sys.argv[1] == "--check":
        table = [float(line) for line in TABLE.read_text().split()]
        assert len(table) == STEPS, f"{TABLE} has {len(table)} losses"
        for i, loss in enumerate(losses(int(sys.argv[2]))):
            assert abs(loss - table[i]) <= TOLERANCE, f"step {i}: {loss:.17g} here, {table[i]:.17g} in {TABLE}"
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
