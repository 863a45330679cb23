#!/usr/bin/env python3
"""Writes cases/ops_*.bin: calls of eager ops, and the results that NumPy computes for them.

usage: make_op_cases.py   (needs numpy and scipy; building and testing do not)

A file is "TFRTOPS1", u32 number of cases, cases. A case is
  string op; u32 n, n attributes; u32 n, n arguments: tensors; u32 n, n results: f32 rtol, f32 atol, tensor
  attribute string name, u8 type code, u8 prefix, u32 size, bytes: as in a BEF file; the prefix is the length
            of the count in front of elements, which must be aligned
Strings and tensors are as in make_cases.py. Floats and complex numbers e are met by x with
|x - e| <= atol + rtol * |e|, NaN by NaN.
"""

import itertools
import struct

import numpy as np
from scipy import special

import make_cases as cases

F32, F16, INF, NAN = np.float32, np.float16, np.inf, np.nan
CODES = {"uint8": 1, "uint16": 2, "uint32": 3, "uint64": 4, "bool": 5, "int8": 6, "int16": 7, "int32": 8,
         "int64": 9, "float32": 10, "float64": 11, "complex64": 12, "complex128": 13, "float16": 14}
INTS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]
FLOATS = [np.float16, np.float32, np.float64, "bf16"]
COMPLEX = [np.complex64, np.complex128]
EPSILON = {"bf16": 2.0**-8, np.float16: 2.0**-10, np.float32: 2.0**-22, np.float64: 2.0**-50,
           np.complex64: 2.0**-22, np.complex128: 2.0**-50}
NAMES = {np.float32: "f32", np.float64: "f64"}


class Bf16:
    """float32 rounded to bfloat16, ties to even."""

    def __init__(self, values):
        values = np.ascontiguousarray(values, F32).reshape(np.shape(values))
        bits = values.view(np.uint32)
        rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        self.bits = np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)
        self.values = (self.bits.astype(np.uint32) << 16).view(F32)


def as_type(values, dtype):
    with np.errstate(all="ignore"):
        return Bf16(np.asarray(values, np.float64)) if dtype == "bf16" else np.asarray(values).astype(dtype)


def wide(x):
    """What to compute with: exact for integers of 64 bits, float64 or complex128 otherwise."""
    if isinstance(x, Bf16):
        return x.values.astype(np.float64)
    x = np.asarray(x)
    return x if x.dtype.kind in "iub" else x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def tensor(x):
    if isinstance(x, Bf16):
        code, shape, data = 15, x.bits.shape, x.bits.tobytes()
    else:
        x = np.asarray(x)
        code, shape, data = CODES[x.dtype.name], x.shape, x.tobytes()
    return struct.pack("<BB", code, len(shape)) + struct.pack(f"<{len(shape)}q", *shape) + data


class I32(int):
    """An attribute of 32 bits."""


class Type:
    """An attribute that is a dtype: one of NumPy's, or "bf16"."""

    def __init__(self, dtype):
        self.code = 15 if dtype == "bf16" else CODES[np.dtype(dtype).name]


def attribute(name, value):
    if isinstance(value, bool):
        code, body, prefix = 5, struct.pack("<B", value), 0
    elif isinstance(value, I32):
        code, body, prefix = 8, struct.pack("<i", value), 0
    elif isinstance(value, int):
        code, body, prefix = 9, struct.pack("<q", value), 0
    elif isinstance(value, float):
        code, body, prefix = 10, struct.pack("<f", value), 0
    elif isinstance(value, str):
        code, body, prefix = 16, cases.string(value), 4
    elif isinstance(value, Type):
        code, body, prefix = 25, struct.pack("<B", value.code), 0
    elif isinstance(value, np.dtype):
        code, body, prefix = 25, struct.pack("<B", CODES[value.name]), 0
    else:
        code, body, prefix = 137, struct.pack(f"<I{len(value)}q", len(value), *value), 4
    return cases.string(name) + struct.pack("<BBI", code, prefix, len(body)) + body


class File:
    def __init__(self, name):
        self.name, self.cases = name, []

    def add(self, op, arguments, results, rtol=0.0, atol=0.0, **attributes):
        if not isinstance(results, list):
            results = [results]
        data = cases.string(op) + struct.pack("<I", len(attributes))
        data += b"".join(attribute(name, value) for name, value in attributes.items())
        data += struct.pack("<I", len(arguments)) + b"".join(tensor(a) for a in arguments)
        data += struct.pack("<I", len(results))
        data += b"".join(struct.pack("<ff", rtol, atol) + tensor(r) for r in results)
        self.cases.append(data)

    def write(self):
        data = b"TFRTOPS1" + struct.pack("<I", len(self.cases)) + b"".join(self.cases)
        (cases.CASES / f"{self.name}.bin").write_bytes(data)
        print(f"{self.name}: {len(self.cases)} cases, {len(data)} bytes")


def random(rng, dtype, *shape, scale=1.0):
    if dtype in INTS:
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    if dtype in COMPLEX:
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return as_type(rng.standard_normal(shape) * scale, dtype)


def special_values(dtype):
    return as_type([0.0, -0.0, 1.0, -1.5, INF, -INF, NAN, 60000.0], dtype)


def divide(a, b):
    """As C does, of integers."""
    quotient = np.abs(a.astype(object)) // np.abs(b.astype(object))
    return np.where((a.astype(object) < 0) != (b.astype(object) < 0), -quotient, quotient)


def ops_binary(rng):
    file = File("ops_binary")
    arithmetic = {"AddV2": np.add, "Sub": np.subtract, "Mul": np.multiply, "RealDiv": np.divide}
    extremes = {"Maximum": np.maximum, "Minimum": np.minimum}
    relations = {"Less": np.less, "LessEqual": np.less_equal, "Greater": np.greater,
                 "GreaterEqual": np.greater_equal, "Equal": np.equal, "NotEqual": np.not_equal}
    shapes = [((3, 5), (3, 5)), ((2, 3), (3,)), ((), (3,)), ((2, 1, 3), (4, 1)), ((0, 2), (2,))]
    with np.errstate(all="ignore"):
        for dtype in INTS + FLOATS + COMPLEX:
            pairs = [(random(rng, dtype, *a), random(rng, dtype, *b)) for a, b in shapes]
            if dtype in FLOATS:
                values = wide(special_values(dtype))
                pairs.append((as_type(np.repeat(values, len(values)), dtype),
                              as_type(np.tile(values, len(values)), dtype)))
            for a, b in pairs:
                for name, function in arithmetic.items():
                    if dtype in INTS and name == "RealDiv":
                        b = np.where(b == 0, 1, b).astype(dtype)
                        expected = divide(a, b)
                        # The smallest number by -1 wraps.
                        bits = np.iinfo(dtype).bits
                        expected = (np.asarray(expected) % 2**bits).astype(f"uint{bits}").view(dtype)
                    else:
                        expected = as_type(function(wide(a), wide(b)), dtype)
                    rtol = EPSILON[dtype] if dtype in COMPLEX else 0
                    file.add(f"tf.{name}", [a, b], expected, rtol, rtol)
                if dtype in COMPLEX:
                    continue
                for name, function in extremes.items():
                    file.add(f"tf.{name}", [a, b], as_type(function(wide(a), wide(b)), dtype))
                for name, function in relations.items():
                    file.add(f"tf.{name}", [a, b], function(wide(a), wide(b)))
        smallest = np.array([-128, -128, 127], np.int8)
        file.add("tf.RealDiv", [smallest, np.array([-1, 2, -2], np.int8)], np.array([-128, -64, -63], np.int8))
        for dtype in (F32, np.int32, np.float64):
            x, dy = random(rng, dtype, 3, 4), random(rng, dtype, 3, 4)
            file.add("tf.ReluGrad", [dy, x], np.where(wide(x) > 0, wide(dy), 0).astype(dtype))
        for dtype in (F32, F16, np.int64):
            for shape in ((3, 2), (2, 3, 4, 1, 5)):
                x, bias = random(rng, dtype, *shape), random(rng, dtype, shape[-1])
                file.add("tf.BiasAdd", [x, bias], as_type(wide(x) + wide(bias), dtype))
        for dtype in (F32, np.int32, np.uint8, np.complex128, F16):
            a, b = random(rng, dtype, 2, 3), random(rng, dtype, 2, 3)
            for name in ("add", "add.denseonly", "add.denseonly2", "add.denseonly3"):
                file.add(f"tfrt_test.{name}", [a, b], as_type(wide(a) + wide(b), dtype))
            if dtype != np.complex128:
                c = a.copy()
                c[1] = b[1]
                file.add("tfrt_test.equal", [c, b], (c == b).astype(dtype))
    file.write()


def ops_unary(rng):
    file = File("ops_unary")
    functions = {"tf.Log": np.log, "tf.Log1p": np.log1p, "tf.Exp": np.exp, "tf.Sqrt": np.sqrt,
                 "tf.Rsqrt": lambda x: 1 / np.sqrt(x), "tf.Sigmoid": special.expit, "tf.Tanh": np.tanh,
                 "tfrt.Gelu": cases.gelu}
    with np.errstate(all="ignore"):
        for dtype in FLOATS:
            for x in (special_values(dtype), random(rng, dtype, 3, 7), random(rng, dtype, 0, 2), random(rng, dtype)):
                for name, function in functions.items():
                    file.add(name, [x], as_type(function(wide(x)), dtype), 8 * EPSILON[dtype], 1e-44)
                file.add("tf.Relu", [x], as_type(np.where(wide(x) < 0, 0, wide(x)), dtype))
                file.add("tfrt.Gelu", [x], as_type(cases.gelu_tanh(wide(x)), dtype), 400 * EPSILON[dtype],
                         1e-6, approximate=True)
        for dtype in INTS:
            x = random(rng, dtype, 9)
            for name in ("tf.Relu", "tfrt_test.relu"):
                file.add(name, [x], np.maximum(x, 0).astype(dtype))
        values = np.array([0, 1, -1, 2.5, -2.5, 100, 300, -200, 1e10, -1e10, 1e30, INF, -INF, NAN])
        for source, target in itertools.product(INTS + FLOATS, INTS + FLOATS[:3]):
            x = random(rng, source, 7) if source in INTS else as_type(values, source)
            w = wide(x)
            if source not in INTS and target in INTS:
                limit = np.iinfo(target)
                expected = np.array([0 if np.isnan(v) else limit.min if v <= limit.min else
                                     limit.max if v >= limit.max else int(v) for v in w], target)
            else:
                expected = as_type(w, target)
            file.add("tf.Cast", [x], expected, DstT=np.dtype(target))
        x = random(rng, F32, 5)
        file.add("tf.Cast", [x], x.astype(np.complex128), DstT=np.dtype(np.complex128))
        file.add("tf.Cast", [x], x != 0, DstT=np.dtype(bool))
        file.add("tf.Cast", [np.array([True, False])], np.array([1, 0], np.int16), DstT=np.dtype(np.int16))
        for source in (np.int32, np.int64, np.float64, F32, F16):
            x = rng.integers(-9, 9, (2, 3)).astype(source)
            for name, target in (("f32", F32), ("f16", F16)):
                file.add("tfrt_test.cast", [x], x.astype(target), type=name)
    file.write()


def ops_products(rng):
    file = File("ops_products")
    types = [F32, np.float64, np.int32, np.int64, np.uint32, np.uint64, *COMPLEX]
    sizes = [(3, 4, 5), (1, 7, 1), (66, 2, 3), (0, 2, 3), (2, 0, 3), (2, 3, 0)]
    with np.errstate(all="ignore"):
        for dtype, (m, k, n) in itertools.product(types, sizes):
            tolerance = 8 * EPSILON.get(dtype, 0)
            for ta, tb in itertools.product((False, True), repeat=2):
                if m > 64 and (ta or not tb):
                    continue
                a, b = random(rng, dtype, m, k), random(rng, dtype, k, n)
                expected = (wide(a) @ wide(b)).astype(dtype)
                for op in ("tf.MatMul", "tfrt_test.matmul"):
                    file.add(op, [np.ascontiguousarray(a.T) if ta else a, np.ascontiguousarray(b.T) if tb else b],
                             expected, tolerance, 8 * tolerance, transpose_a=ta, transpose_b=tb)
        for dtype in types:
            tolerance = 8 * EPSILON.get(dtype, 0)
            for adj_x, adj_y in itertools.product((False, True), repeat=2):
                if dtype in COMPLEX and (adj_x or adj_y):
                    continue
                x, y = random(rng, dtype, 2, 3, 4, 5), random(rng, dtype, 2, 3, 5, 2)
                expected = (wide(x) @ wide(y)).astype(dtype)
                x = np.ascontiguousarray(np.swapaxes(x, -1, -2)) if adj_x else x
                y = np.ascontiguousarray(np.swapaxes(y, -1, -2)) if adj_y else y
                file.add("tf.BatchMatMulV2", [x, y], expected, tolerance, 8 * tolerance, adj_x=adj_x, adj_y=adj_y)
        a, b, bias = random(rng, F32, 3, 4), random(rng, F32, 4, 5), random(rng, F32, 5)
        product = wide(a) @ wide(b) + bias
        activations = {"none": lambda x: x, "relu": lambda x: np.maximum(x, 0), "tanh": np.tanh,
                       "sigmoid": special.expit, "gelu": cases.gelu, "gelu_tanh": cases.gelu_tanh}
        for name, function in activations.items():
            file.add("tfrt.MatMulBias", [a, b, bias], function(product).astype(F32), 1e-5, 1e-5, activation=name)
        file.add("tfrt.MatMulBias", [np.ascontiguousarray(a.T), b, bias], product.astype(F32), 1e-5, 1e-5,
                 transpose_a=True)

        for shape, filters, strides, dilations, pads in [
                ((2, 5, 6, 3), (3, 2, 3, 4), (1, 1), (1, 1), "VALID"),
                ((1, 7, 5, 2), (3, 3, 2, 1), (2, 1), (1, 1), "SAME"),
                ((1, 6, 6, 1), (2, 2, 1, 3), (1, 1), (2, 1), "VALID"),
                ((1, 4, 4, 2), (3, 3, 2, 2), (1, 2), (1, 1), ((1, 2), (0, 1)))]:
            x, w = random(rng, F32, *shape), random(rng, F32, *filters)
            attributes = {"strides": [1, *strides, 1], "dilations": [1, *dilations, 1]}
            if isinstance(pads, str):
                attributes["padding"] = pads
                dims = [cases.window(shape[1 + i], (filters[i] - 1) * dilations[i] + 1, strides[i], pads.lower())
                        for i in (0, 1)]
                pad_pairs = []
                for i, (outputs, before) in enumerate(dims):
                    extent = (filters[i] - 1) * dilations[i] + 1
                    needed = max(0, (outputs - 1) * strides[i] + extent - shape[1 + i]) if pads == "SAME" else 0
                    pad_pairs.append((before, needed - before))
            else:
                attributes.update(padding="EXPLICIT", explicit_paddings=[0, 0, *pads[0], *pads[1], 0, 0])
                pad_pairs = pads
            exact = cases.conv2d(x, w, strides, dilations, pad_pairs)
            file.add("tf.Conv2D", [x, w], exact.astype(F32), 1e-5, 1e-5, **attributes)
            bias, summand = random(rng, F32, filters[3]), random(rng, F32, *exact.shape)
            file.add("tfrt.Conv2DBias", [x, w, bias], np.maximum(exact + bias, 0).astype(F32), 1e-5, 1e-5,
                     activation="relu", **attributes)
            file.add("tfrt.Conv2DBiasAdd", [x, w, bias, summand], (exact + bias + summand).astype(F32), 1e-5,
                     1e-5, **attributes)
            if not isinstance(pads, str) or dilations != (1, 1):
                continue
            dy = random(rng, F32, *exact.shape)
            padded = np.pad(wide(x), [(0, 0), *pad_pairs, (0, 0)])
            dx, dw = np.zeros(padded.shape), np.zeros(filters)
            for r, c in itertools.product(range(exact.shape[1]), range(exact.shape[2])):
                ys = slice(r * strides[0], r * strides[0] + filters[0])
                xs = slice(c * strides[1], c * strides[1] + filters[1])
                dw += np.einsum("nyxc,no->yxco", padded[:, ys, xs], dy[:, r, c])
                dx[:, ys, xs] += np.einsum("no,yxco->nyxc", dy[:, r, c], w)
            dx = dx[:, pad_pairs[0][0]:pad_pairs[0][0] + shape[1], pad_pairs[1][0]:pad_pairs[1][0] + shape[2]]
            for size_type in (np.int32, np.int64):
                file.add("tf.Conv2DBackpropInput", [np.array(shape, size_type), w, dy], dx.astype(F32), 1e-5,
                         1e-5, **attributes)
                file.add("tf.Conv2DBackpropFilter", [x, np.array(filters, size_type), dy], dw.astype(F32), 1e-5,
                         1e-5, **attributes)
        for dtype in types:
            tolerance = 8 * EPSILON.get(dtype, 0)
            for x_batch, y_batch in [((2, 3), ()), ((), (2, 3)), ((2, 1), (3,)), ((3,), (2, 1)), ((4, 1, 2), (3, 1)),
                                     ((1,), (0,))]:
                for adj_x, adj_y in itertools.product((False, True), repeat=2):
                    if dtype in COMPLEX and (adj_x or adj_y):
                        continue
                    x, y = random(rng, dtype, *x_batch, 2, 5), random(rng, dtype, *y_batch, 5, 3)
                    expected = (wide(x) @ wide(y)).astype(dtype)
                    x = np.ascontiguousarray(np.swapaxes(x, -1, -2)) if adj_x else x
                    y = np.ascontiguousarray(np.swapaxes(y, -1, -2)) if adj_y else y
                    file.add("tf.BatchMatMulV2", [x, y], expected, tolerance, 8 * tolerance, adj_x=adj_x, adj_y=adj_y)
    file.write()


def softmax(x):
    return np.exp(cases.log_softmax(x)) if x.size else x


def ops_networks(rng):
    file = File("ops_networks")
    with np.errstate(all="ignore"):
        for shape, ksize, strides in cases.GRID[:4]:
            for padding in ("valid", "same"):
                x = random(rng, F32, *shape)
                attributes = {"ksize": [1, *ksize, 1], "strides": [1, *strides, 1], "padding": padding.upper()}
                largest = cases.pool(x, ksize, strides, padding, np.max).astype(F32)
                file.add("tf.MaxPool", [x], largest, **attributes)
                mean = cases.pool(x, ksize, strides, padding, np.mean).astype(F32)
                file.add("tf.AvgPool", [x], mean, 1e-6, 1e-6, **attributes)
                dy = random(rng, F32, *largest.shape)
                dx = cases.max_pool_grad(x, largest, dy, ksize, strides, padding).astype(F32)
                file.add("tf.MaxPoolGrad", [x, largest, dy], dx, 1e-6, 1e-6, **attributes)
        x = random(rng, F32, 1, 4, 4, 2)
        padded = np.pad(x, [(0, 0), (1, 0), (0, 1), (0, 0)], constant_values=-INF)
        file.add("tf.MaxPool", [x], cases.pool(padded, (2, 2), (1, 1), "valid", np.max).astype(F32),
                 ksize=[1, 2, 2, 1], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 0, 0, 1, 0, 0])
        file.add("tfrt.GlobalAveragePool", [x], np.mean(wide(x), (1, 2)).astype(F32), 1e-6, 1e-6)

        for dtype in FLOATS:
            for x in (random(rng, dtype, 3, 10), random(rng, dtype, 2, 1, 4), random(rng, dtype, 2, 0),
                      as_type([[1e4, 0, -1e4], [NAN, 1, 2], [-INF, 1, 2]], dtype)):
                tolerance = 128 * EPSILON[dtype]
                log = cases.log_softmax(wide(x)) if wide(x).size else wide(x)
                file.add("tf.Softmax", [x], as_type(softmax(wide(x)), dtype), tolerance, 1e-44)
                file.add("tf.LogSoftmax", [x], as_type(log, dtype), tolerance, tolerance)
        x = random(rng, F32, 2, 3, 4)
        scale, offset = random(rng, F32, 4), random(rng, F32, 4)
        normal = (wide(x) - np.mean(wide(x), -1, keepdims=True)) / np.sqrt(np.var(wide(x), -1, keepdims=True) + 1e-3)
        file.add("tfrt.LayerNorm", [x, scale, offset], (normal * scale + offset).astype(F32), 1e-5, 1e-5, epsilon=1e-3)
        normal = (wide(x) - np.mean(wide(x), -1, keepdims=True)) / np.sqrt(np.var(wide(x), -1, keepdims=True) + 1e-5)
        file.add("tfrt.LayerNorm", [x, scale, offset], (normal * scale + offset).astype(F32), 1e-5, 1e-5)
        x = random(rng, F32, 2, 3, 2, 4)
        scale, offset, mean = (random(rng, F32, 4) for _ in range(3))
        variance = np.abs(random(rng, F32, 4)) + F32(0.1)
        y = ((wide(x) - mean) / np.sqrt(variance + 1e-3) * scale + offset).astype(F32)
        results = [y, mean, variance, mean, variance, np.zeros(0, F32)]
        file.add("tf.FusedBatchNormV3", [x, scale, offset, mean, variance], results, 1e-5, 1e-5, epsilon=1e-3)
        file.add("tf.FusedBatchNormV3", [x, scale, offset, mean, variance], y, 1e-5, 1e-5, epsilon=1e-3,
                 is_training=False, data_format="NHWC")
        scale, offset, mean, variance = (v.reshape(1, 1, 1, 4) for v in (scale, offset, mean, variance))
        results = [y, mean, variance, mean, variance, np.zeros(0, F32)]
        file.add("tf.FusedBatchNormV3", [x, scale, offset, mean, variance], results, 1e-5, 1e-5, epsilon=1e-3)

        reduce = {"Mean": np.mean, "Sum": np.sum, "Max": np.max, "Min": np.min}
        for dtype in FLOATS + INTS:
            tolerance = 8 * EPSILON.get(dtype, 0)
            for shape in [(5,), (3, 4), (2, 3, 4), (2, 1, 3, 2)]:
                x = random(rng, dtype, *shape)
                for axes in ([0], [-1], list(range(len(shape))), [0, len(shape) - 1][: len(shape)]):
                    axes = list(dict.fromkeys(a % len(shape) for a in axes))
                    indices = np.array(axes, np.int32)
                    keep = len(axes) == 2
                    for name, function in reduce.items():
                        w = wide(x)
                        if dtype in INTS and name == "Mean":
                            count = np.prod([shape[a] for a in axes])
                            total = np.sum(w.astype(object), tuple(axes), keepdims=keep)
                            if np.any(np.abs(np.asarray(total, object)) > 2**62):
                                continue
                            expected = np.asarray(divide(np.asarray(total), np.asarray(count))).astype(dtype)
                        else:
                            expected = as_type(function(w, axis=tuple(axes), keepdims=keep), dtype)
                        file.add(f"tf.{name}", [x, indices], expected, tolerance, tolerance, keep_dims=keep)
        x = random(rng, F32, 2, 3, 4)
        file.add("_tf.Mean", [x], np.mean(wide(x), (0, 2)).astype(F32), 1e-6, 1e-6, reduction_indices=[0, -1])
        file.add("tf.Sum", [x, np.array([], np.int32)], x)
        file.add("_tf.Mean", [x], x, reduction_indices=[])
        for dtype in (np.float64, F32):
            empty = np.zeros((2, 0), dtype)
            file.add("tf.Sum", [empty, np.array([1], np.int64)], np.zeros(2, dtype))
            file.add("tf.Mean", [empty, np.array([1], np.int32)], np.full(2, NAN, dtype))
        for dtype in FLOATS[:3] + INTS:
            x = random(rng, dtype, 3, 4, 2)
            for axis in (0, 1, -1):
                for out in (np.int32, np.int64):
                    file.add("tf.ArgMax", [x, np.array(axis, np.int32)], np.argmax(wide(x), axis).astype(out),
                             output_type=np.dtype(out))
            file.add("tfrt_test.argmax", [x], np.argmax(wide(x), 1).astype(np.int32), axis=I32(1))
        nans = np.array([[1, NAN, 3], [NAN, NAN, 0]], F32)
        file.add("tf.ArgMax", [nans, np.array(1)], np.array([1, 0]))
        for dtype in (F32, np.float64):
            x = random(rng, dtype, 5, 3)
            file.add("tfrt_test.reduce_mean", [x], np.mean(wide(x), 0).astype(dtype), 1e-5, 1e-6, axis=I32(0))
        x = rng.integers(-9, 9, (4, 2)).astype(np.int32)
        file.add("tfrt_test.reduce_mean", [x], divide(np.sum(x, 0), np.asarray(4)).astype(np.int32), axis=I32(0))
        for dtype in (F32, np.int64, np.float64):
            x = random(rng, dtype, 2, 3, 4)
            with np.errstate(all="ignore"):
                file.add("tf.BiasAddGrad", [x], np.sum(wide(x), (0, 1)).astype(dtype), 1e-5, 1e-5)

        logits = random(rng, F32, 4, 5)
        labels = np.array([0, 4, 2, 2])
        logs = cases.log_softmax(wide(logits))
        loss = -logs[np.arange(4), labels]
        gradient = np.exp(logs) - (labels[:, None] == np.arange(5))
        for dtype in (np.int32, np.int64):
            file.add("tf.SparseSoftmaxCrossEntropyWithLogits", [logits, labels.astype(dtype)],
                     [loss.astype(F32), gradient.astype(F32)], 1e-5, 1e-6)
        variable, dv = random(rng, F32, 2, 3), random(rng, F32, 2, 3)
        file.add("tfrt.SgdUpdate", [variable, dv, np.array([0.25], F32)], variable - F32(0.25) * dv)
    file.write()


def ops_layout(rng):
    file = File("ops_layout")
    types = INTS + [F16, F32, np.float64, bool] + COMPLEX
    for dtype in types:
        x = rng.integers(0, 99, (2, 3, 4)).astype(dtype)
        for perm in ([2, 0, 1], [0, 2, 1], [0, 1, 2]):
            expected = np.ascontiguousarray(np.transpose(x, perm))
            file.add("tf.Transpose", [x, np.array(perm, np.int32)], expected)
            file.add("_tf.Transpose", [x], expected, perm=perm)
        file.add("tf.Tile", [x, np.array([2, 1, 3], np.int32)], np.tile(x, (2, 1, 3)))
        for axis in (0, 1, -1):
            shape = [2, 3, 4]
            shape[axis] = 2
            y = rng.integers(0, 99, shape).astype(dtype)
            file.add("tf.ConcatV2", [x, y, x, np.array(axis, np.int32)], np.concatenate([x, y, x], axis))
            index = np.array([[1, 0], [1, 1]], np.int64)
            file.add("tf.GatherV2", [x, index, np.array(axis)], np.take(x, index, axis))
        for begin, size in (([0, 0, 0], [2, 3, 4]), ([1, 0, 2], [1, -1, 2]), ([0, 3, 0], [2, 0, -1])):
            box = tuple(slice(b, None if s == -1 else b + s) for b, s in zip(begin, size))
            file.add("tf.Slice", [x, np.array(begin, np.int32), np.array(size, np.int64)], x[box])
        for axis in (0, 2, 3, -1, -4):
            file.add("tf.ExpandDims", [x, np.array(axis, np.int32)], np.expand_dims(x, axis))
        file.add("tf.Reshape", [x, np.array([4, -1], np.int32)], x.reshape(4, 6))
        on, off = np.array(5).astype(dtype), np.array(0).astype(dtype)
        indices = np.array([[0, 2], [-1, 7]])
        hot = np.where(indices[..., None] == np.arange(3), on, off).astype(dtype)
        file.add("tf.OneHot", [indices, np.array(3), on, off], hot)
        file.add("tf.OneHot", [indices.astype(np.int32), np.array(3, np.int32), on, off],
                 np.ascontiguousarray(np.moveaxis(hot, -1, 0)), axis=0)
    x = rng.integers(0, 99, (1, 3, 1, 2)).astype(np.int32)
    file.add("tf.Reshape", [x, np.array([6], np.int64)], x.reshape(6))
    file.add("tf.Reshape", [np.zeros((0, 3), F32), np.array([3, 0])], np.zeros((3, 0), F32))
    file.add("tf.Reshape", [np.array([4.0], F32), np.array([], np.int32)], np.array(4.0, F32))
    file.add("tf.Squeeze", [x], x.reshape(3, 2))
    file.add("tf.Squeeze", [x], x.reshape(1, 3, 2), squeeze_dims=[2])
    file.add("tf.Squeeze", [x], x.reshape(3, 2), squeeze_dims=[-2, 0])
    file.add("tf.Shape", [x], np.array([1, 3, 1, 2]), out_type=np.dtype(np.int64))
    file.add("tf.Shape", [np.array(1.0)], np.zeros(0, np.int32), out_type=np.dtype(np.int32))
    file.add("tf.Tile", [np.array(7), np.array([], np.int64)], np.array(7))
    file.add("tf.Tile", [np.zeros((2, 0)), np.array([2, 2])], np.zeros((4, 0)))
    file.add("tf.Tile", [np.ones((2, 2)), np.array([0, 2])], np.zeros((0, 4)))
    file.add("tf.ConcatV2", [np.zeros((2, 0)), np.ones((2, 1)), np.array(1)], np.ones((2, 1)))
    file.add("tf.Slice", [np.array(7), np.array([], np.int64), np.array([], np.int64)], np.array(7))
    file.add("tf.Identity", [x], x)
    for name in ("identity", "identity_dense_only", "async.noop", "async.noop_no_md"):
        file.add(f"tfrt_test.{name}", [x], x)
    file.add("tfrt_test.odd_collector", [np.array([1, 2, -3, 4, 5], np.int32)], np.array([1, -3, 5], np.int32))
    for dtype in (F32, np.int64, np.uint8):
        row = np.array([1, 2, 3], dtype)
        file.add("tfrt_test.broadcast", [row], np.tile(row, (2, 1)), shape=[2, 3])
    for shape, padding in [((2, 3), [[0, 0], [1, 2]]), ((1, 2, 2, 3), [[0, 0], [3, 3], [3, 3], [0, 0]]),
                           ((3,), [[0, 4]])]:
        x = cases.random(rng, *shape)
        for dtype in (np.int32, np.int64):
            file.add("tf.Pad", [x, np.array(padding, dtype)], np.pad(x, padding))
        file.add("tf.PadV2", [x, np.array(padding), np.array(-1.5, F32)], np.pad(x, padding, constant_values=-1.5))
        file.add("_tf.Pad", [x], np.pad(x, padding), paddings=[n for row in padding for n in row])
    rows = cases.random(rng, 5, 40)
    file.add("tf.Slice", [rows, np.array([1, 2]), np.array([3, 30])], rows[1:4, 2:32])
    file.write()


def strided_slice(x, *entries):
    """The arguments and masks of tf.StridedSlice for x[entries]: slices, numbers, None and Ellipsis."""
    numbers, masks = [], dict(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)
    for i, entry in enumerate(entries):
        begin, end, stride = 7, -7, 3  # what no mask should let count
        if entry is None:
            masks["new_axis_mask"] |= 1 << i
        elif entry is Ellipsis:
            masks["ellipsis_mask"] |= 1 << i
        elif isinstance(entry, slice):
            begin, end = entry.start, entry.stop
            stride = 1 if entry.step is None else entry.step
            masks["begin_mask"] |= (begin is None) << i
            masks["end_mask"] |= (end is None) << i
            begin, end = 7 if begin is None else begin, -7 if end is None else end
        else:
            begin = entry
            masks["shrink_axis_mask"] |= 1 << i
        numbers.append((begin, end, stride))
    begin, end, strides = ([n[i] for n in numbers] for i in range(3))
    return [x, np.array(begin, np.int32), np.array(end, np.int64), np.array(strides, np.int32)], \
        {name: mask for name, mask in masks.items() if mask}


def ops_parts(rng):
    file = File("ops_parts")
    s = slice
    for dtype in INTS + [F16, F32, np.float64, bool] + COMPLEX:
        x = rng.integers(0, 99, (4, 3, 5)).astype(dtype)
        for entries in [(s(1, 3),), (s(None, None, -1),), (s(-1, None, -2), s(2, 0, -1)), (2,), (-1, ..., 0),
                        (None, s(1, None), ..., None, s(0, 5, 3)), (..., s(4, 1, -2)), (s(3, 1), s(0, 9)), (1, 2, -5),
                        (0, None, s(None, -1), None), (), (...,), (s(-99, 99, 2), 1, s(None, None, 2))]:
            arguments, masks = strided_slice(x, *entries)
            file.add("tf.StridedSlice", arguments, np.ascontiguousarray(x[entries]).reshape(x[entries].shape), **masks)
        for axis, batch_dims, shape in [(1, 1, (4, 2)), (2, 1, (4, 2, 2)), (2, 2, (4, 3, 6)), (-1, -1, (4, 2)),
                                        (1, 0, ()),
                                        (2, 2, (4, 3)), (1, 1, (4, 0))]:
            index = rng.integers(0, x.shape[axis], shape).astype(np.int32)
            batch = batch_dims % len(shape) if batch_dims < 0 else batch_dims
            axis_ = axis % 3
            pieces = [np.take(x[b], index[b], axis_ - batch) for b in np.ndindex(*shape[:batch])]
            expected = np.array(pieces, dtype).reshape(*x.shape[:batch], *pieces[0].shape)
            file.add("tf.GatherV2", [x, index, np.array(axis)], expected, batch_dims=batch_dims)
        for shape in [(2, 3), (5, 1), (2, 2, 2), (3,), (4, 0), (0, 2)]:
            index = np.array([rng.integers(0, x.shape[d], shape[:-1]) for d in range(shape[-1])])
            index = np.moveaxis(index.reshape(shape[-1], *shape[:-1]), 0, -1)
            expected = np.array([x[tuple(index[i])] for i in np.ndindex(*shape[:-1])], dtype)
            expected = expected.reshape((*shape[:-1], *x.shape[shape[-1]:]))
            for index_type in (np.int32, np.int64):
                file.add("tf.GatherNd", [x, np.ascontiguousarray(index).astype(index_type)], expected)
    file.write()


def check_gradient(function, gradient, dy, inputs, which=0, step=1e-5):
    """Fails unless `gradient` is that of sum(function(*inputs) * dy) with respect to inputs[which]: differences."""
    x = inputs[which]
    differences = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        ends = []
        for sign in (1, -1):
            moved = list(inputs)
            moved[which] = x.copy()
            moved[which][i] += sign * step
            ends.append(np.sum(function(*moved) * dy))
        differences[i] = (ends[0] - ends[1]) / (2 * step)
    np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-7)


def gelu_slope(x, approximate):
    x = np.clip(x, -50, 50)
    if not approximate:
        return 0.5 * special.erfc(-x / np.sqrt(2)) + x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    u = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return 0.5 * (1 + np.tanh(u)) + 0.5 * x / np.cosh(u)**2 * np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x * x)


def layer_norm(x, scale, offset, epsilon):
    mean, variance = np.mean(x, -1, keepdims=True), np.var(x, -1, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon) * scale + offset


def layer_norm_grad(dy, x, scale, epsilon):
    r = 1 / np.sqrt(np.var(x, -1, keepdims=True) + epsilon)
    normal = (x - np.mean(x, -1, keepdims=True)) * r
    g = dy * scale
    dx = r * (g - np.mean(g, -1, keepdims=True) - normal * np.mean(g * normal, -1, keepdims=True))
    rows = tuple(range(x.ndim - 1))
    return dx, np.sum(dy * normal, rows), np.sum(dy, rows)


def batch_norm(x, scale, offset, epsilon, mean=None, variance=None):
    rows = tuple(range(x.ndim - 1))
    mean = np.mean(x, rows) if mean is None else mean
    variance = np.var(x, rows) if variance is None else variance
    return (x - mean) / np.sqrt(variance + epsilon) * scale + offset


def ops_gradients(rng):
    file = File("ops_gradients")
    with np.errstate(all="ignore"):
        for dtype in FLOATS:
            tolerance = 16 * EPSILON[dtype]
            for x in (as_type([0.0, -0.0, 1.0, -1.5, 6.0, -6.0, INF, -INF, NAN, 14.0, -14.0, 60000.0], dtype),
                      random(rng, dtype, 3, 7, scale=2.0), random(rng, dtype, 0, 2), random(rng, dtype)):
                dy = random(rng, dtype, *wide(x).shape)
                for approximate, function in ((False, cases.gelu), (True, cases.gelu_tanh)):
                    slope = gelu_slope(wide(x), approximate)
                    if wide(x).shape == (3, 7):
                        check_gradient(function, slope * wide(dy), wide(dy), [wide(x)])
                    # Of slopes the error is that of numbers about 1.
                    file.add("tfrt.GeluGrad", [dy, x], as_type(slope * wide(dy), dtype), tolerance,
                             2 * EPSILON[dtype], approximate=approximate)
            for shape in ((3, 10), (2, 1, 4), (2, 0), (0, 3), (2, 1030)):
                x, dy = random(rng, dtype, *shape), random(rng, dtype, *shape)
                y = as_type(softmax(wide(x)), dtype)
                dx = (wide(dy) - np.sum(wide(dy) * wide(y), -1, keepdims=True)) * wide(y)
                if shape == (3, 10) and dtype == np.float64:
                    check_gradient(softmax, dx, dy, [x])
                file.add("tfrt.SoftmaxGrad", [dy, y], as_type(dx, dtype), tolerance, tolerance)
                y = as_type(cases.log_softmax(wide(x)) if wide(x).size else wide(x), dtype)
                dx = wide(dy) - np.exp(wide(y)) * np.sum(wide(dy), -1, keepdims=True)
                if shape == (3, 10) and dtype == np.float64:
                    check_gradient(cases.log_softmax, dx, dy, [x])
                file.add("tfrt.LogSoftmaxGrad", [dy, y], as_type(dx, dtype), tolerance, 4 * tolerance)

        for shape, epsilon in [((2, 3, 4), 1e-3), ((5, 7), 1e-5), ((40, 1), 1e-5), ((1, 1030), 1e-5), ((0, 3), 1e-5)]:
            x, dy, scale = random(rng, F32, *shape), random(rng, F32, *shape), random(rng, F32, shape[-1])
            results = layer_norm_grad(wide(dy), wide(x), wide(scale), epsilon)
            if x.size and x.size < 100:
                inputs = [wide(x), wide(scale), np.zeros(shape[-1]), epsilon]
                for i in range(3):
                    check_gradient(layer_norm, results[i], wide(dy), inputs, i)
            file.add("tfrt.LayerNormGrad", [dy, x, scale], [r.astype(F32) for r in results], 1e-5, 1e-5,
                     epsilon=epsilon)

        nothing = np.zeros(0, F32)
        for shape in ((2, 3, 2, 4), (6, 3), (1, 5), (40, 70)):
            x, dy = random(rng, F32, *shape) + F32(2), random(rng, F32, *shape)
            scale, offset, mean = (random(rng, F32, shape[-1]) for _ in range(3))
            variance = np.abs(random(rng, F32, shape[-1])) + F32(0.1)
            rows, count, epsilon = tuple(range(len(shape) - 1)), int(np.prod(shape[:-1])), 1e-3
            saved = np.mean(wide(x), rows), np.var(wide(x), rows)
            y = batch_norm(wide(x), scale, offset, epsilon)
            population = saved[1] * count / max(count - 1, 1)
            saved_vectors = [v.astype(F32) for v in saved]
            for factor in (1.0, 0.25):
                running = [(1 - factor) * mean + factor * saved[0], (1 - factor) * variance + factor * population]
                results = [y, *running, *saved, nothing]
                arguments = [x, scale, offset, mean, variance]
                file.add("tf.FusedBatchNormV3", arguments, [r.astype(F32) for r in results], 1e-5, 1e-5,
                         epsilon=epsilon, is_training=True, exponential_avg_factor=factor)
            file.add("tf.FusedBatchNormV3", [x, scale, offset, nothing, nothing], y.astype(F32), 1e-5, 1e-5,
                     epsilon=epsilon, is_training=True)
            flat, flat_dy = wide(x).reshape(-1, shape[-1]), wide(dy).reshape(-1, shape[-1])
            r = 1 / np.sqrt(saved[1] + epsilon)
            normal = (flat - saved[0]) * r
            sums = np.sum(flat_dy * normal, 0), np.sum(flat_dy, 0)
            dx = (scale * r * (flat_dy - sums[1] / count - normal * sums[0] / count)).reshape(shape)
            if x.size < 100:
                inputs = [wide(x), wide(scale), wide(offset), epsilon]
                for i, gradient in enumerate((dx, *sums)):
                    check_gradient(batch_norm, gradient, wide(dy), inputs, i)
            results = [v.astype(F32) for v in (dx, *sums, nothing, nothing)]
            file.add("tf.FusedBatchNormGradV3", [dy, x, scale, *saved_vectors, nothing], results, 2e-5, 2e-5,
                     epsilon=epsilon)
            r = 1 / np.sqrt(wide(variance) + epsilon)
            sums = np.sum(flat_dy * (flat - mean) * r, 0), np.sum(flat_dy, 0)
            dx = scale * r * wide(dy)
            if x.size < 100:
                inputs = [wide(x), wide(scale), wide(offset), epsilon, wide(mean), wide(variance)]
                for i, gradient in enumerate((dx, *sums)):
                    check_gradient(batch_norm, gradient, wide(dy), inputs, i)
            results = [v.astype(F32) for v in (dx, *sums, nothing, nothing)]
            file.add("tf.FusedBatchNormGradV3", [dy, x, scale, mean, variance, nothing], results, 2e-5, 2e-5,
                     epsilon=epsilon, is_training=False)
            four = [v.reshape(1, 1, 1, -1) for v in (scale, offset, mean, variance)]
            running = [v.astype(F32).reshape(1, 1, 1, -1) for v in (saved[0], population, *saved)]
            file.add("tf.FusedBatchNormV3", [x, *four], [y.astype(F32), *running, nothing], 1e-5, 1e-5,
                     epsilon=epsilon, is_training=True)
        # No rows: no mean, no variance. A mean that is large beside the variance.
        none, nans = np.zeros((0, 2), F32), np.full(2, NAN, F32)
        file.add("tf.FusedBatchNormV3", [none, np.ones(2, F32), np.zeros(2, F32), nothing, nothing],
                 [none, nans, nans, nans, nans, nothing], epsilon=1e-3, is_training=True)
        x = (np.array([[4096.0], [4096.5], [4097.0], [4096.5]]) * 16).astype(F32)
        saved = np.mean(wide(x), 0), np.var(wide(x), 0)
        results = [batch_norm(wide(x), 1, 0, 1e-3), saved[0], saved[1] * 4 / 3, *saved, nothing]
        file.add("tf.FusedBatchNormV3", [x, np.ones(1, F32), np.zeros(1, F32), nothing, nothing],
                 [r.astype(F32) for r in results], 1e-6, 1e-6, epsilon=1e-3, is_training=True)
    file.write()


def main():
    for number, family in enumerate((ops_binary, ops_unary, ops_products, ops_networks, ops_layout, ops_parts,
                                    ops_gradients)):
        family(np.random.default_rng(100 + number))


if __name__ == "__main__":
    main()
