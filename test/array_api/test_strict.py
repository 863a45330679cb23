"""The same calls on tensors and on array-api-strict: results, dtypes and kinds of errors."""

import array_api_strict as strict
import numpy as np
import pytest

import tfrt

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
INTEGERS, FLOATS = DTYPES[1:9], DTYPES[9:]
TOLERANCE = {"float32": 2e-6, "float64": 1e-12}


def array(dtype, shape=(3, 4), seed=0):
    """Numbers of both signs, where the dtype has them, none of them 0."""
    numbers = np.random.default_rng(seed).integers(1, 6, shape)
    if dtype == "bool":
        return numpy_of(numbers > 3, dtype)
    signs = np.where(np.arange(numbers.size).reshape(shape) % 3, 1, -1) if dtype[0] in "if" else 1
    return numpy_of(numbers * signs / (1.75 if dtype in FLOATS else 1), dtype)


def numpy_of(numbers, dtype):
    return np.asarray(numbers, dtype)


def outcome(call, namespace, arrays):
    """The outcome of a call: leaves as arrays of NumPy, or the class of its error."""
    try:
        result = call(namespace, *(namespace.asarray(each) for each in arrays))
    except (TypeError, ValueError, IndexError) as error:
        return type(error)
    leaves = result if isinstance(result, (tuple, list)) else (result,)
    return [np.asarray(each) for each in leaves]


def compare(call, *arrays, label=""):
    """tfrt gives what array-api-strict gives; where this refuses a call, tfrt may take it."""
    found, expected = outcome(call, tfrt, arrays), outcome(call, strict, arrays)
    if isinstance(expected, type):
        return
    assert not isinstance(found, type), (label, found)
    assert len(found) == len(expected), label
    for mine, theirs in zip(found, expected):
        assert mine.dtype == theirs.dtype and mine.shape == theirs.shape, (label, mine.dtype, theirs.dtype)
        tolerance = TOLERANCE.get(theirs.dtype.name, 0)
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance, err_msg=label)


UNARY = ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_invert", "ceil", "cos", "cosh", "exp",
         "expm1", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2", "logical_not", "negative",
         "positive", "reciprocal", "round", "sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc"]
BINARY = ["add", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
          "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot", "less", "less_equal",
          "logaddexp", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "nextafter",
          "not_equal", "pow",
          "remainder", "subtract"]


def absolute_of_signed(x):
    return np.abs(x) if x.dtype.kind == "i" else x


@pytest.mark.parametrize("dtype", DTYPES)
def test_elementwise(dtype):
    x = array(dtype)
    with np.errstate(all="ignore"):
        for name in UNARY:
            compare(lambda xp, x, name=name: getattr(xp, name)(x), x, label=f"{name} {dtype}")
        for name in BINARY:
            y = array(dtype, (4,), seed=1)
            if name in ("pow", "bitwise_left_shift", "bitwise_right_shift"):
                y = absolute_of_signed(y)
            compare(lambda xp, x, y, name=name: getattr(xp, name)(x, y), x, y, label=f"{name} {dtype}")


def test_promotion():
    """All pairs of dtypes that meet in the standard."""
    for one in DTYPES:
        for other in DTYPES:
            compare(lambda xp, x, y: xp.equal(x, y), array(one), array(other), label=f"{one} {other}")
            compare(lambda xp, x, y: xp.where(x > 0, x, y) if one != "bool" else xp.where(x, x, y), array(one),
                    array(other),
                    label=f"{one} {other}")
            compare(lambda xp, x, y: xp.ones(1, dtype=xp.result_type(x, y)), array(one), array(other),
                    label=f"{one} {other}")
            # others meet here, as in NumPy
            if one[0] in "iu" and other[0] in "iu" or one in FLOATS and other in FLOATS:
                compare(lambda xp, x, y: xp.asarray(xp.can_cast(x, y.dtype)), array(one), array(other),
                        label=f"{one} {other}")


OF_ARRAYS = {
    "argmax": lambda xp, x: xp.argmax(x, axis=1), "argsort": lambda xp, x: xp.argsort(x, axis=0, descending=True),
    "all": lambda xp, x: xp.all(x, axis=0), "any": lambda xp, x: xp.any(x, keepdims=True),
    "astype": lambda xp, x: [xp.astype(x, dtype) for dtype in (xp.bool, xp.int64, xp.float32)],
    "broadcast_to": lambda xp, x: xp.broadcast_to(x, (2, 3, 4)), "clip": lambda xp, x: xp.clip(x, 2, 3),
    "concat": lambda xp, x: [xp.concat([x, x], axis=1), xp.concat([x, x], axis=None)],
    "count_nonzero": lambda xp, x: xp.count_nonzero(x, axis=1), "diff": lambda xp, x: xp.diff(x, axis=1, n=2),
    "expand_dims": lambda xp, x: xp.expand_dims(x, axis=-1), "flip": lambda xp, x: xp.flip(x, axis=(0, 1)),
    "index": lambda xp, x: [x[1], x[-1, ::2], x[..., None, 1], x[xp.asarray([2, 0]), :], x[x == x[0, 0]]],
    "full_like": lambda xp, x: [xp.zeros_like(x), xp.ones_like(x), xp.full_like(x, 1)],
    "matmul": lambda xp, x: [xp.matmul(x, x.T), x @ x.mT, xp.tensordot(x, x, axes=2), xp.vecdot(x, x)],
    "max": lambda xp, x: [xp.max(x, axis=0), xp.min(x), xp.max(x, axis=(0, 1), keepdims=True)],
    "mean": lambda xp, x: [xp.mean(x, axis=1), xp.var(x), xp.std(x, axis=0, correction=1)],
    "moveaxis": lambda xp, x: xp.moveaxis(x, 0, -1), "nonzero": lambda xp, x: xp.nonzero(x == x[0, 0]),
    "permute_dims": lambda xp, x: xp.permute_dims(x, (1, 0)), "repeat": lambda xp, x: xp.repeat(x, 2, axis=1),
    "reshape": lambda xp, x: [xp.reshape(x, (2, -1)), xp.reshape(x, (-1,))],
    "roll": lambda xp, x: xp.roll(x, 1, axis=0),
    "searchsorted": lambda xp, x: xp.searchsorted(xp.sort(xp.reshape(x, (-1,))), x[0, :], side="right"),
    "sort": lambda xp, x: [xp.sort(x, axis=0), xp.sort(x, descending=True)],
    "stack": lambda xp, x: [xp.stack([x, x], axis=1), *xp.unstack(x)],
    "squeeze": lambda xp, x: xp.squeeze(xp.reshape(x, (3, 1, 4)), axis=1),
    "take": lambda xp, x: [xp.take(x, xp.asarray([1, 1, 0]), axis=1),
                           xp.take_along_axis(x, xp.argsort(x, axis=1), axis=1)],
    "tile": lambda xp, x: xp.tile(x, (2, 1)), "tril": lambda xp, x: [xp.tril(x), xp.triu(x, k=1)],
    "unique": lambda xp, x: [xp.unique_values(x), *xp.unique_counts(x), *xp.unique_inverse(x)],
    "cumulative": lambda xp, x: [xp.cumulative_prod(x, axis=1, include_initial=True)],
    "meshgrid": lambda xp, x: xp.meshgrid(x[0, :], x[:, 0], indexing="ij"),
    "iterated": lambda xp, x: [x[i, :] for i in range(x.shape[0])],
    "scalars": lambda xp, x: [x == 1, x != x],
}
# Without a dtype these are of the default integer, which is i32 here.
SUMS = {"sum": lambda xp, x: xp.sum(x, axis=0), "prod": lambda xp, x: xp.prod(x), "cumulative_sum": lambda xp, x:
        xp.cumulative_sum(x, axis=1)}


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_arrays(dtype):
    for name, call in OF_ARRAYS.items():
        if name == "cumulative" and dtype not in ("int64", "uint64", *FLOATS):
            continue
        compare(call, array(dtype), label=f"{name} {dtype}")
    if dtype in ("int64", "uint64", *FLOATS):
        for name, call in SUMS.items():
            compare(call, array(dtype), label=f"{name} {dtype}")


@pytest.mark.parametrize("dtype", FLOATS)
def test_linalg(dtype):
    x = array(dtype, (2, 3, 3)) + np.eye(3, dtype=dtype) * 7
    symmetric = x + x.mT
    compare(lambda xp, x: [xp.linalg.det(x), xp.linalg.inv(x), xp.linalg.solve(x, x[..., 0:1]), xp.linalg.trace(x),
                           xp.linalg.matrix_norm(x), xp.linalg.vector_norm(x), xp.linalg.matrix_power(x[0, ...], 3),
                           xp.linalg.svdvals(x), xp.linalg.pinv(x), xp.linalg.diagonal(x), *xp.linalg.slogdet(x)], x)
    compare(lambda xp, x: [xp.linalg.eigvalsh(x), xp.linalg.cholesky(x), xp.linalg.outer(x[0, 0, :], x[0, 1, :])],
            symmetric)


ERRORS = {
    "axis": lambda xp: xp.sum(xp.ones((2, 3)), axis=2), "shape": lambda xp: xp.reshape(xp.ones((2, 3)), (4,)),
    "broadcast": lambda xp: xp.ones(3) + xp.ones(2), "index": lambda xp: xp.ones(3)[5],
    "axes": lambda xp: xp.ones((2, 2))[0, 0, 0], "bool of several": lambda xp: bool(xp.ones(2)),
    "int of several": lambda xp: int(xp.ones(2)),
    "concat": lambda xp: xp.concat([xp.ones((2, 3)), xp.ones((2, 2))], axis=0),
    "matmul": lambda xp: xp.ones((2, 3)) @ xp.ones((2, 3)), "squeeze": lambda xp: xp.squeeze(xp.ones((2, 3)), axis=0),
    "max of none": lambda xp: xp.max(xp.ones(0)), "mT": lambda xp: xp.ones(3).mT,
    "result_type": lambda xp: xp.result_type(), "isdtype": lambda xp: xp.isdtype(xp.float32, "float"),
    "a text": lambda xp: xp.ones(2) + "a", "bits of floats": lambda xp: xp.ones(2) & xp.ones(2),
    "invert": lambda xp: ~xp.ones(2), "shift": lambda xp: xp.ones(2) << 1, "float in index": lambda xp: xp.ones(2)[1.5],
    "number": lambda xp: xp.ones(2, dtype=xp.int8) + 1.5 << 1,
    "cholesky": lambda xp: xp.linalg.cholesky(xp.ones((2, 3))),
    "cross": lambda xp: xp.linalg.cross(xp.ones(4), xp.ones(4)),
    "permute": lambda xp: xp.permute_dims(xp.ones((2, 3)), (0, 0)),
    "stack": lambda xp: xp.stack([xp.ones(2), xp.ones(3)]), "expand": lambda xp: xp.expand_dims(xp.ones(2), axis=5),
    "step": lambda xp: xp.arange(0, 3, 0), "unstack": lambda xp: xp.unstack(xp.ones(())),
    "take": lambda xp: xp.take(xp.ones(3), xp.asarray([7]), axis=0),
}


# Those of another kind than array-api-strict's.
OTHER_KINDS = {"bool of several": ValueError, "int of several": ValueError, "float in index": TypeError,
               "step": ValueError}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    """Errors are of the kinds that array-api-strict raises, but for those of a list."""
    with pytest.raises((TypeError, ValueError, IndexError, ArithmeticError)) as raised:
        ERRORS[name](strict)
    kinds = [kind for kind in (TypeError, ValueError, IndexError, ArithmeticError) if issubclass(raised.type, kind)]
    with pytest.raises(OTHER_KINDS.get(name, tuple(kinds))):
        ERRORS[name](tfrt)


def test_facts():
    mine, theirs = tfrt.__array_namespace_info__(), strict.__array_namespace_info__()
    assert set(mine.capabilities()) <= set(theirs.capabilities())
    for kind in ("bool", "signed integer", "unsigned integer", "integral", "real floating", ("integral", "bool")):
        assert set(mine.dtypes(kind=kind)) == set(theirs.dtypes(kind=kind))
    for dtype in INTEGERS:
        limits, expected = tfrt.iinfo(getattr(tfrt, dtype)), strict.iinfo(getattr(strict, dtype))
        assert (limits.bits, limits.max, limits.min) == (expected.bits, expected.max, expected.min)
    for dtype in FLOATS:
        limits, expected = tfrt.finfo(getattr(tfrt, dtype)), strict.finfo(getattr(strict, dtype))
        assert (limits.bits, limits.eps, limits.max, limits.smallest_normal) == (
            expected.bits, expected.eps, expected.max, expected.smallest_normal)
    names = {name for name in strict.__all__ if not name.startswith("complex") and not name.endswith("_flags")}
    assert not {name for name in names if not hasattr(tfrt, name)} - {"ArrayAPIStrictFlags", "Device"}
