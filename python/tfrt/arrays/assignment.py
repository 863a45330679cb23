"""Item assignment: the tensor that has other items at an index, and the objects that take it."""

import itertools
import math

from .. import ops
from .._tfrt import Tensor, Variable, _set_in_place, i64, tensor
from ..errors import Error
from .indexing import (
    _FULL, _as_index, _bounds, _check_index, _check_mask, _explain, _is_known, _is_mask, _OfNewAxis, _parts, _sizes,
    _take,
    _take_basic)

__all__: list[str] = []

# Places that are given to an op as numbers. Of more slices and their surroundings are joined, which moves whole rows.
_FEW = 32

_KINDS = {"i1": 0, "i": 1, "u": 1, "f": 2, "bf": 2, "complex": 3}


# --- Values ---

def _kind(dtype):
    return _KINDS.get(dtype.name, _KINDS.get(dtype.name.rstrip("0123456789")))


def _as_value(value, dtype):
    """The value as a tensor of a dtype; TypeError where a number would lose its kind, as a float does in an integer."""
    if isinstance(value, Variable):
        value = value.read()
    elif isinstance(value, (list, tuple)):
        value = _from_list(value)
    elif not isinstance(value, Tensor):
        if isinstance(value, (int, float, complex)):
            return _as_number(value, dtype)
        value = tensor(value)
    if value.dtype == dtype:
        return value
    kind, wanted = _kind(value.dtype), _kind(dtype)
    if kind is None or wanted is None or kind > wanted:
        raise TypeError(f"elements of {value.dtype} are assigned to a tensor of {dtype}; convert them with tfrt.cast")
    return ops.cast(value, dtype)


def _as_number(value, dtype):
    kind = 0 if isinstance(value, bool) else 1 if isinstance(value, int) else 2 if isinstance(value, float) else 3
    wanted = _kind(dtype)
    if wanted is None or kind > wanted:
        raise TypeError(f"{value!r} is assigned to a tensor of {dtype}")
    return ops.cast(tensor(value), dtype) if kind == 0 else tensor(value, dtype=dtype)


def _from_list(value):
    if not any(isinstance(each, (Tensor, Variable)) for each in value):
        return tensor(value)
    rows = [each.read() if isinstance(each, Variable) else each if isinstance(each, Tensor) else tensor(each)
            for each in value]
    return ops.concat([ops.expand_dims(row, 0) for row in rows], 0)


def _does_not_fit(value_sizes, sizes):
    return ValueError(f"a value of the shape {value_sizes} is not broadcast to items of the shape {sizes}")


def _spread(value, sizes, shape=None):
    """The value broadcast to sizes, of which some may be open: then the tensor `shape` has them."""
    value_sizes = _sizes(value)
    extra = len(value_sizes) - len(sizes)
    if extra > 0:
        if any(size != 1 for size in value_sizes[:extra]):
            raise _does_not_fit(value_sizes, sizes)
        value = ops.squeeze(value, squeeze_dims=list(range(extra)))
        value_sizes = value_sizes[extra:]
    _check_spread(value_sizes, sizes)
    if value_sizes == sizes and None not in sizes:
        return value
    return ops.broadcast_to(value, list(sizes) if None not in sizes else shape)


def _check_spread(value_sizes, sizes):
    for size, wanted in zip(reversed(value_sizes), reversed(sizes)):
        if size not in (1, None) and wanted is not None and size != wanted:
            raise _does_not_fit(value_sizes, sizes)


# --- Tensors with other items ---

def with_items(x: Tensor, index, value) -> Tensor:
    """The tensor with the items at an index set to a value, which is broadcast."""
    value = _as_value(value, x.dtype)
    sizes = _sizes(x)
    items = index if isinstance(index, tuple) else (index,)
    if len(items) == 1:
        mask = _as_index(items[0])
        items = (mask,)
        if _is_mask(mask) and 0 < mask.ndim <= len(sizes) and value.ndim <= len(sizes) - mask.ndim:
            return _with_masked(x, mask, value, sizes)
    parts = _parts(x, items)
    while parts and (parts[-1] is Ellipsis or type(parts[-1]) is slice and parts[-1] == _FULL):
        parts.pop()
    if not parts:
        return _spread(value, sizes, _shape_of(x) if None in sizes else None)
    if all(part is None or part is Ellipsis or _is_known_of_axis(part) for part in parts) and None not in sizes:
        return _with_window(x, [part for part in parts if part is not Ellipsis], value, sizes)
    depth = sum(1 for part in parts if part is not None and part is not Ellipsis and not isinstance(part, _OfNewAxis))
    return _with_rows(x, parts, value, sizes, depth)


def _is_known_of_axis(part):
    return type(part) is int or type(part) is slice and _is_known(part.start) and _is_known(part.stop)


def _with_window(x, parts, value, sizes):
    """With a value where integers and slices of the first axes, with new axes between them, say."""
    ranges, chosen = [], []
    for part in parts:
        if part is None:
            chosen.append(1)
            continue
        size = sizes[len(ranges)]
        if type(part) is int:
            _check_index(part, size, len(ranges))
            ranges.append(range(part % size, part % size + 1))
        else:
            _bounds(part)
            ranges.append(range(*part.indices(size)))
            chosen.append(len(ranges[-1]))
    rest = sizes[len(ranges):]
    value = _spread(value, (*chosen, *rest))
    counts = [len(each) for each in ranges]
    if _sizes(value) != (*counts, *rest):
        value = ops.reshape(value, [*counts, *rest])
    count = math.prod(counts)
    if count == 0 or not ranges:
        return x if count == 0 else value
    if count <= _FEW:
        places = [list(place) for place in itertools.product(*ranges)]
        return ops.scatter_nd(x, places, value if len(counts) == 1 else ops.reshape(value, [count, *rest]))
    return _set_window(x, ranges, value, 0)


def _set_window(x, ranges, value, axis):
    """With a value of the same rank where the ranges of the first axes meet, those from `axis` on: all is moved in
    pieces."""
    sizes = _sizes(x)
    while axis < len(ranges) and ranges[axis] == range(sizes[axis]):
        axis += 1
    if axis == len(ranges):
        return value
    chosen = ranges[axis]
    if chosen.step < 0 and len(chosen) > 1:
        value = _part(value, axis, None, None, -1)
        chosen = chosen[::-1]
    first, step, count = chosen.start, chosen.step if len(chosen) > 1 else 1, len(chosen)
    end = first + (count - 1) * step + 1
    window = _part(x, axis, first, end, step)
    value = _set_window(window, ranges, value, axis + 1) if axis + 1 < len(ranges) else value
    pieces = [_part(x, axis, 0, first)] if first else []
    if step == 1:
        pieces.append(value)
    else:
        # Each but the last with those that follow it up to the next.
        groups = (*sizes[:axis], count - 1, step, *sizes[axis + 1:])
        others = _part(ops.reshape(_part(x, axis, first, end - 1), list(groups)), axis + 1, 1, None)
        heads = ops.expand_dims(_part(value, axis, 0, count - 1), axis + 1)
        together = ops.concat([heads, others], axis + 1)
        pieces += [ops.reshape(together, [*sizes[:axis], (count - 1) * step, *sizes[axis + 1:]]),
                   _part(value, axis, count - 1, None)]
    if end < sizes[axis]:
        pieces.append(_part(x, axis, end, None))
    return ops.concat(pieces, axis) if len(pieces) > 1 else pieces[0]


def _part(x, axis, *bounds):
    return _take_basic(x, [*[_FULL] * axis, slice(*bounds)], _sizes(x))


def _with_masked(x, mask, value, sizes):
    """With one value for all slices where a mask of the first axes is true."""
    _check_mask(mask, sizes, 0)
    _check_spread(_sizes(value), sizes[mask.ndim:])
    if 0 in _sizes(mask):
        return x
    for _ in range(len(sizes) - mask.ndim):
        mask = ops.expand_dims(mask, mask.ndim)
    return ops.select(mask, value, x)


def _shape_of(x):
    return ops.shape_of(x, out_type=i64)


def _joined(*shapes):
    """One shape of parts: tensors and tuples of sizes."""
    return ops.concat([part if isinstance(part, Tensor) else tensor(list(part), dtype=i64) if part else _no_numbers()
                       for part in shapes], 0)


def _no_numbers():
    return ops.cast(tensor([]), i64)


def _with_rows(x, parts, value, sizes, depth):
    """As rows of the elements of the last axes, of which the parts of the index choose some."""
    head, rest = sizes[:depth], sizes[depth:]
    if None in sizes:
        return _with_rows_of_open_size(x, parts, value, sizes, depth)
    places = _places(parts, head)
    chosen = _sizes(places)
    rows = x if depth == 1 else ops.reshape(x, [math.prod(head), *rest])
    if None not in chosen:
        updates = ops.reshape(_spread(value, (*chosen, *rest)), [math.prod(chosen), *rest])
        places = ops.reshape(places, [math.prod(chosen), 1])
    else:
        updates = _spread(value, (*chosen, *rest), _joined(_shape_of(places), rest))
        places = ops.reshape(places, [-1, 1])
        updates = ops.reshape(updates, _joined(ops.reshape(_shape_of(places)[0], [1]), rest))
    try:
        made = ops.scatter_nd(rows, places, updates)
    except Error:
        _explain([places], head, [0])  # several axes have been looked at
        raise
    return made if depth == 1 else ops.reshape(made, list(sizes))


def _with_rows_of_open_size(x, parts, value, sizes, depth):
    shape = _shape_of(x)
    head, rest = shape[:depth], shape[depth:]
    count = ops.reduce_prod(head, [0], keep_dims=True)
    numbers = ops.range(tensor(0, dtype=i64), ops.squeeze(count), tensor(1, dtype=i64))
    places = _take(ops.reshape(numbers, head), parts)
    updates = _spread(value, (*_sizes(places), *sizes[depth:]), _joined(_shape_of(places), rest))
    num_places = ops.reduce_prod(_shape_of(places), [0], keep_dims=True)
    made = ops.scatter_nd(ops.reshape(x, _joined(count, rest)), ops.reshape(places, _joined(num_places, (1,))),
                          ops.reshape(updates, _joined(num_places, rest)))
    return ops.reshape(made, shape)


def _places(parts, sizes):
    """The numbers of the rows that an index of the first axes chooses, in the shape of what it chooses."""
    if len(parts) == 1 and isinstance(parts[0], Tensor):
        return parts[0]
    numbers = ops.range(tensor(0, dtype=i64), tensor(math.prod(sizes), dtype=i64), tensor(1, dtype=i64))
    return _take(ops.reshape(numbers, list(sizes)), parts)


# --- Objects ---

def _setitem(self, index, value):
    """Sets the items at an index, as `x[index]` reads them, to a value, which is broadcast.

    This object changes, and no other tensor or array that shares its elements. Where none does, nothing is copied.
    ValueError for a value that is not broadcast to the items; TypeError for a kind of number that is none of the
    tensor's, such as floats for integers.
    """
    if _set_in_place(self, index, value):
        return
    from .._rewrite import changes  # loaded when it is first used, as it takes longer than the package
    changes.assign(self, with_items(self, index, value))


def _setitem_of_variable(self, index, value):
    """Assigns the variable its value with the items at an index set to another."""
    self.assign(with_items(self.read(), index, value))


Tensor.__setitem__ = _setitem
Variable.__setitem__ = _setitem_of_variable
