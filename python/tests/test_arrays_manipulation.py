"""Functions that put the same elements in another shape or order, beside those of NumPy."""

import numpy as np
import pytest

import tfrt
from compare_arrays import ALL, assert_same, assert_same_traced, elements

# Functions of an array [2,3,4], and of any of rank 3.
CALLS = [
    (lambda x: tfrt.concat([x, x], axis=1), lambda x: np.concatenate([x, x], 1)),
    (lambda x: tfrt.concat([x, x], axis=-1), lambda x: np.concatenate([x, x], -1)),
    (lambda x: tfrt.concat([x, x], axis=None), lambda x: np.concatenate([x, x], None)),
    (lambda x: tfrt.stack([x, x]), lambda x: np.stack([x, x])),
    (lambda x: tfrt.stack((x, x), axis=-1), lambda x: np.stack([x, x], -1)),
    (lambda x: tfrt.expand_dims(x), lambda x: x[None]),
    (lambda x: tfrt.expand_dims(x, axis=-1), lambda x: x[..., None]),
    (lambda x: tfrt.expand_dims(x, axis=(0, -2)), lambda x: np.expand_dims(x, (0, -2))),
    (lambda x: tfrt.squeeze(tfrt.expand_dims(x, 2), axis=2), lambda x: x),
    (lambda x: tfrt.squeeze(tfrt.expand_dims(x, (0, 4)), axis=(-1, 0)), lambda x: x),
    (lambda x: tfrt.flip(x), lambda x: np.flip(x)),
    (lambda x: tfrt.flip(x, axis=1), lambda x: np.flip(x, 1)),
    (lambda x: tfrt.flip(x, axis=(0, -1)), lambda x: np.flip(x, (0, -1))),
    (lambda x: tfrt.moveaxis(x, 0, -1), lambda x: np.moveaxis(x, 0, -1)),
    (lambda x: tfrt.moveaxis(x, (0, 1), (-1, 0)), lambda x: np.moveaxis(x, (0, 1), (-1, 0))),
    (lambda x: tfrt.permute_dims(x, (2, 0, -2)), lambda x: np.transpose(x, (2, 0, 1))),
    (lambda x: tfrt.reshape(x, (-1, 2)), lambda x: x.reshape(-1, 2)),
    (lambda x: tfrt.reshape(x, -1, copy=True), lambda x: x.reshape(-1)),
    (lambda x: tfrt.roll(x, 1, axis=0), lambda x: np.roll(x, 1, 0)),
    (lambda x: tfrt.roll(x, -7, axis=2), lambda x: np.roll(x, -7, 2)),
    (lambda x: tfrt.roll(x, 5), lambda x: np.roll(x, 5)),
    (lambda x: tfrt.roll(x, (1, 2), axis=(0, 1)), lambda x: np.roll(x, (1, 2), (0, 1))),
    (lambda x: tfrt.roll(x, 2, axis=(1, 2)), lambda x: np.roll(x, 2, (1, 2))),
    (lambda x: tfrt.roll(x, (1, 1), axis=1), lambda x: np.roll(x, (1, 1), 1)),
    (lambda x: tfrt.tile(x, (2,)), lambda x: np.tile(x, 2)),
    (lambda x: tfrt.tile(x, (2, 1, 3)), lambda x: np.tile(x, (2, 1, 3))),
    (lambda x: tfrt.tile(x, (2, 1, 1, 0)), lambda x: np.tile(x, (2, 1, 1, 0))),
    (lambda x: tfrt.repeat(x, 2), lambda x: np.repeat(x, 2)),
    (lambda x: tfrt.repeat(x, 3, axis=1), lambda x: np.repeat(x, 3, 1)),
    (lambda x: tfrt.repeat(x, 0, axis=-1), lambda x: np.repeat(x, 0, -1)),
    (lambda x: tfrt.repeat(x, tfrt.tensor([2]), axis=0), lambda x: np.repeat(x, 2, 0)),
]


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 0, 4), (1, 2, 1)])
def test_as_numpy(dtype, shape):
    array = elements(shape, dtype)
    for i, (call, reference) in enumerate(CALLS):
        if 0 in shape and i == 16:
            continue  # (-1, 2) of no elements: a test of its own
        result = call(tfrt.tensor(array))
        assert_same(result, reference(array), label=f"call {i}")
        assert result.dtype == tfrt.tensor(array).dtype


def test_traced():
    assert_same_traced(CALLS, [elements((2, 3, 4), "f4")])


def test_repeats_for_each_place():
    array = elements((3, 2), "f4")
    repeats = np.array([2, 0, 3], "i4")
    for each in (repeats, repeats.astype("u1"), [2, 0, 3], (2, 0, 3), tfrt.tensor(repeats)):
        assert_same(tfrt.repeat(array, each, axis=0), np.repeat(array, repeats, 0))
    assert_same(tfrt.repeat(array, np.arange(6)), np.repeat(array, np.arange(6)))
    assert_same(tfrt.repeat(array, np.zeros(2, "i4"), axis=1), np.repeat(array, [0, 0], 1))
    assert_same(tfrt.repeat(np.zeros((0,)), np.zeros(0, "i4")), np.zeros(0))
    assert_same_traced([(lambda x, r: tfrt.repeat(x, r, axis=0), lambda x, r: np.repeat(x, r, 0))], [array, repeats])


def test_unstack():
    x = elements((2, 3, 4), "i4")
    for axis in (0, 1, -1):
        parts = tfrt.unstack(x, axis=axis)
        assert isinstance(parts, tuple)
        assert_same(parts, list(np.moveaxis(x, axis, 0)))
        assert_same(tfrt.stack(parts, axis=axis), x)
    assert tfrt.unstack(np.zeros((0, 2), "f4")) == ()


def test_arrays_without_dimensions():
    one = tfrt.tensor(3.0)
    assert tfrt.reshape(one, (1, 1)).tolist() == [[3.0]] and tfrt.reshape([[3.0]], ()).shape == ()
    assert tfrt.flip(one).item() == 3.0 and tfrt.roll(one, 2).item() == 3.0 and tfrt.permute_dims(one, ()).item() == 3.0
    assert tfrt.tile(one, (2,)).tolist() == [3.0, 3.0] and tfrt.tile(one, ()).shape == ()
    assert tfrt.repeat(one, 2).tolist() == [3.0, 3.0] and tfrt.stack([one, one]).tolist() == [3.0, 3.0]
    assert tfrt.concat([one, [1.0]], axis=None).tolist() == [3.0, 1.0] and tfrt.expand_dims(one).shape == (1,)


def test_squeeze_without_an_axis():
    assert tfrt.squeeze(np.zeros((1, 2, 1), "f4")).shape == (2,)
    assert tfrt.squeeze(np.zeros((2, 3), "f4"), axis=()).shape == (2, 3)


def test_reshape_without_elements():
    none = np.zeros((0, 3), "f4")
    assert tfrt.reshape(none, (-1, 3)).shape == (0, 3) and tfrt.reshape(none, (4, -1)).shape == (4, 0)
    assert tfrt.reshape(none, (0, 5)).shape == (0, 5)
    with pytest.raises(ValueError, match="no single shape"):
        tfrt.reshape(none, (0, -1))


def test_arguments_that_are_no_tensors():
    assert tfrt.concat(([1, 2], [3])).tolist() == [1, 2, 3]
    assert tfrt.stack(np.ones((2, 3), "f4")).shape == (2, 3)
    assert tfrt.flip(tfrt.Variable([1.0, 2.0])).tolist() == [2.0, 1.0]
    assert tfrt.permute_dims([[1, 2]], [1, 0]).tolist() == [[1], [2]]


X = np.zeros((2, 3), "f4")


@pytest.mark.parametrize("call, error, message", [
    (lambda: tfrt.concat([]), ValueError, "concat needs at least one array"),
    (lambda: tfrt.stack([]), ValueError, "stack needs at least one array"),
    (lambda: tfrt.concat([X, X[0]]), ValueError, "one rank, not of 1 and 2"),
    (lambda: tfrt.concat([X, X[:, :2]]), ValueError, "3 and 2"),
    (lambda: tfrt.concat([1.0, 2.0]), ValueError, "1 or more dimensions"),
    (lambda: tfrt.concat([X], axis=2), IndexError, "axis 2 is out of range for an array of 2 dimensions"),
    (lambda: tfrt.concat([X], axis=0.5), TypeError, "axis is an int, not float"),
    (lambda: tfrt.stack([X, X[0]]), ValueError, r"one shape, not of \(2, 3\) and \(3,\)"),
    (lambda: tfrt.stack([X], axis=3), ValueError, "axis 3 is out of range for an array of 3 dimensions"),
    (lambda: tfrt.unstack(X, axis=-3), ValueError, "axis -3"),
    (lambda: tfrt.unstack(1.0), ValueError, "0 dimensions"),
    (lambda: tfrt.expand_dims(X, axis=-4), IndexError, "axis -4 is out of range for an array of 3 dimensions"),
    (lambda: tfrt.expand_dims(X, axis=(0, -4)), ValueError, "names an axis twice"),
    (lambda: tfrt.squeeze(X, axis=1), ValueError, "axis 1 of size 3"),
    (lambda: tfrt.squeeze(X, axis=2), IndexError, "axis 2"),
    (lambda: tfrt.flip(X, axis=(0, 0)), ValueError, "names an axis twice"),
    (lambda: tfrt.moveaxis(X, (0, 1), 0), ValueError, "2 axes as source but 1 as destination"),
    (lambda: tfrt.moveaxis(X, 2, 0), IndexError, "source 2"),
    (lambda: tfrt.permute_dims(X, (0,)), ValueError, "are 1 for an array of 2"),
    (lambda: tfrt.permute_dims(X, (0, 0)), ValueError, "twice"),
    (lambda: tfrt.reshape(X, (4, 2)), ValueError, r"\[2, 3\]"),
    (lambda: tfrt.reshape(X, (-1, -1)), ValueError, "-1"),
    (lambda: tfrt.reshape(X, 1.5), TypeError, "float"),
    (lambda: tfrt.roll(X, (1, 2, 3), axis=(0, 1)), ValueError, "3 shifts for 2 axes"),
    (lambda: tfrt.roll(X, 1, axis=2), IndexError, "axis 2"),
    (lambda: tfrt.tile(X, (-1,)), ValueError, "not all 0 or more"),
    (lambda: tfrt.repeat(X, -1), ValueError, "0 or more, not -1"),
    (lambda: tfrt.repeat(X, [1, -1], axis=0), ValueError, "repeats are 0 or more"),
    (lambda: tfrt.repeat(X, [1, 1, 1], axis=0), ValueError, "3 repeats for an axis of size 2"),
    (lambda: tfrt.repeat(X, [0.5, 1.0], axis=0), TypeError, "integers, not "),
    (lambda: tfrt.repeat(X, [[1, 1]], axis=0), ValueError, "0 or 1 dimensions, not 2"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("function", [tfrt.concat, tfrt.stack])
def test_dtypes_that_meet(function):
    pairs = [("i8", "i16", "i16"), ("u8", "i8", "i16"), ("f32", "f64", "f64"), ("f16", "f32", "f32"),
             ("i32", "f32", "f32"),
             ("i1", "u8", "u8")]
    for left, right, both in pairs:
        result = function([tfrt.tensor([1, 0]).astype(left), tfrt.tensor([1, 1]).astype(right)])
        assert result.dtype == tfrt.DType(both) and tfrt.ravel(result).tolist() == [1, 0, 1, 1]
