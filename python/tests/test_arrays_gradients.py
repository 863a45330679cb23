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
        lambda x: tfrt.min(x), lambda x: (tfrt.cumulative_sum(x, axis=1) * x).sum(), lambda x: (tfrt.diff(x) ** 2).sum(),
        lambda x: tfrt.cumulative_prod(x, axis=1, include_initial=True).sum(), lambda x: tfrt.median(x),
        lambda x: tfrt.quantile(x, 0.3, axis=0).sum(), lambda x: tfrt.nansum(x * x), lambda x: tfrt.ptp(x, axis=0).sum(),
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
