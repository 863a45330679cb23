"""Products of matrices and vectors, and contractions, beside NumPy's."""

import numpy as np
import pytest

import tfrt
from compare_arrays import ALL, NUMBERS, assert_same, assert_same_traced, elements

TOLERANCE = {"f2": 1e-2, "f4": 1e-5, "f8": 1e-12}


@pytest.mark.parametrize("dtype", ALL)
def test_matrix_products(dtype):
    shapes = [((3, 4), (4, 2)), ((4,), (4, 2)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4, 2)), ((4,), (2, 4, 3)),
              ((5, 1, 3, 4), (2, 4, 3)), ((2, 3, 4), (4,)), ((0, 4), (4, 2)), ((3, 0), (0, 2)), ((0,), (0,)),
              ((2, 0, 3, 4), (4, 1))]
    for left, right in shapes:
        x, y = elements(left, dtype), elements(right, dtype, 1)
        result = tfrt.matmul(x, y)
        assert_same(result, np.matmul(x, y), TOLERANCE.get(dtype, 0), f"{left} {right}")
        assert result.dtype == tfrt.tensor(x).dtype


@pytest.mark.parametrize("dtype", NUMBERS)
def test_products_of_vectors(dtype):
    x, y = elements((2, 3, 4), dtype), elements((3, 4), dtype, 1)
    tolerance = TOLERANCE.get(dtype, 0)
    assert_same(tfrt.vecdot(x, y), np.vecdot(x, y), tolerance)
    assert_same(tfrt.vecdot(x, y, axis=-2), np.vecdot(x, y, axis=-2), tolerance)
    assert_same(tfrt.vecdot(x[0, 0], y[0]), np.vecdot(x[0, 0], y[0]), tolerance)
    assert tfrt.vecdot(x, y).dtype == tfrt.tensor(x).dtype
    assert tfrt.vecdot(x[:, :, :0], y[:, :0]).tolist() == np.zeros((2, 3)).tolist()
    assert_same(tfrt.outer(x[0, 0], y[0]), np.outer(x[0, 0], y[0]))
    assert_same(tfrt.outer(x, y), np.outer(x, y))
    for a, b in ((x, y[:0]), (y[:0], x)):
        assert_same(tfrt.outer(a, b), np.outer(a, b))
    for a, b in ((x[0, 0], y[0]), (y, x[0].T), (x, y.T), (x, y[0]), (x[0, 0, 0], y), (x, np.moveaxis(x, 1, 2))):
        assert_same(tfrt.dot(a, b), np.dot(a, b), tolerance)
    for a, b in ((x[0, 0], y[0]), (x, y), (x[0, 0, 0], y)):
        assert_same(tfrt.inner(a, b), np.inner(a, b), tolerance)
    for a, b in ((x[0, 0], y), (x[0], y), (x, y), (x[0], y[0])):
        assert_same(tfrt.kron(a, b), np.kron(a, b))


@pytest.mark.parametrize("dtype", NUMBERS)
def test_products_over_axes(dtype):
    x, y = elements((2, 3, 4), dtype), elements((4, 3, 5), dtype, 1)
    tolerance = TOLERANCE.get(dtype, 0)
    for axes in (1, 0, ((2,), (0,)), ([1, 2], [1, 0]), ((-1, -2), (0, 1)), ((), ())):
        result = tfrt.tensordot(x, y, axes=axes)
        assert_same(result, np.tensordot(x, y, axes), tolerance)
        assert result.dtype == tfrt.tensor(x).dtype
    assert_same(tfrt.tensordot(x, x, axes=3), np.tensordot(x, x, 3), tolerance)
    assert_same(tfrt.tensordot(x[:, :, :0], y[:0], axes=1), np.tensordot(x[:, :, :0], y[:0], 1))
    assert_same(tfrt.matrix_transpose(x), np.matrix_transpose(x))


# Letters, and the shapes of the operands.
SUMS = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,kj->ik", (2, 3), (4, 3)), ("ij,jk", (2, 3), (3, 4)), ("ji,jk", (2, 3), (2, 4)),
    ("ij", (2, 3)), ("ji", (2, 3)), ("ij->ji", (2, 3)), ("ij->", (2, 3)), ("ij->j", (2, 3)), ("ii", (3, 3)),
    ("ii->i", (3, 3)), ("iij->ij", (3, 3, 2)), ("iji->j", (3, 2, 3)), ("iii->i", (3, 3, 3)), ("i,i->", (4,), (4,)),
    ("i,j->ij", (2,), (3,)), ("i,j->ji", (2,), (3,)), ("ij,ij->ij", (2, 3), (2, 3)), ("ij,ji->", (2, 3), (3, 2)),
    ("ij,ij->i", (2, 3), (2, 3)), ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)), ("bij,bjk->kbi", (5, 2, 3), (5, 3, 4)),
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
    ("ab,bc,ac->", (2, 3), (3, 4), (2, 4)), ("i,ij,j->", (2,), (2, 3), (3,)), ("...j,...j->...", (2, 3, 4), (3, 4)),
    ("...ij,...jk->...ik", (5, 2, 3), (3, 4)), ("...ij->...ji", (4, 2, 3)), ("i...,i...", (2, 3), (2, 3)),
    ("...", (2, 3)), ("...,...", (2, 3), (3,)), ("i...->...", (2, 3)), ("...i,i...->...", (2, 3), (3, 2)),
    ("ij,jk->ik", (2, 1), (3, 4)), ("ij,ij->ij", (1, 3), (2, 1)), (",ij->ij", (), (2, 3)), (",", (), ()), ("->", ()),
    ("ij,jk->ik", (2, 0), (0, 4)), ("ij,jk->ik", (0, 3), (3, 4)), ("i,i->i", (0,), (0,)),
    (" ij , jk -> ik ", (2, 3), (3, 4)), ("ij,k->ij", (2, 3), (4,)),
    ("abc,cd,bd,ae->ed", (2, 3, 4), (4, 2), (3, 2), (2, 5)), ("ii,ij->j", (3, 3), (3, 2)),
    ("Ba,aB->B", (2, 3), (3, 2)), ("aB", (2, 3)),
]


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i1", "u1", "i8"])
def test_sums_by_letters(dtype):
    for letters, *shapes in SUMS:
        arrays = [elements(shape, dtype, seed) for seed, shape in enumerate(shapes)]
        result = tfrt.einsum(letters, *arrays)
        assert_same(result, np.einsum(letters, *arrays), TOLERANCE.get(dtype, 0), letters)
        assert result.dtype == tfrt.tensor(arrays[0]).dtype


def test_sums_by_letters_of_bools():
    x, y = elements((3, 4), "?"), elements((4, 2), "?", 1)
    assert_same(tfrt.einsum("ij,jk->ik", x, y), np.einsum("ij,jk->ik", x, y))
    assert_same(tfrt.einsum("ij,ij->i", x, x), np.einsum("ij,ij->i", x, x))


def test_long_products_take_the_cheap_order():
    wide = np.ones((1, 2000), "f4")
    assert tfrt.einsum("ab,bc,cd->ad", wide.T, wide, wide.T).shape == (2000, 1)


def test_traced():
    x, y = elements((3, 4), "f4"), elements((4, 5), "f4", 1)
    assert_same_traced([
        (lambda x, y: tfrt.matmul(x, y), lambda x, y: x @ y),
        (lambda x, y: tfrt.matmul(x, tfrt.take(y, 0, axis=1)), lambda x, y: x @ y[:, 0]),
        (lambda x, y: tfrt.matmul(tfrt.take(x, 0, axis=0), y), lambda x, y: x[0] @ y),
        (lambda x, y: tfrt.vecdot(x, x), lambda x, y: np.vecdot(x, x)),
        (lambda x, y: tfrt.tensordot(x, y, axes=1), lambda x, y: np.tensordot(x, y, 1)),
        (lambda x, y: tfrt.tensordot(x, y, axes=0), lambda x, y: np.tensordot(x, y, 0)),
        (lambda x, y: tfrt.tensordot(x, x, axes=([0, 1], [0, 1])), lambda x, y: np.tensordot(x, x, 2)),
        (lambda x, y: tfrt.outer(x, y), lambda x, y: np.outer(x, y)),
        (lambda x, y: tfrt.dot(x, y), lambda x, y: np.dot(x, y)),
        (lambda x, y: tfrt.kron(x, y), lambda x, y: np.kron(x, y)),
        (lambda x, y: tfrt.einsum("ij,jk->ki", x, y), lambda x, y: np.einsum("ij,jk->ki", x, y)),
        (lambda x, y: tfrt.einsum("ij,jk,ij->k", x, y, x), lambda x, y: np.einsum("ij,jk,ij->k", x, y, x)),
        (lambda x, y: tfrt.einsum("...j,jk", x, y), lambda x, y: np.einsum("...j,jk", x, y)),
        (lambda x, y: tfrt.einsum("ii->i", tfrt.matmul(x, tfrt.matrix_transpose(x))), lambda x, y: np.diag(x @ x.T)),
        (lambda x, y: tfrt.diagonal(x, -1), lambda x, y: np.diagonal(x, -1)),
        (lambda x, y: tfrt.diagonal(y, 3), lambda x, y: np.diagonal(y, 3)),
        (lambda x, y: tfrt.diagonal(x, -7), lambda x, y: np.diagonal(x, -7)),
        (lambda x, y: tfrt.trace(x, 1), lambda x, y: np.trace(x, 1)),
    ], [x, y], 1e-5)


X = np.zeros((2, 3), "f4")


@pytest.mark.parametrize("call, error, message", [
    (lambda: tfrt.matmul(1.0, X), ValueError, "1 or more dimensions, not of 0 and 2"),
    (lambda: tfrt.matmul(X, X), ValueError, r"\[2, 3\]"),
    (lambda: tfrt.matmul(X[0], X), ValueError, r"shapes \(3,\) and \(2, 3\)"),
    (lambda: tfrt.matmul(X, X[:, 0]), ValueError, r"shapes \(2, 3\) and \(2,\)"),
    (lambda: tfrt.matmul(np.zeros((2, 3, 4)), np.zeros((3, 4, 5))), ValueError, "2, 3, 4"),
    (lambda: tfrt.matrix_transpose(X[0]), ValueError, "2 or more dimensions, not 1"),
    (lambda: tfrt.vecdot(X, X[:, :1]), ValueError, "sizes 3 and 1"),
    (lambda: tfrt.vecdot(X, X[0], axis=-2), IndexError, "axis -2"),
    (lambda: tfrt.vecdot(X, np.zeros((3, 3), "f4")), ValueError, r"\[3, 3\]"),
    (lambda: tfrt.tensordot(X, X, axes=1), ValueError, r"sizes \[3\] and \[2\]"),
    (lambda: tfrt.tensordot(X, X, axes=3), ValueError, "over 3 axes of arrays of 2 and 2"),
    (lambda: tfrt.tensordot(X, X, axes=((0,), (0, 1))), ValueError, "1 axes of x1 but 2 of x2"),
    (lambda: tfrt.tensordot(X, X, axes=((0,),)), ValueError, "2 lists, not 1"),
    (lambda: tfrt.tensordot(X, X, axes=((2,), (0,))), IndexError, r"axes\[0\] 2"),
    (lambda: tfrt.einsum(["ij"], X), TypeError, "a str, such as 'ij,jk->ik', not list"),
    (lambda: tfrt.einsum("ij,jk->ik", X), ValueError, "2 operands, not 1"),
    (lambda: tfrt.einsum("ij"), ValueError, "1 operands, not 0"),
    (lambda: tfrt.einsum("i", X), ValueError, "'i' names 1 axes, but operand 0 has 2 dimensions"),
    (lambda: tfrt.einsum("ijk...", X), ValueError, "names 3 axes"),
    (lambda: tfrt.einsum("ij,jk->ik", X, X), ValueError, "'j' of 'ij,jk->ik' has the sizes 3 and 2"),
    (lambda: tfrt.einsum("ii", X), ValueError, "'i' has the sizes 2 and 3"),
    (lambda: tfrt.einsum("ij->ik", X), ValueError, "has 'k', which no operand has"),
    (lambda: tfrt.einsum("ij->ii", X), ValueError, "has 'i' twice"),
    (lambda: tfrt.einsum("i1->i", X), ValueError, "'1' in 'i1->i' is no letter"),
    (lambda: tfrt.einsum("ij->i->j", X), ValueError, "is no letter"),
    (lambda: tfrt.einsum("..ij", X), ValueError, "'.' in '..ij' is no letter"),
    (lambda: tfrt.diagonal(X[0]), ValueError, "2 or more dimensions, not 1"),
    (lambda: tfrt.diagonal(X, axis1=1), ValueError, "both 1"),
])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_dtypes_that_meet():
    x, y = tfrt.tensor([[1, 2], [3, 4]]), tfrt.tensor([[0.5, 1.0], [1.5, 2.0]])
    for function in (tfrt.matmul, tfrt.vecdot, tfrt.dot, tfrt.inner, tfrt.outer, tfrt.kron,
                     lambda a, b: tfrt.einsum("ij,jk", a, b)):
        assert function(x, y).dtype == tfrt.f32 and function(y.astype("f64"), x).dtype == tfrt.f64
        assert function(x.astype("u8"), x.astype("i8")).dtype == tfrt.i16
    assert tfrt.matmul(x, y).tolist() == [[3.5, 5.0], [7.5, 11.0]]
