"""Graph ops that compute, and the results that NumPy computes for them: families of make_graph_cases.py."""

import itertools

import numpy as np
from scipy import special

import make_cases as cases
from make_op_cases import (EPSILON, F16, F32, FLOATS, INF, INTS, NAN, Bf16, File, Type, as_type, divide, random,
                           special_values, wide)

SMALL = 2.0**-10  # an epsilon that is the same in f32


def close(dtype, factor=8.0):
    return {"rtol": factor * EPSILON[dtype], "atol": 1e-44}


def logistic(x):
    return special.expit(x)


def graph_unary(rng):
    file = File("graph_unary")
    exact = {"abs": np.abs, "neg": np.negative, "sign": np.sign, "floor": np.floor, "ceil": np.ceil, "round": np.rint,
             "relu": lambda x: np.where(x < 0, 0, x)}
    near = {"reciprocal": np.reciprocal, "exp": np.exp, "log": np.log, "log1p": np.log1p, "sqrt": np.sqrt,
            "rsqrt": lambda x: 1 / np.sqrt(x), "erf": special.erf, "sin": np.sin, "cos": np.cos, "tan": np.tan,
            "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
            "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "sigmoid": logistic, "tanh": np.tanh,
            "gelu": cases.gelu, "softplus": lambda x: np.logaddexp(0, x)}
    # Of what is not infinite: NumPy's formulas have no limit there.
    finite = {"mish": (lambda x: x * np.tanh(np.logaddexp(0, x)), {}),
              "swish": (lambda x: x * logistic(1.5 * x), {"alpha": 1.5}),
              "hard_swish": (lambda x: x * np.clip(x / 6 + 0.5, 0, 1), {}),
              "hard_sigmoid": (lambda x: np.clip(0.25 * x + 0.5, 0, 1), {"alpha": 0.25}),
              "leaky_relu": (lambda x: np.where(x < 0, 0.125 * x, x), {"alpha": 0.125}),
              "elu": (lambda x: np.where(x < 0, 0.75 * np.expm1(x), x), {"alpha": 0.75}),
              "selu": (lambda x: 1.25 * np.where(x < 0, 1.5 * np.expm1(x), x), {"alpha": 1.5, "gamma": 1.25})}
    with np.errstate(all="ignore"):
        for dtype in FLOATS:
            for x in (special_values(dtype), as_type([0.5, 1.5, 2.5, -0.5, 1e-3, -3e4, 9e3], dtype),
                      random(rng, dtype, 3, 7), random(rng, dtype, 0, 2), random(rng, dtype)):
                for name, function in exact.items():
                    file.add(f"graph.{name}", [x], as_type(function(wide(x)), dtype))
                for name, function in near.items():
                    file.add(f"graph.{name}", [x], as_type(function(wide(x)), dtype), **close(dtype))
                file.add("graph.is_nan", [x], np.isnan(wide(x)))
                for negative, positive in itertools.product((False, True), repeat=2):
                    expected = (np.isposinf(wide(x)) & positive) | (np.isneginf(wide(x)) & negative)
                    file.add("graph.is_inf", [x], expected, negative=negative, positive=positive)
            x = as_type(np.concatenate([rng.standard_normal(9) * 5, [0, -0.25, 1e-4, -1e-4, 40, -40, NAN]]), dtype)
            for name, (function, attributes) in finite.items():
                file.add(f"graph.{name}", [x], as_type(function(wide(x)), dtype), 16 * EPSILON[dtype],
                         4 * EPSILON[dtype], **attributes)
            file.add("graph.gelu", [x], as_type(cases.gelu_tanh(wide(x)), dtype), 400 * EPSILON[dtype], 1e-6,
                     approximate=True)
        for dtype in INTS:
            x = random(rng, dtype, 9)
            x[0] = np.iinfo(dtype).min
            for name in ("abs", "neg", "sign"):
                file.add(f"graph.{name}", [x], exact[name](x).astype(dtype))
            file.add("graph.round", [x], x)
            file.add("graph.relu", [x], np.maximum(x, 0).astype(dtype))
            file.add("graph.bitwise_not", [x], ~x)
        file.add("graph.logical_not", [np.array([[True, False]])], np.array([[False, True]]))
    file.write()


def pairs_of(rng, dtype):
    shapes = [((3, 5), (3, 5)), ((2, 3), (3,)), ((), (3,)), ((2, 1, 3), (4, 1)), ((0, 2), (2,)), ((), ()),
              ((2, 1, 1, 1, 2, 1, 1, 1, 2), (2, 1, 1, 1, 2, 1, 1, 1))]
    for a, b in shapes:
        yield random(rng, dtype, *a), random(rng, dtype, *b)
    if dtype in FLOATS:
        values = wide(special_values(dtype))
        yield as_type(np.repeat(values, len(values)), dtype), as_type(np.tile(values, len(values)), dtype)


def graph_binary(rng):
    file = File("graph_binary")
    arithmetic = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
    relations = {"less": np.less, "less_equal": np.less_equal, "greater": np.greater,
                 "greater_equal": np.greater_equal, "equal": np.equal, "not_equal": np.not_equal}
    bits = {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}
    with np.errstate(all="ignore"):
        for dtype, (a, b) in ((d, p) for d in INTS + FLOATS for p in pairs_of(rng, d)):
            for name, function in arithmetic.items():
                file.add(f"graph.{name}", [a, b], as_type(function(wide(a), wide(b)), dtype))
            for name, function in relations.items():
                file.add(f"graph.{name}", [a, b], function(wide(a), wide(b)))
            if dtype in FLOATS:
                file.add("graph.div", [a, b], as_type(wide(a) / wide(b), dtype))
                file.add("graph.mod", [a, b], as_type(np.mod(wide(a), wide(b)), dtype), **close(dtype))
                file.add("graph.mod", [a, b], as_type(np.fmod(wide(a), wide(b)), dtype), truncate=True)
                file.add("graph.pow", [a, b], as_type(np.power(wide(a), wide(b)), dtype), **close(dtype))
                continue
            for name, function in bits.items():
                file.add(f"graph.{name}", [a, b], function(a, b))
            divisors = np.where(b == 0, 1, b).astype(dtype)
            width = np.iinfo(dtype).bits
            quotient = np.array(np.asarray(divide(a, divisors), object) % 2**width, f"uint{width}").view(dtype)
            file.add("graph.div", [a, divisors], quotient)
            file.add("graph.mod", [a, divisors], np.mod(a, divisors))
            file.add("graph.mod", [a, divisors], np.fmod(a, divisors), truncate=True)
            exponents = (wide(b) % 5).astype(dtype)
            file.add("graph.pow", [a, exponents], np.power(a, exponents))
        for dtype in INTS:
            x, y = random(rng, dtype, 6), np.array([0, 1, 7, 8, 40, 100], dtype)
            width = np.iinfo(dtype).bits
            left = np.array([int(v) << int(n) & 2**width - 1 if n < width else 0 for v, n in zip(x, y)], f"uint{width}")
            file.add("graph.shift_left", [x, y], left.view(dtype))
            file.add("graph.shift_right", [x, y], np.array([int(v) >> int(n) for v, n in zip(x, y)], dtype))
        # Exponents of another dtype.
        x = as_type([1.0, 2.0, -3.0, 0.5], F32)
        for y in (np.array(2), np.array(3, np.int32), np.array([2, -1, 3, 0], np.int64), np.array([[0.5], [2.0]], F16)):
            file.add("graph.pow", [x, y], as_type(np.power(wide(x), wide(y)), F32), **close(F32))
        file.add("graph.pow", [np.array([1, 2, 9], np.int64), np.array([0.5, 3, 0.5], F32)], np.array([1, 8, 3]))
        p, q = np.array([[True], [False]]), np.array([True, False])
        for name, function in {"logical_and": np.logical_and, "logical_or": np.logical_or,
                               "logical_xor": np.logical_xor, "equal": np.equal, "not_equal": np.not_equal}.items():
            file.add(f"graph.{name}", [p, q], function(p, q))
        for dtype in FLOATS:
            x, slope = random(rng, dtype, 2, 3, 4), random(rng, dtype, 3, 1)
            expected = np.where(wide(x) < 0, wide(x) * wide(slope), wide(x))
            file.add("graph.prelu", [x, slope], as_type(expected, dtype))
    file.write()


def graph_choice(rng):
    file = File("graph_choice")
    bounds = [(-0.5, 0.5), (0.5, -0.5), (None, 0.25), (-0.25, None), (None, None)]
    for dtype in INTS + FLOATS:
        scale = 1 if dtype in FLOATS else 100
        x = special_values(dtype) if dtype in FLOATS else random(rng, dtype, 3, 4)
        for low, high in bounds:
            low, high = (as_type(np.abs(v) * scale if v and dtype in INTS[:4] else v * scale, dtype)
                         if v is not None else None for v in (low, high))
            w = wide(x)
            w = w if low is None else np.maximum(w, wide(low))
            w = w if high is None else np.minimum(w, wide(high))
            arguments = [x] + ([low] if low is not None else [])
            if high is not None:
                if low is None:
                    continue
                arguments.append(high)
            file.add("graph.clip", arguments, as_type(w, dtype))
    for dtype in INTS + FLOATS + [np.bool_]:
        def make(*shape):
            return rng.integers(0, 2, shape).astype(bool) if dtype is np.bool_ else random(rng, dtype, *shape)
        for c, x, y in [((3, 4), (3, 4), (3, 4)), ((3, 1), (4,), ()), ((), (2, 3), (3,)), ((5,), (), (5,)),
                        ((5,), (), ()),
                        ((2, 1, 3), (4, 1), (1, 1)), ((2, 600), (600,), (2, 1))]:
            condition, x, y = rng.integers(0, 2, c).astype(bool), make(*x), make(*y)
            if isinstance(x, Bf16):
                expected = Bf16(np.where(condition, x.values, y.values))
            else:
                expected = np.where(condition, x, y)
            file.add("graph.select", [condition, x, y], expected)
    file.write()


def graph_casts(rng):
    file = File("graph_casts")
    types = INTS + FLOATS + [np.bool_]
    values = np.array([0, 1, -1, 2.5, -2.5, 100, 300, -200, 1e10, -1e10, 1e30, INF, -INF, NAN])
    with np.errstate(all="ignore"):
        for source, target in itertools.product(types, types):
            if source is np.bool_:
                x = np.array([True, False])
            else:
                x = random(rng, source, 5) if source in INTS else as_type(values, source)
            w = wide(x)
            if source in FLOATS and target in INTS:
                limit = np.iinfo(target)
                expected = np.array([0 if np.isnan(v) else limit.min if v <= limit.min else
                                     limit.max if v >= limit.max else int(v) for v in w], target)
            elif target is np.bool_:
                expected = w != 0
            else:
                expected = as_type(w, target)
            file.add("graph.cast", [x], x if source == target else expected, dtype=Type(target))
    file.write()


def reduce(name, x, axes, keep):
    axes = tuple(axes)
    if name == "log_sum_exp":
        return np.log(np.sum(np.exp(x), axes, keepdims=keep))
    if name == "log_sum":
        return np.log(np.sum(x, axes, keepdims=keep))
    if name == "l1":
        return np.sum(np.abs(x), axes, keepdims=keep)
    if name in ("l2", "sum_square"):
        square = np.sum(x * x, axes, keepdims=keep)
        return np.sqrt(square) if name == "l2" else square
    return {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod}[name](x, axes, keepdims=keep)


REDUCTIONS = ["sum", "mean", "max", "min", "prod", "l1", "l2", "sum_square", "log_sum", "log_sum_exp"]


def graph_reductions(rng):
    file = File("graph_reductions")
    shapes = [((3, 5), [1]), ((3, 5), [0]), ((2, 3, 4), [0, -1]), ((2, 3, 4), [1]), ((2, 1, 3, 2, 2), [1, 3]),
              ((7,), [0]),
              ((2, 3), []), ((), []), ((2, 1, 2, 1, 2, 1, 2, 1, 2), [0, 2, 8])]
    with np.errstate(all="ignore"):
        for dtype, (shape, axes) in itertools.product(FLOATS, shapes):
            x = as_type(np.abs(rng.standard_normal(shape)) + 0.5, dtype)
            for name, keep in itertools.product(REDUCTIONS, (False, True)):
                file.add(f"graph.reduce_{name}", [x, np.array(axes, np.int64)],
                         as_type(reduce(name, wide(x), axes, keep), dtype), **close(dtype), keep_dims=keep)
        for dtype, (shape, axes) in itertools.product(INTS, shapes[1:4]):
            x = rng.integers(0, 5, shape).astype(dtype)
            for name in ("sum", "max", "min", "prod", "l1", "sum_square"):
                file.add(f"graph.reduce_{name}", [x, np.array(axes, np.int32)],
                         reduce(name, x, axes, False).astype(dtype))
        x = np.array([[-INF, 1, INF, 100], [-INF, 2, NAN, 90]], F32)
        expected = np.array([-INF, np.log(np.exp(1) + np.exp(2)), NAN, 100 + np.log1p(np.exp(-10))], F32)
        file.add("graph.reduce_log_sum_exp", [x, np.array([0])], expected, 1e-6)
        # Of nothing.
        nothing = np.zeros((2, 0), F32)
        for name, value in {"sum": 0, "mean": NAN, "max": -INF, "min": INF, "prod": 1, "l1": 0, "l2": 0,
                            "sum_square": 0,
                            "log_sum": -INF, "log_sum_exp": -INF}.items():
            file.add(f"graph.reduce_{name}", [nothing, np.array([1])], np.full(2, value, F32))
        file.add("graph.reduce_max", [np.zeros((0, 2), np.int16), np.array([0])], np.full(2, -32768, np.int16))
        for dtype in INTS + FLOATS:
            x = as_type(rng.integers(0, 4, (3, 4, 2)), dtype)
            for axis, (name, function) in itertools.product((0, 1, -1), (("argmax", np.argmax), ("argmin", np.argmin))):
                file.add(f"graph.{name}", [x, np.array(axis)], function(wide(x), axis))
            file.add("graph.argmin", [x, np.array([1])], np.argmin(wide(x), 1).astype(np.int32), dtype=Type(np.int32))
        for name in ("argmax", "argmin"):
            file.add(f"graph.{name}", [np.array([1, 5, NAN, -9, NAN], F32), np.array(0)], np.array(2))
        for dtype, axis in itertools.product(INTS + FLOATS, (0, 1, -1)):
            x = random(rng, dtype, 2, 4, 3)
            for exclusive, reverse in itertools.product((False, True), repeat=2):
                w = np.flip(wide(x), axis) if reverse else wide(x)
                total = np.cumsum(w, axis, dtype=w.dtype)
                total = total - w if exclusive else total
                total = np.flip(total, axis) if reverse else total
                file.add("graph.cumulative_sum", [x, np.array(axis, np.int32)], as_type(total, dtype),
                         **({"rtol": 1e-6, "atol": 2 * EPSILON[dtype]} if dtype in FLOATS else {}), exclusive=exclusive,
                         reverse=reverse)
        file.add("graph.cumulative_sum", [np.zeros((2, 0), F32), np.array(1)], np.zeros((2, 0), F32))
    file.write()


def norm(x, axes, epsilon):
    mean, variance = np.mean(x, axes, keepdims=True), np.var(x, axes, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon)


def group_norm(x, groups, scale, offset, epsilon, last):
    x = np.moveaxis(x, -1, 1) if last else x
    grouped = x.reshape(x.shape[0], groups, -1)
    y = norm(grouped, 2, epsilon).reshape(x.shape)
    channels = (-1,) + (1,) * (x.ndim - 2)
    y = y * scale.reshape(channels) + offset.reshape(channels)
    return np.moveaxis(y, 1, -1) if last else y


def lrn(x, size, alpha, beta, bias, last):
    x = np.moveaxis(x, -1, 1) if last else x
    sums = np.zeros(x.shape)
    for c in range(x.shape[1]):
        window = x[:, max(0, c - (size - 1) // 2):c + size // 2 + 1]
        sums[:, c] = np.sum(window * window, 1)
    y = x / (bias + alpha / size * sums)**beta
    return np.moveaxis(y, 1, -1) if last else y


def graph_norms(rng):
    file = File("graph_norms")
    with np.errstate(all="ignore"):
        for dtype in FLOATS:
            near = {"rtol": 16 * EPSILON[dtype], "atol": 16 * EPSILON[dtype]}
            for shape in ((3, 5), (70,), (2, 3, 4), (0, 3)):
                x = random(rng, dtype, *shape, scale=3)
                w = wide(x)
                e = np.exp(w - np.max(w, -1, keepdims=True)) if w.size else w
                softmax = e / np.sum(e, -1, keepdims=True)
                file.add("graph.softmax", [x], as_type(softmax, dtype), **near)
                file.add("graph.log_softmax", [x], as_type(np.log(softmax), dtype), **near)
                hard = np.zeros(shape)
                if w.size:
                    np.put_along_axis(hard, np.argmax(w, -1)[..., None], 1, -1)
                file.add("graph.hardmax", [x], as_type(hard, dtype))
                scale, offset = random(rng, dtype, shape[-1]), random(rng, dtype, shape[-1])
                y = norm(w, -1, SMALL) * wide(scale) + wide(offset)
                file.add("graph.layer_norm", [x, scale, offset], as_type(y, dtype), **near, epsilon=SMALL)
                y = w / np.sqrt(np.mean(w * w, -1, keepdims=True) + SMALL) * wide(scale)
                file.add("graph.rms_norm", [x, scale], as_type(y, dtype), **near, epsilon=SMALL)
            for shape, last in itertools.product([(2, 6, 5), (2, 4, 3, 2), (1, 6), (2, 2, 300), (0, 4, 3)],
                                                 (False, True)):
                if shape[-1] == 300 and (dtype is not F32 or last):
                    continue
                x = random(rng, dtype, *shape)
                channels = shape[-1 if last else 1]
                scale, offset = random(rng, dtype, channels), random(rng, dtype, channels)
                for groups in {channels, 2, 1}:
                    if channels % groups:
                        continue
                    y = group_norm(wide(x), groups, wide(scale), wide(offset), SMALL, last) if wide(x).size else wide(x)
                    is_group = groups < channels
                    name, attributes = ("group_norm", {"groups": groups}) if is_group else ("instance_norm", {})
                    file.add(f"graph.{name}", [x, scale, offset], as_type(y, dtype), **near, epsilon=SMALL,
                             channels_last=last, **attributes)
                for size in (1, 2, 3, 9):
                    y = lrn(wide(x), size, 0.5, 0.75, 2.0, last)
                    file.add("graph.lrn", [x], as_type(y, dtype), **near, alpha=0.5, beta=0.75, bias=2.0,
                             channels_last=last, size=size)
            x, bias = random(rng, dtype, 2, 3), random(rng, dtype, 3)
            file.add("graph.bias_add", [x, bias], as_type(wide(x) + wide(bias), dtype))
    file.write()


def graph_quantisation(rng):
    file = File("graph_quantisation")
    with np.errstate(all="ignore"):
        for dtype, target in itertools.product([F32, F16, "bf16"], [np.uint8, np.int8, np.uint16, np.int16]):
            limits = np.iinfo(target)
            for shape, axis, block in [((2, 3, 4), None, 0), ((2, 3, 4), 1, 0), ((2, 3, 4), -1, 0), ((2, 5, 3), 1, 2),
                                       ((4, 6), 0, 3), ((), None, 0), ((0, 3), 1, 0)]:
                x = random(rng, dtype, *shape, scale=limits.max / 8)
                scales = list(shape) if block else [shape[axis]] if axis is not None else []
                if block:
                    scales[axis] = -(-shape[axis] // block)
                scale = as_type(rng.integers(1, 5, scales) / 8, dtype)
                zero = rng.integers(limits.min // 2, limits.max // 2, scales).astype(target)

                def spread(v):
                    if block:
                        return np.take(np.repeat(v, block, axis), range(shape[axis]), axis)
                    return v.reshape([-1 if i == axis % len(shape) else 1
                                      for i in range(len(shape))]) if axis is not None else v

                attributes = {"axis": axis, "block": block} if axis is not None else {}
                q = np.clip(np.rint(wide(x) / spread(wide(scale))) + spread(zero), limits.min,
                            limits.max).astype(target)
                file.add("graph.quantize", [x, scale, zero], q, **attributes)
                y = (q.astype(np.float64) - spread(zero)) * spread(wide(scale))
                file.add("graph.dequantize", [q, scale, zero], as_type(y, dtype), **attributes)
            x, one = as_type([INF, -INF, 2.5, -1.5, 1e9], dtype), as_type(1, dtype)
            q = np.clip(np.rint(np.clip(wide(x), -1e6, 1e6)), limits.min, limits.max).astype(target)
            file.add("graph.quantize", [x, one], q, dtype=Type(target))
        x = np.array([2**31 - 1, -2**31, 5], np.int32)
        file.add("graph.dequantize", [x, np.array(0.5, F32), np.array(-1, np.int32)],
                 ((x.astype(np.int64) + 1) * 0.5).astype(F32))
    for x in (np.array([0, 2, -3, -2.5, 1.34, 0.5]), np.array([-1, -2.1, -1.3, -2.5, -3.34, -4]),
              np.array([1, 2.1, 4.0]),
              np.zeros(3), np.zeros(0), random(rng, F32, 50, 40)):
        x = x.astype(F32)
        low, high = min(0, x.min(initial=0)), max(0, x.max(initial=0))
        scale = F32((F32(high) - F32(low)) / F32(255)) if high > low else F32(1)
        zero = np.clip(np.rint(-F32(low) / scale), 0, 255).astype(np.uint8)
        q = np.clip(np.rint(x / scale) + F32(zero), 0, 255).astype(np.uint8)
        file.add("graph.dynamic_quantize", [x], [q, np.array(scale), np.array(zero)])
    file.write()


def neighbours(x, y):
    """The numbers after x on the way to y."""
    if not isinstance(x, Bf16):
        return np.nextafter(x, y)
    # The bits of f32, of which bf16 has the first half.
    a, b = np.broadcast_arrays(x.values, y.values)
    step = np.where((a < b) == (a > 0), 1, -1)
    bits = ((a.view(np.uint32) >> 16).astype(np.int64) + step).astype(np.uint32) << 16
    after = np.where(a == 0, np.copysign(np.array(1 << 16, np.uint32).view(F32), b), bits.view(F32))
    return as_type(np.where(np.isnan(a) | np.isnan(b), NAN, np.where(a == b, b, after)), "bf16")


def graph_standard(rng):
    """Further functions of the array API standard."""
    file = File("graph_standard")
    near = {"expm1": np.expm1, "exp2": np.exp2, "log2": np.log2, "log10": np.log10}
    pairs = {"atan2": np.arctan2, "hypot": np.hypot}
    with np.errstate(all="ignore"):
        for dtype in FLOATS:
            numbers = as_type([0.5, 1.5, 2.5, -0.5, 1e-3, -3e4, 9e3, 8.0, 0.125, 100.0, -1e-5], dtype)
            for x in (special_values(dtype), numbers, random(rng, dtype, 3, 7), random(rng, dtype, 0, 2),
                      random(rng, dtype)):
                for name, function in near.items():
                    file.add(f"graph.{name}", [x], as_type(function(wide(x)), dtype), **close(dtype))
                file.add("graph.trunc", [x], as_type(np.trunc(wide(x)), dtype))
                file.add("graph.signbit", [x], np.signbit(wide(x)))
            for x, y in pairs_of(rng, dtype):
                for name, function in pairs.items():
                    file.add(f"graph.{name}", [x, y], as_type(function(wide(x), wide(y)), dtype), **close(dtype))
                # A sum near 0 has an error of its terms.
                file.add("graph.logaddexp", [x, y], as_type(np.logaddexp(wide(x), wide(y)), dtype), 8 * EPSILON[dtype],
                         4 * EPSILON[dtype])
                file.add("graph.copysign", [x, y], as_type(np.copysign(wide(x), wide(y)), dtype))
                file.add("graph.nextafter", [x, y], neighbours(x, y))
                computed = np.float64 if dtype == np.float64 else F32  # that of the op
                quotients = np.floor_divide(wide(x).astype(computed), wide(y).astype(computed))
                file.add("graph.floor_divide", [x, y], as_type(quotients, dtype))
        for dtype in INTS:
            x = random(rng, dtype, 9)
            x[0] = np.iinfo(dtype).min
            file.add("graph.trunc", [x], x)
            for x, y in pairs_of(rng, dtype):
                y = np.where(y == 0, 1, y).astype(dtype)
                file.add("graph.floor_divide", [x, y], np.floor_divide(x, y))
            x, y = np.repeat(np.array([7, 8, 0, 100], dtype), 3), np.tile(np.array([3, 5, 1], dtype), 4)
            signed = [(x, y), (-x, y), (x, -y), (-x, -y)] if np.iinfo(dtype).min < 0 else [(x, y)]
            for x, y in signed:
                file.add("graph.floor_divide", [x, y], np.floor_divide(x, y))
        for dtype, axis in itertools.product(INTS + FLOATS, (0, 1, -1)):
            x = random(rng, dtype, 2, 4, 3)
            for exclusive, reverse in itertools.product((False, True), repeat=2):
                w = np.flip(wide(x), axis) if reverse else wide(x)
                if exclusive:
                    w = np.roll(w, 1, axis)
                    np.moveaxis(w, axis, 0)[0] = 1
                product = np.cumprod(w, axis, dtype=w.dtype)
                product = np.flip(product, axis) if reverse else product
                file.add("graph.cumulative_product", [x, np.array(axis, np.int32)], as_type(product, dtype),
                         **(close(dtype) if dtype in FLOATS else {}), exclusive=exclusive, reverse=reverse)
        x = random(rng, F32, 2, 3, 70)
        file.add("graph.cumulative_product", [x, np.array(1)], as_type(np.cumprod(wide(x), 1), F32), **close(F32))
        file.add("graph.cumulative_product", [np.zeros((2, 0), F32), np.array(1)], np.zeros((2, 0), F32))
    file.write()


def graph_linear_algebra(rng):
    """Results that are one matrix whatever the algorithm: factors with free signs have tests of their own."""
    file = File("graph_linear_algebra")
    shapes = [(0, 0), (1, 1), (3, 3), (2, 0, 4, 4), (2, 3, 5, 5), (17, 17)]
    for dtype, near in ((F32, {"rtol": 2e-5, "atol": 2e-5}), (np.float64, {"rtol": 1e-9, "atol": 1e-11})):
        for shape in shapes:
            x = random(rng, dtype, *shape) + 3 * np.eye(shape[-1], dtype=dtype)
            wide_x = wide(x)
            definite = (wide_x @ wide_x.swapaxes(-1, -2) + np.eye(shape[-1])).astype(dtype)
            for upper in (False, True):
                factor = np.linalg.cholesky(wide(definite))
                factor = factor.swapaxes(-1, -2) if upper else factor
                file.add("graph.cholesky", [definite], factor.astype(dtype), **near, upper=upper)
                file.add("graph.eigvalsh", [x], np.linalg.eigvalsh(wide_x, UPLO="U" if upper else "L").astype(dtype),
                         **near,
                         lower=not upper)
            file.add("graph.inverse", [x], np.linalg.inv(wide_x).astype(dtype), **near)
            scale = {**near, "atol": near["atol"] * 3.0**shape[-1]}
            file.add("graph.determinant", [x], np.linalg.det(wide_x).astype(dtype), **scale)
            file.add("graph.slogdet", [x], [part.astype(dtype) for part in np.linalg.slogdet(wide_x)], **near)
            file.add("graph.svdvals", [x], np.linalg.svd(wide_x, compute_uv=False).astype(dtype), **near)
            b = random(rng, dtype, *shape[:-1], 2)
            file.add("graph.solve", [x, b], np.linalg.solve(wide_x, wide(b)).astype(dtype), **near)
            file.add("graph.solve", [x, b], np.linalg.solve(wide_x.swapaxes(-1, -2), wide(b)).astype(dtype), **near,
                     transpose_a=True)
        for shape in [(2, 5), (5, 2), (3, 0, 2), (0, 3), (2, 3, 20, 17)]:
            x = random(rng, dtype, *shape)
            file.add("graph.svdvals", [x], np.linalg.svd(wide(x), compute_uv=False).astype(dtype), **near)
        for a_shape, b_shape in [((2, 1, 3, 3), (4, 3, 1)), ((3, 3), (5, 3, 2)), ((4, 3, 3), (3, 2)), ((2, 2), (2, 0))]:
            a, b = random(rng, dtype, *a_shape) + 3 * np.eye(a_shape[-1], dtype=dtype), random(rng, dtype, *b_shape)
            file.add("graph.solve", [a, b], np.linalg.solve(wide(a), wide(b)).astype(dtype), **near)
        singular = np.stack([np.ones((3, 3)), np.zeros((3, 3)), np.diag([1.0, -2.0, 3.0]),
                             np.diag([NAN, 1.0, 1.0])]).astype(dtype)
        file.add("graph.determinant", [singular], np.array([0, 0, -6, NAN], dtype), **near)
        file.add("graph.slogdet", [singular], [np.array([0, 0, -1, NAN], dtype),
                                               np.array([-INF, -INF, np.log(6.0), NAN], dtype)], **near)
        file.add("graph.svdvals", [singular], np.array([[3, 0, 0], [0, 0, 0], [3, 2, 1], [NAN, NAN, NAN]], dtype),
                 **near)
        file.add("graph.eigvalsh", [singular], np.array([[0, 0, 3], [0, 0, 0], [-2, 1, 3], [NAN, NAN, NAN]], dtype),
                 **near)
    file.write()


def graph_fourier(rng):
    file = File("graph_fourier")
    for dtype, near in ((np.complex64, 2e-6), (np.complex128, 1e-14)):
        # Sizes of small factors, of large ones, and 0.
        for size in (0, 1, 2, 3, 4, 5, 7, 12, 49, 64, 67, 134, 210, 257):
            x = random(rng, dtype, 2, size)
            if size == 0:
                file.add("graph.dft", [x], x)
                continue
            atol = near * size
            file.add("graph.dft", [x], np.fft.fft(wide(x)).astype(dtype), atol=atol)
            file.add("graph.dft", [x], (size * np.fft.ifft(wide(x))).astype(dtype), atol=atol, inverse=True)
        x = random(rng, dtype, 3, 4, 5)
        for axis in (0, 1, -1, -3):
            file.add("graph.dft", [x], np.fft.fft(wide(x), axis=axis).astype(dtype), atol=20 * near, axis=axis)
        for shape in ((), (3, 4), (2, 0)):
            x = random(rng, dtype, *shape)
            file.add("graph.real", [x], np.array(x.real))
            file.add("graph.imag", [x], np.array(x.imag))
            file.add("graph.make_complex", [np.array(x.real), np.array(x.imag)], x)
    file.write()


SEED = 20221201
FAMILIES = {make: SEED for make in (graph_unary, graph_binary, graph_choice, graph_casts, graph_reductions, graph_norms,
                                    graph_quantisation, graph_standard, graph_linear_algebra, graph_fourier)}
