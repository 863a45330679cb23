"""Quantised ops, and floats that go through 8 bits."""

import numpy as np

from growing import Rejected
from layers import activated, dilations, window

# Products of powers of two are exact: which way ties are rounded is the same in whatever order.
EXACT_SCALES = [0.03125, 0.0625, 0.125]
SCALES = [*EXACT_SCALES, 0.0471, 0.1]
# Numbers that are no scales: an error has the node's name, or the result is right all the same.
BAD_SCALES = [0.0, np.nan, -0.25, np.inf, 1e-40]
BYTES = [np.uint8, np.int8]


def points(g, dtype, shape=()):
    return g.constant(g.rng.integers(*((100, 156) if dtype == np.uint8 else (-20, 21)), shape).astype(dtype))


def scales(g, shape=(), dtype=np.float32, choices=tuple(SCALES)):
    numbers = g.rng.choice(choices, shape).astype(dtype)
    root = g.root
    if root.bad_scale is None:
        return g.constant(numbers)
    if not root.bad_scale and numbers.size and g.chance(0.5):
        numbers[tuple(g.int(0, size - 1) for size in shape)] = g.choose(BAD_SCALES)
        value = g.input(shape, arrays=[numbers] * 2) if g.chance(0.4) else g.constant(numbers)
        root.bad_scale = value.name
        return value
    return g.input(shape, arrays=[numbers] * 2) if g.chance(0.2) else g.constant(numbers)


def only_f32(g):
    if g.dtype != np.float32:
        raise Rejected("f32 only")


def only_scaled(g):
    """The floats that scales may have."""
    if g.dtype != np.float32 and not (g.dtype == np.float16 and g.opset >= 19):
        raise Rejected("no scale")


def eight_bits(g, shape, dtype, is_weight=False):
    if is_weight:
        low = 0 if dtype == np.uint8 else -60
        return g.constant(g.rng.integers(low, low + 120, shape).astype(dtype))
    return g.input(shape, dtype=dtype)


def quantize_dequantize(g):
    only_scaled(g)
    x = g.any_float(low_rank=1, high_rank=4)
    dtype = g.choose(BYTES)
    axis = g.int(0, x.rank - 1)
    shape, attributes = (), {}
    if x.size(axis) and g.chance(0.4):
        shape, attributes = (x.size(axis),), {"axis": axis}
    scale, point = scales(g, shape, g.dtype), points(g, dtype, shape)
    y = g.op("QuantizeLinear", [x, scale, point], **attributes)
    if g.chance(0.85):
        g.op("DequantizeLinear", [y, scale, point], **attributes)


def from_bytes(g, shape, dtype, has_point=None):
    """Floats of bytes that the model gets."""
    has_point = g.chance(0.8) if has_point is None else has_point
    return g.op("DequantizeLinear", [eight_bits(g, shape, dtype), scales(g, (), g.dtype),
                                     points(g, dtype) if has_point else None])


def through_bytes(g, x, dtype=None):
    """x as it is after it was quantised."""
    dtype = dtype or g.choose(BYTES)
    scale, point = scales(g, (), g.dtype), points(g, dtype) if dtype == np.int8 or g.chance(0.8) else None
    y = g.op("QuantizeLinear", [x, scale, point])
    return g.op("DequantizeLinear", [y, scale, point])


def exact_scales(g):
    """For ops that both multiply and round."""
    return scales(g, choices=EXACT_SCALES)


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


def scaled_sums(g, y, w, scale, point, bias):
    """A product of integers, the scale of both factors and a bias."""
    z = g.op("MatMulInteger", [y, w, point, points(g, w.dtype) if g.chance(0.5) else None])
    columns = w.size(1)
    of_w = scales(g, (columns,) if g.chance(0.4) else ())
    z = g.op("Mul", either(g, g.op("Cast", [z], to=1), g.op("Mul", either(g, scale, of_w))))
    return g.op("Add", either(g, z, g.weight([columns]))) if bias else z


def shared_dynamic(g):
    """One DynamicQuantizeLinear before several products, as those of queries, keys and values."""
    only_f32(g)
    x = g.any_float(low_rank=2, high_rank=3)
    depth = x.size(x.rank - 1)
    if depth is None:
        raise Rejected("open")
    y, scale, point = g.op("DynamicQuantizeLinear", [x], outputs=3)
    columns, dtype = g.int(1, 5), g.choose(BYTES)
    made = [scaled_sums(g, y, eight_bits(g, [depth, columns], dtype, True), scale, point, g.chance(0.6))
            for _ in range(g.int(2, 3))]
    if g.chance(0.5):
        made = [activated(g, made[0]), *made[1:]]
    if g.chance(0.4):
        g.op("Add", made[:2])
    if g.chance(0.2):
        g.op("DequantizeLinear", [y, scale, point])


def pooled(g, x):
    """A pool of any window, perhaps padded."""
    if g.chance(0.25):
        return g.op(g.choose(["GlobalAveragePool", "GlobalMaxPool"]), [x])
    op, attributes = g.choose(["MaxPool", "AveragePool"]), window(g, x, x.rank - 2)
    if "auto_pad" not in attributes:
        attributes["ceil_mode"] = g.int(0, 1)
        if op == "MaxPool" and g.chance(0.3):
            attributes["dilations"] = dilations(g, x, attributes["kernel_shape"])
    if op == "AveragePool":
        attributes["count_include_pad"] = g.int(0, 1)
    return g.op(op, [x], **attributes)


def moved_bytes(g):
    """Sums, pools and movements of what is quantised before and behind them."""
    only_scaled(g)
    a, scale = g.choose(BYTES), scales(g, (), g.dtype)
    point = points(g, a) if g.chance(0.8) else None
    shape = [g.int(1, 2), 2, g.int(2, 6), 4] if g.chance(0.8) else [1, 3, g.int(2, 9)]
    first = g.op("DequantizeLinear", [eight_bits(g, shape, a), scale, point])
    kind = g.choose(["sum", "pool", "pool", "reshape", "transpose", "concat", "slice"])
    if kind == "sum":
        y = g.op("Add", either(g, first, from_bytes(g, shape, g.choose(BYTES))))
        y = g.op("Relu", [y]) if g.chance(0.5) else y
    elif kind == "pool":
        y = pooled(g, first)
    elif kind == "reshape":
        y = g.op("Flatten", [first])
    elif kind == "transpose":
        y = g.op("Transpose", [first], perm=[0, *range(2, len(shape)), 1])
    elif kind == "concat":
        of_second, b = scale if g.chance(0.5) else scales(g, (), g.dtype), g.choose([a, *BYTES])
        y = g.op("DequantizeLinear", [eight_bits(g, shape, b), of_second, point if a == b else points(g, b)])
        y = g.op("Concat", either(g, first, y), axis=1)
    else:
        y = g.op("Slice", [first, *(g.constant(np.array([i], np.int64)) for i in (1, 3, 2))])
    again = scale if g.chance(0.6) else scales(g, (), g.dtype)
    if point is None or g.chance(0.2):  # of another type
        point = points(g, g.choose(BYTES))
    y = g.op("QuantizeLinear", [y, again, point])
    if g.chance(0.8):
        g.op("DequantizeLinear", [y, again, point])


def missing_sides(g):
    """An op with floats of bytes on some of its sides, whose users are several, or of several types."""
    only_scaled(g)
    shape = [g.int(1, 2), 2, 4, 4]
    x = from_bytes(g, shape, g.choose(BYTES)) if g.chance(0.7) else g.input(shape)
    kind = g.choose(["pool", "product", "sum", "movement", "activation"])
    if kind == "pool":
        y = pooled(g, x)
    elif kind == "product":
        w = g.weight([4, 3])
        w = through_bytes(g, w, np.int8) if g.chance(0.5) else from_bytes(g, [4, 3], g.choose(BYTES))
        y = g.op("MatMul", [x, w])
    elif kind == "sum":
        y = g.op("Add", either(g, x, g.weight(shape) if g.chance(0.5) else x))
    elif kind == "movement":
        y = g.op("Transpose", [x], perm=[0, 3, 1, 2])
    else:
        y = activated(g, x)
    for _ in range(g.int(0, 2)):  # users of what is before the op, and of what is behind it
        through_bytes(g, g.choose([x, y]))
    if g.chance(0.3):
        g.op("Neg", [g.choose([x, y])])


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
        inputs += [eight_bits(g, shape, a, is_weight), exact_scales(g), points(g, a)]
    g.op("QLinearMatMul", [*inputs, exact_scales(g), points(g, a)])


def scaled_convolution(g):
    a = g.choose([np.uint8, np.int8])
    x = eight_bits(g, [1, 2, g.int(3, 5), 4], a)
    w = eight_bits(g, [3, 2, 2, 2], a, True)
    bias = g.constant(g.rng.integers(-50, 50, [3]).astype(np.int32)) if g.chance(0.5) else None
    g.op("QLinearConv", [x, exact_scales(g), points(g, a), w, exact_scales(g), points(g, a), exact_scales(g),
                         points(g, a), bias])


def weight_of_bytes(g, shape, axis):
    """Of one scale or of one for each output, with zero points or without."""
    dtype, attributes, of = g.choose([np.int8, np.int8, np.uint8]), {}, ()
    if g.chance(0.6):
        attributes, of = {"axis": axis}, (shape[axis],)
    w = eight_bits(g, shape, dtype, True)
    kind = g.int(0, 2)
    point = None if kind == 0 else points(g, dtype, of) if kind == 1 else g.constant(np.zeros(of, dtype))
    return g.op("DequantizeLinear", [w, scales(g, of, g.dtype), point], **attributes)


def bias_in_units(g, count):
    units = g.constant(np.array(g.choose([2.0**-10, 2.0**-8, 0.004]), g.dtype))
    bias = g.constant(g.rng.integers(-900, 900, [count]).astype(np.int32))
    return g.op("DequantizeLinear", [bias, units])


def quantized_layer(g):
    """DequantizeLinear of an activation and of a weight, a layer of floats, QuantizeLinear."""
    only_scaled(g)
    a = g.choose(BYTES)
    is_conv = g.chance(0.6)
    groups = g.choose([1, 1, 2, 4]) if is_conv else 1
    rank = g.choose([1, 2, 2, 2]) if is_conv else 0
    shape = [g.int(1, 2), groups * g.choose([1, 1, 2, 3]), *[g.int(3, 6)] * rank] if is_conv else [g.free_dim(), 4]
    x = from_bytes(g, shape, a)
    bias = g.int(0, 2)
    if is_conv:
        attributes = window(g, x, rank)
        if g.chance(0.2) and "auto_pad" not in attributes:
            attributes["dilations"] = dilations(g, x, attributes["kernel_shape"])
        outputs = groups * g.choose([1, 1, 2, 3])
        w = weight_of_bytes(g, [outputs, shape[1] // groups, *attributes["kernel_shape"]], 0)
        summand = [None, g.weight([outputs]), bias_in_units(g, outputs)][bias]
        y = g.op("Conv", [x, w, summand], group=groups, **attributes)
    else:
        y = g.op("MatMul", [x, weight_of_bytes(g, [4, 3], 1)])
        if bias:
            y = g.op("Add", either(g, y, g.weight([3]) if bias == 1 else bias_in_units(g, 3)))
    if g.chance(0.3) and y.shape:
        y = g.op("Add", either(g, y, from_bytes(g, y.shape, g.choose(BYTES)) if g.chance(0.7) else g.input(y.shape)))
    if g.chance(0.5):
        y = g.op("Relu", [y]) if g.chance(0.5) else activated(g, y)
    if g.chance(0.2):  # a second use of the floats, or the only one
        g.op("Neg", [y])
        if g.chance(0.5):
            return
    to, point = scales(g, (), g.dtype), points(g, g.choose([a, *BYTES]))
    y = g.op("QuantizeLinear", [y, to, point])
    if g.chance(0.8):
        g.op("DequantizeLinear", [y, to, point])


EMITTERS = [(quantize_dequantize, 2), (dynamic, 1), (shared_dynamic, 1), (integer_product, 1),
            (integer_convolution, 1), (scaled_product, 1), (scaled_convolution, 1), (quantized_layer, 3),
            (moved_bytes, 2), (missing_sides, 2)]
