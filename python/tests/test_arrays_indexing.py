"""Indices, compared with NumPy's: of all kinds, alone and together, eager and traced."""

import itertools
import random

import numpy as np
import pytest

import tfrt
from compare_arrays import HAS_COMPILER

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64")
ARRAY = np.arange(60, dtype="f4").reshape(3, 4, 5)
MASK = ARRAY % 3 == 0
ROWS, COLUMNS = np.array([2, -1, 0]), np.array([[1], [-3]])

INDICES = [
    ROWS, COLUMNS, np.array(1), [0, -1], [[0, 1], [2, 2]], np.zeros((0,), "i8"), np.zeros((2, 0), "i4"),
    (ROWS, ROWS), (ROWS, 1), (1, ROWS), (ROWS, slice(None), ROWS), (slice(None), ROWS, ROWS), (slice(None), ROWS),
    (slice(None), ROWS, 1), (0, slice(None), ROWS), (ROWS, None, ROWS), (None, ROWS, ROWS), (ROWS, ..., ROWS),
    (ROWS, slice(1, 3), slice(None, None, -2)), (COLUMNS, ROWS[:2]), (COLUMNS, ROWS[:2], ROWS[:1]), (..., ROWS),
    (..., 1, ROWS), (ROWS, ROWS, ROWS, ...), (ROWS, ROWS, ..., ROWS), (np.array(0), slice(None), np.array(-1)),
    (np.array(2), ROWS), ([0, 1], [1, 2]), ([0, 1], slice(1, None)), (slice(None), [True, False, True, False]),
    range(2), MASK, MASK.tolist(), MASK[:, 0, 0], MASK[:, :, 0], (MASK[:, 0, 0], 1), (slice(None), MASK[0]),
    (slice(None), MASK[0, :, 0]), (MASK[:, 0, 0], slice(None), MASK[0, 0]), (MASK[:, :, 0], ROWS[:1]), (1, MASK[0]),
    (MASK[:, 0, 0], None, ..., 0), (..., MASK[0, 0]), True, False, (True, 1), (1, True), (slice(None), False),
    (True, ROWS), np.zeros((3, 4, 5), "?"), (np.array(True), slice(None)), np.ones((3, 4, 5), "?"), (), ...,
    (Ellipsis, None), -3, (-1, -1, -1), (slice(4, 0, -2), slice(-2, None), slice(9, 1)),
]


def converted(index):
    if isinstance(index, tuple):
        return tuple(map(converted, index))
    return tfrt.tensor(index) if isinstance(index, np.ndarray) else index


def check(found, expected, what):
    assert found.shape == np.shape(expected), (what, found.shape, np.shape(expected))
    assert np.array_equal(found.numpy(), expected), what


@pytest.mark.parametrize("number", range(len(INDICES)))
def test_as_numpy(number):
    index = INDICES[number]
    expected = ARRAY[index if not isinstance(index, range) else list(index)]
    tensor = tfrt.tensor(ARRAY)
    check(tensor[index], expected, index)
    check(tensor[converted(index)], expected, index)


def test_traced_as_eager():
    @tfrt.function
    def all_of(x, indices):
        return [x[index] for index in indices]

    indices = [converted(index) for index in INDICES if not isinstance(index, range)]
    for index, found in zip(indices, all_of(tfrt.tensor(ARRAY), indices)):
        check(found, tfrt.tensor(ARRAY)[index].numpy(), index)


def test_traced_with_open_sizes():
    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None, 4, None]), tfrt.TensorSpec("i32", [None]),
                                    tfrt.TensorSpec("i1", [None, 4, None])])
    def some(x, rows, mask):
        return (x[1], x[-1], x[1:, 1], x[..., ::-1], x[rows], x[rows, rows], x[:, rows, None], x[rows, 1, rows],
                x[mask],
                x[mask[:, 0, 0]], x[:, mask[0]], x[rows[0]], x[rows[0], :, rows[1]])

    for array in (ARRAY, ARRAY[:, :, :3]):
        mask = array % 3 == 0
        expected = (array[1], array[-1], array[1:, 1], array[..., ::-1], array[ROWS], array[ROWS, ROWS],
                    array[:, ROWS, None], array[ROWS, 1, ROWS], array[mask], array[mask[:, 0, 0]], array[:, mask[0]],
                    array[2], array[2, :, -1])
        found = some(tfrt.tensor(array), tfrt.tensor(ROWS.astype("i4")), tfrt.tensor(mask))
        for number, (one, other) in enumerate(zip(found, expected)):
            check(one, other, number)
    assert some.statistics["traces"] == 1


def some_index(shape, rng):
    """An index of up to as many axes, as a tuple for NumPy."""
    items, axis, together = [], 0, rng.choice([(2,), (3,), (2, 3), (1,)])
    while axis < len(shape) and rng.random() < 0.9:
        size, kind = shape[axis], rng.random()
        if kind < 0.1:
            items.append(None)
        elif (kind < 0.2 and Ellipsis not in [type(item) for item in items]
              and not any(item is Ellipsis for item in items)):
            items.append(Ellipsis)
            axis += rng.randint(0, len(shape) - axis)
        elif kind < 0.45:
            items.append(slice(rng.choice([None, rng.randint(-size - 2, size + 2)]),
                               rng.choice([None, rng.randint(-size - 2, size + 2)]), rng.choice([None, 1, 2, -1, -2])))
            axis += 1
        elif kind < 0.6 and size:
            items.append(rng.randint(-size, size - 1))
            axis += 1
        elif kind < 0.85 and size:
            of = rng.choice([together, together[-1:], (), (1,)])
            numbers = [rng.randint(-size, size - 1) for _ in range(int(np.prod(of)))]
            items.append(np.array(numbers, dtype=rng.choice(["i1", "i2", "i4", "i8"])).reshape(of))
            axis += 1
        elif rng.random() < 0.5:
            of = rng.randint(1, len(shape) - axis)
            items.append(np.array([rng.random() < 0.5 for _ in range(int(np.prod(shape[axis:axis + of])))]
                                  ).reshape(shape[axis:axis + of]).astype("?"))
            axis += of
    return tuple(items)


def taken(array, index):
    try:
        return array[index]
    except IndexError:
        return None


@pytest.mark.parametrize("seed", range(4))
def test_random_indices(seed):
    rng, num_refused = random.Random(seed), 0
    for _ in range(150):
        shape = [rng.choice([1, 2, 3, 4]) if rng.random() < 0.95 else 0 for _ in range(rng.randint(1, 4))]
        array = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        index = some_index(shape, rng)
        expected, found = taken(array, index), taken(tfrt.tensor(array), converted(index))
        assert (expected is None) == (found is None), (shape, index)
        num_refused += expected is None
        if expected is not None:
            check(found, expected, (shape, index))
    assert num_refused < 50


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    array = (np.arange(12).reshape(3, 4) % 5).astype(dtype)
    tensor = tfrt.tensor(array)
    for index in (1, (slice(None), -1), [2, 0], ([0, 1], [1, 2]), array > 1, (array > 1)[:, 0]):
        check(tensor[index], array[index], index)
        assert tensor[index].dtype == tensor.dtype
    if dtype[:3] in ("int", "uin"):
        check(tfrt.tensor(ARRAY[:, 0])[tfrt.tensor(np.array([1, 2], dtype))], ARRAY[[1, 2], 0], dtype)


@pytest.mark.parametrize("index, kind, error", [
    (3, IndexError, "index 3 is out of range for axis 0 with size 3"),
    ((0, -5), IndexError, "index -5 is out of range for axis 1 with size 4"),
    ([0, 3], IndexError, "index 3 is out of range for axis 0 with size 3"),
    ((slice(None), [0, -5]), IndexError, "index -5 is out of range for axis 1 with size 4"),
    (([0, 1], [1, 4]), IndexError, "index 4 is out of range for axis 1 with size 4"),
    (([0, 1], 4), IndexError, "index 4 is out of range for axis 1 with size 4"),
    (([0, 1], [1, 2, 3]), IndexError, r"indices of the shapes \(2,\), \(3,\) are not broadcast together"),
    ((0, 0, 0, 0), IndexError, "4 indices for a tensor of 3 dimensions"),
    ((MASK, 0), IndexError, "4 indices for a tensor of 3 dimensions"),
    (([0], ..., [0], ...), IndexError, "at most one '...'"),
    ([True, False], IndexError, "a mask of size 2 along its axis 0 for axis 0 with size 3"),
    ((slice(None), MASK[:, :, 0]), IndexError, "a mask of size 3 along its axis 0 for axis 1 with size 4"),
    ((slice(None, None, 0), [0]), ValueError, "the step of a slice is not 0"),
    ("a", TypeError, "an index is an int, a slice"),
    (1.5, TypeError, "not float"),
    (slice(0.5, 1), TypeError, "float"),
    ([0.5], TypeError, "an index is of integers or bools, not of f32"),
    (tfrt.tensor(0.5), TypeError, "an index is of integers or bools, not of f32"),
])
def test_wrong_indices(index, kind, error):
    with pytest.raises(kind, match=error):
        tfrt.tensor(ARRAY)[index]
    # Elements of arrays are compared when the program runs.
    with pytest.raises((kind, ValueError),
                       match=error if "[" not in str(index) else rf"{error}|test_arrays_indexing.py:\d+"):
        tfrt.function(lambda x: x[index])(tfrt.tensor(ARRAY))


def test_masks_of_size_0():
    """The standard has them for axes of any size; NumPy does not."""
    tensor = tfrt.tensor(ARRAY)
    for shape, rest in (((0,), (4, 5)), ((3, 0), (5,)), ((0, 0, 5), ())):
        mask = tfrt.tensor(np.zeros(shape, "?"))
        assert tensor[mask].shape == (0, *rest)
        assert tfrt.function(lambda x, m: x[m])(tensor, mask).shape == (0, *rest)
        tensor[mask] = 1.0
        tensor[mask] = np.zeros((0, *rest), "f4")
    assert np.array_equal(tensor.numpy(), ARRAY)


def test_wrong_indices_that_the_program_finds():
    f = tfrt.function(lambda x, i: x[i])
    with pytest.raises(ValueError, match=r"test_arrays_indexing.py:\d+.*index 7 is out of range for axis 0"):
        f(tfrt.tensor(ARRAY), tfrt.tensor([7]))
    assert f(tfrt.tensor(ARRAY), tfrt.tensor([-3])).shape == (1, 4, 5)


def test_traced_bounds_of_slices():
    @tfrt.function
    def f(x, i, n):
        y = x * 1.0
        y[i:i + n] = -1.0
        return x[i:i + n], x[:, i:], x[n::-1, 1], y

    x = tfrt.tensor(ARRAY)
    for i, n in ((0, 2), (1, 1), (2, 2), (-2, 1)):
        y = ARRAY.copy()
        y[i:i + n] = -1.0
        for found, expected in zip(f(x, tfrt.tensor(i), tfrt.tensor(n)),
                                   (ARRAY[i:i + n], ARRAY[:, i:], ARRAY[n::-1, 1], y)):
            check(found, expected, (i, n))
    with pytest.raises(TypeError, match="a bound of a slice is one integer, not f32"):
        tfrt.function(lambda x: x[x[0, 0, 0]:])(x)


def test_variables_as_indices_and_indexed():
    variable, which = tfrt.Variable([1.0, 2.0, 3.0]), tfrt.Variable(1)
    assert variable[which].item() == 2.0 and variable[[True, False, True]].tolist() == [1.0, 3.0]
    assert variable[::-1].tolist() == [3.0, 2.0, 1.0] and tfrt.tensor([4, 5])[which].item() == 5


def test_results_are_tensors_of_their_own():
    tensor = tfrt.tensor([1.0, 2.0])
    for index in (..., slice(None), (), (slice(None), ...)):
        other = tensor[index]
        other[0] = 9.0
        assert tensor.tolist() == [1.0, 2.0] and other.tolist() == [9.0, 2.0]


@pytest.mark.parametrize("index", [
    1, (slice(None), slice(None, None, -2)), [0, 2, 0], (ROWS, ROWS), (ROWS, slice(None), ROWS), MASK, MASK[:, 0, 0],
    (0, MASK[0]),
    (..., None, 2)], ids=str)
def test_gradients(index):
    """Each element has as much as it is chosen times."""
    weights = np.random.RandomState(1).rand(*ARRAY[index].shape).astype("f4")
    found = tfrt.grad(lambda x: (x[converted(index)] * weights).sum())(tfrt.tensor(ARRAY))
    expected = np.zeros_like(ARRAY)
    np.add.at(expected, index, weights)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_all_pairs_of_kinds():
    kinds = [1, slice(1, None), None, Ellipsis, [1, 0], np.array([[0], [1]]), np.array(1), [True, False, True], True]
    array = np.arange(27).reshape(3, 3, 3)
    tensor = tfrt.tensor(array)
    for index in itertools.product(kinds, repeat=3):
        if sum(item is Ellipsis for item in index) > 1:
            continue
        expected, found = taken(array, index), taken(tensor, index)
        assert (expected is None) == (found is None), index
        if expected is not None:
            check(found, expected, index)


@pytest.mark.parametrize("number", [1 << 63, (1 << 64) - 1])
def test_unsigned_indices_do_not_wrap(number):
    """Indices that i64 does not have are out of range, and do not count from the end."""
    x, index = tfrt.tensor([1.0, 2.0, 3.0]), tfrt.tensor([0, number], "u64")

    def assign():
        tfrt.tensor([1.0, 2.0])[index] = 5.0

    for wrong in (lambda: x[index], lambda: x[index[1]], lambda: x[np.array([number], "u8")], lambda: x[number], assign,
                  lambda: tfrt.take(x, index), lambda: tfrt.take_along_axis(x, index),
                  lambda: tfrt.ones((2, 2))[index, index]):
        with pytest.raises(IndexError, match="out of range"):
            wrong()
    assert x[tfrt.tensor([2, 0], "u64")].tolist() == [3.0, 1.0] and x[: index[1]].shape == (3,)
    if HAS_COMPILER:
        for function in (lambda x, index: x[index], tfrt.take):
            with pytest.raises(tfrt.InvalidArgumentError, match="out of range for axis 0"):
                tfrt.function(function)(x, index)
