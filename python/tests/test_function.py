"""Traced functions, rule by rule. The compiler library compiles them."""

import inspect
import os
import re
import warnings

import numpy as np
import pytest

import tfrt
from tfrt import tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


def test_calls_are_recorded_once():
    effects = []

    @tfrt.function
    def f(x):
        effects.append(type(x))
        return tfrt.relu(x @ x) + 1.0

    x = np.array([[1, -2], [3, 4]], "f4")
    for _ in range(3):
        np.testing.assert_allclose(f(x).numpy(), np.maximum(x @ x, 0) + 1, rtol=1e-6)
    assert effects == [tfrt.Tensor] and f.statistics["traces"] == 1 and f.statistics["calls"] == 3
    assert f.__name__ == "f" and "f(x)" in repr(f)
    assert "f" in f.report()


def test_types_and_shapes_and_values():
    traces = []

    @tfrt.function
    def f(x, n=2):
        traces.append(n)
        for _ in range(n):
            x = x + x
        return x

    assert f(T([1.0])).tolist() == [4.0] and f(T([2.0])).tolist() == [8.0]
    assert len(traces) == 1
    assert f(T([1])).dtype == tfrt.i32 and len(traces) == 2
    assert f(T([1.0]), n=3).tolist() == [8.0] and f(T([1.0]), 3).tolist() == [8.0]
    assert len(traces) == 3


def test_structures():
    @tfrt.function
    def f(pair, named):
        x, y = pair
        return {"sum": x + y, "rest": (named["z"], None, [x])}

    for _ in range(2):
        result = f((tfrt.tensor([1.0]), tfrt.tensor([2.0])), {"z": tfrt.tensor([3.0])})
        assert result["sum"].tolist() == [3.0] and result["rest"][0].tolist() == [3.0]
        assert result["rest"][1] is None and result["rest"][2][0].tolist() == [1.0]


def branches(x):
    if x.sum() > 0.0:
        y = x * 2.0
    else:
        y = x - 1.0
    return y


def loops(x):
    n = 0
    while x.sum() < 100.0:
        x = x * 2.0
        n = n + 1
        if n >= 5:
            break
    return x, n


def rows(x):
    total = tfrt.zeros_like(x[0])
    for row in x:
        total = total + row * 2.0
    return total


@pytest.mark.parametrize("function, values", [
    (branches, ([1.0, 2.0], [-1.0, -2.0])), (loops, ([1.0, 2.0], [60.0, 60.0], [0.001, 0.0])),
    (rows, ([[1.0, 2.0], [3.0, 4.0]],)),
], ids=["branches", "loops", "rows"])
def test_control_flow(function, values):
    traced = tfrt.function(function)
    for value in values:
        expected, found = function(T(value)), traced(T(value))
        if isinstance(expected, tuple):
            assert found[1].item() == expected[1]
            expected, found = expected[0], found[0]
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)
    assert traced.statistics["traces"] == 1


def test_control_flow_by_name():
    @tfrt.function
    def f(x, n):
        y = tfrt.cond(x.sum() > 0.0, lambda: x, lambda: -x)
        z = tfrt.for_range(n, lambda i, v: v + 1.0, y)
        a, b = tfrt.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 2.0), 0, z)
        last, sums = tfrt.scan(lambda c, row: (c + row, c + row), 0.0, tfrt.tensor([1.0, 2.0, 3.0]))
        return a, b, last, sums

    for x in ([1.0, 2.0], [-1.0, -2.0]):
        a, b, last, sums = f(T(x), T(4))
        assert a.item() == 3 and b.tolist() == [(abs(v) + 4) * 8 for v in x]
        assert last.item() == 6.0 and sums.tolist() == [1.0, 3.0, 6.0]


def test_variables():
    count = tfrt.Variable([0.0])

    @tfrt.function
    def f(x):
        count.assign_add(x)
        return count * 2.0

    assert f(T([1.0])).tolist() == [2.0] and f(T([2.0])).tolist() == [6.0]
    assert count.value.tolist() == [3.0]


def test_errors_have_lines():
    @tfrt.function
    def f(x, y):
        return x @ y

    with pytest.raises(tfrt.InvalidArgumentError) as caught:
        f(T([[1.0, 2.0]]), T([[1.0]]))
    assert caught.value.file == __file__ and caught.value.line == inspect.getsourcelines(f._python_function)[1] + 2

    @tfrt.function
    def reads(x):
        return x.tolist()

    with pytest.raises(tfrt.Error, match="trace"):
        reads(T([1.0]))

    @tfrt.function
    def raises(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        raises(T([1.0]))

    @tfrt.function
    def returns_text(x):
        return "text"

    with pytest.raises(TypeError, match="returns tensors, numbers, None.*not str"):
        returns_text(T([1.0]))

    @tfrt.function
    def cannot(x):
        while x.sum() > 0.0:
            return x
        return x

    with pytest.raises(tfrt.RewriteError, match="a return in a loop that depends on a tensor"):
        cannot(T([1.0]))


def test_leaks():
    kept = []

    @tfrt.function
    def f(x):
        kept.append(x + 1.0)
        return x

    f(T([1.0]))
    with pytest.raises(tfrt.Error):
        kept[0].numpy()


def test_sizes_that_a_body_looks_at():
    @tfrt.function
    def f(x):
        return x * float(x.shape[0])

    # From the third on other sizes are left open, where that can be traced.
    for n in (1, 2, 3, 4):
        assert f(np.ones(n, "f4")).tolist() == [n] * n


def test_a_list_that_is_in_itself():
    f = tfrt.function(lambda x, items: x)
    items = []
    items.append(items)
    with pytest.raises(RecursionError):
        f(np.ones(1, "f4"), items)


def test_signatures_and_unknown_sizes():
    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None, 2])])
    def f(x):
        return x * 2.0

    for n in (1, 2, 3):
        assert f(np.ones((n, 2), "f4")).shape == (n, 2)
    assert f.statistics["traces"] == 1
    with pytest.raises(tfrt.InvalidArgumentError):
        f(np.ones((2, 3), "f4"))
    concrete = f.concrete(tfrt.TensorSpec("f32", [None, 2]))
    assert "f(x: f32 [?,2])" in concrete.signature and "graph" in concrete.mlir() and len(concrete.bef) > 100
    assert concrete(np.ones((1, 2), "f4")).tolist() == [[2.0, 2.0]]
    assert concrete == f.concrete(tfrt.TensorSpec("f32", [None, 2]))
    with pytest.raises(TypeError, match="input_signature is a list of tfrt.TensorSpec"):
        tfrt.function(lambda x: x, input_signature=[3])


def test_saving(tmp_path):
    w = np.array([[1, 2], [3, 4]], "f4")

    @tfrt.function
    def f(x):
        return tfrt.relu(x @ w)

    x = np.array([[1, -1]], "f4")
    expected = f(x).numpy()
    f.save(tmp_path / "f.bef")
    model = tfrt.load(tmp_path / "f.bef")
    assert model.inputs[0].name == "x"
    (found,) = model.run([x]).values()
    assert (found.numpy() == expected).all()


def test_host_calls(tmp_path):
    seen = []

    def host(x):
        seen.append(x.tolist())
        return x.numpy() * 3

    @tfrt.function
    def f(x):
        return tfrt.host_call(host, [x], tfrt.TensorSpec("f32", [1])) + 1.0

    assert f(T([1.0])).tolist() == [4.0] and f(T([2.0])).tolist() == [7.0]
    assert seen == [[1.0], [2.0]]
    with pytest.raises(tfrt.FailedPreconditionError):
        f.save(tmp_path / "f.bef")


@pytest.mark.parametrize("body, message", [
    ("raise ValueError('mine')", "the host function host raised ValueError: .*: mine"),
    ("return 1", "the host function host .*"),
], ids=["raises", "returns_no_such_thing"])
def test_host_calls_that_fail(run_python, tmp_path, body, message):
    # In a process of its own: it died of it once. Nothing of the program is left at its end, either.
    program = tmp_path / "program.py"
    program.write_text("import re, tfrt\n\ndef host(x):\n    " + body + "\n\n@tfrt.function\ndef f(x):\n"
                       "    return tfrt.host_call(host, [x], [tfrt.TensorSpec('f32', [1])])[0]\n\n"
                       "try:\n    f(tfrt.tensor([1.0])).numpy()\nexcept tfrt.Error as error:\n"
                       f"    assert re.search({message!r}, str(error)), error\nelse:\n    raise AssertionError\n")
    run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))")


def test_questions_while_another_thread_traces(run_python, tmp_path):
    # In a process of its own: no thread of it went on.
    program = tmp_path / "program.py"
    program.write_text("import threading, time, tfrt\n\nis_traced, goes_on = threading.Event(), threading.Event()\n\n"
                       "@tfrt.function\ndef f(x):\n    is_traced.set()\n    goes_on.wait()\n"
                       "    for _ in range(20):\n        time.sleep(0)\n    return x + 1.0\n\n"
                       "for ask in (lambda: f.statistics, f.report, f.clear_cache):\n"
                       "    f.clear_cache()\n    is_traced.clear(), goes_on.clear()\n"
                       "    thread = threading.Thread(target=lambda: f(tfrt.tensor([1.0])))\n"
                       "    thread.start()\n    is_traced.wait(), goes_on.set()\n    ask()\n    thread.join()\n")
    run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))")


def test_run_eagerly():
    effects = []

    @tfrt.function(run_eagerly=True)
    def f(x):
        effects.append(x.tolist())
        if x.sum() > 0.0:
            return x
        return -x

    assert f(T([1.0])).tolist() == [1.0] and f(T([-2.0])).tolist() == [2.0]
    assert effects == [[1.0], [-2.0]]


def test_nested_functions_and_methods():
    @tfrt.function
    def inner(x):
        return x * 2.0

    class Layer:
        def __init__(self, bias):
            self.bias = tfrt.tensor(bias)

        @tfrt.function
        def forward(self, x):
            return inner(x) + self.bias

    one, two = Layer([1.0]), Layer([2.0])
    assert one.forward(T([1.0])).tolist() == [3.0] and two.forward(T([1.0])).tolist() == [4.0]
    assert one.forward(T([2.0])).tolist() == [5.0]


class Scale:
    def __init__(self, by):
        self.by = by

    @tfrt.function
    def times(self, x):
        return x * self.by


class SlottedScale:
    __slots__ = ("by",)

    def __init__(self, by):
        self.by = by


@pytest.mark.parametrize("make", [Scale, SlottedScale])
def test_objects_that_are_gone(make):
    # A later object that has the address of an earlier one is another one.
    f = tfrt.function(lambda x, scale: x * scale.by)
    for by in (2.0, 3.0, 4.0):
        assert f(T([1.0]), make(by)).tolist() == [by]
    kept = make(5.0)
    for _ in range(2):
        assert f(T([1.0]), kept).tolist() == [5.0]
    assert f.statistics["traces"] == 4


def test_methods_of_objects_that_are_gone():
    import weakref

    for by in (2.0, 3.0, 4.0):
        scale = Scale(by)
        assert scale.times(T([1.0])).tolist() == [by]
        gone = weakref.ref(scale)
        del scale
        assert gone() is None


def test_arguments_that_the_body_changes():
    given, named = [], {}

    @tfrt.function
    def f(x, given_then, named_then):
        for _ in range(1000):
            given.append(tfrt.tensor([1.0]))
        named.clear()
        assert given_then == [] and set(named_then) == {"y"}
        return x + named_then["y"]

    for n in (1, 2, 3):
        named["y"] = tfrt.tensor([1.0])
        given.clear()
        assert f(tfrt.tensor([1.0] * n), given, named).tolist() == [2.0] * n


def test_a_variable_that_leaves_its_list():
    state, made = [tfrt.Variable([1.0]), tfrt.Variable([2.0])], []

    @tfrt.function
    def f(x, variables):
        if not made:  # then it is traced again
            made.append(tfrt.Variable([3.0]))
            state.clear()
        return x + variables[0] + variables[1] + made[0]

    assert f(T([1.0]), state).tolist() == [7.0]


@tfrt.function
def power(x, n):
    if n == 0:
        return x
    return power(x * 2.0, n - 1)


def doubled(x, n):
    return x if n == 0 else doubled(x * 2.0, n - 1)


def test_recursion():
    assert power(T([1.0]), 3).tolist() == [8.0]
    f = tfrt.function(doubled)
    assert f(T([1.0]), 3).tolist() == [8.0]
    with pytest.raises(tfrt.Error, match="64 deep"):
        power(T([1.0]), -1)


def test_many_traces_warn():
    @tfrt.function
    def f(x, step):
        return x * float(step)

    with pytest.warns(RuntimeWarning, match="f"):
        for step in range(8):
            assert f(T([1.0]), step).tolist() == [float(step)]
    assert "step" in f.report()


def test_limits():
    @tfrt.function(max_traces=2, when_full="error")
    def f(x, n):
        return x * float(n)

    f(T([1.0]), 1), f(T([1.0]), 2)
    with pytest.raises(tfrt.Error):
        f(T([1.0]), 3)
    f.clear_cache()
    assert f(T([1.0]), 3).tolist() == [3.0]
    with pytest.raises(ValueError, match="when_full is one of evict, error, run_eagerly, not 'never'"):
        tfrt.function(lambda x: x, when_full="never")


def test_asynchronous_and_threads():
    import concurrent.futures

    @tfrt.function
    def f(x):
        return x @ x + 1.0

    x = np.eye(16, dtype="f4")
    with tfrt.Scope(mode="async"):
        assert (f(x).numpy() == x + 1).all()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: f(x).numpy(), range(20)):
            assert (result == x + 1).all()


def test_the_compiler_is_loaded_when_a_function_is_called(run_python, tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import tfrt\n\n@tfrt.function\ndef f(x):\n    return x + 1.0\n\n"
                       "def maps():\n    with open('/proc/self/maps') as file:\n        return file.read()\n\n"
                       "assert 'LLVM' not in maps()\n"
                       "assert f(tfrt.tensor([1.0])).tolist() == [2.0]\nassert 'LLVM' in maps()\n")
    run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))")


def test_without_the_compiler(run_python, tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import tfrt\n\n@tfrt.function\ndef f(x):\n    return x\n\n"
                       "try:\n    f(tfrt.tensor([1.0]))\nexcept tfrt.FailedPreconditionError as error:\n"
                       "    assert 'install the package tfrt-compiler' in str(error)\n"
                       "else:\n    raise AssertionError\n")
    run_python(f"exec(compile(open({str(program)!r}).read(), {str(program)!r}, 'exec'))",
               TFRT_COMPILER_LIBRARY="/no/such/library.so")


def test_variables_among_the_arguments_are_those_of_the_call():
    @tfrt.function
    def f(variables, x):
        variables["v"].assign_add(x)
        return variables["w"] * 2.0

    first = {"v": tfrt.Variable([1.0]), "w": tfrt.Variable([2.0])}
    second = {"v": tfrt.Variable([10.0]), "w": tfrt.Variable([20.0])}
    assert f(first, T([1.0])).tolist() == [4.0] and f(second, T([2.0])).tolist() == [40.0]
    assert f.statistics["traces"] == 1
    assert first["v"].value.tolist() == [2.0] and second["v"].value.tolist() == [12.0]


def test_results_are_kept_as_long_as_their_traces():
    import gc
    import weakref

    class Items(list):
        pass

    @tfrt.function(max_traces=2)
    def f(x, n):
        return Items([x] * n)

    for n in (1, 2, 3, 1):
        made = f(T([1.0]), n)
        assert type(made) is Items and len(made) == n
    assert f.statistics["programs"] == 2
    build = weakref.ref(f._taken_apart(Items([T(1.0)]))[1])
    assert build() is None  # what builds results has no cycle, and goes with its trace
    f.clear_cache()
    gc.collect()
    assert len(f(T([1.0]), 2)) == 2 and f.statistics["programs"] == 1


def dropped_function():
    """A function whose host call knows it, and what is gone when it is."""
    import weakref

    class Model:
        def __init__(self):
            self.calls = 0
            self.step = tfrt.function(self._step)

        def _step(self, x):
            return tfrt.host_call(self._host, [x], tfrt.TensorSpec("f32", [1])) * 2.0

        def _host(self, x):
            self.calls += 1
            return x

    model = Model()
    return model, weakref.ref(model)


def test_dropped_functions_with_host_calls_are_freed():
    import gc

    model, gone = dropped_function()
    assert model.step(T([1.0])).tolist() == [2.0] and model.calls == 1
    gc.collect()
    assert gone() is model and model.step(T([2.0])).tolist() == [4.0]
    concrete = model.step.concrete(T([1.0]))
    del model
    gc.collect()
    assert gone() and concrete(T([3.0])).tolist() == [6.0]  # which calls it still
    del concrete
    gc.collect()
    assert gone() is None
    # In the trace of a function that calls it.
    model, gone = dropped_function()
    model.outer = tfrt.function(lambda x: model.step(x) + 1.0)
    assert model.outer(T([1.0])).tolist() == [3.0]
    del model
    gc.collect()
    assert gone() is None


def test_functions_that_are_dropped_while_they_run():
    import gc
    import time

    class Slow:
        def __init__(self):
            self.step = tfrt.function(lambda x: tfrt.host_call(self.host, [x], tfrt.TensorSpec("f32", [1])))

        def host(self, x):
            time.sleep(0.05)
            return [self.by]

    slow = Slow()
    slow.by = 7.0
    with tfrt.Scope(mode="async"):
        result = slow.step(T([1.0]))
        del slow
        gc.collect()
        assert result.tolist() == [7.0]


def test_copies_and_pickled_functions():
    import copy
    import pickle

    assert copy.copy(power) is power and copy.deepcopy([power])[0] is power
    assert pickle.loads(pickle.dumps(power)) is power
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(tfrt.function(lambda x: x))


@pytest.mark.parametrize("call, message", [
    (lambda: tfrt.function(doubled, speed=1),
     "a traced function has no option 'speed', but input_signature, .*cache_folder"),
    (lambda: power(), "missing a required argument: 'x'"),
    (lambda: power(1, 2, 3), "too many positional arguments"),
    (lambda: power(1, m=2), "missing a required argument: 'n'"),
    (lambda: tfrt.function(power), "a function of Python can be traced, not Function"),
    (lambda: tfrt.Function.__new__(tfrt.Function)(1), "the function is not made yet"),
])
def test_wrong_calls(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_a_host_call_may_call_the_function_that_calls_it():
    spec = tfrt.TensorSpec("f32", [])
    f = tfrt.function(lambda x: tfrt.host_call(lambda y: f(y - 1.0) + 2.0 if y.item() > 0 else y, [x], spec))
    assert f(tfrt.tensor(3.0)).item() == 6.0


# --- Names in messages ---

def _call(function, *arguments, **options):
    return lambda: tfrt.function(function, **options)(*arguments)


def _recursive(x):
    return recursive(x)


recursive = tfrt.function(_recursive)


def _host(x):
    return tfrt.host_call(lambda y: y, [x], tfrt.TensorSpec("f32", [1]))


def _several_shapes():
    f = tfrt.function(lambda x, n: x, reduce_retracing=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in range(3):
            f(T([1.0] * (n + 1)), 1)
    raise ValueError(f.report())


def _several_values():
    f = tfrt.function(lambda x, n: x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(3):
            f(T([1.0]), n)


def _unrolled(x):
    for _ in range(300):
        x = x + 1.0
    return x


def _with_warnings(call):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call()


def _fail_on_retrace():
    f = tfrt.function(lambda x: x)
    f(T([1.0]))
    with tfrt.stance("fail_on_retrace"):
        f(T([1]))


def _save(f):
    traced = tfrt.function(f)
    traced(T([1.0]))
    traced.save("never.bef")


def _variable_kept():
    v, kept = tfrt.Variable([1.0]), []
    tfrt.function(lambda: kept.append(v.read()) or T(1.0))()
    kept[0].tolist()


ANY = tfrt.TensorSpec("f32", [None])


@pytest.mark.parametrize("call, names", [
    (_call(lambda x: float(x[0]), T([1.0])),
     ["tfrt.cond", "tfrt.while_loop", "tfrt.for_range", "tfrt.print", "tfrt.host_call"]),
    (_call(lambda x: x + x.shape[0], T([1.0]), input_signature=[ANY]), ["tfrt.shape_of(x)"]),
    (lambda: recursive(T(1.0)), ["tfrt.while_loop", "an argument that is a number"]),
    (_several_shapes, ["with None, which sizes differ"]),
    (_several_values, ["pass a tensor, if not each value needs a trace of its own"]),
    (_fail_on_retrace, ["the stance is fail_on_retrace"]),
    (lambda: _with_warnings(_call(_unrolled, T(1.0))), ["use tfrt.for_range or tfrt.while_loop"]),
    (lambda: _save(_host), ["by tfrt.host_call"]),
    (_variable_kept, ["Variable.read: the tensor belongs to a trace"]),
    (_call(lambda x: tfrt.cond(x, lambda: x, lambda: x), T([1.0, 2.0])), ["tfrt.cond: "]),
    (_call(lambda x: tfrt.cond(x[0], lambda: x, lambda: (x, x)), T([1.0])), ["tfrt.cond: "]),
    (_call(lambda x: tfrt.while_loop(lambda v: v, lambda v: v, x), T([1.0, 2.0])), ["tfrt.while_loop: "]),
    (lambda: tfrt.while_loop(lambda v: v[0] > 0.0, lambda v: (v, v), T([1.0, 2.0])), ["tfrt.while_loop: "]),
    (_call(lambda x: tfrt.host_call(lambda y: T([[1.0]]), [x], ANY)[0], T([1.0])), ["callback '<lambda>'"]),
    (lambda: tfrt.grad(lambda x: x)(T([1.0, 2.0])), ["reduce it with x.mean() or x.sum()"]),
    (lambda: tfrt.grad(lambda x: tfrt.cast(x, "i32").sum())(T([1.0, 2.0])), ["tfrt.cast what it is made of"]),
    (lambda: tfrt.grad(lambda x: _host(x).sum())(T([1.0])), ["call tfrt.stop_gradient where none is wanted"]),
])
def test_messages_have_the_names_of_python(call, names):
    with pytest.raises((Exception, RuntimeWarning)) as caught:
        call()
    message = str(caught.value)
    for name in names:
        assert name in message
    assert not re.search(r"(?<!tf\.)\b(Cond|WhileLoop|For[A-Z]\w+|HostCall|k[A-Z]\w+|Static|Shape|StopGradient|Mean|"
                         r"Sum|Print|Cast)\b|\w::\w|make the parameter", message), message
