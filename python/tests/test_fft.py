"""The extension `fft` of the array API standard, against NumPy."""

import numpy as np
import pytest

import tfrt
from tfrt import fft
from tfrt._tfrt import complex64, complex128

NORMS = ("backward", "ortho", "forward")
TOLERANCE = {"f": 3e-6, "d": 1e-13}  # times the number of elements
both_ways = pytest.mark.parametrize("call", [
    lambda f, *args, **kw: f(*args, **kw),
    lambda f, *args, **kw: tfrt.function(lambda *given: f(*given, **kw))(*args)], ids=["eager", "traced"])


def signal(dtype, *shape):
    random = np.random.default_rng(0)
    real = random.standard_normal(shape)
    return (real + 1j * random.standard_normal(shape) if dtype in "FD" else real).astype(dtype)


def close(actual, expected, precision):
    actual = actual.numpy()
    assert actual.shape == expected.shape
    assert actual.dtype == np.dtype({"f": {"c": "F", "f": "f"},
                                     "d": {"c": "D", "f": "d"}}[precision][expected.dtype.kind])
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE[precision] * max(expected.size, 1))


@both_ways
@pytest.mark.parametrize("precision", "fd")
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_along_one_axis(call, precision, name):
    dtype = precision if name in ("rfft", "ihfft") else precision.upper()
    ours, wanted = getattr(fft, name), getattr(np.fft, name)
    x = signal(dtype, 3, 6, 5)
    for axis in (0, 1, -1):
        for n in (None, 1, 2, 4, 6, 9):
            norm = NORMS[(n or 0) % 3]
            close(call(ours, tfrt.tensor(x), n=n, axis=axis, norm=norm),
                  wanted(x.astype("D" if dtype in "FD" else "d"), n, axis, norm),
                  precision)


@pytest.mark.parametrize("precision", "fd")
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 30, 49, 64, 67, 97, 134, 210, 1009, 4096, 4099])
def test_sizes_of_all_factors(precision, size):
    x = signal(precision.upper(), size)
    close(fft.fft(tfrt.tensor(x)), np.fft.fft(x.astype("D")), precision)
    close(fft.ifft(tfrt.tensor(x)), np.fft.ifft(x.astype("D")), precision)
    back = fft.irfft(fft.rfft(tfrt.tensor(x.real.copy())), n=size)
    close(back, x.real.astype("d"), precision)


@both_ways
@pytest.mark.parametrize("precision", "fd")
@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_along_several_axes(call, precision, name):
    dtype = precision if name == "rfftn" else precision.upper()
    ours, wanted = getattr(fft, name), getattr(np.fft, name)
    x = signal(dtype, 3, 4, 5)
    for s, axes in ((None, None), (None, (0, 2)), (None, (-1, 0)), ((2, 7), (1, 0)), ((4, 4, 4), (0, 1, 2)),
                    ((6,), (1,))):
        for norm in NORMS:
            close(call(ours, tfrt.tensor(x), s=s, axes=axes, norm=norm),
                  wanted(x.astype("D" if dtype in "FD" else "d"), s, axes, norm),
                  precision)


@both_ways
def test_real_signals_are_taken_as_complex_ones(call):
    x = signal("f", 7)
    close(call(fft.fft, tfrt.tensor(x)), np.fft.fft(x.astype("d")), "f")
    close(call(fft.irfft, tfrt.tensor(x)), np.fft.irfft(x.astype("d")), "f")


@both_ways
def test_parts_of_complex_numbers(call):
    x = signal("F", 2, 3)
    for name in ("real", "imag", "conj"):
        np.testing.assert_array_equal(call(getattr(fft, name), tfrt.tensor(x)).numpy(), getattr(np, name)(x))
    made = call(fft.make_complex, tfrt.tensor(x.real.copy()), tfrt.tensor(x.imag.copy()))
    assert made.dtype == complex64
    np.testing.assert_array_equal(made.numpy(), x)


def test_frequencies():
    for n in (1, 2, 3, 8, 9):
        for d in (1.0, 0.25, 3):
            for dtype in (None, tfrt.f32, tfrt.f64):
                for name in ("fftfreq", "rfftfreq"):
                    actual = getattr(fft, name)(n, d=d, dtype=dtype)
                    assert actual.dtype == (dtype or tfrt.f32)
                    np.testing.assert_allclose(actual.numpy(), getattr(np.fft, name)(n, d), rtol=1e-7)


@both_ways
def test_shifts(call):
    x = np.arange(2 * 3 * 5).reshape(2, 3, 5).astype("i4")
    for axes in (None, 0, -1, (0, 2), (1, 2, 0)):
        for name in ("fftshift", "ifftshift"):
            np.testing.assert_array_equal(call(getattr(fft, name), tfrt.tensor(x), axes=axes).numpy(),
                                          getattr(np.fft, name)(x, axes))


def test_sizes_may_be_open():
    x, real = signal("D", 3, 5), signal("d", 3, 6)
    complex_spec, real_spec = (tfrt.TensorSpec(dtype, [None, None]) for dtype in (complex128, tfrt.f64))
    for function, wanted, spec, given in (
            (fft.fft, np.fft.fft, complex_spec, x), (fft.ifft, np.fft.ifft, complex_spec, x),
            (lambda y: fft.fft(y, n=7), lambda y: np.fft.fft(y, 7), complex_spec, x),
            (lambda y: fft.fft(y, n=2), lambda y: np.fft.fft(y, 2), complex_spec, x),
            (fft.rfft, np.fft.rfft, real_spec, real), (fft.irfft, np.fft.irfft, complex_spec, x),
            (lambda y: fft.irfft(y, n=9), lambda y: np.fft.irfft(y, 9), complex_spec, x),
            (fft.fftshift, np.fft.fftshift, real_spec, real), (fft.ifftshift, np.fft.ifftshift, real_spec, real)):
        close(tfrt.function(function, input_signature=[spec])(tfrt.tensor(given)), wanted(given), "d")


def test_gradients_do_not_go_through_complex_numbers():
    def loss(value):
        return fft.irfft(fft.rfft(value)).sum()

    with pytest.raises(tfrt.Error, match="has no gradient \\(gradients do not go through complex numbers\\)"):
        tfrt.grad(loss)(tfrt.tensor(signal("d", 6)))


REFUSED = [
    (TypeError, "fft: x has elements of f32, f64, complex64 or complex128, not i32",
     lambda t: fft.fft(t(np.ones(4, "i4")))),
    (TypeError, "rfft: x has elements of f32 or f64, not complex64", lambda t: fft.rfft(t(np.ones(4, "F")))),
    (TypeError, "fft: n is an int, not float", lambda t: fft.fft(t(np.ones(4)), n=2.0)),
    (TypeError, "fftfreq: dtype is one of floats, not i32", lambda t: fft.fftfreq(4, dtype=tfrt.i32)),
    (ValueError, "fft: n is 1 or more, not 0", lambda t: fft.fft(t(np.ones(4)), n=0)),
    (ValueError, "fft: a transform has 1 point or more, but of axis 1 it has 0", lambda t: fft.fft(t(np.ones((2, 0))))),
    (ValueError, "irfft: a transform has 1 point or more, but of axis 0 it has 0", lambda t: fft.irfft(t(np.ones(1)))),
    (ValueError, "norm is 'backward', 'ortho' or 'forward', not 'none'", lambda t: fft.fft(t(np.ones(4)), norm="none")),
    (ValueError, "norm is 'backward', 'ortho' or 'forward', not 'none'",
     lambda t: fft.hfft(t(np.ones(4)), norm="none")),
    (ValueError, "axis 1 is out of range", lambda t: fft.fft(t(np.ones(4)), axis=1)),
    (ValueError, "fftn: s has 1 sizes for 2 axes", lambda t: fft.fftn(t(np.ones((2, 2))), s=(2,), axes=(0, 1))),
    (ValueError, "rfftn: there is no axis", lambda t: fft.rfftn(t(np.ones(())))),
    (ValueError, "rfftfreq: n is 1 or more, not -1", lambda t: fft.rfftfreq(-1)),
]


@pytest.mark.parametrize("error, message, call", REFUSED, ids=[f"{i}" for i in range(len(REFUSED))])
def test_what_is_wrong_is_said(error, message, call):
    with pytest.raises(error, match=message):
        call(tfrt.tensor)


def test_all_names_of_the_standard_are_here():
    names = """fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift"""
    assert set(names.split()) <= set(fft.__all__) and all(hasattr(fft, name) for name in fft.__all__)
