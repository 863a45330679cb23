"""Ctrl-C while the main thread is in the runtime."""

import os
import textwrap

import pytest

needs_compiler = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")

HEAD = """
import os, signal, sys, tempfile, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job's is ignored
import tfrt

matrix = tfrt.tensor([[0.001] * 200] * 200)
many = tfrt.tensor(10**9)
MANY_PRODUCTS = 60000  # at least 2 s on the fastest machines


def interrupt():
    def send():
        time.sleep(0.4)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()


def interrupted(call):
    interrupt()
    begin = time.monotonic()
    try:
        call()
    except KeyboardInterrupt:
        took = time.monotonic() - begin
        assert took < 20, took  # instead of hours; a sanitizer takes 5 s on a busy machine
        assert (tfrt.tensor([1.0]) + 1.0).tolist() == [2.0]
        return
    raise AssertionError("not interrupted")
"""

FUNCTION = """

@tfrt.function
def f(x, n):
    for _ in range(n):
        x = tfrt.tanh(x @ x)
    return x


f(matrix, tfrt.tensor(2)).tolist()
"""


@pytest.fixture
def run_file(run_python, tmp_path):
    """Runs a program of these parts, from a file: functions that are traced need their source."""
    def run(*parts, **options):
        path = tmp_path / "program.py"
        path.write_text(HEAD + "".join(textwrap.dedent(part) for part in parts))
        return run_python(f"""
            with open({str(path)!r}) as file:
                code = compile(file.read(), file.name, "exec")
            exec(code)
        """, **options)

    return run


@needs_compiler
def test_traced_functions(run_file):
    run_file(FUNCTION, """
        concrete = f.concrete(matrix, many)
        for _ in range(2):
            interrupted(lambda: f(matrix, many))
            interrupted(lambda: concrete(matrix, many))
            assert f(tfrt.tensor([[0.0]]), tfrt.tensor(3)).tolist() == [[0.0]]
        v = tfrt.Variable([[1.0]])
        train = tfrt.function(lambda n: v.assign(f(v.read(), n)))
        interrupted(lambda: train(many))
        assert v.tolist() == [[1.0]], "a call that fails changes nothing"
        with tfrt.Scope(mode="async"):
            y = f(matrix, many)
        interrupted(y.wait)
    """)


@needs_compiler
def test_models(run_file):
    run_file(FUNCTION, """
        with tempfile.TemporaryDirectory() as folder:
            f.save(folder + "/f.bef")
            model = tfrt.load(folder + "/f.bef")
            x, n = (value.name for value in model.inputs)
            for _ in range(2):
                interrupted(lambda: model.run({x: matrix, n: many}))
                assert model.run({x: matrix, n: tfrt.tensor(0)})
    """)


@needs_compiler
def test_host_calls(run_file):
    run_file(FUNCTION, """
        def ask(x):
            return f(x, many)
        outer = tfrt.function(lambda x: tfrt.host_call(ask, [x], tfrt.TensorSpec("f32", [200, 200])))
        interrupted(lambda: outer(matrix))
        assert (f(matrix, tfrt.tensor(1)) + 1.0).shape == (200, 200)
    """)


def test_waits(run_file):
    run_file("""
        def chain(count):
            with tfrt.Scope(mode="async"):
                y = matrix
                for _ in range(count):
                    y = y @ matrix
            return y
        for wait in (lambda y: y.tolist(), lambda y: y.wait(), lambda y: tfrt.current_context().wait(),
                     lambda y: y + 1.0, lambda y: tfrt.Variable(y)):
            y = chain(MANY_PRODUCTS)
            interrupted(lambda: wait(y))
        with tfrt.Context(order="fifo") as context:
            y = chain(MANY_PRODUCTS)
            interrupted(y.wait)
    """)


def test_a_context_that_the_program_has_cancelled_stays_so(run_file):
    run_file("""
        with tfrt.Context() as own:
            own.cancel()
        with tfrt.Scope(mode="async"):
            y = matrix
            for _ in range(MANY_PRODUCTS):
                y = y @ matrix
        interrupted(y.wait)
        with own:
            try:
                tfrt.tensor([1.0]) + 1.0
            except tfrt.CancelledError:
                own.restart()
            else:
                raise AssertionError("restarted")
            assert (tfrt.tensor([1.0]) + 1.0).tolist() == [2.0]
    """)


@needs_compiler
def test_handlers_of_the_program_run_after_the_call(run_file):
    run_file(FUNCTION, """
        seen = []
        signal.signal(signal.SIGINT, lambda *_: seen.append("handler"))
        interrupt()
        begin = time.monotonic()
        while time.monotonic() - begin < 1.0:
            assert f(matrix, tfrt.tensor(1000)).shape == (200, 200)
        assert seen == ["handler"]
    """)


@needs_compiler
def test_an_interrupted_program_ends_at_once(run_file):
    output = run_file(FUNCTION, """
        import atexit
        begin = time.monotonic()
        atexit.register(lambda: print("ends", time.monotonic() - begin < 10))
        interrupt()
        f(matrix, many)
    """, code=-2)
    assert output == "ends True\n"


def test_forked_children(run_file):
    run_file("""
        y = matrix
        with tfrt.Scope(mode="async"):
            for _ in range(MANY_PRODUCTS):
                y = y @ matrix
        interrupted(y.wait)
        child = os.fork()
        if child == 0:
            with tfrt.Context() as context, tfrt.Scope(context=context, mode="async"):
                z = tfrt.tensor([[0.001] * 200] * 200)
                matrix = z
                for _ in range(MANY_PRODUCTS):
                    z = z @ matrix
                interrupted(z.wait)
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    """)
