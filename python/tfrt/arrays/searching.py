"""Where elements are: the largest, those that hold, the places of values."""

from __future__ import annotations

from .. import ops
from .._tfrt import Tensor, i1, i32, i64
from ..errors import InvalidArgumentError, OutOfRangeError
from ._arguments import (
    as_indices, axes_of, axis_of, bytes_of, cast_to, flat, pair_of, shape_of, size_of, tensor_of)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..ops import TensorLike

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "take", "take_along_axis", "where"]


def argmax(x: TensorLike, /, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """Where the largest element along an axis is, as i64: the first of several, the first NaN if there is one.

    Without an axis the place in the flat array. ValueError: there are no elements.
    """
    return _place(ops.argmax, "argmax", x, axis, keepdims)


def argmin(x: TensorLike, /, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """Where the smallest element along an axis is, as i64: the first of several, the first NaN if there is one.

    Without an axis the place in the flat array. ValueError: there are no elements.
    """
    return _place(ops.argmin, "argmin", x, axis, keepdims)


def _place(op, name: str, x: TensorLike, axis: int | None, keepdims: bool) -> Tensor:
    x = tensor_of(x)
    if x.dtype == i1:
        x = bytes_of(x)
    rank = x.ndim
    at = 0 if axis is None else axis_of(axis, rank)
    along = flat(x) if axis is None else x
    if size_of(along, at) == 0 if not along.is_traced else False:
        raise ValueError(f"{name} of an axis of size 0 has no result")
    result = op(along, at)
    if keepdims:
        for each in range(rank) if axis is None else [at]:
            result = ops.expand_dims(result, each)
    return result


def count_nonzero(x: TensorLike, /, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Tensor:
    """The number of elements along axes that are not 0, as i64. NaN is not 0."""
    x = tensor_of(x)
    return ops.reduce_sum(ops.cast(cast_to(x, i1), i64), axes_of(axis, x.ndim), keep_dims=keepdims)


def nonzero(x: TensorLike, /) -> tuple[Tensor, ...]:
    """Where the elements are that are not 0, row-major: for each axis a tensor of i64. Of open size in traces.

    ValueError: the array has no dimensions.
    """
    x = tensor_of(x)
    if x.ndim == 0:
        raise ValueError("nonzero takes an array of 1 or more dimensions, not of 0")
    places = ops.nonzero(x)
    return tuple(ops.gather(places, axis, 0) for axis in range(x.ndim))


def where(condition: TensorLike, x1: TensorLike | None = None, x2: TensorLike | None = None,
          /) -> Tensor | tuple[Tensor, ...]:
    """The element of `x1` where the condition holds, that of `x2` elsewhere. Shapes broadcast, dtypes are promoted.

    Numbers take the dtype of the tensor beside them. With the condition alone it is `nonzero`.
    TypeError: the condition is not of bools.
    """
    condition = tensor_of(condition)
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise TypeError("where takes both x1 and x2, or neither")
    if condition.dtype != i1:
        raise TypeError(f"the condition of where is of bools, not {condition.dtype}")
    return ops.select(condition, x1, x2)


def searchsorted(x1: TensorLike, x2: TensorLike, /, *, side: str = "left", sorter: TensorLike | None = None) -> Tensor:
    """The places at which the elements of `x2` would keep `x1`, sorted and of one dimension, in order, as i64.

    `side` says whether before ("left") or after ("right") equal ones. `sorter` sorts `x1`, as `argsort` does.
    ValueError: `x1` is not of one dimension, or another side.
    """
    if side not in ("left", "right"):
        raise ValueError(f"side is 'left' or 'right', not {side!r}")
    x1, x2 = pair_of(x1, x2)
    if x1.ndim != 1:
        raise ValueError(f"searchsorted takes x1 of 1 dimension, not {x1.ndim}")
    if sorter is not None:
        x1 = take(x1, sorter, 0)
    if x1.dtype == i1:
        x1, x2 = bytes_of(x1), bytes_of(x2)
    return ops.search_sorted(x1, x2, right=side == "right")


def take(x: TensorLike, indices: TensorLike, /, axis: int | None = None) -> Tensor:
    """The slices along an axis that integers name, from the end if negative; of the flat array, if the axis is None.

    IndexError: an index is out of range. TypeError: the indices are no integers.
    """
    x = tensor_of(x)
    if axis is None:
        x, axis = flat(x), 0
    axis = axis_of(axis, x.ndim)
    return _at(ops.gather, x, _indices(indices, "take"), axis)


def take_along_axis(x: TensorLike, indices: TensorLike, /, axis: int = -1) -> Tensor:
    """For each index the element there along the axis, at its own place in the other axes, which broadcast.

    IndexError: an index is out of range. TypeError: the indices are no integers. ValueError: another rank.
    """
    x = tensor_of(x)
    axis = axis_of(axis, x.ndim)
    indices = _indices(indices, "take_along_axis")
    if indices.ndim != x.ndim:
        raise ValueError(f"take_along_axis takes indices of the array's {x.ndim} dimensions, not {indices.ndim}")
    shape, wide = shape_of(x), shape_of(indices)
    if shape is not None and wide is not None:
        for each in range(x.ndim):
            if each == axis or shape[each] == wide[each]:
                continue
            if wide[each] == 1:
                indices = ops.broadcast_to(indices, [shape[i] if i == each else 1 for i in range(x.ndim)])
            elif shape[each] == 1:
                x = ops.broadcast_to(x, [wide[i] if i == each else 1 for i in range(x.ndim)])
            else:
                raise ValueError(f"indices of shape {wide} do not broadcast with an array of shape {shape}")
    return _at(ops.gather_elements, x, indices, axis)


def _at(op: Any, x: Tensor, indices: Tensor, axis: int) -> Tensor:
    """The result of an op that gathers; its error of an index is an IndexError."""
    try:
        return op(x, indices, axis)
    except InvalidArgumentError as error:
        raise (OutOfRangeError(str(error)) if "out of range" in str(error) else error) from None


def _indices(indices: TensorLike, function: str) -> Tensor:
    """Indices as i32 or i64."""
    indices = tensor_of(indices)
    if indices.dtype in (i32, i64):
        return indices
    if indices.size == 0 if not indices.is_traced else False:
        indices = ops.cast(indices, i64)
    name = indices.dtype.name
    if name == "i1" or not name.startswith(("i", "u")):
        raise TypeError(f"{function} takes indices of integers, not {indices.dtype}")
    return as_indices(indices)
