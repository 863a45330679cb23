"""Functions of arrays as methods of Tensor and Variable."""

from __future__ import annotations

import functools

from .._tfrt import Tensor, Variable
from . import manipulation, numpy_names, products, searching, sorting, statistics


def _of_value(function):
    """The function, of a variable's value."""
    @functools.wraps(function)
    def call(self, *args, **kwargs):
        return function(self.read(), *args, **kwargs)

    return call


def _attach():
    names = {
        manipulation: ("repeat", "squeeze"),
        products: ("dot",),
        statistics: ("all", "any", "max", "mean", "min", "prod", "std", "sum", "var"),
        searching: ("argmax", "argmin", "nonzero", "take"),
        sorting: ("argsort",),
        numpy_names: ("cumprod", "cumsum", "diagonal", "flatten", "ravel", "swapaxes", "trace"),
    }
    for module, functions in names.items():
        for name in functions:
            function = getattr(module, name)
            setattr(Tensor, name, function)
            setattr(Variable, name, _of_value(function))


_attach()
