"""All ops, under the names of the op table. Each is made of what the table says about it: `help(tfrt.ops.matmul)`."""

import builtins as _builtins

from ._tfrt import _Op as Op, _ops  # noqa: F401  # Op is a name of the module

# The ops with a wrapper that completes what the table asks for.
_WRAPPED = ("cast", "conv2d", "zeros_like")

globals().update(_ops)
# `from tfrt.ops import *` leaves the functions of Python as they are.
__all__ = [name for name in _ops if not hasattr(_builtins, name) and name not in ("constant",) + _WRAPPED]
