"""Item assignment: the tensor that has other items at an index, and the objects that take it."""

import math

from .. import ops
from .._rewrite import changes
from .._tfrt import Tensor, Variable, i64, tensor
from ..errors import Error
from .indexing import (
    _FULL, _as_index, _bounds, _check_index, _check_mask, _explain, _is_known, _is_mask, _OfNewAxis, _parts, _sizes, _take)

__all__: list[str] = []

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
    rows = [each.read() if isinstance(each, Variable) else each if isinstance(each, Tensor) else tensor(each) for each in value]
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
        return _spread(value, sizes, _shape_of(x))
    depth = sum(1 for part in parts if part is not None and part is not Ellipsis and not isinstance(part, _OfNewAxis))
    return _with_rows(x, parts, value, sizes, depth)


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
    updates = _spread(value, (*chosen, *rest), None if None not in chosen else _joined(_shape_of(places), rest))
    count = math.prod(chosen) if None not in chosen else -1 if 0 not in rest else 0
    rows = x if depth == 1 else ops.reshape(x, [math.prod(head), *rest])
    updates = ops.reshape(updates, [count, *rest])
    try:
        made = ops.scatter_nd(rows, ops.reshape(places, [count, 1]), updates)
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
    if all(part is None or part is Ellipsis or type(part) is int or type(part) is slice and
           _is_known(part.start) and _is_known(part.stop) for part in parts):
        return _places_of_slices([part for part in parts if part is not Ellipsis], sizes)
    if len(parts) == 1 and isinstance(parts[0], Tensor):
        return parts[0]
    numbers = ops.range(tensor(0, dtype=i64), tensor(math.prod(sizes), dtype=i64), tensor(1, dtype=i64))
    return _take(ops.reshape(numbers, list(sizes)), parts)


def _places_of_slices(parts, sizes):
    """The same of integers, slices and None: the sum of what each axis adds."""
    first, axis, chosen = 0, 0, []
    for part in parts:
        if part is None:
            chosen.append((1, 0))
            continue
        stride = math.prod(sizes[axis + 1:])
        if type(part) is int:
            _check_index(part, sizes[axis], axis)
            first += part % sizes[axis] * stride
        else:
            _bounds(part)
            numbers = range(*part.indices(sizes[axis]))
            first += numbers.start * stride
            chosen.append((len(numbers), numbers.step * stride))
        axis += 1
    shape = [count for count, _ in chosen]
    if 0 in shape:
        return ops.reshape(_no_numbers(), shape)
    places = tensor(first, dtype=i64)
    for axis, (count, step) in enumerate(chosen):
        if count > 1:
            steps = ops.range(tensor(0, dtype=i64), tensor(count, dtype=i64), tensor(1, dtype=i64))
            places = ops.add(places, ops.reshape(ops.mul(steps, tensor(step, dtype=i64)), [count] + [1] * (len(shape) - axis - 1)))
    return ops.reshape(places, shape) if tuple(shape) != _sizes(places) else places


# --- Objects ---

def _setitem(self, index, value):
    """Sets the items at an index, as `x[index]` reads them, to a value, which is broadcast.

    This object changes, and no other tensor or array that shares its elements. ValueError for a value that is not broadcast
    to the items; TypeError for a kind of number that is none of the tensor's, such as floats for integers.
    """
    changes.assign(self, with_items(self, index, value))


def _setitem_of_variable(self, index, value):
    """Assigns the variable its value with the items at an index set to another."""
    self.assign(with_items(self.read(), index, value))


Tensor.__setitem__ = _setitem
Variable.__setitem__ = _setitem_of_variable
