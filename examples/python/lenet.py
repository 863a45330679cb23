"""LeNet-5 recognises handwritten digits: op by op, in ten steps of training and, where the compiler library is, as one
traced function.

usage: python examples/python/lenet.py [--device gpu:0] [--images N] [--steps N] [--batch N]
"""

import argparse
import pathlib
import sys
import time

import numpy as np

import tfrt

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent
SHAPES = [(5, 5, 1, 6), (6,), (5, 5, 6, 16), (16,), (400, 120), (120,), (120, 84), (84,), (84, 10), (10,)]
TWO_BY_TWO = [1, 2, 2, 1]
BATCH, RATE = 64, 0.03  # of JAX's steps of training


def read_images():
    """450 pictures of 8x8 pixels, 0 to 16, each pixel of which becomes 3x3; with a margin of 2."""
    small = np.fromfile(EXAMPLES / "digits/data/images.u8", "u1").reshape(-1, 8, 8)
    large = np.kron(small, np.ones((3, 3))) / 16
    return np.pad(large, ((0, 0), (2, 2), (2, 2))).astype("f4")[..., None]


def read_labels():
    return np.fromfile(EXAMPLES / "digits/data/labels.i32", "<i4")


def read_weights():
    numbers = np.fromfile(EXAMPLES / "lenet/data/weights.f32", "<f4")
    parts = np.split(numbers, np.cumsum([np.prod(shape) for shape in SHAPES])[:-1])
    return [tfrt.tensor(part.reshape(shape)) for part, shape in zip(parts, SHAPES)]


def initial_weights():
    """The weights from which JAX's ten steps start."""
    state, weights = 1, []
    for shape in SHAPES:
        part = np.zeros(np.prod(shape), "f4")
        if len(shape) > 1:
            bound = np.sqrt(np.float32(6 / (part.size // shape[-1])))
            for i in range(part.size):
                state = (state * 1664525 + 1013904223) % 2**32
                part[i] = (np.float32(state >> 8) / np.float32(8388608) - np.float32(1)) * bound
        weights.append(tfrt.tensor(part.reshape(shape)))
    return weights


def layers(images, weights):
    """The outputs of the layers, the logits last."""
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = weights
    conv1 = tfrt.conv2d_bias(images, w1, b1, padding="SAME", activation="relu")
    pool1 = tfrt.max_pool2d(conv1, TWO_BY_TWO, "VALID", strides=TWO_BY_TWO)
    conv2 = tfrt.conv2d_bias(pool1, w2, b2, padding="VALID", activation="relu")
    pool2 = tfrt.max_pool2d(conv2, TWO_BY_TWO, "VALID", strides=TWO_BY_TWO)
    flat = pool2.reshape(-1, 400)
    fc1 = tfrt.matmul_bias(flat, w3, b3, activation="relu")
    fc2 = tfrt.matmul_bias(fc1, w4, b4, activation="relu")
    return conv1, pool1, conv2, pool2, flat, fc1, fc2, tfrt.matmul_bias(fc2, w5, b5)


def logits(images, weights):
    return layers(images, weights)[-1]


def train_step(images, labels, weights):
    """One step of gradient descent; the mean loss before it, and the new weights."""
    _, _, w2, _, w3, _, w4, _, w5, _ = weights
    conv1, pool1, conv2, pool2, flat, fc1, fc2, scores = layers(images, weights)
    losses, d = tfrt.softmax_cross_entropy(scores, labels)
    d = d / len(labels)  # from here on the gradient of the output of one layer after the other
    gradients = [tfrt.ops.matmul(fc2, d, transpose_a=True), tfrt.bias_add_grad(d)]
    d = tfrt.relu_grad(tfrt.ops.matmul(d, w5, transpose_b=True), fc2)
    gradients = [tfrt.ops.matmul(fc1, d, transpose_a=True), tfrt.bias_add_grad(d), *gradients]
    d = tfrt.relu_grad(tfrt.ops.matmul(d, w4, transpose_b=True), fc1)
    gradients = [tfrt.ops.matmul(flat, d, transpose_a=True), tfrt.bias_add_grad(d), *gradients]
    d = tfrt.ops.matmul(d, w3, transpose_b=True).reshape(*pool2.shape)

    d = tfrt.relu_grad(tfrt.max_pool2d_grad(conv2, pool2, d, TWO_BY_TWO, "VALID", strides=TWO_BY_TWO), conv2)
    gradients = [tfrt.conv2d_filter_grad(pool1, SHAPES[2], d, "VALID"), tfrt.bias_add_grad(d), *gradients]
    d = tfrt.conv2d_input_grad(pool1.shape, w2, d, "VALID")
    d = tfrt.relu_grad(tfrt.max_pool2d_grad(conv1, pool1, d, TWO_BY_TWO, "VALID", strides=TWO_BY_TWO), conv1)
    gradients = [tfrt.conv2d_filter_grad(images, SHAPES[0], d, "SAME"), tfrt.bias_add_grad(d), *gradients]
    return losses.mean(), [tfrt.sgd_update(w, g, RATE) for w, g in zip(weights, gradients)]


def check(found):
    """The share of right answers; the logits are JAX's."""
    expected = np.fromfile(EXAMPLES / "lenet/data/logits.f32", "<f4").reshape(-1, 10)[:len(found)]
    difference = np.abs(found - expected).max()
    assert difference < 1e-4, difference
    return (found.argmax(1) == read_labels()[:len(found)]).mean()


def train(steps, batch):
    images, labels, weights = tfrt.tensor(read_images()[:batch]), tfrt.tensor(read_labels()[:batch]), initial_weights()
    losses = []
    for _ in range(steps):
        loss, weights = train_step(images, labels, weights)
        losses.append(loss)
    return np.array([loss.item() for loss in losses])


def check_losses(found, batch):
    """They are JAX's; of smaller batches those of cpu:0."""
    if batch == BATCH:
        expected = np.fromfile(EXAMPLES / "lenet/data/losses.f32", "<f4")[:len(found)]
    else:
        with tfrt.Context():
            expected = train(len(found), batch)
    difference = np.abs(found - expected).max()
    assert difference < 1e-4, difference


def trace(images, weights):
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--device", default="cpu:0", help="where the ops run: cpu:0, gpu:0")
    parser.add_argument("--images", type=int, default=450, help="how many are classified")
    parser.add_argument("--steps", type=int, default=10, help="of training")
    parser.add_argument("--batch", type=int, default=BATCH, help="images of a step")
    arguments = parser.parse_args()
    try:
        context = tfrt.Context(devices=[arguments.device])
    except tfrt.Error as error:
        sys.exit(f"lenet: {error}")  # the reason, and the exit code 1
    with tfrt.Scope(context=context, device=arguments.device):
        images, weights = read_images()[:arguments.images], read_weights()
        print(f"op by op: {check(logits(images, weights).numpy()):.1%} of {len(images)} digits are right")
        losses = train(arguments.steps, arguments.batch)
        check_losses(losses, arguments.batch)
        print("losses of training:", *(f"{loss:.4f}" for loss in losses))
        if arguments.device == "cpu:0":  # functions run on the host
            trace(images, weights)


if __name__ == "__main__":
    main()
