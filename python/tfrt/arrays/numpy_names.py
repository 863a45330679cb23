"""Functions that NumPy has beyond the array API standard."""

from __future__ import annotations

import math

from .. import ops
from .._tfrt import Tensor, Variable, f32, f64, i64, tensor
from ._arguments import (
    FLOATS, axes_of, axis_of, cast_to, count_of, flat, fresh, index_of, known_size, moved, pair_of, piece, reshaped,
    shape_of, size_of, sizes_of, tensor_of, tensors_of)
from .manipulation import concat, flip, permute_dims
from .products import diagonal_of
from .searching import searchsorted
from .sorting import argsort, sort
from .statistics import all as all_of
from .statistics import any as any_of
from .statistics import cumulative_prod, cumulative_sum, diff, max, mean, min, sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Union

    from ..ops import DTypeLike, TensorLike

    Axis = Union[int, Sequence[int], None]

__all__ = ["allclose", "argwhere", "array_equal", "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "average",
           "bincount", "concatenate", "cumprod", "cumsum", "diagonal", "dsplit", "dstack", "exp2", "flatnonzero",
           "flatten", "fliplr", "flipud", "histogram", "hsplit", "hstack", "isclose", "median", "nan_to_num", "nanmax",
           "nanmean", "nanmin", "nansum", "pad", "percentile", "ptp", "quantile", "ravel", "rot90", "split", "swapaxes",
           "trace",
           "transpose", "vsplit", "vstack"]


# --- Shapes and order ---

concatenate = concat


def transpose(x: TensorLike, axes: Sequence[int] | None = None) -> Tensor:
    """The array with its axes in another order: `axes[i]` becomes axis i; reversed, if None."""
    x = tensor_of(x)
    return ops.transpose(x, list(reversed(range(x.ndim)))) if axes is None else permute_dims(x, axes)


def swapaxes(x: TensorLike, axis1: int, axis2: int) -> Tensor:
    """The array with two axes exchanged."""
    x = tensor_of(x)
    first, second = axis_of(axis1, x.ndim, "axis1"), axis_of(axis2, x.ndim, "axis2")
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    return ops.transpose(x, order)


def ravel(x: TensorLike) -> Tensor:
    """The elements along one axis, row-major."""
    return flat(tensor_of(x))


def flatten(x: TensorLike, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The array with the axes from `start_dim` to `end_dim` as one; with all of them, if none are given."""
    x = tensor_of(x)
    if x.ndim == 0:
        return ops.reshape(x, [1])
    first, last = axis_of(start_dim, x.ndim, "start_dim"), axis_of(end_dim, x.ndim, "end_dim")
    if first > last:
        raise ValueError(f"start_dim {start_dim} comes after end_dim {end_dim}")
    if first == 0 and last == x.ndim - 1:
        return flat(x)
    sizes = list(sizes_of(x))
    return reshaped(x, [*sizes[:first], count_of(x, range(first, last + 1)), *sizes[last + 1:]])


def atleast_1d(*arrays: TensorLike) -> Any:
    """The array, or the list of several, with an axis in front if there is none."""
    return _each(arrays, lambda x: ops.reshape(x, [1]) if x.ndim == 0 else x)


def atleast_2d(*arrays: TensorLike) -> Any:
    """The array, or the list of several, with axes of size 1 in front if there are less than two."""
    def grown(x: Tensor) -> Tensor:
        for _ in range(2 - x.ndim):
            x = ops.expand_dims(x, 0)
        return x
    return _each(arrays, grown)


def atleast_3d(*arrays: TensorLike) -> Any:
    """The array, or the list of several, with axes of size 1 if there are less than three: [M,N] becomes [M,N,1]."""
    def grown(x: Tensor) -> Tensor:
        if x.ndim < 2:
            x = atleast_2d(x)
        return ops.expand_dims(x, 2) if x.ndim == 2 else x
    return _each(arrays, grown)


def _each(arrays: Sequence[TensorLike], function: Any) -> Any:
    results = [fresh(function(tensor_of(each))) for each in arrays]
    return results[0] if len(results) == 1 else results


def vstack(arrays: Sequence[TensorLike]) -> Tensor:
    """Arrays one below the other; those of one dimension are rows."""
    return concat([atleast_2d(each) for each in tensors_of(arrays, "vstack")], axis=0)


def hstack(arrays: Sequence[TensorLike]) -> Tensor:
    """Arrays side by side: along the second axis, or the only one."""
    values = [atleast_1d(each) for each in tensors_of(arrays, "hstack")]
    return concat(values, axis=0 if values[0].ndim == 1 else 1)


def dstack(arrays: Sequence[TensorLike]) -> Tensor:
    """Arrays along the third axis."""
    return concat([atleast_3d(each) for each in tensors_of(arrays, "dstack")], axis=2)


def split(x: TensorLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Tensor]:
    """Parts of the array along an axis: so many equal ones, or those between the indices.

    ValueError: the axis does not divide into so many equal parts.
    """
    x = tensor_of(x)
    axis = axis_of(axis, x.ndim)
    if not isinstance(indices_or_sections, (tuple, list)):
        sections = index_of(indices_or_sections)
        size = known_size(x, axis, "split")
        if sections <= 0 or size % sections:
            raise ValueError(f"axis {axis} of size {size} is not divided into {sections} equal parts")
    return array_split(x, indices_or_sections, axis)


def array_split(x: TensorLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Tensor]:
    """Parts of the array along an axis: so many, the first of which are longer by 1, or those between the indices."""
    x = tensor_of(x)
    axis = axis_of(axis, x.ndim)
    if isinstance(indices_or_sections, (tuple, list)):
        bounds = [None, *map(index_of, indices_or_sections), None]
        return [piece(x, axis, begin, end) for begin, end in zip(bounds, bounds[1:])]
    sections, size = index_of(indices_or_sections), known_size(x, axis, "array_split")
    if sections <= 0:
        raise ValueError(f"an array is divided into 1 part or more, not {sections}")
    sizes = [size // sections + (i < size % sections) for i in range(sections)]
    ends = [0]
    for each in sizes:
        ends.append(ends[-1] + each)
    return [piece(x, axis, begin, end) for begin, end in zip(ends, ends[1:])]


def vsplit(x: TensorLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """`split` along the first axis."""
    return split(x, indices_or_sections, 0)


def hsplit(x: TensorLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """`split` along the second axis, or the only one."""
    x = tensor_of(x)
    return split(x, indices_or_sections, 0 if x.ndim == 1 else 1)


def dsplit(x: TensorLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """`split` along the third axis."""
    return split(x, indices_or_sections, 2)


def fliplr(x: TensorLike) -> Tensor:
    """The columns in reverse order."""
    return flip(x, 1)


def flipud(x: TensorLike) -> Tensor:
    """The rows in reverse order."""
    return flip(x, 0)


def rot90(x: TensorLike, k: int = 1, axes: Sequence[int] = (0, 1)) -> Tensor:
    """The array turned `k` times by 90 degrees, from the first of two axes towards the second."""
    x = tensor_of(x)
    turned = axes_of(tuple(axes), x.ndim, "axes")
    if len(turned) != 2:
        raise ValueError(f"rot90 turns 2 axes, not {len(turned)}")
    first, second = turned
    if k % 4 == 0:
        return fresh(x)
    if k % 4 == 2:
        return flip(x, (first, second))
    return swapaxes(flip(x, second), first, second) if k % 4 == 1 else flip(swapaxes(x, first, second), second)


def pad(x: TensorLike, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Tensor:
    """More elements before and after those along each axis.

    `pad_width` is a number for all ends, a pair for all axes, or a pair for each axis. Modes: `constant`
    (`constant_values`, by default 0), `edge`, `reflect` (without the edge), `symmetric` (with it) and `wrap`.
    ValueError: another mode, a width below 0, or pairs for another number of axes.
    """
    x = tensor_of(x)
    widths = _widths(pad_width, x.ndim)
    if mode == "constant":
        if isinstance(widths, Tensor):
            return ops.pad_with(x, widths, _scalar(constant_values, x))
        return _constant_pad(x, widths, constant_values)
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise ValueError(f"pad has the modes constant, edge, reflect, symmetric and wrap, not {mode!r}")
    if isinstance(widths, Tensor):
        raise TypeError(f"pad with the mode {mode} takes pad_width as numbers, not as a tensor of a trace")
    for axis, (before, after) in enumerate(widths):
        if before or after:
            x = ops.gather(x, _outside(known_size(x, axis, "pad"), before, after, mode), axis)
    return fresh(x)


def _constant_pad(x: Tensor, widths: list[list[int]], constant_values: Any) -> Tensor:
    pairs = isinstance(constant_values, (tuple, list))
    if not pairs or len(constant_values) == 1 and not isinstance(constant_values[0], (tuple, list)):
        return ops.pad_with(x, widths, _scalar(constant_values[0] if pairs else constant_values, x))
    if not isinstance(constant_values[0], (tuple, list)):
        constant_values = [constant_values]
    values = list(constant_values) * (x.ndim if len(constant_values) == 1 else 1)
    if len(values) != x.ndim:
        raise ValueError(f"constant_values has {len(values)} pairs for an array of {x.ndim} dimensions")
    for axis, (ends, value) in enumerate(zip(widths, values)):
        for side in (0, 1):
            only = [[0, 0] for _ in range(x.ndim)]
            only[axis][side] = ends[side]
            x = ops.pad_with(x, only, _scalar(value[side], x))
    return x


def _scalar(value: Any, x: Tensor) -> Tensor:
    """A number in the dtype of the array."""
    return cast_to(value, x.dtype) if isinstance(value, Tensor) else ops.cast(tensor(value), x.dtype)


def _widths(pad_width: Any, rank: int) -> Any:
    """A pair for each axis; a tensor of a trace as it is."""
    if isinstance(pad_width, Tensor) and pad_width.is_traced:
        return pad_width
    if hasattr(pad_width, "tolist"):
        pad_width = pad_width.tolist()
    if not isinstance(pad_width, (tuple, list)):
        pad_width = [[pad_width, pad_width]] * rank
    elif len(pad_width) == 2 and not isinstance(pad_width[0], (tuple, list)):
        pad_width = [pad_width] * rank
    elif len(pad_width) == 1:
        inner = pad_width[0]
        pad_width = [inner if isinstance(inner, (tuple, list)) else [inner, inner]] * rank
    if len(pad_width) != rank:
        raise ValueError(f"pad_width has {len(pad_width)} pairs for an array of {rank} dimensions")
    widths = []
    for each in pad_width:
        ends = [index_of(end) for end in (each if isinstance(each, (tuple, list)) else (each, each))]
        if len(ends) == 1:
            ends *= 2
        if len(ends) != 2:
            raise ValueError(f"pad_width has {len(ends)} numbers for an axis, not 2")
        if ends[0] < 0 or ends[1] < 0:
            raise ValueError(f"pad_width is 0 or more, not {tuple(ends)}")
        widths.append(ends)
    return widths


def _outside(size: int, before: int, after: int, mode: str) -> list[int]:
    """The index of the element at each place of a padded axis."""
    if size == 0:
        raise ValueError(f"pad with the mode {mode} needs elements, but an axis has size 0")
    places = range(-before, size + after)
    if mode == "edge":
        return [0 if i < 0 else size - 1 if i >= size else i for i in places]
    if mode == "wrap":
        return [i % size for i in places]
    if mode == "symmetric":
        return [i % (2 * size) if i % (2 * size) < size else 2 * size - 1 - i % (2 * size) for i in places]
    period = size * 2 - 2 or 1
    return [i % period if i % period < size else period - i % period for i in places]


def diagonal(x: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The elements whose index along `axis2` is that along `axis1` and `offset` more; along a new last axis."""
    x = tensor_of(x)
    if x.ndim < 2:
        raise ValueError(f"diagonal takes an array of 2 or more dimensions, not {x.ndim}")
    first, second = axis_of(axis1, x.ndim, "axis1"), axis_of(axis2, x.ndim, "axis2")
    if first == second:
        raise ValueError(f"axis1 and axis2 are both {first}")
    return diagonal_of(x, offset, first, second)


def trace(x: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None) -> Tensor:
    """The sum of a diagonal; dtypes as those of `sum`."""
    return sum(diagonal(x, offset, axis1, axis2), axis=-1, dtype=dtype)


# --- Statistics ---

def cumsum(x: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """The sums of the elements up to each along an axis; of the flat array, if the axis is None."""
    x = tensor_of(x)
    return cumulative_sum(flat(x) if axis is None else x, axis=axis, dtype=dtype)


def cumprod(x: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """The products of the elements up to each along an axis; of the flat array, if the axis is None."""
    x = tensor_of(x)
    return cumulative_prod(flat(x) if axis is None else x, axis=axis, dtype=dtype)


def ptp(x: TensorLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The largest element less the smallest along axes; along all, if None."""
    return max(x, axis, keepdims=keepdims) - min(x, axis, keepdims=keepdims)


def average(x: TensorLike, axis: Axis = None, weights: TensorLike | None = None, *, keepdims: bool = False) -> Tensor:
    """The mean along axes, of elements that count by their weights.

    `weights` have the array's shape, or are one for each place of the axis.
    """
    x = tensor_of(x)
    if weights is None:
        return mean(x, axis, keepdims=keepdims)
    x, w = pair_of(x, weights)
    if x.dtype not in FLOATS:
        x, w = ops.cast(x, f32), ops.cast(w, f32)
    if w.ndim != x.ndim:
        if w.ndim != 1 or axis is None or isinstance(axis, (tuple, list)):
            raise ValueError(f"weights of {w.ndim} dimensions do not belong to an array of {x.ndim} dimensions")
        sizes = [1] * x.ndim
        sizes[axis_of(axis, x.ndim)] = -1
        w = ops.reshape(w, sizes)
    w = ops.broadcast_to(w, ops.shape_of(x))
    return ops.div(sum(x * w, axis, keepdims=keepdims), sum(w, axis, keepdims=keepdims))


def median(x: TensorLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The middle element in order along axes, or the mean of the two middle ones. NaN if one is."""
    return quantile(x, 0.5, axis, keepdims=keepdims)


def percentile(x: TensorLike, q: TensorLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """As `quantile`, with `q` from 0 to 100."""
    return quantile(x, _numbers(q) / 100.0, axis, keepdims=keepdims)


def quantile(x: TensorLike, q: TensorLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The elements below which the shares `q`, from 0 to 1, are along axes; between two elements, on the line.

    The axes of `q` come first. Integers give f32. NaN if an element is. ValueError: a share that is not from 0 to 1.
    """
    x, shares = tensor_of(x), _numbers(q)
    if not shares.is_traced and shares.size:
        least, most = float(min(shares)), float(max(shares))
        if not 0 <= least <= most <= 1:
            raise ValueError(f"q is from 0 to 1, not {least if least < 0 else most}")
    if x.dtype not in FLOATS:
        x = ops.cast(x, f32)
    axes = axes_of(axis, x.ndim)
    rest = [each for each in range(x.ndim) if each not in axes]
    # The elements along the last axis, in order.
    together = ops.transpose(x, rest + axes)
    sizes = sizes_of(x)
    together = reshaped(together, [sizes[each] for each in rest] + [count_of(x, axes)])
    count = size_of(together, len(rest))
    if isinstance(count, int) and count == 0:
        raise ValueError("quantile of no elements")
    ordered = sort(together)
    last = ops.cast(count, f64) - 1.0 if isinstance(count, Tensor) else float(count - 1)
    at = ops.cast(flat(shares), f64) * last
    low = ops.floor(at)
    part = ops.cast(at - low, x.dtype)
    below = ops.gather(ordered, ops.cast(low, i64), len(rest))
    above = ops.gather(ordered, ops.cast(ops.ceil(at), i64), len(rest))
    result = ops.select(ops.equal(part, 0), below, below + (above - below) * part)
    # NaN is the last in order.
    end = piece(ordered, len(rest), -1)
    result = ops.select(ops.is_nan(end), end, result)
    result = moved(result, len(rest), 0)
    if keepdims:
        for each in sorted(axes):
            result = ops.expand_dims(result, each + 1)
    if shares.ndim == 1:
        return result
    if shares.ndim == 0:
        return ops.squeeze(result, squeeze_dims=[0])
    return reshaped(result, [*sizes_of(shares), *list(sizes_of(result))[1:]])


def _numbers(q: TensorLike) -> Tensor:
    return tensor_of(q) if isinstance(q, (Tensor, Variable)) else tensor(q, f64)


def histogram(x: TensorLike, bins: int | TensorLike = 10, range: Sequence[float] | None = None, *,
              weights: TensorLike | None = None, density: bool = False) -> tuple[Tensor, Tensor]:
    """The numbers of elements in bins, and the edges of the bins. The last bin has both of its edges.

    `bins` is the number of equal bins from the least element to the largest, or within `range`; or their edges.
    Counts are i64; sums of `weights`, if they are given; shares of the whole per width with `density`. NaN is in no
    bin. ValueError: the range is not finite, also where it is that of the elements; in traces the edges are then NaN.
    """
    x = flat(tensor_of(x))
    result = x.dtype if x.dtype in FLOATS else f32
    x = ops.cast(x, f64)
    edges = _edges(x, bins, range)
    order = None if weights is None else argsort(x)
    ordered = sort(x) if order is None else ops.gather(x, order, 0)
    places = concat([searchsorted(ordered, piece(edges, 0, None, -1)),
                     searchsorted(ordered, piece(edges, 0, -1), side="right")])
    if weights is not None and order is not None:
        added = ops.pad(cumulative_sum(ops.gather(flat(tensor_of(weights)), order, 0)), [[1, 0]])
        counts = diff(ops.gather(added, places, 0))
    else:
        counts = diff(places)
    if density:
        counts = ops.cast(counts, f64) / diff(edges)
        counts = ops.cast(counts / sum(counts * diff(edges)), result)
    return counts, ops.cast(edges, result)


def _edges(x: Tensor, bins: int | TensorLike, limits: Sequence[float] | None) -> Tensor:
    if not isinstance(bins, int):
        edges = ops.cast(tensor_of(bins), f64)
        if edges.ndim != 1:
            raise ValueError(f"bins are a number or edges of 1 dimension, not of {edges.ndim}")
        if not edges.is_traced and any_of(ops.less(piece(edges, 0, 1), piece(edges, 0, None, -1))).item():
            raise ValueError("the edges of bins do not descend")
        return edges
    if bins < 1:
        raise ValueError(f"bins are 1 or more, not {bins}")
    if limits is None:
        none = shape_of(x) == (0,)
        least, most = (tensor(0.0, f64), tensor(1.0, f64)) if none else (min(x), max(x))
        if not x.is_traced and not (math.isfinite(least.item()) and math.isfinite(most.item())):
            raise ValueError(f"histogram needs a range: that of the elements, from {least.item()} to {most.item()}, is "
                             "not finite")
    else:
        if len(limits) != 2 or not limits[0] <= limits[1]:
            raise ValueError(f"range is a least number and a largest, not {tuple(limits)}")
        if not (math.isfinite(limits[0]) and math.isfinite(limits[1])):
            raise ValueError(f"range is of finite numbers, not {tuple(limits)}")
        least, most = tensor(limits[0], f64), tensor(limits[1], f64)
    half = ops.select(ops.equal(least, most), tensor(0.5, f64), tensor(0.0, f64))
    least, most = least - half, most + half
    steps = ops.cast(ops.range(tensor(0, i64), tensor(bins, i64), tensor(1, i64)), f64)
    return concat([steps * ((most - least) / bins) + least, ops.reshape(most, [1])])


def bincount(x: TensorLike, weights: TensorLike | None = None, minlength: int = 0) -> Tensor:
    """The counts of the numbers from 0 on, as i64, or the sums of their weights; at least `minlength` of them.

    ValueError: a number below 0, or not one dimension. TypeError: no integers.
    """
    x = tensor_of(x)
    if x.ndim != 1:
        raise ValueError(f"bincount takes an array of 1 dimension, not {x.ndim}")
    if x.dtype in FLOATS:
        raise TypeError(f"bincount takes integers, not {x.dtype}")
    x = ops.cast(x, i64)
    numbers = ops.pad_with(x, [[0, 1]], tensor(minlength - 1, i64))
    if not x.is_traced and int(min(ops.pad(x, [[0, 1]]))) < 0:
        raise ValueError(f"bincount takes numbers of 0 and more, not {min(x).item()}")
    added = ops.cast(ops.zeros_like(x, i64) + 1, i64) if weights is None else tensor_of(weights)
    zeros = ops.fill(ops.reshape(max(numbers) + 1, [1]), tensor(0, added.dtype))
    return ops.scatter_elements(zeros, x, added, axis=0, reduction="add")


def argwhere(x: TensorLike) -> Tensor:
    """The indices of each element that is not 0, row-major: [elements,axes], as i64. Of open size in traces."""
    return ops.transpose(ops.nonzero(tensor_of(x)), [1, 0])


def flatnonzero(x: TensorLike) -> Tensor:
    """Where the elements of the flat array are that are not 0, as i64. Of open size in traces."""
    return ops.reshape(ops.nonzero(flat(tensor_of(x))), [-1])


def nanmax(x: TensorLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The largest element along axes that is not NaN; NaN if there is none."""
    return _but_nan(max, -float("inf"), x, axis, keepdims)


def nanmin(x: TensorLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The smallest element along axes that is not NaN; NaN if there is none."""
    return _but_nan(min, float("inf"), x, axis, keepdims)


def _but_nan(function: Any, instead: float, x: TensorLike, axis: Axis, keepdims: bool) -> Tensor:
    x = tensor_of(x)
    if x.dtype not in FLOATS:
        return function(x, axis, keepdims=keepdims)
    nan = ops.is_nan(x)
    result = function(ops.select(nan, tensor(instead, x.dtype), x), axis, keepdims=keepdims)
    return ops.select(all_of(nan, axis, keepdims=keepdims), tensor(float("nan"), x.dtype), result)


def nan_to_num(x: TensorLike, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Tensor:
    """Numbers instead of NaN and infinities: by default 0, and the largest and the least that the dtype has."""
    x = tensor_of(x)
    if x.dtype not in FLOATS:
        return fresh(x)
    most = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38,
            "f64": 1.7976931348623157e308}[x.dtype.name]
    for found, value in ((ops.is_nan(x), nan), (ops.is_inf(x, negative=False), most if posinf is None else posinf),
                         (ops.is_inf(x, positive=False), -most if neginf is None else neginf)):
        x = ops.select(found, tensor(value, x.dtype), x)
    return x


def nansum(x: TensorLike, axis: Axis = None, *, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The sum along axes of the elements that are not NaN."""
    return sum(_without_nan(tensor_of(x)), axis, dtype=dtype, keepdims=keepdims)


def nanmean(x: TensorLike, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The mean along axes of the elements that are not NaN."""
    x = tensor_of(x)
    if x.dtype not in FLOATS:
        return mean(x, axis, keepdims=keepdims)
    count = sum(ops.cast(ops.logical_not(ops.is_nan(x)), x.dtype), axis, keepdims=keepdims)
    return ops.div(sum(_without_nan(x), axis, keepdims=keepdims), count)


def _without_nan(x: Tensor) -> Tensor:
    return ops.select(ops.is_nan(x), tensor(0, x.dtype), x) if x.dtype in FLOATS else x


# --- Numbers ---

def exp2(x: TensorLike, /) -> Tensor:
    """2 to the power of each element. Integers and bools give f32."""
    x = tensor_of(x)
    return ops.exp2(x if x.dtype in FLOATS else ops.cast(x, f32))


# --- Comparison ---

def isclose(a: TensorLike, b: TensorLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Where `|a - b| <= atol + rtol * |b|`, broadcast.

    Infinities are close to themselves, NaN only with `equal_nan`.
    """
    x, y = pair_of(a, b)
    if x.dtype not in FLOATS:
        x, y = ops.cast(x, f64), ops.cast(y, f64)
    limit = ops.abs(y) * float(rtol) + float(atol)
    finite = ops.logical_not(ops.logical_or(ops.is_inf(y), ops.is_inf(x)))
    close = ops.logical_or(ops.equal(x, y), ops.logical_and(finite, ops.less_equal(ops.abs(x - y), limit)))
    return ops.logical_or(close, ops.logical_and(ops.is_nan(x), ops.is_nan(y))) if equal_nan else close


def allclose(a: TensorLike, b: TensorLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether `isclose` holds for all elements, as a tensor of one bool, also in traces."""
    return all_of(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a: TensorLike, b: TensorLike, equal_nan: bool = False) -> Tensor:
    """Whether two arrays have one shape and equal elements, as a tensor of one bool."""
    x, y = pair_of(a, b)
    if x.ndim != y.ndim or None not in (shape_of(x), shape_of(y)) and x.shape != y.shape:
        return tensor(False)
    equal = ops.equal(x, y)
    if equal_nan and x.dtype in FLOATS:
        equal = ops.logical_or(equal, ops.logical_and(ops.is_nan(x), ops.is_nan(y)))
    return all_of(equal)
