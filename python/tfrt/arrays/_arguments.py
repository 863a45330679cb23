"""Arguments of functions of arrays: tensors, axes, sizes, and pieces along one axis.

Sizes may be open during a trace. Then they are tensors of the program instead of numbers.
"""

from __future__ import annotations

import operator

from .. import ops
from .._tfrt import (
    Tensor, Variable, _take_items, _take_piece, bf16, f16, f32, f64, i1, i32, i64, tensor, u8, u64)
from ..errors import FailedPreconditionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Union

    from ..ops import TensorLike

    Size = Union[int, Tensor]  # a tensor of i64 without dimensions, if the size is open


FLOATS = (f32, f64, f16, bf16)
MOST = (1 << 63) - 1  # of i64


class AxisError(ValueError, IndexError):
    """An axis that the tensor does not have: both errors, as in NumPy."""


def tensor_of(x: TensorLike) -> Tensor:
    """The tensor that an argument is, or that is made of it."""
    if type(x) is Tensor:
        return x
    if isinstance(x, Variable):
        return x.read()
    # numpy.float64 is a float of Python, which would become f32.
    return tensor(x, f64) if isinstance(x, float) and type(x) is not float else tensor(x)


def tensors_of(arrays: Any, function: str) -> list[Tensor]:
    """The tensors of a list, or the rows of one tensor."""
    values = [tensor_of(each) for each in arrays]
    if not values:
        raise ValueError(f"{function} needs at least one array")
    return values


def of_one_dtype(*values: Tensor) -> list[Tensor]:
    """The tensors, cast to the type that theirs are promoted to."""
    dtype = values[0].dtype
    if all(each.dtype == dtype for each in values):
        return list(values)
    from .dtypes import result_type
    dtype = result_type(*[each.dtype for each in values])
    return [cast_to(each, dtype) for each in values]


def pair_of(x: Any, y: Any) -> list[Tensor]:
    """Two tensors of one dtype. A number takes the dtype of what is beside it, if that is of its kind or wider."""
    if type(x) is Tensor and type(y) is Tensor and x.dtype == y.dtype:
        return [x, y]
    numbers = (bool, int, float)  # scalars of NumPy, some of which are floats, have dtypes of their own
    if type(x) in numbers and type(y) in numbers:
        kind = float if isinstance(x, float) or isinstance(y, float) else int
        return of_one_dtype(*[tensor(each if type(x) is type(y) else kind(each)) for each in (x, y)])
    if type(x) in numbers:
        return _beside(x, tensor_of(y))
    if type(y) in numbers:
        return _beside(y, tensor_of(x))[::-1]
    return of_one_dtype(tensor_of(x), tensor_of(y))


def _beside(number: float, x: Tensor) -> list[Tensor]:
    """A number of Python as a tensor, and a tensor, which is cast where the number is of a wider kind."""
    if isinstance(number, float) and x.dtype not in FLOATS:
        x = cast_to(x, f32)
    elif not isinstance(number, bool) and x.dtype == i1:
        x = cast_to(x, i32)
    return [tensor(number, x.dtype), x]


def index_of(value: Any) -> int:
    """A number of Python, NumPy or a tensor that is an int. TypeError: it is none."""
    return operator.index(value)


def cast_to(x: Tensor, dtype: Any) -> Tensor:
    return x if x.dtype == dtype else ops.cast(x, dtype)


def as_indices(x: Tensor) -> Tensor:
    """Integers as i32 or i64, which ops take as indices. Those of u64 that i64 has not stay larger than any size."""
    if x.dtype in (i32, i64):
        return x
    return ops.cast(ops.minimum(x, tensor(MOST, u64)) if x.dtype == u64 else x, i64)


def bytes_of(x: Tensor) -> Tensor:
    """Bools as numbers 0 and 1 of u8, which ops compare; in the same memory."""
    return ops.bit_cast(x, u8)


def axis_of(axis: Any, rank: int, name: str = "axis") -> int:
    """An axis counted from 0."""
    if type(axis) is int and 0 <= axis < rank:
        return axis
    try:
        index = operator.index(axis)
    except TypeError:
        raise TypeError(f"{name} is an int, not {type(axis).__name__}") from None
    if not -rank <= index < rank:
        raise AxisError(f"{name} {index} is out of range for an array of {rank} dimensions")
    return index + rank if index < 0 else index


def axes_of(axis: Any, rank: int, name: str = "axis") -> list[int]:
    """Axes counted from 0, of a number or several; all of them, if None."""
    if axis is None:
        return list(range(rank))
    if type(axis) is int and 0 <= axis < rank:
        return [axis]
    if not isinstance(axis, (tuple, list)):
        return [axis_of(axis, rank, name)]
    axes = [axis_of(each, rank, name) for each in axis]
    if len(set(axes)) < len(axes):
        raise ValueError(f"{name} {tuple(axis)} names an axis twice")
    return axes


def shape_of(x: Tensor) -> Any:  # tuple[int, ...] | None
    """The shape; None if a size is open."""
    try:
        shape = x.shape
    except FailedPreconditionError:  # not even the rank is known
        return None
    return None if None in shape else shape


def sizes_of(x: Tensor) -> Sequence[Size]:
    """The sizes of all axes: numbers, or tensors if one is open."""
    shape = shape_of(x)
    if shape is not None:
        return shape
    sizes = ops.shape_of(x, out_type=i64)
    return [ops.gather(sizes, axis, 0) for axis in range(x.ndim)]


def size_of(x: Tensor, axis: int) -> Size:
    shape = shape_of(x)
    return ops.gather(ops.shape_of(x, out_type=i64), axis, 0) if shape is None else shape[axis]


def known_size(x: Tensor, axis: int, function: str) -> int:
    """The size of an axis of which results are made one by one. FailedPreconditionError: it is open in this trace."""
    size = x.shape[axis]
    if size is None:
        raise FailedPreconditionError(f"{function} needs the size of axis {axis}, which is open in this trace")
    return size


def count_of(x: Tensor, axes: Sequence[int]) -> Size:
    """The number of elements along axes together."""
    count: Size = 1
    sizes = sizes_of(x)
    for axis in axes:
        count = count * sizes[axis]
    return count


def shape_from(sizes: Sequence[Size]) -> Any:
    """The argument of ops that take a shape, from sizes of which some may be tensors."""
    if not any(isinstance(size, Tensor) for size in sizes):
        return list(sizes)
    return ops.concat([ops.reshape(size if isinstance(size, Tensor) else tensor(size, i64), [1]) for size in sizes], 0)


def reshaped(x: Tensor, sizes: Sequence[Size]) -> Tensor:
    return ops.reshape(x, shape_from(sizes))


def flat(x: Tensor) -> Tensor:
    """The elements along one axis, row-major."""
    return fresh(x) if x.ndim == 1 else ops.reshape(x, [-1])


def fresh(x: Tensor) -> Tensor:
    """The same elements as another object: item assignment to a result never changes an argument."""
    return x.__copy__()


def piece(x: Tensor, axis: int, begin: Any = None, end: Any = None, step: Any = 1) -> Tensor:
    """The elements `begin:end:step` along one axis, as slices of Python; they may be tensors of i64."""
    taken = _take_piece(x, axis, begin, end, step)
    if taken is not None:
        return taken
    before = [0] * axis
    whole = (1 << axis) - 1
    masks = dict(begin_mask=whole | (begin is None) << axis, end_mask=whole | (end is None) << axis)
    return ops.strided_slice(x, _bound(before, begin), _bound(before, end), _bound([1] * axis, step), **masks)


def _bound(before: list[int], bound: Any) -> Any:
    if isinstance(bound, Tensor):
        return shape_from([*before, bound])
    return [*before, 0 if bound is None else bound]


def element(x: Tensor, axis: int, index: int) -> Tensor:
    """The slice at one place of an axis, without that axis."""
    taken = _take_items(x, (*[slice(None)] * axis, index))
    if taken is not None:
        return taken
    whole = (1 << axis) - 1
    return ops.strided_slice(x, [0] * axis + [index], [0] * axis + [index + 1], [1] * (axis + 1),
                             begin_mask=whole, end_mask=whole, shrink_axis_mask=1 << axis)


def moved(x: Tensor, source: int, destination: int) -> Tensor:
    """The tensor with one axis at another place."""
    if source == destination:
        return x
    order = [axis for axis in range(x.ndim) if axis != source]
    order.insert(destination, source)
    return ops.transpose(x, order)
