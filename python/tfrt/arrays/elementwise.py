"""Functions of each element by itself, under the names of the array API standard.

Most are ops themselves. Inputs of different dtypes meet in one (docs/python.md); integers become the default float
where results have fractions.
"""

import math
from typing import Any

from .. import ops
from .._tfrt import Tensor, Variable, _standard_ops, tensor
from ..ops import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, bitwise_and, bitwise_or, bitwise_xor, ceil, copysign, cos,
    cosh, equal, exp, expm1, floor, floor_divide, greater, greater_equal, hypot, less, less_equal, log, log10, log1p,
    log2, logaddexp, logical_and, logical_not, logical_or, logical_xor, maximum, minimum, nextafter, not_equal,
    reciprocal, round, sign, signbit, sin, sinh, sqrt, tan, tanh, trunc)
from .dtypes import _FLOATS

__all__ = [
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_invert",
    "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "ceil", "clip", "conj", "copysign", "cos",
    "cosh", "divide", "equal", "exp", "expm1", "floor", "floor_divide", "greater", "greater_equal", "hypot", "imag",
    "isfinite", "isinf", "isnan", "less", "less_equal", "log", "log10", "log1p", "log2", "logaddexp", "logical_and",
    "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative", "nextafter", "not_equal",
    "positive", "pow", "real", "reciprocal", "remainder", "round", "sign", "signbit", "sin", "sinh", "sqrt", "square",
    "subtract", "tan", "tanh", "trunc",
]

bitwise_invert = ops.bitwise_not
bitwise_left_shift = ops.shift_left
bitwise_right_shift = ops.shift_right
divide = _standard_ops["divide"]
isinf = ops.is_inf
isnan = ops.is_nan
multiply = ops.mul
negative = ops.neg
pow = _standard_ops["pow"]
remainder = ops.mod
subtract = ops.sub
positive = ops.identity


_NUMBERS = (float, int)


def _as_tensor(x) -> Tensor:
    return x if isinstance(x, Tensor) else x.read() if isinstance(x, Variable) else tensor(x)


def square(x: Any, /) -> Tensor:
    """x * x; integers wrap."""
    return ops.mul(x, x)


def clip(x: Any, /, min: Any = None, max: Any = None) -> Tensor:
    """Elements between two bounds, in the dtype of x: numbers, or arrays that are broadcast; None bounds nothing.

    NaN stays NaN, and is the result where a bound is NaN.
    """
    x = _as_tensor(x)
    if type(min) in _NUMBERS and type(max) in _NUMBERS and min == min and max == max and x.dtype in _FLOATS:
        return ops.clip(x, min, max)
    result = ops.identity(x) if min is None and max is None else x
    if min is not None:
        result = ops.maximum(result, min)
    if max is not None:
        result = ops.minimum(result, max)
    return result if result.dtype == x.dtype else ops.cast(result, x.dtype)


# --- Kinds of numbers ---

def isfinite(x: Any, /) -> Tensor:
    """Whether elements are neither infinite nor NaN, as i1."""
    x = _as_tensor(x)
    return ops.less(ops.abs(x), math.inf) if x.dtype in _FLOATS else ops.equal(x, x)


def conj(x: Any, /) -> Tensor:
    """The conjugates of numbers, which real ones are themselves."""
    return _of_real("conj", x)


def real(x: Any, /) -> Tensor:
    """The real parts of numbers."""
    return _of_real("real", x)


def imag(x: Any, /) -> Tensor:
    """The imaginary parts of numbers: zeros for real ones."""
    x = _of_real("imag", x)
    return ops.zeros_like(x, x.dtype)


def _of_real(what: str, x) -> Tensor:
    x = _as_tensor(x)
    if x.dtype.name.startswith("complex"):
        raise TypeError(f"{what}: x has real elements, not {x.dtype}")
    return ops.identity(x)
