"""Fourier transforms: the extension `fft` of the array API standard, eagerly and traced.

Transforms of f32 and complex64 are complex64 or f32, those of f64 and complex128 complex128 or f64. `norm` says where
the division by the number of points n is: "backward" divides inverse transforms by n, "forward" the others, and "ortho"
divides both by the root of n. `real`, `imag`, `conj` and `make_complex` are about the parts of complex numbers.
"""

from __future__ import annotations

import operator

from . import ops
from ._tfrt import Tensor, complex64, complex128, f32, f64, i64, tensor
from .arrays._arguments import FLOATS, axes_of, axis_of, piece, shape_from, size_of, sizes_of, tensor_of
from .ops import imag, make_complex, real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .arrays._arguments import Size
    from .ops import DTypeLike, TensorLike

__all__ = [
    "conj", "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "imag", "irfft",
    "irfftn", "make_complex", "real", "rfft", "rfftfreq", "rfftn",
]

_COMPLEX = {f32: complex64, f64: complex128, complex64: complex64, complex128: complex128}
_REAL = {complex64: f32, complex128: f64}
_SWAPPED = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def conj(x: TensorLike, /) -> Tensor:
    """The complex conjugates."""
    return make_complex(real(x), ops.neg(imag(x)))


def fft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The transform along an axis, which is cut or filled up with zeros to n elements first.

    TypeError: elements are neither floats of 32 or 64 bits nor complex. ValueError: n or the size is less than 1.
    """
    return _transformed(x, n, axis, norm, False, "fft")


def ifft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `fft`."""
    return _transformed(x, n, axis, norm, True, "ifft")


def fftn(x: TensorLike, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
         norm: str = "backward") -> Tensor:
    """The transform along several axes, or all, of the sizes `s`."""
    return _along(x, s, axes, norm, False, "fftn")


def ifftn(x: TensorLike, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
          norm: str = "backward") -> Tensor:
    """The inverse of `fftn`."""
    return _along(x, s, axes, norm, True, "ifftn")


def rfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The first n // 2 + 1 elements of the transform of real numbers; the others are their conjugates."""
    x = _real(x, "rfft")
    axis = axis_of(axis, x.ndim)
    return _half(fft(x, n=n, axis=axis, norm=norm), axis)


def irfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The n real numbers whose transform begins with these elements; n is 2 * (size - 1) if it is left out."""
    x = _complex(x, "irfft")
    axis = axis_of(axis, x.ndim)
    points = _points(x, n, axis, "irfft", lambda size: 2 * (size - 1))
    count = _half_of(points) + 1
    x = _resized(x, count, axis)
    # Each element stands for itself and its conjugate, but for the first and, of even sizes, the last: 2 k is n there.
    part = _REAL[x.dtype]
    places = ops.range(tensor(0, i64), count if isinstance(count, Tensor) else tensor(count, i64), tensor(1, i64))
    twice = ops.mul(places, tensor(2, i64))
    is_one = ops.logical_or(ops.equal(places, tensor(0, i64)),
                            ops.equal(twice, points if isinstance(points, Tensor) else tensor(points, i64)))
    weights = ops.reshape(ops.select(is_one, tensor(1, part), tensor(2, part)), [-1] + [1] * (x.ndim - 1 - axis))
    x = ops.mul(x, make_complex(weights, ops.zeros_like(weights, part)))
    y = real(ops.dft(_resized(x, points, axis), axis=axis, inverse=True))
    return _scaled(y, points, norm, True)


def rfftn(x: TensorLike, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
          norm: str = "backward") -> Tensor:
    """`rfft` along the last of several axes, then `fftn` along the others."""
    x = _real(x, "rfftn")
    along, sizes = _axes_and_sizes(x, s, axes, "rfftn")
    x = rfft(x, n=sizes[-1], axis=along[-1], norm=norm)
    for axis, size in zip(along[:-1], sizes[:-1]):
        x = fft(x, n=size, axis=axis, norm=norm)
    return x


def irfftn(x: TensorLike, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
           norm: str = "backward") -> Tensor:
    """The inverse of `rfftn`, whose last size is 2 * (size - 1) if it is left out."""
    x = _complex(x, "irfftn")
    along, sizes = _axes_and_sizes(x, s, axes, "irfftn")
    for axis, size in zip(along[:-1], sizes[:-1]):
        x = ifft(x, n=size, axis=axis, norm=norm)
    return irfft(x, n=sizes[-1], axis=along[-1], norm=norm)


def hfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The real transform, of n elements, of a signal whose second half is conjugate to the first, which is given."""
    return irfft(conj(_complex(x, "hfft")), n=n, axis=axis, norm=_swapped(norm))


def ihfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `hfft`."""
    return conj(rfft(_real(x, "ihfft"), n=n, axis=axis, norm=_swapped(norm)))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """The frequencies of the n elements of a transform: 0, 1, ..., then the negative ones, divided by d * n.

    ValueError: n is less than 1. TypeError: dtype is no float.
    """
    count = _count(n, "fftfreq")
    negative = (count - 1) // 2 + 1
    places = ops.concat([_range(0, negative), _range(-(count // 2), 0)], 0)
    return _frequencies(places, count, d, dtype, device, "fftfreq")


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """The frequencies of the n // 2 + 1 elements that `rfft` gives."""
    count = _count(n, "rfftfreq")
    return _frequencies(_range(0, count // 2 + 1), count, d, dtype, device, "rfftfreq")


def fftshift(x: TensorLike, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """The tensor turned along axes so that the frequency 0 is in the middle."""
    return _shifted(tensor_of(x), axes, lambda size: _half_of(_plus_one(size)))


def ifftshift(x: TensorLike, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _shifted(tensor_of(x), axes, _half_of)


def _complex(x: TensorLike, function: str) -> Tensor:
    x = tensor_of(x)
    if x.dtype not in _COMPLEX:
        raise TypeError(f"{function}: x has elements of f32, f64, complex64 or complex128, not {x.dtype}")
    return x if x.dtype in _REAL else make_complex(x, ops.zeros_like(x, x.dtype))


def _real(x: TensorLike, function: str) -> Tensor:
    x = tensor_of(x)
    if x.dtype not in (f32, f64):
        raise TypeError(f"{function}: x has elements of f32 or f64, not {x.dtype}")
    return x


def _swapped(norm: str) -> str:
    if norm not in _SWAPPED:
        raise ValueError(f"norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    return _SWAPPED[norm]


def _count(n: int, function: str) -> int:
    try:
        count = operator.index(n)
    except TypeError:
        raise TypeError(f"{function}: n is an int, not {type(n).__name__}") from None
    if count < 1:
        raise ValueError(f"{function}: n is 1 or more, not {count}")
    return count


def _points(x: Tensor, n: int | None, axis: int, function: str,
            of_size: Callable[[Size], Size] = lambda size: size) -> Size:
    """How many points a transform has: n, or what follows from the size of the axis."""
    if n is not None:
        return _count(n, function)
    size = of_size(size_of(x, axis))
    if not isinstance(size, Tensor) and size < 1:
        raise ValueError(f"{function}: a transform has 1 point or more, but of axis {axis} it has {size}")
    return size


def _half_of(size: Size) -> Size:
    return ops.div(size, tensor(2, i64)) if isinstance(size, Tensor) else size // 2


def _plus_one(size: Size) -> Size:
    return ops.add(size, tensor(1, i64)) if isinstance(size, Tensor) else size + 1


def _half(x: Tensor, axis: int) -> Tensor:
    return piece(x, axis, 0, _plus_one(_half_of(size_of(x, axis))))


def _resized(x: Tensor, size: Size, axis: int) -> Tensor:
    """The elements up to a size along an axis, and zeros after them."""
    given = size_of(x, axis)
    known = not isinstance(size, Tensor) and not isinstance(given, Tensor)
    if known and size == given:
        return x
    if not known or size > given:
        sizes = list(sizes_of(x))
        sizes[axis] = size - given if known else size
        x = ops.concat([x, _zeros(sizes, x)], axis)
    return x if known and size > given else piece(x, axis, 0, size)


def _zeros(sizes: Sequence[Size], x: Tensor) -> Tensor:
    part = ops.fill(shape_from(sizes), tensor(0, _REAL.get(x.dtype, x.dtype)))
    return make_complex(part, part) if x.dtype in _REAL else part


def _scaled(x: Tensor, n: Size, norm: str, inverse: bool) -> Tensor:
    """The transform divided as `norm` says."""
    _swapped(norm)
    if norm == ("forward" if inverse else "backward"):
        return x
    part = _REAL.get(x.dtype, x.dtype)
    points = ops.cast(n, part) if isinstance(n, Tensor) else tensor(n, part)
    factor = ops.reciprocal(ops.sqrt(points) if norm == "ortho" else points)
    return ops.mul(x, make_complex(factor, tensor(0, part)) if x.dtype in _REAL else factor)


def _transformed(x: TensorLike, n: int | None, axis: int, norm: str, inverse: bool, function: str) -> Tensor:
    x = _complex(x, function)
    axis = axis_of(axis, x.ndim)
    points = _points(x, n, axis, function)
    return _scaled(ops.dft(_resized(x, points, axis), axis=axis, inverse=inverse), points, norm, inverse)


def _axes_and_sizes(x: Tensor, s: Sequence[int] | None, axes: Sequence[int] | None,
                    function: str) -> tuple[list[int], Sequence[int | None]]:
    along = list(range(x.ndim)) if axes is None else [axis_of(axis, x.ndim, "axes") for axis in axes]
    if s is None:
        sizes: Sequence[int | None] = [None] * len(along)
    else:
        sizes = list(s)
        along = along[len(along) - len(sizes):] if axes is None and len(sizes) < len(along) else along
    if len(sizes) != len(along):
        raise ValueError(f"{function}: s has {len(sizes)} sizes for {len(along)} axes")
    if not along:
        raise ValueError(f"{function}: there is no axis")
    return along, sizes


def _along(x: TensorLike, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str, inverse: bool,
           function: str) -> Tensor:
    x = _complex(x, function)
    for axis, size in zip(*_axes_and_sizes(x, s, axes, function)):
        x = _transformed(x, size, axis, norm, inverse, function)
    return x


def _range(begin: int, end: int) -> Tensor:
    return ops.range(tensor(begin, i64), tensor(end, i64), tensor(1, i64))


def _frequencies(places: Tensor, n: int, d: float, dtype: DTypeLike | None, device: str | None,
                 function: str) -> Tensor:
    dtype = f32 if dtype is None else dtype
    values = ops.cast(ops.mul(ops.cast(places, f64), tensor(1 / (n * d), f64)), dtype)
    if values.dtype not in FLOATS:
        raise TypeError(f"{function}: dtype is one of floats, not {values.dtype}")
    return values if device is None or values.is_traced or device == values.device else values.to(device)


def _shifted(x: Tensor, axes: int | Sequence[int] | None, begin_of: Callable[[Size], Size]) -> Tensor:
    for axis in axes_of(axes, x.ndim, "axes"):
        begin = begin_of(size_of(x, axis))
        x = ops.concat([piece(x, axis, begin), piece(x, axis, 0, begin)], axis)
    return x
