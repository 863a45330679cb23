"""Layers of networks: products, convolutions, pooling, normalisations and activations, as one op and spelled out."""

import numpy as np

from elementwise import binary_of, unary_of
from growing import Rejected
from movement import reshape_to
from reductions import reduce


def number(x, value):
    return np.array(value, x.dtype)


# --- activations

def gelu_erf(g, x):
    op, root = g.choose([("Div", 2**0.5), ("Mul", 0.5**0.5)])
    inner = g.op("Erf", [g.op(op, [x, g.constant(number(x, root))])])
    factor = g.op("Add", [inner, g.constant(number(x, 1))])
    half = g.constant(number(x, 0.5))
    first, second, third = g.choose([(x, factor, half), (x, half, factor), (half, factor, x)])
    return g.op("Mul", [g.op("Mul", [first, second]), third])


def gelu_tanh(g, x):
    cube = g.op("Pow", [x, g.constant(number(x, 3))]) if g.chance(0.5) else g.op("Mul", [g.op("Mul", [x, x]), x])
    inner = g.op("Add", [x, g.op("Mul", [g.constant(number(x, 0.044715)), cube])])
    inner = g.op("Tanh", [g.op("Mul", [g.constant(number(x, (2 / np.pi) ** 0.5)), inner])])
    return g.op("Mul", [g.op("Mul", [x, g.constant(number(x, 0.5))]), g.op("Add", [inner, g.constant(number(x, 1))])])


def swish(g, x):
    inner = x
    if g.chance(0.3):
        inner = g.op("Mul", [x, g.constant(number(x, g.choose([1.702, 1.0, 0.5])))])
    operands = [x, g.op("Sigmoid", [inner])]
    return g.op("Mul", operands if g.chance(0.7) else operands[::-1])


def hard_swish(g, x):
    moved = g.op("Add", [x, g.constant(number(x, 3))])
    clipped = g.op("Clip", [moved, g.constant(number(x, 0)), g.constant(number(x, 6))])
    if g.chance(0.5):
        return g.op("Div", [g.op("Mul", [x, clipped]), g.constant(number(x, 6))])
    return g.op("Mul", [x, g.op("Div", [clipped, g.constant(number(x, 6))])])


def hard_sigmoid(g, x):
    y = g.op("HardSigmoid", [x], alpha=g.choose([1 / 6, 0.2]), beta=0.5)
    return g.op("Mul", [x, y]) if g.chance(0.6) else y


def mish(g, x):
    if g.chance(0.5):
        soft = g.op("Softplus", [x])
    else:
        soft = g.op("Log", [g.op("Add", [g.op("Exp", [x]), g.constant(number(x, 1))])])
    return g.op("Mul", [x, g.op("Tanh", [soft])])


def activated(g, x):
    if g.chance(0.3):
        return unary_of(g, x)
    if g.chance(0.4):
        return g.op(g.choose(["Relu", "Sigmoid", "Tanh", "LeakyRelu", "Elu"]), [x])
    return g.choose([gelu_erf, gelu_tanh, swish, hard_swish, hard_sigmoid, mish])(g, x)


def activation(g):
    activated(g, g.any_float())


# --- products

def tail(g, x, channel_axis):
    """A bias, a factor, an activation, something added: what products and convolutions end with."""
    for _ in range(g.int(0, 3)):
        kind = g.int(0, 3)
        if kind == 0 and x.rank and x.size(channel_axis):
            shape = [1] * x.rank
            shape[channel_axis] = x.size(channel_axis)
            if g.chance(0.5):
                shape = shape[channel_axis if channel_axis >= 0 else x.rank + channel_axis:]
            operands = [x, g.weight(shape) if g.chance(0.8) else g.input(shape)]
            x = g.op(g.choose(["Add", "Add", "Mul", "Sub"]), operands if g.chance(0.7) else operands[::-1])
        elif kind == 1:
            x = activated(g, x)
        elif kind == 2:
            residual = g.pick(lambda value: value.dtype == x.dtype and value.dims == x.dims and value.name != x.name,
                              lambda: g.input(x.dims), fresh=0.3)
            x = g.op("Add", [x, residual] if g.chance(0.6) else [residual, x])
        else:
            x = binary_of(g, x)
    return x


def matmul(g):
    x = g.any_float(low_rank=1, high_rank=4)
    depth = x.size(x.rank - 1)
    if depth is None or depth > 64:
        raise Rejected("open")
    n = g.int(1, 6)
    kind = g.int(0, 4)
    if kind == 0 and x.rank > 2:
        y = g.input([*[dim if g.chance(0.8) else (1, 1) for dim in x.dims[:-2]], depth, g.free_dim()])
    elif kind == 1:
        y = g.op("Transpose", [g.weight([n, depth])], perm=[1, 0])
    elif kind == 2 and g.chance(0.3):
        y = g.weight([depth])
    else:
        y = g.weight([depth, n]) if g.chance(0.8) else g.input([depth, g.free_dim()])
    if kind == 3 and x.rank >= 2 and g.chance(0.5):
        turned = g.op("Transpose", [x], perm=[*range(x.rank - 2), x.rank - 1, x.rank - 2])
        return g.op("MatMul", [g.op("Transpose", [y], perm=[1, 0]), turned])
    tail(g, g.op("MatMul", [x, y]), -1)


def gemm(g):
    x = g.any_float(rank=2)
    turn_x, turn_y = g.int(0, 1), g.int(0, 1)
    depth, n = x.size(0 if turn_x else 1), g.int(1, 6)
    if depth is None:
        raise Rejected("open")
    y = (g.weight if g.chance(0.8) else g.input)([n, depth] if turn_y else [depth, n])
    rows = x.size(1 if turn_x else 0)
    shapes = [None, [n], [1], [1, n], []] + ([[rows, 1], [rows, n]] if rows else [])
    bias = g.choose(shapes)
    z = g.op("Gemm", [x, y, None if bias is None else g.weight(bias)], transA=turn_x, transB=turn_y,
             alpha=g.choose([None, 0.5, 2.0]), beta=g.choose([None, 0.5, 0.0]))
    tail(g, z, 1)


# --- windows

def window(g, x, rank):
    """Attributes of a window over the last `rank` dimensions that fits."""
    kernel = [g.int(1, max(1, min(3, *x.dims[2 + i]))) for i in range(rank)]
    attributes = {"kernel_shape": kernel}
    if g.chance(0.5):
        attributes["strides"] = [g.int(1, 2) for _ in range(rank)]
    kind = g.int(0, 3)
    if kind == 0:
        attributes["auto_pad"] = g.choose(["SAME_UPPER", "SAME_LOWER", "VALID"])
    elif kind == 1:
        attributes["pads"] = [g.int(0, min(1, kernel[i % rank] - 1)) for i in range(2 * rank)]
    return attributes


def dilations(g, x, kernel):
    """Those with which the window still fits: of one that does not ONNX Runtime makes a result all the same."""
    return [g.int(1, 2) if 2 * (size - 1) < min(x.dims[2 + i]) else 1 for i, size in enumerate(kernel)]


def image(g, rank, low_channels=1):
    def wanted(value):
        return (value.dtype == g.dtype and value.rank == rank + 2 and value.size(1) is not None
                and value.size(1) % low_channels == 0 and value.arrays[0].size < 1500)
    def new():
        return g.input([g.free_dim(1, 2), low_channels * g.int(1, 3), *[g.free_dim(2, 6) for _ in range(rank)]])
    return g.pick(wanted, new, fresh=0.3)


def batch_norm(g, x):
    c = x.size(1)
    variance = g.constant(np.abs(g.numbers([c], x.dtype)) + number(x, 0.5))
    inputs = [x, g.weight([c]), g.weight([c]), g.weight([c], 0.3), variance]
    return g.op("BatchNormalization", inputs, epsilon=g.choose([None, 1e-3]))


def conv(g):
    rank = g.choose([2, 2, 2, 1, 1, 3])
    groups = g.choose([1, 1, 1, 2, 3, "depthwise"])
    x = image(g, rank, groups if isinstance(groups, int) else 1)
    c = x.size(1)
    groups = c if groups == "depthwise" else groups
    attributes = window(g, x, rank)
    outputs = groups * g.int(1, 3)
    if g.chance(0.2) and "auto_pad" not in attributes:
        attributes["dilations"] = dilations(g, x, attributes["kernel_shape"])
    shape = [outputs, c // groups, *attributes["kernel_shape"]]
    w = g.weight(shape, 0.7) if g.chance(0.9) else g.input(shape)
    bias = None if g.chance(0.5) else g.weight([outputs]) if g.chance(0.9) else g.input([outputs])
    if g.chance(0.1):
        x = g.op("Pad", [x, g.ints(*[0, 0, *[1] * rank] * 2)])
    y = g.op("Conv", [x, w, bias], group=groups, **attributes)
    if g.chance(0.35):
        y = batch_norm(g, y)
    tail(g, y, 1)


def conv_transpose(g):
    rank = g.choose([1, 2, 2])
    groups = g.choose([1, 1, 2])
    x = image(g, rank, groups)
    kernel = [g.int(1, 3) for _ in range(rank)]
    strides = [g.int(1, 2) for _ in range(rank)]
    attributes = {"kernel_shape": kernel, "strides": strides}
    if g.chance(0.3):
        attributes["output_padding"] = [s - 1 for s in strides]
    if g.chance(0.4):
        attributes["pads"] = [min(1, kernel[i % rank] - 1) for i in range(2 * rank)]
    elif g.chance(0.2) and all(k >= s for k, s in zip(kernel, strides)):
        # Of kernels that are smaller than the stride ONNX Runtime leaves out what the specification appends.
        attributes["auto_pad"] = g.choose(["SAME_UPPER", "SAME_LOWER"])
    outputs = g.int(1, 2)
    bias = g.weight([outputs * groups]) if g.chance(0.5) else None
    y = g.op("ConvTranspose", [x, g.weight([x.size(1), outputs, *kernel], 0.7), bias], group=groups, **attributes)
    if g.chance(0.3):
        y = batch_norm(g, y)
    tail(g, y, 1)


def pool(g):
    rank = g.choose([1, 2, 2, 3])
    x = image(g, rank)
    op = g.choose(["MaxPool", "MaxPool", "AveragePool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool",
                   "LpPool"])
    if op.startswith("Global"):
        return tail(g, g.op(op, [x]), 1)
    attributes = window(g, x, rank)
    if op != "LpPool" and "auto_pad" not in attributes:
        attributes["ceil_mode"] = g.int(0, 1)
    if op == "AveragePool":
        attributes["count_include_pad"] = g.int(0, 1)
    if op == "MaxPool" and g.chance(0.3) and "auto_pad" not in attributes:
        attributes["dilations"] = dilations(g, x, attributes["kernel_shape"])
    tail(g, g.op(op, [x], **attributes), 1)


def resize(g):
    x = image(g, g.choose([1, 2]))
    scales = [1.0, 1.0] + [float(g.choose([2.0, 0.5, 1.5, 1.0])) for _ in range(x.rank - 2)]
    mode = g.choose(["nearest", "linear", "cubic"] if x.rank == 4 else ["nearest", "linear"])
    coordinates = g.choose(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
    attributes = {"mode": mode, "coordinate_transformation_mode": coordinates}
    whole = x.shape and all(size * scale % 1 == 0 for size, scale in zip(x.shape, scales))
    if mode == "nearest":
        attributes["nearest_mode"] = g.choose(["floor", "round_prefer_floor"])
    if g.chance(0.5) and x.shape:
        sizes = [*x.shape[:2], *[g.int(1, 7) for _ in range(x.rank - 2)]]
        return g.op("Resize", [x, None, None, g.ints(*sizes)], **attributes)
    if coordinates == "align_corners" and not whole:
        raise Rejected("differs by choice: docs/onnx.md")
    g.op("Resize", [x, None, g.constant(np.array(scales, np.float32))], **attributes)


# --- normalisations

def mean_over(g, x, axes):
    return reduce(g, "ReduceMean", x, axes)


def normalized(g, x, axes, centred=True, epsilon=1e-3):
    """(x - mean) / sqrt(variance + epsilon), in one of its spellings."""
    if centred:
        x = g.op("Sub", [x, mean_over(g, x, axes)])
    if g.chance(0.5):
        square = g.op("Mul", [x, x])
    else:
        square = g.op("Pow", [x, g.constant(number(x, 2))])
    variance = g.op("Add", [mean_over(g, square, axes), g.constant(number(x, epsilon))])
    root = g.op("Sqrt", [variance])
    if g.chance(0.6):
        return g.op("Div", [x, root])
    return g.op("Mul", [x, g.op("Reciprocal", [root])])


def layer_norm(g):
    x = g.any_float(low_rank=2, high_rank=4)
    width = x.size(x.rank - 1)
    if width is None or width < 2:
        x, width = g.input([g.free_dim(), g.free_dim(), 6]), 6
    if g.opset >= 17 and g.chance(0.3):
        return g.op("LayerNormalization", [x, g.weight([width]), g.weight([width]) if g.chance(0.6) else None],
                    axis=g.choose([-1, x.rank - 1]), epsilon=1e-3)
    if g.chance(0.3):
        # An embedding with another added.
        x = g.op("Add", [x, g.input(x.dims)])
    y = normalized(g, x, [g.choose([-1, x.rank - 1])], centred=g.chance(0.65))
    if g.chance(0.8):
        operands = [y, g.weight([width])]
        y = g.op("Mul", operands if g.chance(0.6) else operands[::-1])
    if g.chance(0.6):
        y = g.op("Add", [y, g.weight([width])])


def instance_norm(g):
    x = image(g, g.choose([1, 2]), 2)
    c = x.size(1)
    kind = g.int(0, 3)
    if kind == 0:
        return g.op("InstanceNormalization", [x, g.weight([c]), g.weight([c])], epsilon=1e-3)
    if kind == 1:
        y = normalized(g, x, list(range(2, x.rank)))
        shape = [c] + [1] * (x.rank - 2)
        return g.op("Add", [g.op("Mul", [y, g.weight(shape)]), g.weight(shape)])
    if kind == 2:
        return tail(g, batch_norm(g, x), 1)
    # Of groups of channels: a reshape, an instance normalisation, a reshape back.
    y = reshape_to(g, x, [0, 2, -1])
    ones, zeros = g.constant(np.ones(2, x.dtype)), g.constant(np.zeros(2, x.dtype))
    y = g.op("InstanceNormalization", [y, ones, zeros], epsilon=1e-3)
    y = g.op("Reshape", [y, g.op("Shape", [x])])
    shape = [c] + [1] * (x.rank - 2)
    y = g.op("Mul", [y, g.weight(shape)])
    tail(g, g.op("Add", [y, g.weight(shape)]), 1)


def spelled_batch_norm(g):
    x = image(g, 2)
    shape = [1, x.size(1), 1, 1]
    y = g.op("Sub", [x, g.weight(shape)])
    deviation = g.op("Sqrt", [g.op("Add", [g.constant(np.abs(g.numbers(shape, x.dtype))), g.constant(number(x, 0.5))])])
    y = g.op("Div", [y, deviation])
    g.op("Add", [g.op("Mul", [y, g.weight(shape)]), g.weight(shape)])


def other_norms(g):
    if g.opset >= 21 and g.chance(0.4):
        x = image(g, 2, 2)
        c = x.size(1)
        return g.op("GroupNormalization", [x, g.weight([c]), g.weight([c])], num_groups=2, epsilon=1e-3)
    if g.opset >= 23 and g.chance(0.5):
        x = g.any_float(low_rank=1)
        if x.size(x.rank - 1):
            return g.op("RMSNormalization", [x, g.weight([x.size(x.rank - 1)])], axis=-1, epsilon=1e-3)
    x = image(g, 2)
    if g.chance(0.3):
        return g.op("LRN", [x], size=3)
    if g.chance(0.5):
        return g.op("MeanVarianceNormalization", [g.op("Add", [x, g.input(x.dims)])], axes=[0, 2, 3])
    norm = g.op("Clip", [reduce(g, "ReduceL2", x, [1]), g.constant(number(x, 0.1))])
    g.op("Div", [x, g.op("Expand", [norm, g.op("Shape", [x])])])


EMITTERS = [(activation, 2), (matmul, 4), (gemm, 2), (conv, 4), (conv_transpose, 1), (pool, 2), (resize, 1),
            (layer_norm, 3), (instance_norm, 2), (spelled_batch_norm, 1), (other_norms, 1)]
