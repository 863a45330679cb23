"""Models: loading, compiling, and runs that do not block."""

import os

from . import _tfrt
from ._tfrt import Model
from .errors import InvalidArgumentError


class Value:
    """An input or a result of a model: name, dtype, shape. A size is a number, a name that stands for one, or None; so
    is the shape, if not even the number of dimensions is known."""

    __slots__ = ("name", "dtype", "shape")

    def __init__(self, name, dtype, shape):
        self.name, self.dtype, self.shape = name, dtype, shape

    def __eq__(self, other):
        return isinstance(other, Value) and (self.name, self.dtype, self.shape) == (other.name, other.dtype,
                                                                                    other.shape)

    __hash__ = None

    def __repr__(self):
        return f"Value({self.name!r}, {self.dtype!r}, {self.shape!r})"


def load(path, *, function="main", name="", follow_cache_links=False) -> Model:
    """A model of a file: BEF, or ONNX, which the compiler library compiles first, as `compile_model` does."""
    path = os.fspath(path)
    if path.endswith(".onnx"):
        name = name or os.path.splitext(os.path.basename(path))[0]
        return Model(compile_model(path, follow_cache_links=follow_cache_links), function, name)
    return Model(os.path.abspath(path), function, name)


def compile_model(path, output=None, *, follow_cache_links=False) -> bytes:
    """The BEF bytes of an ONNX file; written to the file `output`, if that is given. An older file of that name is
    replaced when the new one is complete: models that were loaded from it go on as they are. It must not be the ONNX
    file.

    Weights beside the model must lie in its folder. With `follow_cache_links` they may also be links from
    CACHE/snapshots to CACHE/blobs, as the caches of Hugging Face's libraries have them; whoever writes into such a
    cache is trusted then."""
    from ._compiler import compile_onnx
    if output is not None and os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output):
        raise InvalidArgumentError(f"'{os.fspath(output)}' is the file that is read")
    bef = compile_onnx(os.fspath(path), follow_cache_links)
    if output is not None:
        _tfrt._write_file(os.fsencode(output), bef)
    return bef


async def _run_async(self, inputs, *, timeout=None):
    """As `run`, in a coroutine: other tasks go on meanwhile. The inputs are copied."""
    import asyncio
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def ready(results):
        loop.call_soon_threadsafe(lambda: future.done() or future.set_result(results))

    self._start(inputs, ready, timeout)
    return (await future).take()


Model.run_async = _run_async
