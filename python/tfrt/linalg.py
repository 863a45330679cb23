"""Linear algebra: the extension `linalg` of the array API standard, and NumPy's `norm`.

Functions work on the matrices in the last two dimensions of tensors, eagerly and traced. Decompositions take f32 and
f64; a matrix with an infinity or a NaN has results of NaN. Gradients go through what has one result, and `slogdet`.
"""

from __future__ import annotations

import math
import operator
from typing import NamedTuple

from . import ops
from ._tfrt import Tensor, complex64, complex128, f32, f64, i1, i32, tensor
from .arrays._arguments import (
    FLOATS, axes_of, axis_of, cast_to, of_one_dtype, pair_of, piece, shape_of, size_of, tensor_of)
from .arrays.numpy_names import diagonal as _diagonal
from .arrays.products import matmul, matrix_transpose, outer, tensordot, vecdot
from .arrays.statistics import sum as _sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .ops import DTypeLike, TensorLike

__all__ = [
    "EighResult", "QRResult", "SVDResult", "SlogdetResult", "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh",
    "inv", "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "norm", "outer", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]

_EPSILON = {f32: 2.0**-23, f64: 2.0**-52}


class EighResult(NamedTuple):
    """Eigenvalues, the smallest first, and eigenvectors as columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """Orthonormal columns, and an upper triangular matrix."""

    Q: Tensor
    R: Tensor


class SVDResult(NamedTuple):
    """Left vectors as columns, singular values, the largest first, and right vectors as rows."""

    U: Tensor
    S: Tensor
    Vh: Tensor


class SlogdetResult(NamedTuple):
    """Signs of determinants, and the logarithms of their magnitudes."""

    sign: Tensor
    logabsdet: Tensor


def cholesky(x: TensorLike, /, *, upper: bool = False) -> Tensor:
    """The lower triangular L with `x = L @ L.T` of positive definite matrices [..., n, n]; with `upper`, L.T.

    The lower triangle of x is read. ValueError: a matrix is not positive definite; the message has its number.
    """
    return ops.cholesky(_square(x, "cholesky"), upper=bool(upper))


def qr(x: TensorLike, /, *, mode: str = "reduced") -> QRResult:
    """`x = Q @ R` of matrices [..., m, n]: Q is [..., m, k] and R [..., k, n], where k is the smaller size.

    With the mode "complete" k is m. Signs are those of the algorithm.
    """
    x = _matrices(x, "qr")
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is 'reduced' or 'complete', not {mode!r}")
    return QRResult(*ops.qr(x, complete=mode == "complete"))


def svd(x: TensorLike, /, *, full_matrices: bool = True) -> SVDResult:
    """`x = U @ diag(S) @ Vh` of matrices [..., m, n]: U is [..., m, m], S [..., k] and Vh [..., n, n].

    Without `full_matrices` the last size of U and the first of Vh are k, the smaller of m and n.
    """
    return SVDResult(*ops.svd(_matrices(x, "svd"), full_matrices=bool(full_matrices)))


def svdvals(x: TensorLike, /) -> Tensor:
    """The singular values [..., k] of matrices [..., m, n], the largest first."""
    return ops.svdvals(_matrices(x, "svdvals"))


def eigh(x: TensorLike, /) -> EighResult:
    """Eigenvalues [..., n] and eigenvectors [..., n, n] of symmetric matrices, whose lower triangles are read."""
    return EighResult(*ops.eigh(_square(x, "eigh")))


def eigvalsh(x: TensorLike, /) -> Tensor:
    """Eigenvalues [..., n] of symmetric matrices, the smallest first; the lower triangles are read."""
    return ops.eigvalsh(_square(x, "eigvalsh"))


def solve(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The solutions y of `x1 @ y = x2`. The dimensions before the matrices [..., n, n] broadcast.

    x2 is one vector [n], or matrices [..., n, k]. ValueError: a matrix is singular; the message has its number.
    """
    a, b = of_one_dtype(_square(x1, "solve", "x1"), _floats_of_library(x2, "solve", "x2"))
    if b.ndim == 0:
        raise ValueError("solve: x2 has 1 dimension or more, but it has none")
    shapes = shape_of(a), shape_of(b)
    is_vector = b.ndim == 1
    if None not in shapes and shapes[0][-1] != shapes[1][-1 if is_vector else -2]:
        raise ValueError(f"solve: x1 has {shapes[0][-1]} rows, but x2 has {shapes[1][-1 if is_vector else -2]}")
    if is_vector:
        return ops.squeeze(ops.solve(a, ops.expand_dims(b, 1)), squeeze_dims=[a.ndim - 1])
    return ops.solve(a, b)


def inv(x: TensorLike, /) -> Tensor:
    """The inverses of matrices [..., n, n]. ValueError: a matrix is singular; the message has its number."""
    return ops.inverse(_square(x, "inv"))


def det(x: TensorLike, /) -> Tensor:
    """The determinants [...] of matrices [..., n, n]."""
    return ops.determinant(_square(x, "det"))


def slogdet(x: TensorLike, /) -> SlogdetResult:
    """The signs of determinants and the logarithms of their magnitudes: 0 and -inf of singular matrices."""
    return SlogdetResult(*ops.slogdet(_square(x, "slogdet")))


def pinv(x: TensorLike, /, *, rtol: float | TensorLike | None = None) -> Tensor:
    """The pseudo-inverses [..., n, m] of matrices [..., m, n].

    Singular values of at most `rtol` times the largest count as 0. `rtol` is a number or one per matrix; None is the
    larger size times the distance of 1 to the next number. Elements may be complex.
    """
    x = tensor_of(x)
    if x.dtype in (complex64, complex128):
        return _complex_pinv(_of_rank_2(x, "pinv"), rtol)
    x = _matrices(x, "pinv")
    u, s, vh = svd(x, full_matrices=False)
    is_kept = ops.greater(s, _cutoff(x, s, rtol))
    inverses = ops.select(is_kept, ops.reciprocal(ops.select(is_kept, s, tensor(1, s.dtype))), tensor(0, s.dtype))
    return ops.batch_matmul(ops.mul(matrix_transpose(vh), ops.expand_dims(inverses, s.ndim - 1)), matrix_transpose(u))


def matrix_rank(x: TensorLike, /, *, rtol: float | TensorLike | None = None) -> Tensor:
    """How many singular values are more than `rtol` times the largest: i32 [...]; `rtol` is as for `pinv`."""
    x = _matrices(x, "matrix_rank")
    s = svdvals(x)
    return ops.reduce_sum(ops.cast(ops.greater(s, _cutoff(x, s, rtol)), i32), [-1])


def matrix_power(x: TensorLike, n: int, /) -> Tensor:
    """The product of n equal matrices [..., m, m], of -n inverses where n is negative, and the identity where it is
    0."""
    try:
        count = operator.index(n)
    except TypeError:
        raise TypeError(f"matrix_power: n is an int, not {type(n).__name__}") from None
    x = _square(x, "matrix_power")
    if count == 0:
        return ops.add(ops.zeros_like(x, x.dtype), _identity(x))
    base = inv(x) if count < 0 else x
    power = base
    for bit in bin(abs(count))[3:]:  # below the highest one
        power = ops.batch_matmul(power, power)
        if bit == "1":
            power = ops.batch_matmul(power, base)
    return power


def matrix_norm(x: TensorLike, /, *, keepdims: bool = False, ord: float | str | None = "fro") -> Tensor:
    """A norm [...] of matrices [..., m, n]; with `keepdims` it is [..., 1, 1].

    "fro": the root of the sum of squares; "nuc": the sum of singular values; 1 and inf: the largest sum of magnitudes
    of a column and of a row; 2: the largest singular value; -1, -inf and -2: the smallest of these.
    """
    x = _floats(x, "matrix_norm")
    rank = _of_rank_2(x, "matrix_norm").ndim
    rows, columns = rank - 2, rank - 1
    if ord in (None, "fro"):
        return ops.reduce_l2(x, [rows, columns], keep_dims=keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        along = rows if abs(ord) == 1 else columns
        sums = ops.reduce_sum(ops.abs(x), [along], keep_dims=True)
        return _largest(sums, [rows, columns], ord, keepdims)
    if ord not in (2, -2, "nuc"):
        raise ValueError(f"matrix_norm: ord is 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, not {ord!r}")
    values = ops.expand_dims(svdvals(x), rank - 1)
    if ord == "nuc":
        return ops.reduce_sum(values, [rows, columns], keep_dims=keepdims)
    return _largest(values, [rows, columns], ord, keepdims)


def vector_norm(x: TensorLike, /, *, axis: int | Sequence[int] | None = None, keepdims: bool = False,
                ord: float = 2) -> Tensor:
    """A norm of vectors along an axis, several, or all: the p-th root of the sum of p-th powers of magnitudes, p = ord.

    inf and -inf: the largest and the smallest magnitude; 0: how many elements are not 0.
    """
    x = _floats(x, "vector_norm")
    axes = axes_of(axis, x.ndim)
    if isinstance(ord, bool) or not isinstance(ord, (int, float)):
        raise TypeError(f"vector_norm: ord is a number, not {ord!r}")
    if ord == 2:
        return ops.reduce_l2(x, axes, keep_dims=keepdims)
    if ord == 0:
        return ops.reduce_sum(ops.cast(ops.not_equal(x, tensor(0, x.dtype)), x.dtype), axes, keep_dims=keepdims)
    magnitudes = ops.abs(x)
    if math.isinf(ord):
        return _largest(magnitudes, axes, ord, keepdims)
    if ord == 1:
        return ops.reduce_sum(magnitudes, axes, keep_dims=keepdims)
    powers = ops.reduce_sum(ops.pow(magnitudes, tensor(ord, x.dtype)), axes, keep_dims=keepdims)
    return ops.pow(powers, tensor(1 / ord, x.dtype))


def norm(x: TensorLike, ord: float | str | None = None, axis: int | Sequence[int] | None = None,
         keepdims: bool = False) -> Tensor:
    """NumPy's norm: of vectors along one axis, of matrices along two; without an axis of the whole tensor.

    `ord` is as for `vector_norm` and `matrix_norm`; None is the root of the sum of squares.
    """
    x = _floats(x, "norm")
    if axis is None and ord is None:
        return ops.reduce_l2(x, list(range(x.ndim)), keep_dims=keepdims)
    axes = axes_of(axis, x.ndim)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"norm: ord of vectors is a number, not {ord!r}")
        return vector_norm(x, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise ValueError(f"norm: axis names 1 or 2 axes, not {len(axes)}")
    rest = [each for each in range(x.ndim) if each not in axes]
    result = matrix_norm(ops.transpose(x, [*rest, *axes]), ord="fro" if ord is None else ord)
    if keepdims:
        for each in sorted(axes):
            result = ops.expand_dims(result, each)
    return result


def cross(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """The cross products of vectors of size 3 along an axis; the other dimensions broadcast, dtypes are promoted.

    ValueError: a size along the axis is not 3. TypeError: elements are no numbers.
    """
    x, y = pair_of(x1, x2)
    if x.dtype == i1:
        raise TypeError("cross: x1 and x2 have numbers, not i1")
    # Counted from the end, so that it is one axis of the broadcast shape.
    from_end = operator.index(axis)
    from_end -= max(x.ndim, y.ndim) if from_end >= 0 else 0
    for name, each in (("x1", x), ("x2", y)):
        size = size_of(each, axis_of(from_end, each.ndim))
        if not isinstance(size, Tensor) and size != 3:
            raise ValueError(f"cross: {name} has vectors of size {size} along axis {axis}, not 3")

    def rolled(each: Tensor, places: list[int]) -> Tensor:
        return ops.gather(each, places, axis_of(from_end, each.ndim))

    return ops.sub(ops.mul(rolled(x, [1, 2, 0]), rolled(y, [2, 0, 1])),
                   ops.mul(rolled(x, [2, 0, 1]), rolled(y, [1, 2, 0])))


def diagonal(x: TensorLike, /, *, offset: int = 0) -> Tensor:
    """The diagonals [..., k] of matrices [..., m, n]; an offset of 1 is one column to the right of the main one."""
    x = _of_rank_2(tensor_of(x), "diagonal")
    return _diagonal(x, offset, x.ndim - 2, x.ndim - 1)


def trace(x: TensorLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """The sums [...] of the diagonals of matrices [..., m, n], of the dtype that `sum` gives."""
    x = _of_rank_2(tensor_of(x), "trace")
    if x.dtype == i1:
        raise TypeError("trace: x has numbers, not i1")
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def _floats(x: TensorLike, function: str) -> Tensor:
    x = tensor_of(x)
    if x.dtype not in FLOATS:
        raise TypeError(f"{function}: x has elements of f16, bf16, f32 or f64, not {x.dtype}")
    return x


def _floats_of_library(x: TensorLike, function: str, name: str) -> Tensor:
    x = tensor_of(x)
    if x.dtype not in _EPSILON:
        raise TypeError(f"{function}: {name} has elements of f32 or f64, not {x.dtype}")
    return x


def _of_rank_2(x: Tensor, function: str, name: str = "x") -> Tensor:
    if x.ndim < 2:
        raise ValueError(f"{function}: {name} has 2 dimensions or more, not {x.ndim}")
    return x


def _matrices(x: TensorLike, function: str, name: str = "x") -> Tensor:
    return _of_rank_2(_floats_of_library(x, function, name), function, name)


def _square(x: TensorLike, function: str, name: str = "x") -> Tensor:
    x = _matrices(x, function, name)
    shape = shape_of(x)
    if shape is not None and shape[-1] != shape[-2]:
        raise ValueError(f"{function}: {name} has square matrices, but {shape[-2]} rows and {shape[-1]} columns")
    return x


def _complex_pinv(x: Tensor, rtol: float | TensorLike | None) -> Tensor:
    """By the real matrix [[A, -B], [B, A]] of A + i B: those of its inverse have its form, too."""
    rows, columns = x.ndim - 2, x.ndim - 1
    re, im = ops.real(x), ops.imag(x)
    if rtol is None:
        rtol = _default_rtol(re)
    both = ops.concat([ops.concat([re, ops.neg(im)], columns), ops.concat([im, re], columns)], rows)
    inverse = pinv(both, rtol=rtol)
    m, n = size_of(x, rows), size_of(x, columns)
    left = piece(inverse, columns, 0, m)
    return ops.make_complex(piece(left, rows, 0, n), piece(left, rows, n))


def _identity(x: Tensor) -> Tensor:
    """The identity of the size of square matrices: [n, n]."""
    n = ops.reshape(size_of(x, x.ndim - 1), [1]) if shape_of(x) is None else [shape_of(x)[-1]]
    sizes = ops.concat([n, n], 0) if isinstance(n, Tensor) else n + n
    return ops.eye_like(ops.fill(sizes, tensor(0, x.dtype)), x.dtype)


def _largest(x: Tensor, axes: list[int], ord: Any, keepdims: bool) -> Tensor:
    """The largest magnitude, 0 of none; the smallest if `ord` is negative, infinity of none."""
    if ord < 0:
        return ops.reduce_min(x, axes, keep_dims=keepdims)
    return ops.maximum(ops.reduce_max(x, axes, keep_dims=keepdims), tensor(0, x.dtype))


def _default_rtol(x: Tensor) -> Tensor:
    rows, columns = size_of(x, x.ndim - 2), size_of(x, x.ndim - 1)
    if isinstance(rows, Tensor) or isinstance(columns, Tensor):
        size = ops.cast(ops.maximum(rows, columns), x.dtype)
    else:
        size = tensor(max(rows, columns), x.dtype)
    return ops.mul(size, tensor(_EPSILON[x.dtype], x.dtype))


def _cutoff(x: Tensor, s: Tensor, rtol: float | TensorLike | None) -> Tensor:
    """The largest singular value that counts as 0: [..., 1]."""
    largest = _largest(s, [s.ndim - 1], 1, True)
    if rtol is None:
        return ops.mul(largest, _default_rtol(x))
    if isinstance(rtol, (int, float)):
        return ops.mul(largest, tensor(rtol, x.dtype))
    rtol = cast_to(_floats(rtol, "rtol"), x.dtype)
    return ops.mul(largest, ops.expand_dims(rtol, rtol.ndim))
