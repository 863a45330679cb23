"""The extension `linalg` of the array API standard, against NumPy."""

import numpy as np
import pytest

import tfrt
from tfrt import linalg

DTYPES = ("f4", "f8")
TOLERANCE = {"f4": {"rtol": 2e-4, "atol": 2e-4}, "f8": {"rtol": 1e-9, "atol": 1e-9}}
SHAPES = [(4, 4), (2, 3, 4, 4), (0, 3, 3), (2, 0, 0)]
TALL_AND_WIDE = [(5, 3), (3, 5), (2, 20, 17), (3, 0), (0, 3), (0, 2, 4)]
both_ways = pytest.mark.parametrize("call", [
    lambda f, *args, **kw: f(*args, **kw),
    lambda f, *args, **kw: tfrt.function(lambda *given: f(*given, **kw))(*args)], ids=["eager", "traced"])


def matrices(shape, dtype, seed=0):
    x = np.random.default_rng(seed).standard_normal(shape)
    return (x + 3 * np.eye(*shape[-2:])).astype(dtype)


def definite(shape, dtype):
    x = matrices(shape, "f8")
    return (x @ x.swapaxes(-1, -2) + np.eye(shape[-1])).astype(dtype)


def close(actual, expected, dtype):
    actual = actual.numpy()
    assert actual.dtype == np.dtype(dtype) and actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, **TOLERANCE[dtype])


def is_identity(x, dtype):
    np.testing.assert_allclose(x, np.broadcast_to(np.eye(x.shape[-1]), x.shape), **TOLERANCE[dtype])


@both_ways
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_square_matrices(call, dtype, shape):
    x = matrices(shape, dtype)
    close(call(linalg.inv, tfrt.tensor(x)), np.linalg.inv(x.astype("f8")), dtype)
    close(call(linalg.det, tfrt.tensor(x)), np.linalg.det(x.astype("f8")), dtype)
    result = call(linalg.slogdet, tfrt.tensor(x))
    for actual, expected in zip(result, np.linalg.slogdet(x.astype("f8"))):
        close(actual, expected, dtype)
    close(call(linalg.eigvalsh, tfrt.tensor(x)), np.linalg.eigvalsh(x.astype("f8")), dtype)
    close(call(linalg.cholesky, tfrt.tensor(definite(shape, dtype))), np.linalg.cholesky(definite(shape, "f8")), dtype)
    close(call(linalg.cholesky, tfrt.tensor(definite(shape, dtype)), upper=True),
          np.linalg.cholesky(definite(shape, "f8")).swapaxes(-1, -2), dtype)
    for n in (-2, -1, 0, 1, 2, 5):
        close(call(lambda given: linalg.matrix_power(given, n), tfrt.tensor(x / 4)),
              np.linalg.matrix_power(x.astype("f8") / 4, n), dtype)


@both_ways
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_eigenvectors(call, dtype, shape):
    x = matrices(shape, dtype)
    values, vectors = (part.numpy().astype("f8") for part in call(linalg.eigh, tfrt.tensor(x)))
    symmetric = np.tril(x) + np.tril(x, -1).swapaxes(-1, -2)
    np.testing.assert_allclose((vectors * values[..., None, :]) @ vectors.swapaxes(-1, -2), symmetric,
                               **TOLERANCE[dtype])
    is_identity(vectors.swapaxes(-1, -2) @ vectors, dtype)
    assert np.all(np.diff(values) >= 0)


@both_ways
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES + TALL_AND_WIDE)
def test_factors(call, dtype, shape):
    x = matrices(shape, dtype)
    rows, columns = shape[-2:]
    smaller = min(rows, columns)
    for mode, inner in (("reduced", smaller), ("complete", rows)):
        q, r = (part.numpy().astype("f8") for part in call(linalg.qr, tfrt.tensor(x), mode=mode))
        assert q.shape == (*shape[:-1], inner) and r.shape == (*shape[:-2], inner, columns)
        np.testing.assert_allclose(q @ r, x, **TOLERANCE[dtype])
        is_identity(q.swapaxes(-1, -2) @ q, dtype)
        assert np.array_equal(r, np.triu(r))
    close(call(linalg.svdvals, tfrt.tensor(x)), np.linalg.svd(x.astype("f8"), compute_uv=False), dtype)
    for full in (False, True):
        u, s, vh = (part.numpy().astype("f8") for part in call(linalg.svd, tfrt.tensor(x), full_matrices=full))
        assert u.shape == (*shape[:-1], rows if full else smaller)
        assert vh.shape == (*shape[:-2], columns if full else smaller, columns)
        np.testing.assert_allclose((u[..., :smaller] * s[..., None, :]) @ vh[..., :smaller, :], x, **TOLERANCE[dtype])
        is_identity(u.swapaxes(-1, -2) @ u, dtype)
        is_identity(vh @ vh.swapaxes(-1, -2), dtype)


def test_results_have_names():
    x = tfrt.tensor(np.eye(2))
    assert linalg.eigh(x)._fields == ("eigenvalues", "eigenvectors")
    assert linalg.qr(x)._fields == ("Q", "R")
    assert linalg.svd(x)._fields == ("U", "S", "Vh")
    assert linalg.slogdet(x)._fields == ("sign", "logabsdet")


@both_ways
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("a, b", [((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (3, 2)), ((3, 3), (4, 3, 1)),
                                  ((2, 1, 3, 3), (4, 3, 2)), ((2, 3, 3), (3,)), ((0, 0), (0, 2)), ((2, 2), (2, 0))])
def test_solve(call, dtype, a, b):
    left, right = matrices(a, dtype), np.random.default_rng(1).standard_normal(b).astype(dtype)
    close(call(linalg.solve, tfrt.tensor(left), tfrt.tensor(right)),
          np.linalg.solve(left.astype("f8"), right.astype("f8")), dtype)


@both_ways
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES + TALL_AND_WIDE)
def test_ranks_and_pseudo_inverses(call, dtype, shape):
    x = matrices(shape, dtype)
    if x.size:
        x[..., -1, :] = x[..., 0, :]  # one rank less
    rank = call(linalg.matrix_rank, tfrt.tensor(x))
    assert rank.dtype == tfrt.i32
    np.testing.assert_array_equal(rank.numpy(), np.linalg.matrix_rank(x))
    close(call(linalg.pinv, tfrt.tensor(x), rtol=1e-4), np.linalg.pinv(x.astype("f8"), rtol=1e-4), dtype)
    assert np.all(call(linalg.matrix_rank, tfrt.tensor(x), rtol=2.0).numpy() == 0)
    if x.size:
        rtol = np.full(shape[:-2], 1e-4, dtype)
        close(linalg.pinv(tfrt.tensor(x), rtol=tfrt.tensor(rtol)), np.linalg.pinv(x.astype("f8"), rtol=1e-4), dtype)


@both_ways
@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 3), (3, 5)])
def test_pseudo_inverses_of_complex_matrices(call, shape):
    x = matrices(shape, "f8", 1) + 1j * matrices(shape, "f8", 2)
    x[..., -1, :] = 2j * x[..., 0, :]
    actual = call(linalg.pinv, tfrt.tensor(x)).numpy()
    np.testing.assert_allclose(actual, np.linalg.pinv(x), rtol=1e-9, atol=1e-9)


@both_ways
@pytest.mark.parametrize("dtype", DTYPES)
def test_norms(call, dtype):
    x = np.random.default_rng(2).standard_normal((2, 3, 4)).astype(dtype)
    for ord in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        for keepdims in (False, True):
            close(call(linalg.matrix_norm, tfrt.tensor(x), ord=ord, keepdims=keepdims),
                  np.linalg.matrix_norm(x, ord=ord, keepdims=keepdims), dtype)
        close(call(linalg.norm, tfrt.tensor(x), ord=ord, axis=(0, 2)), np.linalg.norm(x, ord=ord, axis=(0, 2)), dtype)
    for ord in (0, 1, 2, 3, 2.5, -1, -2.5, np.inf, -np.inf):
        for axis in (None, 0, -1, (0, 2), (2, 1, 0)):
            for keepdims in (False, True):
                close(call(linalg.vector_norm, tfrt.tensor(x), ord=ord, axis=axis, keepdims=keepdims),
                      np.linalg.vector_norm(x, ord=ord, axis=axis, keepdims=keepdims), dtype)
        close(call(linalg.norm, tfrt.tensor(x), ord=ord, axis=1, keepdims=True),
              np.linalg.norm(x, ord=ord, axis=1, keepdims=True), dtype)
    close(call(linalg.norm, tfrt.tensor(x)), np.linalg.norm(x), dtype)
    close(call(linalg.norm, tfrt.tensor(x), axis=(2, 0), keepdims=True),
          np.linalg.norm(x, axis=(2, 0), keepdims=True), dtype)


def test_norms_of_nothing_are_zero():
    nothing = tfrt.tensor(np.zeros((3, 0), "f4"))
    for ord in (0, 1, 2, 3, np.inf):
        assert linalg.vector_norm(nothing, axis=1, ord=ord).tolist() == [0, 0, 0]
    assert linalg.matrix_norm(nothing, ord="nuc").item() == 0
    assert linalg.vector_norm(tfrt.tensor(-3.0)).item() == 3


@both_ways
@pytest.mark.parametrize("dtype", ("f4", "f8", "i4", "i8"))
def test_products_of_vectors(call, dtype):
    random = np.random.default_rng(3)
    x, y = random.integers(-5, 5, (2, 3, 4)).astype(dtype), random.integers(-5, 5, (5, 1, 3, 4)).astype(dtype)
    actual = call(linalg.cross, tfrt.tensor(x), tfrt.tensor(y), axis=-2).numpy()
    expected = np.linalg.cross(x, y, axis=-2)
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual, expected)
    for name in ("matmul", "outer", "tensordot", "vecdot", "matrix_transpose"):
        assert getattr(linalg, name) is getattr(tfrt, name)


@both_ways
@pytest.mark.parametrize("dtype", ("f4", "f8", "i4", "i8"))
def test_diagonals(call, dtype):
    for shape in ((3, 4), (2, 4, 3), (2, 0, 3), (0, 2, 2)):
        x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
        for offset in (-5, -2, -1, 0, 1, 3, 7):
            np.testing.assert_array_equal(call(linalg.diagonal, tfrt.tensor(x), offset=offset).numpy(),
                                          np.linalg.diagonal(x, offset=offset))
            trace = call(linalg.trace, tfrt.tensor(x), offset=offset)
            assert trace.dtype.name == tfrt.tensor(x).dtype.name
            np.testing.assert_array_equal(trace.numpy(), np.linalg.trace(x, offset=offset))
    small = tfrt.tensor(np.full((3, 3), 100, "i1"))
    assert linalg.trace(small).tolist() == 300 and linalg.trace(small).dtype == tfrt.i32
    assert linalg.trace(small, dtype=tfrt.f64).dtype == tfrt.f64


def test_sizes_may_be_open():
    given = matrices((2, 4, 4), "f8")
    spec = tfrt.TensorSpec(tfrt.f64, [None, None, None])
    for function, expected in ((linalg.inv, np.linalg.inv), (linalg.pinv, np.linalg.pinv), (linalg.det, np.linalg.det),
                               (linalg.matrix_rank, np.linalg.matrix_rank), (linalg.trace, np.linalg.trace),
                               (lambda x: linalg.matrix_power(x, 0), lambda x: np.linalg.matrix_power(x, 0)),
                               (lambda x: linalg.svd(x)[1], lambda x: np.linalg.svd(x)[1])):
        traced = tfrt.function(function, input_signature=[spec])
        np.testing.assert_allclose(traced(tfrt.tensor(given)).numpy(), expected(given), rtol=1e-9, atol=1e-9)


def test_matrices_that_have_no_inverse():
    x = np.stack([np.eye(3), np.ones((3, 3)), np.zeros((3, 3))])
    for function, name in ((linalg.inv, "inverse"), (lambda y: linalg.solve(y, y), "solve")):
        with pytest.raises(ValueError, match=f"{name}: matrix 1 is singular"):
            function(tfrt.tensor(x)).wait()
        with pytest.raises(ValueError, match=rf"test_linalg.py:\d+.*{name}: matrix 1 is singular"):
            tfrt.function(function)(tfrt.tensor(x)).wait()
    with pytest.raises(ValueError, match="cholesky: matrix 2 is not positive definite"):
        linalg.cholesky(tfrt.tensor(np.stack([np.eye(3), np.eye(3), -np.eye(3)]))).wait()
    assert linalg.det(tfrt.tensor(x)).tolist() == [1, 0, 0]
    sign, logabsdet = linalg.slogdet(tfrt.tensor(x))
    assert sign.tolist() == [1, 0, 0] and logabsdet.tolist() == [0, -np.inf, -np.inf]
    assert linalg.matrix_rank(tfrt.tensor(x)).tolist() == [3, 1, 0]


def test_nan_gives_nan():
    for bad in (np.nan, np.inf):
        x = np.stack([np.full((20, 20), bad), np.eye(20)])
        for part in (*linalg.svd(tfrt.tensor(x)), *linalg.eigh(tfrt.tensor(x)), linalg.svdvals(tfrt.tensor(x))):
            assert np.isnan(part.numpy()[0]).all() and not np.isnan(part.numpy()[1]).any()


def test_gradients():
    x, b = matrices((3, 3), "f8"), np.random.default_rng(4).standard_normal((3, 2))
    losses = {"solve": lambda a: linalg.vector_norm(linalg.solve(a, tfrt.tensor(b))),
              "det": lambda a: linalg.det(a), "inv": lambda a: linalg.inv(a).sum(),
              "slogdet": lambda a: linalg.slogdet(a)[1],
              "nuc": lambda a: linalg.matrix_norm(a, ord="nuc")}
    for name, loss in losses.items():
        gradient = tfrt.grad(loss)(tfrt.tensor(x)).numpy()
        direction = np.random.default_rng(5).standard_normal(x.shape)
        above, below = (loss(tfrt.tensor(x + step * direction)).item() for step in (1e-6, -1e-6))
        assert np.sum(gradient * direction) == pytest.approx((above - below) / 2e-6, rel=1e-5, abs=1e-7), name


REFUSED = [
    (TypeError, "inv: x has elements of f32 or f64, not i32", lambda t: linalg.inv(t(np.eye(2, dtype="i4")))),
    (TypeError, "svd: x has elements of f32 or f64, not f16", lambda t: linalg.svd(t(np.eye(2, dtype="f2")))),
    (TypeError, "solve: x2 has elements of f32 or f64, not i64",
     lambda t: linalg.solve(t(np.eye(2)), t(np.ones(2, "i8")))),
    (TypeError, "vector_norm: x has elements of", lambda t: linalg.vector_norm(t(np.ones(2, "i8")))),
    (TypeError, "vector_norm: ord is a number", lambda t: linalg.vector_norm(t(np.ones(2)), ord="fro")),
    (TypeError, "matrix_power: n is an int, not float", lambda t: linalg.matrix_power(t(np.eye(2)), 2.0)),
    (TypeError, "cross: x1 and x2 have numbers", lambda t: linalg.cross(t(np.ones(3, "?")), t(np.ones(3, "?")))),
    (TypeError, "trace: x has numbers", lambda t: linalg.trace(t(np.ones((3, 3), "?")))),
    (ValueError, "qr: x has 2 dimensions or more, not 1", lambda t: linalg.qr(t(np.ones(3)))),
    (ValueError, "det: x has square matrices, but 2 rows and 3 columns", lambda t: linalg.det(t(np.ones((2, 3))))),
    (ValueError, "qr: mode is 'reduced' or 'complete', not 'raw'", lambda t: linalg.qr(t(np.eye(3)), mode="raw")),
    (ValueError, "solve: x1 has 2 rows, but x2 has 3", lambda t: linalg.solve(t(np.eye(2)), t(np.ones(3)))),
    (ValueError, "solve: x2 has 1 dimension or more", lambda t: linalg.solve(t(np.eye(2)), t(np.ones(())))),
    (ValueError, "matrix_norm: ord is .* not 3", lambda t: linalg.matrix_norm(t(np.eye(2)), ord=3)),
    (ValueError, "norm: ord of vectors is a number", lambda t: linalg.norm(t(np.eye(2)), ord="fro", axis=0)),
    (ValueError, "norm: axis names 1 or 2 axes, not 3", lambda t: linalg.norm(t(np.ones((2, 2, 2))), 2)),
    (ValueError, "cross: x1 has vectors of size 2 along axis -1, not 3",
     lambda t: linalg.cross(t(np.ones(2)), t(np.ones(3)))),
    (ValueError, "diagonal: x has 2 dimensions or more, not 1", lambda t: linalg.diagonal(t(np.ones(2)))),
]


@pytest.mark.parametrize("error, message, call", REFUSED, ids=[message for _, message, _ in REFUSED])
def test_what_is_wrong_is_said(error, message, call):
    with pytest.raises(error, match=message):
        call(tfrt.tensor)
    with pytest.raises(error, match=message):
        tfrt.function(lambda: call(lambda value: tfrt.tensor(value)))()


def test_all_names_of_the_standard_are_here():
    names = """cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank
        matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm"""
    assert set(names.split()) <= set(linalg.__all__) and all(hasattr(linalg, name) for name in linalg.__all__)


@both_ways
def test_products_of_complex_vectors(call):
    x, y = np.array([1j, 2j, 3j]), np.array([1, 2j, 3])
    assert call(linalg.vecdot, tfrt.tensor(x), tfrt.tensor(y)).numpy() == np.vecdot(x, y)
