"""ResNet-50, MobileNetV2 and EfficientNet-B0, as torchvision has them."""

import math


def batch(b):
    return "batch" if b.torchscript else 1


def conv(b, name, value, size_in, size_out, kernel, stride=1, groups=1, gain=2.0, bias=False, padded=True):
    """A convolution; without bias it stands before a batch normalisation, which "ts" has folded into it."""
    with b.scope(name):
        fan_in = size_in // groups * kernel * kernel
        operands = [value, b.parameter("weight", [size_out, size_in // groups, kernel, kernel],
                                       std=math.sqrt(gain / fan_in))]
        if bias or b.torchscript:
            operands.append(b.parameter("bias", [size_out], std=0.1) if bias else
                            b.shared_parameter("bias", "bias", [size_out], std=0.1))
        return b.op("Conv", *operands, dilations=[1, 1], group=groups, kernel_shape=[kernel, kernel],
                    pads=[(kernel - 1) // 2 if padded else 0] * 4, strides=[stride, stride])


def norm(b, name, value, size):
    if b.torchscript:
        return value
    with b.scope(name):
        operands = [b.parameter("weight", [size], low=0.8, high=1.2), b.parameter("bias", [size], std=0.1),
                    b.parameter("running_mean", [size], std=0.1),
                    b.parameter("running_var", [size], low=0.8, high=1.2)]
        return b.op("BatchNormalization", value, *operands, epsilon=1e-5, momentum=0.9)


def mean_of_image(b, value):
    if b.torchscript:
        return b.op("GlobalAveragePool", value)
    return b.op("ReduceMean", value, b.constant([-1, -2]), keepdims=1, noop_with_empty_axes=0)


def classifier(b, name, value, size):
    with b.scope("avgpool"):
        value = mean_of_image(b, value)
    value = b.op("Flatten", value, axis=1) if b.torchscript else b.reshape(value, [1, size])
    b.output(b.linear(name, value, size, 1000, std=1 / math.sqrt(size), rank=2), "logits", [batch(b), 1000])


def resnet50(b):
    def bottleneck(name, x, size_in, width, stride):
        with b.scope(name):
            y = norm(b, "bn1", conv(b, "conv1", x, size_in, width, 1), width)
            y = b.op("Relu", y)
            y = norm(b, "bn2", conv(b, "conv2", y, width, width, 3, stride), width)
            y = b.op("Relu", y)
            # The last convolution is weak, so that sums over sixteen blocks stay small.
            y = norm(b, "bn3", conv(b, "conv3", y, width, 4 * width, 1, gain=0.2), 4 * width)
            if stride != 1 or size_in != 4 * width:
                with b.scope("downsample"):
                    x = norm(b, "1", conv(b, "0", x, size_in, 4 * width, 1, stride), 4 * width)
            return b.op("Relu", b.op("Add", y, x))

    x = b.input("x", [batch(b), 3, 224, 224])
    x = b.op("Relu", norm(b, "bn1", conv(b, "conv1", x, 3, 64, 7, 2), 64))
    with b.scope("maxpool"):
        x = b.op("MaxPool", x, ceil_mode=0, dilations=[1, 1], kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
    size = 64
    for layer, (width, blocks) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)], 1):
        for block in range(blocks):
            x = bottleneck(f"layer{layer}.{block}", x, size, width, 2 if layer > 1 and block == 0 else 1)
            size = 4 * width
    classifier(b, "fc", x, size)


def mobilenet_v2(b):
    def relu6(value):
        return b.op("Clip", value, b.scalar(0.0), b.scalar(6.0))

    def step(name, value, size_in, size_out, kernel, stride=1, groups=1):
        with b.scope(name):
            return relu6(norm(b, "1", conv(b, "0", value, size_in, size_out, kernel, stride, groups), size_out))

    x = b.input("x", [batch(b), 3, 224, 224])
    x = step("features.0", x, 3, 32, 3, 2)
    size, number = 32, 1
    for expansion, width, blocks, first_stride in [
            (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
            (6, 320, 1, 1)]:
        for block in range(blocks):
            stride = first_stride if block == 0 else 1
            with b.scope(f"features.{number}.conv"):
                hidden = size * expansion
                y = step("0", x, size, hidden, 1) if expansion != 1 else x
                y = step("1", y, hidden, hidden, 3, stride, hidden)
                y = norm(b, "3", conv(b, "2", y, hidden, width, 1, gain=1.0), width)
            x = b.op("Add", x, y) if stride == 1 and size == width else y
            size, number = width, number + 1
    x = step("features.18", x, size, 1280, 1)
    classifier(b, "classifier.1", x, 1280)


def efficientnet_b0(b):
    def silu(value):
        return b.op("Mul", value, b.op("Sigmoid", value))

    def step(name, value, size_in, size_out, kernel, stride=1, groups=1):
        with b.scope(name):
            return silu(norm(b, "1", conv(b, "0", value, size_in, size_out, kernel, stride, groups), size_out))

    def squeeze(name, value, size, size_inside):
        with b.scope(name):
            y = mean_of_image(b, value)
            y = silu(conv(b, "fc1", y, size, size_inside, 1, bias=True))
            return b.op("Mul", b.op("Sigmoid", conv(b, "fc2", y, size_inside, size, 1, bias=True)), value)

    x = b.input("x", [batch(b), 3, 224, 224])
    x = step("features.0", x, 3, 32, 3, 2)
    size = 32
    for stage, (expansion, kernel, first_stride, width, blocks) in enumerate([
            (1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3),
            (6, 5, 2, 192, 4), (6, 3, 1, 320, 1)], 1):
        for block in range(blocks):
            stride = first_stride if block == 0 else 1
            with b.scope(f"features.{stage}.{block}.block"):
                hidden = size * expansion
                y = step("0", x, size, hidden, 1) if expansion != 1 else x
                y = step("1", y, hidden, hidden, kernel, stride, hidden)
                y = squeeze("2", y, hidden, max(1, size // 4))
                y = norm(b, "3.1", conv(b, "3.0", y, hidden, width, 1, gain=4.0), width)
            x = b.op("Add", y, x) if stride == 1 and size == width else y
            size = width
    x = step("features.8", x, size, 1280, 1)
    classifier(b, "classifier.1", x, 1280)
