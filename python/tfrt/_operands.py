"""Arguments of functions that are made of ops."""

from ._tfrt import i64
from ._tfrt import _ops
from .control_flow import as_tensor
from .errors import FailedPreconditionError


def known_shape(x):
    """The sizes of a tensor as a list; None where some of a trace are open."""
    try:
        sizes = list(x.shape)
    except FailedPreconditionError:  # not even their number is known
        return None
    return None if None in sizes else sizes


def sizes_of(x):
    """The sizes of a tensor: a list, or a tensor where some of a trace are open."""
    sizes = known_shape(x)
    return _ops["shape_of"](x, out_type=i64) if sizes is None else sizes


def like(value, x):
    """A number, array or tensor as a tensor of the dtype of another one."""
    value = as_tensor(value, x)
    return value if value.dtype == x.dtype else _ops["cast"](value, x.dtype)


def float_tensor(value, name):
    """A tensor of floats; the name is that of the argument."""
    value = as_tensor(value)
    if not value.dtype.name.startswith(("f", "bf")):
        raise TypeError(f"{name} is of {value.dtype}, not of floats")
    return value
