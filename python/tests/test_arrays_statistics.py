"""Sums, means and others over axes, beside those of NumPy."""

import warnings

import numpy as np
import pytest

import tfrt
from compare_arrays import ALL, FLOATS, NUMBERS, assert_same, assert_same_traced, elements

AXES = [None, 0, -1, (0, 2), ()]
TOLERANCE = {"f2": 4e-3, "f4": 1e-5, "f8": 1e-13}

# The function here, NumPy's, and whether it has a result of no elements.
REDUCTIONS = [(tfrt.sum, np.sum, True), (tfrt.prod, np.prod, True), (tfrt.max, np.max, False),
              (tfrt.min, np.min, False), (tfrt.all, np.all, True), (tfrt.any, np.any, True),
              (tfrt.mean, np.mean, False), (tfrt.var, np.var, False),
              (tfrt.std, np.std, False)]


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("function, reference, of_none", REDUCTIONS)
def test_reductions(function, reference, of_none, dtype):
    array = elements((2, 3, 4), dtype)
    tolerance = TOLERANCE.get(dtype, 1e-6)
    for axis in AXES:
        for keepdims in (False, True):
            expected = reference(array, axis=axis, keepdims=keepdims, **({"dtype": "f8"} if reference in (
                np.mean, np.var, np.std) else {}))
            if function is tfrt.prod and dtype not in FLOATS:
                # wraps as it is narrower
                expected = np.asarray(expected).astype(function(array, axis=axis).numpy().dtype)
            assert_same(function(array, axis=axis, keepdims=keepdims), expected, tolerance)
    none = np.zeros((2, 0), array.dtype)
    assert function(none, axis=0).shape == (0,)
    if of_none:
        assert_same(function(none), reference(none))


@pytest.mark.parametrize("dtype, wide", [
    ("?", tfrt.i32), ("i1", tfrt.i32), ("i2", tfrt.i32), ("i4", tfrt.i32), ("i8", tfrt.i64), ("u1", tfrt.u32),
    ("u2", tfrt.u32), ("u4", tfrt.u32), ("u8", tfrt.u64), ("f2", tfrt.f16), ("f4", tfrt.f32), ("f8", tfrt.f64)])
def test_dtypes_of_sums(dtype, wide):
    x = tfrt.tensor(elements((3,), dtype))
    for function in (tfrt.sum, tfrt.prod, tfrt.cumulative_sum, tfrt.cumulative_prod):
        assert function(x).dtype == wide
        assert function(x, dtype=tfrt.f64).dtype == tfrt.f64
        assert function(x, dtype=tfrt.i8).dtype == tfrt.i8
    mean = x.dtype if dtype in FLOATS else tfrt.f32
    assert {tfrt.mean(x).dtype, tfrt.var(x).dtype, tfrt.std(x).dtype} == {mean}
    assert tfrt.max(x).dtype == tfrt.min(x).dtype == x.dtype
    assert tfrt.all(x).dtype == tfrt.any(x).dtype == tfrt.i1


def test_sums_do_not_wrap_where_the_elements_would():
    assert tfrt.sum(np.full(300, 100, "i1")).item() == 30000
    assert tfrt.sum(np.full(300, 200, "u1")).item() == 60000
    assert tfrt.sum(np.ones(1000, "?")).item() == 1000
    assert tfrt.cumulative_sum(np.full(3, 100, "i1")).tolist() == [100, 200, 300]
    assert tfrt.prod(np.full(3, 100, "u1")).item() == 1000000
    assert tfrt.mean(np.full(4, 2**30, "i4")).item() == 2.0**30
    assert tfrt.sum([1.5, 1.5], dtype=tfrt.i32).item() == 2  # cast first


def test_of_no_elements():
    assert tfrt.sum([]).item() == 0.0 and tfrt.prod([]).item() == 1.0
    assert tfrt.all([]).item() is True and tfrt.any([]).item() is False
    for function in (tfrt.mean, tfrt.var, tfrt.std):
        assert np.isnan(function([]).item())
    assert tfrt.cumulative_sum([]).shape == (0,)
    assert tfrt.cumulative_prod([], include_initial=True).tolist() == [1.0]
    assert tfrt.max(np.zeros((2, 0), "f4"), axis=0).shape == (0,)


def test_numbers_that_are_none():
    nan, inf = float("nan"), float("inf")
    for function in (tfrt.sum, tfrt.prod, tfrt.max, tfrt.min, tfrt.mean, tfrt.var, tfrt.std):
        assert np.isnan(function([1.0, nan, 2.0]).item())
    assert tfrt.all([nan, inf]).item() is True and tfrt.any([0.0, nan]).item() is True
    assert tfrt.max([1.0, inf]).item() == inf and tfrt.min([1.0, -inf]).item() == -inf
    assert np.isnan(tfrt.sum([inf, -inf]).item())
    assert tfrt.any([0.0, -0.0]).item() is False


@pytest.mark.parametrize("correction", [0, 1, 0.5, 3, 7])
def test_corrections(correction):
    array = elements((4, 3), "f8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(tfrt.var(array, axis=1, correction=correction), np.var(array, 1, ddof=correction), 1e-13)
        assert_same(tfrt.std(array, correction=correction), np.std(array, ddof=correction), 1e-13)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_running(dtype):
    array = elements((2, 3, 4), dtype)
    for function, reference, first in ((tfrt.cumulative_sum, np.cumsum, 0), (tfrt.cumulative_prod, np.cumprod, 1)):
        for axis in (0, 1, -1):
            expected = reference(array, axis).astype(function(array, axis=axis).numpy().dtype)
            assert_same(function(array, axis=axis), expected, TOLERANCE.get(dtype, 0))
            initial = np.full_like(expected.take([0], axis), first)
            assert_same(function(array, axis=axis, include_initial=True), np.concatenate([initial, expected], axis),
                        TOLERANCE.get(dtype, 0))
    long = np.linspace(0.9, 1.1, 1000)
    assert_same(tfrt.cumulative_prod(long), np.cumprod(long), 1e-12)


@pytest.mark.parametrize("dtype", ALL)
def test_differences(dtype):
    array = elements((3, 4), dtype)
    x = tfrt.tensor(array)
    for n in (0, 1, 2, 5):
        for axis in (0, -1):
            assert_same(tfrt.diff(x, n=n, axis=axis), np.diff(array, n, axis))
    assert tfrt.diff(x, prepend=x, append=array).dtype == x.dtype
    assert_same(tfrt.diff(x, prepend=x, append=array), np.diff(array, prepend=array, append=array))
    assert_same(tfrt.diff(x, axis=0, prepend=array[:1]), np.diff(array, axis=0, prepend=array[:1]))
    if dtype != "?":
        assert_same(tfrt.diff(x, prepend=1), np.diff(array, prepend=np.array(1, dtype)))


def test_traced():
    array = elements((2, 3, 4), "f4") / 3
    calls = [(lambda x, f=f, a=axis: f(x, axis=a), lambda x, r=r, a=axis: r(x, axis=a))
             for f, r, _ in REDUCTIONS for axis in (None, (0, -1))]
    calls += [
        (lambda x: tfrt.var(x, axis=(0, 1), correction=1), lambda x: np.var(x, (0, 1), ddof=1)),
        (lambda x: tfrt.sum(x > 0, axis=0), lambda x: np.sum(x > 0, 0)),
        (lambda x: tfrt.max(x > 0, axis=0), lambda x: np.max(x > 0, 0)),
        (lambda x: tfrt.cumulative_sum(x, axis=1, include_initial=True),
         lambda x: np.pad(np.cumsum(x, 1), ((0, 0), (1, 0), (0, 0)))),
        (lambda x: tfrt.cumulative_prod(x, axis=1), lambda x: np.cumprod(x, 1)),
        (lambda x: tfrt.diff(x, n=2, prepend=0.0, append=x), lambda x: np.diff(x, 2, prepend=0, append=x)),
        (lambda x: x.std(axis=1, keepdims=True), lambda x: x.std(1, keepdims=True)),
    ]
    assert_same_traced(calls, [array], 1e-5)


def test_methods():
    x = tfrt.tensor([[1, 2], [3, 4]])
    assert x.sum().item() == 10 and x.prod(axis=0).tolist() == [3, 8] and x.mean().item() == 2.5
    assert x.max(axis=1).tolist() == [2, 4] and x.min(axis=1, keepdims=True).tolist() == [[1], [3]]
    assert x.var().item() == 1.25 and x.std(correction=1).item() == pytest.approx(1.2909944)
    assert (x > 0).all().item() is True and (x > 3).any(axis=0).tolist() == [False, True] and (x > 1).sum().item() == 3
    assert x.cumsum(axis=0).tolist() == [[1, 2], [4, 6]] and x.cumprod(axis=1).tolist() == [[1, 2], [3, 12]]
    v = tfrt.Variable([1.0, 2.0])
    assert v.sum().item() == 3.0 and v.var().item() == 0.25 and v.any().item() is True and tfrt.sum(v).item() == 3.0


X = np.zeros((2, 3), "f4")


@pytest.mark.parametrize("call, error, message", [
    (lambda: tfrt.sum(X, axis=2), IndexError, "axis 2 is out of range for an array of 2 dimensions"),
    (lambda: tfrt.sum(X, axis=-3), ValueError, "axis -3"),
    (lambda: tfrt.sum(X, axis=(0, -2)), ValueError, "names an axis twice"),
    (lambda: tfrt.mean(X, axis=1.0), TypeError, "axis is an int, not float"),
    (lambda: tfrt.sum(X, dtype="x32"), ValueError, "x32"),
    (lambda: tfrt.max([]), ValueError, r"max along axes \(0,\) of an array of shape \(0,\)"),
    (lambda: tfrt.min(np.zeros((2, 0)), axis=1), ValueError, "no elements"),
    (lambda: tfrt.max(np.zeros((2, 0), "?")), ValueError, "no elements"),
    (lambda: tfrt.var(X, correction="1"), TypeError, "correction is a number, not str"),
    (lambda: tfrt.cumulative_sum(X), ValueError, "2 dimensions needs an axis"),
    (lambda: tfrt.cumulative_prod(1.0), ValueError, "not of 0"),
    (lambda: tfrt.cumulative_sum(X, axis=2), IndexError, "axis 2"),
    (lambda: tfrt.diff(X, n=-1), ValueError, "n is 0 or more, not -1"),
    (lambda: tfrt.diff(1.0), ValueError, "not of 0"),
    (lambda: tfrt.diff(X, prepend=[1.0]), ValueError, "1"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("columns", [1, 255, 256, 257, 700])
def test_reductions_of_many_columns(columns):
    array = np.random.default_rng(columns).standard_normal((5, columns)).astype("f4")
    for ours, reference in ((tfrt.sum, np.sum), (tfrt.mean, np.mean), (tfrt.max, np.max), (tfrt.min, np.min),
                            (tfrt.std, np.std)):
        assert np.allclose(ours(tfrt.tensor(array), axis=0).numpy(), reference(array, axis=0), atol=1e-6)
    assert tfrt.sum(tfrt.tensor(array.astype("i4")), axis=0).tolist() == array.astype("i4").sum(0).tolist()


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_deviations_of_halves_are_beyond_their_squares(dtype):
    wide = tfrt.cast(tfrt.tensor([300.0, -300.0]), dtype)
    many = tfrt.cast(tfrt.arange(100000) % 2, dtype)  # whose number is none of f16
    for correction in 0, 1:
        assert tfrt.std(many, correction=correction).item() == 0.5
        assert tfrt.var(many, correction=correction).item() == 0.25
    assert tfrt.std(wide).item() == 300.0 and tfrt.std(wide).dtype.name == dtype


def test_deviations_do_not_overflow():
    array = np.array([[1e30, -1e30, 1e30, -1e30]], "f4")
    assert tfrt.std(tfrt.tensor(array)).item() == pytest.approx(1e30) and tfrt.std(tfrt.tensor([3.0])).item() == 0.0
    assert np.isnan(tfrt.std(tfrt.zeros((2, 0)), axis=1).numpy()).all()
