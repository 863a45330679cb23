"""Tensors in shared memory, with any client of tritonclient, unchanged."""

import contextlib
import inspect
import os

import numpy as np
import tritonclient.utils.shared_memory as shared_memory
from tritonclient.utils import InferenceServerException

SHAPE = (2, 3000)
SIZE = 4 * 2 * 3000


@contextlib.contextmanager
def region(name, size):
    """A block of shared memory whose key is the second value."""
    key = f"tfrt-{os.getpid()}-{name}"
    handle = shared_memory.create_shared_memory_region(name, key, size, create_only=True)
    try:
        yield handle, key
    finally:
        shared_memory.destroy_shared_memory_region(handle)


def contents(handle, offset=0):
    """A copy: no view of the memory may be left when it is closed."""
    return shared_memory.get_contents_as_numpy(handle, np.float32, list(SHAPE), offset).copy()


async def check(client, module):
    """Calls the model "sum" of `client`, a client of `module`, in several ways."""

    async def call(method, *arguments, **options):
        result = getattr(client, method)(*arguments, **options)
        return await result if inspect.isawaitable(result) else result

    async def fails(text, method, *arguments, **options):
        try:
            await call(method, *arguments, **options)
        except InferenceServerException as error:
            assert text in error.message(), error.message()
        else:
            raise AssertionError(f"{method} does not fail with: {text}")

    def tensors(offset=0, size=SIZE, input_region="in", result=("out", SIZE, 0)):
        inputs = [module.InferInput(name, list(SHAPE), "FP32") for name in "ab"]
        for tensor in inputs:
            tensor.set_shared_memory(input_region, size, offset)
        output = module.InferRequestedOutput("c")
        if result:
            output.set_shared_memory(*result)
        return {"model_name": "sum", "inputs": inputs, "outputs": [output]}

    async def names():
        status = await call("get_system_shared_memory_status")
        return sorted(region["name"] for region in status) if isinstance(status, list) else sorted(status.regions)

    values = np.random.default_rng(0).random(SHAPE, np.float32)
    with region("in", 2 * SIZE) as (source, source_key), region("out", 2 * SIZE) as (target, target_key):
        shared_memory.set_shared_memory_region(source, [values, 2 * values])
        await call("register_system_shared_memory", "in", source_key, 2 * SIZE)
        await call("register_system_shared_memory", "out", target_key, SIZE + 8, 64)
        assert await names() == ["in", "out"]

        # Both inputs and the result are in memory. The result of every request is looked at.
        result = await call("infer", **tensors())
        assert result.get_output("c") is not None
        np.testing.assert_array_equal(contents(target, 64), values + values)
        await call("infer", **tensors(SIZE, result=("out", SIZE + 4, 4)))
        np.testing.assert_array_equal(contents(target, 68), 4 * values)
        # The inputs alone, and one of them; the result where the inputs were.
        result = await call("infer", **tensors(result=None))
        np.testing.assert_array_equal(result.as_numpy("c"), values + values)
        mixed = tensors(result=("in", SIZE))
        mixed["inputs"][0].set_data_from_numpy(values)
        await call("infer", **mixed)
        np.testing.assert_array_equal(contents(source), values + values)
        # An address that fits no float is read, too.
        shared_memory.set_shared_memory_region(source, [np.frombuffer(b"x" + values.tobytes(), np.uint8)])
        await call("infer", **tensors(1))
        np.testing.assert_array_equal(contents(target, 64), values + values)

        await fails("the region 'in' is registered already", "register_system_shared_memory", "in", source_key, 1)
        await fails("is no name of POSIX shared memory", "register_system_shared_memory", "up", "../up", 1)
        await fails("No such file", "register_system_shared_memory", "none", "tfrt-none", 1)
        await fails("are needed", "register_system_shared_memory", "more", source_key, 100_000)
        await fails(f"shared_memory_byte_size is 8, but the shape and datatype need {SIZE}", "infer", **tensors(0, 8))
        await fails("are not inside the region 'in'", "infer", **tensors(SIZE + 4))
        await fails("the region 'none' is not registered", "infer", **tensors(input_region="none"))
        await fails(f"has {SIZE} bytes, but its place in the region 'out' has 4", "infer", **tensors(result=("out", 4)))
        await fails("memory of GPUs cannot be shared", "get_cuda_shared_memory_status")

        # Another process makes the object shorter: the server says so, and goes on.
        os.truncate(f"/dev/shm/{source_key}", 100)
        await fails("has 100 bytes, but", "infer", **tensors())
        await call("unregister_system_shared_memory", "in")
        assert await names() == ["out"]
        await fails("the region 'in' is not registered", "infer", **tensors())
        await call("unregister_system_shared_memory")
        assert await names() == []
