"""What tensors can do that is made of ops, and their exchange with NumPy."""

import functools

from ._tfrt import Tensor, Variable, _from_bytes, bf16, tensor
from . import ops
from ._tfrt import _ops


def from_numpy(array) -> Tensor:
    """A tensor over the elements of a NumPy array, without a copy if they lie in one piece.

    The array must not change as long as a tensor uses it: what ops compute of it then is not said.
    """
    return tensor(array, copy=False)


def cast(x, dtype) -> Tensor:
    """The elements as another type: floats that do not fit an integer become the nearest that does."""
    return _ops["cast"](x, dtype)


def conv2d(input, filter, padding="VALID", *, strides=(1, 1, 1, 1), data_format="NHWC", dilations=(1, 1, 1, 1),
           explicit_paddings=()) -> Tensor:
    """The convolution of images [N,H,W,C] with a filter [H,W,C,O]; padding is VALID, SAME or EXPLICIT."""
    return _ops["conv2d"](input, filter, padding, strides=strides, data_format=data_format, dilations=dilations,
                          explicit_paddings=explicit_paddings)


def _numpy(self):
    """A NumPy array over the elements, which can only be read; waits for them. No copy, if they are in host memory.

    bf16 needs the package ml_dtypes.
    """
    import numpy
    if self.dtype == bf16:
        try:
            import ml_dtypes
        except ImportError:
            raise ImportError("NumPy has no bf16: install ml_dtypes, or use tfrt.cast(x, 'f32')") from None
        return numpy.asarray(memoryview(self._bits())).view(ml_dtypes.bfloat16)
    return numpy.asarray(memoryview(self))


def _array(self, dtype=None, copy=None):
    import numpy
    array = self.numpy()
    if dtype is not None and numpy.dtype(dtype) != array.dtype:
        if copy is False:
            raise ValueError(f"elements of {self.dtype} cannot be given as {dtype} without a copy")
        return array.astype(dtype)
    return array.copy() if copy else array


async def _wait(self):
    if not self.is_available:
        import asyncio
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._when_ready(lambda: loop.call_soon_threadsafe(lambda: future.done() or future.set_result(None)))
        await future
    self.wait()
    return self


def _await(self):
    return _wait(self).__await__()


def _rebuild(data, dtype, shape):
    return _from_bytes(data, dtype, list(shape))


def _reduce_ex(self, protocol):
    data = memoryview(self._bits())
    if protocol >= 5 and self.size and self.ndim:
        import pickle
        data = pickle.PickleBuffer(data.cast("B"))
    else:
        data = bytes(data)
    return _rebuild, (data, self.dtype.name, self.shape)


def _deepcopy(self, memo):
    return self.__copy__()  # elements never change: item assignment makes others


# --- Rows ---

def _iter(self):
    if self.ndim == 0:
        raise TypeError("a tensor without dimensions has no rows")
    return (self[i] for i in range(self.shape[0]))


# --- Methods that call ops ---

def _reshape(self, *shape):
    """The same elements in another shape; one of its sizes may be -1."""
    return ops.reshape(self, list(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else list(shape))


def _transpose(self, *perm):
    """Axes in another order; without one, reversed."""
    order = list(perm[0]) if len(perm) == 1 and isinstance(perm[0], (list, tuple)) else list(perm)
    return ops.transpose(self, order or list(reversed(range(self.ndim))))


def _of_value(method):
    """The method of a Variable's value."""
    if isinstance(method, property):
        return property(_of_value(method.fget))

    @functools.wraps(method)
    def call(self, *args, **kwargs):
        return method(self.read(), *args, **kwargs)

    return call


def _attach():
    methods = {
        "numpy": _numpy, "__array__": _array, "__await__": _await, "__reduce_ex__": _reduce_ex,
        "__deepcopy__": _deepcopy,
        "__iter__": _iter, "reshape": _reshape,
        "transpose": _transpose, "T": property(_transpose), "astype": cast,
    }
    for name, method in methods.items():
        setattr(Tensor, name, method)
    for name in ("__array__", "__iter__", "reshape", "transpose", "T", "astype"):
        setattr(Variable, name, _of_value(methods[name]))


_attach()
