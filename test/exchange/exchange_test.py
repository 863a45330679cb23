"""Exchanges tensors with NumPy and with TVM's FFI in the DLPack format, in both structs and both directions.

exchange_test.py LIBRARY
"""

import ctypes
import gc
import sys
import time
import unittest
import weakref

import numpy
import tvm_ffi

library = ctypes.CDLL(sys.argv.pop(1))
library.exchange_open.restype = ctypes.c_bool
library.exchange_open.argtypes = [ctypes.c_bool]
library.exchange_error.restype = ctypes.c_char_p
library.exchange_make.restype = ctypes.c_void_p
library.exchange_make.argtypes = [
    ctypes.c_char_p, ctypes.POINTER(ctypes.c_int64), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]
library.exchange_drop.argtypes = [ctypes.c_void_p]
for function in (library.exchange_export, library.exchange_import):
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_void_p, ctypes.c_bool]
library.exchange_double.restype = ctypes.c_void_p
library.exchange_double.argtypes = [ctypes.c_void_p]

python = ctypes.pythonapi
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, DESTRUCTOR]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

NAMES = {True: b"dltensor_versioned", False: b"dltensor"}
USED = {True: b"used_dltensor_versioned", False: b"used_dltensor"}
# A capsule that nobody takes is none of this test's; who takes one deletes the struct.
NO_DESTRUCTOR = DESTRUCTOR()


def checked(pointer):
    if not pointer:
        raise RuntimeError(library.exchange_error().decode())
    return pointer


class Tensor:
    """A tensor of the library, with the protocol of the Python array API."""

    def __init__(self, pointer, versioned=True):
        self.pointer = checked(pointer)
        self.versioned = versioned
        self.end = weakref.finalize(self, library.exchange_drop, self.pointer)

    @staticmethod
    def make(array, versioned=True):
        array = numpy.ascontiguousarray(array).reshape(numpy.shape(array))
        dims = (ctypes.c_int64 * array.ndim)(*array.shape)
        return Tensor(
            library.exchange_make(array.dtype.name.encode(), dims, array.ndim, array.ctypes.data, array.nbytes),
            versioned)

    @staticmethod
    def take(producer, versioned=True):
        """Of another library's array, without a copy where that may be."""
        capsule = producer.__dlpack__(max_version=(1, 0)) if versioned else producer.__dlpack__()
        struct = python.PyCapsule_GetPointer(capsule, NAMES[versioned])
        tensor = Tensor(library.exchange_import(struct, versioned), versioned)
        python.PyCapsule_SetName(capsule, USED[versioned])
        return tensor

    def twice(self):
        self.end.detach()
        return Tensor(library.exchange_double(self.pointer), self.versioned)

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        versioned = self.versioned and max_version is not None and max_version[0] >= 1
        struct = checked(library.exchange_export(self.pointer, versioned))
        return python.PyCapsule_New(struct, NAMES[versioned], NO_DESTRUCTOR)


DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64", "complex128"]


def some(dtype, shape=(2, 3, 4)):
    values = numpy.arange(numpy.prod(shape, dtype=int)) % 100
    if dtype.startswith("complex"):
        values = values + 1j * values[::-1]
    return (values % 2 == 0 if dtype == "bool" else values).astype(dtype).reshape(shape)


class ExchangeTest(unittest.TestCase):
    asynchronous = False

    def setUp(self):
        self.assertTrue(library.exchange_open(self.asynchronous), library.exchange_error())

    def tearDown(self):
        gc.collect()
        library.exchange_close()

    def same(self, actual, expected):
        self.assertEqual(actual.dtype, expected.dtype)
        self.assertEqual(actual.shape, expected.shape)
        numpy.testing.assert_array_equal(actual, expected)

    def test_numpy_reads_what_tfrt_makes(self):
        for versioned in (True, False):
            for dtype in DTYPES:
                for shape in ((2, 3, 4), (7,), (), (0, 3), (1, 1, 1, 1, 1, 2)):
                    with self.subTest(versioned=versioned, dtype=dtype, shape=shape):
                        array = some(dtype, shape)
                        self.same(numpy.from_dlpack(Tensor.make(array, versioned)), array)

    def test_tfrt_reads_what_numpy_makes(self):
        for versioned in (True, False):
            for dtype in DTYPES:
                for shape in ((2, 3, 4), (7,), (), (0, 3), (1, 1, 1, 1, 1, 2)):
                    with self.subTest(versioned=versioned, dtype=dtype, shape=shape):
                        array = some(dtype, shape)
                        self.same(numpy.from_dlpack(Tensor.take(array, versioned)), array)

    def test_strides_of_numpy(self):
        array = some("float32", (4, 6))
        for versioned in (True, False):
            for name, view in {
                "transposed": array.T, "steps": array[::2, 1::3], "backwards": array[::-1, ::-1],
                "broadcast": numpy.broadcast_to(array[0], (3, 6)) if versioned else array.T,  # read-only
                "column": array[:, 2], "nothing of it": array[:0, ::2], "one row, strided": array[1:2, ::5],
            }.items():
                with self.subTest(versioned=versioned, view=name):
                    self.same(numpy.from_dlpack(Tensor.take(view, versioned)), view)

    def test_no_copy_where_none_is_needed(self):
        array = some("float32", (64, 64))
        tensor = Tensor.take(array)
        self.assertEqual(numpy.from_dlpack(tensor).ctypes.data, array.ctypes.data)
        made = Tensor.make(array)
        self.assertEqual(numpy.from_dlpack(made).ctypes.data, numpy.from_dlpack(made).ctypes.data)

    def test_numpy_may_not_write_what_tfrt_made(self):
        view = numpy.from_dlpack(Tensor.make(some("float32")))
        self.assertFalse(view.flags.writeable)

    def test_tfrt_takes_what_is_read_only_and_does_not_write_it(self):
        array = some("float32", (64,))
        array.flags.writeable = False
        with self.assertRaises(BufferError):  # of NumPy: the older struct cannot say it
            Tensor.take(array, versioned=False)
        twice = Tensor.take(array).twice()
        self.same(numpy.from_dlpack(twice), some("float32", (64,)) * 2)
        self.same(array, some("float32", (64,)))

    def test_tfrt_does_not_write_what_it_was_lent(self):
        for versioned in (True, False):
            array = some("float32", (64,))
            twice = Tensor.take(array, versioned).twice()
            self.same(numpy.from_dlpack(twice), array * 2)
            self.same(array, some("float32", (64,)))

    def test_arrays_live_as_long_as_they_are_used(self):
        for versioned in (True, False):
            with self.subTest(versioned=versioned):
                array = some("float32", (1024,))
                before = sys.getrefcount(array)
                tensor = Tensor.take(array, versioned)
                self.assertGreater(sys.getrefcount(array), before)
                view = numpy.from_dlpack(tensor)
                del tensor
                gc.collect()
                self.assertGreater(sys.getrefcount(array), before)
                self.same(view, array)
                del view
                gc.collect()
                # The thread that has published a result holds it a moment longer.
                end = time.monotonic() + 30
                while sys.getrefcount(array) != before and time.monotonic() < end:
                    time.sleep(0.001)
                self.assertEqual(sys.getrefcount(array), before)

    def test_views_outlive_tensor_and_context(self):
        array = some("int64", (512,))
        view = numpy.from_dlpack(Tensor.make(array))
        library.exchange_close()
        gc.collect()
        self.same(view, array)
        del view
        gc.collect()
        self.assertTrue(library.exchange_open(self.asynchronous))

    def test_tvm_ffi_both_ways(self):
        for dtype in ("int32", "float32", "float64", "uint8", "bool"):
            with self.subTest(dtype=dtype):
                array = some(dtype)
                theirs = tvm_ffi.from_dlpack(Tensor.make(array))
                self.assertEqual(tuple(theirs.shape), array.shape)
                self.same(numpy.from_dlpack(theirs), array)
                ours = Tensor.take(tvm_ffi.from_dlpack(array))
                self.same(numpy.from_dlpack(ours), array)

    def test_tvm_ffi_keeps_the_tensor(self):
        array = some("float32", (256,))
        theirs = tvm_ffi.from_dlpack(Tensor.make(array))
        gc.collect()
        self.same(numpy.from_dlpack(theirs), array)


class AsyncExchangeTest(ExchangeTest):
    asynchronous = True


if __name__ == "__main__":
    unittest.main()
