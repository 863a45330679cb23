"""Contexts, ops, errors on gpu:0: a GPU, or the driver's test double, whose reports fail the run (exit code 70)."""

import ctypes
import inspect
import os
import pickle
import re
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from test_every_op import cases

import tfrt

DOUBLE = os.environ.get("TFRT_GPU_LIBRARY_PATH")


def why_no_gpu():
    try:
        tfrt.Context(devices=["gpu:0"]).close()
    except tfrt.Error as error:
        return str(error)
    return None


WHY_NO_GPU = why_no_gpu()
pytestmark = pytest.mark.skipif(WHY_NO_GPU is not None and not DOUBLE, reason=f"there is no GPU: {WHY_NO_GPU}")


@pytest.fixture(params=["sync", "async"])
def context(request):
    """A context with a GPU, whose ops run there."""
    context = tfrt.Context(devices=["cpu:0", "gpu:0"])
    with tfrt.Scope(context=context, device="gpu:0", mode=request.param):
        yield context
    context.close()


@pytest.fixture
def double():
    """The test double's library, with its own functions. Its faults end with the test."""
    if not DOUBLE:
        pytest.skip("needs the driver's test double")
    library = ctypes.CDLL(os.path.join(DOUBLE, "libcuda.so.1"))
    library.tfrtDoubleNumCalls.restype = ctypes.c_uint64
    yield library
    library.tfrtDoubleInject(b"")


def test_tensors_are_on_the_gpu(context):
    assert context.devices == ["cpu:0", "gpu:0"]
    x = tfrt.tensor([[1.0, -2.0], [3.0, 4.0]])
    y = tfrt.relu(x @ x - 8.0)
    assert (x.device, y.device) == ("gpu:0", "gpu:0") and y.shape == (2, 2) and y.dtype == tfrt.f32
    assert y.tolist() == [[0.0, 0.0], [7.0, 2.0]] and y[1, 0].item() == 7.0
    assert repr(y) == "tensor([[0., 0.],\n        [7., 2.]], dtype=f32, device=gpu:0)"
    assert float(y.sum()) == 9.0 and y.T.numpy().tolist() == [[0.0, 7.0], [0.0, 2.0]]
    there = y.to("cpu:0")
    assert there.device == "cpu:0" and there.to("gpu:0").device == "gpu:0"
    assert pickle.loads(pickle.dumps(y)).tolist() == y.tolist()


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "i8", "?", "u1", "i2", "c8", ml_dtypes.bfloat16])
def test_elements_come_back_as_they_were(context, dtype):
    array = (np.arange(24) % 2).astype(dtype).reshape(2, 3, 4)
    x = tfrt.tensor(array)
    assert x.device == "gpu:0" and x.numpy().dtype == array.dtype and (x.numpy() == array).all()


def test_reading_waits(context):
    x = tfrt.tensor(np.ones((64, 64), "f4"))
    for _ in range(20):
        x = x * 1.0 + 1.0
    assert (x.numpy() == 21).all()


def some_cases():
    """One call of each op with each of these dtypes, as far as the families have them."""
    seen = set()
    for family in ("ops_unary", "ops_binary", "ops_products", "graph_reductions", "graph_movement", "ops_networks"):
        for case in cases(family):
            dtypes = tuple(str(value.dtype) for value in case.arguments)
            results = {str(expected.dtype) for _, _, expected in case.results}
            if "float64" in dtypes or {*dtypes, *results} - {"float32", "float64", "int32", "int64", "bool"}:
                continue
            if (case.row, dtypes) not in seen:
                seen.add((case.row, dtypes))
                yield case


def test_ops_compute_what_numpy_does():
    on_gpu = set()
    with tfrt.Scope(context=tfrt.Context(devices=["cpu:0", "gpu:0"], max_small_integers=0), device="gpu:0"):
        for case in some_cases():
            # Approximations differ from NumPy's in the last digits.
            case.results = [(max(rtol, 2e-6), atol, expected) for rtol, atol, expected in case.results]
            made = case(case.given())
            case.check(made)
            if made[0].device == "gpu:0":
                on_gpu.add(case.row)
    assert len(on_gpu) >= 70


def test_ops_without_a_kernel_run_on_the_host(context):
    x = tfrt.tensor([3.0, 0.0, 5.0])
    assert tfrt.ops.nonzero(x).device == "cpu:0"
    assert tfrt.relu(tfrt.cast(tfrt.ops.nonzero(x), "f32")).device == "gpu:0"
    with tfrt.Scope(context=tfrt.Context(devices=["gpu:0"], soft_placement=False), device="gpu:0"):
        with pytest.raises(tfrt.Error, match="gpu:0"):
            tfrt.ops.nonzero([1.0, 0.0]).wait()


def test_misplaced_inputs_are_refused():
    context = tfrt.Context(devices=["cpu:0", "gpu:0"])
    with context:
        x = tfrt.tensor([1.0])
    with tfrt.Scope(context=context, device="gpu:0", misplaced_input="explicit"):
        with pytest.raises(tfrt.InvalidArgumentError, match="argument x is on cpu:0, but the op runs on gpu:0"):
            tfrt.relu(x)


def test_errors_name_the_line(context):
    x = tfrt.tensor([[1.0, 2.0]])
    with pytest.raises(tfrt.InvalidArgumentError, match="tf.MatMul") as caught:
        line = inspect.currentframe().f_lineno + 1
        (x @ x).wait()
    assert (caught.value.file, caught.value.line) == (__file__, line)


def test_a_launch_that_fails_is_an_error_of_its_line(context, double):
    x = tfrt.tensor([1.0, 2.0])
    tfrt.relu(x).wait()
    double.tfrtDoubleInject(b"fail=cuLaunchKernel:1:2")
    with pytest.raises(tfrt.Error, match="CUDA_ERROR_OUT_OF_MEMORY") as caught:
        line = inspect.currentframe().f_lineno + 1
        tfrt.relu(x).wait()
    assert caught.value.line == line and "tf.Relu" in str(caught.value)
    assert tfrt.relu(x).tolist() == [1.0, 2.0]


def test_warm_calls_launch_one_kernel_each(double):
    with tfrt.Scope(context=tfrt.Context(devices=["cpu:0", "gpu:0"]), device="gpu:0"):
        x = tfrt.tensor(np.ones((4, 4), "f4"))
        for _ in range(3):
            tfrt.relu(x).wait()
        double.tfrtDoubleClearCalls()
        made = [tfrt.relu(x) for _ in range(10)]
        assert double.tfrtDoubleNumCalls(b"cuLaunchKernel") == 10
        assert made[-1].tolist() == [[1.0] * 4] * 4


def test_variables_train(context):
    weights = tfrt.Variable([0.5, 0.25])
    for _ in range(3):
        weights.sgd_update(gradient=[1.0, 1.0], learning_rate=0.5)
    weights.assign_add([1.0, 1.0])
    assert weights.read().device == "gpu:0" and weights.read().tolist() == [0.0, -0.25]


def test_ops_in_python_get_tensors_of_the_host(context):
    @tfrt.custom_op("test.gpu_twice")
    def twice(x):
        return x.numpy() * 2

    assert tfrt.relu(twice(tfrt.relu([1.0, -2.0]))).tolist() == [2.0, 0.0]


def test_prints(context, capfd):
    tfrt.ops.print(tfrt.relu(tfrt.tensor([1.0, -2.0])), [tfrt.relu(tfrt.tensor([1.0, -2.0]))],
                   message="on the gpu: ").wait()
    context.wait()
    assert "on the gpu: [1 0]" in capfd.readouterr().err


@pytest.mark.parametrize("device", ["sim:0", "gpu:0"])
def test_the_driver_is_opened_for_a_gpu_alone(run_python, tmp_path, device):
    run_python(f"""
        import tfrt
        with tfrt.Scope(context=tfrt.Context(devices=["cpu:0", "{device}"]), device="{device}"):
            assert tfrt.relu([1.0, -2.0]).tolist() == [1.0, 0.0]
    """, LD_DEBUG="libs,files", LD_DEBUG_OUTPUT=str(tmp_path / "loader"))
    text = "".join(path.read_text(errors="replace") for path in tmp_path.iterdir())
    assert "calling init" in text and ("libcuda." in text) == (device == "gpu:0")


def test_lenet_infers_and_trains():
    """A few images, as the double is slow."""
    program = os.path.join(os.path.dirname(__file__), "../../examples/python/lenet.py")
    process = subprocess.run([sys.executable, program, "--device=gpu:0", "--images=2", "--steps=2", "--batch=2"],
                             capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    assert re.search(r"of 2 digits are right\nlosses of training:( \d\.\d{4}){2}\n", process.stdout), process.stdout


def test_all_gpus(double):
    count = ctypes.c_int()
    assert double.cuInit(0) == 0 and double.cuDeviceGetCount(ctypes.byref(count)) == 0
    context = tfrt.Context(devices=["cpu:0", "gpu:*"], device_priority=["gpu:*", "cpu:0"])
    assert context.devices == ["cpu:0", *(f"gpu:{i}" for i in range(count.value))]
    with context:
        assert tfrt.relu([1.0]).device == "gpu:0"


def test_memory_is_counted():
    context = tfrt.Context(devices=["cpu:0", "gpu:0"])
    with tfrt.Scope(context=context, device="gpu:0"):
        x = tfrt.tensor(np.ones(1 << 20, "f4"))
        x.wait()
        memory = context.memory_statistics("gpu:0")
        assert memory["bytes_in_use"] == 4 << 20 and memory["limit_bytes"] == 0 and memory["pinned_bytes"] > 0
        assert memory["peak_bytes_in_use"] >= 4 << 20
        assert memory["peak_bytes_reserved"] >= memory["bytes_cached"] + (4 << 20)
        del x
        context.trim_memory("gpu:0")
        memory = context.memory_statistics("gpu:0")
        assert memory["bytes_in_use"] == memory["bytes_cached"] == 0
    with pytest.raises(tfrt.NotFoundError, match="there is no device gpu:7; the devices are cpu:0, gpu:0"):
        context.memory_statistics("gpu:7")
    with pytest.raises(tfrt.UnimplementedError, match="cpu:0 does not count its memory"):
        context.memory_statistics("cpu:0")
    context.trim_memory("cpu:0")


def test_memory_is_limited():
    context = tfrt.Context(devices=["cpu:0", "gpu:0"], memory_limit_bytes=32 << 20)
    with tfrt.Scope(context=context, device="gpu:0"):
        assert context.memory_statistics("gpu:0")["limit_bytes"] == 32 << 20
        x = tfrt.tensor(np.ones(5 << 20, "f4"))
        with pytest.raises(tfrt.ResourceExhaustedError,
                           match="Out of memory.*In use: 20.00MiB, cached: 12.00MiB, limit: 32.00MiB") as caught:
            line = inspect.currentframe().f_lineno + 1
            tfrt.relu(x).wait()
        assert caught.value.line == line
    for options, error in (({"memory_limit_bytes": 5}, "memory_limit_bytes is 5"),
                           ({"max_in_flight": 1}, "max_in_flight is 1")):
        with pytest.raises(tfrt.InvalidArgumentError, match=error):
            tfrt.Context(devices=["gpu:0"], **options)


@pytest.mark.parametrize("options", [{"launch_blocking": True}, {"single_stream": True},
                                     {"max_in_flight": 2, "max_in_flight_bytes": 2}])
def test_other_ways_to_work(options):
    with tfrt.Scope(context=tfrt.Context(devices=["gpu:0"], **options), device="gpu:0", mode="async"):
        total = tfrt.tensor(0.0)
        for i in range(20):
            total = total + tfrt.relu([float(i)])
        assert total.tolist() == [190.0]


def test_launches_that_block_raise_where_they_fail(run_python, double):
    # In a process of its own, whose device is lost.
    text = run_python("""
        import tfrt
        with tfrt.Scope(context=tfrt.Context(devices=["gpu:0"], launch_blocking=True), device="gpu:0"):
            x = tfrt.tensor([1.0, 2.0])
            try:
                tfrt.relu(x)
            except tfrt.Error as error:
                print(error.line, error)
    """, TFRT_GPU_DOUBLE="fault=relu_f32:1:700")
    assert text.startswith("6 ") and "tf.Relu" in text and "CUDA_ERROR_ILLEGAL_ADDRESS" in text, text


def test_a_forked_process_cannot_use_the_gpu(run_python, double):
    text = run_python("""
        import os, tfrt
        context = tfrt.Context(devices=["gpu:0"])
        with tfrt.Scope(context=context, device="gpu:0"):
            x = tfrt.relu([1.0, -2.0])
        child = os.fork()
        if child == 0:
            for use in x.tolist, x.__dlpack__, lambda: tfrt.Context(devices=["gpu:0"]):
                try:
                    use()
                except tfrt.FailedPreconditionError as error:
                    print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(x.tolist())
    """)
    lines = text.splitlines()
    assert len(lines) == 4 and lines[3] == "[1.0, 0.0]", text
    assert all("forked from" in line or "stayed with its parent" in line for line in lines[:3]), text


def test_two_contexts_share_a_gpu():
    one, other = (tfrt.Context(devices=["gpu:0"]) for _ in range(2))
    with tfrt.Scope(context=one, device="gpu:0"):
        x = tfrt.relu([1.0, 2.0])
    with tfrt.Scope(context=other, device="gpu:0"):
        with pytest.raises(tfrt.Error, match="context"):
            tfrt.relu(x)
        assert tfrt.relu(x.numpy()).tolist() == [1.0, 2.0]
    one.close()
    del one
    assert x.tolist() == [1.0, 2.0]


# --- Arrays of other libraries ---


class Array(ctypes.Structure):
    """DLManagedTensorVersioned, as far as its elements."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("data", ctypes.c_void_p),
                ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


def array_of(capsule):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Array.from_buffer_copy(ctypes.string_at(get(capsule, b"dltensor_versioned"), ctypes.sizeof(Array)))


@pytest.fixture
def stream(context, double):
    """A stream of another library, on the primary context of the GPU."""
    primary, stream = ctypes.c_void_p(), ctypes.c_void_p()
    assert double.cuDevicePrimaryCtxRetain(ctypes.byref(primary), 0) == 0 and double.cuCtxSetCurrent(primary) == 0
    assert double.cuStreamCreateWithPriority(ctypes.byref(stream), 1, 0) == 0
    yield stream.value
    assert double.cuCtxSetCurrent(primary) == 0 and double.cuStreamDestroy_v2(stream) == 0
    assert double.cuDevicePrimaryCtxRelease_v2(0) == 0


def read(double, stream, array):
    """Two elements of f32, read in the stream of another library."""
    found = (ctypes.c_float * 2)()
    assert double.cuMemcpyDtoHAsync_v2(found, ctypes.c_uint64(array.data), 8, ctypes.c_void_p(stream)) == 0
    assert double.cuStreamSynchronize(ctypes.c_void_p(stream)) == 0
    return list(found)


@pytest.mark.parametrize("name", ["handle", None, 1, 2])
def test_the_consumers_stream_waits(double, stream, name):
    x = tfrt.tensor([1.0, 2.0])
    for _ in range(10):
        x = x + 1.0
    assert x.__dlpack_device__() == (2, 0)
    capsule = x.__dlpack__(stream=stream if name == "handle" else name, max_version=(1, 0))
    array = array_of(capsule)
    assert (array.device_type, array.device_id) == (2, 0)
    assert read(double, stream if name == "handle" else name or 1, array) == [11.0, 12.0]


def test_streams_that_are_none(double, stream):
    x = tfrt.relu([1.0, 2.0])
    with pytest.raises(ValueError, match="the stream 0 is ambiguous"):
        x.__dlpack__(stream=0)
    with pytest.raises(ValueError, match="not below -1"):
        x.__dlpack__(stream=-5)
    x.tolist()  # waits, so that no stream must
    double.tfrtDoubleClearCalls()
    array = array_of(x.__dlpack__(stream=-1, max_version=(1, 0)))
    assert double.tfrtDoubleNumCalls(None) == 0
    assert array.data


def test_arrays_are_exchanged_without_a_copy(context, double):
    x = tfrt.relu(tfrt.tensor([1.0, -2.0]))
    double.tfrtDoubleClearCalls()
    there = tfrt.from_dlpack(x)
    assert there.device == "gpu:0" and there.shape == (2,) and there.dtype == tfrt.f32
    assert [double.tfrtDoubleNumCalls(copy) for copy in (b"cuMemcpyDtoDAsync_v2", b"cuMemcpyDtoHAsync_v2")] == [0, 0]
    addresses = [array_of(tensor.__dlpack__(max_version=(1, 0))).data for tensor in (x, there)]
    assert addresses[0] == addresses[1]
    del x
    assert (there + 1.0).tolist() == [2.0, 1.0]
    assert tfrt.from_dlpack(there.__dlpack__()).tolist() == [1.0, 0.0]  # a capsule of the older struct


class Producer:
    """An array of another library, over a tensor. Keeps the stream that it was asked to make wait."""

    def __init__(self, tensor, **options):
        self.tensor, self.options, self.stream = tensor, options, None

    def __dlpack_device__(self):
        return self.options.get("device", self.tensor.__dlpack_device__())

    def __dlpack__(self, *, stream=None, **rest):
        self.stream = stream
        if "max_version" in rest and self.options.get("is_old"):
            raise TypeError("got an unexpected keyword argument 'max_version'")
        return self.tensor.__dlpack__(stream=stream, **rest)


@pytest.mark.parametrize("is_old", [False, True])
def test_the_producer_makes_a_stream_of_the_device_wait(context, is_old):
    other = tfrt.Context(devices=["gpu:0"])
    with tfrt.Scope(context=other, device="gpu:0", mode="async"):
        x = tfrt.tensor([1.0, 2.0])
        for _ in range(10):
            x = x + 1.0
    producer = Producer(x, is_old=is_old)
    y = tfrt.from_dlpack(producer)
    assert producer.stream > 2 and y.device == "gpu:0" and (y + 1.0).tolist() == [12.0, 13.0]
    # A producer that does not say where its elements are orders them in the default stream.
    producer = Producer(x)
    silent = type("Silent", (), {"__dlpack__": lambda self, **arguments: producer.__dlpack__(**arguments)})()
    assert tfrt.from_dlpack(silent).tolist() == [11.0, 12.0] and producer.stream is None
    # Copies go through host memory.
    assert tfrt.tensor(Producer(x)).tolist() == [11.0, 12.0] and tfrt.add(Producer(x), 1.0).tolist() == [12.0, 13.0]


def test_devices_that_do_not_fit(context):
    x = tfrt.relu([1.0, 2.0])
    with pytest.raises(tfrt.InvalidArgumentError,
                       match="on device 3 of type 2 is neither in host memory nor on a device of the "
                       "context: cpu:0, gpu:0"):
        tfrt.from_dlpack(Producer(x, device=(2, 3)))
    with tfrt.Context(), pytest.raises(tfrt.InvalidArgumentError, match="on device 0 of type 2"):
        tfrt.from_dlpack(x)
    with pytest.raises(BufferError, match="the elements are on gpu:0, and are copied to host memory only"):
        x.__dlpack__(dl_device=(2, 1))
    with pytest.raises(BufferError):
        x.__dlpack__(copy=True)
    with pytest.raises(TypeError, match="dl_device is a pair of numbers, not int"):
        x.__dlpack__(dl_device=2)
    with pytest.raises(TypeError, match="stream is None or a number, not str"):
        x.__dlpack__(stream="default")
    with pytest.raises(TypeError, match=r"__dlpack_device__\(\) is a pair of numbers, not NoneType"):
        tfrt.from_dlpack(Producer(x, device=None))


def test_arrays_in_host_memory(context):
    x = tfrt.relu([1.0, 2.0])
    with pytest.raises((BufferError, RuntimeError, ValueError)):
        np.from_dlpack(x)
    assert tfrt.from_dlpack(x.__dlpack__(dl_device=(1, 0))).tolist() == [1.0, 2.0]
    assert array_of(x.__dlpack__(dl_device=(1, 0), max_version=(1, 0))).device_type == 1
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    # The copy waits for its elements, whatever the stream.
    assert tfrt.from_dlpack(x.__dlpack__(dl_device=(1, 0), stream=1)).tolist() == [1.0, 2.0]
    array = np.ones(3, "f4")
    assert tfrt.from_dlpack(array).device == "gpu:0" and np.asarray(tfrt.from_dlpack(array)).tolist() == [1, 1, 1]
