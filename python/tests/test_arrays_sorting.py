"""Elements in order, beside NumPy's."""

import numpy as np
import pytest

import tfrt
from compare_arrays import ALL, FLOATS, assert_same, assert_same_traced, elements


def descending_order(array, axis):
    """NumPy's order from the largest on, in which equal elements keep theirs."""
    return array.shape[axis] - 1 - np.flip(np.argsort(np.flip(array, axis), axis, kind="stable"), axis)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(3, 40, 5), (2, 0, 3), (1, 1, 1)])
def test_order(dtype, shape):
    array = elements(shape, dtype)
    x = tfrt.tensor(array)
    for axis in (0, 1, -1):
        for stable in (False, True):
            values = tfrt.sort(x, axis=axis, stable=stable)
            assert_same(values, np.sort(array, axis))
            assert values.dtype == x.dtype
            assert_same(tfrt.sort(x, axis=axis, descending=True, stable=stable), np.flip(np.sort(array, axis), axis))
        places = tfrt.argsort(x, axis=axis)
        assert_same(places, np.argsort(array, axis, kind="stable"))
        assert places.dtype == tfrt.i64
        assert_same(tfrt.argsort(x, axis=axis, descending=True), descending_order(array, axis))
    assert_same(tfrt.sort(x), np.sort(array))


@pytest.mark.parametrize("dtype", FLOATS)
def test_numbers_that_are_none(dtype):
    array = np.array([np.nan, 1, -np.inf, np.nan, 0.0, -0.0, np.inf, 1], dtype)
    assert_same(tfrt.sort(array), np.sort(array))
    assert_same(tfrt.argsort(array), np.argsort(array, kind="stable"))
    assert_same(tfrt.sort(array, descending=True), np.flip(np.sort(array)))
    assert tfrt.argsort(array, descending=True).tolist() == [0, 3, 6, 1, 7, 4, 5, 2]


def test_extremes_of_integers():
    for dtype in ("i1", "u1", "i8", "u8"):
        info = np.iinfo(dtype)
        array = np.array([0, info.max, info.min, info.max - 1, 1], dtype)
        assert tfrt.sort(array).tolist() == np.sort(array).tolist()
        assert tfrt.sort(array, descending=True).tolist() == np.sort(array)[::-1].tolist()


def test_traced():
    array = elements((4, 30), "f4")
    assert_same_traced([
        (lambda x: tfrt.sort(x), lambda x: np.sort(x)),
        (lambda x: tfrt.sort(x, axis=0, descending=True), lambda x: np.flip(np.sort(x, 0), 0)),
        (lambda x: tfrt.argsort(x, axis=1), lambda x: np.argsort(x, 1, kind="stable")),
        (lambda x: tfrt.argsort(x, axis=1, descending=True), lambda x: descending_order(x, 1)),
        (lambda x: tfrt.sort(x > 0), lambda x: np.sort(x > 0)),
    ], [array])


@pytest.mark.parametrize("function", [tfrt.sort, tfrt.argsort])
def test_bad_input(function):
    with pytest.raises(ValueError, match="1 or more dimensions, not of 0"):
        function(1.0)
    with pytest.raises(IndexError, match="axis 1 is out of range for an array of 1 dimensions"):
        function([1.0], axis=1)
    with pytest.raises(TypeError, match="axis is an int, not NoneType"):
        function([1.0], axis=None)
