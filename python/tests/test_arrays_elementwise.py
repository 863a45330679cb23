"""Element-wise functions, compared with NumPy for all dtypes that they take."""

import math
import os

import ml_dtypes
import numpy as np
import pytest

import tfrt

traced = pytest.mark.skipif(not os.environ.get("TFRT_COMPILER_LIBRARY"), reason="without the compiler library")
T = tfrt.tensor
INF, NAN = math.inf, math.nan
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
TOLERANCE = {"float16": 4e-3, "bfloat16": 2e-2, "float32": 2e-6, "float64": 1e-13}
SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 0.001, -0.001, 3.0, -7.0, 60.0, -60.0, INF, -INF, NAN]

FLOAT_FUNCTIONS = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp", "expm1", "floor",
                   "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2", "negative", "positive", "reciprocal",
                   "round", "sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "abs"]
PAIRS_OF_FLOATS = ["add", "atan2", "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot",
                   "less", "less_equal", "logaddexp", "maximum", "minimum", "multiply", "not_equal", "pow", "remainder",
                   "subtract"]


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def known(name, *arrays):
    """NumPy's result, in f64 rounded to the dtype of the arrays."""
    with np.errstate(all="ignore"):
        found = getattr(np, name)(*(np.asarray(a, "f8") for a in arrays))
        return found if found.dtype == bool else found.astype(arrays[0].dtype)


def check(found, expected, dtype):
    assert found.shape == expected.shape and found.dtype.numpy_name == expected.dtype.name
    a, b = found.numpy().astype("f8"), expected.astype("f8")
    np.testing.assert_allclose(a, b, rtol=TOLERANCE.get(dtype, 0), atol=TOLERANCE.get(dtype, 0) / 10)
    zeros = (a == 0) & (b == 0)
    assert (np.signbit(a[zeros]) == np.signbit(b[zeros])).all()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", FLOAT_FUNCTIONS)
def test_functions_of_floats(name, dtype):
    for elements in (SPECIAL, [], 0.5, [[0.25], [0.75]]):
        array = np.array(elements, dtype_of(dtype))
        if name in ("sinh", "cosh", "exp", "expm1") and dtype == "float16":
            array = np.clip(array, -10, 10)
        check(getattr(tfrt, name)(T(array)), known(name, array), dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", PAIRS_OF_FLOATS)
def test_functions_of_two_floats(name, dtype):
    numbers = np.array(SPECIAL, dtype_of(dtype))
    x, y = numbers[:, None], numbers[None, :]
    expected = known(name, x, y)
    check(getattr(tfrt, name)(T(x), T(y)), expected, dtype)
    empty = np.zeros((0, 2), dtype_of(dtype))
    assert getattr(tfrt, name)(T(empty), T(empty[:, :1])).shape == (0, 2)


def test_floor_divide_of_numbers_that_divide_almost():
    assert tfrt.floor_divide(T(1.0, "f64"), T(0.1, "f64")).item() == 1.0 // 0.1 == 9.0


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_next_numbers(dtype):
    numbers = np.array([0.0, -0.0, 1.0, -1.0, 1e-7, np.finfo(dtype).max, INF, -INF, NAN], dtype)
    found = tfrt.nextafter(T(numbers[:, None]), T(numbers[None, :])).numpy()
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found, np.nextafter(numbers[:, None], numbers[None, :]))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_functions_of_integers(dtype):
    info = np.iinfo(dtype)
    x = np.array([0, 1, 2, 3, 7, 100, info.max, info.min], dtype)
    y = np.array([1, 2, 3, 7, 2, 9, 5, 3], dtype)
    for name in ("abs", "ceil", "floor", "negative", "positive", "round", "sign", "square", "trunc", "bitwise_invert"):
        assert getattr(tfrt, name)(T(x)).dtype.numpy_name == dtype
        assert getattr(tfrt, name)(T(x)).tolist() == getattr(np, name)(x).astype(dtype).tolist(), name
    for name in ("isfinite", "isinf", "isnan", "signbit"):
        expected = x < 0 if name == "signbit" else getattr(np, name)(x)
        assert getattr(tfrt, name)(T(x)).tolist() == expected.tolist(), name
    for name in ("add", "bitwise_and", "bitwise_or", "bitwise_xor", "equal", "floor_divide", "greater", "greater_equal",
                 "less", "less_equal", "maximum", "minimum", "multiply", "not_equal", "remainder", "subtract"):
        assert getattr(tfrt, name)(T(x), T(y)).tolist() == getattr(np, name)(x, y).tolist(), name
    assert tfrt.pow(T(x[:5]), 2).tolist() == (x[:5] ** 2).tolist()
    shifts = np.array([0, 1, 2, 3, 1, 0, 1, 2], dtype)
    assert tfrt.bitwise_left_shift(T(x), T(shifts)).tolist() == np.left_shift(x, shifts).tolist()
    assert tfrt.bitwise_right_shift(T(x), T(shifts)).tolist() == np.right_shift(x, shifts).tolist()
    if info.min < 0:
        negative = np.array([-7, 7, -7, -8], dtype)
        for name in ("floor_divide", "remainder"):
            assert getattr(tfrt, name)(T(negative), T([2, -2, -2, 3], dtype)).tolist() == getattr(np, name)(
                negative, np.array([2, -2, -2, 3], dtype)).tolist()
    with pytest.raises(ValueError, match="division by zero"):
        tfrt.floor_divide(T(x), T(0, dtype))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint32"])
def test_integers_become_floats_where_results_have_fractions(dtype):
    x = np.array([0, 1, 1], dtype)
    for name in ("exp", "sqrt", "sin", "tanh", "expm1", "atan", "log1p", "cosh"):
        found = getattr(tfrt, name)(T(x))
        assert found.dtype == tfrt.f32
        np.testing.assert_allclose(found.numpy(), getattr(np, name)(x.astype("f4")), rtol=2e-6)
    assert tfrt.hypot(T(x), 2).dtype == tfrt.atan2(T(x), T(x)).dtype == tfrt.divide(T(x), 2).dtype == tfrt.f32


def test_logical_functions():
    for dtype in ["bool", "float32", *INTEGERS]:
        x, y = np.array([0, 1, 1, 0], dtype), np.array([0, 0, 1, 1], dtype)
        for name in ("logical_and", "logical_or", "logical_xor"):
            assert getattr(tfrt, name)(T(x), T(y)).tolist() == getattr(np, name)(x, y).tolist()
        assert tfrt.logical_not(T(x)).tolist() == np.logical_not(x).tolist()
    assert tfrt.logical_or(T([0.0, NAN, 0.5]), False).tolist() == [False, True, True]
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        assert getattr(tfrt, name)(T([True, False]), T([True, True])).dtype == tfrt.bool
    assert tfrt.bitwise_invert(T([True, False])).tolist() == [False, True]


@pytest.mark.parametrize("dtype", [*INTEGERS, "float16", "float32", "float64"])
def test_clip(dtype):
    x = np.array([[1, 5, 9], [2, 6, 7]], dtype)
    low, high = np.array([3, 4, 8], dtype), np.array([[6], [7]], dtype)
    for bounds in ((3, 7), (None, 7), (3, None), (low, None), (low, high), (None, high), (None, None)):
        ours = [T(bound) if isinstance(bound, np.ndarray) else bound for bound in bounds]
        found = tfrt.clip(T(x), *ours)
        expected = x if all(bound is None for bound in bounds) else np.clip(x, *bounds)
        assert found.dtype.numpy_name == dtype and found.tolist() == expected.tolist()
    assert tfrt.clip(T([1.0, NAN, 3.0]), 2, NAN).numpy().tolist()[0] != 2.0
    assert tfrt.clip(T([300], "i32"), T(0, "i64"), T(7, "i64")).dtype == tfrt.i32


def test_real_numbers_as_complex_ones():
    x = T([1.5, -2.0])
    assert tfrt.conj(x).tolist() == tfrt.real(x).tolist() == [1.5, -2.0] and tfrt.imag(x).tolist() == [0.0, 0.0]
    assert tfrt.real(T([1], "i8")).dtype == tfrt.i8
    with pytest.raises(TypeError, match="conj: x has real elements, not complex64"):
        tfrt.conj(T([1j]))


def test_bad_input():
    x = T([1.0, 2.0, 3.0])
    for wrong in (lambda: tfrt.add(x, T([1.0, 2.0])), lambda: tfrt.hypot(x, T([1.0, 2.0]))):
        with pytest.raises(ValueError, match=r"3 and 2|\[3\] and \[2\]"):
            wrong()
    for wrong in (lambda: tfrt.add(x, "a"), lambda: tfrt.sin(None), lambda: tfrt.add(x), lambda: tfrt.clip(x, "a")):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: tfrt.bitwise_and(x, x), lambda: x & 1, lambda: ~x, lambda: x << 1):
        with pytest.raises(tfrt.DTypeError, match="unsupported dtype f32") as raised:
            wrong()
        assert isinstance(raised.value, TypeError) and isinstance(raised.value, tfrt.InvalidArgumentError)


@traced
def test_traced_twins():
    x, y = T([0.5, -1.5, 2.0]), T([2.0, 0.25, -3.0])
    names = [name for name in FLOAT_FUNCTIONS
             if name not in ("acos", "acosh", "asin", "atanh", "log", "log10", "log2", "sqrt", "log1p")]

    @tfrt.function
    def f(x, y):
        return [getattr(tfrt, name)(x) for name in names], [getattr(tfrt, name)(x, y) for name in PAIRS_OF_FLOATS]

    unary, binary = f(x, y)
    for name, found in zip(names + PAIRS_OF_FLOATS, unary + binary):
        arguments = (x,) if name in names else (x, y)
        np.testing.assert_allclose(found.numpy(), getattr(tfrt, name)(*arguments).numpy(), rtol=1e-6, err_msg=name)
    n, m = tfrt.function(lambda a, b: (tfrt.floor_divide(a, b), tfrt.clip(a, 0, b)))(T([7, -7]), T([2, 2]))
    assert n.tolist() == [3, -4] and m.tolist() == [2, 0]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_of_integers_wrap(dtype):
    """All bits are NumPy's, also where the result has more than a double holds."""
    bases = np.array([0, 1, 2, 3, 7, 10, 127, -1 if dtype[0] == "i" else 251,
                      -5 if dtype[0] == "i" else 5]).astype(dtype)
    for exponent in (0, 1, 2, 3, 10, 20, 31, 40, 62, 63):
        exponents = np.full(bases.shape, exponent, dtype)
        expected = np.power(bases, exponents)
        assert (T(bases) ** exponent).numpy().tolist() == expected.tolist(), exponent
        assert np.power(T(bases), T(exponents)).numpy().tolist() == expected.tolist(), exponent
        if os.environ.get("TFRT_COMPILER_LIBRARY") and exponent in (3, 40):
            assert tfrt.function(tfrt.pow)(bases, exponents).numpy().tolist() == expected.tolist(), exponent


def test_names_of_rows_are_those_of_the_table():
    # The table is that of C++ (lib/api/eager/array_functions.cc), too.
    from tfrt import _tfrt
    from tfrt.arrays import elementwise

    composed = {"clip", "conj", "imag", "isfinite", "real", "square"}
    assert set(elementwise.__all__) == set(_tfrt._standard_ops) | composed
    for name, op in _tfrt._standard_ops.items():
        assert getattr(elementwise, name) is op, name
