"""Tensors: making them, their exchange with NumPy and others, indexing, pickling."""

import copy
import io
import pickle
import weakref

import ml_dtypes
import numpy as np
import pytest

import tfrt


def test_numbers_and_lists():
    assert tfrt.tensor([[1, 2], [3, 4]]).dtype == tfrt.i32
    assert tfrt.tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert tfrt.tensor(1 << 40).dtype == tfrt.i64
    assert tfrt.tensor([1, 2.5]).dtype == tfrt.f32
    assert tfrt.tensor([True, False]).dtype == tfrt.i1
    assert tfrt.tensor(1j).item() == 1j
    assert tfrt.tensor([]).shape == (0,)
    assert tfrt.tensor([[], []]).shape == (2, 0)
    assert tfrt.tensor((1, 2), dtype="f64").tolist() == [1.0, 2.0]
    assert tfrt.tensor([np.float32(1.5), np.float64(2)]).tolist() == [1.5, 2.0]
    assert tfrt.tensor([tfrt.tensor(3), 4]).tolist() == [3, 4]
    assert tfrt.tensor(2.5).shape == () and tfrt.tensor(2.5).item() == 2.5


@pytest.mark.parametrize("value, dtype, error", [
    ([[1, 2], [3]], None, "different lengths: 2 and 1"),
    ([[1], 2], None, "different depths"),
    ([1, [2]], None, "different depths"),
    (300, "u8", "300 does not fit elements of u8"),
    (-1, "u32", "-1 does not fit elements of u32"),
    (1 << 70, "i64", "does not fit elements of i64"),
])
def test_lists_that_are_no_tensors(value, dtype, error):
    with pytest.raises(ValueError, match=error):
        tfrt.tensor(value, dtype=dtype)


@pytest.mark.parametrize("value, dtype, error", [
    (2.5, "i32", "2.5 does not become i32; cast the tensor, or write an int"),
    (1, "i1", "1 does not become i1; write True or False"),
    (1j, "f32", "a complex number does not become f32"),
    (["a"], None, "a list of numbers has an element of type str"),
    ("text", None, "a list of numbers, not str"),
    (None, None, "not NoneType"),
    (np.array(["a"]), None, "no dtype for elements of the format"),
    (np.zeros(2, np.float32), "f64", "elements of f32, but f64 are wanted"),
])
def test_objects_that_are_no_tensors(value, dtype, error):
    with pytest.raises(TypeError, match=error):
        tfrt.tensor(value, dtype=dtype)


def test_deep_lists():
    nested = 1
    for _ in range(100):
        nested = [nested]
    with pytest.raises(ValueError, match="more than 32 levels"):
        tfrt.tensor(nested)


DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64",
          "complex64", "complex128", ml_dtypes.bfloat16]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_numpy_both_ways_without_copies(dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    borrowed = tfrt.from_numpy(array)
    assert borrowed.shape == (2, 3)
    assert borrowed.dtype.itemsize == array.dtype.itemsize
    back = borrowed.numpy()
    assert back.dtype == array.dtype and (back == array).all()
    assert back.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    assert not back.flags.writeable
    assert (np.asarray(tfrt.tensor(array)) == array).all()
    copied = tfrt.tensor(array).numpy()
    assert copied.__array_interface__["data"][0] != array.__array_interface__["data"][0]


def test_dtypes():
    assert tfrt.DType("float32") is not None and tfrt.DType("float32") == tfrt.f32
    for name in ("bf16", "bfloat16", ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16)):
        assert tfrt.DType(name) == tfrt.bf16
    assert tfrt.DType(bool) == tfrt.i1 and tfrt.DType(int) == tfrt.i64 and tfrt.DType(np.float16) == tfrt.f16
    assert repr(tfrt.f16) == "tfrt.f16" and str(tfrt.f16) == "f16" and tfrt.i64.numpy_name == "int64"
    assert len({tfrt.f32, tfrt.DType("f32"), tfrt.f64}) == 2
    assert pickle.loads(pickle.dumps(tfrt.bf16)) == tfrt.bf16
    with pytest.raises(ValueError, match="there is no dtype 'float31'"):
        tfrt.DType("float31")
    with pytest.raises(TypeError, match="a dtype is"):
        tfrt.DType(3)


def test_arrays_that_do_not_lie_in_one_piece_are_copied():
    array = np.arange(12, dtype="f4").reshape(3, 4)
    for view in (array.T, array[:, 1:3], array[::2], array[::-1]):
        assert (tfrt.from_numpy(view).numpy() == view).all()
        assert (tfrt.from_dlpack(view).numpy() == view).all()
    assert tfrt.from_numpy(np.float32(3)).shape == ()
    assert tfrt.tensor(np.zeros((0, 3), "f4")).shape == (0, 3)


def test_borrowed_arrays_are_released():
    array = np.ones(4, "f4")
    reference = weakref.ref(array)
    tensor = tfrt.from_numpy(array)
    product = tensor * 2.0
    del array
    assert reference() is not None
    del tensor
    assert product.tolist() == [2.0] * 4
    assert reference() is None


def test_dlpack():
    array = np.arange(4, dtype="f4")
    tensor = tfrt.from_dlpack(array)
    assert np.from_dlpack(tensor).__array_interface__["data"][0] == array.__array_interface__["data"][0]
    assert tensor.__dlpack_device__() == (1, 0)
    capsule = tensor.__dlpack__()
    assert tfrt.from_dlpack(capsule).tolist() == [0, 1, 2, 3]
    with pytest.raises(TypeError, match="not a DLPack capsule that has not been used"):
        tfrt.from_dlpack(capsule)
    versioned = tensor.__dlpack__(max_version=(1, 0))
    assert "dltensor_versioned" in repr(versioned)
    copied = np.from_dlpack(tensor, copy=True)
    copied[0] = 7  # nobody else has its memory
    assert copied.tolist() == [7, 1, 2, 3] and tensor.tolist() == array.tolist() == [0, 1, 2, 3]
    assert tfrt.from_dlpack(tensor.__dlpack__(copy=True)).tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="has no streams"):
        tensor.__dlpack__(stream=1)
    with pytest.raises(TypeError, match="has no __dlpack__"):
        tfrt.from_dlpack(3)


def test_buffers_are_read_only():
    view = memoryview(tfrt.tensor([[1.0, 2.0]]))
    assert view.readonly and view.format == "f" and view.shape == (1, 2) and view.tolist() == [[1.0, 2.0]]
    tensor = tfrt.tensor(b"abc")
    assert tensor.dtype == tfrt.u8 and bytes(memoryview(tensor)) == b"abc"
    with pytest.raises((BufferError, TypeError), match="read"):
        io.BytesIO(b"abc").readinto(tensor)
    with pytest.raises(BufferError, match="no format for bf16; use numpy"):
        memoryview(tfrt.tensor([1.0], dtype="bf16"))


def test_arrays_keep_their_tensor():
    array = tfrt.tensor([1.0, 2.0]).numpy()
    assert array.tolist() == [1.0, 2.0]
    row = next(iter(tfrt.tensor([[1.0, 2.0]])))
    assert row.tolist() == [1.0, 2.0]


def test_arrays_that_change_while_they_are_borrowed():
    """Nothing is said about the results, but that there are some."""
    array = np.ones(1000, "f4")
    tensor = tfrt.from_numpy(array)
    with tfrt.Scope(mode="async"):
        sums = [tensor + tensor for _ in range(50)]
        array[:] = 3
        array[10:20] = np.nan
        assert all(s.shape == (1000,) for s in sums)
        assert all(s.numpy().shape == (1000,) for s in sums)
    with pytest.raises(ValueError):
        array.resize(2000)  # it is in use


def test_indexing_as_numpy():
    array = np.arange(60, dtype="i4").reshape(3, 4, 5)
    tensor = tfrt.tensor(array)
    import itertools
    items = [0, 2, -1, slice(None), slice(1, 3), slice(None, None, 2), slice(3, 0, -1), slice(None, None, -1),
             slice(-2, None),
             slice(5, 9), None, Ellipsis]
    for index in itertools.product(items, repeat=2):
        if sum(item is Ellipsis for item in index) > 1:
            continue
        expected = array[index]
        found = tensor[index]
        assert found.shape == expected.shape and (found.numpy() == expected).all(), index
    assert tensor[1].shape == (4, 5) and tensor[...].shape == (3, 4, 5) and tensor[1, 2, 3].item() == 33
    assert (tensor[[2, 0]].numpy() == array[[2, 0]]).all()
    assert (tensor[tfrt.tensor([1, 1])].numpy() == array[[1, 1]]).all()
    assert [row.tolist() for row in tfrt.tensor([[1, 2], [3, 4]])] == [[1, 2], [3, 4]]


@pytest.mark.parametrize("index, kind, error", [
    (3, IndexError, "index 3 is out of range for axis 0 with size 2"),
    ((0, 0, 0), IndexError, "3 indices for a tensor of 2 dimensions"),
    ((..., ...), IndexError, "at most one '...'"),
    (slice(None, None, 0), ValueError, "the step of a slice is not 0"),
    ("a", TypeError, "an index is an int, a slice"),
    (1.5, TypeError, "not float"),
    ([True, False, True], IndexError, "a mask of size 3 along its axis 0 for axis 0 with size 2"),
])
def test_wrong_indices(index, kind, error):
    with pytest.raises(kind, match=error):
        tfrt.tensor([[1, 2], [3, 4]])[index]


def test_as_numbers():
    assert float(tfrt.tensor(2.5)) == 2.5 and int(tfrt.tensor(3)) == 3 and bool(tfrt.tensor([0])) is False
    assert [10, 20, 30][tfrt.tensor(1)] == 20 and len(tfrt.tensor([1, 2])) == 2
    with pytest.raises(ValueError, match="the tensor has 2 elements, not one"):
        bool(tfrt.tensor([1, 2]))
    with pytest.raises(TypeError, match="only a tensor of integers is an index"):
        [1][tfrt.tensor(0.0)]
    with pytest.raises(TypeError, match="has no length"):
        len(tfrt.tensor(1))
    with pytest.raises(TypeError, match="has no rows"):
        iter(tfrt.tensor(1))


def test_repr():
    assert repr(tfrt.tensor([1.5])) == "tensor([1.5], dtype=f32)" and str(tfrt.tensor([1.5, 2])) == "[1.5 2. ]"
    assert repr(tfrt.tensor([0] * 2000)) == "tensor([0, 0, 0, ..., 0, 0, 0], shape=(2000,), dtype=i32)"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickling(protocol):
    for value in ([[1.5, 2.5]], 3, [], [[], []], np.zeros((2, 0, 3), "f4"), np.arange(100).reshape(4, 25),
                  np.ones(3, ml_dtypes.bfloat16)):
        tensor = tfrt.tensor(value)
        same = pickle.loads(pickle.dumps(tensor, protocol))
        assert same.dtype == tensor.dtype and same.shape == tensor.shape and same.tolist() == tensor.tolist()


def test_pickling_without_copies():
    tensor = tfrt.tensor(np.arange(1000.0))
    buffers = []
    data = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    assert len(data) < 500 and len(buffers) == 1
    assert pickle.loads(data, buffers=buffers).tolist() == tensor.tolist()


def test_copies_change_alone():
    tensor = tfrt.tensor([1.0])
    copies = [copy.copy(tensor), copy.deepcopy([tensor])[0], +tensor]
    tensor[0] += 1.0
    assert tensor.item() == 2.0 and [each.item() for each in copies] == [1.0] * 3


def test_bf16_without_ml_dtypes(run_python):
    run_python("""
        import sys
        sys.modules["ml_dtypes"] = None
        import tfrt
        x = tfrt.tensor([1.5, 2.0], dtype="bf16")
        assert x.tolist() == [1.5, 2.0]
        try:
            x.numpy()
        except ImportError as error:
            assert "install ml_dtypes, or use tfrt.cast(x, 'f32')" in str(error)
        else:
            raise AssertionError
        assert tfrt.cast(x, "f32").numpy().tolist() == [1.5, 2.0]
    """)
