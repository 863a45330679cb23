"""Functions that find elements, beside those of NumPy."""

import numpy as np
import pytest

import tfrt
from compare_arrays import ALL, FLOATS, HAS_COMPILER, NUMBERS, assert_same, assert_same_traced, elements

NAN = float("nan")


@pytest.mark.parametrize("dtype", ALL)
def test_places_of_extremes(dtype):
    array = elements((2, 3, 4), dtype)
    for function, reference in ((tfrt.argmax, np.argmax), (tfrt.argmin, np.argmin)):
        for axis in (None, 0, 1, -1):
            for keepdims in (False, True):
                result = function(array, axis=axis, keepdims=keepdims)
                assert_same(result, reference(array, axis=axis, keepdims=keepdims))
                assert result.dtype == tfrt.i64
    assert tfrt.argmax(np.array(3, dtype)).item() == 0
    assert tfrt.argmax(np.zeros((0, 2), dtype), axis=1).shape == (0,)


def test_the_first_of_several_and_the_first_nan():
    assert tfrt.argmax([1, 3, 3]).item() == 1 and tfrt.argmin([2, 0, 0]).item() == 1
    assert tfrt.argmax([1.0, NAN, 3.0, NAN]).item() == 1 and tfrt.argmin([1.0, NAN, -3.0]).item() == 1


@pytest.mark.parametrize("dtype", ALL)
def test_what_is_not_zero(dtype):
    array = elements((2, 3, 4), dtype)
    results = tfrt.nonzero(array)
    assert isinstance(results, tuple)
    assert_same(results, np.nonzero(array))
    assert {each.dtype for each in results} == {tfrt.i64}
    for axis in (None, 1, (0, 2)):
        for keepdims in (False, True):
            result = tfrt.count_nonzero(array, axis=axis, keepdims=keepdims)
            assert_same(result, np.count_nonzero(array, axis=axis, keepdims=keepdims))
            assert result.dtype == tfrt.i64
    assert_same(tfrt.nonzero(np.zeros((2, 0), dtype)), np.nonzero(np.zeros((2, 0))))


def test_nan_is_not_zero():
    assert tfrt.count_nonzero([NAN, 0.0, -0.0]).item() == 1 and tfrt.nonzero([0.0, NAN])[0].tolist() == [1]


@pytest.mark.parametrize("dtype", ALL)
def test_where(dtype):
    array = elements((2, 3), dtype)
    other = elements((3,), dtype, 1)
    condition = np.array([[True], [False]])
    result = tfrt.where(condition, array, other)
    assert_same(result, np.where(condition, array, other))
    assert result.dtype == tfrt.tensor(array).dtype
    assert_same(tfrt.where(array), np.where(array))
    assert tfrt.where(np.zeros((0, 3), "?"), array[:0], other).shape == (0, 3)


def test_where_of_numbers():
    x = tfrt.tensor([1, 2], "i8")
    mask = tfrt.tensor([True, False])
    assert tfrt.where(mask, x, 0).dtype == tfrt.i8 and tfrt.where(mask, x, 0).tolist() == [1, 0]
    assert tfrt.where(mask, 0.5, x).dtype == tfrt.f32 and tfrt.where(mask, 0.5, x).tolist() == [0.5, 2.0]
    assert tfrt.where(mask, mask, 3).dtype == tfrt.i32 and tfrt.where(mask, 1, 0.5).tolist() == [1.0, 0.5]
    assert tfrt.where(mask, 1, 0).dtype == tfrt.i32 and tfrt.where(mask, True, False).dtype == tfrt.i1
    assert tfrt.where(mask, tfrt.tensor([1.0, 2.0], "f16"), 0.0).dtype == tfrt.f16
    assert tfrt.where(mask, tfrt.tensor(1.0, "f64"), tfrt.tensor(2.0)).dtype == tfrt.f64


@pytest.mark.parametrize("dtype", NUMBERS)
def test_places_among_sorted(dtype):
    ordered = np.sort(elements((9,), dtype))
    values = elements((2, 5), dtype, 1)
    for side in ("left", "right"):
        result = tfrt.searchsorted(ordered, values, side=side)
        assert_same(result, np.searchsorted(ordered, values, side))
        assert result.dtype == tfrt.i64
        assert_same(tfrt.searchsorted(ordered[:0], values, side=side), np.zeros((2, 5)))
        assert tfrt.searchsorted(ordered, values[:, :0], side=side).shape == (2, 0)
        mixed = elements((8,), dtype, 2)
        order = np.argsort(mixed)
        assert_same(tfrt.searchsorted(mixed, values, side=side, sorter=order),
                    np.searchsorted(mixed, values, side, order))
    assert tfrt.searchsorted(ordered, values[0, 0]).shape == ()


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_is_the_last_of_sorted(dtype):
    ordered = np.array([-np.inf, -1, 0, 2, np.inf, NAN, NAN], dtype)
    values = np.array([NAN, np.inf, -np.inf, 3, -0.0], dtype)
    for side in ("left", "right"):
        assert_same(tfrt.searchsorted(ordered, values, side=side), np.searchsorted(ordered, values, side))


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("index", ["i4", "i8", "u1", "i2"])
def test_take(dtype, index):
    array = elements((3, 4), dtype)
    indices = np.array([[2, 0], [1, 2]], index)
    for axis in (None, 0, 1, -1):
        assert_same(tfrt.take(array, indices, axis=axis), np.take(array, indices, axis))
    assert_same(tfrt.take(array, indices[0, 0], axis=1), np.take(array, indices[0, 0], 1))
    order = np.argsort(array, 1).astype(index)
    assert_same(tfrt.take_along_axis(array, order, axis=1), np.take_along_axis(array, order.astype("i8"), 1))
    assert_same(tfrt.take_along_axis(array, order[:, :2]), np.take_along_axis(array, order[:, :2].astype("i8"), 1))


def test_indices_from_the_end_and_axes_that_broadcast():
    x = np.arange(12.0).reshape(3, 4)
    assert_same(tfrt.take(x, [-1, 0], axis=0), x[[-1, 0]])
    assert_same(tfrt.take_along_axis(x, [[-1, 0]], axis=1), np.take_along_axis(x, np.array([[-1, 0]]), 1))
    assert_same(tfrt.take_along_axis(x[:1], [[1], [2]], axis=1), np.take_along_axis(x[:1], np.array([[1], [2]]), 1))
    assert tfrt.take(x, [], axis=0).shape == (0, 4)


def test_traced():
    array = elements((4, 5), "f4")
    calls = [
        (lambda x: tfrt.argmax(x, axis=1), lambda x: np.argmax(x, 1)),
        (lambda x: tfrt.argmin(x, keepdims=True), lambda x: np.argmin(x, keepdims=True)),
        (lambda x: tfrt.nonzero(x > 0), lambda x: np.nonzero(x > 0)),
        (lambda x: tfrt.count_nonzero(x, axis=0), lambda x: np.count_nonzero(x, 0)),
        (lambda x: tfrt.where(x > 0, x, 0.5), lambda x: np.where(x > 0, x, 0.5)),
        (lambda x: tfrt.take(x, [3, -2], axis=1), lambda x: np.take(x, [3, -2], 1)),
        (lambda x: tfrt.take_along_axis(x, tfrt.argsort(x, axis=0), axis=0), lambda x: np.sort(x, 0)),
        (lambda x: tfrt.searchsorted([-3.0, 0.0, 2.0], x, side="right"),
         lambda x: np.searchsorted([-3.0, 0.0, 2.0], x, "right")),
    ]
    assert_same_traced(calls, [array])


def test_places_among_sorted_of_open_size():
    ordered, values = np.sort(elements((9,), "f4")), elements((2, 5), "f4", 1)
    assert_same_traced([(lambda x, v: tfrt.searchsorted(x, v), lambda x, v: np.searchsorted(x, v))], [ordered, values])


def test_an_unknown_number_of_results_in_a_trace():
    if not HAS_COMPILER:
        pytest.skip("needs the compiler library")

    @tfrt.function
    def sums(x):
        rows, columns = tfrt.nonzero(x)
        return (rows * 10 + columns).sum(), rows.sum()

    assert [int(each) for each in sums(np.eye(3, dtype="f4"))] == [33, 3]


X = np.zeros((2, 3), "f4")


@pytest.mark.parametrize("call, error, message", [
    (lambda: tfrt.argmax(X, axis=2), IndexError, "axis 2 is out of range for an array of 2 dimensions"),
    (lambda: tfrt.argmin(X, axis=(0, 1)), TypeError, "axis is an int, not tuple"),
    (lambda: tfrt.argmax([]), ValueError, "argmax of an axis of size 0"),
    (lambda: tfrt.argmin(X[:0], axis=0), ValueError, "argmin of an axis of size 0"),
    (lambda: tfrt.nonzero(1.0), ValueError, "1 or more dimensions, not of 0"),
    (lambda: tfrt.count_nonzero(X, axis=-3), ValueError, "axis -3"),
    (lambda: tfrt.where(X, X, X), TypeError, "bools, not"),
    (lambda: tfrt.where(X > 0, X), TypeError, "both x1 and x2"),
    (lambda: tfrt.where(X > 0, X, np.zeros(2, "f4")), ValueError, "2"),
    (lambda: tfrt.searchsorted([1.0], X, side="middle"), ValueError, "'middle'"),
    (lambda: tfrt.searchsorted(X, X), ValueError, "x1 of 1 dimension, not 2"),
    (lambda: tfrt.take(X, [3], axis=1), IndexError, "index 3 is out of range for axis 1"),
    (lambda: tfrt.take(X, [-3], axis=0), IndexError, "index -3 is out of range for axis 0"),
    (lambda: tfrt.take(X, [0.5], axis=0), TypeError, "take takes indices of integers, not"),
    (lambda: tfrt.take(X, [True, False], axis=0), TypeError, "indices of integers"),
    (lambda: tfrt.take_along_axis(X, [0], axis=0), ValueError, "2 dimensions, not 1"),
    (lambda: tfrt.take_along_axis(X, [[0, 0]], axis=0), ValueError, r"shape \(1, 2\)"),
    (lambda: tfrt.take_along_axis(X, [[5, 0, 0]], axis=0), IndexError, "index 5"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("size", [1, 7, 63, 64, 65, 200, 1000])
def test_places_in_long_rows(size):
    rng = np.random.default_rng(size)
    rows = rng.integers(-20, 20, (12, size)).astype("f4")  # with equal ones
    rows[0] = -np.inf
    rows[1] = np.inf
    rows[2, size // 2:] = np.nan
    rows[3, -1] = np.nan
    rows[4] = 0.0
    rows[4, ::2] = -0.0
    for array in (rows, rows.astype("f8"), np.ascontiguousarray(rows[:, ::-1])):
        assert tfrt.argmax(tfrt.tensor(array), axis=1).tolist() == np.argmax(array, axis=1).tolist()
        assert tfrt.argmin(tfrt.tensor(array), axis=1).tolist() == np.argmin(array, axis=1).tolist()
