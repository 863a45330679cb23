"""Elements without those that repeat."""

from __future__ import annotations

from .. import ops
from .._tfrt import Tensor, i1, i8, i16, i32, i64, tensor, u8, u16, u32, u64
from ._arguments import FLOATS, axis_of, bytes_of, flat, pair_of, piece, reshaped, size_of, sizes_of, tensor_of
from .searching import searchsorted
from .sorting import argsort, sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from ..ops import TensorLike
else:
    from collections import namedtuple

_INTEGERS = (i8, i16, i32, i64, u8, u16, u32, u64)  # of which none is another one's equal
_FEW = 1000  # elements for which one op takes less time than several

__all__ = ["isin", "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"]

if TYPE_CHECKING:
    class UniqueAll(NamedTuple):
        values: Tensor
        indices: Tensor
        inverse_indices: Tensor
        counts: Tensor

    class UniqueCounts(NamedTuple):
        values: Tensor
        counts: Tensor

    class UniqueInverse(NamedTuple):
        values: Tensor
        inverse_indices: Tensor
else:
    UniqueAll = namedtuple("UniqueAll", "values indices inverse_indices counts")
    UniqueCounts = namedtuple("UniqueCounts", "values counts")
    UniqueInverse = namedtuple("UniqueInverse", "values inverse_indices")


def unique(x: TensorLike, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
           axis: int | None = None) -> Any:
    """The elements that differ, in ascending order; with an axis, the slices along it that differ.

    As asked for, a tuple with these: where each is first, which of them each is, how often each is there (i64).
    All NaNs are one element, as in NumPy; `unique_values` keeps each.
    """
    x = tensor_of(x)
    if axis is not None:
        values, *more = ops.unique(x, axes=[axis_of(axis, x.ndim)])
    elif return_index or return_inverse or return_counts:
        values, *more = _unique(x, nan_is_one=True)
    else:
        return _values(x, nan_is_one=True)
    asked = [each for wanted, each in zip((return_index, return_inverse, return_counts), more) if wanted]
    return (values, *asked) if asked else values


def unique_all(x: TensorLike, /) -> UniqueAll:
    """The elements that differ, in ascending order; where each is first, which of them each is, and how often.

    The results are values, indices, inverse_indices (in the shape of `x`) and counts; numbers are i64.
    Each NaN is another element. The number of values is open in traces.
    """
    x = tensor_of(x)
    return UniqueAll(*_unique(x))


def unique_counts(x: TensorLike, /) -> UniqueCounts:
    """The elements that differ, in ascending order, and how often each is there (i64): values and counts.

    Each NaN is another element. The number of values is open in traces.
    """
    x = flat(tensor_of(x))
    ordered = sort(x)
    begins = _begins(_is_first(ordered))
    return UniqueCounts(ops.gather(ordered, begins, 0), _counts(begins, ordered))


def unique_inverse(x: TensorLike, /) -> UniqueInverse:
    """The elements that differ, in ascending order, and which of them each element is: values and inverse_indices.

    `inverse_indices` is i64 in the shape of `x`. Each NaN is another element. The number of values is open in traces.
    """
    values, _, inverse, _ = _unique(tensor_of(x))
    return UniqueInverse(values, inverse)


def unique_values(x: TensorLike, /) -> Tensor:
    """The elements that differ, in ascending order. Each NaN is another one. The number of them is open in traces."""
    return _values(tensor_of(x))


def isin(x1: TensorLike, x2: TensorLike, /, *, invert: bool = False) -> Tensor:
    """Whether each element of `x1` is one of `x2`; with `invert`, whether it is none. NaN is no element's equal."""
    x1, x2 = pair_of(x1, x2)
    if x1.dtype == i1:
        x1, x2 = bytes_of(x1), bytes_of(x2)
    ordered = sort(flat(x2))
    size = size_of(ordered, 0)
    if isinstance(size, int) and size == 0:
        found = ops.zeros_like(x1, i1)
    else:
        at = ops.minimum(searchsorted(ordered, x1), size - 1)
        found = ops.equal(ops.gather(ordered, at, 0), x1)
    return ops.logical_not(found) if invert else found


def _values(x: Tensor, nan_is_one: bool = False) -> Tensor:
    """The elements that differ, in order."""
    if not x.is_traced and x.dtype in _INTEGERS and x.size <= _FEW:
        return ops.unique(x)[0]
    ordered = sort(flat(x))
    if ordered.is_traced:  # of gathered elements there are gradients
        return ops.gather(ordered, _begins(_is_first(ordered, nan_is_one)), 0)
    if ordered.size < 2:
        return ordered
    after = piece(ordered, 0, 1)
    places = _begins(_differ(after, piece(ordered, 0, None, -1), nan_is_one))
    return ops.concat([piece(ordered, 0, 0, 1), ops.gather(after, places, 0)], 0)


def _differ(after: Tensor, before: Tensor, nan_is_one: bool) -> Tensor:
    """Whether each element differs from the one before it; whether NaN does from NaN."""
    differ = ops.not_equal(after, before)
    if nan_is_one and after.dtype in FLOATS:
        differ = ops.logical_and(differ, ops.logical_not(ops.logical_and(ops.is_nan(after), ops.is_nan(before))))
    return differ


def _is_first(ordered: Tensor, nan_is_one: bool = False) -> Tensor:
    """Where an element differs from the one before it; whether NaN does from NaN."""
    differ = _differ(piece(ordered, 0, 1), piece(ordered, 0, None, -1), nan_is_one)
    # One true in front, if there is an element: as many as all differences and one more, or none.
    return ops.concat([ops.cast(ops.zeros_like(piece(ordered, 0, 0, 1), i64) + 1, i1), differ], 0)


def _begins(first: Tensor) -> Tensor:
    """Where runs of equal elements begin."""
    return ops.reshape(ops.nonzero(first), [-1])


def _counts(begins: Tensor, ordered: Tensor) -> Tensor:
    """The numbers of elements in runs of equal ones."""
    size = size_of(ordered, 0)
    end = ops.reshape(size if isinstance(size, Tensor) else tensor(size, i64), [1])
    ends = ops.concat([begins, end], 0)
    return piece(ends, 0, 1) - begins


def _unique(x: Tensor, nan_is_one: bool = False) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    sizes = sizes_of(x)
    one = flat(x)
    order = argsort(one)
    ordered = ops.gather(one, order, 0)
    first = _is_first(ordered, nan_is_one)
    numbers = ops.cumulative_sum(ops.cast(first, i64), 0) - 1
    inverse = ops.scatter_elements(ops.zeros_like(order, i64), order, numbers, axis=0)
    begins = _begins(first)
    return (ops.gather(ordered, begins, 0), ops.gather(order, begins, 0), reshaped(inverse, sizes),
            _counts(begins, ordered))
