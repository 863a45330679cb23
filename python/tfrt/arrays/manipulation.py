"""The same elements in another shape or order."""

from __future__ import annotations

from .. import ops
from .._tfrt import Tensor, _concat, _stack, i64, tensor
from ..errors import FailedPreconditionError
from ._arguments import (
    axes_of, axis_of, cast_to, element, flat, fresh, index_of, known_size, piece, reshaped, shape_from, shape_of,
    size_of,
    sizes_of, tensor_of, tensors_of)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ops import TensorLike
    from ._arguments import Size

__all__ = ["concat", "expand_dims", "flip", "moveaxis", "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack",
           "tile", "unstack"]


def concat(arrays: Sequence[TensorLike], /, axis: int | None = 0) -> Tensor:
    """Arrays one after the other along an axis; flat, if the axis is None. Their dtypes are promoted.

    ValueError: no array, or shapes that differ in another axis.
    """
    joined = _concat(arrays, axis)
    if joined is not None:
        return joined
    values = tensors_of(arrays, "concat")
    if axis is None:
        return ops.concat([flat(each) for each in values], 0)
    ranks = {each.ndim for each in values}
    if len(ranks) > 1:
        raise ValueError(f"concat takes arrays of one rank, not of {' and '.join(map(str, sorted(ranks)))}")
    if 0 in ranks:
        raise ValueError("concat takes arrays of 1 or more dimensions, not of 0; stack makes an axis")
    return ops.concat(values, axis_of(axis, values[0].ndim))


def stack(arrays: Sequence[TensorLike], /, axis: int = 0) -> Tensor:
    """Arrays of one shape one after the other along a new axis. Their dtypes are promoted.

    ValueError: no array, or shapes that differ.
    """
    if type(axis) is int and axis == 0 and (made := _stack(arrays)) is not None:
        return made
    values = tensors_of(arrays, "stack")
    shapes = {shape for shape in map(shape_of, values) if shape is not None}
    if len(shapes) > 1:
        raise ValueError(f"stack takes arrays of one shape, not of {' and '.join(map(str, sorted(shapes)))}")
    axis = axis_of(axis, values[0].ndim + 1)
    return ops.concat([ops.expand_dims(each, axis) for each in values], axis)


def unstack(x: TensorLike, /, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, without it: what `stack` has put together. Its size must be known in traces."""
    x = tensor_of(x)
    axis = axis_of(axis, x.ndim)
    return tuple(element(x, axis, i) for i in range(known_size(x, axis, "unstack")))


def expand_dims(x: TensorLike, /, axis: int | Sequence[int] = 0) -> Tensor:
    """The array with a new axis of size 1, which is axis `axis` of the result; several, if a tuple is given.

    IndexError: the result has no such axis.
    """
    x = tensor_of(x)
    if not isinstance(axis, (tuple, list)):
        return ops.expand_dims(x, axis_of(axis, x.ndim + 1))
    for each in sorted(axes_of(axis, x.ndim + len(axis))):
        x = ops.expand_dims(x, each)
    return x


def squeeze(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """The array without axes, each of size 1; without all axes of size 1, if None.

    ValueError: an axis has another size.
    """
    x = tensor_of(x)
    shape = x.shape
    if axis is None and None in shape:
        raise FailedPreconditionError(f"squeeze needs an axis where a size is open, as in the shape {shape}")
    axes = [i for i, size in enumerate(shape) if size == 1] if axis is None else axes_of(axis, x.ndim)
    for each in axes:
        if shape[each] not in (1, None):
            raise ValueError(f"axis {each} of size {shape[each]} cannot be squeezed, as its size is not 1")
    return ops.squeeze(x, squeeze_dims=axes) if axes else fresh(x)


def flip(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """The elements in reverse order along axes; along all, if None."""
    x = tensor_of(x)
    axes = axes_of(axis, x.ndim)
    for each in axes:
        x = piece(x, each, step=-1)
    return x if axes else fresh(x)


def moveaxis(x: TensorLike, source: int | Sequence[int], destination: int | Sequence[int], /) -> Tensor:
    """The array with the axes `source` at the places `destination`; the others keep their order.

    ValueError: the two name different numbers of axes.
    """
    x = tensor_of(x)
    sources = axes_of(source, x.ndim, "source")
    destinations = axes_of(destination, x.ndim, "destination")
    if len(sources) != len(destinations):
        raise ValueError(f"moveaxis got {len(sources)} axes as source but {len(destinations)} as destination")
    order = [axis for axis in range(x.ndim) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources)):
        order.insert(place, axis)
    return ops.transpose(x, order)


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """The array with its axes in another order: axis i of the result is `axes[i]` of the argument.

    ValueError: `axes` does not name each axis once.
    """
    x = tensor_of(x)
    order = axes_of(tuple(axes), x.ndim, "axes")
    if len(order) != x.ndim:
        raise ValueError(f"axes {tuple(axes)} are {len(order)} for an array of {x.ndim} dimensions")
    return ops.transpose(x, order)


def reshape(x: TensorLike, /, shape: int | Sequence[int] | Tensor, *, copy: bool | None = None) -> Tensor:
    """The same elements, row-major, in another shape; one of its sizes may be -1.

    Tensors never share changes, so `copy` makes no difference. ValueError: another number of elements.
    """
    x = tensor_of(x)
    if isinstance(shape, Tensor) and shape.ndim:
        return ops.reshape(x, shape)
    sizes = [index_of(each) for each in shape] if isinstance(shape, (tuple, list)) else [index_of(shape)]
    if -1 in sizes and x.ndim and 0 in (shape_of(x) or ()):
        known = 1
        for size in sizes:
            known *= size if size != -1 else 1
        if known == 0:
            raise ValueError(f"an array of no elements has no single shape {tuple(sizes)}")
        sizes[sizes.index(-1)] = 0
    return ops.reshape(x, sizes)


def roll(x: TensorLike, /, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Tensor:
    """The elements `shift` places further along axes; those that leave come in at the other end.

    Without an axis the array is rolled as if it were flat. ValueError: the numbers of shifts and axes differ.
    """
    x = tensor_of(x)
    if axis is None:
        if isinstance(shift, (tuple, list)):
            shift = sum(map(index_of, shift))
        return reshaped(_rolled(flat(x), index_of(shift), 0), sizes_of(x))
    axes = [axis_of(each, x.ndim) for each in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    shifts = list(shift) if isinstance(shift, (tuple, list)) else [shift] * len(axes)
    if len(axes) == 1:
        axes *= len(shifts)
    if len(shifts) != len(axes):
        raise ValueError(f"roll got {len(shifts)} shifts for {len(axes)} axes")
    for by, along in zip(shifts, axes):
        x = _rolled(x, index_of(by), along)
    return x


def _rolled(x: Tensor, shift: int, axis: int) -> Tensor:
    size = size_of(x, axis)
    begin: Size
    if isinstance(size, Tensor):
        begin = ops.mod(tensor(-shift, i64), ops.maximum(size, 1))
    elif size == 0 or shift % size == 0:
        return x
    else:
        begin = -shift % size
    return ops.concat([piece(x, axis, begin), piece(x, axis, None, begin)], axis)


def tile(x: TensorLike, repetitions: int | Sequence[int], /) -> Tensor:
    """The array repeated along each axis; sizes of 1 are put in front of the shorter of shape and repetitions."""
    x = tensor_of(x)
    times = [index_of(each) for each in (repetitions if isinstance(repetitions, (tuple, list)) else (repetitions,))]
    if any(each < 0 for each in times):
        raise ValueError(f"repetitions {tuple(times)} are not all 0 or more")
    for _ in range(len(times) - x.ndim):
        x = ops.expand_dims(x, 0)
    return ops.tile(x, [1] * (x.ndim - len(times)) + times) if times else fresh(x)


def repeat(x: TensorLike, repeats: int | TensorLike, /, axis: int | None = None) -> Tensor:
    """Each element along an axis several times in succession; of the flat array, if the axis is None.

    `repeats` is a number, or integers, one for each place of the axis. ValueError: another number of them.
    """
    x = tensor_of(x)
    if axis is None:
        x, axis = flat(x), 0
    axis = axis_of(axis, x.ndim)
    if not isinstance(repeats, int):
        repeats = tensor_of(repeats)
        if not repeats.dtype.name.startswith(("i", "u")) or repeats.dtype.name == "i1":
            raise TypeError(f"repeats are integers, not {repeats.dtype}")
        if repeats.ndim > 1:
            raise ValueError(f"repeats have 0 or 1 dimensions, not {repeats.ndim}")
        if repeats.ndim == 1 and shape_of(repeats) != (1,):
            return ops.gather(x, _places(repeats, size_of(x, axis)), axis)
        repeats = ops.reshape(cast_to(repeats, i64), [])
        repeats = repeats if repeats.is_traced else int(repeats)
    if isinstance(repeats, int) and repeats < 0:
        raise ValueError(f"repeats are 0 or more, not {repeats}")
    sizes = list(sizes_of(x))
    wide = ops.tile(ops.expand_dims(x, axis + 1), shape_from([1] * (axis + 1) + [repeats] + [1] * (x.ndim - axis - 1)))
    sizes[axis] = sizes[axis] * repeats
    return reshaped(wide, sizes)


def _places(repeats: Tensor, size: int | Tensor) -> Tensor:
    """The place that each element of the result comes from: i, `repeats[i]` times."""
    count = size_of(repeats, 0)
    if isinstance(size, int) and isinstance(count, int) and count != size:
        raise ValueError(f"there are {count} repeats for an axis of size {size}")
    if not repeats.is_traced and bool(ops.less(ops.reduce_min(ops.pad(cast_to(repeats, i64), [[0, 1]]), [0]), 0)):
        raise ValueError("repeats are 0 or more")
    ends = ops.cumulative_sum(cast_to(repeats, i64), 0)
    total = ops.reduce_sum(cast_to(repeats, i64), [0])
    from .searching import searchsorted
    return searchsorted(ends, ops.range(tensor(0, i64), total, tensor(1, i64)), side="right")
