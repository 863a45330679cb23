"""LeNet-5 recognises handwritten digits: op by op and, where the compiler library is, as one traced function.

usage: python examples/python/lenet.py
"""

import pathlib
import sys
import time

import numpy as np

import tfrt

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent
SHAPES = [(5, 5, 1, 6), (6,), (5, 5, 6, 16), (16,), (400, 120), (120,), (120, 84), (84,), (84, 10), (10,)]
TWO_BY_TWO = [1, 2, 2, 1]


def read_images():
    """450 pictures of 8x8 pixels, 0 to 16, each pixel of which becomes 3x3; with a margin of 2."""
    small = np.fromfile(EXAMPLES / "digits/data/images.u8", "u1").reshape(-1, 8, 8)
    large = np.kron(small, np.ones((3, 3))) / 16
    return np.pad(large, ((0, 0), (2, 2), (2, 2))).astype("f4")[..., None]


def read_weights():
    numbers = np.fromfile(EXAMPLES / "lenet/data/weights.f32", "<f4")
    parts = np.split(numbers, np.cumsum([np.prod(shape) for shape in SHAPES])[:-1])
    return [tfrt.tensor(part.reshape(shape)) for part, shape in zip(parts, SHAPES)]


def logits(images, weights):
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = weights
    x = tfrt.conv2d_bias(images, w1, b1, padding="SAME", strides=[1, 1, 1, 1], activation="relu")
    x = tfrt.max_pool2d(x, TWO_BY_TWO, "VALID", strides=TWO_BY_TWO)
    x = tfrt.conv2d_bias(x, w2, b2, padding="VALID", strides=[1, 1, 1, 1], activation="relu")
    x = tfrt.max_pool2d(x, TWO_BY_TWO, "VALID", strides=TWO_BY_TWO)
    x = x.reshape(-1, 400)
    x = tfrt.matmul_bias(x, w3, b3, activation="relu")
    x = tfrt.matmul_bias(x, w4, b4, activation="relu")
    return tfrt.matmul_bias(x, w5, b5)


def check(found):
    expected = np.fromfile(EXAMPLES / "lenet/data/logits.f32", "<f4").reshape(-1, 10)
    labels = np.fromfile(EXAMPLES / "digits/data/labels.i32", "<i4")
    difference = np.abs(found - expected).max()
    assert difference < 1e-4, difference
    return (found.argmax(1) == labels).mean()


def main():
    images, weights = read_images(), read_weights()
    print(f"op by op: {check(logits(images, weights).numpy()):.1%} of {len(images)} digits are right")
    traced = tfrt.function(lambda x: logits(x, weights))
    try:
        print(f"traced:   {check(traced(images).numpy()):.1%}")
    except tfrt.FailedPreconditionError as error:
        if "compiler library" not in str(error):
            raise
        print("traced:   left out, without the compiler library")
        return
    begin = time.perf_counter()
    for _ in range(10):
        traced(images[:1]).wait()
    print(f"one image, traced: {(time.perf_counter() - begin) * 100:.3f} ms", file=sys.stderr)


if __name__ == "__main__":
    main()
