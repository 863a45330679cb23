"""Functions of arrays in traced functions whose arguments have a size that is open."""

import numpy as np
import pytest
import tfrt

from compare_arrays import HAS_COMPILER

pytestmark = pytest.mark.skipif(not HAS_COMPILER, reason="needs the compiler library")
X = np.arange(6, dtype="f4").reshape(2, 3) - 2.0
ONE = np.arange(2, dtype="f4").reshape(2, 1)


def traced(f, x):
    spec = tfrt.TensorSpec("f32", [None, x.shape[1]])
    return tfrt.function(f, input_signature=[spec])(x)


@pytest.mark.parametrize("f, expected", [
    (lambda x: tfrt.roll(x, 1, axis=0), np.roll(X, 1, axis=0)),
    (lambda x: tfrt.mean(x, axis=0), X.mean(axis=0)),
    (lambda x: tfrt.var(x, correction=1), X.var(ddof=1)),
    (lambda x: tfrt.max(x, axis=0), X.max(axis=0)),
    (lambda x: tfrt.reshape(x, (3, -1)), X.reshape(3, -1)),
    (lambda x: tfrt.stack([x, x]), np.stack([X, X])),
    (lambda x: tfrt.concat([x, x]), np.concatenate([X, X])),
    (lambda x: tfrt.flip(x), np.flip(X)),
    (lambda x: tfrt.einsum("ij,kj->ik", x, x), X @ X.T),
    (lambda x: tfrt.sort(x, axis=0), np.sort(X, axis=0)),
    (lambda x: tfrt.cumulative_sum(x, axis=0, include_initial=True),
     np.vstack([np.zeros((1, 3)), np.cumsum(X, axis=0)])),
    (lambda x: tfrt.unique_values(x), np.unique(X)),
    (lambda x: tfrt.nonzero(x)[1], np.nonzero(X)[1]),
    (lambda x: tfrt.ones_like(x), np.ones_like(X)),
    (lambda x: tfrt.tile(x, (2, 1)), np.tile(X, (2, 1))),
    (lambda x: tfrt.repeat(x, 2, axis=0), np.repeat(X, 2, axis=0)),
    (lambda x: tfrt.tril(x), np.tril(X)),
    (lambda x: tfrt.quantile(x, 0.5), np.quantile(X, 0.5)),
])
def test_a_function_of_an_open_size(f, expected):
    np.testing.assert_allclose(traced(f, X).numpy(), expected, rtol=1e-6)


def test_an_axis_of_size_one_is_squeezed_by_name():
    assert traced(lambda x: tfrt.squeeze(x, 1), ONE).shape == (2,)
    with pytest.raises(tfrt.InvalidArgumentError, match="its size is 2"):
        traced(lambda x: tfrt.squeeze(x, 0), ONE)


@pytest.mark.parametrize("f, name", [
    (lambda x: tfrt.unstack(x), "unstack"),
    (lambda x: tfrt.split(x, 2), "split"),
    (lambda x: tfrt.array_split(x, 2), "array_split"),
    (lambda x: tfrt.pad(x, [(1, 1), (0, 0)], mode="edge"), "pad"),
    (lambda x: tfrt.squeeze(x), "squeeze"),
])
def test_a_function_that_needs_the_size_says_so(f, name):
    with pytest.raises(tfrt.FailedPreconditionError, match=f"{name} needs .*open"):
        traced(f, X)


def test_an_open_size_is_no_size_of_a_shape():
    with pytest.raises(TypeError, match="zeros: a size is None; if it is an open size"):
        traced(lambda x: tfrt.zeros(x.shape[0]), X)
    with pytest.raises(TypeError, match="ones: a size is None"):
        tfrt.ones((2, None))


def test_numbers_beside_an_open_size_are_refused():
    with pytest.raises(TypeError, match="open size of x.shape, tfrt.shape_of"):
        traced(lambda x: x.sum() / x.shape[0], X)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u1"])
def test_the_largest_of_no_elements(dtype):
    """In a trace their number is known when the program runs: the result is then the least number of the dtype."""
    array = np.array([1, 2, 3], dtype)
    least, largest = tfrt.function(lambda x: (tfrt.max(x[x > 5]), tfrt.min(x[x > 5])))(array)
    limits = np.iinfo(dtype) if array.dtype.kind in "iu" else None
    assert least.item() == (limits.min if limits else -np.inf) and largest.item() == (limits.max if limits else np.inf)
    with pytest.raises(tfrt.InvalidArgumentError, match="argmax: axis 0 of the shape"):
        tfrt.function(lambda x: tfrt.argmax(x[x > 5]))(array)
