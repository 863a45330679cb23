"""Gradients of functions of arrays, which are made of ops, beside differences."""

import numpy as np
import pytest

import tfrt
from compare_arrays import HAS_COMPILER

pytestmark = pytest.mark.skipif(not HAS_COMPILER, reason="needs the compiler library")

X = np.random.default_rng(0).standard_normal((3, 4)) + 3
WEIGHTS = [1.0, 2.0, 3.0, 4.0]

# Functions of an array [3,4] whose results are of one element.
LOSSES = {
    "statistics": [
        lambda x: tfrt.sum(x * x, axis=0).sum(), lambda x: tfrt.mean(x * x), lambda x: tfrt.std(x, correction=1),
        lambda x: tfrt.var(x, axis=0).sum(), lambda x: tfrt.prod(x, axis=1).sum(), lambda x: tfrt.max(x, axis=1).sum(),
        lambda x: tfrt.min(x), lambda x: (tfrt.cumulative_sum(x, axis=1) * x).sum(),
        lambda x: (tfrt.diff(x) ** 2).sum(),
        lambda x: tfrt.cumulative_prod(x, axis=1, include_initial=True).sum(), lambda x: tfrt.median(x),
        lambda x: tfrt.quantile(x, 0.3, axis=0).sum(), lambda x: tfrt.nansum(x * x),
        lambda x: tfrt.ptp(x, axis=0).sum(),
    ],
    "searching and sorting": [
        lambda x: tfrt.where(x > 3, x * x, 0.0).sum(), lambda x: (tfrt.take(x, [0, 2], axis=1) * 2.0).sum(),
        lambda x: (tfrt.sort(x) * tfrt.tensor(WEIGHTS, "f64")).sum(),
        lambda x: (tfrt.take_along_axis(x * x, tfrt.argsort(x), axis=1) * tfrt.tensor(WEIGHTS, "f64")).sum(),
    ],
    "manipulation": [
        lambda x: tfrt.concat([x, x * x]).sum(), lambda x: tfrt.stack([x, x * x], axis=1).sum(),
        lambda x: (tfrt.roll(x, 1, axis=0) * x).sum(), lambda x: (tfrt.flip(x) * x).sum(),
        lambda x: tfrt.repeat(x * x, 2, axis=0).sum(), lambda x: tfrt.tile(x * x, (2, 1)).sum(),
        lambda x: tfrt.pad(x * x, 1).sum(), lambda x: tfrt.pad(x * x, 1, "reflect").sum(),
        lambda x: (tfrt.split(x, 2, axis=1)[1] ** 2).sum(), lambda x: (tfrt.unstack(x)[1] ** 2).sum(),
        lambda x: (tfrt.moveaxis(x, 0, 1) ** 3).sum(), lambda x: tfrt.squeeze(tfrt.expand_dims(x * x, 0), 0).sum(),
    ],
    "products": [
        lambda x: tfrt.einsum("ij,kj->ik", x, x).sum(), lambda x: tfrt.einsum("ii->", tfrt.matmul(x, x.T)),
        lambda x: tfrt.matmul(x, tfrt.matrix_transpose(x)).sum(), lambda x: tfrt.vecdot(x, x).sum(),
        lambda x: tfrt.outer(x, x).sum(), lambda x: tfrt.trace(x * x), lambda x: tfrt.tensordot(x, x, axes=2),
        lambda x: tfrt.kron(x, x).sum(),
    ],
}


@pytest.mark.parametrize("section", LOSSES)
def test_gradients(section):
    losses = LOSSES[section]
    scales = 1.0 + np.arange(len(losses)) / 3.0  # so that errors do not cancel

    def loss(x):
        total = losses[0](x)
        for each, scale in zip(losses[1:], scales[1:]):
            total = total + each(x) * float(scale)
        return total

    step = 1e-5
    differences = np.zeros_like(X)
    for place in np.ndindex(*X.shape):
        above, below = X.copy(), X.copy()
        above[place] += step
        below[place] -= step
        differences[place] = (loss(tfrt.tensor(above)).item() - loss(tfrt.tensor(below)).item()) / (2 * step)
    np.testing.assert_allclose(tfrt.grad(loss)(X).numpy(), differences, rtol=1e-5, atol=1e-5)


def gradients_of(function, *arrays):
    gradients = tfrt.grad(lambda *x: function(*x).sum(), argnums=tuple(range(len(arrays))))
    return [each.tolist() for each in gradients(*map(tfrt.tensor, arrays))]


def test_gradients_at_ends():
    """Where a formula by its terms would divide 0 by 0, or leave the dtype."""
    inf = float("inf")
    # Equal ones share; of others the larger one has all.
    assert gradients_of(tfrt.logaddexp, [-inf, inf, -inf, 3.0], [-inf, inf, 1.0, -inf]) == [
        [0.5, 0.5, 0.0, 1.0], [0.5, 0.5, 1.0, 0.0]]
    for found, expected in zip(gradients_of(tfrt.hypot, [0.0, 3.0, 3e30], [0.0, -4.0, 4e30]),
                               ([0, 0.6, 0.6], [0, -0.8, 0.8])):
        assert found == pytest.approx(expected)
    y, x = gradients_of(tfrt.atan2, [0.0, 3e25, -1.0, 3e-30], [0.0, 4e25, 1e25, 4e-30])
    assert y == pytest.approx([0.0, 1.6e-26, 1e-25, 1.6e29], rel=1e-5)
    assert x == pytest.approx([0.0, -1.2e-26, 0.0, -1.2e29], rel=1e-5, abs=1e-45)


def test_gradients_of_constants():
    same, other = [2.0, 2.0, 2.0], [1.0, 2.0, 3.0]
    for correction in (0, 1):
        found, = gradients_of(lambda x: tfrt.std(x, axis=1, correction=correction), [same, other])
        slope = 1 / np.sqrt(6) if correction == 0 else 0.5
        np.testing.assert_allclose(found, [[0.0] * 3, [-slope, 0.0, slope]], atol=1e-6)
    assert gradients_of(tfrt.var, same) == [[0.0] * 3]
