"""Arrays that are made of sizes, numbers or other arrays."""

from collections.abc import Sequence
from typing import Any, Union

from .. import ops
from .._tfrt import DType, Tensor, Variable, f32, f64, i1, i32, i64, tensor
from .._tfrt import from_dlpack as _from_dlpack
from .dtypes import _FLOATS, DTypeLike, _dtype_of, _on_device, broadcast_arrays, result_type

__all__ = [
    "arange", "array", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "identity",
    "linspace", "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like",
]

Shape = Union[int, Sequence[int]]


def _is_tensor(x) -> bool:
    return isinstance(x, (Tensor, Variable))


def _has_arrays(x) -> bool:
    return isinstance(x, (list, tuple)) and any(
        _is_tensor(item) or hasattr(item, "__dlpack__") or _has_arrays(item) for item in x)


def _stacked(x) -> Tensor:
    """A tensor of nested lists with arrays among them."""
    rows = [_stacked(item) if _has_arrays(item) else tensor(item) for item in x]
    dtype = result_type(*(row.dtype for row in rows))
    return ops.concat([ops.expand_dims(ops.cast(row, dtype), 0) for row in rows], 0)


def _shape_argument(shape, what: str):
    """A shape as an argument of an op: numbers, or a tensor of a traced function."""
    if _is_tensor(shape):
        return ops.reshape(shape, [-1])
    sizes = (shape,) if shape is None or hasattr(shape, "__index__") else tuple(shape)
    if any(size is None for size in sizes):
        raise TypeError(f"{what}: a size is None; if it is an open size of x.shape, tfrt.shape_of(x) has it as a "
                        "tensor")
    if any(_is_tensor(size) for size in sizes):
        return ops.concat([ops.reshape(ops.cast(size, i64), [1]) for size in map(tensor, sizes)], 0)
    numbers = [size.__index__() for size in sizes]
    if any(size < 0 for size in numbers):
        raise ValueError(f"{what}: the sizes of a shape are not below 0, but the shape is {tuple(numbers)}")
    return tensor(numbers, i64)


def _number(value, dtype: DType) -> Tensor:
    """A number as a tensor of a dtype, as casts make it of another kind of number."""
    if _is_tensor(value):
        return ops.cast(value, dtype)
    try:
        return tensor(value, dtype)
    except TypeError:
        return ops.cast(tensor(value), dtype)


def asarray(obj: Any, /, *, dtype: "DTypeLike | None" = None, device: "str | None" = None,
            copy: "bool | None" = None) -> Tensor:
    """A tensor of a tensor, a number, nested lists, a buffer, or an array of another library.

    dtype: of the result; elements of others are cast. copy: False shares the elements, and is a ValueError where that
    cannot be; True returns a tensor of its own; None is False for tensors and True otherwise.
    """
    wanted = None if dtype is None else _dtype_of(dtype)
    if _is_tensor(obj):
        x = obj.read() if isinstance(obj, Variable) else obj
        if copy is False and wanted not in (None, x.dtype):
            raise ValueError(f"asarray: elements of {x.dtype} do not become {wanted} without a copy")
        x = x if wanted in (None, x.dtype) else ops.cast(x, wanted)
        return _on_device(ops.identity(x) if copy and x is obj else x, device)
    is_list = isinstance(obj, (bool, int, float, complex, list, tuple))
    if copy is False and is_list:
        raise ValueError(f"asarray: a {type(obj).__name__} becomes an array only with a copy")
    if is_list:
        x = _of_numbers(obj, wanted)
    else:
        x = tensor(obj, copy=copy is not False)
    if wanted is not None and x.dtype != wanted:
        if copy is False:
            raise ValueError(f"asarray: elements of {x.dtype} do not become {wanted} without a copy")
        x = ops.cast(x, wanted)
    return _on_device(x, device)


def _of_numbers(obj, wanted) -> Tensor:
    if _has_arrays(obj):
        return _stacked(obj)
    try:
        return tensor(obj, wanted)
    except TypeError:
        if wanted is None:
            raise
        return tensor(obj)  # to be cast, as a float to an integer


def array(obj: Any, dtype: "DTypeLike | None" = None, *, copy: "bool | None" = True,
          device: "str | None" = None) -> Tensor:
    """The same as asarray, but with a copy, as NumPy's."""
    return asarray(obj, dtype=dtype, device=device, copy=copy)


def from_dlpack(x: Any, /, *, device: "str | None" = None, copy: "bool | None" = None) -> Tensor:
    """A tensor over an array of another library, which must not change.

    It is copied only if it is not row-major, and never on a GPU. copy: True copies in any case. device: where the
    result is. A TypeError for an object without `__dlpack__`.
    """
    result = tensor(x, copy=True) if copy and hasattr(x, "__dlpack__") else _from_dlpack(x)
    return _on_device(result, device)


# --- Of a shape ---

def full(shape: Shape, fill_value: Any, *, dtype: "DTypeLike | None" = None, device: "str | None" = None) -> Tensor:
    """A tensor of a shape, all of whose elements are a number; of the number's dtype, if none is given."""
    return _filled("full", shape, fill_value, dtype, device)


def _filled(what: str, shape: Any, fill_value: Any, dtype: Any, device: "str | None") -> Tensor:
    value = tensor(fill_value) if dtype is None else _number(fill_value, _dtype_of(dtype))
    return _on_device(ops.fill(_shape_argument(shape, what), value), device)


def zeros(shape: Shape, *, dtype: "DTypeLike | None" = None, device: "str | None" = None) -> Tensor:
    """Zeros in a shape, of f32 if no dtype is given."""
    return _filled("zeros", shape, 0, f32 if dtype is None else dtype, device)


def ones(shape: Shape, *, dtype: "DTypeLike | None" = None, device: "str | None" = None) -> Tensor:
    """Ones in a shape, of f32 if no dtype is given."""
    return _filled("ones", shape, 1, f32 if dtype is None else dtype, device)


def empty(shape: Shape, *, dtype: "DTypeLike | None" = None, device: "str | None" = None) -> Tensor:
    """A tensor of a shape whose elements mean nothing yet: they are zeros."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(x: Any, /, fill_value: Any, *, dtype: "DTypeLike | None" = None, device: "str | None" = None) -> Tensor:
    """A tensor in the shape of another one, all of whose elements are a number; of its dtype, if none is given."""
    wanted = _dtype_of(x if dtype is None else dtype)
    zeros, value = ops.zeros_like(x, wanted), _number(fill_value, wanted)
    # The difference, as the sum of 0 and -0 is 0.
    return _on_device(ops.logical_or(zeros, value) if wanted == i1 else ops.sub(value, zeros), device)


def zeros_like(x: Any, dtype: "DTypeLike | None" = None, *, device: "str | None" = None) -> Tensor:
    """Zeros in the shape of a tensor, of its dtype, if none is given."""
    x = x if _is_tensor(x) else tensor(x)
    return _on_device(ops.zeros_like(x, x.dtype if dtype is None else _dtype_of(dtype)), device)


def ones_like(x: Any, /, *, dtype: "DTypeLike | None" = None, device: "str | None" = None) -> Tensor:
    """Ones in the shape of a tensor, of its dtype, if none is given."""
    return full_like(x if _is_tensor(x) else tensor(x), 1, dtype=dtype, device=device)


def empty_like(x: Any, /, *, dtype: "DTypeLike | None" = None, device: "str | None" = None) -> Tensor:
    """A tensor in the shape of another one whose elements mean nothing yet: they are zeros."""
    return zeros_like(x, dtype, device=device)


def _diagonal(k: int) -> int:
    """The number of a diagonal that rows have, or of one that is as far away as they count."""
    return max(-2**62, min(k.__index__(), 2**62))


def eye(n_rows: int, n_cols: "int | None" = None, /, *, k: int = 0, dtype: "DTypeLike | None" = None,
        device: "str | None" = None) -> Tensor:
    """A matrix with ones on the k-th diagonal, above the main one if k > 0, and zeros elsewhere."""
    wanted = f32 if dtype is None else _dtype_of(dtype)
    shape = zeros((n_rows, n_rows if n_cols is None else n_cols), dtype=i1)
    return _on_device(ops.cast(ops.eye_like(shape, i32, diagonal=_diagonal(k)), wanted), device)


def identity(n: int, dtype: "DTypeLike | None" = None) -> Tensor:
    """A square matrix with ones on its diagonal."""
    return eye(n, dtype=dtype)


# --- Ranges ---

def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: "DTypeLike | None" = None,
           device: "str | None" = None) -> Tensor:
    """The numbers from start, or 0, by steps to stop, which is left out.

    They are f32 if one of the three is a float, else of i32, or i64 where a number needs it. A ValueError if step is 0.
    """
    start, stop = (0, start) if stop is None else (start, stop)
    numbers = (start, stop, step)
    if not _is_tensor(step) and step == 0:
        raise ValueError("arange: step is 0, but start and stop are "f"{start} and {stop}")
    if dtype is None:
        kinds = [x.dtype if hasattr(x, "dtype") else x for x in numbers]
        wanted = result_type(*kinds)
        if wanted == i32 and not all(_is_tensor(x) or -2**31 <= x < 2**31 for x in numbers):
            wanted = i64
    else:
        wanted = _dtype_of(dtype)
    is_real = any(result_type(x) in _FLOATS for x in numbers)
    # Each element is start + i * step, rounded once.
    work = f64 if is_real else wanted if wanted.name == "u64" else i64
    return _on_device(ops.cast(ops.range(*(_number(x, work) for x in numbers)), wanted), device)


def linspace(start: Any, stop: Any, /, num: int, *, dtype: "DTypeLike | None" = None, device: "str | None" = None,
             endpoint: bool = True) -> Tensor:
    """As many numbers at equal distances from start to stop; without `endpoint` stop is not among them.

    They are f32 if no dtype is given. A ValueError for a number below 0.
    """
    count = num.__index__()
    if count < 0:
        raise ValueError(f"linspace: num is not below 0, but is {count}")
    wanted = f32 if dtype is None else _dtype_of(dtype)
    first, last = _number(start, f64), _number(stop, f64)
    steps = count - 1 if endpoint else count
    places = ops.range(_number(0, f64), _number(count, f64), _number(1, f64))
    # Halves, as the distance of two numbers may be too large for a number.
    share = ops.div(places, _number(max(steps, 1), f64))
    result = ops.add(ops.mul(first, ops.sub(_number(1, f64), share)), ops.mul(last, share))
    if endpoint and count > 1:
        result = ops.select(ops.equal(places, _number(steps, f64)), last, result)
    return _on_device(ops.cast(result, wanted), device)


def meshgrid(*arrays: Any, indexing: str = "xy") -> "list[Tensor]":
    """The coordinates of a grid whose axes are vectors: one array of the grid's shape for each vector.

    indexing: "xy" takes the second vector as rows and the first as columns, "ij" keeps their order.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
    vectors = [tensor(x) for x in arrays]
    for x in vectors:
        if x.ndim > 1:
            raise ValueError(f"meshgrid: an array is a vector, but has {x.ndim} dimensions")
    axes = list(range(len(vectors)))
    if indexing == "xy" and len(axes) > 1:
        axes[:2] = [1, 0]
    spread = []
    for axis, x in zip(axes, vectors):
        shape = [1] * len(vectors)
        shape[axis] = -1
        spread.append(ops.reshape(x, shape))
    return broadcast_arrays(*spread) if spread else []


# --- Triangles ---

def _triangle(what: str, x, k: int, upper: bool) -> Tensor:
    x = x if _is_tensor(x) else tensor(x)
    if x.ndim < 2:
        raise ValueError(f"{what}: x has at least 2 dimensions, but it has {x.ndim}")
    return ops.triangle(x, tensor(_diagonal(k), i64), upper=upper)


def tril(x: Any, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros above the k-th diagonal."""
    return _triangle("tril", x, k, False)


def triu(x: Any, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros below the k-th diagonal."""
    return _triangle("triu", x, k, True)
