"""Models: loading, compiling, and runs that do not block."""

import os
import typing

from . import _tfrt
from ._tfrt import Model


class Value(typing.NamedTuple):
    """An input or a result of a model. A size is a number, a name that stands for one, or None."""

    name: str
    dtype: _tfrt.DType
    shape: typing.Optional[tuple]


def load(path, *, function="main", name=""):
    """A model of a file: BEF, or ONNX, which the compiler library compiles first."""
    path = os.fspath(path)
    if path.endswith(".onnx"):
        name = name or os.path.splitext(os.path.basename(path))[0]
        return Model(compile_model(path), function, name)
    return Model(os.path.abspath(path), function, name)


def compile_model(path, output=None):
    """The BEF bytes of an ONNX file; written to the file `output`, if that is given."""
    from ._compiler import compile_onnx
    bef = compile_onnx(os.fspath(path))
    if output is not None:
        with open(output, "wb") as file:
            file.write(bef)
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
