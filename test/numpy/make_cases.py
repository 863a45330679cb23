#!/usr/bin/env python3
"""Writes cases/*.bin: inputs of tensor kernels, and the outputs that NumPy computes for them in float64.

usage: make_cases.py   (needs numpy and scipy; building and testing do not)

A file is "TFRTCASE", u32 number of cases, cases. A case is
  string kernel; u32 n, n attributes; u32 n, n operands
  string    u32 size, bytes
  attribute u8 prefix, u32 size, bytes: as in a BEF file; the prefix is the length of the count in front of
            elements, which must be aligned
  operand   u8 kind: 0 chain; 1 tensor that is read; 2 tensor that is written: f32 rtol, f32 atol, initial
            tensor, expected tensor; 3 one f32; 4 one number: tensor of rank 0
  tensor    u8 dtype code, u8 rank, i64 dims, elements
All numbers are little endian. Expected floats e are met by x with |x - e| <= atol + rtol * |e|, NaN by NaN.
Operands come in the order of the kernel's arguments, attributes in that of their names. Kernels tf_sync.* are
sync kernels, which have no chains.
"""

import itertools
import pathlib
import struct

import numpy as np
from scipy import special

CASES = pathlib.Path(__file__).resolve().parent / "cases"
CODES = {"uint8": 1, "bool": 5, "int8": 6, "int32": 8, "int64": 9, "float32": 10, "float64": 11}
STRING_CODE = 16
F32 = np.float32
ULP = float(np.finfo(F32).eps)
NAN, INF = np.nan, np.inf


def string(text):
    return struct.pack("<I", len(text)) + text.encode()


def tensor(array):
    array = np.asarray(array)
    head = struct.pack("<BB", CODES[array.dtype.name], array.ndim)
    return head + struct.pack(f"<{array.ndim}q", *array.shape) + array.tobytes()


def attribute(value):
    """int: i64, float: f32, bool, str, list of int: i64 array, ("i32", list), list of str: an aggregate."""
    if isinstance(value, bool):
        body, prefix = struct.pack("<B", value), 0
    elif isinstance(value, int):
        body, prefix = struct.pack("<q", value), 0
    elif isinstance(value, float):
        body, prefix = struct.pack("<f", value), 0
    elif isinstance(value, str):
        body, prefix = string(value), 4
    elif isinstance(value, list) and value and isinstance(value[0], str):
        header = 12 + 4 * len(value)
        elements = [bytes([STRING_CODE]) + string(text) for text in value]
        ends = list(itertools.accumulate(map(len, elements), initial=header))
        body = struct.pack("<BBHII", 4, 0, header, ends[-1], len(value))
        body += struct.pack(f"<{len(value)}I", *(begin + 1 for begin in ends[:-1])) + b"".join(elements)
        prefix = 0
    elif isinstance(value, tuple):
        body, prefix = struct.pack(f"<I{len(value[1])}i", len(value[1]), *value[1]), 4
    else:
        body, prefix = struct.pack(f"<I{len(value)}q", len(value), *value), 4
    return struct.pack("<BI", prefix, len(body)) + body


class Out:
    """An output; `initial` is what the tensor holds before, where that matters."""

    def __init__(self, expected, dtype=None, rtol=0.0, atol=0.0, initial=None):
        expected = np.asarray(expected)
        with np.errstate(all="ignore"):
            self.expected = expected.astype(dtype or expected.dtype)
        if initial is None:
            initial = np.full(self.expected.shape, 77).astype(self.expected.dtype)
        self.initial, self.rtol, self.atol = initial, rtol, atol


class Number:
    """An argument that is no tensor."""

    def __init__(self, value):
        self.value = value


CHAIN = object()


NAMES = {"uint8": "ui8", "bool": "bool", "int8": "i8", "int32": "i32", "int64": "i64",
         "float32": "f32", "float64": "f64"}


class File:
    def __init__(self, name):
        self.name, self.cases = name, []

    @staticmethod
    def dtype(kernel, operands):
        """What the name of a kernel of tfrt_cpu.* ends with."""
        names = [NAMES[(o.expected if isinstance(o, Out) else np.asarray(o)).dtype.name]
                 for o in operands if o is not CHAIN]
        if kernel == "tfrt_cpu.cast":
            return f"{names[0]}_to_{names[1]}"
        return "f32" if kernel == "tfrt_cpu.one_hot" else names[0]

    def add(self, kernel, operands, *attributes):
        if kernel.startswith("tfrt_cpu."):
            kernel += "." + self.dtype(kernel, operands)
        data = string(kernel) + struct.pack("<I", len(attributes))
        data += b"".join(attribute(a) for a in attributes)
        data += struct.pack("<I", len(operands))
        for operand in operands:
            if operand is CHAIN:
                data += b"\0"
            elif isinstance(operand, Out):
                data += struct.pack("<Bff", 2, operand.rtol, operand.atol)
                data += tensor(operand.initial) + tensor(operand.expected)
            elif isinstance(operand, float):
                data += struct.pack("<Bf", 3, operand)
            elif isinstance(operand, Number):
                data += b"\4" + tensor(operand.value)
            else:
                data += b"\1" + tensor(operand)
        self.cases.append(data)

    def write(self):
        data = b"TFRTCASE" + struct.pack("<I", len(self.cases)) + b"".join(self.cases)
        (CASES / f"{self.name}.bin").write_bytes(data)
        print(f"{self.name}: {len(self.cases)} cases, {len(data)} bytes")


def random(rng, *shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(F32)


def wide(x):
    return np.asarray(x).astype(np.float64)


SPECIALS = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 20.0, -20.0, 1e-40, -1e-40, 1e30, -1e30, INF,
                     -INF, NAN, 88.5, -88.5], F32)


def gelu(x):
    result = x * 0.5 * special.erfc(-x / np.sqrt(2.0))
    return np.where(x == -INF, -0.0, result)


def gelu_tanh(x):
    with np.errstate(all="ignore"):
        u = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
        result = x * special.expit(2 * u)
    return np.where(x == -INF, -0.0, result)


def elementwise(rng):
    file = File("elementwise")
    unary = {
        "relu": lambda x: np.where(x < 0, 0, x), "tanh": np.tanh, "sigmoid": special.expit,
        "exp": np.exp, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "log": np.log,
    }
    inputs = [SPECIALS, random(rng, 3, 37, scale=4), random(rng, 1, 1, 5), random(rng, 0, 3),
              np.array(1.5, F32)]
    with np.errstate(all="ignore"):
        for x in inputs:
            for name, function in unary.items():
                file.add(f"tfrt_cpu.{name}", [x, Out(function(wide(x)), F32, 4 * ULP, 1e-44), CHAIN])
            file.add("tfrt_cpu.gelu", [x, Out(gelu(wide(x)), F32, 10 * ULP, 1e-44), CHAIN], False)
            file.add("tfrt_cpu.gelu", [x, Out(gelu_tanh(wide(x)), F32, 200 * ULP, 1e-44), CHAIN], True)
    ints = rng.integers(-2**31, 2**31, (3, 5), dtype=np.int32)
    file.add("tfrt_cpu.relu", [ints, Out(np.maximum(ints, 0)), CHAIN])

    binary = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
              "maximum": np.maximum, "minimum": np.minimum,
              "relu_grad": lambda a, b: np.where(a > 0, b, 0)}
    shapes = [((7,), (7,)), ((3, 5), (5,)), ((3, 5), (3, 1)), ((5,), (2, 3, 5)), ((4, 1, 3), (5, 1)),
              ((), (2, 2)), ((2, 3), ()), ((), ()), ((2, 1, 3, 1, 2), (1, 4, 1, 2, 2)), ((0, 3), (3,)),
              ((1,), (0,)), ((2, 3, 4, 5), (3, 1, 5)), ((1, 1, 6), (2, 2, 1))]
    with np.errstate(all="ignore"):
        for a_shape, b_shape in shapes:
            a, b = random(rng, *a_shape), random(rng, *b_shape)
            i = rng.integers(-2**31, 2**31, a_shape, dtype=np.int32)
            j = rng.integers(-2**31, 2**31, b_shape, dtype=np.int32)
            for name, function in binary.items():
                file.add(f"tfrt_cpu.{name}", [a, b, Out(function(a, b), F32), CHAIN])
                if name != "div":
                    file.add(f"tfrt_cpu.{name}", [i, j, Out(function(i, j), np.int32), CHAIN])
        a, b = np.repeat(SPECIALS, len(SPECIALS)), np.tile(SPECIALS, len(SPECIALS))
        for name, function in binary.items():
            file.add(f"tfrt_cpu.{name}", [a, b, Out(function(a, b), F32), CHAIN])

    values = np.array([0, 1, -1, 2.5, -2.5, 100, 200, 300, -200, 1e10, -1e10, 1e30, INF, -INF, NAN])
    limits = {np.int8: np.iinfo(np.int8), np.uint8: np.iinfo(np.uint8), np.int32: np.iinfo(np.int32),
              np.int64: np.iinfo(np.int64)}
    for source in (F32, np.float64):
        x = values.astype(source)
        for target, limit in limits.items():
            expected = [0 if np.isnan(v) else
                        limit.min if v <= limit.min else limit.max if v >= limit.max else int(v)
                        for v in x]
            file.add("tfrt_cpu.cast", [x, Out(np.array(expected, target)), CHAIN])
        file.add("tfrt_cpu.cast", [x, Out(x != 0), CHAIN])
    with np.errstate(all="ignore"):
        file.add("tfrt_cpu.cast", [values, Out(values.astype(F32)), CHAIN])
    for source in (np.int8, np.uint8, np.int32, np.int64, bool):
        x = rng.integers(0, 2 if source is bool else 120, 9).astype(source)
        for target in (np.int8, np.uint8, np.int32, np.int64, F32, np.float64, bool):
            if target == source:
                continue
            file.add("tfrt_cpu.cast", [x, Out(x.astype(target)), CHAIN])
    x = np.array([0, 1, -1, 127, 128, 255, 256, -129, 2**31 - 1, -2**31], np.int64)
    for target in (np.int8, np.uint8, np.int32):
        file.add("tfrt_cpu.cast", [x, Out(x.astype(target)), CHAIN])
    file.write()


def reductions(rng):
    file = File("reductions")
    reduce = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}
    shapes = [(), (1,), (13,), (3, 17), (17, 3), (2, 3, 5), (2, 1, 66), (3, 2, 2, 3), (66, 2), (1, 530)]
    for shape in shapes:
        x = random(rng, *shape)
        i = rng.integers(-2**31, 2**31, shape, dtype=np.int32)
        for count in range(len(shape) + 1):
            for axes in itertools.combinations(range(len(shape)), count):
                if count == 0 and shape:
                    continue  # no axes are all axes
                keep = bool(count % 2)
                some = [a - len(shape) if a % 2 else a for a in axes]
                for name, function in reduce.items():
                    if len(shape) > 2 and count == 2 and name in ("mean", "min"):
                        continue
                    expected = function(wide(x), axis=tuple(axes), keepdims=keep)
                    file.add(f"tfrt_cpu.reduce_{name}",
                             [x, Out(expected, F32, 4 * ULP, 8 * ULP), CHAIN], some, keep)
                    if name != "mean":
                        expected = function(i.astype(np.int64), axis=tuple(axes), keepdims=keep)
                        file.add(f"tfrt_cpu.reduce_{name}",
                                 [i, Out(expected.astype(np.int32)), CHAIN], some, keep)
    special_rows = np.array([[1, NAN, 3], [INF, 2, -INF], [-INF, -INF, -INF], [INF, INF, 1]], F32)
    with np.errstate(all="ignore"):
        for axis in (0, 1):
            for name, function in reduce.items():
                file.add(f"tfrt_cpu.reduce_{name}",
                         [special_rows, Out(function(wide(special_rows), axis=axis), F32), CHAIN],
                         [axis], False)
    long_row = np.linspace(-1, 1, 33, dtype=F32)
    long_row[20] = NAN
    for name in ("max", "min"):
        file.add(f"tfrt_cpu.reduce_{name}", [long_row, Out(np.array(NAN, F32)), CHAIN], [0], False)
    empty = np.zeros((3, 0), F32)
    file.add("tfrt_cpu.reduce_sum", [empty, Out(np.zeros(3, F32)), CHAIN], [1], False)
    file.add("tfrt_cpu.reduce_mean", [empty, Out(np.full(3, NAN, F32)), CHAIN], [1], False)
    file.add("tfrt_cpu.reduce_max", [empty, Out(np.zeros(0, F32)), CHAIN], [0], False)
    # Sums of many numbers stay accurate.
    many = np.full(5000, 0.1, F32)
    file.add("tfrt_cpu.reduce_sum", [many, Out(np.sum(wide(many)), F32, 4 * ULP), CHAIN], [0], False)

    for shape, axis in [((7,), 0), ((4, 9), 1), ((9, 4), 0), ((2, 5, 3), -2), ((3, 1), 1)]:
        for x in (random(rng, *shape), rng.integers(-3, 3, shape, dtype=np.int32)):
            for index in (np.int32, np.int64):
                file.add("tfrt_cpu.argmax", [x, Out(np.argmax(x, axis).astype(index)), CHAIN], axis)
    x = np.array([[1, NAN, NAN, INF], [-INF, -INF, -INF, -INF]], F32)
    file.add("tfrt_cpu.argmax", [x, Out(np.argmax(x, 1).astype(np.int32)), CHAIN], 1)
    file.add("tfrt_cpu.argmax", [np.zeros((0, 3), F32), Out(np.zeros(0, np.int32)), CHAIN], 1)
    file.write()


def log_softmax(x):
    shifted = x - np.max(x, axis=-1, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))


def normalization(rng):
    file = File("normalization")
    rows = [random(rng, 3, 10, scale=5), random(rng, 1), random(rng, 2, 3, 37, scale=30),
            random(rng, 4, 1), np.zeros((2, 0), F32), np.zeros((0, 2), F32), random(rng, 1, 1030),
            np.array([[1e30, -1e30, 0], [INF, 1, 2], [-INF, 1, 2], [NAN, 1, 2], [-INF, -INF, -INF]], F32)]
    with np.errstate(all="ignore"):
        for x in rows:
            if x.size:
                expected = log_softmax(wide(x))
            else:
                expected = wide(x)
            file.add("tfrt_cpu.softmax", [x, Out(np.exp(expected), F32, 128 * ULP, 1e-44), CHAIN])
            file.add("tfrt_cpu.log_softmax", [x, Out(expected, F32, 4 * ULP, 4 * ULP), CHAIN])
    for shape in [(3, 10), (1, 1), (2, 3, 37), (0, 4), (5,), (2, 700)]:
        x = random(rng, *shape, scale=2) + F32(3)
        scale, offset = random(rng, shape[-1]), random(rng, shape[-1])
        mean = np.mean(wide(x), -1, keepdims=True)
        variance = np.var(wide(x), -1, keepdims=True)
        expected = (wide(x) - mean) / np.sqrt(variance + 1e-3) * scale + offset
        file.add("tfrt_cpu.layer_norm", [x, scale, offset, Out(expected, F32, 8 * ULP, 1e-5), CHAIN],
                 1e-3)
    for shape in [(2, 3, 4, 5), (7, 1), (3, 70), (4,), (0, 2)]:
        x = random(rng, *shape)
        channels = shape[-1]
        scale, offset, mean = (random(rng, channels) for _ in range(3))
        variance = np.abs(random(rng, channels)) + F32(0.1)
        epsilon = float(F32(1e-5))
        root = np.sqrt(wide(variance) + epsilon)
        expected = (wide(x) - mean) / root * scale + offset
        out = Out(expected, F32, 8 * ULP, 1e-5)
        file.add("tfrt_cpu.batch_norm", [x, scale, offset, mean, variance, out, CHAIN], epsilon)
        if len(shape) != 4:
            continue
        in_place = Out(expected, F32, 8 * ULP, 1e-5, initial=x)
        file.add("eigen.batch_norm.f32", [in_place, scale, offset, mean, variance, CHAIN], epsilon)
    for shape in [(2, 3, 4, 5), (1, 1, 1, 1), (3, 2, 2, 70)]:
        x, dy = random(rng, *shape), random(rng, *shape)
        gamma = random(rng, shape[-1])
        mean = np.mean(wide(x), (0, 1, 2)).astype(F32)
        variance = np.var(wide(x), (0, 1, 2)).astype(F32)
        epsilon = float(F32(1e-3))
        r = 1 / np.sqrt(wide(variance) + epsilon)
        normal = (wide(x) - mean) * r
        beta_grad = np.sum(wide(dy), (0, 1, 2))
        gamma_grad = np.sum(wide(dy) * normal, (0, 1, 2))
        count = x.size / shape[-1]
        dx = gamma * r * (wide(dy) - beta_grad / count - normal * gamma_grad / count)
        outs = [Out(v, F32, 16 * ULP, 1e-5) for v in (dx, gamma_grad, beta_grad)]
        file.add("eigen.batch_norm.grad.f32", [dy, x, gamma, mean, variance, CHAIN, *outs], epsilon)
    file.write()


def layout(rng):
    file = File("layout")
    arrays = [random(rng, 3, 5), random(rng, 2, 3, 4), random(rng, 17, 33), random(rng, 2, 1, 3, 2),
              rng.integers(0, 99, (3, 2, 2)).astype(np.int64), np.array(7, np.int32),
              rng.integers(0, 2, (4, 3)).astype(bool), np.zeros((0, 3, 2), F32), random(rng, 2, 2, 2, 2, 2)]
    for x in arrays:
        permutations = list(itertools.permutations(range(x.ndim)))
        for permutation in permutations[:: max(1, len(permutations) // 24)]:
            out = Out(np.array(np.transpose(x, permutation), order="C"))
            file.add("tfrt_cpu.transpose", [x, out, CHAIN], list(permutation))
    for x in arrays:
        out = Out(x.reshape(1, -1, 1))
        file.add("tfrt_cpu.reshape", [x, out, CHAIN])
    for shape, axis, indices in [((5, 3), 0, [4, 0, 0]), ((5, 3), 1, [[2, 1], [0, 0]]), ((5, 3), -1, 1),
                                 ((2, 4, 3), 1, [3, 3, 0, 1, 2]), ((4,), 0, []), ((3, 0), 0, [1]),
                                 ((0, 3), 0, [])]:
        for dtype, index_dtype in [(F32, np.int32), (np.int64, np.int64), (np.uint8, np.int32)]:
            x = (random(rng, *shape) * 50).astype(np.int64).astype(dtype)
            index = np.array(indices, index_dtype)
            file.add("tfrt_cpu.gather", [x, index, Out(np.take(x, index, axis)), CHAIN], axis)
    for shapes, axis in [([(2, 3), (1, 3)], 0), ([(2, 3), (2, 1), (2, 0), (2, 4)], 1), ([(5,)], 0),
                         ([(2, 2, 3), (2, 5, 3)], -2), ([(0, 2), (0, 2)], 0), ([(2, 3, 1)] * 3, 2)]:
        for dtype in (F32, np.int64, bool):
            parts = [(random(rng, *s) * 50).astype(np.int64).astype(dtype) for s in shapes]
            file.add("tfrt_cpu.concat", [Out(np.concatenate(parts, axis)), CHAIN, *parts], axis)
    for shape, padding in [((3,), [1, 2]), ((2, 3), [0, 0, 1, 2]), ((2, 3), [1, 2, 0, 0]), ((2, 3), [0] * 4),
                           ((2, 3, 4), [1, 0, 2, 1, 0, 3]), ((1, 2, 2, 3), [0, 0, 1, 1, 2, 0, 0, 0]),
                           ((2, 2, 2, 2), [1, 1, 0, 0, 0, 0, 1, 0]), ((0, 2), [1, 1, 0, 1]), ((), []),
                           ((2, 0), [0, 0, 2, 1]), ((2, 2, 2), [1, 0, 0, 0, 0, 0])]:
        for value in (0.0, -INF):
            x = random(rng, *shape)
            pairs = list(zip(padding[::2], padding[1::2]))
            expected = np.pad(x, pairs, constant_values=value) if pairs else x
            file.add("tfrt_cpu.pad", [x, Out(expected, F32), CHAIN], padding, value)
    for indices in ([0, 2, 4], [[1, 3], [-1, 5]], 2, []):
        for index_dtype in (np.int32, np.int64):
            index = np.array(indices, index_dtype)
            file.add("tfrt_cpu.one_hot", [index, Out(index[..., None] == np.arange(5), F32), CHAIN])

    x = random(rng, 2, 3, 4, 5)
    file.add("tfrt_test.flatten.f32", [x, Out(x.reshape(2, 60)), CHAIN])
    x = random(rng, 19, 7)
    file.add("tfrt_test.tensor_transpose.f32", [x, Out(np.ascontiguousarray(x.T)), CHAIN])
    x = random(rng, 3, 4)
    expected = np.broadcast_to(x[:, None, None, :], (3, 2, 5, 4))
    file.add("tfrt_test.broadcast_2d.f32", [x, Out(np.ascontiguousarray(expected)), CHAIN])
    for dtype, name in ((F32, "f32"), (np.int32, "i32"), (np.int64, "i64")):
        x = (random(rng, 4, 5, 6) * 100).astype(np.int64).astype(dtype)
        expected = np.ascontiguousarray(x[1:3, 2:5, 3:4])
        begin = np.array([1, 2, 3], np.int64)
        file.add(f"tfrt_test.slice_inplace.{name}.3", [x, begin, CHAIN, Out(expected)])
    for padding in ([0, 0], [1, 0], [2, 3]):
        x = random(rng, 2, 3, 4, 5)
        expected = np.pad(x, [(0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0)])
        file.add("tfrt_test.zero_padding.f32", [x, Out(expected), CHAIN], ("i32", padding))
        file.add("eigen.zero_padding.f32", [x, Out(expected), CHAIN], padding)
    file.write()


def window(size, filter_size, stride, padding):
    """(outputs, elements of padding before) of one dimension."""
    if padding == "valid":
        return (size - filter_size + stride) // stride, 0
    outputs = -(-size // stride)
    needed = max(0, (outputs - 1) * stride + filter_size - size)
    return outputs, needed // 2


def windows(shape, ksize, strides, padding):
    """Yields (output row, output column, rows, columns): slices of the image."""
    (rows, top), (columns, left) = (window(shape[1 + i], ksize[i], strides[i], padding) for i in (0, 1))
    for r in range(rows):
        for c in range(columns):
            y, x = r * strides[0] - top, c * strides[1] - left
            yield r, c, slice(max(0, y), min(shape[1], y + ksize[0])), slice(max(0, x), min(shape[2], x + ksize[1]))


def pool(x, ksize, strides, padding, function):
    rows, columns = (window(x.shape[1 + i], ksize[i], strides[i], padding)[0] for i in (0, 1))
    out = np.zeros((x.shape[0], rows, columns, x.shape[3]))
    for r, c, ys, xs in windows(x.shape, ksize, strides, padding):
        out[:, r, c] = function(wide(x)[:, ys, xs], axis=(1, 2))
    return out


def max_pool_grad(x, out, dy, ksize, strides, padding):
    dx = np.zeros(x.shape)
    for r, c, ys, xs in windows(x.shape, ksize, strides, padding):
        for n, channel in itertools.product(range(x.shape[0]), range(x.shape[3])):
            part = x[n, ys, xs, channel]
            y, z = np.unravel_index(np.argmax(part), part.shape)
            dx[n, ys.start + y, xs.start + z, channel] += dy[n, r, c, channel]
    return dx


GRID = [((1, 4, 4, 1), (2, 2), (2, 2)), ((2, 5, 7, 3), (3, 2), (2, 1)), ((1, 3, 3, 2), (1, 1), (2, 2)),
        ((2, 6, 5, 1), (5, 5), (1, 1)), ((1, 7, 2, 17), (3, 1), (3, 1)), ((1, 1, 1, 1), (1, 1), (1, 1)),
        ((1, 8, 8, 2), (2, 3), (4, 3))]


def pooling(rng):
    file = File("pooling")
    for shape, ksize, strides in GRID:
        for padding in ("valid", "same"):
            x = random(rng, *shape) - F32(2)
            largest = pool(x, ksize, strides, padding, np.max).astype(F32)
            mean = pool(x, ksize, strides, padding, np.mean)
            dy = random(rng, *largest.shape)
            dx = max_pool_grad(x, largest, dy, ksize, strides, padding)
            attributes = (list(ksize), padding, list(strides))
            file.add("tfrt_cpu.max_pool2d", [x, Out(largest), CHAIN], *attributes)
            file.add("tfrt_cpu.avg_pool2d", [x, Out(mean, F32, 4 * ULP, 4 * ULP), CHAIN], *attributes)
            file.add("tfrt_cpu.max_pool2d_grad",
                     [x, largest, dy, Out(dx, F32, 4 * ULP, 4 * ULP), CHAIN], *attributes)
            file.add("eigen.max_pooling_2d.f32", [x, Out(largest), CHAIN], padding, list(ksize), list(strides))
            file.add("tfrt_test.max_pooling_2d.f32", [x, Out(largest), CHAIN], padding,
                     ("i32", ksize), ("i32", strides))
    for x in (np.zeros((0, 4, 4, 2), F32), np.zeros((1, 4, 4, 0), F32)):
        out = np.zeros((x.shape[0], 2, 2, x.shape[3]), F32)
        file.add("tfrt_cpu.max_pool2d", [x, Out(out), CHAIN], [2, 2], "valid", [2, 2])
    special_image = np.array([1, NAN, -INF, -INF, -INF, -INF, INF, 1], F32).reshape(2, 2, 2, 1)
    expected = np.array([NAN, INF], F32).reshape(2, 1, 1, 1)
    file.add("tfrt_cpu.max_pool2d", [special_image, Out(expected), CHAIN], [2, 2], "VALID", [1, 1])
    for shape in [(2, 3, 4, 5), (1, 1, 1, 1), (3, 5, 5, 33)]:
        x = random(rng, *shape)
        out = Out(np.mean(wide(x), (1, 2)), F32, 4 * ULP, 4 * ULP)
        file.add("tfrt_cpu.global_average_pool", [x, out, CHAIN])
        file.add("tfrt_test.global_average_pooling.f32", [x, out, CHAIN])
    file.write()


def training(rng):
    file = File("training")
    for rows, columns, scale in [(4, 10, 1), (1, 1, 1), (3, 37, 50), (0, 3, 1), (2, 1000, 5)]:
        logits = random(rng, rows, columns, scale=scale)
        labels = rng.integers(0, columns, rows, dtype=np.int32)
        dy = random(rng, rows)
        logs = log_softmax(wide(logits)) if rows else wide(logits)
        picked = np.arange(columns) == labels[:, None]
        loss = -np.sum(np.where(picked, logs, 0), -1)
        grad = dy[:, None] * (np.exp(logs) - picked)
        file.add("tfrt_cpu.softmax_cross_entropy",
                 [logits, labels, Out(loss, F32, 4 * ULP, 4 * ULP), CHAIN])
        file.add("tfrt_cpu.softmax_cross_entropy_grad",
                 [logits, labels, dy, Out(grad, F32, 128 * ULP, 4 * ULP), CHAIN])
    for shape in [(3, 5), (), (0,), (40,)]:
        x, dx = random(rng, *shape), random(rng, *shape)
        expected = wide(x) - wide(F32(0.1)) * wide(dx)
        for kernel in ("tfrt_cpu.sgd_update", "tfrt_test.gradient_descent.f32"):
            file.add(kernel, [dx, np.array([0.1], F32), Out(expected, F32, 4 * ULP, 2 * ULP, initial=x), CHAIN])
    x = random(rng, 9, 5)
    file.add("tfrt_test.mean_axis_zero.f32", [x, Out(np.mean(wide(x), 0), F32, 4 * ULP, ULP), CHAIN])
    file.write()


def conv_grads(x, w, dy, strides, padding):
    dx, dw = np.zeros(x.shape), np.zeros(w.shape)
    (rows, top), (columns, left) = (window(x.shape[1 + i], w.shape[i], strides[i], padding) for i in (0, 1))
    for r, c, i, j in itertools.product(range(rows), range(columns), range(w.shape[0]), range(w.shape[1])):
        y, z = r * strides[0] - top + i, c * strides[1] - left + j
        if 0 <= y < x.shape[1] and 0 <= z < x.shape[2]:
            dx[:, y, z] += wide(dy[:, r, c]) @ wide(w[i, j]).T
            dw[i, j] += wide(x[:, y, z]).T @ wide(dy[:, r, c])
    return dx, dw


def conv_gradients(rng):
    file = File("conv_gradients")
    grid = [(shape, ksize, strides, channels)
            for (shape, ksize, strides), channels in zip(GRID, (1, 4, 3, 2, 16, 1, 5))]
    grid += [((3, 6, 6, 3), (3, 3), (1, 1), 20), ((2, 5, 5, 1), (5, 5), (1, 1), 6)]
    for shape, ksize, strides, channels in grid:
        for padding in ("valid", "same"):
            x = random(rng, *shape)
            w = random(rng, *ksize, shape[3], channels)
            rows, columns = (window(shape[1 + i], ksize[i], strides[i], padding)[0] for i in (0, 1))
            dy = random(rng, shape[0], rows, columns, channels)
            dx, dw = conv_grads(x, w, dy, strides, padding)
            file.add("eigen.conv2d.grad.input.f32", [dy, w, Out(dx, F32, 8 * ULP, 1e-5), CHAIN],
                     padding, list(strides))
            file.add("eigen.conv2d.grad.filter.f32", [dy, x, Out(dw, F32, 8 * ULP, 1e-5), CHAIN],
                     padding.upper(), list(strides))
    file.write()


def activations(x):
    """What "none", "relu", ... of the contraction kernels compute."""
    return {"none": x, "relu": np.where(x < 0, 0, x), "gelu": gelu(x), "gelu_tanh": gelu_tanh(x),
            "tanh": np.tanh(x), "sigmoid": special.expit(x)}


def close(expected, terms):
    """An output whose elements are sums of so many terms of about 1."""
    return dict(dtype=F32, rtol=8 * ULP, atol=4 * ULP * max(1, terms))


def products(rng):
    file = File("products")
    for m, n, k in [(1, 1, 1), (2, 3, 4), (1, 10, 84), (7, 9, 5), (5, 17, 1), (3, 4, 0), (0, 4, 3), (33, 8, 20)]:
        for transpose_a, transpose_b in itertools.product((False, True), repeat=2):
            a, b = random(rng, m, k), random(rng, k, n)
            bias = random(rng, n)
            exact = wide(a) @ wide(b)
            operands = [np.ascontiguousarray(a.T) if transpose_a else a,
                        np.ascontiguousarray(b.T) if transpose_b else b]
            file.add("tfrt_cpu.matmul", operands + [Out(exact, **close(exact, k)), CHAIN], transpose_a,
                     transpose_b)
            for name, expected in activations(exact + bias).items():
                if (transpose_a or transpose_b) and name != "relu":
                    continue
                file.add("tfrt_cpu.matmul.bias",
                         operands + [bias, Out(expected, **close(expected, k)), CHAIN], name, transpose_a,
                         transpose_b)
        c = random(rng, m, n)
        for alpha, beta in [(1.0, 0.0), (0.5, 1.0), (-2.0, 0.25)]:
            expected = alpha * exact + beta * wide(c)
            file.add("eigen.matmul.f32",
                     [alpha, a, b, beta, Out(expected, **close(expected, 2 * k), initial=c), CHAIN])
    special = np.array([[NAN, 1], [INF, 1], [-INF, INF], [1e38, 1e38]], F32)
    ones = np.array([[1, 10], [1, 10]], F32)
    with np.errstate(all="ignore"):
        file.add("tfrt_cpu.matmul", [special, ones, Out(wide(special) @ wide(ones), F32, 8 * ULP), CHAIN],
                 False, False)
    for batch, m, n, k in [((3,), 2, 5, 4), ((2, 3), 1, 7, 6), ((0,), 2, 2, 2), ((1, 1, 2), 9, 8, 3)]:
        for transpose_a, transpose_b in itertools.product((False, True), repeat=2):
            a, b = random(rng, *batch, m, k), random(rng, *batch, k, n)
            expected = 0.25 * (wide(a) @ wide(b))
            file.add("tfrt_cpu.batch_matmul",
                     [np.ascontiguousarray(a.swapaxes(-1, -2)) if transpose_a else a,
                      np.ascontiguousarray(b.swapaxes(-1, -2)) if transpose_b else b,
                      Out(expected, **close(expected, k)), CHAIN], 0.25, transpose_a, transpose_b)
    file.write()


def test_products(rng):
    """tfrt_test.matmul: alpha * a * b + beta * c, of integers modulo a power of 2."""
    file = File("test_products")
    for m, n, k in [(1, 1, 1), (2, 3, 4), (33, 8, 20), (3, 4, 0), (0, 4, 3), (4, 0, 3)]:
        for dtype, name in ((F32, "f32"), (np.float64, "f64"), (np.int32, "i32"), (np.int64, "i64")):
            for alpha, beta in [(1, 0), (1, 1), (-2, 3)]:
                alpha, beta = dtype(alpha), dtype(beta)
                if dtype in (F32, np.float64):
                    a, b, c = (rng.standard_normal(s).astype(dtype) for s in ((m, k), (k, n), (m, n)))
                    ulp = float(np.finfo(dtype).eps)
                    tolerances = dict(rtol=8 * ulp, atol=4 * ulp * max(1, 2 * k))
                else:
                    limit = np.iinfo(dtype)
                    a, b, c = (rng.integers(limit.min, limit.max, s, dtype) for s in ((m, k), (k, n), (m, n)))
                    tolerances = {}
                with np.errstate(over="ignore"):
                    scale = (lambda factor, x: factor * wide(x)) if tolerances else (lambda factor, x: factor * x)
                    product = wide(a) @ wide(b) if tolerances else a @ b
                    expected = scale(alpha, product) + scale(beta, c)
                out = Out(expected, dtype, **tolerances, initial=c)
                file.add(f"tfrt_test.matmul.{name}.2", [Number(alpha), a, b, Number(beta), out, CHAIN])
    file.write()


def conv2d(x, w, strides, dilations, padding):
    """padding: (top, bottom), (left, right)."""
    x = np.pad(wide(x), ((0, 0), *padding, (0, 0)))
    rows, columns = ((x.shape[1 + i] - (w.shape[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in (0, 1))
    out = np.zeros((x.shape[0], rows, columns, w.shape[3]))
    for i, j in itertools.product(range(w.shape[0]), range(w.shape[1])):
        y, z = i * dilations[0], j * dilations[1]
        taps = x[:, y:y + (rows - 1) * strides[0] + 1:strides[0], z:z + (columns - 1) * strides[1] + 1:strides[1]]
        out += taps @ wide(w[i, j])
    return out


def same_padding(size, filter_size, stride):
    outputs, before = window(size, filter_size, stride, "same")
    return before, max(0, (outputs - 1) * stride + filter_size - size) - before


def convolutions(rng):
    file = File("convolutions")
    grid = [(shape, ksize, strides, channels)
            for (shape, ksize, strides), channels in zip(GRID, (1, 4, 3, 2, 16, 1, 5))]
    grid += [((3, 6, 6, 3), (3, 3), (1, 1), 20), ((2, 9, 9, 1), (5, 5), (1, 1), 6)]
    for shape, ksize, strides, channels in grid:
        x, w, bias = random(rng, *shape), random(rng, *ksize, shape[3], channels), random(rng, channels)
        terms = ksize[0] * ksize[1] * shape[3]
        for padding in ("valid", "same"):
            pads = ((0, 0), (0, 0))
            if padding == "same":
                pads = tuple(same_padding(shape[1 + i], ksize[i], strides[i]) for i in (0, 1))
            exact = conv2d(x, w, strides, (1, 1), pads)
            scale, offset, mean = (random(rng, channels) for _ in range(3))
            variance = np.abs(random(rng, channels)) + F32(0.5)
            normal = (exact - mean) / np.sqrt(wide(variance) + 0.001) * scale + offset
            if padding == "valid":
                file.add("eigen.conv2d.f32", [x, w, Out(exact, **close(exact, terms)), CHAIN], padding,
                         list(strides))
                kernel, expected = "eigen.conv2d.batch_norm.f32", normal
            else:
                file.add("eigen.conv2d.bias.f32", [x, w, bias, Out(exact + bias, **close(exact, terms)), CHAIN],
                         padding, list(strides))
                kernel, expected = "eigen.conv2d.batch_norm.relu.f32", np.maximum(normal, 0)
            file.add(kernel, [x, w, scale, offset, mean, variance, Out(expected, **close(expected, 2 * terms)),
                              CHAIN], 0.001, padding, list(strides))
        for dilations, pads in [((1, 1), ((1, 2), (0, 1))), ((2, 1), ((2, 2), (3, 0)))]:
            if any(shape[1 + i] + sum(pads[i]) <= (ksize[i] - 1) * dilations[i] for i in (0, 1)):
                continue
            exact = conv2d(x, w, strides, dilations, pads)
            attributes = (list(dilations), [*pads[0], *pads[1]], list(strides))
            if dilations[0] == 1:
                file.add("tfrt_cpu.conv2d", [x, w, Out(exact, **close(exact, terms)), CHAIN], *attributes)
            else:
                expected = np.tanh(exact + bias)
                file.add("tfrt_cpu.conv2d.bias", [x, w, bias, Out(expected, **close(expected, terms)), CHAIN],
                         "tanh", *attributes)
                continue
            before = random(rng, *exact.shape)
            expected = np.maximum(exact + bias + before, 0)
            file.add("tfrt_cpu.conv2d.bias.add",
                     [x, w, bias, Out(expected, **close(expected, terms), initial=before), CHAIN], "relu",
                     *attributes)
    file.write()


def sync(rng):
    """tf_sync.*"""
    file = File("sync")
    binary = {"AddV2": np.add, "Sub": np.subtract, "Mul": np.multiply, "RealDiv": np.divide}
    unary = {"Log": np.log, "Log1p": np.log1p, "Rsqrt": lambda x: 1 / np.sqrt(x), "Sigmoid": special.expit}
    with np.errstate(all="ignore"):
        for a_shape, b_shape in [((7,), (7,)), ((3, 5), (5,)), ((5,), (2, 3, 5)), ((4, 1, 3), (5, 1)), ((), (2, 2)),
                                 ((), ()), ((0, 3), (3,)), ((2, 1, 3, 1, 2), (1, 4, 1, 2, 2))]:
            a, b = random(rng, *a_shape), random(rng, *b_shape)
            for name, function in binary.items():
                file.add(f"tf_sync.{name}.f32", [a, b, Out(function(a, b), F32)])
        a, b = np.repeat(SPECIALS, len(SPECIALS)), np.tile(SPECIALS, len(SPECIALS))
        for name, function in binary.items():
            file.add(f"tf_sync.{name}.f32", [a, b, Out(function(a, b), F32)])
        for x in (SPECIALS, np.array([1e-7, -1e-4, 0.3, -0.6, -0.999999], F32), random(rng, 0, 3), np.array(1.5, F32)):
            for name, function in unary.items():
                file.add(f"tf_sync.{name}.f32", [x, Out(function(wide(x)), F32, 4 * ULP, 1e-44)])
        # Inputs that are worth several tasks where there are tasks.
        x = random(rng, 3, 701, scale=4)
        file.add("tf_sync.Sigmoid.f32", [x, Out(special.expit(wide(x)), F32, 4 * ULP, 1e-44)])
        for x in (random(rng, 3, 10, scale=5), random(rng, 2, 3, 37, scale=30), np.zeros((2, 0), F32),
                  np.array([[1e30, -1e30, 0], [INF, 1, 2], [NAN, 1, 2]], F32), x):
            expected = log_softmax(wide(x)) if x.size else wide(x)
            file.add("tf_sync.Softmax.f32", [x, Out(np.exp(expected), F32, 128 * ULP, 1e-44)])
            file.add("tf_sync.LogSoftmax.f32", [x, Out(expected, F32, 4 * ULP, 4 * ULP)])
    for shape, multiples in [((3,), [2]), ((2, 3), [1, 1]), ((2, 3), [3, 2]), ((2, 1, 3), [2, 3, 1]), ((), []),
                             ((2, 2), [0, 2]), ((0, 2), [3, 1]), ((1, 2, 1, 2), [2, 1, 3, 2])]:
        x = random(rng, *shape)
        for dtype in (np.int32, np.int64):
            file.add("tf_sync.Tile.f32", [x, np.array(multiples, dtype), Out(np.tile(x, multiples))])
    fusions = {"Relu": lambda x: np.maximum(x, 0), "Relu6": lambda x: np.clip(x, 0, 6),
               "Elu": lambda x: np.where(x < 0, np.expm1(x), x)}
    for m, n, k in [(1, 1, 1), (2, 3, 4), (7, 9, 5), (3, 4, 0), (0, 4, 3), (33, 8, 20)]:
        for transpose_a, transpose_b in itertools.product((False, True), repeat=2):
            a, b, bias = random(rng, m, k), random(rng, k, n), random(rng, n, scale=3)
            exact = wide(a) @ wide(b) + bias
            operands = [np.ascontiguousarray(a.T) if transpose_a else a,
                        np.ascontiguousarray(b.T) if transpose_b else b, bias]
            for fused in ([], ["Relu"], ["Relu6"], ["Elu"]):
                if transpose_a != transpose_b and fused:
                    continue
                expected = fusions[fused[0]](exact) if fused else exact
                file.add("tf_sync._FusedMatMul.f32", operands + [Out(expected, **close(expected, k))],
                         ["BiasAdd", *fused], transpose_a, transpose_b)
    file.write()


def main():
    CASES.mkdir(exist_ok=True)
    for number, family in enumerate((elementwise, reductions, normalization, layout, pooling, training,
                                     conv_gradients, products, convolutions, test_products, sync)):
        family(np.random.default_rng(number))


if __name__ == "__main__":
    main()
