"""Small networks of the study across the stack: LeNet-5, a multi-layer perceptron, and a chain of equal ops."""

import math

from . import convnets

CHAIN_LENGTH = 200
CHAIN_SHAPE = [64, 80]


def lenet5(b):
    """With the paper's sizes, and rectifiers."""
    def step(name, x, size_in, size_out, padded):
        with b.scope(name):
            x = b.op("Relu", convnets.conv(b, "conv", x, size_in, size_out, 5, bias=True, padded=padded))
            return b.op("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2])

    x = b.input("x", ["batch", 1, 28, 28])
    x = step("c1", x, 1, 6, True)
    x = step("c3", x, 6, 16, False)
    x = b.op("Flatten", x, axis=1)
    for name, size_in, size_out in (("c5", 400, 120), ("f6", 120, 84)):
        x = b.op("Relu", b.linear(name, x, size_in, size_out, std=math.sqrt(2 / size_in), rank=2))
    b.output(b.linear("output", x, 84, 10, std=0.1, rank=2), "logits", ["batch", 10])


def mlp(b):
    """Five layers of a thousand."""
    x = b.input("x", ["batch", 784])
    size = 784
    for layer in range(4):
        x = b.op("Relu", b.linear(f"hidden.{layer}", x, size, 1024, std=math.sqrt(2 / size), rank=2))
        size = 1024
    b.output(b.linear("output", x, size, 10, std=0.03, rank=2), "logits", ["batch", 10])


def chain(b):
    """Some microseconds each. Softmax is an op that is fused with nothing; what it gives stays in its range."""
    x = b.input("x", ["batch", *CHAIN_SHAPE])
    for _ in range(CHAIN_LENGTH):
        x = b.op("Softmax", x, axis=-1)
    b.output(x, "y", ["batch", *CHAIN_SHAPE])
