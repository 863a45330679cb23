"""Names, limits and kinds of dtypes, and shapes that meet."""

import os

import numpy as np
import pytest

import tfrt

traced = pytest.mark.skipif(not os.environ.get("TFRT_COMPILER_LIBRARY"), reason="without the compiler library")
T = tfrt.tensor


def test_names():
    assert tfrt.float32 is tfrt.f32 and tfrt.int64 is tfrt.i64 and tfrt.uint8 is tfrt.u8 and tfrt.bool is tfrt.i1
    assert tfrt.float16 is tfrt.f16 and tfrt.bfloat16 is tfrt.bf16
    assert tfrt.pi == np.pi and tfrt.e == np.e and tfrt.inf == np.inf and np.isnan(tfrt.nan) and tfrt.newaxis is None


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_limits_of_floats(dtype):
    info, known = tfrt.finfo(dtype), np.finfo(dtype)
    assert (info.bits, info.dtype.numpy_name) == (known.bits, dtype)
    for name in ("eps", "max", "min", "smallest_normal"):
        assert getattr(info, name) == float(getattr(known, name)), name
    assert tfrt.finfo(T([1.0], dtype)).max == info.max


def test_limits_of_bf16_and_complex():
    info = tfrt.finfo(tfrt.bf16)
    assert (info.bits, info.eps, info.smallest_normal) == (16, 2.0**-7, 2.0**-126) and 3.38e38 < info.max < 3.4e38
    assert tfrt.finfo(tfrt.DType("complex64")).dtype == tfrt.f32
    with pytest.raises(TypeError, match="finfo: .*not i32"):
        tfrt.finfo(tfrt.i32)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_limits_of_integers(dtype):
    info, known = tfrt.iinfo(dtype), np.iinfo(dtype)
    assert (info.bits, info.min, info.max, info.dtype.numpy_name) == (known.bits, known.min, known.max, dtype)


def test_limits_of_other_dtypes_are_errors():
    for dtype in (tfrt.f32, tfrt.bool):
        with pytest.raises(TypeError, match=f"iinfo: .*not {dtype}"):
            tfrt.iinfo(dtype)


def test_kinds():
    assert tfrt.isdtype(tfrt.u8, "integral") and tfrt.isdtype(tfrt.u8, ("bool", tfrt.u8))
    assert not tfrt.isdtype(tfrt.u8, "bool")
    assert tfrt.isdtype(tfrt.f16, "real floating") and tfrt.isdtype(np.float32, tfrt.f32) and tfrt.isdtype("i1", "bool")
    assert tfrt.isdtype(tfrt.DType("complex64"), ("complex floating", "numeric"))
    assert not tfrt.isdtype(tfrt.i1, "numeric")
    with pytest.raises(ValueError, match="isdtype: there is no kind 'float'"):
        tfrt.isdtype(tfrt.f32, "float")


def test_result_types():
    assert tfrt.result_type(tfrt.i32, tfrt.f16, tfrt.i8) == tfrt.result_type(tfrt.i8, tfrt.i32, tfrt.f16) == tfrt.f32
    assert tfrt.result_type(tfrt.i32, tfrt.u64, tfrt.f32) == tfrt.result_type(tfrt.f32, tfrt.u64, tfrt.i32) == tfrt.f32
    assert tfrt.result_type(tfrt.i8, 3) == tfrt.i8 and tfrt.result_type(3.0, tfrt.i8) == tfrt.f32
    assert tfrt.result_type(True, tfrt.f16) == tfrt.f16 and tfrt.result_type(1j, tfrt.f64) == tfrt.DType("complex128")
    assert tfrt.result_type(tfrt.bool, 2) == tfrt.i32 and tfrt.result_type(1, 2.0) == tfrt.f32
    with pytest.raises(ValueError, match="at least one"):
        tfrt.result_type()
    with pytest.raises(TypeError, match="do not meet"):
        tfrt.result_type(tfrt.qi8, tfrt.f32)


def test_casts():
    assert tfrt.can_cast(tfrt.i8, tfrt.i32) and not tfrt.can_cast(tfrt.i32, tfrt.i8) and tfrt.can_cast(T([1]), "f64")
    x = T([1.7, -1.7, 300.0])
    assert tfrt.astype(x, "i32").tolist() == [1, -1, 300] and tfrt.astype(x, tfrt.bool).tolist() == [True] * 3
    assert tfrt.astype(x, "f32", copy=False) is x and tfrt.astype(x, "f32") is not x
    assert tfrt.astype([1, 2], "u8", device="cpu:0").dtype == tfrt.u8
    with pytest.raises(ValueError, match="no dtype 'f99'"):
        tfrt.astype(x, "f99")


def test_shapes_that_meet():
    for shapes in (((2, 1), (3,)), ((), (1, 4)), ((0, 1), (1, 5)), ()):
        assert tfrt.broadcast_shapes(*shapes) == np.broadcast_shapes(*shapes)
    assert tfrt.broadcast_shapes((None, 1), (1, 3), (3,)) == (None, 3)
    with pytest.raises(ValueError, match=r"\(2,\), \(3,\) do not fit: 2 and 3 at axis -1"):
        tfrt.broadcast_shapes((2,), (3,))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float64"])
def test_broadcasts(dtype):
    a = np.array([[1], [0]], dtype)
    x = T(a)
    assert tfrt.broadcast_to(x, (3, 2, 4)).tolist() == np.broadcast_to(a, (3, 2, 4)).tolist()
    assert tfrt.broadcast_to(x, (2, 0)).shape == (2, 0) and tfrt.broadcast_to(T(a[0, 0]), ()).tolist() == a[0, 0]
    for found, known in zip(tfrt.broadcast_arrays(x, [1, 2, 3], 0), np.broadcast_arrays(a, [1, 2, 3], 0)):
        assert found.tolist() == known.tolist()
    with pytest.raises(ValueError, match=r"broadcast_to: an array of shape \(2, 1\) does not fill the shape \(3,\)"):
        tfrt.broadcast_to(x, (3,))


@traced
def test_broadcasts_of_open_sizes():
    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None, 1]), tfrt.TensorSpec("i32", [None])])
    def f(x, y):
        return tfrt.broadcast_arrays(x, y)

    x, y = f(T([[1.0], [2.0]]), T([3, 4, 5]))
    assert x.tolist() == [[1.0] * 3, [2.0] * 3] and y.tolist() == [[3, 4, 5]] * 2


def test_facts_about_the_namespace():
    info = tfrt.__array_namespace_info__()
    assert info.capabilities()["data-dependent shapes"] is True
    assert info.default_device() == "cpu:0" and info.devices() == ["cpu:0"]
    assert info.default_dtypes()["integral"] == T(1).dtype and info.default_dtypes()["real floating"] == T(1.0).dtype
    assert set(info.dtypes(kind=("bool", "unsigned integer"))) == {"bool", "uint8", "uint16", "uint32", "uint64"}
    assert all(getattr(tfrt, name) == dtype for name, dtype in info.dtypes(device="cpu:0").items())
    with pytest.raises(ValueError, match="no kind 'odd'"):
        info.dtypes(kind="odd")
