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

# In the form that type checkers read.
__all__: list[str] = []
__all__ += creation.__all__
__all__ += dtypes.__all__
__all__ += elementwise.__all__
__all__ += indexing.__all__
__all__ += manipulation.__all__
__all__ += numpy_names.__all__
__all__ += products.__all__
__all__ += searching.__all__
__all__ += sets.__all__
__all__ += sorting.__all__
__all__ += statistics.__all__
