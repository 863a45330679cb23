"""Elements in order, and the order itself."""

from __future__ import annotations

from .. import ops
from .._tfrt import Tensor, i1
from ._arguments import axis_of, bytes_of, tensor_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..ops import TensorLike

__all__ = ["argsort", "sort"]


def sort(x: TensorLike, /, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Tensor:
    """The elements along an axis in ascending or descending order. NaN is the largest.

    Equal elements keep their order, whatever `stable` is. ValueError: the array has no dimensions.
    """
    x, axis = _argument(x, axis, "sort")
    if x.dtype == i1:
        return ops.cast(ops.sort(bytes_of(x), axis=axis, descending=descending), i1)
    return ops.sort(x, axis=axis, descending=descending)


def argsort(x: TensorLike, /, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Tensor:
    """Where the elements of `sort` are along the axis, as i64. NaN is the largest.

    Equal elements keep their order, whatever `stable` is. ValueError: the array has no dimensions.
    """
    x, axis = _argument(x, axis, "argsort")
    return ops.argsort(bytes_of(x) if x.dtype == i1 else x, axis=axis, descending=descending)


def _argument(x: TensorLike, axis: int, function: str) -> tuple[Tensor, int]:
    x = tensor_of(x)
    if x.ndim == 0:
        raise ValueError(f"{function} takes an array of 1 or more dimensions, not of 0")
    return x, axis_of(axis, x.ndim)
