"""Methods of tensors and variables under the names of the array API standard and of NumPy's arrays."""

from . import arrays, ops
from ._tensor import _of_value
from ._tfrt import Tensor, Variable, bf16, f32, f64
from .arrays.dtypes import __array_api_version__

_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")


# --- The standard's protocols ---

def _array_namespace(self, *, api_version=None):
    """The package tfrt. A ValueError for a version of the standard that it does not have."""
    if api_version is not None and api_version not in _VERSIONS:
        raise ValueError(f"api_version is one of {', '.join(_VERSIONS)}, not {api_version!r}: tfrt has the functions "
                         f"of {__array_api_version__}")
    import tfrt
    return tfrt


def _to_device(self, device, /, *, stream=None):
    """The tensor on another device of its context. `stream` is None: tensors wait for each other by themselves."""
    if stream is not None:
        raise ValueError(f"stream is None, not {stream!r}: tensors wait for each other by themselves")
    return self if device == self.device else self.to(device)


def _matrix_transpose(self):
    """Matrices with their rows as columns: the last two axes change places. A ValueError below 2 dimensions."""
    if self.ndim < 2:
        raise ValueError(f"mT: a matrix has at least 2 dimensions, but the tensor has {self.ndim}")
    order = list(range(self.ndim))
    order[-2:] = [order[-1], order[-2]]
    return ops.transpose(self, order)


# --- As text ---

def _elements(tensor):
    return (ops.cast(tensor, f32) if tensor.dtype == bf16 else tensor).numpy()


def _can_print(tensor):
    if tensor.is_traced or not tensor.is_available or tensor.is_error:
        return False
    try:
        _elements(tensor)
    except (ImportError, ValueError):  # no NumPy, or a shape that its arrays do not have
        return False
    return True


_state_text = Tensor.__repr__


def _text(self, name):
    if not _can_print(self):
        return name + _state_text(self)[len("tensor"):]
    shape = f", shape={self.shape}" if self.size == 0 or self.size > 1000 else ""
    device = "" if self.device == "cpu:0" else f", device={self.device}"
    import numpy
    elements = numpy.array2string(_elements(self), separator=", ", prefix=name + "(")
    return f"{name}({elements}{shape}, dtype={self.dtype}{device})"


def _repr(self):
    return _text(self, "tensor")


def _repr_of_variable(self):
    return _text(self.read(), "variable")


def _str(self):
    return str(_elements(self)) if _can_print(self) else _state_text(self)


def _format(self, spec):
    if not spec:
        return str(self)
    if self.ndim:
        raise TypeError(f"a format such as {spec!r} is for one number, but the tensor has the shape {self.shape}")
    return format(self.item(), spec)


# --- Functions of NumPy that get a tensor ---

# The ufuncs whose functions here have other names.
_UFUNCS = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "conjugate": "conj", "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift", "power": "pow", "right_shift": "bitwise_right_shift", "rint": "round",
}
_FUNCTIONS = {"amax": "max", "amin": "min"}
_ARGUMENTS = {"ddof": "correction"}
# These give facts, files or texts, no arrays.
_BY_NUMPY = ("allclose", "array2string", "array_equal", "array_equiv", "array_repr", "array_str", "may_share_memory",
             "ndim", "save", "savetxt", "savez", "savez_compressed", "shape", "shares_memory", "size")


def _refuse(what, reason):
    raise TypeError(f"{what} of a tfrt.Tensor: {reason}; np.asarray(x) gives an array for NumPy") from None


def _to_numpy(value):
    if isinstance(value, (Tensor, Variable)):
        return value.numpy()
    if isinstance(value, (list, tuple)):
        return type(value)(map(_to_numpy, value))
    return value


def _array_ufunc(self, ufunc, method, *inputs, out=None, **kwargs):
    import numpy
    import tfrt
    if out is not None and all(isinstance(array, numpy.ndarray) for array in out):
        return getattr(ufunc, method)(*map(_to_numpy, inputs), out=out, **kwargs)  # `array += tensor`
    if ufunc.__name__ == "matmul" and method == "__call__" and not kwargs:
        return arrays.asarray(inputs[0]) @ inputs[1]
    name = _UFUNCS.get(ufunc.__name__, ufunc.__name__)
    what = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    if method != "__call__" or name not in arrays.__all__:
        _refuse(what, "tfrt has no function for it")
    if out is not None or kwargs:
        _refuse(what, f"tfrt.{name} has no argument {next(iter(kwargs), 'out')}")
    return getattr(tfrt, name)(*inputs)


def _counterpart(func):
    """The function here for one of NumPy, or None, and its name."""
    import tfrt
    place, names = tfrt, arrays.__all__
    for part in func.__module__.split(".")[1:]:
        place = getattr(place, part, None)
        names = getattr(place, "__all__", ())
    name = _FUNCTIONS.get(func.__name__, func.__name__)
    if name in ("round", "around") and place is tfrt:
        return _round, "tfrt.Tensor.round"  # with decimals, which those of the standard have not
    return (getattr(place, name), f"{place.__name__}.{name}") if name in names else (None, name)


def _array_function(self, func, types, args, kwargs):
    what = f"{func.__module__}.{func.__name__}"
    if func.__name__ in _BY_NUMPY:
        return func(*map(_to_numpy, args), **{name: _to_numpy(value) for name, value in kwargs.items()})
    function, name = _counterpart(func)
    if function is None:
        _refuse(what, "tfrt has no function of that name")
    args, kwargs = list(args), dict(kwargs)
    import inspect
    try:
        # An argument that NumPy takes by position may be a keyword here.
        theirs = [parameter.name for parameter in inspect.signature(func).parameters.values()
                  if parameter.kind != parameter.VAR_POSITIONAL]
        ours = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return function(*args, **kwargs)
    if not any(parameter.kind == parameter.VAR_POSITIONAL for parameter in ours):
        count = sum(1 for parameter in ours if parameter.kind != parameter.KEYWORD_ONLY)
        kwargs.update(zip(theirs[count:], args[count:]))
        args = args[:count]
    known = [parameter.name for parameter in ours]
    for name_of in list(kwargs):
        if name_of not in known and _ARGUMENTS.get(name_of) in known:
            kwargs[_ARGUMENTS[name_of]] = kwargs.pop(name_of)
        elif name_of not in known:
            _refuse(what, f"{name} has no argument {name_of}")
    return function(*args, **kwargs)


# --- Methods of NumPy's arrays ---

def _clip(self, min=None, max=None):
    """Elements between two bounds, in the tensor's dtype."""
    return arrays.clip(self, min, max)


def _round(self, decimals=0):
    """The nearest numbers with so many decimals, of two the even one. Below 0 it is tens, hundreds and so on.

    Integers keep their dtype.
    """
    x = arrays.asarray(self)
    if not decimals or decimals > 0 and x.dtype.name[0] in "iu":
        return arrays.round(x)
    if x.dtype.name[0] in "iu":
        scaled = arrays.round(ops.cast(x, f64) / 10.0 ** -decimals)
        return ops.cast(scaled * 10.0 ** -decimals, x.dtype)
    if decimals < 0:
        return arrays.round(x / 10.0 ** -decimals) * 10.0 ** -decimals
    return arrays.round(x * 10.0 ** decimals) / 10.0 ** decimals


def _contains(self, item):
    """Whether an element equals the number; waits for the elements."""
    return bool(arrays.any(arrays.equal(self, item)))


def _copy(self):
    """A tensor of the same elements that item assignment changes by itself."""
    return +self


def _tobytes(self):
    """The elements as bytes, row by row."""
    return bytes(memoryview(self._bits()))


def _itemsize(self):
    """The bytes of one element."""
    return self.dtype.itemsize


def _nbytes(self):
    """The bytes of all elements."""
    return self.size * self.dtype.itemsize


def _attach():
    methods = {
        "__array_namespace__": _array_namespace, "to_device": _to_device, "mT": property(_matrix_transpose),
        "itemsize": property(_itemsize), "nbytes": property(_nbytes),
        "__contains__": _contains, "__round__": _round,
        "__format__": _format, "__str__": _str, "__array_ufunc__": _array_ufunc, "__array_function__": _array_function,
        "clip": _clip, "round": _round, "copy": _copy, "tobytes": _tobytes,
    }
    for name, method in methods.items():
        setattr(Tensor, name, method)
        setattr(Variable, name, _of_value(method))
    Tensor.__repr__ = _repr
    Variable.__repr__ = _repr_of_variable
    Variable.__array_namespace__ = _array_namespace


_attach()
