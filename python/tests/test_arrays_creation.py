"""Arrays of sizes, numbers and other arrays."""

import os

import numpy as np
import pytest

import tfrt

traced = pytest.mark.skipif(not os.environ.get("TFRT_COMPILER_LIBRARY"), reason="without the compiler library")
T = tfrt.tensor
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64"]


def same(x, array):
    assert (x.shape, x.dtype.numpy_name) == (array.shape, array.dtype.name)
    np.testing.assert_array_equal(x.numpy(), array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_constants_of_a_shape(dtype):
    for shape in ((), (3,), (2, 0), (2, 3)):
        same(tfrt.zeros(shape, dtype=dtype), np.zeros(shape, dtype))
        same(tfrt.ones(shape, dtype=dtype), np.ones(shape, dtype))
        same(tfrt.full(shape, 1, dtype=dtype), np.full(shape, 1, dtype))
        assert tfrt.empty(shape, dtype=dtype).shape == tfrt.empty_like(tfrt.zeros(shape, dtype=dtype)).shape == shape
        x = tfrt.zeros(shape, dtype=dtype)
        same(tfrt.ones_like(x), np.ones(shape, dtype))
        same(tfrt.full_like(x, 1), np.ones(shape, dtype))
        assert np.signbit(tfrt.full_like(x, -0.0, dtype="f32").numpy()).all()
        same(tfrt.zeros_like(x), np.zeros(shape, dtype))
    same(tfrt.eye(2, 4, k=1, dtype=dtype), np.eye(2, 4, 1, dtype))
    same(tfrt.eye(3, k=-1, dtype=dtype), np.eye(3, k=-1, dtype=dtype))
    same(tfrt.identity(2, dtype), np.identity(2, dtype))


def test_dtypes_of_constants():
    assert tfrt.zeros(2).dtype == tfrt.ones((2,)).dtype == tfrt.empty(1).dtype == tfrt.eye(1).dtype == tfrt.f32
    assert tfrt.full(2, 3).dtype == tfrt.i32 and tfrt.full(2, 0.5).dtype == tfrt.f32
    assert tfrt.full(2, True).dtype == tfrt.i1
    assert tfrt.full((2,), T(3, "u8")).dtype == tfrt.u8 and tfrt.full_like(T([1.0]), 2).tolist() == [2.0]
    assert tfrt.ones_like(T([1]), dtype="f16").dtype == tfrt.f16
    assert tfrt.eye(3, k=7).tolist() == np.zeros((3, 3)).tolist()
    with pytest.raises(ValueError, match=r"zeros|full: the sizes.*\(2, -1\)"):
        tfrt.zeros((2, -1))
    with pytest.raises(ValueError, match="300 does not fit"):
        tfrt.full(2, 300, dtype="u8")


@pytest.mark.parametrize("arguments", [(5,), (0,), (2, 7), (7, 2), (7, 2, -2), (1, 10, 3), (0.0, 1.0, 0.1), (3.0,),
                                       (5, 0, -0.5), (-3, 2)])
def test_ranges(arguments):
    for dtype in (None, "int64", "float64", "float32"):
        if dtype == "int64" and any(isinstance(x, float) for x in arguments):
            continue
        known = np.arange(*arguments, dtype=dtype)
        x = tfrt.arange(*arguments, dtype=dtype)
        assert x.shape == known.shape
        np.testing.assert_allclose(x.numpy(), known, rtol=1e-6, atol=1e-7)
        assert dtype is None or x.dtype.numpy_name == dtype


def test_dtypes_of_ranges():
    assert tfrt.arange(3).dtype == tfrt.i32 and tfrt.arange(3.0).dtype == tfrt.f32
    assert tfrt.arange(2**40, 2**40 + 2).tolist() == [2**40, 2**40 + 1]
    assert tfrt.arange(2**63, 2**63 + 2, dtype="u64").tolist() == [2**63, 2**63 + 1]
    assert tfrt.arange(T(1), T(4)).tolist() == [1, 2, 3] and tfrt.arange(3, dtype="u8").dtype == tfrt.u8
    with pytest.raises(ValueError, match="arange: step is 0"):
        tfrt.arange(0, 3, 0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_numbers_at_equal_distances(dtype):
    for start, stop, num in ((0, 1, 5), (-1.5, 7, 11), (3, 3, 4), (5, -5, 3), (0, 1, 1), (0, 1, 0), (1, 2, 2)):
        for endpoint in (True, False):
            known = np.linspace(start, stop, num, dtype=dtype, endpoint=endpoint)
            x = tfrt.linspace(start, stop, num, dtype=dtype, endpoint=endpoint)
            assert x.shape == known.shape and x.dtype.numpy_name == dtype
            np.testing.assert_allclose(x.numpy(), known, rtol=2e-3 if dtype == "float16" else 1e-6, atol=1e-7)
            assert not (endpoint and num > 1) or x.tolist()[-1] == stop
    with pytest.raises(ValueError, match="num is not below 0, but is -1"):
        tfrt.linspace(0, 1, -1)


@traced
def test_ranges_of_tensors():
    f = tfrt.function(lambda n: (tfrt.arange(n), tfrt.linspace(0.0, n, 3), tfrt.zeros((2, n)), tfrt.full((n,), 7)))
    a, b, c, d = f(T(4))
    assert a.tolist() == [0, 1, 2, 3] and b.tolist() == [0.0, 2.0, 4.0] and c.shape == (2, 4) and d.tolist() == [7] * 4
    g = tfrt.function(lambda x: (tfrt.ones_like(x), tfrt.eye(2), tfrt.tril(x, k=-1), tfrt.meshgrid(x[0], [1, 2, 3])[1]))
    a, b, c, d = g(T([[1.0, 2.0], [3.0, 4.0]]))
    assert a.tolist() == [[1.0, 1.0]] * 2 and c.tolist() == [[0.0, 0.0], [3.0, 0.0]]
    assert d.tolist() == [[1, 1], [2, 2], [3, 3]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_triangles(dtype):
    a = np.ones((2, 3, 4), dtype)
    for k in (-5, -1, 0, 1, 9):
        same(tfrt.tril(T(a), k=k), np.tril(a, k))
        same(tfrt.triu(T(a), k=k), np.triu(a, k))
    assert tfrt.tril(tfrt.zeros((0, 3))).shape == (0, 3)
    for call, name in ((tfrt.tril, "tril"), (tfrt.triu, "triu")):
        with pytest.raises(ValueError, match=f"{name}: x has at least 2 dimensions, but it has 1"):
            call([1, 2])


def test_grids():
    for vectors in (([1, 2, 3], [4, 5]), ([1.0], [2], [3, 4]), ([1, 2],), ()):
        for indexing in ("xy", "ij"):
            found, known = tfrt.meshgrid(*map(T, vectors), indexing=indexing), np.meshgrid(*vectors, indexing=indexing)
            assert isinstance(found, list) and [x.tolist() for x in found] == [a.tolist() for a in known]
    with pytest.raises(ValueError, match="indexing is 'xy' or 'ij', not 'yx'"):
        tfrt.meshgrid([1], indexing="yx")
    with pytest.raises(ValueError, match="a vector, but has 2 dimensions"):
        tfrt.meshgrid([[1]])


# --- Of other arrays ---

def test_asarray():
    x = T([1.5, 2.5])
    assert tfrt.asarray(x) is x and tfrt.asarray(x, copy=False) is x and tfrt.asarray(x, copy=True) is not x
    assert tfrt.asarray(x, dtype="i32").tolist() == [1, 2] and tfrt.asarray(tfrt.Variable(x)).tolist() == [1.5, 2.5]
    assert tfrt.asarray([1.5, 2], dtype="i64").tolist() == [1, 2]
    assert tfrt.asarray([0, 3], dtype="bool").tolist() == [False, True]
    assert tfrt.asarray([x, [1, 2]]).tolist() == [[1.5, 2.5], [1.0, 2.0]]
    assert tfrt.asarray([[T(1)], [T(2)]]).tolist() == [[1], [2]]
    assert tfrt.asarray(True).dtype == tfrt.i1 and tfrt.asarray(1).dtype == tfrt.i32
    assert tfrt.asarray([]).dtype == tfrt.f32
    assert tfrt.array([1, 2]).tolist() == [1, 2] and tfrt.array(x) is not x and tfrt.array([1], "f64").dtype == tfrt.f64
    for wrong in (lambda: tfrt.asarray([1], copy=False), lambda: tfrt.asarray(x, dtype="i32", copy=False),
                  lambda: tfrt.asarray(np.ones(2), dtype="f32", copy=False)):
        with pytest.raises(ValueError, match="asarray: .*copy"):
            wrong()
    with pytest.raises(TypeError, match="not object|object"):
        tfrt.asarray(object())


def test_asarray_of_numpy():
    array = np.arange(4, dtype="f4")
    shared, copied = tfrt.asarray(array, copy=False), tfrt.asarray(array)
    array[0] = 7.0
    assert shared.tolist()[0] == 7.0 and copied.tolist()[0] == 0.0
    assert tfrt.asarray(array, dtype=tfrt.f64, device="cpu:0").dtype == tfrt.f64


def test_asarray_of_lists_of_arrays():
    rows = [np.array([1, 2]), T([3.5, 4.5]), [5, 6]]
    assert tfrt.asarray(rows).tolist() == [[1.0, 2.0], [3.5, 4.5], [5.0, 6.0]]
    assert tfrt.asarray([np.float32(1.5), 2]).tolist() == [1.5, 2.0]
    with pytest.raises(ValueError, match="2.*3|3.*2"):
        tfrt.asarray([np.zeros(2), np.zeros(3)])


def test_from_dlpack():
    array = np.arange(6.0).reshape(2, 3)
    assert tfrt.from_dlpack(array).tolist() == array.tolist()
    assert tfrt.from_dlpack(T([1]), device="cpu:0").tolist() == [1]
    copied = tfrt.from_dlpack(array, copy=True)
    array[0, 0] = 9.0
    assert copied.tolist()[0][0] == 0.0
    with pytest.raises(TypeError, match="int has no __dlpack__"):
        tfrt.from_dlpack(1)
