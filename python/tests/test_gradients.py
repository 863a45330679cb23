"""Gradients of functions; what the rules compute is tested in C++."""

import os

import numpy as np
import pytest

import tfrt
from tfrt import tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


def squares(x):
    return (x * x).sum()


def test_of_the_first_argument():
    gradient = tfrt.grad(squares)
    assert gradient(T([1.0, 3.0])).tolist() == [2.0, 6.0] and gradient(np.array([5, 4], "f4")).tolist() == [10.0, 8.0]
    assert gradient.statistics["traces"] == 1 and isinstance(gradient, tfrt.Function)
    value, made = tfrt.value_and_grad(tfrt.function(squares))(T([1.0, 3.0]))
    assert value.item() == 10.0 and made.tolist() == [2.0, 6.0]


def test_gradients_are_built_as_what_they_are_for():
    weights = tfrt.Variable([2.0])

    def loss(x, parameters, kind, rest=None):
        y = x * parameters["scale"][0] + parameters["weights"] + parameters["scale"][1]
        assert kind == "sum"
        return {"loss": y.sum(), "more": (y, None)}

    gradient = tfrt.value_and_grad(loss, (1, 0))
    parameters = {"scale": [T([3.0, 4.0]), T(1.0)], "weights": weights}
    for _ in range(2):
        value, (of_parameters, of_x) = gradient(T([1.0, 2.0]), parameters, kind="sum")
        assert value["loss"].item() == 17.0 and value["more"][0].tolist() == [6.0, 11.0] and value["more"][1] is None
        assert of_x.tolist() == [3.0, 4.0]
        assert of_parameters["scale"][0].tolist() == [1.0, 2.0] and of_parameters["scale"][1].item() == 2.0
        assert of_parameters["weights"].tolist() == [2.0]
    assert gradient.statistics["traces"] == 1


def test_variables_through_control_flow():
    w, b = tfrt.Variable([1.0, 2.0]), tfrt.Variable(0.5)

    def loss(x, n):
        y = x
        for _ in range(n):
            y = y * w
        if y.sum() > 100.0:
            y = y * 0.0
        return y.sum() + b

    for variables in ([w, b], {"w": w, "b": b}):
        gradient = tfrt.grad(loss, variables=variables)
        made = gradient(T([1.0, 1.0]), T(3))
        of_w, of_b = made.values() if isinstance(made, dict) else made
        assert of_w.tolist() == [3.0, 12.0] and of_b.item() == 1.0
        assert list(gradient(T([1.0, 1.0]), T(20)).values() if isinstance(variables, dict)
                    else gradient(T([1.0, 1.0]), T(20)))[0].tolist() == [0.0, 0.0]
    of_x, of_variables = tfrt.grad(loss, 0, variables=[b])(T([1.0, 1.0]), T(1))
    assert of_x.tolist() == [1.0, 2.0] and of_variables[0].item() == 1.0


def test_a_step_of_training_is_one_program():
    rng = np.random.default_rng(1)
    inputs, targets = rng.random((8, 3)).astype("f4"), rng.random((8, 1)).astype("f4")
    w = tfrt.Variable(np.zeros((3, 1), "f4"))
    loss = tfrt.value_and_grad(lambda x, y: ((x @ w - y) * (x @ w - y)).mean(), variables=[w])

    @tfrt.function
    def step(x, y):
        value, (of_w,) = loss(x, y)
        w.assign_sub(of_w * 0.5)
        return value

    reference = np.zeros((3, 1))
    for _ in range(5):
        error = inputs @ reference - targets
        assert step(inputs, targets).item() == pytest.approx((error * error).mean(), rel=1e-5)
        reference -= 0.5 * 2 * inputs.T @ error / 8
    np.testing.assert_allclose(w.numpy(), reference, rtol=1e-4)
    assert step.statistics["traces"] == 1 and loss.statistics["calls"] == 0
    with tfrt.stance("force_eager"):
        step(inputs, targets)


def test_methods_and_several_arguments():
    class Model:
        def __init__(self):
            self.w = tfrt.Variable([3.0])

        def loss(self, x, *more):
            return (x * self.w * more[0]).sum()

    model = Model()
    assert tfrt.grad(model.loss)(T([1.0]), T([2.0])).tolist() == [6.0]
    assert tfrt.grad(model.loss, variables=[model.w])(T([1.0]), T([2.0]))[0].tolist() == [2.0]
    assert [x.tolist() for x in tfrt.grad(lambda a, b: (a * b).sum(), (0, -1))(T([2.0]), T([5.0]))] == [[5.0], [2.0]]


@pytest.mark.parametrize("make, call, kind, message", [
    (lambda: tfrt.grad(lambda x: x * 2.0), lambda g: g(T([1.0, 2.0])), tfrt.InvalidArgumentError,
     r"test_gradients.py:\d+: tf.Mul: the loss of '<lambda>' is f32 \[2\], but must be one float"),
    (lambda: tfrt.grad(squares), lambda g: g(T([1, 2])), tfrt.InvalidArgumentError,
     "i32.*only tensors and variables of floats"),
    (lambda: tfrt.grad(lambda x: x * T(1.0)), lambda g: g(2.0), TypeError,
     "for 2.0: only tensors and variables.*give a tensor"),
    (lambda: tfrt.grad(squares, 1), lambda g: g(T([1.0])), ValueError,
     "argument 1 of squares, which was called with 1"),
    (lambda: tfrt.grad(squares, "x"), None, TypeError,
     "argnums is the number of an argument, or a tuple of such, not 'x'"),
    (lambda: tfrt.grad(squares, ()), None, ValueError, "the gradient for nothing"),
    (lambda: tfrt.grad(squares, variables=[1.0]), None, TypeError, "variables are tfrt.Variables.*not float"),
    (lambda: tfrt.grad(3), None, TypeError, "a function of Python can be traced, not int"),
    (lambda: tfrt.grad(lambda x: None), lambda g: g(T([1.0])), tfrt.InvalidArgumentError, "it returns nothing"),
    (lambda: tfrt.grad(lambda x: tfrt.host_call(lambda y: y, [x], tfrt.TensorSpec("f32", []))), lambda g: g(T(1.0)),
     tfrt.Error, r"test_gradients.py:\d+.*a callback has no gradient"),
    (lambda: tfrt.grad(lambda x: 1 / 0), lambda g: g(T(1.0)), ZeroDivisionError, "division"),
], ids=["shape", "integers", "number", "missing", "name", "nothing", "variable", "function", "none", "host_call",
        "raises"])
def test_what_has_no_gradient(make, call, kind, message):
    with pytest.raises(kind, match=message):
        gradient = make()
        call(gradient)
