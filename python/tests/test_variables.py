"""Variables as values, operators of tensors, and objects that are not made yet."""

import os

import numpy as np
import pytest

import tfrt
from tfrt import tensor as T

traced = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


def test_a_variable_is_its_value():
    v = tfrt.Variable([[1.0, 2.0], [3.0, 4.0]])
    assert np.asarray(v).dtype == np.float32 and np.asarray(v, "f8").tolist() == v.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert len(v) == 2 and v.size == 4 and v.T.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert v.sum().item() == 10.0 and v.mean(axis=0).tolist() == [2.0, 3.0]
    assert v.max().item() == 4.0 and v.min(axis=1, keepdims=True).tolist() == [[1.0], [3.0]]
    assert v.reshape(4).tolist() == [1.0, 2.0, 3.0, 4.0] and v.transpose(1, 0).shape == (2, 2)
    assert v.astype("i32").dtype == tfrt.i32 and [row.tolist() for row in v][1] == [3.0, 4.0]
    assert tfrt.tensor(v).tolist() == v.tolist() and tfrt.Variable(v).tolist() == v.tolist()
    with pytest.raises(TypeError, match="has elements of f32"):
        tfrt.tensor(v, dtype="f64")

    one = tfrt.Variable(2)
    assert int(one) == 2 and float(one) == 2.0 and one.item() == 2 and [5, 6, 7][one] == 7
    assert tfrt.tensor([one, 3]).tolist() == [2, 3]
    with pytest.raises(TypeError):
        len(one)


def test_the_truth_of_a_variable_is_that_of_its_value():
    flag = tfrt.Variable(0.0)
    assert not flag and bool(tfrt.Variable(True)) and not tfrt.Variable(False)
    flag.assign(2.0)
    assert flag and (1 if flag else 2) == 1
    with pytest.raises(ValueError, match="has 2 elements, not one"):
        bool(tfrt.Variable([1.0, 2.0]))


@traced
def test_the_truth_of_a_variable_in_a_traced_function():
    flag = tfrt.Variable(False)

    @tfrt.function
    def by_value(x):
        if flag.read():
            x = x * 2.0
        return x

    assert by_value(T(1.0)).item() == 1.0
    flag.assign(True)
    assert by_value(T(1.0)).item() == 2.0 and by_value.statistics["traces"] == 1

    for needs_value in (lambda: 1.0 if flag else 2.0, lambda: float(flag), lambda: flag.item(), lambda: flag.tolist()):
        @tfrt.function
        def f(x):
            return x + needs_value()

        with pytest.raises(tfrt.Error, match="test_variables.py.*not known while a function is "
                                             "traced.*variable.read()"):
            f(T(1.0))
    total = tfrt.function(lambda v: v.sum() + v.reshape(2).max())
    assert total(tfrt.Variable([1.0, 2.0])).item() == 5.0


def test_the_dtype_of_a_variable():
    for initial in (T([1, 2]), tfrt.Variable([1, 2]), [1, 2]):
        v = tfrt.Variable(initial, dtype="f64")
        assert v.dtype == tfrt.f64 and v.value.dtype == tfrt.f64 and v.tolist() == [1.0, 2.0]
    assert tfrt.Variable(T([1.5])).dtype == tfrt.f32


@traced
def test_variables_of_ops_on_the_first_call():
    seed = T([1.0, 2.0])
    kept = []

    @tfrt.function
    def f(x):
        if not kept:
            kept.append(tfrt.Variable(tfrt.fill([2], 0.5) * 2.0 + seed))
            kept.append(tfrt.Variable(abs(-seed), dtype="f64"))
        kept[0].assign_add(x)
        return kept[0].read()

    assert f(T([1.0, 1.0])).tolist() == [3.0, 4.0] and f(T([1.0, 1.0])).tolist() == [4.0, 5.0]
    assert kept[1].dtype == tfrt.f64 and kept[1].tolist() == [1.0, 2.0]

    @tfrt.function
    def of_argument(x):
        return tfrt.Variable(x * 2.0).read()

    with pytest.raises(tfrt.Error, match="depends on an argument"):
        of_argument(T([1.0]))


def test_subclasses_of_variables_are_variables():
    class Weight(tfrt.Variable):
        pass

    w = Weight([1.0])
    assert (w + 1.0).tolist() == [2.0] and tfrt.relu(w).tolist() == [1.0]
    w.assign_add([1.0])
    assert w.tolist() == [2.0]


def test_objects_that_are_not_made_yet(run_python):
    run_python("""
        import tfrt
        class Derived(tfrt.Tensor): pass
        class Own(tfrt.Variable): pass
        bits = type(tfrt.tensor(1.0)._bits())
        made = [cls.__new__(cls) for cls in (tfrt.Tensor, Derived, tfrt.Variable, Own, bits, tfrt._tfrt._Function)]
        uses = [memoryview, lambda x: x + 1, lambda x: 1 / x, lambda x: -x, abs, lambda x: x @ x, lambda x: x == x,
                bool, float, len, list, str, repr, tfrt.tensor, tfrt.Variable, tfrt.relu,
                lambda x: tfrt.concat([x], axis=0), lambda x: x(1), lambda x: x.shape,
                lambda x: tfrt.tensor([x]), lambda x: tfrt.tensor([1.0])[x], hash, tfrt.from_dlpack]
        for x in made:
            for use in uses:
                try:
                    use(x)
                except (TypeError, AttributeError, BufferError, ValueError, RuntimeError, IndexError):
                    pass
        print("there")
    """, leaks=True)


# --- Operators ---

def test_the_quotient_of_integers_is_a_float():
    def quotients(x, v):
        return [x / 2, 14 / x, x / x, v / 2, [1, 2] / x, x / np.array([1, 2], "i4")]

    for dtype in ("i8", "i32", "i64", "u8"):
        elements = [7, -7] if dtype[0] == "i" else [7, 8]
        expected = quotients(np.array(elements, "f4"), np.array([7.0], "f4"))
        for quotient, known in zip(quotients(T(elements, dtype), tfrt.Variable([7], dtype)), expected):
            assert quotient.dtype == tfrt.f32
            np.testing.assert_allclose(quotient.numpy(), known, rtol=1e-6)
    assert tfrt.ops.div(T([7, -7]), 2).tolist() == [3, -3] and (T([7.0]) / 2).tolist() == [3.5]


@traced
def test_the_quotient_of_integers_is_a_float_in_traced_functions():
    f = tfrt.function(lambda x, n: x / n)
    assert f(T([7]), T([2])).tolist() == [3.5] and f(T([7]), 2).tolist() == [3.5] and f(T([7.0]), 2).tolist() == [3.5]


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64", "i8", "i32", "i64", "u8"])
def test_negative_and_absolute(dtype):
    numbers = [0, 1, 2, 3] if dtype == "u8" else [-3, 0, 2, -128]
    x = T(numbers, dtype)
    negative, absolute = (-x), abs(x)
    wrap = {"u8": lambda n: n % 256, "i8": lambda n: (n + 128) % 256 - 128}.get(dtype, lambda n: n)
    assert negative.dtype == absolute.dtype == x.dtype
    assert negative.tolist() == [wrap(-n) for n in numbers] and absolute.tolist() == [wrap(abs(n)) for n in numbers]
    assert (-tfrt.Variable(numbers, dtype)).tolist() == negative.tolist()


def test_signs_of_zeros():
    zeros = T([0.0, -0.0])
    assert np.signbit((-zeros).numpy()).tolist() == [True, False]
    assert np.signbit(abs(zeros).numpy()).tolist() == [False, False]
    with tfrt.Scope(mode="async"):
        assert abs(-T([1.0, -2.0])).tolist() == [1.0, 2.0]
    with tfrt.Context(devices=["cpu:0", "sim:0"]) as context, tfrt.Scope(context=context, device="sim:0"):
        assert abs(-T([1.0, -2.0])).tolist() == [1.0, 2.0]


@traced
@pytest.mark.parametrize("exact", [False, True])
def test_signs_of_zeros_in_traced_functions(exact):
    add = tfrt.function(lambda x: 1.0 / (x + 0.0), exact=exact)
    # Without `exact` adding 0 is left out, and a zero keeps the sign that it has.
    infinity = float("inf")
    assert add(T([-0.0, 0.0])).tolist() == [infinity if exact else -infinity, infinity]
    assert (1.0 / (T([-0.0, 0.0]) + 0.0)).tolist() == [infinity, infinity]
    signs = tfrt.function(lambda x: (-x, abs(x)), exact=exact)
    negative, absolute = signs(T([0.0, -0.0]))
    assert np.signbit(negative.numpy()).tolist() == [True, False] and not np.signbit(absolute.numpy()).any()


# --- Gradients ---

@traced
def test_the_gradient_of_abs_at_0_is_0():
    gradient = tfrt.grad(lambda x: abs(x).sum())
    assert gradient(T([-2.0, -0.0, 0.0, 3.0])).tolist() == [-1.0, 0.0, 0.0, 1.0]
    assert tfrt.grad(lambda x: (-x).sum())(T([0.0])).tolist() == [-1.0]


@traced
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("known", [True, False])
def test_the_gradient_of_a_mean_of_many(dtype, known):
    signature = {} if known else {"input_signature": [tfrt.TensorSpec(dtype, [None])]}
    gradient = tfrt.grad(lambda x: x.mean(), **signature)(tfrt.zeros_like(T(np.zeros(70000, "f4")), dtype))
    assert gradient.dtype == T([1.0], dtype).dtype
    np.testing.assert_allclose(tfrt.cast(gradient, "f32").numpy(), 1 / 70000, rtol=0.01)


@traced
def test_an_argument_has_one_gradient():
    for argnums in ((0, 0), (0, -2), (1, 0, 1)):
        with pytest.raises(ValueError, match="names an argument twice"):
            tfrt.grad(lambda x, y: (x * y).sum(), argnums)(T([2.0]), T([3.0]))
    x, y = tfrt.grad(lambda x, y: (x * y).sum(), (0, -1))(T([2.0]), T([3.0]))
    assert x.tolist() == [3.0] and y.tolist() == [2.0]
