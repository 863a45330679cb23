"""Item assignment: the object changes as an array of NumPy does, and nothing else does."""

import copy
import pickle
import random
import threading

import numpy as np
import pytest

import tfrt
from compare_arrays import HAS_COMPILER
from test_arrays_indexing import ARRAY, DTYPES, INDICES, MASK, ROWS, converted, some_index, taken


def check_assignment(array, index, value, of_tensor=True):
    expected = array.copy()
    try:
        expected[index] = value
    except (TypeError, ValueError):  # a value that NumPy does not broadcast to a mask
        expected[index] = value.reshape(array[index].shape)
    tensor, alone = tfrt.tensor(array), tfrt.tensor(array)
    before, same = copy.copy(tensor), tensor
    tensor[converted(index)] = tfrt.tensor(value) if of_tensor else value
    assert np.array_equal(tensor.numpy(), expected) and tensor.shape == array.shape, index
    alone[converted(index)] = tfrt.tensor(value) if of_tensor else value
    assert np.array_equal(alone.numpy(), expected) and alone.shape == array.shape, index
    assert same is tensor and tensor.dtype == before.dtype and np.array_equal(before.numpy(), array)


@pytest.mark.parametrize("number", range(len(INDICES)))
def test_as_numpy(number):
    index = INDICES[number] if not isinstance(INDICES[number], range) else list(INDICES[number])
    shape = ARRAY[index].shape
    value = -1.0 - np.arange(np.prod(shape, dtype=int), dtype="f4").reshape(shape)
    check_assignment(ARRAY, index, value)
    check_assignment(ARRAY, index, 7.5, False)
    check_assignment(ARRAY, index, value[None], False)
    if shape and shape[0]:
        check_assignment(ARRAY, index, value[:1])
        check_assignment(ARRAY, index, value[0])


@pytest.mark.parametrize("seed", range(4))
def test_random_assignments(seed):
    rng, num_done = random.Random(seed), 0
    for _ in range(100):
        shape = [rng.choice([1, 2, 3, 4]) if rng.random() < 0.95 else 0 for _ in range(rng.randint(1, 4))]
        array = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        index = some_index(shape, rng)
        chosen = taken(array, index)
        if chosen is None:
            continue
        num_done += 1
        check_assignment(array, index, -np.arange(chosen.size, dtype="i4").reshape(chosen.shape))
    assert num_done > 50


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    array = (np.arange(12).reshape(3, 4) % 5).astype(dtype)
    value = np.array([1, 0, 1, 1], dtype)
    for index in (1, [2, 0], (slice(None, None, 2), slice(None)), array > 1):
        check_assignment(array, index, value if not isinstance(index, np.ndarray) else value[0])


@pytest.mark.parametrize("dtype, value", [
    ("f32", 2), ("f32", True), ("f32", 0.5), ("i32", True), ("i32", 2), ("i1", True), ("f64", np.float32(0.5)),
    ("f32", np.array([1, 2, 3])), ("f32", [1, 2, 3]), ("f32", [0.5, 1, 2]), ("f16", np.float64(0.5)),
    ("i8", np.array(3, "i8")), ("i64", np.array([True, False, True])), ("u8", np.array([1, 2, 3], "i4")), ("bf16", 0.5),
    ("complex64", 2.5)])
def test_values_are_cast_within_their_kind(dtype, value):
    tensor = tfrt.cast(tfrt.tensor([4, 5, 6]), dtype)
    tensor[:] = value
    assert tensor.tolist() == np.broadcast_to(value, 3).tolist() and tensor.dtype.name == dtype


@pytest.mark.parametrize("dtype, value", [
    ("i32", 0.5), ("i32", np.array([0.5])), ("i32", [1.5]), ("i1", 1), ("i1", np.array([1])), ("i1", 0.5), ("f32", 1j),
    ("i32", np.float32(1))])
def test_values_of_another_kind(dtype, value):
    tensor = tfrt.cast(tfrt.tensor([0, 1, 0]), dtype)
    with pytest.raises(TypeError, match=f"assigned to a tensor of {dtype}"):
        tensor[0] = value
    assert tensor.tolist() == [0, 1, 0]


@pytest.mark.parametrize("index, value, kind, error", [
    (0, [1.0, 2.0], ValueError, r"a value of the shape \(2,\) is not broadcast to items of the shape \(4, 5\)"),
    (0, np.ones((2, 4, 5), "f4"), ValueError, r"shape \(2, 4, 5\) is not broadcast to items of the shape \(4, 5\)"),
    (slice(0, 2), np.ones((3, 4, 5), "f4"), ValueError, r"shape \(3, 4, 5\) is not .* shape \(2, 4, 5\)"),
    (..., np.ones((2, 4, 5), "f4"), ValueError, r"items of the shape \(3, 4, 5\)"),
    (MASK, np.ones(2, "f4"), ValueError, r"shape \(2,\) is not broadcast to items of the shape \(20,\)"),
    (MASK[:, 0, 0], np.ones(3, "f4"), ValueError, r"shape \(3,\) is not broadcast"),
    (3, 1.0, IndexError, "index 3 is out of range for axis 0 with size 3"),
    ((0, -5), 1.0, IndexError, "index -5 is out of range for axis 1 with size 4"),
    ([0, 3], 1.0, IndexError, "index 3 is out of range for axis 0 with size 3"),
    ((ROWS, [0, 1, 4]), 1.0, IndexError, "index 4 is out of range for axis 1 with size 4"),
    ((0, 0, 0, 0), 1.0, IndexError, "4 indices for a tensor of 3 dimensions"),
    ([True], 1.0, IndexError, "a mask of size 1 along its axis 0 for axis 0 with size 3"),
    ("a", 1.0, TypeError, "an index is an int, a slice"),
    (0, "a", TypeError, "tensor"),
    (0, None, TypeError, "tensor"),
])
def test_bad_input(index, value, kind, error):
    tensor = tfrt.tensor(ARRAY)
    with pytest.raises(kind, match=error):
        tensor[index] = value
    assert np.array_equal(tensor.numpy(), ARRAY)


def test_the_last_of_equal_places_counts():
    tensor = tfrt.tensor([0.0, 0.0])
    tensor[[1, 1, 0, 1]] = [1.0, 2.0, 3.0, 4.0]
    assert tensor.tolist() == [3.0, 4.0]


def test_names_of_one_object_and_others():
    first = tfrt.tensor([1.0, 2.0, 3.0])
    same, row, shared, reshaped = first, first[0], copy.copy(first), first.reshape(3)
    number = hash(first)
    first[0] = 9.0
    first[1:] += 1.0
    assert same is first and same.tolist() == [9.0, 3.0, 4.0] and hash(first) == number and {first: 1}[same] == 1
    assert row.item() == 1.0 and shared.tolist() == [1.0, 2.0, 3.0] == reshaped.tolist()
    first[0], first[-1] = first[-1], first[0]
    assert first.tolist() == [4.0, 3.0, 9.0]


def test_value_is_the_tensor_itself():
    tensor = tfrt.tensor([[1, 2], [3, 4]])
    tensor[0] = tensor[1]
    tensor[:, ::-1] = tensor
    assert tensor.tolist() == [[4, 3], [4, 3]]
    tensor[...] = tensor
    assert tensor.tolist() == [[4, 3], [4, 3]]


def address(tensor):
    return np.from_dlpack(tensor).ctypes.data


def test_elements_that_nothing_shares_change_in_place():
    tensor = tfrt.tensor(np.arange(3000, dtype="f4").reshape(30, 100))
    mask = tfrt.tensor(np.arange(3000).reshape(30, 100) % 7 == 0)
    expected, place, whole = tensor.numpy().copy(), address(tensor), slice(None)
    for index, value in ((3, 1.5), ((whole, 5), -2), ((..., slice(None, None, -3)), 7), ((-1, -1), 3.0), (..., 9),
                         ((slice(1, 3), slice(90, None)), 0.25), (whole, np.arange(100, dtype="f4")),
                         ((slice(None, None, 2), 4), np.arange(15, dtype="f4")), (slice(5, 5), 4.0),
                         ((whole, slice(0, 1)), np.ones((30, 1), "f4"))):
        tensor[index] = tfrt.tensor(value) if isinstance(value, np.ndarray) else value
        expected[index] = value
        assert np.array_equal(tensor.numpy(), expected) and address(tensor) == place, index
    tensor[mask] = -1.0
    expected[mask.numpy()] = -1.0
    assert np.array_equal(tensor.numpy(), expected) and address(tensor) == place


def test_elements_that_something_shares_are_copied():
    array = np.arange(1000, dtype="f4")
    borrowed, tensor = tfrt.tensor(array, copy=False), tfrt.tensor(array)
    borrowed[0] = 5.0
    assert array[0] == 0.0 and borrowed[0].item() == 5.0
    for share in (copy.copy, lambda x: x.reshape(10, 100), np.from_dlpack, memoryview, tfrt.from_dlpack,
                  lambda x: [+x]):
        other, place = share(tensor), address(tensor)
        before = np.array(other[0] if isinstance(other, list) else other)
        tensor[1] += 1.0
        tensor[tensor > 900.0] = 2.0
        assert address(tensor) != place
        assert np.array_equal(np.array(other[0] if isinstance(other, list) else other), before)


def test_a_mask_that_is_the_tensor_itself():
    tensor = tfrt.tensor([True, False, True])
    tensor[tensor] = False
    assert tensor.tolist() == [False] * 3
    with pytest.raises((OverflowError, TypeError, ValueError)):
        tfrt.tensor([1, 2], dtype="i8")[0] = 300


def test_consumers_keep_what_they_were_given():
    tensor = tfrt.tensor([1.0, 2.0])
    array, view, other = tensor.numpy(), memoryview(tensor), np.from_dlpack(tensor)
    imported, pickled = tfrt.from_dlpack(tensor), pickle.dumps(tensor)
    for _ in range(3):
        tensor[0] = 7.0
    for given in (array, other, imported):
        assert given.tolist() == [1.0, 2.0]
    assert view.tolist() == [1.0, 2.0] and pickle.loads(pickled).tolist() == [1.0, 2.0]
    assert tensor.tolist() == [7.0, 2.0]
    del tensor
    assert array.tolist() == [1.0, 2.0] == view.tolist()


def test_producers_do_not_change():
    array = np.array([1.0, 2.0], "f4")
    for tensor in (tfrt.from_dlpack(array), tfrt.from_numpy(array), tfrt.tensor(array)):
        tensor[0] = 5.0
        assert tensor.tolist() == [5.0, 2.0] and array.tolist() == [1.0, 2.0]


def test_variables():
    variable = tfrt.Variable([1.0, 2.0, 3.0])
    before = variable.read()
    variable[1:] = 0.0
    variable[0] += 4.0
    variable[tfrt.tensor([2])] = [8]
    assert variable.read().tolist() == [5.0, 0.0, 8.0] and before.tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(TypeError, match="assigned to a tensor of f32"):
        variable[0] = 1j

    @tfrt.function
    def f(v, x):
        v[0] = x
        return v * 2.0

    assert f(variable, tfrt.tensor(1.5)).tolist() == [3.0, 0.0, 16.0] and variable.read().tolist() == [1.5, 0.0, 8.0]


def test_threads_see_one_value_or_another():
    tensor = tfrt.tensor(np.zeros(4096, "f4"))
    seen, end = set(), threading.Event()

    def read():
        while not end.is_set():
            array = tensor.numpy()
            seen.add((float(array[0]), float(array[-1])))
            assert (tensor * 2.0).shape == (4096,) and float(tfrt.from_dlpack(tensor)[7]) >= 0.0

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(1, 60):
        tensor[:] = float(number)
    end.set()
    for thread in threads:
        thread.join()
    assert seen and all(first == last for first, last in seen) and tensor[5].item() == 59.0


@pytest.mark.parametrize("index", [
    1, -1, (slice(None), slice(None, None, -2)), [0, 2], (ROWS, ROWS), (ROWS, slice(None), ROWS), MASK, MASK[:, 0, 0],
    (0, MASK[0]),
    ..., (..., None, 2), (1, 2, 3)], ids=str)
def test_gradients_are_those_of_where(index):
    value = np.asarray(np.random.RandomState(2).rand(*ARRAY[index].shape), "f4")
    weights = np.random.RandomState(3).rand(*ARRAY.shape).astype("f4")
    is_set = np.zeros(ARRAY.shape, "?")
    is_set[index] = True

    def assigned(x, y):
        x[converted(index)] = y * 2.0
        return (x * x * weights).sum()

    of_x, of_y = tfrt.grad(assigned, argnums=(0, 1))(tfrt.tensor(ARRAY), tfrt.tensor(value))
    full = np.zeros_like(ARRAY)
    full[index] = value
    np.testing.assert_allclose(of_x.numpy(), np.where(is_set, 0.0, 2.0 * ARRAY * weights), rtol=1e-5)
    np.testing.assert_allclose(of_y.numpy(), (8.0 * full * weights)[index], rtol=1e-5)


def test_gradient_of_one_value_for_a_mask():
    def assigned(x, y):
        x[x > 1.0] = y
        return (x * x).sum()

    of_x, of_y = tfrt.grad(assigned, argnums=(0, 1))(tfrt.tensor([1.0, 2.0, 3.0]), tfrt.tensor(5.0))
    assert of_x.tolist() == [2.0, 0.0, 0.0] and of_y.item() == 20.0


def test_tensors_on_their_way():
    with tfrt.Scope(mode="async"):
        tensor = tfrt.tensor(np.ones((64, 64), "f4"))
        product = tensor @ tensor
        before = copy.copy(product)
        product[0] = 0.0
        product[:, [1, 2]] = product[:, [3, 3]] * 2.0
        assert product.numpy()[0].sum() == 0.0 and product.numpy()[1, :4].tolist() == [64.0, 128.0, 128.0, 64.0]
        assert (before.numpy() == 64.0).all()


@pytest.mark.parametrize("f", [
    tfrt.ravel, tfrt.flatten, lambda x: tfrt.diff(x, n=0), lambda x: tfrt.pad(x, 0, mode="edge"),
    lambda x: tfrt.squeeze(x, ()),
    lambda x: tfrt.flip(x, axis=()), lambda x: tfrt.tile(x, ()), lambda x: tfrt.einsum("i->i", x), tfrt.atleast_1d,
    lambda x: tfrt.nan_to_num(tfrt.asarray(x)), lambda x: tfrt.nn.Dropout(0.5)(x)])
def test_a_result_that_equals_an_argument_is_another_object(f):
    x = tfrt.tensor([1.0, 2.0])
    y = f(x)
    y[0] = 9.0
    assert x.tolist() == [1.0, 2.0] and y.tolist() == [9.0, 2.0]


class Changing:
    """An array whose conversion assigns to a tensor."""

    def __init__(self, tensor):
        self.tensor, self.ones = tensor, tfrt.ones(4096)

    def __dlpack__(self, **arguments):
        self.tensor[...] = 0.0
        self.kept = [tfrt.full((4096,), 7.0) for _ in range(8)]  # where the old elements were, if they are gone
        return self.ones.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.ones.__dlpack_device__()


def test_an_argument_is_kept_while_another_is_converted():
    x = tfrt.full((4096,), 100.0)
    assert set(tfrt.add(x, Changing(x)).tolist()) == {101.0}


def test_assignment_while_other_threads_compute():
    x, stop, wrong = tfrt.full((4096,), 1.0), threading.Event(), []

    def compute(f):
        while not stop.is_set():
            values = set(f(x).tolist())
            if len(values) != 1 or not values <= {2.0, 4.0}:
                wrong.append(values)

    step = tfrt.function(lambda x: x + x) if HAS_COMPILER else lambda x: x + x
    threads = [threading.Thread(target=compute, args=(f,)) for f in (lambda x: x + x, lambda x: x + x[:], step)]
    for thread in threads:
        thread.start()
    for i in range(300):
        x[...] = tfrt.full((4096,), float(1 + i % 2))
    stop.set()
    for thread in threads:
        thread.join()
    assert all(values <= {2.0, 3.0, 4.0} and len(values) == 1 for values in wrong)  # x + x[:] may see two values of x
