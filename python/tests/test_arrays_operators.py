"""Promotion, operators, printing and the protocols of tensors and variables."""

import os

import ml_dtypes  # noqa: F401  # gives NumPy bf16
import numpy as np
import pytest

import tfrt

traced = pytest.mark.skipif(not os.environ.get("TFRT_COMPILER_LIBRARY"), reason="without the compiler library")
T = tfrt.tensor
INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
NUMPY = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i1": "bool",
         **{name: name.replace("i", "int").replace("u", "uint") for name in INTEGERS}}

# The table in docs/python.md.
MEETS = [
    ("i8", "i16", "i16"), ("u8", "u32", "u32"), ("u8", "i8", "i16"), ("u16", "i8", "i32"), ("u32", "i32", "i64"),
    ("u8", "i64", "i64"), ("u64", "i8", "f64"), ("u64", "i64", "f64"), ("i1", "u8", "u8"), ("i1", "f16", "f16"),
    ("i8", "f16", "f16"), ("u8", "bf16", "bf16"), ("i16", "f16", "f32"), ("i64", "bf16", "f32"), ("i32", "f32", "f32"),
    ("i64", "f32", "f32"), ("u64", "f64", "f64"), ("f16", "bf16", "f32"), ("f16", "f32", "f32"), ("bf16", "f64", "f64"),
]


@pytest.mark.parametrize("a, b, result", MEETS)
def test_elements_meet_in_one_dtype(a, b, result):
    x, y = tfrt.cast(T([1, 0, 1]), a), tfrt.cast(T([1, 1, 0]), b)
    for total in (x + y, y + x, tfrt.add(x, y), tfrt.maximum(y, x) + 0, tfrt.Variable(x) + y):
        assert str(total.dtype) == result
    assert (x + y).tolist() == [2, 1, 1] and (x == y).tolist() == [True, False, False]
    assert str(tfrt.result_type(x, y)) == str(tfrt.result_type(y.dtype, a)) == result


@traced
@pytest.mark.parametrize("a, b, result", MEETS[::3])
def test_elements_meet_in_traced_functions(a, b, result):
    f = tfrt.function(lambda x, y: (x + y, x < y, tfrt.ops.select(x == y, x, y)))
    total, less, chosen = f(tfrt.cast(T([1, 0, 1]), a), tfrt.cast(T([1, 1, 0]), b))
    assert str(total.dtype) == str(chosen.dtype) == result and total.tolist() == [2, 1, 1]
    assert less.tolist() == [False, True, False] and chosen.tolist() == [1, 1, 0]


def test_numbers_are_weak_and_scalars_of_numpy_are_not():
    x, n = T([1.0, 2.0], "f16"), T([1, 2], "i64")
    assert (x + 1).dtype == (x * 2.5).dtype == (True + x).dtype == tfrt.f16 and (n + 1).dtype == tfrt.i64
    assert (n * 0.5).dtype == tfrt.f32 and (n * 0.5).tolist() == [0.5, 1.0]
    assert (T([True]) + 1).dtype == tfrt.i32 and (T([True]) * 0.5).tolist() == [0.5]
    assert (np.float64(2) * x).dtype == (x * np.float64(2)).dtype == tfrt.f64
    assert (x / np.int64(2)).dtype == tfrt.f32 and (np.float32(2) - x).tolist() == [1.0, 0.0]
    for bad in (lambda: T([1], "u8") + 300, lambda: T([1], "u8") - (-1), lambda: T([1]) * 2**70):
        with pytest.raises(ValueError, match="does not fit elements of"):
            bad()


def test_bools():
    x, y = T([True, True, False]), T([True, False, False])
    a, b = x.numpy(), y.numpy()
    for op in (lambda x, y: x + y, lambda x, y: x * y, lambda x, y: x & y, lambda x, y: x | y, lambda x, y: x ^ y,
               lambda x, y: ~x, lambda x, y: x < y, lambda x, y: x >= y, lambda x, y: x == y, lambda x, y: x & True):
        assert op(x, y).dtype == tfrt.i1 and op(x, y).tolist() == op(a, b).tolist()
    assert (x + 1).tolist() == [2, 2, 1]
    for wrong in (lambda: x - y, lambda: -x):
        with pytest.raises(ValueError, match="i1"):
            wrong()


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_operators_compute_what_numpy_does(dtype):
    x, y = ([7, 2, 5], [2, 3, 4]) if dtype[0] == "u" else ([7, -7, -5], [2, 2, -3])
    t, u = T(x, dtype), T(y, dtype)
    a, b = np.array(x, NUMPY[dtype]), np.array(y, NUMPY[dtype])
    calls = [lambda x, y: x // y, lambda x, y: x % y, lambda x, y: x - y, lambda x, y: 9 // y, lambda x, y: 9 % y,
             lambda x, y: x ** 2, lambda x, y: divmod(x, y)[0], lambda x, y: divmod(x, y)[1]]
    if dtype in INTEGERS:
        calls += [lambda x, y: x & y, lambda x, y: x | y, lambda x, y: x ^ y, lambda x, y: ~x, lambda x, y: x << 1,
                  lambda x, y: x >> 1, lambda x, y: 5 & x, lambda x, y: 5 | x, lambda x, y: 5 ^ x]
    for call in calls:
        assert str(call(t, u).dtype) == dtype
        assert call(t, u).tolist() == call(a, b).tolist() == call(tfrt.Variable(t), u).tolist()
    if dtype in FLOATS:
        assert (2.0 ** T([1, 3], dtype)).tolist() == [2.0, 8.0] and (t / 2).tolist() == (a / 2).tolist()
        with pytest.raises(ValueError, match=dtype):
            t & t


def test_in_place():
    x = y = T([1.0, 2.0])
    x += 1
    x *= T([2, 3])
    assert x.tolist() == [4.0, 9.0] and x.dtype == tfrt.f32 and y.tolist() == [1.0, 2.0]
    x += np.float64(1.5)
    assert x.tolist() == [5.5, 10.5] and x.dtype == tfrt.f32
    for operator, result in (("-= 1", [2, 4]), ("//= 2", [1, 2]), ("%= 2", [1, 1]), ("**= 2", [9, 25]),
                             ("&= 1", [1, 1]), ("|= 2", [3, 7]), ("^= 1", [2, 4]), ("<<= 1", [6, 10]),
                             (">>= 1", [1, 2])):
        names = {"x": T([3, 5])}
        exec(f"x {operator}", names)
        assert names["x"].tolist() == result and names["x"].dtype == tfrt.i32
    n = T([1, 2])
    with pytest.raises(TypeError, match="left side, which is i32, but the result has elements of f32"):
        n /= 2
    with pytest.raises(ValueError, match=r"which is \[2\], but the result has the shape \[3, 2\]"):
        n += T([[1], [2], [3]])
    m = T([[1.0, 2.0], [3.0, 4.0]])
    m @= m
    assert m.tolist() == [[7.0, 10.0], [15.0, 22.0]]


def test_in_place_of_a_variable_is_its_new_value():
    v = w = tfrt.Variable([1.0, 2.0])
    v += 1
    v *= [2.0, 3.0]
    assert v is w and isinstance(v, tfrt.Variable) and v.tolist() == [4.0, 9.0]
    with pytest.raises(ValueError, match="keeps the shape"):
        v += [[1.0, 2.0]]


def test_operands_that_are_none_or_text():
    x = T([1.0])
    for wrong in (lambda: x + None, lambda: "a" * x, lambda: x & None, lambda: x ** "a", lambda: pow(x, 2, 3)):
        with pytest.raises(TypeError):
            wrong()
    assert (x == None) is False and (x != None) is True  # noqa: E711


# --- Numbers and text ---

def test_conversions():
    assert complex(T(2.5)) == 2.5 + 0j and complex(tfrt.Variable(2)) == 2 + 0j
    assert int(T(7)) == 7 and [10, 20][T(1)] == 20 and float(T(0.5)) == 0.5 and bool(T(False)) is False
    for wrong in (lambda: [1][T(0.0)], lambda: [1, 2][T(True) + 0.5]):
        with pytest.raises(TypeError, match="index"):
            wrong()


def test_formats():
    x = T(3.14159)
    assert f"{x:.2f}" == "3.14" and f"{T(7):04d}" == "0007" and f"{tfrt.Variable(0.5):.1%}" == "50.0%"
    assert f"{T([1, 2])}" == "[1 2]"
    with pytest.raises(TypeError, match=r"'\.2f'.*\(2,\)"):
        f"{T([1, 2]):.2f}"


@pytest.mark.parametrize("dtype", ["i1", "i8", "u64", "f16", "f32", "f64"])
def test_text_is_that_of_numpy(dtype):
    for shape in ((), (3,), (2, 2), (0, 2)):
        array = np.resize(np.array([0, 1, 100]), shape).astype(NUMPY[dtype])
        x = T(array)
        assert str(x) == str(array)
        expected = np.array2string(array, separator=", ", prefix="tensor(")
        assert repr(x) == f"tensor({expected}{', shape=(0, 2)' if 0 in shape else ''}, dtype={dtype})"
    assert str(T([1.5, 2.0], "bf16")) == "[1.5 2. ]"
    assert repr(tfrt.Variable([[1.0], [2.0]])) == "variable([[1.],\n          [2.]], dtype=f32)"


# --- Protocols ---

def test_the_namespace():
    x = T([1.0])
    assert x.__array_namespace__() is tfrt and tfrt.Variable(x).__array_namespace__(api_version="2024.12") is tfrt
    with pytest.raises(ValueError, match="2024.12.*'1999.01'"):
        x.__array_namespace__(api_version="1999.01")
    assert tfrt.__array_api_version__ == "2024.12"


def test_devices():
    x = T([1.0])
    assert x.to_device(x.device).tolist() == [1.0] and x.to_device("cpu:0", stream=None).device == "cpu:0"
    with pytest.raises(ValueError, match="stream"):
        x.to_device("cpu:0", stream=1)
    with tfrt.Scope(context=tfrt.Context(devices=["cpu:0", "sim:0"])):
        y = T([2.0])
        assert y.to_device("sim:0").device == "sim:0" and y.to_device("sim:0").tolist() == [2.0]


def test_attributes():
    x = T([[1, 2, 3], [4, 5, 6]], "i16")
    assert (x.size, x.ndim, x.itemsize, x.nbytes, x.shape) == (6, 2, 2, 12, (2, 3))
    assert x.mT.tolist() == x.T.tolist() == [[1, 4], [2, 5], [3, 6]] and x.reshape(1, 2, 3).mT.shape == (1, 3, 2)
    with pytest.raises(ValueError, match="at least 2 dimensions, but the tensor has 1"):
        T([1]).mT
    assert x.flatten().tolist() == x.ravel().tolist() == [1, 2, 3, 4, 5, 6] and x.tobytes() == x.numpy().tobytes()
    assert x.clip(2, 4).tolist() == [[2, 2, 3], [4, 4, 4]] and T([1.25, 2.5]).round().tolist() == [1.0, 2.0]
    np.testing.assert_allclose(T([1.256, 2.5]).round(2).numpy(), [1.26, 2.5], rtol=1e-6)
    assert x.copy() is not x and x.copy().tolist() == x.tolist()


@traced
def test_open_sizes_are_none():
    shapes = []

    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None, 3])])
    def f(x):
        shapes.append((x.shape, x.size, x.ndim))
        with pytest.raises(TypeError, match=r"an operand is None.*tfrt.shape_of\(x\)"):
            x + x.shape[0]
        return x + 1

    assert f(T([[1.0, 2.0, 3.0]])).tolist() == [[2.0, 3.0, 4.0]] and shapes == [((None, 3), None, 2)]


def test_ufuncs():
    x, a = T([1.0, 4.0]), np.array([1.0, 4.0], "f4")
    for ufunc in (np.sin, np.sqrt, np.absolute, np.negative, np.arctan, np.square, np.isnan, np.rint):
        assert isinstance(ufunc(x), tfrt.Tensor)
        np.testing.assert_allclose(ufunc(x).numpy(), ufunc(a), rtol=1e-6)
    for ufunc in (np.add, np.subtract, np.power, np.arctan2, np.true_divide, np.less, np.maximum):
        for call in (ufunc(x, a), ufunc(a, x), ufunc(tfrt.Variable(x), 1.0) if ufunc is np.add else ufunc(x, x)):
            assert isinstance(call, tfrt.Tensor)
        np.testing.assert_allclose(ufunc(x, a).numpy(), ufunc(a, a), rtol=1e-6)
    assert (np.ones(2, "f4") + x).tolist() == [2.0, 5.0] and (np.ones((2, 2), "f4") @ x.reshape(2, 1)).shape == (2, 1)
    a += x
    assert isinstance(a, np.ndarray) and a.tolist() == [2.0, 8.0]
    for wrong, message in ((lambda: np.add.reduce(x), "numpy.add.reduce"), (lambda: np.cbrt(x), "numpy.cbrt"),
                           (lambda: np.sin(x, where=[True, False]), "tfrt.sin has no argument where"),
                           (lambda: np.sin(x, out=x), "no argument out")):
        with pytest.raises(TypeError, match=message):
            wrong()


def test_functions_of_numpy():
    x = T([[1.0, 2.0], [3.0, 4.0]])
    assert np.tril(x).tolist() == [[1.0, 0.0], [3.0, 4.0]] and isinstance(np.triu(x, 1), tfrt.Tensor)
    assert np.zeros_like(x).tolist() == [[0.0, 0.0], [0.0, 0.0]] and np.clip(x, 2, 3).tolist() == [[2, 2], [3, 3]]
    assert np.shape(x) == (2, 2) and np.allclose(x, [[1, 2], [3, 4]]) and np.array_equal(x, x)
    for wrong in (lambda: np.busday_count(x, x), lambda: np.unwrap(x)):
        with pytest.raises(TypeError, match="numpy..*of a tfrt.Tensor: tfrt has no function of that name"):
            wrong()
    with pytest.raises(TypeError, match="tfrt.zeros_like has no argument order"):
        np.zeros_like(x, order="F")


def test_numbers_do_not_widen_the_tensor_beside_them():
    for dtype, number in (("u8", 300), ("i16", 1 << 20), ("i32", 1 << 40)):
        with pytest.raises(ValueError, match=f"{number} does not fit elements of {dtype}"):
            tfrt.ones(2, dtype=dtype) + number
    assert (tfrt.ones(2, dtype="i64") + (1 << 40)).tolist() == [(1 << 40) + 1] * 2


def test_numbers_in_tensors_and_rounding():
    x = tfrt.tensor([1.25, 2.5])
    assert 2.5 in x and 3.0 not in x and 1.0 not in tfrt.zeros(0)
    assert round(x).tolist() == [1.0, 2.0] and round(tfrt.tensor([1.26]), 1).tolist() == pytest.approx([1.3])


def test_unknown_names_say_what_is_meant():
    for name, meant in (("reduce_men", "reduce_mean"), ("vmaximum", "maximum"), ("while_lop", "while_loop"),
                        ("linlag", "linalg")):
        with pytest.raises(AttributeError, match=f"no attribute {name!r}; did you mean '{meant}'"):
            getattr(tfrt, name)
    with pytest.raises(AttributeError, match="no attribute '_x'$"):
        tfrt._x


def test_what_is_not_there_is_an_error():
    with pytest.raises(TypeError, match="Tensor that was not initialised"):
        +tfrt.Tensor.__new__(tfrt.Tensor)
    with pytest.raises(TypeError, match="only a tensor of integers is an index"):
        [1, 2][tfrt.tensor(True)]
    assert "shape=[0, 4611686018427387904]" in repr(tfrt.zeros((0, 1 << 62)))
    assert tfrt.arange(3)[:1 << 70].tolist() == [0, 1, 2] and tfrt.arange(3)[1 << 70:].tolist() == []


def test_integers_beside_floats_are_compared_as_floats():
    """In the float's dtype (docs/python.md): f32 has 24 bits of an integer, and f64 has 53."""
    n = T([16777217, 16777216])
    for same in (n == 16777216.0, n == T(16777216.0), T(16777216.0) == n, tfrt.equal(n, 16777216.0)):
        assert same.tolist() == [True, True]
    assert (n == tfrt.tensor(16777216.0, "f64")).tolist() == [False, True] and (n > 16777216).tolist() == [True, False]
    assert (tfrt.tensor([2**53 + 1], "i64") == 2**53).tolist() == [False]
    assert (n[:1] < T(0.5)).tolist() == [False] and (T([-1]) < T(-0.5)).tolist() == [True]
