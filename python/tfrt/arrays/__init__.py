"""Arrays as people write them: the functions of the array API standard and of NumPy, made of ops.

`from tfrt.arrays import *` gives what the package tfrt gives; each module has the functions of one section of the
standard.
"""

from .creation import *
from .dtypes import *
from .elementwise import *
from .indexing import *
from .assignment import *
from .manipulation import *
from .numpy_names import *
from .products import *
from .searching import *
from .sets import *
from .sorting import *
from .statistics import *
from . import _methods  # noqa: F401  # puts methods on Tensor and Variable
from . import (
    creation, dtypes, elementwise, indexing, manipulation, numpy_names, products, searching, sets, sorting, statistics)

__all__ = [
    name
    for module in (creation, dtypes, elementwise, indexing, manipulation, numpy_names, products, searching, sets,
                   sorting, statistics)
    for name in module.__all__
]
