"""Ops, operators, methods, and how they are called wrongly."""

import builtins
import inspect
import os
import pickle

import numpy as np
import pytest

import tfrt

# Called as it is, and traced where the compiler is.
TRACES = [lambda f: f] + ([tfrt.function] if "TFRT_COMPILER_LIBRARY" in os.environ else [])


def numbers(*shape, seed=0, dtype="f4"):
    return (np.random.default_rng(seed).random(shape) * 4 - 2).astype(dtype)


@pytest.mark.parametrize("name, expected", [
    ("__add__", lambda x, y: x + y), ("__sub__", lambda x, y: x - y), ("__mul__", lambda x, y: x * y),
    ("__truediv__", lambda x, y: x / y), ("__lt__", lambda x, y: x < y), ("__le__", lambda x, y: x <= y),
    ("__gt__", lambda x, y: x > y), ("__ge__", lambda x, y: x >= y), ("__eq__", lambda x, y: x == y),
    ("__ne__", lambda x, y: x != y), ("__matmul__", lambda x, y: x @ y),
])
def test_operators(name, expected):
    x, y = numbers(4, 4), numbers(4, 4, seed=1)
    a, b = tfrt.tensor(x), tfrt.tensor(y)
    for found in (expected(a, b), expected(a, y), expected(x, b), getattr(a, name)(b)):
        assert isinstance(found, tfrt.Tensor)
        np.testing.assert_allclose(found.numpy(), expected(x, y), rtol=1e-5, atol=1e-6)


def test_operators_with_numbers_take_the_type_of_the_tensor():
    for dtype in ("f16", "bf16", "f32", "f64", "i8", "i64", "u8"):
        x = tfrt.tensor([1, 2], dtype=dtype)
        assert (x + 1).dtype == x.dtype and (2 * x).tolist() == [2, 4] and (3 - x).tolist() == [2, 1]
        assert (x < 2).tolist() == [True, False]
    assert (tfrt.tensor([1.0]) + [2, 3]).tolist() == [3.0, 4.0]
    assert (-tfrt.tensor([1.0, -2.0])).tolist() == [-1.0, 2.0] and abs(tfrt.tensor([-3])).tolist() == [3]
    assert (+tfrt.tensor([1])).tolist() == [1]
    assert (tfrt.tensor([1]) + 2.5).dtype == tfrt.f32
    with pytest.raises(ValueError, match="300 does not fit elements of u8"):
        tfrt.tensor([1], dtype="u8") + 300
    with pytest.raises(TypeError):
        tfrt.tensor([1]) + "a"
    with pytest.raises(TypeError):
        tfrt.tensor([1]) + None


def test_matmul_of_batches():
    x, y = numbers(2, 3, 4), numbers(2, 4, 5)
    np.testing.assert_allclose((tfrt.tensor(x) @ tfrt.tensor(y)).numpy(), x @ y, rtol=1e-5, atol=1e-5)


def test_methods():
    x = numbers(2, 3, 4)
    t = tfrt.tensor(x)
    for found, expected in (
            (t.sum(), x.sum()), (t.mean(1), x.mean(1)), (t.max((0, 2)), x.max((0, 2))),
            (t.min(-1, keepdims=True), x.min(-1, keepdims=True)), (t.reshape(6, -1), x.reshape(6, -1)),
            (t.reshape((3, 8)), x.reshape(3, 8)), (t.transpose(1, 0, 2), x.transpose(1, 0, 2)),
            (t.T, x.T), (t.astype("f64"), x.astype("f8"))):
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5)
        assert found.shape == np.shape(expected)


@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize("shape, axis", [((), None), ((2, 3), ()), ((2, 1, 3, 1, 2), (0, 4)), ((2, 1, 3, 1, 2), None)])
def test_means_of_any_rank(trace, shape, axis):
    x = np.arange(np.prod(shape, dtype=int), dtype="f4").reshape(shape)
    for op, expected in ((tfrt.Tensor.mean, x.mean(axis)), (tfrt.Tensor.sum, x.sum(axis)),
                         (tfrt.Tensor.max, x.max(axis))):
        np.testing.assert_allclose(trace(lambda t: op(t, axis))(tfrt.tensor(x)).numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("trace", TRACES)
def test_no_sizes_and_no_axes(trace):
    assert trace(lambda x: x.reshape([]))(tfrt.tensor([2.0])).shape == ()
    assert trace(lambda x: tfrt.reshape(x, ()))(tfrt.tensor([[2.0]])).shape == ()
    assert trace(lambda x: tfrt.transpose(x, []))(tfrt.tensor(2.0)).item() == 2
    assert trace(lambda x: tfrt.gather(x, [], 0))(tfrt.tensor([2.0])).shape == (0,)


def test_some_ops():
    x = tfrt.tensor([[1.0, -2.0], [3.0, 4.0]])
    assert tfrt.relu(x).tolist() == [[1, 0], [3, 4]]
    assert tfrt.concat([x, x], 1).shape == (2, 4)
    assert tfrt.ops.concat(values=[x, [[5, 6]]], axis=0).tolist()[2] == [5.0, 6.0]
    assert tfrt.ops.matmul(x, x, transpose_b=True).tolist() == (x @ x.T).tolist()
    assert tfrt.gather([10.0, 20.0, 30.0], [2, 0], 0).tolist() == [30.0, 10.0]
    assert tfrt.cast(x, tfrt.i32).tolist() == [[1, -2], [3, 4]]
    assert tfrt.zeros_like(x).tolist() == [[0, 0], [0, 0]] and tfrt.zeros_like(x, "i8").dtype == tfrt.i8
    assert tfrt.ops.constant([1, 2]).tolist() == [1, 2]
    assert tfrt.ops.ensure_shape(x, [None, 2]).shape == (2, 2) and tfrt.ops.ensure_shape(x, None).shape == (2, 2)
    loss, gradient = tfrt.softmax_cross_entropy(x, [0, 1])
    assert loss.shape == (2,) and gradient.shape == (2, 2)
    assert tfrt.max_pool2d(np.ones((1, 4, 4, 1), "f4"), ksize=[1, 2, 2, 1], padding="VALID",
                           strides=[1, 2, 2, 1]).shape == (1, 2, 2, 1)
    assert tfrt.one_hot([0, 2], 3, 1.0, 0.0).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert tfrt.ops.pad_with([[1.0]], [[0, 1], [1, 0]], 5.0).tolist() == [[5, 1], [5, 5]]
    assert tfrt.ops.assert_(x[0, 0] > 0, [x]) is None


def test_every_op_has_docs_and_a_signature():
    assert len(tfrt._tfrt._ops) > 70
    for name, op in tfrt._tfrt._ops.items():
        assert op.__doc__ and op.__name__ == name and op.__module__ == "tfrt.ops"
        signature = inspect.signature(op)
        names = [parameter["name"] for parameter in op._parameters[:op._num_positional]]
        assert list(signature.parameters)[:op._num_positional] == names
        assert pickle.loads(pickle.dumps(op)) is op
    assert str(inspect.signature(tfrt.ops.matmul)) == "(a, b, *, transpose_a=False, transpose_b=False)"
    assert repr(tfrt.ops.matmul) == "<op tfrt.matmul>"


@pytest.mark.parametrize("call, error", [
    (lambda: tfrt.relu(), r"relu needs x; it is called as relu\(x\)"),
    (lambda: tfrt.relu(1.0, 2.0), "relu takes 1 positional arguments, but got 2"),
    (lambda: tfrt.relu(1.0, x=1.0), "relu got x twice"),
    (lambda: tfrt.ops.matmul([[1.0]], [[1.0]], transposeB=True), "matmul has no parameter 'transposeB'"),
    (lambda: tfrt.ops.matmul([[1.0]], [[1.0]], transpose_b=1), "attribute matmul.transpose_b is True or False, not 1"),
    (lambda: tfrt.relu("a"), "relu: argument x is a tensor, an array, a number or a list of numbers, not str"),
    (lambda: tfrt.relu(None), "relu: argument x is a tensor.* not NoneType"),
    (lambda: tfrt.relu({}), "not dict"),
    (lambda: tfrt.ops.concat(tfrt.tensor([1]), 0), "argument values is a list of tensors, not"),
    (lambda: tfrt.ops.concat(3, 0), "argument values is a list of tensors, not int"),
    (lambda: tfrt.cast(1.0, 3), "a dtype is a tfrt.DType"),
    (lambda: tfrt.ops.ensure_shape([1], "ab"), "attribute ensure_shape.shape is a list, not str"),
    (lambda: tfrt.ops.ensure_shape([1], [1.5]), "attribute ensure_shape.shape is an int of 64 bits, not 1.5"),
    (lambda: tfrt.ops.check_numerics([1.0], 3), "attribute check_numerics.message is a str, not 3"),
    (lambda: tfrt.gelu([1.0], approximate="yes"), "attribute gelu.approximate is True or False"),
    (lambda: tfrt.layer_norm([[1.0]], [1.0], [1.0], epsilon="a"), "attribute layer_norm.epsilon is a float"),
    (lambda: tfrt.ops.Op(), "cannot create"),
])
def test_wrong_calls(call, error):
    with pytest.raises(TypeError, match=error):
        call()


def test_wrong_values_have_the_line_of_the_call():
    x, y = tfrt.tensor([[1.0, 2.0]]), tfrt.tensor([1.0, 2.0, 3.0])
    line = inspect.currentframe().f_lineno + 2
    with pytest.raises(tfrt.InvalidArgumentError) as caught:
        tfrt.matmul(x, x)
    assert isinstance(caught.value, ValueError) and caught.value.code == "INVALID_ARGUMENT"
    assert caught.value.file == __file__ and caught.value.line == line
    assert str(caught.value).startswith(f"{__file__}:{line}: ") and "tf.MatMul" in str(caught.value)
    with pytest.raises(tfrt.InvalidArgumentError, match=r"x is f32 \[1, 2\], y is f32 \[3\]"):
        x + y


def test_lines_of_calls_within_the_package():
    line = inspect.currentframe().f_lineno + 2
    with pytest.raises(tfrt.InvalidArgumentError) as caught:
        tfrt.tensor([1.0]).reshape(7)
    assert (caught.value.file, caught.value.line) == (__file__, line)


def test_lines_of_many_places():
    source = "\n".join(["def call(x, bad):"] + ["    x = tfrt.relu(x)"] * 3000 + ["    return tfrt.matmul(x, bad)"])
    namespace = {"tfrt": tfrt}
    exec(compile(source, "generated.py", "exec"), namespace)
    for _ in range(2):
        with pytest.raises(tfrt.InvalidArgumentError) as caught:
            namespace["call"](tfrt.tensor([[1.0, 2.0]]), [[1.0]])
        assert (caught.value.file, caught.value.line) == ("generated.py", 3002)


def test_star_imports_leave_python_as_it_is():
    namespace = {}
    exec("from tfrt import *\nfrom tfrt.ops import *", namespace)
    assert not {name for name in namespace if hasattr(builtins, name) and not name.startswith("__")}
    assert "matmul" in namespace
