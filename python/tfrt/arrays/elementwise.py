"""Functions of each element by itself, under the names of the array API standard.

Most are ops themselves. Inputs of different dtypes meet in one (docs/python.md); integers become the default float
where results have fractions.
"""

import math
from typing import Any

from .. import ops
from .._tfrt import Tensor, Variable, _standard_ops, f32, f64, i1, i16, i32, i64, tensor
from ..ops import (
    abs, acos, acosh, add, asin, asinh, atan, atanh, bitwise_and, bitwise_or, bitwise_xor, ceil, cos, cosh, equal, exp,
    floor, greater, greater_equal, less, less_equal, log, log1p, logical_and, logical_not, logical_or, logical_xor,
    maximum, minimum, not_equal, reciprocal, round, sign, sin, sinh, sqrt, tan, tanh)
from .dtypes import _FLOATS, result_type

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


def _as_tensor(x) -> Tensor:
    return x if isinstance(x, Tensor) else x.read() if isinstance(x, Variable) else tensor(x)


def _as_floats(*arguments) -> "list[Tensor]":
    """Arguments as tensors of the float in which they meet."""
    dtype = result_type(*arguments)
    dtype = dtype if dtype in _FLOATS else f32
    return [ops.cast(_as_tensor(x), dtype) for x in arguments]


def square(x: Any, /) -> Tensor:
    """x * x; integers wrap."""
    return ops.mul(x, x)


def clip(x: Any, /, min: Any = None, max: Any = None) -> Tensor:
    """Elements between two bounds, in the dtype of x: numbers, or arrays that are broadcast; None bounds nothing.

    NaN stays NaN, and is the result where a bound is NaN.
    """
    x = _as_tensor(x)
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


# --- Signs and bits ---

# The integers of the size of a float.
_BITS = {2: i16, 4: i32, 8: i64}


def _bits(x: Tensor) -> Tensor:
    return ops.bit_cast(x, _BITS[x.dtype.itemsize])


def _sign_bit(x: Tensor) -> int:
    return -1 << (8 * x.dtype.itemsize - 1)


def signbit(x: Any, /) -> Tensor:
    """Whether the sign of elements is that of negative numbers, as of -0.0; as i1."""
    x = _as_tensor(x)
    if x.dtype == i1:
        return ops.zeros_like(x, i1)
    return ops.less(_bits(x) if x.dtype in _FLOATS else x, 0)


def copysign(x1: Any, x2: Any, /) -> Tensor:
    """The size of x1 with the sign of x2, broadcast."""
    x1, x2 = _as_floats(x1, x2)
    size, sign_of = ops.bitwise_and(_bits(x1), ~_sign_bit(x1)), ops.bitwise_and(_bits(x2), _sign_bit(x2))
    return ops.bit_cast(ops.bitwise_or(size, sign_of), x1.dtype)


def nextafter(x1: Any, x2: Any, /) -> Tensor:
    """The next number that the dtype has after x1 towards x2, broadcast."""
    x1, x2 = _as_floats(x1, x2)
    bits = _bits(x1)
    # Numbers of one sign are in the order of their bits.
    grows = ops.equal(ops.greater(x2, x1), ops.greater(x1, 0))
    moved = ops.add(bits, ops.select(grows, ops.cast(1, bits.dtype), ops.cast(-1, bits.dtype)))
    smallest = ops.bitwise_or(ops.bitwise_and(_bits(x2), _sign_bit(x2)), 1)
    moved = ops.bit_cast(ops.select(ops.equal(x1, 0), smallest, moved), x1.dtype)
    # A sum is NaN where one of the two is.
    stays = ops.select(ops.equal(x1, x2), x2, ops.add(x1, x2))
    return ops.select(ops.logical_or(ops.less(x1, x2), ops.greater(x1, x2)), moved, stays)


def trunc(x: Any, /) -> Tensor:
    """The nearest whole number between each element and 0."""
    x = _as_tensor(x)
    if x.dtype not in _FLOATS:
        return ops.identity(x)
    return ops.select(ops.less(x, 0), ops.ceil(x), ops.floor(x))


# --- Division ---

def floor_divide(x1: Any, x2: Any, /) -> Tensor:
    """x1 / x2, broadcast, as the nearest whole number that is not larger.

    An error for an integer divided by 0; floats give infinities or NaN.
    """
    dtype = result_type(x1, x2)
    x1, x2 = (ops.cast(_as_tensor(x), dtype) for x in (x1, x2))
    rest = ops.mod(x1, x2)
    if dtype not in _FLOATS:
        # Division rounds towards 0: it is one more where the rests differ.
        differs = ops.not_equal(rest, ops.mod(x1, x2, truncate=True))
        return ops.sub(ops.div(x1, x2), ops.cast(differs, dtype))
    quotient = ops.div(x1, x2)
    exact = ops.round(ops.div(ops.sub(x1, rest), x2))
    is_plain = ops.logical_and(isfinite(quotient), ops.logical_and(isfinite(rest), ops.not_equal(exact, 0)))
    # Of a number by an infinity of the other sign.
    rounded = ops.select(ops.logical_and(ops.is_inf(x2), ops.less(ops.mul(ops.sign(x1), ops.sign(x2)), 0)),
                         ops.select(ops.is_inf(x1), quotient, ops.cast(-1, dtype)), ops.floor(quotient))
    return ops.select(is_plain, exact, rounded)


# --- Exponents and logarithms ---

def expm1(x: Any, /) -> Tensor:
    """exp(x) - 1, also where it is close to 0."""
    x, = _as_floats(x)
    half = ops.mul(x, 0.5)
    result = ops.mul(ops.mul(ops.sinh(half), 2.0), ops.exp(half))
    return ops.select(ops.less(x, -40.0), ops.cast(-1.0, x.dtype), result)


def _log_by(x, base: float) -> Tensor:
    x, = _as_floats(x)
    return ops.cast(ops.mul(ops.log(ops.cast(x, f64)), 1.0 / math.log(base)), x.dtype)


def log2(x: Any, /) -> Tensor:
    """The logarithm to the base 2."""
    return _log_by(x, 2.0)


def log10(x: Any, /) -> Tensor:
    """The logarithm to the base 10."""
    return _log_by(x, 10.0)


def logaddexp(x1: Any, x2: Any, /) -> Tensor:
    """log(exp(x1) + exp(x2)), broadcast, also where the exponentials are out of range."""
    x1, x2 = _as_floats(x1, x2)
    distance = ops.select(ops.equal(x1, x2), ops.zeros_like(x1, x1.dtype), ops.abs(ops.sub(x1, x2)))
    return ops.add(ops.maximum(x1, x2), ops.log1p(ops.exp(ops.neg(distance))))


# --- Triangles ---

def hypot(x1: Any, x2: Any, /) -> Tensor:
    """The square root of x1 * x1 + x2 * x2, broadcast; infinite where one of the two is."""
    x1, x2 = (ops.abs(x) for x in _as_floats(x1, x2))
    largest, smallest = ops.maximum(x1, x2), ops.minimum(x1, x2)
    share = ops.select(ops.equal(largest, 0), largest, ops.div(smallest, largest))
    result = ops.mul(largest, ops.sqrt(ops.add(ops.mul(share, share), 1.0)))
    is_infinite = ops.logical_or(ops.is_inf(x1), ops.is_inf(x2))
    return ops.select(is_infinite, ops.cast(math.inf, x1.dtype), result)


def atan2(x1: Any, x2: Any, /) -> Tensor:
    """The angle of the point (x2, x1), broadcast: from -pi to pi, with the sign of x1."""
    x1, x2 = _as_floats(x1, x2)
    rise, run = ops.abs(x1), ops.abs(x2)
    smallest, largest = ops.minimum(rise, run), ops.maximum(rise, run)
    share = ops.select(ops.equal(smallest, largest), ops.minimum(smallest, 1.0), ops.div(smallest, largest))
    angle = ops.atan(ops.select(ops.logical_and(ops.equal(rise, run), ops.greater(rise, 0)),
                                ops.cast(1.0, x1.dtype), share))
    angle = ops.select(ops.greater(rise, run), ops.sub(ops.cast(math.pi / 2, x1.dtype), angle), angle)
    angle = ops.select(signbit(x2), ops.sub(ops.cast(math.pi, x1.dtype), angle), angle)
    return copysign(angle, x1)
