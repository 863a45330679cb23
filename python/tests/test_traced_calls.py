"""Calls of traced functions: their errors, and what their arguments and results may be made of."""

import os

import numpy as np
import pytest

import tfrt
from tfrt import tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


# --- Errors of calls without tensors as results ---

LAST = tfrt.Variable([1.0])


def failing_assert(x):
    assert x.sum() > 0.0, "positive"


def failing_division(x):
    tfrt.ops.assert_(10 / x > 0, [x], message="never")


def failing_check(x):
    LAST.assign(tfrt.ops.check_numerics(x, "bad"))


def failing_host_call(x):
    def host(_):
        raise ValueError("disk full")
    tfrt.host_call(host, [x], [])


@pytest.mark.parametrize("result", [None, (None, []), {"a": None}])
@pytest.mark.parametrize("body, argument, message", [
    (failing_assert, [-1.0], "positive"),
    (failing_division, [0], "integer division by zero"),
    (failing_check, [float("nan")], "bad"),
    (failing_host_call, [1.0], "disk full"),
])
def test_errors_of_calls_without_tensors_are_raised(body, argument, message, result):
    variable = tfrt.Variable(1)

    @tfrt.function
    def train(x):
        variable.assign_add(1)
        body(x)
        return result

    @tfrt.function
    def outer(x):
        train(x)

    for function in (train, train, outer):
        with pytest.raises(tfrt.errors.Error, match=message):
            function(T(argument))
    assert variable.value.item() == 1, "a call that fails changes nothing"


def test_a_value_that_a_variable_does_not_take_is_an_error():
    variable = tfrt.Variable([1.0])

    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None])])
    def train(x):
        variable.assign(x)

    train(T([2.0]))
    with pytest.raises(tfrt.errors.InvalidArgumentError, match="new value f32 \\[2\\]"):
        train(T([1.0, 2.0]))
    assert variable.value.tolist() == [2.0]
