#!/usr/bin/env python3
"""Trains the networks of train_network with NumPy, in doubles and with gradients by hand, and compares the losses.

usage: check_losses.py TRAIN_NETWORK [lenet|transformer ...]
Ends with 77 where NumPy is not installed.
"""

import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)


def relu_back(d, y):
    return d * (y > 0)


def mean_cross_entropy(logits, labels):
    """The mean loss and the gradient of the logits."""
    rows = np.arange(len(labels))
    shifted = logits - logits.max(1, keepdims=True)
    log_sums = np.log(np.exp(shifted).sum(1, keepdims=True))
    d = np.exp(shifted - log_sums)
    d[rows, labels] -= 1
    return (log_sums[:, 0] - shifted[rows, labels]).mean(), d / len(labels)


# --- LeNet-5


def windows(x, size, height, width):
    """[n,h,w,c] -> [n,height,width,size,size,c]"""
    return np.stack([np.stack([x[:, i:i + height, j:j + width] for j in range(size)], 3) for i in range(size)], 3)


def conv(x, filter, bias):
    n, h, w, _ = x.shape
    size = filter.shape[0]
    taken = windows(x, size, h - size + 1, w - size + 1)
    return np.einsum("nhwijc,ijco->nhwo", taken, filter, optimize=True) + bias, taken


def conv_back(d, x_shape, taken, filter):
    """The gradients of the input, the filter and the bias."""
    dx = np.zeros(x_shape)
    size, (_, h, w, _) = filter.shape[0], d.shape
    for i in range(size):
        for j in range(size):
            dx[:, i:i + h, j:j + w] += d @ filter[i, j].T
    return dx, np.einsum("nhwijc,nhwo->ijco", taken, d, optimize=True), d.sum((0, 1, 2))


def pool(x):
    n, h, w, c = x.shape
    blocks = x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 5, 2, 4).reshape(n, h // 2, w // 2, c, 4)
    return blocks.max(4), blocks.argmax(4)


def pool_back(d, first):
    n, h, w, c = d.shape
    blocks = (np.arange(4) == first[..., None]) * d[..., None]
    return blocks.reshape(n, h, w, c, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(n, 2 * h, 2 * w, c)


def lenet(p, images, labels):
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = p
    padded = np.pad(images, ((0, 0), (2, 2), (2, 2), (0, 0)))
    x, taken1 = conv(padded, w1, b1)
    conv1 = np.maximum(x, 0)
    pool1, first1 = pool(conv1)
    x, taken2 = conv(pool1, w2, b2)
    conv2 = np.maximum(x, 0)
    pool2, first2 = pool(conv2)
    flat = pool2.reshape(len(images), 400)
    fc1 = np.maximum(flat @ w3 + b3, 0)
    fc2 = np.maximum(fc1 @ w4 + b4, 0)
    loss, d = mean_cross_entropy(fc2 @ w5 + b5, labels)

    dw5, db5 = fc2.T @ d, d.sum(0)
    d = relu_back(d @ w5.T, fc2)
    dw4, db4 = fc1.T @ d, d.sum(0)
    d = relu_back(d @ w4.T, fc1)
    dw3, db3 = flat.T @ d, d.sum(0)
    d = relu_back(pool_back((d @ w3.T).reshape(pool2.shape), first2), conv2)
    d, dw2, db2 = conv_back(d, pool1.shape, taken2, w2)
    d = relu_back(pool_back(d, first1), conv1)
    _, dw1, db1 = conv_back(d, padded.shape, taken1, w1)
    return loss, [dw1, db1, dw2, db2, dw3, db3, dw4, db4, dw5, db5]


# --- The transformer


class Tape:
    """Parameters in the order in which they are used, and their gradients."""

    def __init__(self, parameters):
        self.parameters, self.gradients, self.used = parameters, [None] * len(parameters), 0

    def take(self, count):
        self.used += count
        return range(self.used - count, self.used)


def linear(tape, x):
    """The value, and what makes the gradient of `x` of the value's."""
    matrix, bias = tape.take(2)
    w = tape.parameters[matrix]

    def back(d):
        tape.gradients[matrix], tape.gradients[bias] = x.T @ d, d.sum(0)
        return d @ w.T

    return x @ w + tape.parameters[bias], back


def norm(tape, x):
    scale, offset = tape.take(2)
    centred = x - x.mean(1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
    y = centred / deviation

    def back(d):
        tape.gradients[scale], tape.gradients[offset] = (d * y).sum(0), d.sum(0)
        d = d * tape.parameters[scale]
        return (d - d.mean(1, keepdims=True) - y * (d * y).mean(1, keepdims=True)) / deviation

    return y * tape.parameters[scale] + tape.parameters[offset], back


def gelu(x):
    share = 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    return x * share, lambda d: d * (share + x * np.exp(-x**2 / 2) / math.sqrt(2 * math.pi))


def attention(tape, x, batch, heads):
    length, width = len(x) // batch, x.shape[1] // heads
    split = lambda y: y.reshape(batch, length, heads, width).transpose(0, 2, 1, 3)
    join = lambda y: y.transpose(0, 2, 1, 3).reshape(batch * length, heads * width)
    (q, q_back), (k, k_back), (v, v_back) = [linear(tape, x) for _ in range(3)]
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(width)
    scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    shares = np.exp(scores - scores.max(3, keepdims=True))
    shares /= shares.sum(3, keepdims=True)
    y, y_back = linear(tape, join(shares @ v))

    def back(d):
        d = split(y_back(d))
        d_shares = d @ v.transpose(0, 1, 3, 2)
        d_scores = shares * (d_shares - (d_shares * shares).sum(3, keepdims=True)) / math.sqrt(width)
        return (q_back(join(d_scores @ k)) + k_back(join(d_scores.transpose(0, 1, 3, 2) @ q)) +
                v_back(join(shares.transpose(0, 1, 3, 2) @ d)))

    return y, back


def transformer(p, characters, labels):
    batch, length = characters.shape
    tape = Tape(p)
    embedding, places = tape.take(2)
    x = (p[embedding][characters] + p[places]).reshape(batch * length, -1)
    backs = []
    for _ in range(2):
        y, norm_back = norm(tape, x)
        y, attention_back = attention(tape, y, batch, 4)
        x = x + y
        backs.append([attention_back, norm_back])
        y, norm_back = norm(tape, x)
        y, hidden_back = linear(tape, y)
        y, gelu_back = gelu(y)
        y, out_back = linear(tape, y)
        x = x + y
        backs.append([out_back, gelu_back, hidden_back, norm_back])
    y, norm_back = norm(tape, x)
    y, logits_back = linear(tape, y)
    loss, d = mean_cross_entropy(y, labels.reshape(-1))
    d = norm_back(logits_back(d))
    for part in reversed(backs):
        inner = d
        for back in part:
            inner = back(inner)
        d = d + inner
    d = d.reshape(batch, length, -1)
    tape.gradients[places] = d.sum(0)
    tape.gradients[embedding] = np.zeros_like(p[embedding])
    np.add.at(tape.gradients[embedding], characters, d)
    return loss, tape.gradients


# Each is trained with this: the shape of a batch and the dtype of its inputs, and how far losses may be off,
# relatively.
NETWORKS = {
    "lenet": (lenet, dict(rate=0.03, momentum=0), (64, 28, 28, 1), "<f4", (64,), 1e-5),
    "transformer": (transformer, dict(rate=0.05, momentum=0.9), (8, 24), "<i4", (8, 24), 1e-4),
}
STEPS = 12


def read_parameters(folder):
    shapes = [[int(size) for size in line.split()[1:]] for line in (folder / "parameters.txt").read_text().splitlines()]
    elements = np.fromfile(folder / "parameters.f32", "<f4").astype("f8")
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(elements, ends[:-1]), shapes)]


def check(program, name):
    network, how, input_shape, dtype, label_shape, tolerance = NETWORKS[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        output = subprocess.run([program, f"--network={name}", f"--steps={STEPS}", f"--write={folder}"], check=True,
                                capture_output=True, text=True).stdout
        found = [float(line.split()[1]) for line in output.splitlines()[:STEPS]]
        parameters = read_parameters(folder)
        inputs = np.fromfile(folder / "inputs.bin", dtype).reshape(STEPS, *input_shape)
        labels = np.fromfile(folder / "labels.i32", "<i4").reshape(STEPS, *label_shape)
    velocities = [np.zeros_like(parameter) for parameter in parameters]
    worst = 0
    for step in range(STEPS):
        loss, gradients = network(parameters, inputs[step], labels[step])
        for parameter, velocity, gradient in zip(parameters, velocities, gradients):
            velocity *= how["momentum"]
            velocity += gradient
            parameter -= how["rate"] * velocity
        worst = max(worst, abs(found[step] - loss) / abs(loss))
    print(f"{name}: losses {found[0]:.4f} to {found[-1]:.4f} in {STEPS} steps; from NumPy's at most {worst:.1e}")
    return worst <= tolerance and found[-1] < found[0]


if __name__ == "__main__":
    sys.exit(not all([check(sys.argv[1], name) for name in sys.argv[2:] or NETWORKS]))
