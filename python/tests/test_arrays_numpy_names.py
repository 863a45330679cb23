"""Functions that NumPy has beyond the standard, beside NumPy's."""

import numpy as np
import pytest

import tfrt
from compare_arrays import ALL, FLOATS, NUMBERS, assert_same, assert_same_traced, elements

NAN, INF = float("nan"), float("inf")
TOLERANCE = {"f2": 4e-3, "f4": 1e-5, "f8": 1e-12}

# Functions of an array [3,4].
CALLS = [
    (lambda x: tfrt.transpose(x), lambda x: np.transpose(x)),
    (lambda x: tfrt.transpose(x, (-1, 0)), lambda x: np.transpose(x, (1, 0))),
    (lambda x: tfrt.swapaxes(x, 0, -1), lambda x: np.swapaxes(x, 0, -1)),
    (lambda x: tfrt.ravel(x), lambda x: np.ravel(x)),
    (lambda x: tfrt.concatenate([x, x], axis=1), lambda x: np.concatenate([x, x], 1)),
    (lambda x: tfrt.vstack([x, x]), lambda x: np.vstack([x, x])),
    (lambda x: tfrt.hstack([x, x]), lambda x: np.hstack([x, x])),
    (lambda x: tfrt.dstack([x, x]), lambda x: np.dstack([x, x])),
    (lambda x: tfrt.vstack([tfrt.ravel(x), tfrt.ravel(x)]), lambda x: np.vstack([x.ravel(), x.ravel()])),
    (lambda x: tfrt.hstack([tfrt.ravel(x), tfrt.ravel(x)]), lambda x: np.hstack([x.ravel(), x.ravel()])),
    (lambda x: tfrt.split(x, [1, -1], axis=1), lambda x: np.split(x, [1, -1], 1)),
    (lambda x: tfrt.split(x, (2, 9), axis=0), lambda x: np.split(x, (2, 9), 0)),
    (lambda x: tfrt.fliplr(x), lambda x: np.fliplr(x)),
    (lambda x: tfrt.flipud(x), lambda x: np.flipud(x)),
    *[(lambda x, k=k: tfrt.rot90(x, k), lambda x, k=k: np.rot90(x, k)) for k in (-1, 0, 1, 2, 3, 5)],
    (lambda x: tfrt.rot90(x, axes=(1, 0)), lambda x: np.rot90(x, axes=(1, 0))),
    (lambda x: tfrt.pad(x, 1), lambda x: np.pad(x, 1)),
    (lambda x: tfrt.pad(x, (1, 2)), lambda x: np.pad(x, (1, 2))),
    (lambda x: tfrt.pad(x, [(1, 1), (0, 0)]), lambda x: np.pad(x, [(1, 1), (0, 0)])),
    (lambda x: tfrt.pad(x, ((0, 2), (3, 0)), constant_values=1),
     lambda x: np.pad(x, ((0, 2), (3, 0)), constant_values=1)),
    (lambda x: tfrt.pad(x, 1, constant_values=(0, 1)), lambda x: np.pad(x, 1, constant_values=(0, 1))),
    (lambda x: tfrt.pad(x, 1, constant_values=((0, 1), (1, 0))),
     lambda x: np.pad(x, 1, constant_values=((0, 1), (1, 0)))),
    (lambda x: tfrt.argwhere(x), lambda x: np.argwhere(x)),
    (lambda x: tfrt.flatnonzero(x), lambda x: np.flatnonzero(x)),
    *[(lambda x, k=k: tfrt.diagonal(x, k), lambda x, k=k: np.diagonal(x, k)) for k in (-4, -1, 0, 1, 3, 5)],
]
# Those that need a known size of the axis.
SIZED = [
    (lambda x: tfrt.split(x, 2, axis=1), lambda x: np.split(x, 2, 1)),
    (lambda x: tfrt.array_split(x, 3, axis=1), lambda x: np.array_split(x, 3, 1)),
    (lambda x: tfrt.hsplit(x, 2), lambda x: np.hsplit(x, 2)),
    (lambda x: tfrt.vsplit(x, 3), lambda x: np.vsplit(x, 3)),
    *[(lambda x, m=mode, w=width: tfrt.pad(x, w, m), lambda x, m=mode, w=width: np.pad(x, w, m))
      for mode in ("edge", "reflect", "symmetric", "wrap") for width in (1, (0, 2), ((2, 1), (3, 7)))],
]


@pytest.mark.parametrize("dtype", ALL)
def test_shapes_and_order(dtype):
    array = elements((3, 4), dtype)
    for i, (call, reference) in enumerate(CALLS + SIZED):
        result = call(tfrt.tensor(array))
        assert_same(result, reference(array), label=f"call {i}")


def test_traced():
    assert_same_traced(CALLS, [elements((3, 4), "f4")])


def test_without_elements():
    none = np.zeros((0, 4), "f4")
    for call, reference in (CALLS[0], CALLS[3], CALLS[5], CALLS[6], CALLS[21], CALLS[27], CALLS[28]):
        assert_same(call(none), reference(none))
    assert_same(tfrt.split(none, 3), np.split(none, 3))
    with pytest.raises(ValueError, match="needs elements"):
        tfrt.pad(none, 1, "edge")


def test_axes_that_are_at_least_there():
    for shape in ((), (2,), (2, 3), (2, 3, 4), (1, 2, 3, 4)):
        x = elements(shape, "f4")
        for function, reference in ((tfrt.atleast_1d, np.atleast_1d), (tfrt.atleast_2d, np.atleast_2d),
                                    (tfrt.atleast_3d, np.atleast_3d)):
            assert_same(function(x), reference(x))
    assert [each.shape for each in tfrt.atleast_2d(1.0, [1.0, 2.0])] == [(1, 1), (1, 2)]


def test_some_axes_as_one():
    x = tfrt.tensor(np.arange(24.0).reshape(2, 3, 4))
    assert tfrt.flatten(x).shape == (24,) and tfrt.flatten(x, 1).shape == (2, 12) and x.flatten(0, 1).shape == (6, 4)
    assert tfrt.flatten(1.0).shape == (1,) and tfrt.flatten(x, -2, -2).shape == (2, 3, 4)
    assert tfrt.flatten(x, 1).tolist() == x.numpy().reshape(2, 12).tolist()


def test_methods():
    x = tfrt.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x.ravel().shape == (4,) and x.swapaxes(0, 1).tolist() == [[1, 3], [2, 4]] and x.flatten().shape == (4,)
    assert x.diagonal().tolist() == [1, 4] and x.trace().item() == 5 and x.dot(x).tolist() == (x @ x).tolist()
    assert x.argmax().item() == 3 and x.argmin(axis=0).tolist() == [0, 0] and x.argsort().tolist() == [[0, 1], [0, 1]]
    assert x.take([0], axis=1).tolist() == [[1], [3]] and x.nonzero()[1].tolist() == [0, 1, 0, 1]
    assert tfrt.Variable([1.0, 2.0]).cumsum().tolist() == [1, 3]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_statistics(dtype):
    array = elements((3, 4, 2), dtype)
    tolerance = TOLERANCE.get(dtype, 1e-5)
    for axis in (None, 0, -1):
        assert_same(tfrt.cumsum(array, axis=axis), np.cumsum(array, axis))
        assert_same(tfrt.cumprod(array, axis=axis).numpy(),
                    np.cumprod(array, axis).astype(tfrt.cumprod(array).numpy().dtype), tolerance)
    for axis in (None, 1, (0, 2), (2, 0)):
        for keepdims in (False, True):
            wide = array.astype("f8")
            assert_same(tfrt.ptp(array, axis=axis, keepdims=keepdims), np.ptp(wide, axis, keepdims=keepdims))
            assert_same(tfrt.median(array, axis=axis, keepdims=keepdims), np.median(wide, axis, keepdims=keepdims),
                        tolerance)
            for q in (0.0, 0.3, 1.0, [0.1, 0.5, 0.99], [[0.25], [0.75]]):
                assert_same(tfrt.quantile(array, q, axis=axis, keepdims=keepdims),
                            np.quantile(wide, q, axis, keepdims=keepdims), tolerance)
    assert_same(tfrt.percentile(array, [5, 50], axis=0), np.percentile(array.astype("f8"), [5, 50], 0), tolerance)
    assert tfrt.median(array).dtype == (tfrt.tensor(array).dtype if dtype in FLOATS else tfrt.f32)
    assert_same(tfrt.average(array), np.average(array.astype("f8")), tolerance)
    weights = np.array([1, 2, 3, 4], dtype)
    assert_same(tfrt.average(array, axis=1, weights=weights), np.average(array.astype("f8"), 1, weights), tolerance)
    positive = np.abs(array) + np.ones((), dtype)
    assert_same(tfrt.average(array, weights=positive), np.average(array.astype("f8"), weights=positive), tolerance)


@pytest.mark.parametrize("dtype", FLOATS)
def test_numbers_that_are_none(dtype):
    array = np.array([[1, NAN, 3], [4, 5, NAN], [-INF, 2, 0]], dtype)
    for axis in (None, 0, 1):
        for function, reference in ((tfrt.nansum, np.nansum), (tfrt.nanmax, np.nanmax), (tfrt.nanmin, np.nanmin),
                                    (tfrt.nanmean, np.nanmean)):
            assert_same(function(array, axis=axis), reference(array, axis), TOLERANCE[dtype])
    assert np.isnan(tfrt.nanmax([NAN, NAN]).item()) and tfrt.nansum([NAN]).item() == 0.0
    assert np.isnan(tfrt.nanmean([NAN]).item())
    assert_same(tfrt.median(array, axis=0), np.array([1, NAN, NAN]))
    big = np.array([NAN, INF, -INF, 1], dtype)
    assert_same(tfrt.nan_to_num(big), np.nan_to_num(big))
    assert_same(tfrt.nan_to_num(big, nan=1.0, posinf=2.0, neginf=-2.0), np.nan_to_num(big, nan=1, posinf=2, neginf=-2))
    close = tfrt.isclose(tfrt.tensor([1.0, 1.0, NAN, INF, INF, 1.0], tfrt.tensor(array).dtype),
                         [1.0, 1.1, NAN, INF, -INF, INF])
    assert close.tolist() == [True, False, False, True, False, False]


def test_integers_have_no_nan():
    assert tfrt.nansum([1, 2]).item() == 3 and tfrt.nanmax([1, 2]).item() == 2 and tfrt.nanmean([1, 2]).item() == 1.5
    assert tfrt.nan_to_num([1, 2]).tolist() == [1, 2]


def test_closeness():
    assert tfrt.isclose([NAN], [NAN], equal_nan=True).tolist() == [True]
    assert tfrt.isclose([100.0], [101.0], rtol=0.02).tolist() == [True]
    assert tfrt.isclose([0.0], [0.5], atol=1.0).tolist() == [True]
    assert tfrt.isclose([10**9 + 1], [10**9], rtol=0).tolist() == [False]
    assert tfrt.isclose([True], [True]).tolist() == [True]
    assert tfrt.allclose([1.0, 2.0], [1.0, 2.0 + 1e-7]).item() is True
    assert tfrt.allclose([1.0, 2.0], 2.0).item() is False
    assert bool(tfrt.allclose([], []))
    assert tfrt.array_equal([1, 2], [1, 2]).item() is True and tfrt.array_equal([1, 2], [1, 3]).item() is False
    assert tfrt.array_equal([1, 2], [[1, 2]]).item() is False and tfrt.array_equal([1], [1, 1]).item() is False
    assert tfrt.array_equal([NAN], [NAN]).item() is False
    assert tfrt.array_equal([NAN], [NAN], equal_nan=True).item() is True


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1", "i1"])
def test_histograms(dtype):
    array = elements((50,), dtype)
    for bins, limits in ((10, None), (3, (0, 5)), (4, (-2.5, 2.5)), (1, (1, 1)), ([0, 1, 3, 7], None),
                         ([1.5, 2.5], None)):
        counts, edges = tfrt.histogram(array, bins, limits)
        assert_same([counts, edges], np.histogram(array, bins, limits), 1e-6)
        assert counts.dtype == tfrt.i64
    assert_same(tfrt.histogram(array, 5, density=True)[0], np.histogram(array, 5, density=True)[0], 1e-6)
    weights = np.linspace(0, 1, 50)
    assert_same(tfrt.histogram(array, 5, weights=weights)[0], np.histogram(array, 5, weights=weights)[0], 1e-12)
    assert_same(tfrt.histogram(array[:0], 3), np.histogram(array[:0], 3), 1e-7)
    assert_same(tfrt.histogram(array[:1], 3), np.histogram(array[:1], 3), 1e-6)


def test_counts_of_numbers():
    x = np.array([3, 1, 1, 7])
    for dtype in ("i4", "u1", "i8"):
        assert_same(tfrt.bincount(x.astype(dtype)), np.bincount(x))
    assert tfrt.bincount(x, minlength=10).shape == (10,) and tfrt.bincount(x).dtype == tfrt.i64
    assert_same(tfrt.bincount(x, weights=[0.5, 1.0, 2.0, 4.0]), np.bincount(x, [0.5, 1, 2, 4]))
    assert tfrt.bincount(np.zeros(0, "i4")).shape == (0,)
    assert tfrt.bincount(np.zeros(0, "i4"), minlength=2).tolist() == [0, 0]


def test_statistics_in_traces():
    array = elements((5, 4), "f4")
    assert_same_traced([
        (lambda x: tfrt.cumsum(x, axis=1), lambda x: np.cumsum(x, 1)),
        (lambda x: tfrt.ptp(x, axis=0), lambda x: np.ptp(x, 0)),
        (lambda x: tfrt.median(x, axis=0), lambda x: np.median(x, 0)),
        (lambda x: tfrt.quantile(x, [0.1, 0.7], keepdims=True), lambda x: np.quantile(x, [0.1, 0.7], keepdims=True)),
        (lambda x: tfrt.average(x, axis=1), lambda x: np.average(x, 1)),
        (lambda x: tfrt.nansum(x), lambda x: np.nansum(x)),
        (lambda x: tfrt.histogram(x, 4), lambda x: np.histogram(x, 4)),
        (lambda x: tfrt.bincount(tfrt.ravel(x.astype("i32") + 4)), lambda x: np.bincount(np.ravel(x.astype("i4") + 4))),
        (lambda x: tfrt.allclose(x, x), lambda x: np.allclose(x, x)),
        (lambda x: tfrt.array_equal(x, x + 1.0), lambda x: np.array_equal(x, x + 1)),
        (lambda x: tfrt.unique(x, return_counts=True), lambda x: np.unique(x, return_counts=True)),
    ], [array], 1e-6)


X = np.zeros((2, 3), "f4")


@pytest.mark.parametrize("call, error, message", [
    (lambda: tfrt.transpose(X, (0,)), ValueError, "are 1 for an array of 2"),
    (lambda: tfrt.swapaxes(X, 0, 2), IndexError, "axis2 2"),
    (lambda: tfrt.split(X, 2, axis=1), ValueError, "axis 1 of size 3 is not divided into 2 equal parts"),
    (lambda: tfrt.split(X, 0), ValueError, "into 0 equal parts"),
    (lambda: tfrt.array_split(X, -1), ValueError, "1 part or more, not -1"),
    (lambda: tfrt.split(X, 1.5), TypeError, "float"),
    (lambda: tfrt.hstack([]), ValueError, "hstack needs at least one array"),
    (lambda: tfrt.flatten(X, 1, 0), ValueError, "start_dim 1 comes after end_dim 0"),
    (lambda: tfrt.rot90(X, axes=(0, 0)), ValueError, "twice"),
    (lambda: tfrt.rot90(X, axes=(0,)), ValueError, "2 axes, not 1"),
    (lambda: tfrt.pad(X, [(1, 1)] * 3), ValueError, "3 pairs for an array of 2 dimensions"),
    (lambda: tfrt.pad(X, (-1, 0)), ValueError, r"0 or more, not \(-1, 0\)"),
    (lambda: tfrt.pad(X, [(1, 2, 3), (1, 2, 3)]), ValueError, "3 numbers for an axis, not 2"),
    (lambda: tfrt.pad(X, 1, "mirror"), ValueError, "not 'mirror'"),
    (lambda: tfrt.pad(X, 1.5), TypeError, "float"),
    (lambda: tfrt.pad(X, 1, constant_values=[(0, 1)] * 3), ValueError, "3 pairs for an array of 2"),
    (lambda: tfrt.quantile(X, 1.5), ValueError, "from 0 to 1, not 1.5"),
    (lambda: tfrt.quantile(X, [-0.5, 0.5]), ValueError, "not -0.5"),
    (lambda: tfrt.quantile([], 0.5), ValueError, "quantile of no elements"),
    (lambda: tfrt.ptp([]), ValueError, "no elements"),
    (lambda: tfrt.average(X, weights=[1.0, 2.0]), ValueError, "weights of 1 dimensions"),
    (lambda: tfrt.histogram(X, 0), ValueError, "1 or more, not 0"),
    (lambda: tfrt.histogram(X, 3, (2, 1)), ValueError, r"not \(2, 1\)"),
    (lambda: tfrt.histogram(X, [1.0, 0.0]), ValueError, "do not descend"),
    (lambda: tfrt.histogram(X, [[1.0]]), ValueError, "1 dimension, not of 2"),
    (lambda: tfrt.histogram([1.0, NAN]), ValueError, "from nan to nan, is not finite"),
    (lambda: tfrt.histogram([1.0, INF]), ValueError, "from 1.0 to inf, is not finite"),
    (lambda: tfrt.histogram(X, 3, (0.0, INF)), ValueError, r"finite numbers, not \(0.0, inf\)"),
    (lambda: np.histogram(tfrt.tensor([NAN])), ValueError, "is not finite"),
    (lambda: tfrt.bincount(X), ValueError, "1 dimension, not 2"),
    (lambda: tfrt.bincount([0.5]), TypeError, "bincount takes integers, not"),
    (lambda: tfrt.bincount([1, -2]), ValueError, "not -2"),
    (lambda: tfrt.isclose(X, [1.0, 2.0]), ValueError, "2"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_histogram_with_nan_beside_bins():
    array = np.array([1.0, NAN, 2.0, 2.5], "f4")
    for bins, limits in ((4, (0, 3)), (np.array([0.0, 1.0, 2.0, 3.0]), None)):
        counts, edges = tfrt.histogram(array, bins, limits)
        assert_same([counts, edges], np.histogram(array, bins, limits), 1e-6)


def test_exp2():
    for dtype in FLOATS:
        array = np.asarray([-2.5, 0.0, 1.0, 10.0], dtype)
        assert_same(tfrt.exp2(tfrt.tensor(array)), np.exp2(array), TOLERANCE[dtype])
        assert tfrt.exp2(tfrt.tensor(array)).dtype == tfrt.DType(array.dtype)
    assert np.exp2(tfrt.tensor([3, 0])).tolist() == [8.0, 1.0] and tfrt.exp2([True]).dtype == tfrt.f32
    assert tfrt.exp2(np.zeros((0, 2), "f4")).shape == (0, 2)


def test_rounding_as_numpy():
    """np.round and x.round, with decimals of both signs; integers keep their dtype."""
    for array in (np.array([1.25, 1.35, -2.5, 1234.567], "f4"), np.array([0.15, -1e300, 2.5], "f8"),
                  np.array([125, 135, -5, 1250], "i4"), np.array([5, 15, 250], "u8"), np.zeros((0, 2), "f4")):
        for decimals in (0, 1, 2, -1, -2):
            tensor, expected = tfrt.tensor(array), np.round(array, decimals)
            for found in (np.round(tensor, decimals), np.around(tensor, decimals=decimals), tensor.round(decimals)):
                assert found.dtype == tfrt.DType(expected.dtype)
                assert_same(found, expected, label=f"{array.dtype} {decimals}")


def test_degrees_of_freedom():
    array = elements((3, 4), "f8")
    x = tfrt.tensor(array)
    for function in (np.std, np.var):
        assert_same(function(x, ddof=1), function(array, ddof=1), 1e-12)
        assert_same(function(x, axis=1, ddof=2, keepdims=True), function(array, axis=1, ddof=2, keepdims=True), 1e-12)
    with pytest.raises(TypeError, match="tfrt.std has no argument where"):
        np.std(x, where=array > 0)
