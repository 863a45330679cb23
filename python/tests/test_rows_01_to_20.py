"""What traced functions do, a test for each rule of TensorFlow's `tf.function` that has one in Python, in their order.

The same rules have theirs in C++: test/unit/function/rows_*.cc. Row 30 is of benchmarks.
"""

import functools
import os

import numpy as np
import pytest
from source_lines import line_of

import tfrt
from tfrt import tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


def test_01_traced_values_are_those_of_eager_calls_bit_for_bit():
    def model(x):
        return tfrt.softmax(tfrt.relu(x @ x - 0.3) / 3.0) + x.mean(axis=0)

    x = np.random.default_rng(0).random((5, 5)).astype("f4")
    traced = tfrt.function(model, exact=True)
    assert traced(x).numpy().tobytes() == model(T(x)).numpy().tobytes()


def test_02_traced_tensors_have_types_and_no_elements():
    seen = []

    @tfrt.function
    def f(x):
        y = x + 1.0
        seen.append((y.dtype, y.shape))
        return y.numpy()  # here

    with pytest.raises(tfrt.FailedPreconditionError, match="no elements while the function 'f' is traced") as caught:
        f(T([[1.0, 2.0]]))
    assert seen == [(tfrt.f32, (1, 2))]
    assert f"test_rows_01_to_20.py:{line_of(f, 'y = x + 1.0')}" in str(caught.value)


def test_03_functions_in_functions_are_one_program():
    traced = []

    @tfrt.function
    def inner(x):
        traced.append(x.dtype)
        return {"twice": x * 2.0, "once": (x,)}

    @tfrt.function
    def outer(x):
        first, second = inner(x), inner(x + 1.0)  # the second is a call of what the first has traced
        return first["twice"] + second["twice"] + second["once"][0]

    assert outer(T([1.0])).tolist() == [8.0]
    assert traced == [tfrt.f32] and inner.statistics["programs"] == 0 and outer.statistics["programs"] == 1


def test_04_and_05_host_code_runs_once_and_ops_print_at_each_call(capfd):
    @tfrt.function
    def f(x):
        print("host", flush=True)
        y = tfrt.ops.print(x, [x], message="one ")
        return tfrt.ops.print(y + 1, [y], message="two ")

    assert f(T(1)).item() == 2 and f(T(1)).item() == 2
    assert f.statistics["traces"] == 1 and f.statistics["calls"] == 2
    captured = capfd.readouterr()
    assert captured.out == "host\n" and captured.err == "one [1]\ntwo [1]\n" * 2


def test_06_assertions_are_part_of_the_program():
    @tfrt.function
    def f(x):
        assert x.sum() > 0.0, "a sum of nothing"
        return x

    assert f(T([1.0])).tolist() == [1.0]
    with pytest.raises(tfrt.InvalidArgumentError, match="test_rows_01_to_20.py.*assertion failed: a sum of nothing"):
        f(T([-1.0])).numpy()
    assert f.statistics["traces"] == 1


def search(x, most):
    steps = 0
    while not x.sum() > 100.0 or x[0] < 0.0:
        steps += 1
        if x[0] < x[1] and steps < 4:
            x = x * 2.0
            continue
        x = -x + 5.0
        if steps >= most:
            break
    return x, steps


def test_07_conditions_on_tensors_become_branches_and_loops():
    f = tfrt.function(search)
    for values in ([1.0, 2.0], [3.0, -4.0], [60.0, 70.0]):
        (x, steps), (expected, expected_steps) = f(T(values), T(7)), search(T(values), 7)
        assert x.tolist() == expected.tolist() and steps.item() == expected_steps
    assert f.statistics["traces"] == 1


def test_07_a_condition_that_is_not_rewritten_names_the_way_out():
    f = tfrt.function(lambda x: float(x.sum()))
    with pytest.raises(tfrt.FailedPreconditionError,
                       match="no elements while the function '<lambda>' is traced; let tfrt.cond"):
        f(T([1.0]))


def test_07_a_tensor_from_outside_is_the_value_of_a_variable_on_one_way():
    w, zero = T([7.0]), T(0)

    @tfrt.function
    def f(x):
        y = w
        if x > 0.0:
            y = w * x
        n, v = zero, w
        while n < 3:
            n, v = n + 1, v * 2.0 if x > 0.0 else w
        return y, n, v

    assert [each.tolist() for each in f(T(3.0))] == [[21.0], 3, [56.0]]
    assert [each.tolist() for each in f(T(-3.0))] == [[7.0], 3, [7.0]]

    def clamp(x, low, high):
        if x < low:
            x = low
        elif x > high:
            x = high
        return x

    g = tfrt.function(functools.partial(clamp, T(5.0)))
    assert [g(T(low), T(high)).item() for low, high in ((6.0, 9.0), (1.0, 3.0), (1.0, 9.0))] == [6.0, 3.0, 5.0]


def test_08_both_branches_are_traced_once():
    traced = []

    @tfrt.function
    def f(x):
        if x.sum() > 0.0:
            traced.append("then")
            y = x
        elif x.sum() > -10.0:
            traced.append("elif")
            y = -x
        else:
            traced.append("else")
            y = x * 0.0
        return y

    assert [f(T([x])).item() for x in (2.0, -2.0, -20.0)] == [2.0, 2.0, 0.0]
    assert traced == ["then", "elif", "else"]


def test_09_and_10_tensors_share_a_trace_and_numbers_unroll():
    @tfrt.function
    def f(x, n):
        while n > 0:
            x = x + x
            n = n - 1
        return x

    assert [f(T([1.0]), n).item() for n in (1, 3, 3)] == [2.0, 8.0, 8.0]
    assert f.statistics["traces"] == 2
    assert [f(T([1.0]), T(n)).item() for n in (1, 3, 5)] == [2.0, 8.0, 32.0]
    assert f.statistics["traces"] == 3
    size = {n: f.concrete(T([1.0]), n).mlir().count("graph.add") for n in (1, 3)}
    assert size[3] > size[1]


def over_range(begin, end):
    total = 0
    for i in range(begin, end):
        total += i
    return total


def backwards(begin, end):
    total = 0
    for i in range(end, begin, -2):
        if total > 8:
            break
        total += i
    return total


@pytest.mark.parametrize("function", [over_range, backwards])
def test_11_a_range_of_tensors_is_one_loop(function):
    f = tfrt.function(function)
    for bounds in ((0, 4), (2, 7), (3, 3), (5, 1)):
        assert f(T(bounds[0]), T(bounds[1])).item() == function(*bounds)
    assert f.statistics["traces"] == 1
    assert f(1, T(5)).item() == function(1, 5) and f(T(1), 5).item() == function(1, 5)


@pytest.mark.parametrize("step, kind, message", [
    (lambda n: n, TypeError, "the step of a range in a traced function is an int, not a tensor"),
    (lambda n: 0, ValueError, "the step of a range is not 0"),
], ids=["tensor", "zero"])
def test_11_wrong_steps(step, kind, message):
    @tfrt.function
    def f(n):
        total = 0
        for i in range(0, n, step(n)):
            total += i
        return total

    with pytest.raises(kind, match=message):
        f(T(3))


def test_12_rows_of_a_tensor_are_a_loop_and_those_of_an_array_are_ops():
    @tfrt.function(reduce_retracing=False)
    def total(rows):
        result = 0.0
        for row in rows:
            result = result + row.sum()
        return result

    programs = [total.concrete(tfrt.TensorSpec("f32", [n, 2])).mlir() for n in (3, 300)]
    assert len(programs[0].splitlines()) == len(programs[1].splitlines())
    rows = np.arange(6, dtype="f4").reshape(3, 2)
    assert total(rows).item() == 15.0

    def of_array(n):
        array = np.ones((n, 2), "f4")

        @tfrt.function
        def f(x):
            for row in array:
                x = x + row
            return x

        return f.concrete(T([0.0, 0.0])).mlir()

    assert len(of_array(6).splitlines()) > len(of_array(3).splitlines())


def test_12_for_each_of_a_tensor():
    @tfrt.function
    def f(rows):
        return tfrt.for_each(rows, lambda total, most, row: (total + row, tfrt.maximum(most, row)), 0.0, 0.0)

    for values in ([1.0, 5.0, 2.0], [3.0]):
        total, most = f(T(values))
        assert total.item() == sum(values) and most.item() == max(values)
    with pytest.raises(TypeError, match="rows of a tensor are what they are"):
        tfrt.for_each(T([1.0]), lambda x, row: x, 0.0, row=tfrt.TensorSpec("f32", []))


def test_13_tensors_that_leave_their_trace_are_errors():
    kept = []

    @tfrt.function
    def f(x):
        kept.append(x + 1.0)
        return x

    f(T([1.0]))
    place = f"test_rows_01_to_20.py:{line_of(f, 'kept.append')}"
    for use in (lambda: kept[0].numpy(), lambda: kept[0] + 1.0, lambda: tfrt.function(lambda x: x + kept[0])(T([1.0]))):
        with pytest.raises(tfrt.Error, match="belongs to a trace of the function 'f', which is over") as caught:
            use()
        assert place in str(caught.value)


def test_14_tensor_arrays_grow_in_loops():
    def rnn(inputs, outputs):
        state = inputs[0] * 0.0
        for i in range(inputs.shape[0] if not inputs.is_traced else tfrt.shape_of(inputs)[0]):
            state = tfrt.tanh(state * 0.5 + tfrt.gather(inputs, i, 0))
            outputs = outputs.write(i, state)
        return outputs, state

    inputs = T(np.linspace(0, 1, 10, dtype="f4").reshape(5, 2))
    expected, last = rnn(inputs, tfrt.TensorArray("f32", [2]))
    f = tfrt.function(rnn, exact=True)
    for _ in range(2):
        outputs, state = f(inputs, tfrt.TensorArray("f32", [2]))
        assert isinstance(outputs, tfrt.TensorArray) and outputs.size().item() == 5
        assert outputs.stack().tolist() == expected.stack().tolist() and state.tolist() == last.tolist()
    assert f.statistics["traces"] == 1


def test_14_tensor_arrays():
    array = tfrt.TensorArray("i32").append(4).append(5)
    other = array.write(3, 7)
    assert array.stack().tolist() == [4, 5] and other.stack().tolist() == [4, 5, 0, 7]
    assert other.read(T(3)).item() == 7 and tfrt.TensorArray.of([[1, 2]]).read(0).tolist() == [1, 2]

    @tfrt.function
    def chosen(x, array):
        if x.sum() > 0:
            array = array.append(x.sum())
        return array.stack()

    assert chosen(T([1, 2]), array).tolist() == [4, 5, 3] and chosen(T([-1, 0]), array).tolist() == [4, 5]
    with pytest.raises(tfrt.Error, match="list_write|ListWrite"):
        array.write(0, [1, 2])
    with pytest.raises((TypeError, ValueError)):
        tfrt.TensorArray("f32", [None])


def test_15_and_16_traces_by_type_and_concrete_ones():
    @tfrt.function(reduce_retracing=False)
    def f(x):
        return x + x

    for value in ([1.0], [1.0, 2.0], [[1.0]], [1]):
        assert f(T(value)).shape == T(value).shape
    assert f.statistics["programs"] == 4
    unknown = f.concrete(tfrt.TensorSpec("f32", [None]))
    assert f(T([1.0])).tolist() == [2.0]  # by the one for [1], which says more
    assert f(T([1.0] * 5)).tolist() == [2.0] * 5 and f.statistics["programs"] == 5
    assert f.concrete(T([2.0])) == f.concrete(T([1.0])) and f.concrete(T([2.0])) != unknown
    with pytest.raises(tfrt.InvalidArgumentError, match="was called with"):
        unknown(T([[1.0]]))


def test_17_signatures_are_for_every_call():
    @tfrt.function(input_signature=[tfrt.TensorSpec("f32")])
    def f(x):
        return x * 2.0

    assert f(T([1.0])).tolist() == [2.0] and f(T([[1.0]])).tolist() == [[2.0]] and f.statistics["traces"] == 1
    with pytest.raises(tfrt.InvalidArgumentError,
                       match=r"argument x is i32 \[1\], but the input signature says f32 \[\*\]"):
        f(T([1]))


@pytest.mark.parametrize("relax, traces", [(True, 2), (False, 3), (None, 3)])
def test_18_relaxed_shapes(relax, traces):
    f = tfrt.function(lambda x: x + 1.0, reduce_retracing=relax)
    for n in (1, 2, 3):
        assert f(np.ones(n, "f4")).shape == (n,)
    assert f.statistics["traces"] == traces
    if relax is None:
        f(np.ones(4, "f4"))
        assert f.statistics["traces"] == traces


def test_19_the_report_says_what_a_number_costs():
    @tfrt.function
    def f(x, step):
        return x * float(step)

    f(T([1.0]), 3), f(T([1.0]), 4)
    report = f.report()
    assert "argument step is the host value 4, it was 3" in report and "pass a tensor" in report


def test_20_a_tensor_in_place_of_a_number_is_one_trace():
    f = tfrt.function(lambda x: x + 1)
    assert f(T(1)).item() == 2 and f(T(2)).item() == 3 and f.statistics["traces"] == 1
    g = tfrt.function(lambda x: x + 1, input_signature=[])
    assert g(1).item() == 2 and g(2).item() == 3 and g.statistics["traces"] == 2
