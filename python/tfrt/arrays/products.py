"""Products of matrices and vectors, and contractions of several axes."""

from __future__ import annotations

import functools

from .. import ops
from .._tfrt import Tensor, complex64, complex128, i1, i8, i16, i32, u8, u16, u32
from ._arguments import (
    axes_of, axis_of, bytes_of, cast_to, count_of, flat, fresh, index_of, moved, of_one_dtype, pair_of, piece,
    reshaped, shape_of, sizes_of, tensor_of)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ops import TensorLike
    from ._arguments import Size

__all__ = ["dot", "einsum", "inner", "kron", "matmul", "matrix_transpose", "outer", "tensordot", "vecdot"]

_WIDER = {i1: i32, i8: i32, i16: i32, u8: u32, u16: u32}  # in which those are multiplied


def matmul(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The products of matrices in the last two axes; the axes before them broadcast, dtypes are promoted.

    An array of one dimension is a row on the left, a column on the right; that axis is left out of the result.
    ValueError: an array without dimensions, or sizes that do not fit.
    """
    x, y = pair_of(x1, x2)
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError(f"matmul takes arrays of 1 or more dimensions, not of {x.ndim} and {y.ndim}")
    is_row, is_column = x.ndim == 1, y.ndim == 1
    if not (is_row or is_column):
        return _products(x, y)
    shapes = shape_of(x), shape_of(y)
    if None not in shapes and shapes[0][-1] != shapes[1][0 if is_column else -2]:
        raise ValueError(f"matmul of shapes {shapes[0]} and {shapes[1]}: their sizes differ")
    product = _products(ops.expand_dims(x, 0) if is_row else x, ops.expand_dims(y, 1) if is_column else y)
    rank = product.ndim
    return ops.squeeze(product, squeeze_dims=[rank - 2] * is_row + [rank - 1] * is_column)


def _products(x: Tensor, y: Tensor) -> Tensor:
    """The products of matrices of one dtype."""
    dtype = x.dtype
    wide = _WIDER.get(dtype)
    op = ops.matmul if x.ndim == y.ndim == 2 else ops.batch_matmul
    return op(x, y) if wide is None else ops.cast(op(ops.cast(x, wide), ops.cast(y, wide)), dtype)


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """The matrices in the last two axes, transposed. ValueError: less than 2 dimensions."""
    x = tensor_of(x)
    rank = x.ndim
    if rank < 2:
        raise ValueError(f"matrix_transpose takes an array of 2 or more dimensions, not {rank}")
    return ops.transpose(x, [*range(rank - 2), rank - 1, rank - 2])


def vecdot(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """The sums of the products of vectors along an axis, counted in each array; the other axes broadcast.

    Complex numbers of the first are conjugated. ValueError: the vectors differ in their sizes.
    """
    x, y = pair_of(x1, x2)
    if x.dtype in (complex64, complex128):
        x = ops.make_complex(ops.real(x), ops.neg(ops.imag(x)))
    axes = axis_of(axis, x.ndim), axis_of(axis, y.ndim)
    x, y = moved(x, axes[0], x.ndim - 1), moved(y, axes[1], y.ndim - 1)
    shapes = shape_of(x), shape_of(y)
    if None not in shapes and shapes[0][-1] != shapes[1][-1]:
        raise ValueError(f"vecdot of vectors of sizes {shapes[0][-1]} and {shapes[1][-1]}")
    if x.ndim == y.ndim == 1:
        return matmul(x, y)
    product, last = _multiplied(x, y), max(x.ndim, y.ndim) - 1
    return _summed(product, [last])


def tensordot(x1: TensorLike, x2: TensorLike, /, *, axes: int | Sequence[Sequence[int]] = 2) -> Tensor:
    """The sums of products over some axes of both: the remaining axes of the first, then those of the second.

    `axes` is how many last axes of `x1` belong to the first ones of `x2`, or a list of axes for each.
    ValueError: the axes differ in number or sizes.
    """
    x, y = pair_of(x1, x2)
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ValueError(f"axes are a number or 2 lists, not {len(axes)}")
        of_x, of_y = axes_of(axes[0], x.ndim, "axes[0]"), axes_of(axes[1], y.ndim, "axes[1]")
        if len(of_x) != len(of_y):
            raise ValueError(f"tensordot got {len(of_x)} axes of x1 but {len(of_y)} of x2")
    else:
        count = index_of(axes)
        if not 0 <= count <= min(x.ndim, y.ndim):
            raise ValueError(f"tensordot over {count} axes of arrays of {x.ndim} and {y.ndim} dimensions")
        of_x, of_y = list(range(x.ndim - count, x.ndim)), list(range(count))
    shapes = shape_of(x), shape_of(y)
    if None not in shapes:
        sizes = [shapes[0][i] for i in of_x], [shapes[1][i] for i in of_y]
        if sizes[0] != sizes[1]:
            raise ValueError(f"tensordot over axes of sizes {sizes[0]} and {sizes[1]}")
    left, right = [i for i in range(x.ndim) if i not in of_x], [i for i in range(y.ndim) if i not in of_y]
    kept = [sizes_of(x)[i] for i in left] + [sizes_of(y)[i] for i in right]
    common = count_of(x, of_x)
    rows = reshaped(ops.transpose(x, left + of_x), [count_of(x, left), common])
    columns = reshaped(ops.transpose(y, of_y + right), [common, count_of(y, right)])
    return reshaped(_products(rows, columns), kept)


def outer(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The products of each element of the first with each of the second: [M,N]. Both are taken as flat."""
    x, y = pair_of(x1, x2)
    return _multiplied(ops.expand_dims(flat(x), 1), ops.expand_dims(flat(y), 0))


def dot(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The product of vectors or of matrices as `matmul`; of more axes, over the last of x1 and the last but one of x2.

    Arrays without dimensions multiply.
    """
    x, y = pair_of(x1, x2)
    if x.ndim == 0 or y.ndim == 0:
        return _multiplied(x, y)
    if x.ndim <= 2 and y.ndim <= 2:
        return matmul(x, y)
    return tensordot(x, y, axes=[[x.ndim - 1], [max(y.ndim - 2, 0)]])


def inner(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The sums of products over the last axes of both. Arrays without dimensions multiply."""
    x, y = pair_of(x1, x2)
    if x.ndim == 0 or y.ndim == 0:
        return _multiplied(x, y)
    return tensordot(x, y, axes=[[x.ndim - 1], [y.ndim - 1]])


def kron(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The Kronecker product: each element of the first times the whole second, in blocks."""
    x, y = pair_of(x1, x2)
    for _ in range(y.ndim - x.ndim):
        x = ops.expand_dims(x, 0)
    for _ in range(x.ndim - y.ndim):
        y = ops.expand_dims(y, 0)
    sizes = [a * b for a, b in zip(sizes_of(x), sizes_of(y))]
    for axis in range(x.ndim):
        x, y = ops.expand_dims(x, 2 * axis + 1), ops.expand_dims(y, 2 * axis)
    return reshaped(_multiplied(x, y), sizes)


def diagonal_of(x: Tensor, offset: int, axis1: int, axis2: int) -> Tensor:
    """The diagonal of two axes, counted from 0, as a new last axis."""
    rest = [axis for axis in range(x.ndim) if axis not in (axis1, axis2)]
    x = ops.transpose(x, [*rest, axis1, axis2])
    *before, rows, columns = sizes_of(x)
    # In the row-major matrix the next one is a row and a column further.
    begin = columns * -offset if offset < 0 else offset
    count = _least(rows + min(offset, 0), columns - max(offset, 0))
    end = begin + (columns + 1) * count - columns
    if isinstance(count, Tensor):
        begin, end = ops.minimum(begin, rows * columns), ops.maximum(end, 0)
    elif count <= 0:
        begin = end = 0
    return piece(reshaped(x, [*before, rows * columns]), len(before), begin, end, columns + 1)


# --- Sums of products by letters ---

def einsum(subscripts: str, /, *operands: TensorLike) -> Tensor:
    """Sums of products of the operands, whose axes letters name: `ij,jk->ik` is a product of matrices.

    A letter that is not in the result is summed over; one that an operand has twice takes its diagonal. `...` are
    axes that broadcast. Without `->` the letters that are there once are the result's, in alphabetical order.
    ValueError: letters that do not fit the operands, or sizes that differ.
    """
    if not isinstance(subscripts, str):
        raise TypeError(f"subscripts are a str, such as 'ij,jk->ik', not {type(subscripts).__name__}")
    values = of_one_dtype(*map(tensor_of, operands)) if operands else []
    ranks = tuple(each.ndim for each in values)
    if ranks == (2, 2) and (transposes := _as_product(subscripts)):
        x, y = values
        sizes = x.shape, y.shape
        common = sizes[0][not transposes[0]], sizes[1][transposes[1]]
        # Sizes of 1 are broadcast, and integers below 32 bits multiplied in wider ones, below.
        if common[0] == common[1] and common[0] is not None and x.dtype not in _WIDER:
            return ops.matmul(x, y, transpose_a=transposes[0], transpose_b=transposes[1])
    inputs, output = _parsed(subscripts, ranks)
    terms = [_term(value, list(labels)) for value, labels in zip(values, inputs)]
    terms = _of_common_sizes(terms, subscripts)
    while len(terms) > 1:
        first, second = _cheapest(terms, output)
        pair = terms[first], terms[second]
        terms = [term for i, term in enumerate(terms) if i not in (first, second)]
        needed = set(output).union(*[labels for _, labels in terms])
        terms.append(_contracted(*pair[0], *pair[1], needed))
    value, labels = _without(*terms[0], set(output))
    return _ordered(value, labels, output)


@functools.lru_cache(maxsize=256)
def _as_product(subscripts: str) -> tuple[bool, bool] | None:
    """The flags of transposition of the one product that this is; None, if it is something else."""
    x, comma, rest = subscripts.replace(" ", "").partition(",")
    y, arrow, result = rest.partition("->")
    letters = x + y + result
    if not (comma and arrow and len(x) == len(y) == len(result) == 2 and letters.isascii() and letters.isalpha()):
        return None
    common = set(x) & set(y)
    if len(set(x)) < 2 or len(set(y)) < 2 or len(common) != 1 or set(result) != set(x) ^ set(y) or result[0] not in x:
        return None
    return x[0] in common, y[1] in common


@functools.lru_cache(maxsize=256)
def _parsed(subscripts: str, ranks: tuple[int, ...]) -> tuple[list[list[str]], list[str]]:
    """The labels of each operand's axes, and of the result's. Those of `...` count from the end."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    parts = left.split(",")
    if len(parts) != len(ranks):
        raise ValueError(f"einsum: {subscripts!r} is for {len(parts)} operands, not {len(ranks)}")
    inputs, most = [], 0
    for number, (part, rank) in enumerate(zip(parts, ranks)):
        letters = _letters(part, subscripts)
        named = sum(1 for letter in letters if letter != "...")
        hidden = rank - named
        if hidden < 0 or hidden and "..." not in letters:
            raise ValueError(f"einsum: {part!r} names {named} axes, but operand {number} has {rank} dimensions")
        most = max(most, hidden)
        inputs.append([label for letter in letters for label in (_hidden(hidden) if letter == "..." else [letter])])
    if arrow:
        output = [label for letter in _letters(right, subscripts)
                  for label in (_hidden(most) if letter == "..." else [letter])]
        known = {label for labels in inputs for label in labels}
        for label in output:
            if output.count(label) > 1:
                raise ValueError(f"einsum: the result of {subscripts!r} has {label!r} twice")
            if label not in known:
                raise ValueError(f"einsum: the result of {subscripts!r} has {label!r}, which no operand has")
    else:
        letters = [letter for part in parts for letter in _letters(part, subscripts) if letter != "..."]
        output = _hidden(most) + sorted(letter for letter in letters if letters.count(letter) == 1)
    return inputs, output


def _letters(part: str, subscripts: str) -> list[str]:
    before, dots, after = part.partition("...")
    letters = [*before, *([dots] if dots else []), *after]
    for letter in letters:
        if letter != "..." and not (letter.isascii() and letter.isalpha()):
            raise ValueError(f"einsum: {letter!r} in {subscripts!r} is no letter")
    return letters


def _hidden(count: int) -> list[str]:
    return [f"...{place}" for place in range(count, 0, -1)]


def _term(value: Tensor, labels: list[str]) -> tuple[Tensor, list[str]]:
    """The operand with each label once: diagonals of those that it has twice."""
    if len(set(labels)) == len(labels):
        return value, labels
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            shape = shape_of(value)
            if shape is not None and shape[first] != shape[second]:
                raise ValueError(f"einsum: {label!r} has the sizes {shape[first]} and {shape[second]} in one operand")
            value = diagonal_of(value, 0, first, second)
            labels = [each for i, each in enumerate(labels) if i not in (first, second)] + [label]
    return value, labels


def _of_common_sizes(terms: list, subscripts: str) -> list:
    """Axes of size 1 are left out where another operand has a larger one of that label."""
    shapes = [shape_of(value) for value, _ in terms]
    if None in shapes:
        return terms
    sizes: dict[str, int] = {}
    for (_, labels), shape in zip(terms, shapes):
        for label, size in zip(labels, shape):
            known = sizes.get(label, 1)
            if 1 not in (known, size) and known != size:
                raise ValueError(f"einsum: {label!r} of {subscripts!r} has the sizes {known} and {size}")
            sizes[label] = size if known == 1 else known
    results = []
    for (value, labels), shape in zip(terms, shapes):
        ones = [i for i, label in enumerate(labels) if shape[i] == 1 and sizes[label] != 1]
        if ones:
            value = ops.squeeze(value, squeeze_dims=ones)
            labels = [label for i, label in enumerate(labels) if i not in ones]
        results.append((value, labels))
    return results


def _cheapest(terms: list, output: list[str]) -> tuple[int, int]:
    """The two operands whose product is the least larger than they are; the first two, if a size is open."""
    shapes = [shape_of(value) for value, _ in terms]
    if len(terms) == 2 or None in shapes:
        return 0, 1
    sizes = {label: size for (_, labels), shape in zip(terms, shapes) for label, size in zip(labels, shape)}

    def count(labels: Sequence[str]) -> int:
        product = 1
        for label in labels:
            product *= sizes[label]
        return product

    def growth(pair: tuple[int, int]) -> int:
        rest = set(output).union(*[labels for i, (_, labels) in enumerate(terms) if i not in pair])
        both = set(terms[pair[0]][1]) | set(terms[pair[1]][1])
        return count([label for label in both if label in rest]) - count(terms[pair[0]][1]) - count(terms[pair[1]][1])

    return min([(i, j) for i in range(len(terms)) for j in range(i + 1, len(terms))], key=growth)


def _without(value: Tensor, labels: list[str], needed: set[str]) -> tuple[Tensor, list[str]]:
    """The sums over the axes that are not needed."""
    axes = [i for i, label in enumerate(labels) if label not in needed]
    if not axes:
        return value, labels
    return _summed(value, axes), [label for label in labels if label in needed]


def _contracted(x: Tensor, of_x: list[str], y: Tensor, of_y: list[str], needed: set[str]) -> tuple[Tensor, list[str]]:
    """The product of two operands, summed over the labels that are not needed."""
    x, of_x = _without(x, of_x, needed | set(of_y))
    y, of_y = _without(y, of_y, needed | set(of_x))
    both = [label for label in of_x if label in of_y]
    batch, common = [label for label in both if label in needed], [label for label in both if label not in needed]
    left, right = [label for label in of_x if label not in both], [label for label in of_y if label not in both]
    if not common or not (left or right) and batch:
        labels = batch + common + left + right
        product = _multiplied(_aligned(x, of_x, labels), _aligned(y, of_y, labels))
        return _without(product, labels, needed)
    rows, columns = _ordered(x, of_x, batch + left + common), _ordered(y, of_y, batch + common + right)
    result = batch + left + right
    if len(left) == len(common) == len(right) == 1:
        return _products(rows, columns), result
    sizes = dict(zip(of_y, sizes_of(y))) | dict(zip(of_x, sizes_of(x)))
    shape, *counts = [sizes[label] for label in batch], *[
        _product([sizes[label] for label in labels]) for labels in (left, common, right)]
    product = _products(reshaped(rows, [*shape, counts[0], counts[1]]),
                        reshaped(columns, [*shape, counts[1], counts[2]]))
    return reshaped(product, [sizes[label] for label in result]), result


def _ordered(x: Tensor, labels: list[str], order: list[str]) -> Tensor:
    return fresh(x) if labels == order else ops.transpose(x, [labels.index(label) for label in order])


def _aligned(x: Tensor, labels: list[str], order: list[str]) -> Tensor:
    """The operand with its axes in order, and axes of size 1 for labels that it has not."""
    x = _ordered(x, labels, [label for label in order if label in labels])
    for place, label in enumerate(order):
        if label not in labels:
            x = ops.expand_dims(x, place)
    return x


def _product(sizes: Sequence[Size]) -> Size:
    product: Size = 1
    for size in sizes:
        product = product * size
    return product


def _least(x: Size, y: Size) -> Size:
    return ops.minimum(x, y) if isinstance(x, Tensor) or isinstance(y, Tensor) else min(x, y)


def _multiplied(x: Tensor, y: Tensor) -> Tensor:
    return ops.logical_and(x, y) if x.dtype == i1 else ops.mul(x, y)


def _summed(x: Tensor, axes: list[int]) -> Tensor:
    """The sums in the dtype of the elements; of bools, whether one is true."""
    if x.dtype == i1:
        return ops.cast(ops.reduce_max(bytes_of(x), axes), i1)
    return cast_to(ops.reduce_sum(x, axes), x.dtype)
