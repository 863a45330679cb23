"""Contexts, scopes, devices, threads, variables, asynchronous execution."""

import asyncio
import concurrent.futures
import inspect
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import tfrt

NEEDS_COMPILER = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


def test_default_context():
    assert tfrt.default_context().devices == ["cpu:0"]
    statistics = tfrt.default_context().cache_statistics()
    for _ in range(3):
        tfrt.tensor([1.0] * 20) * 2.0
    assert tfrt.default_context().cache_statistics()["hits"] > statistics["hits"]


def test_devices_and_scopes():
    context = tfrt.Context(devices=["cpu:0", "cpu:1", "sim:0"])
    assert context.devices == ["cpu:0", "cpu:1", "sim:0"]
    with context:
        x = tfrt.tensor([1.0, 2.0])
        assert x.device == "cpu:0"
        for device in ("cpu:1", "sim:0"):
            with tfrt.Scope(context=context, device=device):
                y = tfrt.relu(x)
                assert y.device == device and y.tolist() == [1.0, 2.0]
                assert tfrt.tensor([1.0]).device == device
                assert y.to("cpu:0").device == "cpu:0"
        assert tfrt.relu(x).device == "cpu:0"
        assert tfrt.tensor([3.0], device="sim:0").numpy().tolist() == [3.0]
    assert tfrt.relu([1.0]).device == "cpu:0"
    with pytest.raises(tfrt.NotFoundError, match="there is no device cpu:7; the devices are cpu:0, cpu:1, sim:0"):
        tfrt.Scope(context=context, device="cpu:7")
    with context, pytest.raises(tfrt.NotFoundError, match="there is no device gpu:0"):
        x.to("gpu:0")
    with pytest.raises(tfrt.Error):
        tfrt.Context(devices=["tpu:0"])


def test_a_gpu_that_is_absent_says_why(run_python, tmp_path):
    (tmp_path / "libcuda.so.1").write_text("no library")
    text = run_python("""
        import tfrt
        tfrt.Context(devices=["sim:0"])
        for device in "gpu:0", "GPU:1":
            try:
                tfrt.Context(devices=[device])
            except (tfrt.NotFoundError, tfrt.UnavailableError, tfrt.FailedPreconditionError) as error:
                print(error)
    """, TFRT_GPU_LIBRARY_PATH=str(tmp_path))
    # The driver's reason, or that of a build without the GPU half.
    reason = f"libcuda.so.1 cannot be loaded from {tmp_path} (TFRT_GPU_LIBRARY_PATH): "
    lines = text.splitlines()
    assert len(lines) == 2 and all(reason in line or "this build of the package tfrt has no GPU half: " in line
                                   for line in lines), text


def test_misplaced_inputs():
    context = tfrt.Context(devices=["cpu:0", "cpu:1"])
    with context:
        x = tfrt.tensor([1.0])
    with tfrt.Scope(context=context, device="cpu:1", misplaced_input="explicit"):
        with pytest.raises(tfrt.InvalidArgumentError, match="argument x is on cpu:0, but the op runs on cpu:1"):
            tfrt.relu(x)


@pytest.mark.parametrize("make, error", [
    (lambda: tfrt.Scope(mode="later"), "mode is one of sync, async, not 'later'"),
    (lambda: tfrt.Scope(misplaced_input="x"), "misplaced_input is one of silent, warn, explicit, silent_for_i32"),
    (lambda: tfrt.Context(order="x"), "order is one of dataflow, fifo, not 'x'"),
    (lambda: tfrt.Context(max_pending=0), "max_pending is 0"),
])
def test_wrong_options(make, error):
    with pytest.raises(ValueError, match=error):
        make()


def test_scopes_end_in_reverse_order():
    outer, inner = tfrt.Scope(), tfrt.Scope(mode="async")
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(tfrt.FailedPreconditionError, match="scopes end in the reverse order"):
        outer.__exit__()
    inner.__exit__()
    outer.__exit__()
    with pytest.raises(tfrt.FailedPreconditionError, match="scopes end in the reverse order"):
        outer.__exit__()
    with pytest.raises(TypeError, match="context is a tfrt.Context, not int"):
        tfrt.Scope(context=3)


def test_closed_contexts():
    context = tfrt.Context()
    with context:
        x = tfrt.tensor([1.0])
        v = tfrt.Variable([1.0])
        context.close()
        with pytest.raises(tfrt.FailedPreconditionError, match="the context has been closed"):
            tfrt.relu(x)
    assert x.tolist() == [1.0] and context.is_closed
    for call in (lambda: context.__enter__(), lambda: v.read(), lambda: v + 1.0, lambda: tfrt.relu(v),
                 lambda: context.wait(),
                 lambda: tfrt.Scope(context=context)):
        with pytest.raises(tfrt.FailedPreconditionError, match="the context has been closed"):
            call()
    context.close()


def test_tensors_of_dead_and_other_contexts():
    context = tfrt.Context(devices=["cpu:0", "cpu:1"])
    with tfrt.Scope(context=context, device="cpu:1"):
        x = tfrt.tensor([1.0, 2.0])
    with pytest.raises(tfrt.Error, match="context"):
        tfrt.relu(x)
    del context
    assert x.numpy().tolist() == [1.0, 2.0]
    with pytest.raises(tfrt.Error, match="context"):
        tfrt.relu(x)


@pytest.mark.parametrize("order", ["dataflow", "fifo"])
def test_asynchronous_calls(order):
    context = tfrt.Context(order=order)
    with tfrt.Scope(context=context, mode="async"):
        x = tfrt.tensor(np.ones((64, 64), "f4"))
        for _ in range(50):
            x = x * 1.0 + 1.0
        assert x.shape == (64, 64) and x.dtype == tfrt.f32
        context.wait()
        assert x.is_available and not x.is_error and (x.numpy() == 51).all()
        # Raised by whatever first finds it: a call, if the error is known by then, or what asks for elements.
        with pytest.raises(tfrt.InvalidArgumentError, match="too large") as caught:
            line = inspect.currentframe().f_lineno + 1
            bad = tfrt.ops.check_numerics(x / 0.0, "too large")
            (bad + 1.0).numpy()
        assert (caught.value.file, caught.value.line) == (__file__, line)


def test_tensors_that_become_errors():
    @tfrt.custom_op("test.fails_later")
    def fails_later(x):
        go.wait(10)
        raise ValueError("later")

    go = threading.Event()
    with tfrt.Scope(mode="async"):
        bad = fails_later([1.0])
    assert not bad.is_error
    go.set()
    with pytest.raises(tfrt.InternalError, match="later"):
        bad.wait()
    assert bad.is_error and bad.is_available and "<error: " in repr(bad)
    for use in (bad.tolist, bad.numpy, lambda: bad.shape, lambda: bad + 1.0, lambda: bad[0], lambda: bool(bad)):
        with pytest.raises(tfrt.InternalError, match="later"):
            use()


@pytest.fixture(params=["dataflow", "fifo"])
def late_failure(request):
    """A context, and what makes calls without results in it, which fail after they have returned."""

    @tfrt.custom_op("test.fails_without_results", results=0, has_effects=True)
    def fails(x):
        go.wait(10)
        raise ValueError(f"disk {int(x.item())} full")

    @tfrt.custom_op("test.comes_after", results=0, has_effects=True)
    def comes_after(x):
        over.set()

    def call(*disks):
        go.clear()
        over.clear()
        for disk in disks:
            fails([disk])
        comes_after([0.0])
        go.set()
        over.wait()

    go, over = threading.Event(), threading.Event()
    return tfrt.Context(order=request.param), call


def raises_full():
    return pytest.raises(tfrt.InternalError, match="test_context.py.*disk 1 full")


def test_errors_of_calls_without_results_reach_wait(late_failure):
    context, call = late_failure
    with tfrt.Scope(context=context, mode="async"):
        call(1.0, 2.0)
        with raises_full():
            context.wait()
        context.wait()  # it has been raised


@NEEDS_COMPILER
def test_errors_of_calls_without_results_reach_the_next_call(late_failure):
    context, call = late_failure
    function = tfrt.function(lambda x: x + 1.0)
    with tfrt.Scope(context=context, mode="async"):
        x = tfrt.tensor([1.0])
        concrete = function.concrete(x)
        for later in (lambda: tfrt.relu(x), lambda: function(x), lambda: concrete(x)):
            call(1.0, 2.0)
            with raises_full():
                later()
            assert later().tolist()


def test_errors_of_calls_without_results_reach_the_end_of_the_scope(late_failure):
    context, call = late_failure
    with raises_full(), tfrt.Scope(context=context, mode="async"):
        call(1.0)
        with tfrt.Scope(context=context):
            tfrt.relu([1.0])  # a scope in sync mode is not told
    with pytest.raises(KeyError), tfrt.Scope(context=context, mode="async"):
        call(1.0)
        raise KeyError("a block's own exception goes first")
    with raises_full():
        context.close()


@NEEDS_COMPILER
def test_errors_of_traced_functions_without_results(late_failure):
    context, _ = late_failure

    @tfrt.function
    def train(x):
        variable.assign_add(x)
        assert x.sum() > 0.0, "positive"

    with tfrt.Scope(context=context, mode="async"):
        variable = tfrt.Variable([1.0])
        train(tfrt.tensor([-1.0]))  # is told later, even if it is over before it returns
        with pytest.raises(tfrt.InvalidArgumentError, match="positive"):
            context.wait()
        assert variable.tolist() == [1.0]


def test_an_error_of_a_call_without_results_that_is_left_is_printed():
    program = """
import tfrt

@tfrt.custom_op("test.fails_at_the_end", results=0, has_effects=True)
def fails(x):
    raise ValueError("disk full")

scope = tfrt.Scope(mode="async")
scope.__enter__()
fails([1.0])
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 0 and "disk full" in ended.stderr and "InternalError" in ended.stderr


def test_awaiting():
    @tfrt.custom_op("test.slowly")
    def slowly(x):
        started.wait(10)
        return x

    started = threading.Event()

    async def main():
        with tfrt.Scope(mode="async"):
            tensor = slowly([1.0]) + 1.0
        assert not tensor.is_available and "<not there yet>" in repr(tensor)
        others = []

        async def other():
            others.append("runs")
            started.set()

        result, _ = await asyncio.gather(tensor, other())
        assert others == ["runs"] and result.tolist() == [2.0]
        assert (await tfrt.tensor([3.0])).tolist() == [3.0]
        with pytest.raises(tfrt.InvalidArgumentError, match="infinite"), tfrt.Scope(mode="async"):
            await tfrt.ops.check_numerics(slowly([1.0]) / 0.0, "infinite")

    asyncio.run(main())


def test_scopes_belong_to_tasks():
    async def task(device):
        with tfrt.Scope(context=context, device=device):
            for _ in range(5):
                assert tfrt.relu([1.0]).device == device
                await asyncio.sleep(0)

    async def main():
        await asyncio.gather(*(task(device) for device in ("cpu:0", "cpu:1") for _ in range(3)))

    context = tfrt.Context(devices=["cpu:0", "cpu:1"])
    asyncio.run(main())


def test_cancellation():
    context = tfrt.Context()
    with context:
        context.cancel()
        with pytest.raises(tfrt.CancelledError):
            tfrt.relu([1.0] * 20)
        context.restart()
        assert tfrt.relu([1.0]).tolist() == [1.0]


def test_threads():
    def work(seed):
        x = tfrt.tensor(np.full((32, 32), seed, "f4"))
        for _ in range(30):
            x = (x @ np.eye(32, dtype="f4")) + 1.0
        return x

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for seed, x in enumerate(pool.map(work, range(12))):
            assert (x.numpy() == seed + 30).all()


def test_others_run_while_ops_compute():
    x = tfrt.tensor(np.ones((600, 600), "f4"))
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    for _ in range(5):
        x @ x
    after = ticks[0]
    stop.set()
    thread.join()
    assert after > before


def test_variables():
    weights = tfrt.Variable([1.0, 2.0])
    before = weights.read()
    assert weights.assign_add([1.0, 1.0]).tolist() == [2.0, 3.0]
    assert weights.assign_sub(1.0 * weights).tolist() == [0.0, 0.0]
    weights.assign([4, 5])
    assert weights.value.tolist() == [4.0, 5.0] and before.tolist() == [1.0, 2.0]
    weights.sgd_update([1.0, 1.0], 0.5)
    assert (weights * 2.0).tolist() == [7.0, 9.0] and tfrt.relu(weights).tolist() == [3.5, 4.5]
    assert weights[0].item() == 3.5 and weights.shape == (2,) and weights.dtype == tfrt.f32
    assert repr(weights).startswith("variable([3.5, 4.5]")
    with pytest.raises(tfrt.InvalidArgumentError):
        weights.assign([1.0, 2.0, 3.0])
    with pytest.raises(tfrt.InvalidArgumentError):
        weights.assign(tfrt.tensor([1, 2]))
    assert weights.value.tolist() == [3.5, 4.5]
    with pytest.raises(TypeError, match="not str"):
        tfrt.Variable("a")


def test_variables_of_threads():
    count = tfrt.Variable(np.zeros(100, "i4"))

    def work(_):
        for _ in range(50):
            count.assign_add(np.ones(100, "i4"))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert (count.numpy() == 200).all()
