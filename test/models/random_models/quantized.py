"""Quantised ops, and floats that go through 8 bits."""

import numpy as np

from growing import Rejected

SCALES = [0.03125, 0.0625, 0.125]


def points(g, dtype, shape=()):
    return g.constant(g.rng.integers(*((100, 156) if dtype == np.uint8 else (-20, 21)), shape).astype(dtype))


def scales(g, shape=()):
    return g.constant(g.rng.choice(SCALES, shape).astype(np.float32))


def only_f32(g):
    if g.dtype != np.float32:
        raise Rejected("f32 only")


def eight_bits(g, shape, dtype, is_weight=False):
    if is_weight:
        low = 0 if dtype == np.uint8 else -60
        return g.constant(g.rng.integers(low, low + 120, shape).astype(dtype))
    return g.input(shape, dtype=dtype)


def quantize_dequantize(g):
    only_f32(g)
    x = g.any_float(low_rank=1, high_rank=4)
    dtype = g.choose([np.uint8, np.int8])
    axis = g.int(0, x.rank - 1)
    shape, attributes = (), {}
    if x.size(axis) and g.chance(0.4):
        shape, attributes = (x.size(axis),), {"axis": axis}
    scale, point = scales(g, shape), points(g, dtype, shape)
    y = g.op("QuantizeLinear", [x, scale, point], **attributes)
    if g.chance(0.85):
        g.op("DequantizeLinear", [y, scale, point], **attributes)


def either(g, a, b):
    return [a, b] if g.chance(0.5) else [b, a]


def dynamic(g):
    """DynamicQuantizeLinear and the product of integers behind it, which something else may use, too."""
    only_f32(g)
    x = g.any_float(low_rank=2, high_rank=3)
    depth = x.size(x.rank - 1)
    if depth is None:
        raise Rejected("open")
    y, scale, point = g.op("DynamicQuantizeLinear", [x], outputs=3)
    w = eight_bits(g, [depth, 4], g.choose([np.uint8, np.int8]), True)
    z = g.op("MatMulInteger", [y, w, point, points(g, w.dtype) if g.chance(0.5) else None])
    z = g.op("Cast", [z], to=1)
    of_w = scales(g, (4,) if g.chance(0.4) else ())
    if g.chance(0.8):
        z = g.op("Mul", either(g, z, g.op("Mul", either(g, scale, of_w))))
    else:
        z = g.op("Mul", [g.op("Mul", either(g, z, scale)), of_w])
    if g.chance(0.5):
        z = g.op("Add", either(g, z, g.weight([4])))
    if g.chance(0.3):
        g.op(g.choose(["Relu", "Sigmoid"]), [z])


def moved_bytes(g):
    """Sums, pools and movements of what is quantised before and behind them."""
    only_f32(g)
    a, scale = g.choose([np.uint8, np.int8]), scales(g)
    point = points(g, a) if g.chance(0.8) else None
    shape = [g.int(1, 2), 2, 4, 4]
    first = g.op("DequantizeLinear", [eight_bits(g, shape, a), scale, point])
    kind = g.choose(["sum", "pool", "reshape", "transpose", "concat", "slice"])
    if kind == "sum":
        second = g.op("DequantizeLinear", [eight_bits(g, shape, np.uint8), scales(g)])
        y = g.op("Add", [first, second])
        y = g.op("Relu", [y]) if g.chance(0.5) else y
    elif kind == "pool":
        y = g.op(g.choose(["MaxPool", "AveragePool"]), [first], kernel_shape=[2, 2], strides=[2, 2])
    elif kind == "reshape":
        y = g.op("Flatten", [first])
    elif kind == "transpose":
        y = g.op("Transpose", [first], perm=[0, 2, 3, 1])
    elif kind == "concat":
        of_second = scale if g.chance(0.5) else scales(g)
        y = g.op("Concat", [first, g.op("DequantizeLinear", [eight_bits(g, shape, a), of_second, point])], axis=1)
    else:
        y = g.op("Slice", [first, *(g.constant(np.array([i], np.int64)) for i in (1, 3, 2))])
    again = scale if g.chance(0.6) else scales(g)
    y = g.op("QuantizeLinear", [y, again, point if point is not None else points(g, np.uint8)])
    if g.chance(0.8):
        g.op("DequantizeLinear", [y, again, point if point is not None else points(g, np.uint8)])


def integer_product(g):
    a, b = g.choose([np.uint8, np.int8]), g.choose([np.uint8, np.int8])
    m, k, n = g.free_dim(), g.int(1, 6), g.int(1, 6)
    g.op("MatMulInteger", [eight_bits(g, [m, k], a), eight_bits(g, [k, n], b, g.chance(0.7)),
                           points(g, a) if g.chance(0.6) else None, points(g, b) if g.chance(0.6) else None])


def integer_convolution(g):
    shape = [g.free_dim(1, 2), 2, g.int(3, 5), g.int(3, 5)]
    x = eight_bits(g, shape, np.uint8)
    w = eight_bits(g, [3, 2, 2, 2], g.choose([np.uint8, np.int8]), True)
    zeros = [points(g, each.dtype) if g.chance(0.5) else None for each in (x, w)]
    g.op("ConvInteger", [x, w, *zeros], pads=g.choose([None, [1, 1, 0, 1]]))


def scaled_product(g):
    a = g.choose([np.uint8, np.int8])
    m, k, n = g.free_dim(), g.int(1, 6), g.int(1, 6)
    inputs = []
    for shape, is_weight in (([m, k], False), ([k, n], True)):
        inputs += [eight_bits(g, shape, a, is_weight), scales(g), points(g, a)]
    g.op("QLinearMatMul", [*inputs, scales(g), points(g, a)])


def scaled_convolution(g):
    a = g.choose([np.uint8, np.int8])
    x = eight_bits(g, [1, 2, g.int(3, 5), 4], a)
    w = eight_bits(g, [3, 2, 2, 2], a, True)
    bias = g.constant(g.rng.integers(-50, 50, [3]).astype(np.int32)) if g.chance(0.5) else None
    g.op("QLinearConv", [x, scales(g), points(g, a), w, scales(g), points(g, a), scales(g), points(g, a), bias])


def quantized_layer(g):
    """DequantizeLinear of an activation and of a weight, a layer of floats, QuantizeLinear."""
    only_f32(g)
    a = g.choose([np.uint8, np.int8])
    is_conv = g.chance(0.5)
    shape = [1, 2, 4, 4] if is_conv else [g.free_dim(), 4]
    x = g.op("DequantizeLinear",
             [eight_bits(g, shape, a), scales(g), points(g, a) if g.chance(0.8) else None])
    if is_conv:
        w = g.op("DequantizeLinear", [eight_bits(g, [3, 2, 2, 2], np.int8, True), scales(g, (3,)),
                                      g.constant(np.zeros(3, np.int8))], axis=0)
        y = g.op("Conv", [x, w, g.weight([3]) if g.chance(0.5) else None], pads=g.choose([None, [1, 0, 0, 1]]))
    else:
        of_w = {"axis": 1} if g.chance(0.5) else {}
        w = g.op("DequantizeLinear",
                 [eight_bits(g, [4, 3], np.int8, True), scales(g, (3,) if of_w else ())], **of_w)
        y = g.op("MatMul", [x, w])
        if g.chance(0.5):
            y = g.op("Add", [y, g.weight([3])])
    if g.chance(0.5):
        y = g.op("Relu", [y])
    if g.chance(0.2):  # a second use of the floats, or the only one
        g.op("Neg", [y])
        if g.chance(0.5):
            return
    to, point = scales(g), points(g, a)
    y = g.op("QuantizeLinear", [y, to, point])
    if g.chance(0.8):
        g.op("DequantizeLinear", [y, to, point])


EMITTERS = [(quantize_dequantize, 2), (dynamic, 1), (integer_product, 1), (integer_convolution, 1),
            (scaled_product, 1), (scaled_convolution, 1), (quantized_layer, 2), (moved_bytes, 2)]
