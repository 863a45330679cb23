"""Compares functions of arrays with those of NumPy: called one by one, traced, and traced with open sizes."""

import os

import numpy as np

import tfrt

INTEGERS = ["i1", "u1", "u2", "u4", "u8", "i2", "i4", "i8"]
FLOATS = ["f2", "f4", "f8"]
NUMBERS = INTEGERS + FLOATS
ALL = ["?"] + NUMBERS
HAS_COMPILER = "TFRT_COMPILER_LIBRARY" in os.environ


def elements(shape, dtype, seed=0):
    """Some numbers of a NumPy dtype, with repeats and both signs, in a shape."""
    numbers = np.random.default_rng(seed).integers(0, 9, shape)
    numbers = numbers > 4 if dtype == "?" else numbers - 4 if np.dtype(dtype).kind in "if" else numbers
    return np.asarray(numbers, dtype)


def flattened(results):
    """The tensors or arrays of a result that may be a tuple, a list, or one of them."""
    if isinstance(results, (tuple, list)):
        return [leaf for each in results for leaf in flattened(each)]
    return [results]


def assert_same(results, expected, tolerance=0.0, label=""):
    """Tensors have the shapes and elements of NumPy's arrays; dtypes are compared by the caller."""
    results, expected = flattened(results), flattened(expected)
    assert len(results) == len(expected), label
    for result, array in zip(results, expected):
        array = np.asarray(array)
        assert result.shape == array.shape, label
        np.testing.assert_allclose(np.asarray(result).astype("f8"), array.astype("f8"), rtol=tolerance, atol=tolerance,
                                   err_msg=label)


def assert_same_traced(calls, arrays, tolerance=0.0):
    """`calls`: pairs of a function of tensors and one of arrays.

    All are one traced function, with sizes known and not.
    """
    if not HAS_COMPILER:
        return
    expected = [reference(*arrays) for _, reference in calls]
    body = lambda *tensors: [call(*tensors) for call, _ in calls]
    signature = [tfrt.TensorSpec(tfrt.tensor(array).dtype, [None] * array.ndim) for array in arrays]
    for function in (tfrt.function(body), tfrt.function(body, input_signature=signature)):
        for i, (result, array) in enumerate(zip(function(*arrays), expected)):
            assert_same(result, array, tolerance, f"traced call {i}")
