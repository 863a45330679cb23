"""Losses against NumPy in doubles, with their gradients against differences."""

import os

import numpy as np
import pytest

import tfrt
from tfrt import losses, tensor as T

traced = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
RNG = np.random.default_rng(5)


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def cross_entropy(logits, labels, smoothing=0.0):
    p = np.eye(logits.shape[-1])[labels] if labels.dtype.kind == "i" else labels
    p = p * (1 - smoothing) + smoothing / logits.shape[-1]
    return -(p * log_softmax(logits)).sum(-1)


def huber(x, t, delta):
    d = np.abs(x - t)
    return np.where(d <= delta, d * d / 2, delta * (d - delta / 2))


def kl(q, p):
    return np.where(p > 0, p * (np.log(np.where(p > 0, p, 1)) - q), 0).sum(-1)


X, Y = RNG.standard_normal((4, 3)) * 2, RNG.standard_normal((4, 3))
P, Q = RNG.uniform(0.05, 0.95, (4, 3)), RNG.dirichlet([1.0, 1.0, 1.0], 4)
Q[0] = [0.0, 0.25, 0.75]
LABELS = np.array([2, 0, 1, 1])
CASES = {
    "mean_squared_error": (losses.mean_squared_error, X, Y, (X - Y) ** 2),
    "l1": (losses.l1, X, Y, np.abs(X - Y)),
    "huber": (losses.huber, X, Y, huber(X, Y, 1.0)),
    "huber_wide": (lambda x, y, **options: losses.huber(x, y, 2.5, **options), X, Y, huber(X, Y, 2.5)),
    "binary_cross_entropy": (losses.binary_cross_entropy, P, Q, -Q * np.log(P) - (1 - Q) * np.log(1 - P)),
    "sigmoid_cross_entropy": (losses.sigmoid_cross_entropy, X, Q, np.log1p(np.exp(X)) - X * Q),
    "labels": (losses.softmax_cross_entropy, X, LABELS, cross_entropy(X, LABELS)),
    "probabilities": (losses.softmax_cross_entropy, X, Q, cross_entropy(X, Q)),
    "smooth_labels": (lambda x, y, **options: losses.softmax_cross_entropy(x, y, label_smoothing=0.3, **options), X,
                      LABELS,
                      cross_entropy(X, LABELS, 0.3)),
    "smooth_probabilities": (lambda x, y, **options: losses.softmax_cross_entropy(x, y, label_smoothing=0.3, **options),
                             X, Q,
                             cross_entropy(X, Q, 0.3)),
    "words": (losses.softmax_cross_entropy, X.reshape(2, 2, 3), LABELS.reshape(2, 2),
              cross_entropy(X, LABELS).reshape(2, 2)),
    "kl_divergence": (losses.kl_divergence, log_softmax(X), Q, kl(log_softmax(X), Q)),
}


def targets_of(y, dtype):
    return T(y.astype("i4")) if y.dtype.kind == "i" else tfrt.cast(T(y), dtype)


@pytest.mark.parametrize("dtype, tolerance", [("f64", 1e-12), ("f32", 1e-5), ("f16", 2e-2), ("bf16", 1e-1)])
@pytest.mark.parametrize("name", CASES)
def test_losses(name, dtype, tolerance):
    loss, x, y, expected = CASES[name]
    x, y = tfrt.cast(T(x), dtype), targets_of(y, dtype)
    for reduction, wanted in (("none", expected), ("sum", expected.sum()), ("mean", expected.mean())):
        found = loss(x, y, reduction=reduction)
        assert found.dtype == x.dtype and found.shape == wanted.shape
        np.testing.assert_allclose(tfrt.cast(found, "f64").numpy(), wanted, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(tfrt.cast(loss(x, y), "f64").numpy(), expected.mean(), rtol=tolerance, atol=tolerance)


@traced
@pytest.mark.parametrize("name", CASES)
def test_traced_losses_and_gradients(name):
    loss, x, y, expected = CASES[name]
    y = targets_of(y, "f64")
    value, gradient = tfrt.value_and_grad(loss)(T(x), y)
    assert value.item() == pytest.approx(expected.mean(), rel=1e-12)
    differences, step = np.zeros(x.size), 1e-6
    for i in range(x.size):
        moved = [x.copy(), x.copy()]
        for sign, one in zip((1, -1), moved):
            one.reshape(-1)[i] += sign * step
        differences[i] = (loss(T(moved[0]), y).item() - loss(T(moved[1]), y).item()) / (2 * step)
    np.testing.assert_allclose(gradient.numpy().ravel(), differences, rtol=1e-5, atol=1e-7)


@traced
def test_open_sizes():
    @tfrt.function(input_signature=[tfrt.TensorSpec("f64", [None, 3]), tfrt.TensorSpec("i32", [None])])
    def f(x, labels):
        return losses.softmax_cross_entropy(x, labels, label_smoothing=0.1), losses.mean_squared_error(x, x * 2.0)

    found = f(T(X), T(LABELS.astype("i4")))
    assert found[0].item() == pytest.approx(cross_entropy(X, LABELS, 0.1).mean())
    assert found[1].item() == pytest.approx((X**2).mean())


def test_extremes():
    large = T([1000.0, -1000.0, 0.0])
    assert losses.sigmoid_cross_entropy(large, [1.0, 0.0, 1.0],
                                        reduction="none").tolist() == pytest.approx([0.0, 0.0, np.log(2)])
    assert losses.sigmoid_cross_entropy(large, [0.0, 1.0, 0.0],
                                        reduction="sum").item() == pytest.approx(2000 + np.log(2))
    assert losses.binary_cross_entropy([0.0, 1.0], [1.0, 1.0], reduction="none").tolist() == [100.0, 0.0]
    assert losses.softmax_cross_entropy([[1000.0, 0.0]], [1]).item() == 1000.0
    assert losses.mean_squared_error(T([[1.0, 2.0]]), 0).item() == 2.5
    assert losses.l1(np.ones(2, "f4"), [0, 2]).item() == 1.0
    assert losses.mean_squared_error(tfrt.Variable([3.0]), tfrt.Variable([1.0])).item() == 4.0
    assert losses.l1(T(np.zeros((0, 2), "f4")), T(np.zeros((0, 2), "f4")), reduction="sum").item() == 0.0


@pytest.mark.parametrize("call, error, message", [
    (lambda: losses.l1(T([1]), T([1])), TypeError, "predictions is of i32, not of floats"),
    (lambda: losses.mean_squared_error(T([[1.0], [2.0]]), T([1.0, 2.0])), ValueError, r"\(2, 1\), but targets \(2,\)"),
    (lambda: losses.l1([1.0], [1.0], reduction="max"), ValueError, "not 'max'"),
    (lambda: losses.huber([1.0], [1.0], 0.0), ValueError, "delta is 0.0"),
    (lambda: losses.softmax_cross_entropy(T(X), T([1, 2])), ValueError, r"logits \(4, 3\) have labels of.*not \(2,\)"),
    (lambda: losses.softmax_cross_entropy(T(X), T([[1, 2]] * 4)), ValueError, "one dimension less"),
    (lambda: losses.softmax_cross_entropy(T(X), T([[0.5] * 2] * 4)), ValueError,
     r"logits have the shape \(4, 3\), but targets \(4, 2\)"),
    (lambda: losses.softmax_cross_entropy(T(X), T([0, 1, 2, 3])), ValueError, "index 3 is out of range for axis 1"),
    (lambda: losses.softmax_cross_entropy(T(X), T([0, 1, 2, -1])), ValueError, "out of range for axis 1"),
    (lambda: losses.softmax_cross_entropy(T(X), T([True] * 4)), TypeError, "not i1"),
    (lambda: losses.softmax_cross_entropy(T(1.0), T(1)), ValueError, "no dimension of classes"),
    (lambda: losses.softmax_cross_entropy(T(X), LABELS, label_smoothing=1.5), ValueError, "label_smoothing is 1.5"),
    (lambda: losses.kl_divergence(1.0, 1.0), ValueError, "no dimension of classes"),
])
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()
