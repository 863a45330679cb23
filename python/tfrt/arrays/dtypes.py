"""Element types: what they hold, and which type two of them meet in."""

import math
from collections.abc import Sequence
from typing import Any, Union

from .. import ops
from .._tfrt import (
    DType, Tensor, Variable, _promote, bf16, complex64, complex128, current_context, f16, f32, f64, i1, i8, i16, i32,
    i64, tensor, u8, u16, u32, u64)

__all__ = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
    "float64", "e", "inf", "nan", "newaxis", "pi", "finfo", "iinfo", "isdtype", "result_type", "can_cast", "astype",
    "broadcast_arrays", "broadcast_to", "broadcast_shapes", "__array_namespace_info__", "__array_api_version__",
]

int8, int16, int32, int64 = i8, i16, i32, i64
uint8, uint16, uint32, uint64 = u8, u16, u32, u64
float16, bfloat16, float32, float64 = f16, bf16, f32, f64

e: float = math.e
inf: float = math.inf
nan: float = math.nan
pi: float = math.pi
newaxis: None = None

__array_api_version__: str = "2024.12"

_SIGNED = (i8, i16, i32, i64)
_UNSIGNED = (u8, u16, u32, u64)
_FLOATS = (f16, bf16, f32, f64)
_COMPLEX = (complex64, complex128)
_KINDS = {
    "bool": (i1,),
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED + _UNSIGNED,
    "real floating": _FLOATS,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED + _UNSIGNED + _FLOATS + _COMPLEX,
}
# For floats: bits, bits of the fraction, the largest exponent.
_FLOAT_FORMATS = {f16: (16, 10, 15), bf16: (16, 7, 127), f32: (32, 23, 127), f64: (64, 52, 1023)}

# The types under which users of the standard's names give dtypes.
DTypeLike = Union[DType, str, type, Any]


def _dtype_of(x) -> DType:
    """The dtype of an array, or that which a dtype-like object names."""
    if isinstance(x, DType):
        return x
    if isinstance(x, (Tensor, Variable)):
        return x.dtype
    return DType(x.dtype if hasattr(x, "dtype") and not isinstance(x, type) else x)


class finfo:
    """Limits of a float dtype: bits, eps, max, min, smallest_normal, dtype."""

    def __init__(self, type: DTypeLike) -> None:
        """Takes a dtype or an array; a TypeError unless its elements are real floats, or complex numbers of such."""
        dtype = {complex64: f32, complex128: f64}.get(_dtype_of(type), _dtype_of(type))
        if dtype not in _FLOAT_FORMATS:
            raise TypeError(f"finfo: the dtype is a float, not {dtype}; iinfo has the limits of integers")
        bits, fraction, exponent = _FLOAT_FORMATS[dtype]
        self.dtype: DType = dtype
        self.bits: int = bits
        self.eps: float = math.ldexp(1.0, -fraction)
        self.max: float = math.ldexp(2.0 - self.eps, exponent)
        self.min: float = -self.max
        self.smallest_normal: float = math.ldexp(1.0, 1 - exponent)

    def __repr__(self) -> str:
        return f"finfo({self.dtype}, eps={self.eps}, max={self.max}, smallest_normal={self.smallest_normal})"


class iinfo:
    """Limits of an integer dtype: bits, max, min, dtype."""

    def __init__(self, type: DTypeLike) -> None:
        """Takes a dtype or an array; a TypeError unless its elements are integers."""
        dtype = _dtype_of(type)
        if dtype not in _KINDS["integral"]:
            raise TypeError(f"iinfo: the dtype is an integer, not {dtype}; finfo has the limits of floats")
        self.dtype: DType = dtype
        self.bits: int = 8 * dtype.itemsize
        self.min: int = -(1 << (self.bits - 1)) if dtype in _SIGNED else 0
        self.max: int = self.min + (1 << self.bits) - 1

    def __repr__(self) -> str:
        return f"iinfo({self.dtype}, min={self.min}, max={self.max})"


def isdtype(dtype: DTypeLike, kind: object) -> "_bool":
    """Whether a dtype is another one, or of a kind.

    Kinds are "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating" and
    "numeric"; a tuple holds kinds and dtypes of which one is enough. A ValueError for an unknown kind.
    """
    own = _dtype_of(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(own, each) for each in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return own in _KINDS[kind]
    if isinstance(kind, str):
        raise ValueError(f"isdtype: there is no kind '{kind}'; the kinds are {', '.join(map(repr, _KINDS))}")
    return own == _dtype_of(kind)


def _meet_number(dtype: DType, number) -> DType:
    """The dtype of a number of Python beside elements of a dtype: it has no type of its own."""
    if isinstance(number, _bool) or dtype in _COMPLEX:
        return dtype
    if isinstance(number, int):
        return i32 if dtype == i1 else dtype
    if isinstance(number, complex):
        return complex128 if dtype == f64 else complex64
    return dtype if dtype in _FLOATS else f32


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype in which arrays, dtypes and numbers of Python meet, whatever their order.

    Numbers of Python take the type of the arrays. A TypeError for dtypes that do not meet; a ValueError without
    arguments.
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type: takes at least one array or dtype, but got none")
    numbers = [x for x in arrays_and_dtypes if type(x) in (_bool, int, float, complex)]
    dtypes = [_dtype_of(x) for x in arrays_and_dtypes if type(x) not in (_bool, int, float, complex)]
    # Floats first: integers beside them lose their width.
    dtypes.sort(key=lambda dtype: (dtype not in _COMPLEX, dtype not in _FLOATS))
    if not dtypes:
        dtypes = [i1]
    result = dtypes[0]
    for dtype in dtypes[1:]:
        result = _promote(result, dtype)
    for number in numbers:
        result = _meet_number(result, number)
    return result


def can_cast(from_: Any, to: DTypeLike) -> "_bool":
    """Whether promotion can bring elements of a dtype, or of an array, to another dtype."""
    target = _dtype_of(to)
    return result_type(from_, target) == target


def _on_device(x: Tensor, device) -> Tensor:
    return x if device is None or x.is_traced or device == x.device else x.to(device)


def astype(x: Any, dtype: DTypeLike, /, *, copy: "_bool" = True, device: "str | None" = None) -> Tensor:
    """The elements as another dtype, in the same shape.

    Floats that do not fit an integer become the nearest that does. Without `copy` a tensor of that dtype is returned
    as it is.
    """
    x = x if isinstance(x, Tensor) else ops.identity(x)
    wanted = _dtype_of(dtype)
    if x.dtype != wanted:
        x = ops.cast(x, wanted)
    elif copy:
        x = ops.identity(x)
    return _on_device(x, device)


# --- Shapes that meet ---

def broadcast_shapes(*shapes: Sequence[int]) -> "tuple[int, ...]":
    """The shape to which shapes are broadcast together; a ValueError if they do not fit."""
    result: list = []
    for shape in shapes:
        own = list(shape)
        own = [1] * (len(result) - len(own)) + own
        result = [1] * (len(own) - len(result)) + result
        for axis, (a, b) in enumerate(zip(result, own)):
            if a != b and 1 not in (a, b) and None not in (a, b):
                raise ValueError(f"broadcast_shapes: the shapes {', '.join(str(tuple(s)) for s in shapes)} do not fit: "
                                 f"{a} and {b} at axis {axis - len(result)}")
            # An open size beside another one is that one, or an error when the program runs.
            result[axis] = b if a == 1 or (a is None and b != 1) else a
    return tuple(result)


def broadcast_to(x: Any, /, shape: Sequence[int]) -> Tensor:
    """The elements repeated to fill a shape, from the last dimension on; a ValueError if they do not fit."""
    x = tensor(x)
    wanted = (shape,) if isinstance(shape, int) else tuple(shape)
    if None not in x.shape and broadcast_shapes(x.shape, wanted) != wanted:
        raise ValueError(f"broadcast_to: an array of shape {x.shape} does not fill the shape {wanted}")
    return ops.broadcast_to(x, tensor(list(wanted), i64))


def broadcast_arrays(*arrays: Any) -> "list[Tensor]":
    """All arrays in the shape to which they are broadcast together; a ValueError if they do not fit."""
    tensors = [tensor(x) for x in arrays]
    shape = broadcast_shapes(*(x.shape for x in tensors))
    if None not in shape:
        return [ops.identity(x) if x.shape == shape else broadcast_to(x, shape) for x in tensors]
    everywhere = ops.cast(ops.zeros_like(tensors[0], i1), i1)
    for x in tensors[1:]:
        everywhere = ops.logical_or(everywhere, ops.zeros_like(x, i1))
    return [ops.select(everywhere, x, x) for x in tensors]


# --- The namespace ---

class __array_namespace_info__:
    """Facts about this namespace, as the array API standard asks for them."""

    def capabilities(self) -> "dict[str, Any]":
        """Whether masks are indices and shapes may depend on elements, and the most dimensions."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self) -> str:
        """The device of new tensors outside any scope."""
        return current_context().devices[0]

    def devices(self) -> "list[str]":
        """The names of the devices of the context in use."""
        return list(current_context().devices)

    def default_dtypes(self, *, device: "str | None" = None) -> "dict[str, DType]":
        """The dtypes of numbers of Python, and of indices."""
        return {"real floating": f32, "complex floating": complex64, "integral": i32, "indexing": i64}

    def dtypes(self, *, device: "str | None" = None, kind: Any = None) -> "dict[str, DType]":
        """The dtypes of the standard by name: all, those of a kind, or those of a tuple of kinds."""
        names = {"bool": i1, "int8": i8, "int16": i16, "int32": i32, "int64": i64, "uint8": u8, "uint16": u16,
                 "uint32": u32, "uint64": u64, "float32": f32, "float64": f64}
        return {name: dtype for name, dtype in names.items() if kind is None or isdtype(dtype, kind)}


_bool = bool
bool: DType = i1  # the last name here: above, bool is that of Python
