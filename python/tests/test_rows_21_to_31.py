"""What traced functions do, from captures on; test_rows_01_to_20.py says of what."""

import os

import numpy as np
import pytest
from source_lines import line_of

import tfrt
from tfrt import tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


def test_21_captures_are_snapshots_and_variables_are_not():
    numbers, array = [1.0, 2.0], np.ones(2, "f4")
    variable = tfrt.Variable([1.0, 1.0])

    @tfrt.function
    def f(x):
        return x + numbers + T(array) + variable

    assert f(T([0.0, 0.0])).tolist() == [3.0, 4.0]
    numbers[0], array[0] = 100.0, 100.0
    variable.assign([10.0, 10.0])
    assert f(T([0.0, 0.0])).tolist() == [12.0, 13.0]
    assert any("variable" in line for line in f.concrete(T([0.0, 0.0])).captures)


def test_21_one_variable_twice_is_another_trace():
    @tfrt.function
    def f(v, w):
        v.assign_add([1.0])
        return v * 1.0, w * 1.0

    v, w = tfrt.Variable([1.0]), tfrt.Variable([5.0])
    assert [x.item() for x in f(v, w)] == [2.0, 5.0]
    assert [x.item() for x in f(v, v)] == [3.0, 3.0]


def test_22_host_iterators_advance_at_each_call():
    rows = iter([[1.0, 2.0], [3.0, 4.0], None, [5.0, 6.0]])
    spec = tfrt.TensorSpec("f32", [2])

    @tfrt.function
    def f(x):
        return tfrt.for_each(lambda: next(rows), lambda x, row: x + row, x, row=spec)

    assert f(T([0.0, 0.0])).tolist() == [4.0, 6.0]
    assert f(T([0.0, 0.0])).tolist() == [5.0, 6.0]  # behind the None
    assert f(T([0.0, 0.0])).tolist() == [0.0, 0.0]  # StopIteration
    assert f.statistics["traces"] == 1
    generator = (np.full(2, i, "f4") for i in range(4))
    g = tfrt.function(lambda x: tfrt.for_each(generator, lambda x, n, row: (x + row, n + 1), x, 0, row=spec))
    total, count = g(T([0.0, 0.0]))
    assert total.tolist() == [6.0, 6.0] and count.item() == 4
    # Outside of a trace, too.
    assert tfrt.for_each(iter([1.0, 2.0]), lambda x, row: x + row, 0.0, row=tfrt.TensorSpec("f32", [])).item() == 3.0


@pytest.mark.parametrize("row, kind, message", [
    (None, TypeError, "needs row=TensorSpec"),
    (tfrt.TensorSpec("f32", [None]), ValueError, "needs rows of known sizes"),
    (tfrt.TensorSpec("f32", [3]), tfrt.InvalidArgumentError, r"returned f32 \[2\]"),
], ids=["none", "unknown", "another"])
def test_22_rows_that_are_not_as_said(row, kind, message):
    with pytest.raises(kind, match=message):
        tfrt.for_each(iter([[1.0, 2.0]]), lambda x, row: x + row, 0.0, row=row)


class Loader:
    def __init__(self):
        self.batches = iter([1.0, 2.0])


GENERATOR = (float(i) for i in range(3))


def loops_over_global(x):
    for value in GENERATOR:
        x = x + value
    return x


def takes_next(x):
    return x + next(GENERATOR)


def enumerates(x):
    for _, value in enumerate(GENERATOR):
        x = x + value
    return x


def comprehends(x):
    return x + sum([value for value in GENERATOR])


LOADER = Loader()


def loops_over_attribute(x):
    for value in LOADER.batches:
        x = x + value
    return x


@pytest.mark.parametrize("function, name", [
    (loops_over_global, "GENERATOR"), (takes_next, "GENERATOR"), (enumerates, "GENERATOR"), (comprehends, "GENERATOR"),
    (loops_over_attribute, "LOADER.batches"),
])
def test_22_iterators_of_outside_are_errors(function, name):
    f = tfrt.function(function)
    with pytest.raises(tfrt.RewriteError,
                       match=f"'{name}' is a .* of outside of the traced function.*tfrt.for_each") as caught:
        f(T([1.0]))
    assert caught.value.line == line_of(function, name)
    # Nothing of it is taken; eagerly it is used as always.
    if function is loops_over_attribute:
        with tfrt.stance("force_eager"):
            assert f(T([1.0])).tolist() == [4.0]


def test_22_iterators_among_the_arguments_are_errors():
    @tfrt.function
    def f(x, rows):
        for row in rows:
            x = x + row
        return x

    with pytest.raises(TypeError, match="a generator among the arguments would advance while the function is traced"):
        f(T([1.0]), (float(i) for i in range(3)))
    with tfrt.stance("force_eager"):
        assert f(T([1.0]), (float(i) for i in range(3))).tolist() == [4.0]

    @tfrt.function
    def own(x):
        rows = iter([1.0, 2.0])
        for row in rows:
            x = x + row
        return x + sum(row for row in zip([1.0], [2.0]) for row in row)

    assert own(T([1.0])).tolist() == [7.0]


def test_23_variables_are_created_at_the_first_call_alone():
    state = []

    @tfrt.function
    def counter(x):
        if not state:
            state.append(tfrt.Variable([0.0]))
        state[0].assign_add(x)
        return state[0].read()

    assert [counter(T([1.0])).item() for _ in range(3)] == [1.0, 2.0, 3.0]

    @tfrt.function
    def at_every_call(x):
        return tfrt.Variable([0.0]) + x

    with pytest.raises(tfrt.Error, match="[Vv]ariable"):
        at_every_call(T([1.0]))


@pytest.mark.parametrize("by", ["option", "stance", "environment"])
def test_24_functions_run_eagerly(by, run_python, tmp_path):
    if by == "environment":
        program = tmp_path / "program.py"
        program.write_text("import tfrt\n\nseen = []\n\n@tfrt.function\ndef f(x):\n    seen.append(x.item())\n    "
                           "return x\n\nf(tfrt.tensor(1)), f(tfrt.tensor(2))\nassert seen == [1, 2] and "
                           "f.statistics['traces'] == 0\nwith tfrt.stance('default'):\n    try:\n        "
                           "f(tfrt.tensor(3))\n    except tfrt.FailedPreconditionError:\n        pass\n    else:\n     "
                           "   raise AssertionError\n")
        # No compiler is looked for, but for the last call.
        run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))", TFRT_EAGER="1",
                   TFRT_COMPILER_LIBRARY="/no/such/library.so")
        return
    seen = []

    @tfrt.function(run_eagerly=by == "option")
    def f(x):
        seen.append(x.tolist())
        return {"x": x}

    with tfrt.stance("force_eager" if by == "stance" else "default"):
        assert f(T([1.0]))["x"].tolist() == [1.0] and f(T([2.0]))["x"].tolist() == [2.0]
    assert seen == [[1.0], [2.0]] and f.statistics["traces"] == 0


def test_24_stances():
    f = tfrt.function(lambda x: x + 1)
    with tfrt.stance("fail_on_retrace"):
        assert f(T([1])).tolist() == [2]  # the first
        with pytest.raises(tfrt.FailedPreconditionError, match="needs a new trace: argument x"):
            f(T([1, 2]))
        with tfrt.stance("eager_on_retrace"):
            assert f(T([1, 2])).tolist() == [2, 3]
        with pytest.raises(tfrt.FailedPreconditionError):
            f(T([1, 2]))
    assert f.statistics["traces"] == 1 and f.statistics["eager_calls"] == 1
    assert f(T([1, 2])).tolist() == [2, 3] and f.statistics["traces"] == 2

    @tfrt.stance("fail_on_retrace")
    def strict(x):
        return f(x)

    with pytest.raises(tfrt.FailedPreconditionError):
        strict(T([1.5]))
    with pytest.raises(ValueError, match="a stance is one of default, force_eager, .* not 'never'"):
        tfrt.stance("never")


def test_24_stances_belong_to_tasks():
    import asyncio

    f = tfrt.function(lambda x: x + 1)
    f(T([1]))

    async def strict(entered, left):
        with tfrt.stance("fail_on_retrace"):
            entered.set()
            await left.wait()
            with pytest.raises(tfrt.FailedPreconditionError):
                f(T([1, 2]))

    async def free(entered, left):
        await entered.wait()
        assert f(T([1.5])).tolist() == [2.5]
        left.set()

    async def both():
        entered, left = asyncio.Event(), asyncio.Event()
        await asyncio.gather(strict(entered, left), free(entered, left))

    asyncio.run(both())


def test_25_arrays_are_taken_and_given():
    f = tfrt.function(lambda x: x)
    array = np.arange(4, dtype="f4")
    assert f(array).numpy().tolist() == array.tolist()
    borrowed = tfrt.from_numpy(array)
    assert borrowed.numpy().ctypes.data == array.ctypes.data
    assert np.from_dlpack(f(borrowed)).tolist() == array.tolist()


def test_26_any_function_can_be_traced():
    class Model:
        def __init__(self, by):
            self.by = by

        def __call__(self, x):
            return x * self.by

        def method(self, x):
            return x * self.by

    import functools
    assert tfrt.function(Model(3.0).method)(T([2.0])).tolist() == [6.0]
    assert tfrt.function(lambda x: x * 3.0)(T([2.0])).tolist() == [6.0]
    assert tfrt.function(functools.partial(Model.method, Model(3.0)))(T([2.0])).tolist() == [6.0]
    assert tfrt.function(Model(3.0))(T([2.0])).tolist() == [6.0]
    for wrong, kind in ((Model, "type"), (staticmethod(takes_next), "staticmethod"), (3, "int")):
        with pytest.raises(TypeError, match=f"a function of Python can be traced, not {kind}"):
            tfrt.function(wrong)


def test_27_host_calls_run_at_each_call(tmp_path):
    calls = []

    def host(x):
        calls.append(x.tolist())
        return x.numpy() + 1, [len(calls)]

    @tfrt.function
    def f(x):
        y, n = tfrt.host_call(host, [x], [tfrt.TensorSpec("f32", [1]), tfrt.TensorSpec("i32", [1])])
        return y * 2.0, n

    assert [x.tolist() for x in f(T([1.0]))] == [[4.0], [1]] and [x.tolist() for x in f(T([2.0]))] == [[6.0], [2]]
    with pytest.raises(tfrt.FailedPreconditionError,
                       match="calls 'host' of this program.*which no file can hold") as caught:
        f.save(tmp_path / "f.bef")
    assert f"test_rows_21_to_31.py:{line_of(f, 'tfrt.host_call')}" in str(caught.value)


def test_28_saved_functions_run_without_the_compiler(run_python, tmp_path):
    weights = tfrt.Variable([[2.0]])
    f = tfrt.function(lambda x: x @ weights)
    f(T([[1.0]]))
    f.save(tmp_path / "f.bef")
    run_python(f"""
        import tfrt
        (y,) = tfrt.load({str(tmp_path / "f.bef")!r}).run([[[3.0]]]).values()
        assert y.tolist() == [[6.0]]
    """, TFRT_COMPILER_LIBRARY="/no/such/library.so")


def test_29_passes_make_fewer_ops():
    f = tfrt.function(lambda x: (x + 1.0) * (x + 1.0) + tfrt.relu(x) * 0.0 + tfrt.relu(x) * 0.0)
    passes = f.concrete(T([1.0, 2.0])).passes
    assert passes and passes[0][1] > passes[-1][2]


def test_31_many_traces_are_warned_of():
    @tfrt.function(reduce_retracing=False)
    def f(x):
        return x + 1.0

    with pytest.warns(RuntimeWarning, match=r"function 'f'.*trace") as caught:
        for n in range(1, 12):
            f(np.ones(n, "f4"))
    assert len(caught) == 2 and all(warning.filename == __file__ for warning in caught)
    assert "argument x is f32" in str(caught[-1].message)
