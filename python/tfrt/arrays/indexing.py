"""Indices: integers, slices, masks and integer arrays, to read and to assign."""

import math
import operator

from .. import ops
from .._tfrt import Tensor, Variable, _is_tracing, _take_items, i1, i32, i64, tensor
from ..errors import Error
from ._arguments import MOST, as_indices

__all__: list[str] = []

_FULL = slice(None)
_GATHERED = (i32, i64)
_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))


# --- Slices and integers ---

def _check_index(index, size, axis):
    if size is not None and not -size <= index < size:
        raise IndexError(f"index {index} is out of range for axis {axis} with size {size}")


def _check_count(num_indices, rank):
    if num_indices > rank:
        raise IndexError(f"{num_indices} indices for a tensor of {rank} dimensions")


def _in_64_bits(bound):
    """The bound, or the nearest that no array has."""
    return max(min(bound, MOST), -MOST) if type(bound) is int else bound


def _bounds(item):
    """begin, end and step of a slice; None where begin or end is left open."""
    begin, end, step = item.start, item.stop, item.step
    if begin is not None and type(begin) is not int:
        begin = _bound(begin)
    if end is not None and type(end) is not int:
        end = _bound(end)
    begin, end = _in_64_bits(begin), _in_64_bits(end)
    if step is None:
        return begin, end, 1
    step = operator.index(step)
    if step == 0:
        raise ValueError("the step of a slice is not 0")
    return begin, end, step


def _bound(value):
    if isinstance(value, (Tensor, Variable)) and not _is_known(value):
        value = value.read() if isinstance(value, Variable) else value
        if value.ndim or value.dtype.name[0] not in "iu" or value.dtype == i1:
            raise TypeError(f"a bound of a slice is one integer, not {value.dtype} of the shape {value.shape}")
        return as_indices(value)
    return operator.index(value)


def _is_known(bound):
    """Whether the bound of a slice is known before a traced program runs."""
    return not (isinstance(bound, Variable) and _is_tracing()) and not (isinstance(bound, Tensor) and bound.is_traced)


def _as_vector(numbers):
    """A list of ints, or, if there are tensors in it, a tensor."""
    if not any(isinstance(number, Tensor) for number in numbers):
        return numbers
    return ops.concat([ops.reshape(number if isinstance(number, Tensor) else tensor(number, dtype=i64), [1])
                       for number in numbers], 0)


def _sizes(x):
    sizes = x._sizes
    if sizes is None:
        raise IndexError("a tensor of unknown rank has no indices; give its rank by an input_signature")
    return sizes


def _take_basic(x, items, sizes):
    """Takes what integers, slices, None and one '...' choose, in one op."""
    begins, ends, steps = [], [], []
    begin_mask = end_mask = ellipsis_mask = new_axis_mask = shrink_axis_mask = axis = 0
    bit, is_known = 1, True
    for item in items:
        kind = type(item)
        if kind is slice:
            begin, end, step = _bounds(item)
            if begin is None:
                begin, begin_mask = 0, begin_mask | bit
            if end is None:
                end, end_mask = 0, end_mask | bit
            is_known = is_known and type(begin) is int and type(end) is int
            axis += 1
        elif kind is int:
            size = sizes[axis]
            if size is not None:
                _check_index(item, size, axis)
                item += size * (item < 0)
            begin, end, step = item, item + 1, 1
            if end == 0:
                end_mask |= bit
            shrink_axis_mask |= bit
            axis += 1
        else:
            begin, end, step = 0, 0, 1
            if item is None:
                new_axis_mask |= bit
            else:
                ellipsis_mask |= bit
                axis += len(sizes) - sum(1 for each in items if each is not None and each is not Ellipsis)
        begins.append(begin)
        ends.append(end)
        steps.append(step)
        bit <<= 1
    if not is_known:
        begins, ends = _as_vector(begins), _as_vector(ends)
    if not (ellipsis_mask or new_axis_mask or shrink_axis_mask or begin_mask or end_mask):
        return ops.strided_slice(x, begins, ends, steps)
    return ops.strided_slice(x, begins, ends, steps, begin_mask=begin_mask, end_mask=end_mask,
                             ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask,
                             shrink_axis_mask=shrink_axis_mask)


# --- Indices of all kinds ---

def _as_index(item):
    """An item of an index as int, slice, None, '...', or a tensor of integers or bools."""
    kind = type(item)
    if kind in _BASIC:
        return item
    if kind is bool:
        return tensor(item)
    if isinstance(item, Variable):
        item = item.read()
    elif not isinstance(item, Tensor):
        item = _from_other(item)
    if type(item) is int:
        return item
    if item.dtype == i1:
        return item
    if not (item.dtype.name[1:].isdigit() and item.dtype.name[0] in "iu"):
        raise TypeError(f"an index is of integers or bools, not of {item.dtype}")
    if not item.is_traced and item.ndim == 0 and item.is_available:
        return item.item()
    return as_indices(item)


def _from_other(item):
    """An int, or a tensor of an array, a list or a tuple."""
    if not isinstance(item, (list, tuple, range)) and not hasattr(type(item), "__dlpack__"):
        try:
            return operator.index(item)
        except TypeError:
            pass
    if isinstance(item, (list, tuple, range)):
        item = list(item)
        if any(isinstance(each, (Tensor, Variable)) for each in item):
            return ops.concat([ops.expand_dims(_tensor_of(each), 0) for each in item], 0)
        made = tensor(item)
        return ops.cast(made, i64) if made.size == 0 else made
    try:
        memoryview(item)
    except TypeError:
        if not hasattr(type(item), "__dlpack__"):
            raise TypeError("an index is an int, a slice, None, ..., or a tensor, an array or a list of integers or "
                            f"bools, not {type(item).__name__}") from None
    return tensor(item)


def _tensor_of(item):
    item = _as_index(item)
    return item if isinstance(item, Tensor) else tensor(item, dtype=i64)


def _is_mask(item):
    return isinstance(item, Tensor) and item.dtype == i1


def _width(item):
    """The number of axes that an item stands for."""
    return 0 if item is None else item.ndim if _is_mask(item) else 1


def _check_mask(mask, sizes, axis):
    """Sizes are those of the axes, or 0: then nothing is chosen."""
    for i, (size, there) in enumerate(zip(_sizes(mask), sizes[axis:])):
        if size and there is not None and size != there:
            raise IndexError(f"a mask of size {size} along its axis {i} for axis {axis + i} with size {there}")


class _OfNewAxis:
    """Indices of a new axis of size 1, which a mask without axes is."""

    def __init__(self, indices):
        self.indices = indices


def _parts(x, items):
    """The meaning of an index for each axis: ints, slices, tensors of integers; None and _OfNewAxis for new axes.

    A '...' stays where it stands for no axis: tensors on both sides of it are apart.
    """
    sizes = _sizes(x)
    items = [_as_index(item) for item in items]
    if sum(1 for item in items if item is Ellipsis) > 1:
        raise IndexError("an index has at most one '...'")
    named = sum(_width(item) for item in items if item is not Ellipsis)
    _check_count(named, len(sizes))
    if named < len(sizes) and not any(item is Ellipsis for item in items):
        items.append(Ellipsis)
    parts, axis = [], 0
    for item in items:
        if item is Ellipsis:
            parts += [_FULL] * (len(sizes) - named) or [Ellipsis]
            axis += len(sizes) - named
        elif _is_mask(item):
            parts += _integers_of(item, sizes, axis)
            axis += item.ndim
        else:
            parts.append(item)
            axis += item is not None
    return parts


def _integers_of(mask, sizes, axis):
    """Where a mask is true: a tensor of integers for each of its axes."""
    if mask.ndim == 0:
        return [_OfNewAxis(ops.nonzero(ops.reshape(mask, [1]))[0])]
    _check_mask(mask, sizes, axis)
    places = ops.nonzero(mask)
    return [places[i] for i in range(mask.ndim)]


def _take(x, parts):
    """Takes what the parts of an index choose."""
    joint = any(isinstance(part, _OfNewAxis) or isinstance(part, Tensor) and part.ndim > 0 for part in parts)
    sizes = _sizes(x)
    basic, arrays, places, gaps, axis = [], [], [], [], 0
    for part in parts:
        if part is Ellipsis:
            gaps.append(len(basic))
        elif isinstance(part, _OfNewAxis):
            arrays.append(part.indices)
            places.append(len(basic))
            basic.append(None)
        elif isinstance(part, Tensor) or joint and type(part) is int:
            if type(part) is int:
                _check_index(part, sizes[axis], axis)
            arrays.append(part)
            places.append(len(basic))
            basic.append(_FULL)
            axis += 1
        else:
            basic.append(part)
            axis += part is not None
    if not joint:
        places = [place - sum(1 for each in basic[:place] if type(each) is int) for place in places]
    if any(each is not _FULL for each in basic):
        x = _take_basic(x, basic, sizes)
    if not joint or len(arrays) == 1:
        for place, indices in reversed(list(zip(places, arrays))):
            x = _gather(x, indices, place)
        return x
    is_apart = any(places[0] < gap <= places[-1] for gap in gaps)
    return _gather_several(x, arrays, places, is_apart or places[-1] - places[0] >= len(places))


def _gather(x, indices, axis):
    try:
        return ops.gather(x, indices, axis)
    except Error:
        _explain([indices], [_sizes(x)[axis]], [axis])
        raise


def _gather_several(x, arrays, places, is_apart):
    """Elements at the places that several tensors of integers name together; first in the result if these are apart."""
    indices, shape = _broadcast_indices(arrays)
    rank, count = x.ndim, len(places)
    sizes = _sizes(x)
    others = [axis for axis in range(rank) if axis not in places]
    if places != list(range(count)):
        x = ops.transpose(x, [*places, *others])
    try:
        x = ops.gather_nd(x, indices)
    except Error:
        _explain(arrays, [sizes[place] for place in places], places)
        raise
    if is_apart or places[0] == 0:
        return x
    before, new = places[0], shape
    return ops.transpose(x, [*range(new, new + before), *range(new), *range(new + before, x.ndim)])


def _broadcast_indices(arrays):
    """The indices as rows of one tensor, and the rank that they have together."""
    arrays = [each if isinstance(each, Tensor) else tensor(each, dtype=i64) for each in arrays]
    arrays = [ops.cast(each, i64) if each.dtype != i64 else each for each in arrays]
    rank = max(each.ndim for each in arrays)
    shape = _broadcast([_sizes(each) for each in arrays])
    if None in shape:
        total = arrays[0]
        for each in arrays[1:]:
            total = ops.add(total, each)
        shape_of = ops.shape_of(total, out_type=i64)
    else:
        shape_of = list(shape)
        arrays = [each if _sizes(each) == shape else ops.broadcast_to(each, shape_of) for each in arrays]
    rows = [ops.expand_dims(each if None not in shape else ops.broadcast_to(each, shape_of), rank) for each in arrays]
    return ops.concat(rows, rank), rank


def _broadcast(shapes):
    """The sizes that shapes have together; None for those that a trace leaves open."""
    rank = max(len(shape) for shape in shapes)
    made = []
    for axis in range(-rank, 0):
        sizes = {shape[axis] for shape in shapes if len(shape) >= -axis} - {1}
        known = sizes - {None}
        if len(known) > 1:
            raise IndexError(f"indices of the shapes {', '.join(map(str, shapes))} are not broadcast together")
        made.append(known.pop() if known else None if sizes else 1)
    return tuple(made)


def _explain(arrays, sizes, axes):
    """Raises the error of an index that is out of range, if there is one."""
    for indices, size, axis in zip(arrays, sizes, axes):
        if not isinstance(indices, Tensor) or indices.is_traced or size is None:
            continue
        for index in _numbers(indices.tolist()):
            _check_index(index, size, axis)


def _numbers(nested):
    if not isinstance(nested, list):
        yield nested
        return
    for each in nested:
        yield from _numbers(each)


def _take_masked(x, mask, sizes):
    """The slices where a mask of the first axes is true."""
    _check_mask(mask, sizes, 0)
    mask_sizes = _sizes(mask)
    if mask.ndim > 1:
        count = math.prod(_known_of_both(sizes, mask_sizes))
        x = ops.reshape(x, [count, *sizes[mask.ndim:]])
        mask = ops.reshape(mask, [count if 0 not in mask_sizes else 0])
    if x.is_traced or mask.is_traced or 0 in mask_sizes:
        return ops.gather(x, ops.nonzero(mask)[0], 0)  # which has a gradient
    return ops.compress(x, mask, axes=[0])


def _getitem(self, index):
    """The elements that an index chooses: integers, slices, None, '...', masks, and tensors, arrays and lists of
    integers.

    Results are tensors of their own. IndexError for an index that is out of range, TypeError for other types.
    """
    taken = _take_items(self, index)
    if taken is not None:
        return taken
    sizes = self._sizes
    kind = type(index)
    if kind is list and sizes and _is_of_numbers(index):
        index, kind = tensor(index), Tensor
    if kind is Tensor and sizes and index.dtype in _GATHERED:
        return _gather(self, index, 0)
    if kind is int and sizes and not self.is_traced:
        _check_index(index, sizes[0], 0)
        return ops.gather(self, index, 0)
    items = index if isinstance(index, tuple) else (index,)
    if sizes is not None and _is_basic(items, len(sizes)):
        return _take_basic(self, items, sizes)
    if len(items) == 1:
        item = _as_index(items[0])
        if _is_mask(item) and item.ndim > 0:
            _check_count(item.ndim, len(_sizes(self)))
            if None not in sizes[item.ndim:] and None not in _known_of_both(sizes, _sizes(item)):
                return _take_masked(self, item, sizes)
        items = (item,)
    return _take(self, _parts(self, items))


def _is_basic(items, rank):
    """Whether integers, slices, None and one '...' are all that there is; IndexError for too many of them."""
    num_named = num_ellipses = 0
    for item in items:
        kind = type(item)
        if kind is int or kind is slice:
            num_named += 1
        elif item is Ellipsis:
            num_ellipses += 1
        elif item is not None:
            return False
    _check_count(num_named, rank)
    if num_ellipses > 1:
        raise IndexError("an index has at most one '...'")
    return True


def _is_of_numbers(items):
    return bool(items) and all(type(item) is int for item in items)


def _known_of_both(sizes, others):
    return [size if size is not None else other for size, other in zip(sizes, others)]


Tensor.__getitem__ = _getitem
