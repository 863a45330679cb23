"""Lines that people write every day in NumPy, JAX or PyTorch, each with the value that it has."""

import numpy as np
import pytest

import tfrt
from compare_arrays import HAS_COMPILER

A = np.random.default_rng(0).standard_normal((3, 4)).astype("f4")
X = tfrt.tensor(A)
PATCHES = np.ones((1, 8, 8, 3), "f4")
FILTERS = np.ones((3, 3, 3, 4), "f4")


def normalised(array):
    return (array - array.mean(-1, keepdims=True)) / np.sqrt(array.var(-1, keepdims=True) + 1e-5)


def exponentials(array):
    powers = np.exp(array)
    return powers / powers.sum(-1, keepdims=True)


# A line, what it gives, and what that is.
LINES = [
    ("repr(x)", lambda x: "tensor(" in repr(x), True),
    ("str(x)", lambda x: len(str(x).splitlines()), 3),
    ("x[1:, ::2]", lambda x: x[1:, ::2], A[1:, ::2]),
    ("x[..., None]", lambda x: x[..., None], A[..., None]),
    ("x[x > 0]", lambda x: x[x > 0], A[A > 0]),
    ("x[tfrt.tensor([0, 2])]", lambda x: x[tfrt.tensor([0, 2])], A[[0, 2]]),
    ("x[[0, 2]]", lambda x: x[[0, 2]], A[[0, 2]]),
    ("einsum", lambda x: tfrt.einsum("ij,kj->ik", x, x), A @ A.T),
    ("where", lambda x: tfrt.where(x > 0, x, 0.0), np.where(A > 0, A, 0)),
    ("cumsum", lambda x: tfrt.cumsum(x, axis=1), np.cumsum(A, 1)),
    ("sort", lambda x: tfrt.sort(x), np.sort(A)),
    ("argsort", lambda x: tfrt.argsort(x), np.argsort(A)),
    ("top_k", lambda x: tfrt.top_k(x, 2), [np.sort(A)[:, :1:-1], np.argsort(A)[:, :1:-1]]),
    ("clip", lambda x: tfrt.clip(x, 0, 1), np.clip(A, 0, 1)),
    ("astype", lambda x: str(x.astype("f2").dtype) in ("f16", "tfrt.f16"), True),
    ("stack", lambda x: tfrt.stack([x, x]), np.stack([A, A])),
    ("split", lambda x: tfrt.split(x, 2, axis=1), np.split(A, 2, 1)),
    ("concat", lambda x: tfrt.concat([x, x], axis=0), np.concatenate([A, A])),
    ("x**2", lambda x: x**2, A**2),
    ("abs(x)", lambda x: abs(x), abs(A)),
    ("-x, ~(x > 0)", lambda x: (-x, ~(x > 0)), [-A, ~(A > 0)]),
    ("x @ x.T", lambda x: x @ x.T, A @ A.T),
    ("mean, std, var", lambda x: (x.mean(), x.std(), x.var()), [A.mean(), A.std(), A.var()]),
    ("x.max(axis=0, keepdims=True)", lambda x: x.max(axis=0, keepdims=True), A.max(0, keepdims=True)),
    ("x.argmax(axis=1)", lambda x: x.argmax(axis=1), A.argmax(1)),
    ("random.normal", lambda x: np.isfinite(tfrt.random.normal((2, 2)).numpy()), np.ones((2, 2))),
    ("zeros, ones, arange", lambda x: (tfrt.zeros((2,)), tfrt.ones((2,)), tfrt.arange(5)),
     [np.zeros(2), np.ones(2), np.arange(5)]),
    ("zeros_like", lambda x: tfrt.zeros_like(x), np.zeros_like(A)),
    ("linspace", lambda x: tfrt.linspace(0, 1, 5), np.linspace(0, 1, 5)),
    ("eye", lambda x: tfrt.eye(3), np.eye(3)),
    ("np.exp(x)", lambda x: np.exp(x), np.exp(A)),
    ("np.ones + x", lambda x: np.ones((3, 4), "f4") + x, 1 + A),
    ("np.sum(x)", lambda x: np.sum(x), A.sum()),
    ("float(x.sum())", lambda x: float(x.sum()), A.sum()),
    ("int(tensor)", lambda x: int(tfrt.tensor(3)), 3),
    ("bool(tensor > 0)", lambda x: bool(tfrt.tensor(1.0) > 0), True),
    ("for row in x", lambda x: [row for row in x], list(A)),
    ("len(x)", lambda x: len(x), 3),
    ("f'{x.sum():.3f}'", lambda x: f"{x.sum():.3f}" == f"{A.sum():.3f}", True),
    ("transpose", lambda x: tfrt.transpose(x, (1, 0)), A.T),
    ("expand_dims, squeeze", lambda x: tfrt.squeeze(tfrt.expand_dims(x, 0), 0), A),
    ("softmax", lambda x: tfrt.softmax(x), exponentials(A)),
    ("log_softmax", lambda x: tfrt.log_softmax(x), np.log(exponentials(A))),
    ("gelu", lambda x: tfrt.gelu(tfrt.zeros_like(x)), np.zeros_like(A)),
    ("layer_norm", lambda x: tfrt.layer_norm(x, tfrt.ones((4,)), tfrt.zeros((4,))), normalised(A)),
    ("conv2d", lambda x: tfrt.conv2d(tfrt.tensor(PATCHES), tfrt.tensor(FILTERS)), np.full((1, 6, 6, 4), 27.0)),
    ("linalg.norm", lambda x: tfrt.linalg.norm(x), np.linalg.norm(A)),
    ("outer", lambda x: tfrt.outer(x[0], x[0]), np.outer(A[0], A[0])),
    ("dot", lambda x: tfrt.dot(x[0], x[0]), A[0] @ A[0]),
    ("allclose", lambda x: tfrt.allclose(x, x), True),
    ("unique", lambda x: tfrt.unique(tfrt.tensor([1, 1, 2])), [np.array([1, 2])]),
    ("nonzero", lambda x: tfrt.nonzero(x > 0), list(np.nonzero(A > 0))),
    ("maximum", lambda x: tfrt.maximum(x, 0), np.maximum(A, 0)),
    ("(x > 0) & (x < 1)", lambda x: (x > 0) & (x < 1), (A > 0) & (A < 1)),
    ("any, all", lambda x: ((x > 0).any(), (x > 0).all()), [(A > 0).any(), (A > 0).all()]),
    ("pad", lambda x: tfrt.pad(x, [(1, 1), (0, 0)]), np.pad(A, [(1, 1), (0, 0)])),
    ("roll", lambda x: tfrt.roll(x, 1, axis=0), np.roll(A, 1, 0)),
    ("flip", lambda x: tfrt.flip(x, axis=0), np.flip(A, 0)),
    ("tile, repeat", lambda x: (tfrt.tile(x, (2, 1)), tfrt.repeat(x, 2, axis=0)),
     [np.tile(A, (2, 1)), np.repeat(A, 2, 0)]),
    ("integers + floats", lambda x: tfrt.tensor([1, 2]) + tfrt.tensor([0.5, 0.5]), np.array([1.5, 2.5])),
    ("f32 + f64", lambda x: (x + tfrt.tensor(np.ones((3, 4)))).dtype == tfrt.f64, True),
    ("device", lambda x: x.to("cpu:0").device == "cpu:0", True),
    ("version", lambda x: tfrt.__version__.count("."), 2),
    ("dir", lambda x: {"where", "stack", "sum", "arange", "relu"} <= set(dir(tfrt)), True),
]


def flattened(value):
    return [leaf for each in value for leaf in flattened(each)] if isinstance(value, (tuple, list)) else [value]


@pytest.mark.parametrize("line, call, expected", LINES, ids=[line for line, *_ in LINES])
def test_line(line, call, expected):
    results, arrays = flattened(call(X)), flattened(expected)
    assert len(results) == len(arrays)
    for result, array in zip(results, arrays):
        result = np.asarray(result)
        assert result.shape == np.shape(array)
        np.testing.assert_allclose(result.astype("f8"), np.asarray(array).astype("f8"), rtol=1e-5, atol=1e-6)


def test_save(tmp_path):
    tfrt.save({"x": X}, tmp_path / "x.npz")
    assert np.load(tmp_path / "x.npz")["x"].tolist() == A.tolist()


@pytest.mark.skipif(not HAS_COMPILER, reason="needs the compiler library")
def test_grad():
    np.testing.assert_allclose(tfrt.grad(lambda a: (a * a).sum())(X).numpy(), 2 * A, rtol=1e-6)


@pytest.mark.skipif(not HAS_COMPILER, reason="needs the compiler library")
def test_optimizer():
    weights = tfrt.Variable(A)
    tfrt.optim.Adam(0.1).update([weights], [tfrt.tensor(np.ones_like(A))])
    np.testing.assert_allclose(weights.numpy(), A - 0.1, rtol=1e-5)


def test_module():
    assert tfrt.nn.Linear(3, 4)(tfrt.ones((2, 3))).shape == (2, 4)
