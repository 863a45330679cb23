"""Sums, means and others over axes."""

from __future__ import annotations

import builtins
import math

from .. import ops
from .._tfrt import Tensor, _reduce, bf16, f16, f32, f64, i1, i8, i16, i32, i64, tensor, u8, u16, u32, u64
from ._arguments import (
    FLOATS, axes_of, axis_of, bytes_of, cast_to, count_of, fresh, of_one_dtype, pair_of, piece, shape_from, shape_of,
    sizes_of, tensor_of)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Union

    from ..ops import DTypeLike, TensorLike

    Axis = Union[int, Sequence[int], None]

__all__ = ["all", "any", "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod", "std", "sum", "var"]

_WIDER = {i1: i32, i8: i32, i16: i32, u8: u32, u16: u32}  # the dtypes of sums that are not those of their elements


def sum(x: TensorLike, /, axis: Axis = None, *, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The sum of the elements along axes; along all, if None. Integers wrap; no elements give 0.

    Without a dtype bools and integers below 32 bits become i32 or u32; others keep their dtype.
    """
    if dtype is None and not keepdims and (result := _reduce(ops.reduce_sum, x, axis, False)) is not None:
        return result
    x = _summands(x, dtype)
    return ops.reduce_sum(x, axes_of(axis, x.ndim), keep_dims=keepdims)


def prod(x: TensorLike, /, axis: Axis = None, *, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The product of the elements along axes; along all, if None. Integers wrap; no elements give 1.

    Without a dtype bools and integers below 32 bits become i32 or u32; others keep their dtype.
    """
    x = _summands(x, dtype)
    return ops.reduce_prod(x, axes_of(axis, x.ndim), keep_dims=keepdims)


def max(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The largest element along axes; along all, if None. NaN if one is. ValueError: there are no elements.

    Where a trace leaves the size open, no elements give the least number of the dtype: -inf for floats.
    """
    return _extreme(ops.reduce_max, "max", x, axis, keepdims)


def min(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The smallest element along axes; along all, if None. NaN if one is. ValueError: there are no elements.

    Where a trace leaves the size open, no elements give the largest number of the dtype: inf for floats.
    """
    return _extreme(ops.reduce_min, "min", x, axis, keepdims)


def mean(x: TensorLike, /, axis: Axis = None, *, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The mean of the elements along axes; along all, if None. No elements give NaN.

    Integers and bools give f32, floats their own dtype, if none is given.
    """
    if dtype is None and not keepdims and (made := _reduce(ops.reduce_mean, x, axis, True)) is not None:
        return made
    x, result = _of_floats(x, dtype)
    return cast_to(ops.reduce_mean(x, axes_of(axis, x.ndim), keep_dims=keepdims), result)


def var(x: TensorLike, /, axis: Axis = None, *, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The mean of the squares of the differences from the mean, along axes; along all, if None.

    The divisor is the number of elements less `correction`, at least 0. Integers and bools give f32.
    """
    x, result = _to_square(x)
    return cast_to(_variance(x, axis, correction, keepdims), result)


def std(x: TensorLike, /, axis: Axis = None, *, correction: float = 0.0, keepdims: bool = False) -> Tensor:
    """The square root of the variance along axes; along all, if None.

    The divisor is the number of elements less `correction`, at least 0. Integers and bools give f32. The gradient is 0
    where all elements are equal.
    """
    x, result = _to_square(x)
    if not x.is_traced:
        return cast_to(_deviation(x, axis, correction, keepdims), result)
    variance = _variance(x, axis, correction, keepdims)
    # The slope of the root at 0, which is infinite, has no part in the gradient.
    equal = ops.equal(variance, 0)
    return cast_to(ops.select(equal, variance, ops.sqrt(ops.select(equal, tensor(1, x.dtype), variance))), result)


def _deviation(x: Tensor, axis: Axis, correction: float, keepdims: bool) -> Tensor:
    axes = axes_of(axis, x.ndim)
    if x.dtype not in (f32, f64) or x.ndim - 1 not in axes:
        return ops.sqrt(_variance(x, axis, correction, keepdims))
    # The root of the sum of squares in one go, which reads elements that lie side by side.
    length = ops.reduce_l2(x - ops.reduce_mean(x, axes, keep_dims=True), axes, keep_dims=keepdims)
    return ops.div(length, math.sqrt(_divisor(count_of(x, axes), correction)))


def _divisor(count: int, correction: float) -> float:
    if not isinstance(correction, (int, float)):
        raise TypeError(f"correction is a number, not {type(correction).__name__}")
    return builtins.max(count - float(correction), 0.0)


def _variance(x: Tensor, axis: Axis, correction: float, keepdims: bool) -> Tensor:
    if not isinstance(correction, (int, float)):
        raise TypeError(f"correction is a number, not {type(correction).__name__}")
    axes = axes_of(axis, x.ndim)
    from_mean = x - ops.reduce_mean(x, axes, keep_dims=True)
    squares = from_mean * from_mean
    if correction == 0:
        return ops.reduce_mean(squares, axes, keep_dims=keepdims)
    count = count_of(x, axes)
    if isinstance(count, Tensor):
        divisor: Any = ops.maximum(ops.cast(count, x.dtype) - float(correction), 0.0)
    else:
        divisor = _divisor(count, correction)
    return ops.div(ops.reduce_sum(squares, axes, keep_dims=keepdims), divisor)


def all(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether all elements along axes are not 0; along all, if None. NaN is not 0. No elements give true."""
    x = tensor_of(x)
    bits = bytes_of(cast_to(x, i1))
    return ops.cast(ops.reduce_min(bits, axes_of(axis, x.ndim), keep_dims=keepdims), i1)


def any(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether an element along axes is not 0; along all, if None. NaN is not 0. No elements give false."""
    x = tensor_of(x)
    bits = bytes_of(cast_to(x, i1))
    return ops.cast(ops.reduce_max(bits, axes_of(axis, x.ndim), keep_dims=keepdims), i1)


def cumulative_sum(x: TensorLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None,
                   include_initial: bool = False) -> Tensor:
    """The sums of the elements up to each along an axis, which may be left out of arrays of one dimension.

    With `include_initial` a 0 comes first. Without a dtype bools and integers below 32 bits become i32 or u32.
    """
    x, at = _running(x, axis, dtype, "cumulative_sum")
    return _with_initial(ops.cumulative_sum(x, at), at, 0, include_initial)


def cumulative_prod(x: TensorLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None,
                    include_initial: bool = False) -> Tensor:
    """The products of the elements up to each along an axis, which may be left out of arrays of one dimension.

    With `include_initial` a 1 comes first. Without a dtype bools and integers below 32 bits become i32 or u32.
    """
    x, at = _running(x, axis, dtype, "cumulative_prod")
    return _with_initial(ops.cumulative_product(x, at), at, 1, include_initial)


def diff(x: TensorLike, /, n: int = 1, axis: int = -1, prepend: TensorLike | None = None,
         append: TensorLike | None = None) -> Tensor:
    """The differences of neighbours along an axis, `n` times; of bools, where they differ.

    `prepend` and `append` are put at the ends first; one without dimensions is broadcast.
    ValueError: n is below 0, or the array has no dimensions.
    """
    x = tensor_of(x)
    if n < 0:
        raise ValueError(f"n is 0 or more, not {n}")
    if x.ndim == 0:
        raise ValueError("diff takes an array of 1 or more dimensions, not of 0")
    axis = axis_of(axis, x.ndim)
    if n == 0:
        return fresh(x)
    parts = [_end(prepend, x, axis), x, _end(append, x, axis)]
    x = ops.concat(of_one_dtype(*[part for part in parts if part is not None]), axis)
    for _ in range(n):
        after, before = piece(x, axis, 1), piece(x, axis, None, -1)
        x = ops.not_equal(after, before) if x.dtype == i1 else after - before
    return x


def _end(value: TensorLike | None, x: Tensor, axis: int) -> Tensor | None:
    """An array to be put beside another one along an axis."""
    if value is None:
        return None
    value = pair_of(value, x)[0]
    if value.ndim:
        return value
    sizes = list(sizes_of(x))
    sizes[axis] = 1
    return ops.broadcast_to(value, shape_from(sizes))


def _summands(x: TensorLike, dtype: DTypeLike | None) -> Tensor:
    """The elements as what they are summed in."""
    x = tensor_of(x)
    wide = _WIDER.get(x.dtype) if dtype is None else dtype
    return x if wide is None else ops.cast(x, wide)


def _extreme(op: Any, name: str, x: TensorLike, axis: Axis, keepdims: bool) -> Tensor:
    if not keepdims and (result := _reduce(op, x, axis, False)) is not None:
        return result
    x = tensor_of(x)
    axes = axes_of(axis, x.ndim)
    shape = shape_of(x)
    if shape is not None and 0 in shape and builtins.any(shape[each] == 0 for each in axes):
        raise ValueError(f"{name} along axes {tuple(axes)} of an array of shape {shape}: there are no elements")
    if x.dtype == i1:
        return ops.cast(op(bytes_of(x), axes, keep_dims=keepdims), i1)
    return op(x, axes, keep_dims=keepdims)


def _of_floats(x: TensorLike, dtype: DTypeLike | None) -> tuple[Tensor, Any]:
    """The elements as floats, and the dtype of the result. Those of wide integers are computed in f64."""
    x = tensor_of(x)
    own = x.dtype
    if dtype is not None:
        x = ops.cast(x, dtype)
        if x.dtype in FLOATS:
            return x, x.dtype
        return ops.cast(x, f64), x.dtype
    if own in FLOATS or own.name.startswith("complex"):
        return x, own
    return ops.cast(x, f64 if own in (i32, i64, u32, u64) else f32), f32


def _to_square(x: TensorLike) -> tuple[Tensor, Any]:
    """The same for squares, whose sums are beyond floats of 16 bits."""
    x, result = _of_floats(x, None)
    return cast_to(x, f32) if result in (f16, bf16) else x, result


def _running(x: TensorLike, axis: int | None, dtype: DTypeLike | None, name: str) -> tuple[Tensor, int]:
    x = _summands(x, dtype)
    if x.ndim == 0:
        raise ValueError(f"{name} takes an array of 1 or more dimensions, not of 0")
    if axis is None:
        if x.ndim > 1:
            raise ValueError(f"{name} of an array of {x.ndim} dimensions needs an axis")
        axis = 0
    return x, axis_of(axis, x.ndim)


def _with_initial(x: Tensor, axis: int, initial: int, include: bool) -> Tensor:
    if not include:
        return x
    paddings = [[0, 0] for _ in range(x.ndim)]
    paddings[axis][0] = 1
    return ops.pad_with(x, paddings, tensor(initial, x.dtype))
