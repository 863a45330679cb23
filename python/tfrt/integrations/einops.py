"""Tensors as einops takes them: once this module is imported, its functions work on tensors, also in traced functions.

einops finds backends among the subclasses of its own class; this module has one, and nothing to call.
"""

from __future__ import annotations

from typing import Any

import numpy
from einops._backends import AbstractBackend

import tfrt

__all__ = ["TfrtBackend"]


class TfrtBackend(AbstractBackend):
    """The operations that einops' patterns are made of, on tensors and variables."""

    framework_name = "tfrt"

    def is_appropriate_type(self, tensor: Any) -> bool:
        return isinstance(tensor, (tfrt.Tensor, tfrt.Variable))

    def from_numpy(self, x: numpy.ndarray) -> tfrt.Tensor:
        return tfrt.asarray(x)

    def to_numpy(self, x: tfrt.Tensor) -> numpy.ndarray:
        return numpy.asarray(x)

    def arange(self, start: int, stop: int) -> tfrt.Tensor:
        return tfrt.arange(start, stop)

    def reshape(self, x: tfrt.Tensor, shape: Any) -> tfrt.Tensor:
        return tfrt.reshape(x, tuple(shape))

    def transpose(self, x: tfrt.Tensor, axes: Any) -> tfrt.Tensor:
        return tfrt.permute_dims(x, tuple(axes))

    def reduce(self, x: tfrt.Tensor, operation: str, axes: Any) -> tfrt.Tensor:
        return getattr(tfrt, operation)(x, axis=tuple(axes))

    def stack_on_zeroth_dimension(self, tensors: list) -> tfrt.Tensor:
        return tfrt.stack(tensors)

    def add_axis(self, x: tfrt.Tensor, new_position: int) -> tfrt.Tensor:
        return tfrt.expand_dims(x, axis=new_position)

    def tile(self, x: tfrt.Tensor, repeats: Any) -> tfrt.Tensor:
        return tfrt.tile(x, tuple(repeats))

    def concat(self, tensors: list, axis: int) -> tfrt.Tensor:
        return tfrt.concat(tensors, axis=axis)

    def is_float_type(self, x: tfrt.Tensor) -> bool:
        return tfrt.isdtype(x.dtype, "real floating")

    def einsum(self, pattern: str, *x: tfrt.Tensor) -> tfrt.Tensor:
        return tfrt.einsum(pattern, *x)
