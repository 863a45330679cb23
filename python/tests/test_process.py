"""What concerns the whole process: imports, forks, threads, the interpreter's end, custom ops, the profiler."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tfrt


def test_import_loads_neither_numpy_nor_the_compiler(run_python):
    run_python("""
        import sys
        import tfrt
        assert "numpy" not in sys.modules and "asyncio" not in sys.modules and "inspect" not in sys.modules
        with open("/proc/self/maps") as file:
            maps = file.read()
        assert "_tfrt" in maps and not any(name in maps for name in ("LLVM", "MLIR", "numpy", "dnnl"))
        import threading
        assert threading.active_count() == 1 and len(__import__("os").listdir("/proc/self/task")) == 1
        x = tfrt.tensor([[1.0, 2.0]])
        assert (x + x).tolist() == [[2.0, 4.0]]
        assert "numpy" not in sys.modules
        x.numpy()
        assert "numpy" in sys.modules
    """)


def test_pending_work_at_the_end(run_python):
    assert run_python("""
        import tfrt, time
        @tfrt.custom_op("test.slow", has_effects=True)
        def slow(x):
            time.sleep(0.2)
            print("ran", flush=True)
            return x
        context = tfrt.Context(order="fifo")
        tfrt.Scope(context=context, mode="async").__enter__()
        x = slow([1.0])
        for _ in range(100):
            x = x + 1.0
    """) == "ran\n"


def test_daemon_threads_at_the_end(run_python):
    run_python("""
        import threading, time, tfrt
        def work():
            x = tfrt.tensor([1.0] * 5000)
            while True:
                x = x * 1.0
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
    """)


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
def test_daemon_threads_in_functions_of_python_at_the_end(run_python):
    for function in ("tfrt.host_call(slow, [x], tfrt.TensorSpec('f32', [2]))", "custom(x)"):
        run_python(f"""
            import threading, time, tfrt
            def slow(x):
                time.sleep(0.05)
                return x
            custom = tfrt.custom_op("test.slow")(slow)
            def work():
                while True:
                    {function.replace("x]", "tfrt.tensor([1.0, 2.0])]").replace("(x)", "(tfrt.tensor([1.0, 2.0]))")}
            for _ in range(2):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.3)
        """)


def test_globals_and_cycles_at_the_end(run_python):
    run_python("""
        import tfrt
        class Node: pass
        node = Node()
        node.self, node.tensor, node.context = node, tfrt.tensor([1.0]), tfrt.Context(devices=["cpu:0", "sim:0"])
        node.scope = tfrt.Scope(context=node.context, device="sim:0")
        node.scope.__enter__()
        node.other = tfrt.relu([1.0])
        variable = tfrt.Variable([1.0])
        op = tfrt.custom_op("test.id")(lambda x: x)
        op([1.0])
        array = tfrt.tensor([1.0, 2.0]).to("cpu:0").numpy() if False else None
        view = memoryview(node.tensor)
    """)


def test_exceptions_at_the_end(run_python):
    run_python("""
        import atexit, tfrt
        x = tfrt.tensor([1.0])
        atexit.register(lambda: (x + 1.0).tolist())
        class Late:
            def __del__(self):
                (x + 1.0).tolist()
        late = Late()
        raise SystemExit(3)
    """, code=3)


def test_forks(run_python):
    run_python("""
        import os, threading, time, tfrt
        begun, goes_on = threading.Event(), threading.Event()
        @tfrt.custom_op("test.block")
        def block(x):
            begun.set()
            goes_on.wait()
            return x
        context = tfrt.Context()
        with context:
            y = tfrt.tensor([3.0])
            variable = tfrt.Variable([1.0])
        x = tfrt.tensor([1.0] * 100)
        with tfrt.Scope(mode="async"):
            late = block([1.0])
        begun.wait()
        child = os.fork()
        if child == 0:
            assert (x + x).tolist() == [2.0] * 100 and tfrt.relu(y).tolist() == [3.0]
            for call in (lambda: late.numpy(), lambda: late + 1.0, lambda: context.__enter__(),
                         lambda: variable.read()):
                try:
                    call()
                except tfrt.FailedPreconditionError as error:
                    assert "forked" in str(error), error
                else:
                    raise AssertionError
            with tfrt.Scope(mode="async"):
                z = x + 1.0
            assert z.tolist() == [2.0] * 100
            done = []
            thread = threading.Thread(target=lambda: done.append((x * x).tolist()))
            thread.start()
            thread.join()
            assert done
            repr(late)
        else:
            _, status = os.waitpid(child, 0)
            assert status == 0, status
            goes_on.set()
            assert late.tolist() == [1.0]
    """, leaks=True)  # in the child: what the thread held that is not there


def test_contexts_that_end_on_other_threads(run_python):
    run_python("""
        import threading, tfrt
        def work():
            context = tfrt.Context(devices=["cpu:0", "cpu:1"])
            with tfrt.Scope(context=context, mode="async"):
                keep.append(tfrt.tensor([1.0] * 1000) + 1.0)
        keep = []
        for _ in range(20):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        assert all(x.tolist() == [2.0] * 1000 for x in keep)
    """)


def test_custom_ops():
    @tfrt.custom_op("test.scale_and_sum", results=["scaled", "total"])
    def scale_and_sum(x, factor):
        """x times a factor, and the sum of that."""
        scaled = x * factor
        return scaled, scaled.numpy().sum()

    scaled, total = scale_and_sum([1.0, 2.0], factor=3.0)
    assert scaled.tolist() == [3.0, 6.0] and total.item() == 9.0
    assert scale_and_sum.__doc__.startswith("x times a factor")
    for context in (tfrt.Context(), tfrt.Context(order="fifo")):
        for mode in ("sync", "async"):
            with tfrt.Scope(context=context, mode=mode):
                results = [scale_and_sum([float(i)], 2.0)[1] for i in range(10)]
                assert [r.item() for r in results] == [2.0 * i for i in range(10)]


def test_custom_ops_with_effects_keep_their_order():
    seen = []

    @tfrt.custom_op("test.record", results=0, has_effects=True)
    def record(x):
        seen.append(int(x.item()))

    with tfrt.Scope(mode="async"):
        for i in range(20):
            assert record(tfrt.tensor([i])) is None
    tfrt.default_context().wait()
    assert seen == list(range(20))


def test_custom_ops_are_defined_anew():
    for factor in (2.0, 3.0):
        assert _times(factor)([1.0]).tolist() == [factor]


def _times(factor):
    @tfrt.custom_op("test.again")
    def again(x):
        return x * factor

    return again


def test_custom_ops_that_fail():
    @tfrt.custom_op("test.fails")
    def fails(x):
        raise KeyError("no such thing")

    @tfrt.custom_op("test.returns_text")
    def returns_text(x):
        return "text"

    @tfrt.custom_op("test.two", results=2)
    def two(x):
        return x

    with pytest.raises(tfrt.InternalError,
                       match="the function of test.fails raised KeyError: .*test_process.py:.*no such thing"):
        fails([1.0])
    with pytest.raises(tfrt.InternalError, match="what the op's function returns is a tensor"):
        returns_text([1.0])
    with pytest.raises(tfrt.InternalError, match="the op has 2 results: its function returns a tuple of so many"):
        two([1.0])
    with tfrt.Scope(mode="async"):
        with pytest.raises(tfrt.InternalError, match="no such thing"):
            (fails([1.0]) + 1.0).numpy()


@pytest.mark.parametrize("make, kind, error", [
    (lambda: tfrt.custom_op("noname")(lambda x: x), ValueError, "a custom op is called FAMILY.NAME, not 'noname'"),
    (lambda: tfrt.custom_op("test.many")(lambda *x: x), TypeError, "takes a fixed number of tensors"),
    (lambda: tfrt.custom_op("test.nine", results=9)(lambda x: x), ValueError, "8 results at most"),
    (lambda: tfrt.custom_op("tf.Relu")(lambda x: x), tfrt.AlreadyExistsError, "there is an op 'tf.Relu' already"),
])
def test_wrong_custom_ops(make, kind, error):
    with pytest.raises(kind, match=error):
        make()


def test_profiling(tmp_path):
    path = tmp_path / "run.pftrace"
    with tfrt.profile(path, properties={"model": "none"}) as session:
        for _ in range(10):
            tfrt.relu(tfrt.tensor(np.ones(100, "f4")))
        session.set_property("more", "facts")
    assert session.num_events > 10 and session.num_dropped == 0
    data = path.read_bytes()
    assert b"tf.Relu" in data and b"facts" in data
    with pytest.raises(tfrt.FailedPreconditionError, match="is not recording"):
        session.set_property("a", "b")
    with tfrt.profile(tmp_path / "a.pftrace"):
        with pytest.raises(tfrt.Error):
            tfrt.profile(tmp_path / "b.pftrace").__enter__()
    with pytest.raises(tfrt.InvalidArgumentError, match="kernel"):
        tfrt.profile(path, level="all of it")
    with pytest.raises(tfrt.Error):
        tfrt.profile(tmp_path / "no" / "such" / "folder").__enter__()


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
def test_traced_functions_at_the_end(run_python, tmp_path):
    # Functions in modules, in cycles and with host calls; a call that goes on, and one that begins when all ends.
    program = tmp_path / "program.py"
    program.write_text('''import atexit

def after():
    # Pending work has been waited for. Calls of Python are errors now, and nothing hangs.
    if seen != [[1.0]]:
        print("not waited for", seen)
    try:
        f(tfrt.tensor([2.0]))["y"].numpy()
    except tfrt.Error:
        print("over")

atexit.register(after)  # the first, so called last

import time, tfrt

seen = []

def host(x):
    time.sleep(0.1)
    seen.append(x.tolist())
    return x

@tfrt.function
def f(x):
    return {"y": tfrt.host_call(host, [x], [tfrt.TensorSpec("f32", [1])])[0], "rest": [x]}

class Model:
    def __init__(self):
        self.w = tfrt.Variable([1.0])
        self.step = tfrt.function(self._step)
        self.gradient = tfrt.grad(self._loss)
        self.concrete = self.step.concrete(tfrt.tensor([1.0]))

    def _loss(self, x):
        return (x * self.w).sum()

    def _step(self, x):
        self.w.assign_add(tfrt.host_call(lambda y: (self, y)[1], [x], tfrt.TensorSpec("f32", [1])))
        return self.w.read()

model = Model()
model.step(tfrt.tensor([1.0]))
model.gradient(tfrt.tensor([1.0]))
model.array = tfrt.TensorArray("f32").append(1.0)

tfrt.Scope(mode="async").__enter__()
pending = f(tfrt.tensor([1.0]))
''')
    assert run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))") == "over\n"


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
def test_traced_functions_in_forks(run_python, tmp_path):
    program = tmp_path / "program.py"
    program.write_text('''import os, threading, tfrt

@tfrt.function
def f(x):
    return tfrt.host_call(lambda y: y, [x + 1.0], tfrt.TensorSpec("f32", [1]))

variable = tfrt.Variable([1.0])
g = tfrt.function(lambda x: x + variable)
x = tfrt.tensor([1.0])
assert f(x).tolist() == [2.0] and g(x).tolist() == [2.0]
concrete = g.concrete(x)
if child := os.fork():
    assert os.waitpid(child, 0)[1] == 0
    assert f(x).tolist() == [2.0] and g(x).tolist() == [2.0]
else:
    assert f(x).tolist() == [2.0] and f.statistics["traces"] == 1  # traced anew
    thread = threading.Thread(target=lambda: f(x))  # which has entered no scope
    thread.start(), thread.join()
    assert f.statistics["calls"] == 2
    for call in (lambda: g(x), lambda: concrete(x)):
        try:
            call()
        except tfrt.FailedPreconditionError as error:
            assert "forked" in str(error), error
        else:
            raise AssertionError
''')
    run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))", leaks=True)


LIVES = '''import gc, tfrt

def work():
    weights = tfrt.Variable([1.0, 2.0])

    class Model:
        def __init__(self):
            self.step = tfrt.function(self._step, max_traces=2)
            self.gradient = tfrt.value_and_grad(lambda x: (x * weights).sum(), variables=[weights])

        def _step(self, x, n):
            for _ in range(n):
                x = x + weights
            value, (gradient,) = self.gradient(x)
            weights.assign_sub(gradient * 0.1)
            return {"x": tfrt.host_call(lambda y: (self, y)[1], [x], tfrt.TensorSpec("f32", [2])), "value": value}

    model = Model()
    for n in (1, 2, 3):
        model.step(tfrt.tensor([1.0, 2.0]), n)
    concrete = model.step.concrete(tfrt.TensorSpec("f32", [2]), 1)
    for wrong in (lambda: model.step(tfrt.tensor([1.0, 2.0, 3.0]), 1), lambda: concrete(1),
                  lambda: tfrt.tensor([[1.0]]) @ [[1.0], [2.0]]):
        try:
            wrong()
        except tfrt.Error:
            pass
        else:
            raise AssertionError
    f = tfrt.function(lambda x: tfrt.relu(x) + 1.0)
    context = tfrt.Context(devices=["cpu:0", "sim:0"])
    for device in ("cpu:0", "sim:0"):
        with tfrt.Scope(context=context, device=device, mode="async"):
            assert f(tfrt.tensor([1.0])).tolist() == [2.0]
            pending = f(tfrt.tensor([1.0]))

def work_in_a_context():
    # A context remembers the ops that it has called, of which each program is one.
    with tfrt.Scope(context=tfrt.Context()):
        work()

def live():
    gc.collect()
    tfrt.tensor([1.0]).numpy() is None  # leaves the scope of a context that is gone
    return tfrt._tfrt._live_objects()

import warnings
warnings.simplefilter("ignore")
work_in_a_context(), work_in_a_context()
before = live()
if before == (0, 0):
    print("not counted")
for _ in range(3):
    work_in_a_context()
assert live() == before, (before, live())
'''


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
def test_nothing_is_left_of_what_is_dropped(run_python, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(LIVES)
    if run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))"):
        pytest.skip("the build does not count objects")
